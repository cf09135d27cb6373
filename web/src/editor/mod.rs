//! A text with line numbers and its errors at their lines.
//!
//! The text is a plain text field, so that everything a browser can do with one works; its words are clear, and what is seen
//! lies below it: the lines in view in their colours, with errors at their lines. Numbers and the list of errors lie beside
//! and under it.

mod paint;
mod past;

use std::sync::Arc;

use leptos::html::{Div, Textarea};
use leptos::prelude::*;

use crate::components::Page;
use crate::components::live::text;
use crate::i18n::{Word, told};
use crate::protocol::Wrong;

pub use past::{later, undo};

/// The editor: the whole text, or the one object that the moment is about.
#[component]
pub fn Editor() -> impl IntoView {
    let page = Page::get();
    let field = NodeRef::<Textarea>::new();
    let gutter = NodeRef::<Div>::new();
    let paint = NodeRef::<Div>::new();
    let lines = RwSignal::new(1_usize);
    let seen = RwSignal::new(Seen::default());
    let look = move || {
        if let Some(field) = field.get_untracked() {
            seen.set(Seen::of(&field));
        }
    };
    Effect::new(move |before: Option<u32>| {
        page.text.track();
        let line = page
            .part
            .with(|part| part.as_ref().map_or(1, |part| part.line));
        let Some(field) = field.get() else {
            return line;
        };
        let text = past::shown(page);
        lines.set(line_count(&text));
        field.set_value(&text);
        // Whoever comes from one object finds it in the whole.
        let above = before
            .filter(|before| line == 1 && *before > 1)
            .unwrap_or(1);
        field.set_scroll_top((above.saturating_sub(3) * LINE_HEIGHT) as i32);
        look();
        line
    });
    let typed = move |_| {
        let Some(field) = field.get() else { return };
        let text = field.value();
        lines.set(line_count(&text));
        look();
        later(page, text);
    };
    let scrolled = move |_| {
        if let (Some(field), Some(gutter)) = (field.get(), gutter.get()) {
            gutter.set_scroll_top(field.scroll_top());
            look();
        }
    };
    let resized = window_event_listener(leptos::ev::resize, move |_| look());
    on_cleanup(move || resized.remove());
    keep_in_place(seen, paint);
    lead_to_errors(page, field);
    view! {
        <div class="editor">
            <div class="gutter" node_ref=gutter aria-hidden="true">
                {move || numbers(first_line(page), lines.get(), &page.errors.get())}
            </div>
            <div class="written">
            <div class="paint" node_ref=paint aria-hidden="true">
                {move || painted(page, &seen.get(), &page.errors.get())}
            </div>
            <textarea
                id="yaml"
                node_ref=field
                spellcheck="false"
                wrap="off"
                aria-label=page.word(Word::EditYaml)
                aria-invalid=text(move || page.errors.with(|errors| !errors.is_empty()).to_string())
                aria-describedby="faults"
                on:input=typed
                on:scroll=scrolled
            ></textarea>
            </div>
        </div>
        <Faults/>
    }
}

/// Moves the lines in view to where the field shows them.
fn keep_in_place(seen: RwSignal<Seen>, paint: NodeRef<Div>) {
    Effect::new(move |_| {
        let seen = seen.get();
        if let Some(paint) = paint.get() {
            // The style sheet's own properties are set one by one, which no policy of the page forbids.
            let style = web_sys::HtmlElement::style(&paint);
            let across = format!("translate({}px, {}px)", -seen.left, seen.top);
            let _ = style.set_property("transform", &across);
        }
    });
}

/// Whoever does not type is led to the first error.
fn lead_to_errors(page: Page, field: NodeRef<Textarea>) {
    Effect::new(move |_| {
        let first = page
            .errors
            .with(|errors| errors.first().map(|wrong| (wrong.line, wrong.column)));
        let (Some((line, column)), Some(field)) = (first, field.get()) else {
            return;
        };
        let top = (line.saturating_sub(first_line(page)) * LINE_HEIGHT) as i32;
        let is_seen = field.scroll_top() <= top && top < field.scroll_top() + field.client_height();
        let is_typing = document()
            .active_element()
            .is_some_and(|active| active.id() == "yaml");
        if line > 0 && !is_seen && !is_typing {
            field.set_scroll_top(top - field.client_height() / 3);
            field.set_scroll_left(column as i32 * LETTER_WIDTH - field.client_width() / 3);
        }
    });
}

/// The number of the first line that is shown, from 1.
fn first_line(page: Page) -> u32 {
    page.part
        .with(|part| part.as_ref().map_or(1, |part| part.line))
}

/// The lines in view, and how far the text is scrolled.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// The first line, from 0.
    first: usize,
    /// The lines' texts.
    lines: Vec<String>,
    /// Where the first line is from the top of the field, in pixels.
    top: i32,
    /// How far the text is scrolled to the right, in pixels.
    left: i32,
}

