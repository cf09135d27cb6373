//! The first screen's own part: guesses at the question, and the three ways in.

use berth_core::picture::scene::{Guess, View};
use leptos::prelude::*;

use crate::i18n::Word;
use crate::state::Strip;

use super::live::{text, when};
use super::{Icon, Page};

/// What stands where the queues stand later.
#[component]
pub fn Welcome() -> impl IntoView {
    let page = Page::get();
    let examples = move || {
        let all = page.examples.get();
        let shown = SHOWN.iter().filter_map(|(name, sign)| {
            let example = all.iter().find(|example| example.name == *name)?;
            let told = example.told(page.lang.get()).clone();
            Some(view! {
                <button class="example" on:click=move |_| page.go(&format!("example={name}"))>
                    <Sign paths=*sign/>
                    <b>{told.title}</b>
                    <span class="soft small">{told.question}</span>
                </button>
            })
        });
        shown.collect_view()
    };
    view! {
        <aside class="welcome">
            <h2>{page.word(Word::PasteHead)}</h2>
            <button class="paste" on:click=move |_| page.toggle_strip(Strip::Paste)>
                <b>{page.word(Word::PasteHere)}</b>
                <code>"kubectl get nodes,pods,pv,pvc \\\n  -A -o yaml"</code>
                <span class="soft small">{page.word(Word::NothingUploaded)}</span>
            </button>
            <h2>{page.word(Word::ExampleHead)}</h2>
            {examples}
            <button class="link" on:click=move |_| page.go("gallery")>{page.word(Word::Gallery)}</button>
        </aside>
    }
}

/// What an example is about, in a few strokes of its own figure.
#[component]
fn Sign(
    /// What is stroked softly, what is stroked in the colour of its state, and what is filled.
    paths: [(&'static str, &'static str); 2],
) -> impl IntoView {
    let strokes = paths.map(|(class, path)| view! { <path class=class d=path></path> });
    view! { <svg class="sign" width="32" height="24" viewBox="0 0 32 24" aria-hidden="true">{strokes}</svg> }
}

/// The examples of the first screen, with their signs.
const SHOWN: [(&str, [(&str, &str); 2]); 3] = [
    (
        "preemption-101",
        [
            (
                "sign-soft",
                "M1.5 12.5h29v9h-29zM3.5 14.5h8v5h-8zM13.5 14.5h8v5h-8z",
            ),
            ("sign-victim", "M18.5 2.5h8v5h-8z"),
        ],
    ),
    (
        "three-queues",
        [
            ("sign-soft", "M1 12h7M24 12h7"),
            ("sign-backoff", "M16 4a8 8 0 1 1-8 8"),
        ],
    ),
    (
        "fleet-120",
        [
            (
                "sign-soft",
                "M1 12c8 0 6-8 14-8h6M1 12c8 0 6-6 14-6h6M1 12c8 0 6-4 14-4h6M1 12c8 0 6 6 14 6h11M1 12c8 0 6 8 14 8h11",
            ),
            ("sign-cut", "M21 2h4v8h-4zM26 16h4v6h-4z"),
        ],
    ),
];

/// The guesses at the question of the first screen.
#[component]
pub fn Guesses() -> impl IntoView {
    let page = Page::get();
    let guesses = Memo::new(move |_| page.scene.get().map(|scene| scene.caption.guesses.clone()));
    let buttons = move || {
        let guesses = guesses.get().unwrap_or_default().into_iter().enumerate();
        guesses
            .map(|(place, guess)| guess_button(page, place, guess))
            .collect_view()
    };
    let verdict = move || {
        let place = page.guess.get()?;
        let is_right = guesses.get()?.get(place)?.is_right;
        Some(page.say(if is_right { Word::Right } else { Word::NotThat }))
    };
    let all = move || {
        view! {
            <div class="guesses">
                <span class="soft">{page.word(Word::YourGuess)}</span>
                {buttons}
                <button class="solid" id="show-me" on:click=move |_| page.turn_to(View::Why)>
                    {page.word(Word::ShowMe)}
                </button>
                <p class="verdict" role="status">{text(move || verdict().unwrap_or_default())}</p>
            </div>
        }
        .into_any()
    };
    when(move || page.view.get() == View::Open, all)
}

fn guess_button(page: Page, place: usize, guess: Guess) -> impl IntoView {
    let Guess {
        text: words,
        is_right,
        link,
    } = guess;
    let class = text(move || match page.guess.get() {
        Some(chosen) if chosen == place && is_right => "outlined right",
        Some(chosen) if chosen == place => "outlined wrong",
        _ => "outlined",
    });
    let choose = move |_| {
        page.guess.set(Some(place));
        page.hot.set(is_right.then(|| link.clone()));
    };
    view! { <button class=class on:click=choose>{words}</button> }
}

/// The ways in as one bar, for a hand.
#[component]
pub fn WaysIn() -> impl IntoView {
    let page = Page::get();
    view! {
        <nav class="ways-in in-hand" aria-label=page.word(Word::PasteHead)>
            <button on:click=move |_| page.toggle_strip(Strip::Paste)>
                <Icon name="file"/>
                {page.word(Word::PasteOrDrop)}
            </button>
            <button on:click=move |_| page.go("gallery")>
                <Icon name="threads"/>
                {page.word(Word::Examples)}
            </button>
        </nav>
    }
}
