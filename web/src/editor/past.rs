//! What was typed becomes the text, and the way back to the text before.

use core::cell::{Cell, RefCell};

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlDocument, HtmlTextAreaElement};

use crate::components::Page;
use crate::protocol::{Part, ToWorker};

/// What the field shows of the text.
pub(super) fn shown(page: Page) -> String {
    let text = page.text.get_untracked().unwrap_or_default();
    let inner = page
        .part
        .with_untracked(|part| part.as_ref().map(|part| part.inner(&text)));
    inner.unwrap_or(text)
}

/// Takes what the field holds now, and runs it when nothing was typed for a moment. What is typed without a pause is one
/// change.
pub fn later(page: Page, field: String) {
    let old = page.text.get_untracked().unwrap_or_default();
    let mut new = field;
    page.part.update_untracked(|part| {
        if let Some(part) = part {
            new = part.put(&old, &new);
            part.to = part.to + new.len() - old.len();
        }
    });
    if !IS_CHANGING.replace(true) {
        keep(page, old);
    }
    page.text.update_untracked(|text| *text = Some(new));
    let timeout = Timeout::new(QUIET_MS, move || run(page));
    TYPED.with(|typed| *typed.borrow_mut() = Some(timeout));
}

/// Something else is opened: what was typed last and did not run yet waits for what comes of that.
pub fn hold() {
    TYPED.with(|typed| typed.borrow_mut().take());
}

/// What was opened could not be had, so that the text is what counts again.
pub fn go_on(page: Page) {
    if IS_CHANGING.get() {
        run(page);
    }
}

/// Something else took the place of the text.
pub fn forget() {
    hold();
    IS_CHANGING.set(false);
}

/// Keeps a text, to go back to.
fn keep(page: Page, old: String) {
    page.past.update(|past| {
        past.push(old);
        let held: usize = past.iter().map(String::len).sum();
        if held > MOST_HELD && past.len() > 1 {
            past.remove(0);
        }
    });
}

/// Puts a text in place of the one before and runs it. What is in the editor is newer than what the worker knows.
pub fn put(page: Page, old: String, new: String) {
    keep(page, page.text.get_untracked().unwrap_or(old));
    page.part.set(None);
    page.text.set(Some(new));
    hold();
    run(page);
}

/// Runs the text as it is.
fn run(page: Page) {
    IS_CHANGING.set(false);
    if let Some(text) = page.text.get_untracked() {
        page.ask(&ToWorker::Edit { text });
    }
}

/// Goes back to the text before the last change.
pub fn undo(page: Page) {
    let Some(old) = page.past.try_update(Vec::pop).flatten() else {
        return;
    };
    let new = page.text.get_untracked().unwrap_or_default();
    let kept = page.part.get_untracked();
    let fitted = kept.as_ref().and_then(|part| fitted(part, &new, &old));
    let is_same_view = fitted.is_some() == kept.is_some();
    let before = shown(page);
    page.part.update_untracked(|part| *part = fitted);
    page.text.update_untracked(|text| *text = Some(old));
    // Told as typed, so that the field's own way back leads over it, too.
    IS_CHANGING.set(true);
    if !is_same_view || !retype(&before, &shown(page)) {
        page.text.notify();
        page.part.notify();
    }
    TYPED.with(|typed| typed.borrow_mut().take());
    run(page);
}

/// The part in another text that differs from this one inside of the part alone.
fn fitted(part: &Part, text: &str, other: &str) -> Option<Part> {
    let behind = text.get(part.to..)?;
    let is_alike = text.get(..part.from) == other.get(..part.from) && other.ends_with(behind);
    let to = other.len().checked_sub(behind.len())?;
    (is_alike && part.from <= to).then(|| Part { to, ..part.clone() })
}

/// Puts what differs into the field as if it were typed; says whether the browser does that.
fn retype(before: &str, after: &str) -> bool {
    if before == after {
        // With nothing selected, "delete" would take the letter in front.
        return true;
    }
    let field = document().get_element_by_id("yaml");
    let Some(field) = field.and_then(|field| field.dyn_into::<HtmlTextAreaElement>().ok()) else {
        return false;
    };
    let Ok(page) = document().dyn_into::<HtmlDocument>() else {
        return false;
    };
    let (head, tail) = alike(before, after);
    let units = |text: &str| text.encode_utf16().count() as u32;
    let from = units(&before[..head]);
    let to = from + units(&before[head..before.len() - tail]);
    let word = &after[head..after.len() - tail];
    let command = if word.is_empty() {
        "delete"
    } else {
        "insertText"
    };
    field.focus().is_ok()
        && field.set_selection_range(from, to).is_ok()
        && page.exec_command_with_show_ui_and_value(command, false, word) == Ok(true)
        && field.value() == after
}

/// How many bytes two texts have alike at the beginning, and how many at the end behind that.
fn alike(one: &str, two: &str) -> (usize, usize) {
    let pairs = one.chars().zip(two.chars());
    let same = pairs.take_while(|(one, two)| one == two);
    let head: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let pairs = one[head..].chars().rev().zip(two[head..].chars().rev());
    let same = pairs.take_while(|(one, two)| one == two);
    (head, same.map(|(c, _)| c.len_utf8()).sum())
}

thread_local! {
    static TYPED: RefCell<Option<Timeout>> = const { RefCell::new(None) };
    static IS_CHANGING: Cell<bool> = const { Cell::new(false) };
}

const QUIET_MS: u32 = 350;
/// So many bytes of older texts are kept.
const MOST_HELD: usize = 10_000_000;

#[cfg(test)]
mod tests {
    use super::{alike, fitted};
    use crate::protocol::Part;

    #[test]
    fn what_differs_is_found_between_what_is_alike() {
        assert_eq!(alike("cpu: 1x", "cpu: 500m"), (5, 0));
        assert_eq!(alike("a: 污点\nb", "a: 污\nb"), (6, 2));
        assert_eq!(alike("aa", "aaa"), (2, 0));
        assert_eq!(alike("", "x"), (0, 0));
    }

    #[test]
    fn a_part_is_found_again_if_only_it_was_changed() {
        let part = Part {
            from: 2,
            to: 4,
            ..Part::default()
        };
        let found = fitted(&part, "abXYcd", "abXYZcd").map(|part| (part.from, part.to));
        assert_eq!(found, Some((2, 5)));
        assert_eq!(fitted(&part, "abXYcd", "aXYcd"), None);
        assert_eq!(fitted(&part, "abXYcd", "abXYc"), None);
    }
}
