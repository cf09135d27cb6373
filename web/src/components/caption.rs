//! What stands above the figure: the narrator, and beside it how much to show or what to guess.

use berth_core::picture::scene::View;
use leptos::prelude::*;

use crate::editor::undo;
use crate::i18n::Word;

use super::header::Depth;
use super::live::{text, when};
use super::twin::ReadAsText;
use super::welcome::Guesses;
use super::{Narrator, Page};

/// The caption.
#[component]
pub fn CaptionView() -> impl IntoView {
    let page = Page::get();
    let has_depth = move || page.view.get() != View::Open && !page.is_embedded;
    // As high as the scene says, so that the figure stands where the scene has it, whatever the sentence.
    let height = move || {
        let figure = page
            .scene
            .with(|scene| scene.as_ref().map(|scene| scene.figure.frame.y.pixels()));
        figure.map_or_else(String::new, |top| format!("{}px", (top - MASTHEAD).max(0)))
    };
    let class = move || {
        let asks = page.scene.with(|scene| {
            scene
                .as_ref()
                .is_some_and(|scene| !scene.caption.guesses.is_empty())
        });
        if asks { "caption asking" } else { "caption" }
    };
    let has_past = move || page.past.with(|past| !past.is_empty());
    let undo_link = move || {
        view! {
            <button class="link read-as-text undo" on:click=move |_| undo(page)>
                {page.word(Word::Undo)}
            </button>
        }
        .into_any()
    };
    view! {
        <div class=text(class) style=("--caption", text(height))>
            <div class="narrator">
                <Narrator/>
            </div>
            <div class="caption-side">
                {when(has_depth, || view! { <Depth/> }.into_any())}
                <Guesses/>
                <ReadAsText/>
                {when(has_past, undo_link)}
            </div>
        </div>
    }
}

/// The header's height in every scene.
const MASTHEAD: i32 = 56;
