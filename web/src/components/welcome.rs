//! The first screen's own part: guesses at the question, and the three ways in.

use berth_core::picture::scene::{Guess, View};
use leptos::prelude::*;

use crate::i18n::Word;
use crate::state::Strip;

use super::{Icon, Page};

/// What stands where the queues stand later.
#[component]
pub fn Welcome() -> impl IntoView {
    let page = Page::get();
    let examples = move || {
        let all = page.examples.get();
        let shown = SHOWN.iter().filter_map(|(name, sign)| {
            let example = all.iter().find(|example| example.name == *name)?.clone();
            Some(view! {
                <button class="example" on:click=move |_| page.go(&format!("example={name}"))>
                    <Sign paths=*sign/>
                    <b>{example.title}</b>
                    <span class="soft small">{example.question}</span>
                </button>
            })
        });
        shown.collect_view()
    };
    view! {
        <aside class="welcome">
            <h2>{move || page.say(Word::PasteHead)}</h2>
            <button class="paste" on:click=move |_| page.toggle_strip(Strip::Paste)>
                <b>{move || page.say(Word::PasteHere)}</b>
                <code>"kubectl get nodes,pods,pv,pvc \\\n  -A -o yaml"</code>
                <span class="soft small">{move || page.say(Word::NothingUploaded)}</span>
            </button>
            <h2>{move || page.say(Word::ExampleHead)}</h2>
            {examples}
            <button class="link" on:click=move |_| page.go("gallery")>{move || page.say(Word::Gallery)}</button>
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
        let guess = guesses.get()?.get(place)?.clone();
        Some(page.say(if guess.is_right {
            Word::Right
        } else {
            Word::NotThat
        }))
    };
    view! {
        <Show when=move || page.view.get() == View::Open>
            <div class="guesses">
                <span class="soft">{move || page.say(Word::YourGuess)}</span>
                {buttons}
                <button class="solid" id="show-me" on:click=move |_| page.turn_to(View::Why)>
                    {move || page.say(Word::ShowMe)}
                </button>
                <p class="verdict" role="status">{verdict}</p>
            </div>
        </Show>
    }
}

fn guess_button(page: Page, place: usize, guess: Guess) -> impl IntoView {
    let Guess {
        text,
        is_right,
        link,
    } = guess;
    let class = move || match page.guess.get() {
        Some(chosen) if chosen == place && is_right => "outlined right",
        Some(chosen) if chosen == place => "outlined wrong",
        _ => "outlined",
    };
    let choose = move |_| {
        page.guess.set(Some(place));
        page.hot.set(is_right.then(|| link.clone()));
    };
    view! { <button class=class on:click=choose>{text}</button> }
}

/// The ways in as one bar, for a hand.
#[component]
pub fn WaysIn() -> impl IntoView {
    let page = Page::get();
    view! {
        <nav class="ways-in in-hand" aria-label=move || page.say(Word::PasteHead)>
            <button on:click=move |_| page.toggle_strip(Strip::Paste)>
                <Icon name="file"/>
                {move || page.say(Word::PasteOrDrop)}
            </button>
            <button on:click=move |_| page.go("gallery")>
                <Icon name="threads"/>
                {move || page.say(Word::Examples)}
            </button>
        </nav>
    }
}
