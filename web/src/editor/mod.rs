//! A text with line numbers and its errors at their lines.
//!
//! The text is a plain text field, so that everything a browser can do with one works; numbers and errors lie beside and
//! under it and scroll with it.

use std::sync::Arc;

use leptos::html::{Div, Textarea};
use leptos::prelude::*;

use crate::components::Page;
use crate::i18n::Word;
use crate::protocol::Wrong;

/// The editor. `on_change` is called with every new text.
#[component]
pub fn Editor(
    /// What to do with a new text.
    on_change: fn(Page, String),
) -> impl IntoView {
    let page = Page::get();
    let field = NodeRef::<Textarea>::new();
    let gutter = NodeRef::<Div>::new();
    let lines = RwSignal::new(1_usize);
    Effect::new(move |_| {
        let (Some(text), Some(field)) = (page.text.get(), field.get()) else {
            return;
        };
        lines.set(line_count(&text));
        field.set_value(&text);
    });
    let typed = move |_| {
        let Some(field) = field.get() else { return };
        let text = field.value();
        lines.set(line_count(&text));
        on_change(page, text);
    };
    let scrolled = move |_| {
        if let (Some(field), Some(gutter)) = (field.get(), gutter.get()) {
            gutter.set_scroll_top(field.scroll_top());
        }
    };
    view! {
        <div class="editor">
            <div class="gutter" node_ref=gutter aria-hidden="true">
                {move || numbers(lines.get(), &page.errors.get())}
            </div>
            <textarea
                id="yaml"
                node_ref=field
                class="mono"
                spellcheck="false"
                wrap="off"
                aria-label=move || page.say(Word::EditYaml)
                aria-invalid=move || page.errors.with(|errors| !errors.is_empty()).to_string()
                aria-describedby="faults"
                on:input=typed
                on:scroll=scrolled
            ></textarea>
        </div>
        <Faults/>
    }
}

/// What is wrong, line by line; choosing one goes there.
#[component]
fn Faults() -> impl IntoView {
    let page = Page::get();
    let rows = move || {
        let errors = page.errors.get();
        let shown = errors.iter().take(SHOWN).cloned();
        shown.map(|wrong| fault(page, wrong)).collect_view()
    };
    view! { <ul class="faults" id="faults">{rows}</ul> }
}

fn fault(page: Page, wrong: Wrong) -> impl IntoView {
    let Wrong {
        line,
        column,
        path,
        message,
        ..
    } = wrong;
    let place = move || {
        format!(
            "{} {line}, {} {column}",
            page.say(Word::Line),
            page.say(Word::Column)
        )
    };
    view! {
        <li>
            <button class="fault" on:click=move |_| go_to(line, column)>
                <b>{place}</b>
                <code>{path}</code>
                <span>{message}</span>
            </button>
        </li>
    }
}

/// Puts the cursor at a place of the text.
fn go_to(line: u32, column: u32) {
    use wasm_bindgen::JsCast as _;
    let field = document().get_element_by_id("yaml");
    let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlTextAreaElement>().ok())
    else {
        return;
    };
    let place = offset(&field.value(), line, column);
    // A place inside of the text can be selected.
    let _ = field.focus();
    let _ = field.set_selection_range(place, place);
    field.set_scroll_top((line.saturating_sub(4) * LINE_HEIGHT) as i32);
}

/// The place of a line and a column, both from 1, in the units that a text field counts in.
fn offset(text: &str, line: u32, column: u32) -> u32 {
    let before = text.split('\n').take(line.saturating_sub(1) as usize);
    let lines: usize = before.map(|line| line.encode_utf16().count() + 1).sum();
    lines as u32 + column.saturating_sub(1)
}

/// The numbers of all lines as one text a line; those with errors are marked.
fn numbers(lines: usize, errors: &Arc<Vec<Wrong>>) -> impl IntoView + use<> {
    let is_wrong = |line: usize| errors.iter().any(|wrong| wrong.line as usize == line);
    let mut wrong_lines: Vec<usize> = (1..=lines).filter(|line| is_wrong(*line)).collect();
    wrong_lines.push(lines + 1);
    let mut next = 1;
    let mut pieces: Vec<AnyView> = Vec::new();
    for line in wrong_lines {
        if next < line {
            let text: String = (next..line).map(|number| format!("{number}\n")).collect();
            pieces.push(text.into_any());
        }
        if line <= lines {
            pieces.push(view! { <span class="bad-line">{format!("{line}\n")}</span> }.into_any());
        }
        next = line + 1;
    }
    pieces
}

fn line_count(text: &str) -> usize {
    text.split('\n').count()
}

const SHOWN: usize = 20;
const LINE_HEIGHT: u32 = 24;

#[cfg(test)]
mod tests {
    use super::{line_count, offset};

    #[test]
    fn places_are_counted_as_a_text_field_counts() {
        assert_eq!(offset("a\nbc\nd", 2, 2), 3);
        assert_eq!(
            offset("𝄞\nx", 2, 1),
            3,
            "a sign beyond the first plane counts twice"
        );
        assert_eq!(offset("a", 1, 1), 0);
    }

    #[test]
    fn a_text_has_one_line_more_than_breaks() {
        assert_eq!(line_count(""), 1);
        assert_eq!(line_count("a\nb\n"), 3);
    }
}
