//! The examples that come with the page, each with its question.

use leptos::prelude::*;

use crate::components::{Page, SmallFigure};
use crate::i18n::Word;
use crate::protocol::{Example, Told};

/// The gallery.
#[component]
pub fn GalleryPage() -> impl IntoView {
    let page = Page::get();
    let items = move || {
        page.examples
            .get()
            .into_iter()
            .map(|example| item(page, example))
            .collect_view()
    };
    view! {
        <main class="gallery" id="main">
            <h1>{page.word(Word::GalleryHead)}</h1>
            <p class="soft">{page.word(Word::GalleryLine)}</p>
            <ol>{items}</ol>
        </main>
    }
}

fn item(page: Page, example: Example) -> impl IntoView {
    let told = example.told(page.lang.get()).clone();
    let Told {
        title,
        question,
        about,
    } = told;
    let name = example.name;
    view! {
        <li>
            <button class="exhibit" on:click=move |_| page.go(&format!("example={name}"))>
                <SmallFigure line=example.figure/>
                <b>{title}</b>
                <span class="question">{question}</span>
                <span class="soft">{about}</span>
            </button>
        </li>
    }
}
