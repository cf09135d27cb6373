//! What follows signals, in as few types as possible.
//!
//! Every closure has a type of its own, and for every type Leptos makes the code anew that keeps an element in step with it.
//! In a box all have one, so that this code is in the page once.

use leptos::prelude::*;

/// A text, or the value of an attribute, that follows what it reads.
pub type Text = Box<dyn FnMut() -> String + Send>;

/// A part of the page that follows what it reads.
pub type Piece = Box<dyn FnMut() -> AnyView + Send>;

/// A text that is read anew when something changed that it was made of.
pub fn text<T: Into<String>>(mut read: impl FnMut() -> T + Send + 'static) -> Text {
    Box::new(move || read().into())
}

/// A part of the page that is made anew when something changed that it was made of.
pub fn piece(make: impl FnMut() -> AnyView + Send + 'static) -> Piece {
    Box::new(make)
}

/// A part of the page that is there while something holds, and stays what it is for as long as that does not change.
pub fn when(
    holds: impl Fn() -> bool + Send + Sync + 'static,
    mut make: impl FnMut() -> AnyView + Send + 'static,
) -> Piece {
    let holds = Memo::new(move |_| holds());
    piece(move || if holds.get() { make() } else { ().into_any() })
}
