//! What stands above the figure: the narrator, and beside it how much to show or what to guess.

use berth_core::picture::scene::View;
use leptos::prelude::*;

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
    view! {
        <div class=text(class) style:min-height=text(height)>
            <div class="narrator">
                <Narrator/>
            </div>
            <div class="caption-side">
                {when(has_depth, || view! { <Depth/> }.into_any())}
                <Guesses/>
                <ReadAsText/>
            </div>
        </div>
    }
}

/// The header's height in every scene.
const MASTHEAD: i32 = 56;
