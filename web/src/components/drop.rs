//! Files can be dropped anywhere, texts can be pasted anywhere but into a field.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, FileList};

use crate::i18n::Word;

use super::Page;
use super::live::when;

/// Says where a file may be dropped while one is dragged over the page.
#[component]
pub fn DropZone() -> impl IntoView {
    let page = Page::get();
    let is_over = RwSignal::new(false);
    let over = window_event_listener(ev::dragover, move |event: DragEvent| {
        event.prevent_default();
        is_over.set(true);
    });
    let leave = window_event_listener(ev::dragleave, move |event: DragEvent| {
        if event.related_target().is_none() {
            is_over.set(false);
        }
    });
    let drop = window_event_listener(ev::drop, move |event: DragEvent| {
        event.prevent_default();
        is_over.set(false);
        take(page, &event);
    });
    let paste = window_event_listener(ev::paste, move |event| {
        if let Some(event) = event.dyn_ref::<ClipboardEvent>() {
            pasted(page, event);
        }
    });
    on_cleanup(move || {
        over.remove();
        leave.remove();
        drop.remove();
        paste.remove();
    });
    let zone = move || {
        view! {
            <div class="drop-zone" aria-hidden="true"><p>{page.word(Word::DropHere)}</p></div>
        }
        .into_any()
    };
    when(move || is_over.get(), zone)
}

fn take(page: Page, event: &DragEvent) {
    let Some(data) = event.data_transfer() else {
        return;
    };
    if let Some(files) = files_of(&data) {
        page.open_files(&files);
        return;
    }
    if let Ok(text) = data.get_data("text/plain")
        && !text.is_empty()
    {
        page.open_text(text);
    }
}

/// The files that are handed over, if there are any.
fn files_of(data: &DataTransfer) -> Option<FileList> {
    data.files().filter(|files| files.length() > 0)
}

fn pasted(page: Page, event: &ClipboardEvent) {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let is_field =
        target.is_some_and(|element| matches!(element.tag_name().as_str(), "TEXTAREA" | "INPUT"));
    if is_field {
        return;
    }
    let Some(data) = event.clipboard_data() else {
        return;
    };
    if let Some(files) = files_of(&data) {
        event.prevent_default();
        page.open_files(&files);
    } else if let Ok(text) = data.get_data("text/plain")
        && !text.trim().is_empty()
    {
        event.prevent_default();
        page.open_text(text);
    }
}
