//! The figure as text: for screen readers always there, for all others on demand.

use leptos::html::Section;
use leptos::prelude::*;

use crate::i18n::Word;

use super::Page;
use super::live::text;

/// The text twin.
#[component]
pub fn TwinView() -> impl IntoView {
    let page = Page::get();
    let node = NodeRef::<Section>::new();
    // Whoever asked for the text is led to it; it may lie below what is seen.
    Effect::new(move |was_text: Option<bool>| {
        let is_text = page.is_text.get();
        if is_text && was_text == Some(false) {
            request_animation_frame(move || {
                if let Some(section) = node.get_untracked() {
                    // An element that is on the page takes the focus.
                    let _ = section.focus();
                    section.scroll_into_view();
                }
            });
        }
        is_text
    });
    let twin = Memo::new(move |_| page.scene.get().map(|scene| scene.twin.clone()));
    let class = text(move || {
        if page.is_text.get() {
            "twin"
        } else {
            "twin unseen"
        }
    });
    let sections = move || {
        let sections = twin.get().unwrap_or_default().sections.into_iter();
        sections
            .map(|section| {
                let items = section
                    .items
                    .into_iter()
                    .map(|item| view! { <li>{item}</li> });
                view! {
                    <section>
                        <h3>{section.heading}</h3>
                        <ul>{items.collect_view()}</ul>
                    </section>
                }
            })
            .collect_view()
    };
    view! {
        <section id="twin" node_ref=node tabindex="-1" class=class aria-label=page.word(Word::ReadAsText)>
            <h2>{text(move || twin.get().unwrap_or_default().sentence)}</h2>
            <div class="twin-lists">{sections}</div>
        </section>
    }
}

/// Shows the text twin to everybody, or hides it.
#[component]
pub fn ReadAsText() -> impl IntoView {
    let page = Page::get();
    let words = text(move || {
        page.say(if page.is_text.get() {
            Word::HideText
        } else {
            Word::ReadAsText
        })
    });
    view! {
        <button
            class="link read-as-text"
            aria-expanded=text(move || page.is_text.get().to_string())
            on:click=move |_| page.is_text.update(|is_text| *is_text = !*is_text)
        >
            {words}
        </button>
    }
}
