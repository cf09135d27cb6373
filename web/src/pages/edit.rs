//! The text beside the picture: it runs again by itself; while it has errors the last good picture stays.

use berth_core::picture::scene::View;
use leptos::prelude::*;

use crate::components::live::{text, when};
use crate::components::{CaptionView, FigureView, Icon, Page, TransportBar, TwinView};
use crate::editor::{Editor, undo};
use crate::i18n::Word;
use crate::protocol::ToWorker;
use crate::state::Screen;

/// The page with the editor.
#[component]
pub fn EditPage() -> impl IntoView {
    let page = Page::get();
    let has_errors = move || page.errors.with(|errors| !errors.is_empty());
    Effect::new(move |_| {
        if page.view.get_untracked() == View::Open {
            page.turn_to(View::Story);
        }
    });
    let runs =
        move || view! { <span class="soft small">{page.word(Word::RunsAsTyped)}</span> }.into_any();
    let waits = move || {
        view! {
            <span class="pill last-good">{page.word(Word::LastGood)}</span>
            <span class="soft small">{page.word(Word::RerunsItself)}</span>
        }
        .into_any()
    };
    view! {
        <main class="edit" id="main">
            <section class="editing">
                <Bar/>
                <Editor/>
                <Foot/>
            </section>
            <section class=text(move || format!("pictured {}", page.looks()))>
                <p class="state-line">
                    {when(move || !has_errors(), runs)}
                    {when(has_errors, waits)}
                </p>
                <CaptionView/>
                <div class="scroll"><FigureView/><TwinView/></div>
                <TransportBar/>
            </section>
        </main>
    }
}

#[component]
fn Bar() -> impl IntoView {
    let page = Page::get();
    let name = move || {
        let part = page.part.get().map(|part| part.name);
        let title = || page.scene.get().map(|scene| scene.header.title.clone());
        part.or_else(title).unwrap_or_default()
    };
    let count = move || match page.errors.with(|errors| errors.len()) {
        0 => String::new(),
        1 => page.say(Word::OneError).to_owned(),
        more => format!("{more} {}", page.say(Word::Errors)),
    };
    view! {
        <div class="bar">
            <b>{text(name)}</b>
            <Parts/>
            <span class="spring"></span>
            <button
                class="quiet"
                id="undo"
                disabled=move || page.past.with(Vec::is_empty)
                on:click=move |_| undo(page)
            >
                {page.word(Word::Undo)}
            </button>
            <span class="wrong" role="status">{text(count)}</span>
            <button
                class="quiet square"
                aria-label=move || page.say(Word::CloseEditor)
                on:click=move |_| page.screen.set(Screen::Stage)
            >
                <Icon name="close"/>
            </button>
        </div>
    }
}

/// How much of the text is shown: the one object that the moment is about, or all of it.
#[component]
fn Parts() -> impl IntoView {
    let page = Page::get();
    let is_part = move || page.part.with(Option::is_some);
    let one = move |_| {
        // Where it stands in a text that cannot be read nobody knows.
        if page.errors.with_untracked(|errors| errors.is_empty()) {
            page.ask(&ToWorker::Write);
        }
    };
    view! {
        <div class="segments" role="group" aria-label=move || page.say(Word::HowMuch)>
            <button class="segment" aria-pressed=move || is_part().to_string() on:click=one>
                {page.word(Word::OneObject)}
            </button>
            <button
                class="segment"
                id="whole"
                aria-pressed=move || (!is_part()).to_string()
                on:click=move |_| page.part.set(None)
            >
                {page.word(Word::WholeFile)}
            </button>
        </div>
    }
}

#[component]
fn Foot() -> impl IntoView {
    let page = Page::get();
    let line = move || {
        let count = page
            .run
            .get()
            .map_or(0, |run| run.warnings.len() + run.more_warnings);
        if count == 0 {
            page.say(Word::NothingUnsupported).to_owned()
        } else {
            format!("{}: {count}", page.say(Word::Unsupported))
        }
    };
    view! { <p class="foot soft small">{text(line)}</p> }
}
