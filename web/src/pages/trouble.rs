//! What could not be opened, and why: never a blank page.

use leptos::prelude::*;

use crate::components::live::{piece, text};
use crate::components::{Page, wrong_row};
use crate::i18n::Word;
use crate::port::Silence;
use crate::state::{Screen, Trouble};

/// The page that says what is wrong.
#[component]
pub fn TroublePage() -> impl IntoView {
    let page = Page::get();
    let head = move || {
        let trouble = page.trouble.get();
        trouble.map_or("", |trouble| match trouble {
            Trouble::Input(..) => page.say(Word::InputWrong),
            Trouble::Link(..) => page.say(Word::LinkWrong),
            Trouble::Worker(Silence::Died) => page.say(Word::WorkerFailed),
            Trouble::Worker(Silence::OtherVersion) => page.say(Word::OtherVersion),
            Trouble::Gone => page.say(Word::Gone),
        })
    };
    let body = piece(move || match page.trouble.get() {
        Some(Trouble::Input(errors, more)) => {
            let rows = errors.iter().cloned();
            let rows = rows.map(|wrong| wrong_row(page, wrong)).collect_view();
            let more = (more > 0).then(|| format!("{more} {}", page.say(Word::More)));
            view! { <ul class="wrongs">{rows}</ul><p class="soft">{more}</p> }.into_any()
        }
        Some(Trouble::Link(message)) => {
            let told = message.words(page.lang.get()).to_owned();
            view! { <p class="wrong">{told}</p> }.into_any()
        }
        Some(Trouble::Gone) => view! { <p class="wrong">{page.say(Word::GoneWhy)}</p> }.into_any(),
        Some(Trouble::Worker(_)) | None => ().into_any(),
    });
    let back = move |_| {
        page.trouble.set(None);
        if page.run.get_untracked().is_some() {
            page.screen.set(Screen::Stage);
        } else {
            page.go("");
        }
    };
    view! {
        <main class="trouble" id="main">
            <h1>{text(head)}</h1>
            {body}
            <button class="solid" on:click=back>{page.word(Word::Back)}</button>
        </main>
    }
}
