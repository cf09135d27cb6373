//! The header: the name, what is loaded, and the ways in and out.

use berth_core::picture::scene::{Header, View};
use leptos::html::Input;
use leptos::prelude::*;

use crate::i18n::Word;
use crate::state::{Screen, Strip};

use super::live::{Text, piece, text, when};
use super::{BusyBar, Icon, Page};

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
            <BusyBar/>
            <Loaded/>
            <span class="spring"></span>
            <nav class="ways">
                <span class="roomy"><Ways/></span>
                <button
                    class="outlined"
                    aria-expanded=is_open(page, Strip::Share)
                    on:click=move |_| page.toggle_strip(Strip::Share)
                >
                    <Icon name="share"/>
                    <span class="word">{page.word(Word::Share)}</span>
                </button>
                <span class="roomy"><LanguageButton/></span>
                <ThemeButton/>
                <button
                    class="quiet square in-hand"
                    aria-label=page.word(Word::More)
                    aria-expanded=is_open(page, Strip::More)
                    on:click=move |_| page.toggle_strip(Strip::More)
                >
                    <Icon name="more"/>
                </button>
            </nav>
        </header>
    }
}

/// Whether a strip is open, for whoever does not see it.
fn is_open(page: Page, strip: Strip) -> Text {
    text(move || (page.strip.get() == Some(strip)).to_string())
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
            {page.word(Word::Gallery)}
        </button>
        <OpenFile/>
        <button class="quiet" on:click=move |_| {
            page.fold_more();
            page.toggle_editor();
        }>
            <Icon name="edit"/>
            {page.word(Word::EditYaml)}
        </button>
    }
}

/// The other language, named in it.
#[component]
pub fn LanguageButton() -> impl IntoView {
    let page = Page::get();
    view! {
        <button class="quiet language" on:click=move |_| page.other_language()>
            {page.word(Word::OtherLanguage)}
        </button>
    }
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
    let of_scene = move |choose: fn(&Header) -> &String| {
        text(move || {
            let scene = page.scene.get();
            scene.map_or_else(String::new, |scene| choose(&scene.header).clone())
        })
    };
    let digest = move || {
        let run = page.run.get();
        run.map_or_else(String::new, |run| run.digest.clone())
    };
    let tagline =
        move || view! { <span class="tagline">{page.word(Word::Tagline)}</span> }.into_any();
    let scenario = move || {
        view! {
            <span class="scenario">
                <b>{of_scene(|header| &header.title)}</b>
                <span class="facts">{of_scene(|header| &header.facts)}</span>
                <span class="facts digest">
                    {page.word(Word::Digest)}
                    " "
                    <code id="digest">{text(digest)}</code>
                </span>
                <Unsupported/>
            </span>
        }
        .into_any()
    };
    (when(is_first, tagline), when(move || !is_first(), scenario))
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
    let link = move || {
        view! {
            <button class="link" on:click=move |_| page.toggle_strip(Strip::Unsupported)>
                {text(move || count().to_string())}
                " "
                {page.word(Word::LeftOut)}
            </button>
        }
        .into_any()
    };
    when(move || 0 < count(), link)
}

#[component]
fn OpenFile() -> impl IntoView {
    let page = Page::get();
    let input = NodeRef::<Input>::new();
    let chosen = move |_| {
        let Some(input) = input.get() else { return };
        if let Some(files) = input.files() {
            page.fold_more();
            page.open_files(&files);
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
            <span class="word">{page.word(Word::OpenFile)}</span>
        </button>
        <input
            node_ref=input
            type="file"
            hidden
            multiple
            aria-label=page.word(Word::OpenFile)
            accept=".yaml,.yml,.json,.txt"
            on:change=chosen
        />
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let page = Page::get();
    let label = text(move || {
        page.say(if page.is_dark.get() {
            Word::ToLight
        } else {
            Word::ToDark
        })
    });
    view! {
        <button class="quiet square" aria-label=label on:click=move |_| page.other_theme()>
            {piece(move || {
                let name = if page.is_dark.get() { "sun" } else { "moon" };
                view! { <Icon name/> }.into_any()
            })}
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
                aria-pressed=text(move || (page.view.get() == view).to_string())
                on:click=move |_| {
                    page.screen.set(Screen::Stage);
                    page.turn_to(view);
                }
            >
                {page.word(word)}
            </button>
        }
    };
    view! {
        <div class="depth">
            <span class="soft small">{page.word(Word::HowMuch)}</span>
            <div class="segments" role="group" aria-label=page.word(Word::HowMuch)>
                {choice(View::Story, Word::Story)}
                {choice(View::Everything, Word::Everything)}
            </div>
            <span class="soft small keys-line">{page.word(Word::KeysLine)}</span>
        </div>
    }
}
