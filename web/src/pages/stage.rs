//! The page with the figure: narrator above, transport below, the rest unfolds in place.

use berth_core::picture::scene::View;
use leptos::prelude::*;

use crate::components::live::{text, when};
use crate::components::{
    AsideView, CaptionView, FigureView, Page, TransportBar, TwinView, WaysIn, Welcome,
};

/// The page with the figure.
#[component]
pub fn StagePage() -> impl IntoView {
    let page = Page::get();
    let is_first = move || page.view.get() == View::Open;
    let has_aside = move || {
        page.scene
            .with(|scene| scene.as_ref().is_some_and(|scene| scene.aside.is_some()))
    };
    let class = text(move || format!("stage {}", page.looks()));
    view! {
        <main class=class id="main">
            <CaptionView/>
            <div class="scroll">
                {when(is_first, || view! { <Welcome/> }.into_any())}
                <FigureView/>
                <div class="aside-place" hidden=move || !has_aside()>
                    <AsideView/>
                </div>
                <TwinView/>
            </div>
            {when(is_first, || view! { <WaysIn/> }.into_any())}
            <TransportBar/>
        </main>
    }
}
