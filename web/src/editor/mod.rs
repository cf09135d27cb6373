//! A text with line numbers and its errors at their lines.
//!
//! The text is a plain text field, so that everything a browser can do with one works; its words are clear, and what is seen
//! lies below it: the lines in view in their colours, with errors at their lines. Numbers and the list of errors lie beside
//! and under it.

mod paint;
mod past;

use core::cell::Cell;
use std::sync::Arc;

use leptos::html::{Div, Textarea};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlTextAreaElement;

use crate::components::Page;
use crate::components::live::text;
use crate::i18n::Word;
use crate::protocol::Wrong;

pub use past::{forget, go_on, hold, later, put, undo};

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
    follow_text(page, field, lines, look);
    let typed = move |_| {
        let Some(field) = field.get() else { return };
        let text = field.value();
        lines.set(line_count(page, &text));
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
                {move || painted(page, &seen.get(), lines.get(), &page.errors.get())}
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

/// Puts the text into the field when somebody else than the field changes it, or how much of it is shown.
fn follow_text(
    page: Page,
    field: NodeRef<Textarea>,
    lines: RwSignal<usize>,
    look: impl Fn() + 'static,
) {
    Effect::new(move |before: Option<u32>| {
        page.text.track();
        let line = page
            .part
            .with(|part| part.as_ref().map_or(1, |part| part.line));
        let Some(field) = field.get() else {
            return line;
        };
        let text = past::shown(page);
        lines.set(line_count(page, &text));
        field.set_value(&text);
        if let Some((line, column)) = WANTED.take() {
            point(&field, line, column);
        } else {
            // Whoever comes from one object finds it in the whole.
            let above = before.filter(|before| line == 1 && *before > 1);
            field.set_scroll_top(scroll_to(above.unwrap_or(1)));
        }
        look();
        line
    });
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
        let is_typing = document()
            .active_element()
            .is_some_and(|active| active.id() == "yaml");
        if !is_typing && let Some((line, column)) = inside(page, &field.value(), line, column) {
            lead_to(&field, line, column);
        }
    });
}

/// Scrolls a field until a line and a column of it, from 1, are seen.
fn lead_to(field: &HtmlTextAreaElement, line: u32, column: u32) {
    let top = (line.saturating_sub(1) * LINE_HEIGHT) as i32;
    let left = (column.saturating_sub(1) * LETTER_WIDTH / 10) as i32;
    let (height, width) = (field.client_height(), field.client_width());
    if let Some(top) = moved(field.scroll_top(), height, top, LINE_HEIGHT as i32 * 2) {
        field.set_scroll_top(top);
    }
    if let Some(left) = moved(field.scroll_left(), width, left, WORD_WIDTH) {
        field.set_scroll_left(left);
    }
}

/// Where a window of some length must be moved to, so that a stretch from `at` on is seen a third into it; `None` if it is seen
/// already. What is seen without scrolling at all is seen so.
fn moved(from: i32, length: i32, at: i32, stretch: i32) -> Option<i32> {
    let is_seen = |from: i32| from <= at && at + stretch <= from + length;
    if is_seen(from) {
        None
    } else if is_seen(0) {
        Some(0)
    } else {
        Some((at - length / 3).max(0))
    }
}

