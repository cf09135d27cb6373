//! The header: the name, what is loaded, and the ways in and out.

use berth_core::picture::scene::{Lang, View};
use leptos::html::Input;
use leptos::prelude::*;

use crate::i18n::Word;
use crate::state::{Screen, Strip};

use super::{Icon, Page};

/// The header.
#[component]
pub fn Masthead() -> impl IntoView {
    let page = Page::get();
    view! {
        <header class="masthead">
            <a class="brand" href="#" on:click=move |event| {
                event.prevent_default();
                page.go("");
            }>
                <Logo/>
                "Berth"
            </a>
            <Loaded/>
            <span class="spring"></span>
            <nav class="ways">
                <span class="roomy"><Ways/></span>
                <button
                    class="outlined"
                    aria-expanded=move || (page.strip.get() == Some(Strip::Share)).to_string()
                    on:click=move |_| page.toggle_strip(Strip::Share)
                >
                    <Icon name="share"/>
                    <span class="word">{move || page.say(Word::Share)}</span>
                </button>
                <span class="roomy"><LanguageButton/></span>
                <ThemeButton/>
                <button
                    class="quiet square in-hand"
                    aria-label=move || page.say(Word::More)
                    aria-expanded=move || (page.strip.get() == Some(Strip::More)).to_string()
                    on:click=move |_| page.toggle_strip(Strip::More)
                >
                    <Icon name="more"/>
                </button>
            </nav>
        </header>
    }
}

/// The ways to something else than what is shown.
#[component]
pub fn Ways() -> impl IntoView {
    let page = Page::get();
    let go = move |hash: &str| {
        page.fold_more();
        page.go(hash);
    };
    view! {
        <button class="quiet" on:click=move |_| go("gallery")>
            {move || page.say(Word::Gallery)}
        </button>
        <OpenFile/>
        <button class="quiet" on:click=move |_| {
            page.fold_more();
            page.toggle_editor();
        }>
            <Icon name="edit"/>
            {move || page.say(Word::EditYaml)}
        </button>
    }
}

/// The other language, named in it.
#[component]
pub fn LanguageButton() -> impl IntoView {
    let page = Page::get();
    view! {
        <button class="quiet language" on:click=move |_| other_language(page)>
            {move || page.say(Word::OtherLanguage)}
        </button>
    }
}

fn other_language(page: Page) {
    page.lang.update(|lang| {
        *lang = match lang {
            Lang::En => Lang::Zh,
            Lang::Zh => Lang::En,
        };
    });
    page.show();
}

/// Three threads into one berth.
#[component]
fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" width="24" height="20" viewBox="0 0 24 20" aria-hidden="true">
            <path class="logo-thread" d="M1 3h6c4 0 3 7 8 7M1 10h14M1 17h6c4 0 3-7 8-7"></path>
            <rect class="logo-berth" x="15" y="6" width="8" height="8" rx="2"></rect>
        </svg>
    }
}

/// What is loaded; on the first screen what this is.
#[component]
fn Loaded() -> impl IntoView {
    let page = Page::get();
    let is_first = move || page.view.get() == View::Open || page.scene.with(Option::is_none);
    let title = move || page.scene.get().map(|scene| scene.header.title.clone());
    let facts = move || page.scene.get().map(|scene| scene.header.facts.clone());
    let digest = move || page.run.get().map(|run| run.digest.clone());
    view! {
        <Show
            when=move || !is_first()
            fallback=move || view! { <span class="tagline">{move || page.say(Word::Tagline)}</span> }
        >
            <span class="scenario">
                <b>{title}</b>
                <span class="facts">{facts}</span>
                <span class="facts digest">
                    {move || page.say(Word::Digest)}
                    " "
                    <code id="digest">{digest}</code>
                </span>
                <Unsupported/>
            </span>
        </Show>
    }
}

/// How much of the file is not supported, if anything.
#[component]
fn Unsupported() -> impl IntoView {
    let page = Page::get();
    let count = move || {
        page.run
            .get()
            .map_or(0, |run| run.warnings.len() + run.more_warnings)
    };
    view! {
        <Show when=move || 0 < count()>
            <button class="link" on:click=move |_| page.toggle_strip(Strip::Unsupported)>
                {move || count()}
                " "
                {move || page.say(Word::LeftOut)}
            </button>
        </Show>
    }
}

#[component]
fn OpenFile() -> impl IntoView {
    let page = Page::get();
    let input = NodeRef::<Input>::new();
    let chosen = move |_| {
        let Some(input) = input.get() else { return };
        let file = input.files().and_then(|files| files.get(0));
        if let Some(file) = file {
            page.fold_more();
            page.open_blob(file.name(), &file);
        }
        // The same file can be chosen again after it was changed.
        input.set_value("");
    };
    view! {
        <button class="quiet" on:click=move |_| {
            if let Some(input) = input.get() {
                input.click();
            }
        }>
            <Icon name="file"/>
            <span class="word">{move || page.say(Word::OpenFile)}</span>
        </button>
        <input
            node_ref=input
            type="file"
            hidden
            aria-label=move || page.say(Word::OpenFile)
            accept=".yaml,.yml,.json,.txt"
            on:change=chosen
        />
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let page = Page::get();
    let label = move || {
        page.say(if page.is_dark.get() {
            Word::ToLight
        } else {
            Word::ToDark
        })
    };
    view! {
        <button class="quiet square" aria-label=label on:click=move |_| page.is_dark.update(|dark| *dark = !*dark)>
            {move || if page.is_dark.get() {
                view! { <Icon name="sun"/> }
            } else {
                view! { <Icon name="moon"/> }
            }}
        </button>
    }
}

/// How much to show.
#[component]
pub fn Depth() -> impl IntoView {
    let page = Page::get();
    let choice = move |view: View, word: Word| {
        view! {
            <button
                class="segment"
                aria-pressed=move || (page.view.get() == view).to_string()
                on:click=move |_| {
                    page.screen.set(Screen::Stage);
                    page.turn_to(view);
                }
            >
                {move || page.say(word)}
            </button>
        }
    };
    view! {
        <div class="depth">
            <span class="soft small">{move || page.say(Word::HowMuch)}</span>
            <div class="segments" role="group" aria-label=move || page.say(Word::HowMuch)>
                {choice(View::Story, Word::Story)}
                {choice(View::Everything, Word::Everything)}
            </div>
            <span class="soft small keys-line">{move || page.say(Word::KeysLine)}</span>
        </div>
    }
}