impl Seen {
    fn of(field: &web_sys::HtmlTextAreaElement) -> Self {
        let scrolled = u32::try_from(field.scroll_top()).unwrap_or(0);
        let first = scrolled / LINE_HEIGHT;
        let count = u32::try_from(field.client_height()).unwrap_or(0) / LINE_HEIGHT + 2;
        let text = field.value();
        let lines = text.split('\n').skip(first as usize).take(count as usize);
        Self {
            first: first as usize,
            lines: lines.map(str::to_owned).collect(),
            top: -((scrolled % LINE_HEIGHT) as i32),
            left: field.scroll_left(),
        }
    }
}

/// The lines in view in their colours; one with an error says so at its end.
fn painted(page: Page, seen: &Seen, errors: &Arc<Vec<Wrong>>) -> impl IntoView + use<> {
    let first = first_line(page) as usize + seen.first;
    let pad = page
        .part
        .with(|part| part.as_ref().map_or(0, |part| part.pad)) as u32;
    let lines = seen.lines.iter().enumerate();
    lines
        .map(|(place, line)| {
            let number = first + place;
            let wrong = errors.iter().find(|wrong| wrong.line as usize == number);
            let class = if wrong.is_some() { "bad" } else { "" };
            let words = match wrong {
                Some(wrong) => around(line, wrong.column.saturating_sub(pad)),
                None => words(line),
            };
            let told = wrong.map(|wrong| {
                let message = wrong.message.clone();
                view! { <span class="told">{message}</span> }
            });
            view! { <div class=class>{words}{told}</div> }
        })
        .collect_view()
}

fn words(line: &str) -> Vec<AnyView> {
    let pieces = paint::pieces(line).into_iter();
    pieces
        .map(|(kind, text)| {
            let text = text.to_owned();
            match kind.class() {
                "" => text.into_any(),
                class => view! { <span class=class>{text}</span> }.into_any(),
            }
        })
        .collect()
}

/// A line with the word at a column, from 1, marked as wrong.
fn around(line: &str, column: u32) -> Vec<AnyView> {
    let from = (column as usize).saturating_sub(1);
    let from = line
        .char_indices()
        .nth(from)
        .map_or(line.len(), |(at, _)| at);
    let (before, rest) = line.split_at(from);
    let end = rest
        .char_indices()
        .find(|(at, c)| *at > 0 && matches!(c, ' ' | ',' | '}' | ']'))
        .map_or(rest.len(), |(at, _)| at);
    let (wrong, after) = rest.split_at(end);
    let mut all = words(before);
    let wrong = wrong.to_owned();
    all.push(view! { <span class="squiggle">{wrong}</span> }.into_any());
    all.extend(words(after));
    all
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
    let message = told(page.lang.get(), &message).to_owned();
    let place = text(move || {
        if line == 0 {
            return String::new();
        }
        let (lines, columns) = (page.say(Word::Line), page.say(Word::Column));
        format!("{lines} {line}, {columns} {column}")
    });
    view! {
        <li>
            <button class="fault" on:click=move |_| go_to(page, line, column)>
                <b>{place}</b>
                <code>{path}</code>
                <span>{message}</span>
            </button>
        </li>
    }
}

/// Puts the cursor at a place of the text.
fn go_to(page: Page, line: u32, column: u32) {
    use wasm_bindgen::JsCast as _;
    let field = document().get_element_by_id("yaml");
    let Some(field) = field.and_then(|field| field.dyn_into::<web_sys::HtmlTextAreaElement>().ok())
    else {
        return;
    };
    let part = page.part.get_untracked().unwrap_or_default();
    let first = part.line.max(1);
    let inner = field.value();
    let is_inside = (first..first + line_count(&inner) as u32).contains(&line);
    let (line, column) = if is_inside {
        (line + 1 - first, column.saturating_sub(part.pad as u32))
    } else {
        page.part.set(None);
        field.set_value(&past::shown(page));
        (line, column)
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
fn numbers(first: u32, lines: usize, errors: &Arc<Vec<Wrong>>) -> impl IntoView + use<> {
    let first = first as usize;
    let last = first + lines - 1;
    let is_wrong = |line: usize| errors.iter().any(|wrong| wrong.line as usize == line);
    let mut wrong_lines: Vec<usize> = (first..=last).filter(|line| is_wrong(*line)).collect();
    wrong_lines.push(last + 1);
    let mut next = first;
    let mut pieces: Vec<AnyView> = Vec::new();
    for line in wrong_lines {
        if next < line {
            let text: String = (next..line).map(|number| format!("{number}\n")).collect();
            pieces.push(text.into_any());
        }
        if line <= last {
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
/// About as wide as a letter of the text is, in pixels.
const LETTER_WIDTH: i32 = 8;

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
