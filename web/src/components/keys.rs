//! What keys do, wherever the focus is, unless it is in a field.

use berth_core::picture::scene::{Action, View};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use crate::editor::undo;
use crate::protocol::Target;
use crate::state::{Screen, Strip};
use crate::transport::next_speed;

use super::Page;

/// Listens to keys for as long as the page is there.
pub fn listen(page: Page) {
    let handle = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
        let is_command = event.ctrl_key() || event.meta_key();
        if is_command && event.key() == "z" && !is_in_field(&event) {
            undo(page);
            return;
        }
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
            return;
        }
        if is_in_field(&event) {
            if event.key() == "Escape" {
                close(page);
            }
            return;
        }
        if act(page, &event) {
            event.prevent_default();
        }
    });
    on_cleanup(move || handle.remove());
}

fn is_in_field(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| {
        matches!(element.tag_name().as_str(), "TEXTAREA" | "INPUT" | "SELECT")
    })
}

fn is_on_button(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.tag_name() == "BUTTON" || element.tag_name() == "A")
}

/// Does what the key is for; says whether it did something.
fn act(page: Page, event: &KeyboardEvent) -> bool {
    let is_shift = event.shift_key();
    let by = |by: i32| {
        if is_shift {
            Target::Cycle { by }
        } else {
            Target::Event { by }
        }
    };
    match event.key().as_str() {
        " " if is_on_button(event) => return false,
        " " => page.toggle_play(),
        "ArrowLeft" => page.step(by(-1)),
        "ArrowRight" => page.step(by(1)),
        "Home" => page.step(Target::Start),
        "End" => page.step(Target::End),
        "Escape" => close(page),
        "+" | "=" => page.speed.update(|speed| *speed = next_speed(*speed, true)),
        "-" => page
            .speed
            .update(|speed| *speed = next_speed(*speed, false)),
        "ArrowDown" | "ArrowUp" => return into_rows(),
        // The only way to the switch of the letters, so that it is none of them.
        "?" => page.toggle_strip(Strip::Keys),
        key if page.has_letters.get_untracked() => return letter(page, key, is_shift),
        _ => return false,
    }
    true
}

fn letter(page: Page, key: &str, is_shift: bool) -> bool {
    match key {
        "w" | "W" => why(page),
        "1" => page.turn_to(View::Story),
        "2" => page.turn_to(View::Everything),
        "f" | "F" => page.step(Target::Failure { is_back: is_shift }),
        "e" | "E" => page.toggle_editor(),
        "t" | "T" => page.other_theme(),
        "x" | "X" => page.is_text.update(|is_text| *is_text = !*is_text),
        "/" => page.toggle_strip(Strip::Find),
        _ => return false,
    }
    true
}

/// Why the pod of the moment waits; back to the story if that is shown already. Before anybody's turn it is about the next
/// pod that fails, or the first one if all find a place.
fn why(page: Page) {
    page.pause();
    if page.view.get_untracked() == View::Why {
        page.turn_to(View::Story);
        return;
    }
    if page.now.get_untracked().cycle == 0 {
        let run = page.run.get_untracked().unwrap_or_default();
        if run.cycles.is_empty() {
            return;
        }
        page.seek(if run.failures.is_empty() {
            Target::Cycle { by: 1 }
        } else {
            Target::Failure { is_back: false }
        });
    }
    page.turn_to(View::Why);
}

/// Closes what is open, innermost first.
fn close(page: Page) {
    if page.open.get_untracked().is_some() {
        page.act(&Action::Close);
    } else if page.strip.get_untracked().is_some() {
        page.strip.set(None);
    } else if page.screen.get_untracked() != Screen::Stage {
        page.screen.set(Screen::Stage);
    } else if page.view.get_untracked() == View::Why {
        page.turn_to(View::Story);
    }
}

/// From outside the figure an arrow leads to its first row.
fn into_rows() -> bool {
    let row = document().query_selector(".figure [data-role='berth'][tabindex='0'], .figure [data-role='verdict'][tabindex='0'], .figure [tabindex='0']");
    match row
        .ok()
        .flatten()
        .and_then(|row| row.dyn_into::<web_sys::SvgElement>().ok())
    {
        Some(row) => row.focus().is_ok(),
        None => false,
    }
}
