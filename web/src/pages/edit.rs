//! The text beside the picture: it runs again by itself; while it has errors the last good picture stays.

use core::cell::RefCell;

use berth_core::picture::scene::View;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use crate::components::live::{text, when};
use crate::components::{CaptionView, FigureView, Page, TransportBar};
use crate::editor::Editor;
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
                <Editor on_change=later/>
                <Foot/>
            </section>
            <section class=text(move || format!("pictured {}", page.looks()))>
                <p class="state-line">
                    {when(move || !has_errors(), runs)}
                    {when(has_errors, waits)}
                </p>
                <CaptionView/>
                <div class="scroll"><FigureView/></div>
                <TransportBar/>
            </section>
        </main>
    }
}

#[component]
fn Bar() -> impl IntoView {
    let page = Page::get();
    let name = move || {
        let run = page.run.get();
        run.map_or_else(String::new, |run| run.name.clone())
    };
    let count = move || match page.errors.with(|errors| errors.len()) {
        0 => String::new(),
        1 => page.say(Word::OneError).to_owned(),
        more => format!("{more} {}", page.say(Word::Errors)),
    };
    view! {
        <div class="bar">
            <b>{text(name)}</b>
            <span class="spring"></span>
            <span class="wrong" role="status">{text(count)}</span>
            <button class="quiet" on:click=move |_| page.screen.set(Screen::Stage)>
                {page.word(Word::CloseEditor)}
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

/// Runs the text when nothing was typed for a moment.
fn later(page: Page, text: String) {
    let timeout = Timeout::new(QUIET_MS, move || page.ask(&ToWorker::Edit { text }));
    TYPED.with(|typed| *typed.borrow_mut() = Some(timeout));
}

thread_local! {
    static TYPED: RefCell<Option<Timeout>> = const { RefCell::new(None) };
}

const QUIET_MS: u32 = 350;
