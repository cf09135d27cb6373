//! What has an address in this tab alone: a cluster that was dropped, pasted or edited.
//!
//! Its text goes into the tab's own storage, which a reload leaves as it is and closing the tab empties; its address is its
//! name there. What is too large for that is kept as the file it came from until the page is left, and leaving asks first.
//! Nothing of it is sent anywhere.

use core::cell::RefCell;

use web_sys::{Blob, Storage};

/// Something kept, found again.
pub enum Found {
    /// What it is called, and its text.
    Text(String, String),
    /// What it is called, and its file.
    File(String, Blob),
}

#[derive(Default)]
struct State {
    /// What was given and is still being read.
    given: Option<(String, Blob)>,
    /// The address of what is loaded, if it is one of these.
    loaded: Option<String>,
    /// Files by their addresses, for as long as the page is there.
    files: Vec<(String, String, Blob)>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn with<T>(act: impl FnOnce(&mut State) -> T) -> T {
    STATE.with(|state| act(&mut state.borrow_mut()))
}

/// Keeps a file that is about to be read, or forgets that one was.
pub fn give(given: Option<(String, Blob)>) {
    with(|state| state.given = given);
}

/// To be called when something was loaded that is no edit, with what it was called and the address that is shown. What was given
/// gets an address of its own, which is returned; not when something else came, which was asked for before.
pub fn loaded(called: &str, address: Option<String>) -> Option<String> {
    with(|state| {
        let given = state.given.take_if(|(name, _)| *name == called);
        let fresh = given.map(|(name, blob)| {
            let address = fresh();
            state.files.push((address.clone(), name, blob));
            address
        });
        state.loaded = fresh.clone().or(address);
        fresh
    })
}

/// Whether this is what is loaded.
pub fn is_loaded(address: &str) -> bool {
    with(|state| state.loaded.as_deref() == Some(address))
}

/// Keeps an edited text, which gets an address unless it has one.
pub fn edited(name: &str, text: &str) -> String {
    let address = with(|state| state.loaded.get_or_insert_with(fresh).clone());
    let known = read(&address).map(|(known, _)| known);
    // A text with errors that was found again has not run yet, and has no other name than the one it is kept with.
    save(&known.unwrap_or_else(|| name.to_owned()), text);
    address
}

/// Keeps the text of what is loaded, if that is kept here at all.
pub fn save(name: &str, text: &str) {
    with(|state| {
        let Some(address) = state.loaded.clone() else {
            return;
        };
        state.files.retain(|(known, ..)| *known != address);
        if write(&address, name, text).is_none() {
            let parts = js_sys::Array::of1(&text.into());
            if let Ok(blob) = Blob::new_with_str_sequence(&parts) {
                state.files.push((address, name.to_owned(), blob));
            }
        }
    });
}

/// What an address names, unless it is gone.
pub fn find(address: &str) -> Option<Found> {
    if let Some((name, text)) = read(address) {
        return Some(Found::Text(name, text));
    }
    with(|state| {
        let file = state.files.iter().find(|(known, ..)| known == address);
        file.map(|(_, name, blob)| Found::File(name.clone(), blob.clone()))
    })
}

/// The text of an address whose reading failed, to be mended; not while something else was read.
pub fn to_mend(address: &str) -> Option<String> {
    let (_, text) = read(address)?;
    with(|state| {
        if state.given.is_some() {
            return None;
        }
        state.loaded = Some(address.to_owned());
        Some(text)
    })
}

/// Whether something would be lost if the page were left: a file that is too large, or what was typed just now.
pub fn is_at_risk(typed: Option<&str>) -> bool {
    with(|state| {
        let stored = || read(state.loaded.as_deref()?).map(|(_, text)| text);
        !state.files.is_empty() || typed.is_some_and(|typed| stored().as_deref() != Some(typed))
    })
}

/// An address that no other visit to this page has had.
fn fresh() -> String {
    let mut address = js_sys::Date::now() as u64;
    while read(&address.to_string()).is_some() {
        address += 1;
    }
    address.to_string()
}

fn storage() -> Option<Storage> {
    // A browser may forbid it; then leaving asks.
    leptos::prelude::window().session_storage().ok()?
}

fn read(address: &str) -> Option<(String, String)> {
    let stored = storage()?.get_item(&format!("{PREFIX}{address}")).ok()??;
    let (name, text) = stored.split_once('\n')?;
    Some((name.to_owned(), text.to_owned()))
}

/// Writes a text; where there is no room for it, in the place of others.
fn write(address: &str, name: &str, text: &str) -> Option<()> {
    let (storage, key) = (storage()?, format!("{PREFIX}{address}"));
    let value = format!("{}\n{text}", name.replace('\n', " "));
    if value.len() > LARGEST {
        return None;
    }
    while storage.set_item(&key, &value).is_err() {
        // The oldest goes: addresses are instants. What is there already does not stand for the new text, and may go, too.
        let count = storage.length().unwrap_or(0);
        let keys = (0..count).filter_map(|place| storage.key(place).ok().flatten());
        let oldest = keys.filter(|key| key.starts_with(PREFIX)).min()?;
        storage.remove_item(&oldest).ok()?;
    }
    Some(())
}

/// Larger texts, in bytes, find no room in any browser's storage.
const LARGEST: usize = 5_000_000;
/// Before every address in the tab's storage, which other pages of the same site share.
const PREFIX: &str = "berth/";
