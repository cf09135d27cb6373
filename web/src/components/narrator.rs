//! The narrator: one sentence above the figure, whose marked words are linked to marks.
//!
//! A screen reader is told at most one sentence a second while the run plays, and none above double speed.

use berth_core::picture::palette::Hue;
use berth_core::picture::scene::{Badge, Corner, Piece, Sentence, Underline};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::Page;
use super::live::{piece, text};

/// What happened and why, with what came before and kube-scheduler's own words.
#[component]
pub fn Narrator() -> impl IntoView {
    let page = Page::get();
    let caption = Memo::new(move |_| page.scene.get().map(|scene| scene.caption.clone()));
    let part = move |choose: fn(&berth_core::picture::scene::Caption) -> Option<&Sentence>,
                     class| {
        piece(move || {
            let caption = caption.get();
            let sentence = caption
                .as_ref()
                .and_then(choose)
                .cloned()
                .unwrap_or_default();
            if sentence.pieces.is_empty() {
                return ().into_any();
            }
            view! { <p class=class>{pieces(page, sentence)}</p> }.into_any()
        })
    };
    view! {
        {part(|caption| caption.before.as_ref(), "before")}
        <Heading/>
        {part(|caption| caption.message.as_ref(), "message")}
        <Spoken/>
    }
}

/// The sentence; a new one fades in where the old one was.
#[component]
fn Heading() -> impl IntoView {
    let page = Page::get();
    let said = Memo::new(move |_| page.scene.get().map(|scene| scene.caption.said.clone()));
    piece(move || match said.get() {
        Some(said) => view! { <h1 class="said">{pieces(page, said)}</h1> }.into_any(),
        None => ().into_any(),
    })
}

/// What a screen reader is told, not too often.
#[component]
fn Spoken() -> impl IntoView {
    let page = Page::get();
    let spoken = RwSignal::new(String::new());
    let waiting = StoredValue::new_local(None::<Timeout>);
    Effect::new(move |_| {
        let Some(scene) = page.scene.get() else {
            return;
        };
        let is_playing = page.is_playing.get_untracked();
        if is_playing && page.speed.get_untracked() > 2.0 {
            return;
        }
        if !is_playing {
            waiting.set_value(None);
            spoken.set(scene.twin.sentence.clone());
            return;
        }
        if waiting.with_value(Option::is_some) {
            return;
        }
        let later = Timeout::new(1000, move || {
            waiting.set_value(None);
            if let Some(scene) = page.scene.get_untracked() {
                spoken.set(scene.twin.sentence.clone());
            }
        });
        waiting.set_value(Some(later));
    });
    view! { <p class="unseen" aria-live="polite">{text(move || spoken.get())}</p> }
}

/// A sentence as elements.
pub(super) fn pieces(page: Page, sentence: Sentence) -> Vec<AnyView> {
    let pieces = sentence.pieces.into_iter();
    pieces.map(|piece| one_piece(page, piece)).collect()
}

fn one_piece(page: Page, piece: Piece) -> AnyView {
    match piece {
        Piece::Text { text } => text.into_any(),
        Piece::Strong { text } => view! { <b>{text}</b> }.into_any(),
        Piece::Chip { badge } => chip(&badge).into_any(),
        Piece::Marked {
            text,
            underline,
            link,
        } => marked(page, text, underline, link).into_any(),
    }
}

/// A workload's code in its shape and hue.
fn chip(badge: &Badge) -> impl IntoView + use<> {
    let corner = match badge.corner {
        Corner::Rounded => "rounded",
        Corner::Base => "base",
        Corner::Pill => "pill",
        Corner::Cut => "cut",
    };
    let hue = match badge.hue {
        Hue::Workload(hue) => format!("hue-{hue}"),
        Hue::System => "hue-sys".to_owned(),
    };
    let double = if badge.is_doubled { "doubled" } else { "" };
    let class = format!("chip {corner} {hue} {double}");
    view! { <span class=class aria-hidden="true">{badge.code.clone()}</span> }
}

fn marked(page: Page, text: String, underline: Underline, link: String) -> impl IntoView {
    let class = match underline {
        Underline::Chosen => "marked chosen",
        Underline::Rejected => "marked rejected",
        Underline::Taint => "marked taint",
        Underline::Victim => "marked victim",
        Underline::Queue => "marked queue",
    };
    let (over, focused) = (link.clone(), link.clone());
    let is_hot = move || page.hot.get().as_ref() == Some(&link);
    view! {
        // A button would be a box that no punctuation may follow on its line.
        <span
            role="button"
            tabindex="0"
            class=class
            class:hot=is_hot
            on:pointerenter=move |_| page.hot.set(Some(over.clone()))
            on:pointerleave=move |_| page.hot.set(None)
            on:focus=move |_| page.hot.set(Some(focused.clone()))
            on:blur=move |_| page.hot.set(None)
        >
            {text}
        </span>
    }
}