/// A place of the whole text as a line and a column of what is shown; `None` if it is not shown, or no place at all.
fn inside(page: Page, shown: &str, line: u32, column: u32) -> Option<(u32, u32)> {
    let (first, pad) = page.part.with_untracked(|part| {
        let part = part.as_ref();
        part.map_or((1, 0), |part| (part.line.max(1), part.pad as u32))
    });
    let last = first + line_count(page, shown) as u32 - 1;
    let is_shown = (first..=last).contains(&line);
    is_shown.then(|| (line + 1 - first, column.saturating_sub(pad).max(1)))
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
    fn of(field: &HtmlTextAreaElement) -> Self {
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
fn painted(
    page: Page,
    seen: &Seen,
    count: usize,
    errors: &Arc<Vec<Wrong>>,
) -> impl IntoView + use<> {
    let first = first_line(page) as usize + seen.first;
    let pad = page
        .part
        .with(|part| part.as_ref().map_or(0, |part| part.pad)) as u32;
    let last = first_line(page) as usize + count - 1;
    let lines = seen.lines.iter().enumerate();
    lines
        .map(|(place, line)| {
            let number = first + place;
            let wrong = errors.iter().find(|wrong| wrong.line as usize == number);
            // What follows the object is not shown.
            let wrong = wrong.filter(|_| number <= last);
            let class = if wrong.is_some() { "bad" } else { "" };
            let words = match wrong {
                Some(wrong) => around(line, wrong.column.saturating_sub(pad)),
                None => words(line),
            };
            let told = wrong.map(|wrong| {
                let message = wrong.message.words(page.lang.get()).to_owned();
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
    let message = message.words(page.lang.get()).to_owned();
    let path = path.en;
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
    let field = document().get_element_by_id("yaml");
    let Some(field) = field.and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok()) else {
        return;
    };
    match inside(page, &field.value(), line, column) {
        Some((line, column)) => point(&field, line, column),
        None => {
            // The field shows the whole text only after this, and then scrolls.
            WANTED.set(Some((line, column)));
            page.part.set(None);
        }
    }
}

/// Puts the cursor at a line and a column of a field, from 1, where they are seen.
fn point(field: &HtmlTextAreaElement, line: u32, column: u32) {
    let place = offset(&field.value(), line, column);
    // A place inside of the text can be selected.
    let _ = field.focus();
    let _ = field.set_selection_range(place, place);
    lead_to(field, line, column);
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

/// How many lines of the text are shown. The line after an object's last break is no longer the object's.
fn line_count(page: Page, text: &str) -> usize {
    let is_part = page.part.with_untracked(Option::is_some);
    lines_of(text, is_part)
}

fn lines_of(text: &str, is_part: bool) -> usize {
    if is_part {
        text.lines().count().max(1)
    } else {
        text.split('\n').count()
    }
}

/// How far a field is scrolled that shows a line, from 1, below two others.
fn scroll_to(line: u32) -> i32 {
    (line.saturating_sub(3) * LINE_HEIGHT) as i32
}

thread_local! {
    /// Where the cursor is to be once the whole text is shown.
    static WANTED: Cell<Option<(u32, u32)>> = const { Cell::new(None) };
}

const SHOWN: usize = 20;
const LINE_HEIGHT: u32 = 24;
/// About as wide as a letter of the text is, in tenths of a pixel.
const LETTER_WIDTH: u32 = 84;
/// So much of what is wrong should be seen, in pixels.
const WORD_WIDTH: i32 = 96;

#[cfg(test)]
mod tests {
    use super::{lines_of, moved, offset};

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
    fn a_text_has_one_line_more_than_breaks_and_an_object_has_not() {
        assert_eq!(lines_of("", false), 1);
        assert_eq!(lines_of("a\nb\n", false), 3);
        assert_eq!(lines_of("", true), 1);
        assert_eq!(lines_of("a\nb\n", true), 2);
        assert_eq!(lines_of("a\nb", true), 2);
    }

    #[test]
    fn a_field_is_scrolled_only_as_far_as_it_must_be() {
        assert_eq!(moved(0, 500, 404, 96), None, "it is just seen");
        assert_eq!(moved(0, 500, 405, 96), Some(239), "its end is not");
        assert_eq!(
            moved(300, 500, 200, 96),
            Some(0),
            "it is seen at the beginning"
        );
        assert_eq!(moved(900, 500, 700, 96), Some(534), "back");
        assert_eq!(moved(0, 60, 10, 96), Some(0), "a window can be too small");
    }
}
