//! What the page shows besides the scene, as plain values.

use std::sync::Arc;

use berth_core::picture::scene::{Form, View};

use crate::port::Silence;
use crate::protocol::{Said, Work, Wrong};

/// The example of the first screen.
pub const FIRST: &str = "shop";

/// Which page is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    /// The figure.
    #[default]
    Stage,
    /// The text beside the figure.
    Edit,
    /// The examples.
    Gallery,
    /// Something could not be read.
    Trouble,
}

/// What is unfolded under the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strip {
    /// The link.
    Share,
    /// The keys.
    Keys,
    /// A place to paste into.
    Paste,
    /// A place to search in.
    Find,
    /// What is not supported.
    Unsupported,
    /// What the header has no room for in a hand.
    More,
}

/// Why nothing can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The text is wrong at these places, and at so many more.
    Input(Arc<Vec<Wrong>>, usize),
    /// The link cannot be opened.
    Link(Said),
    /// Nothing is heard from the worker.
    Worker(Silence),
    /// What the address names was kept in another tab, or had no room in this one.
    Gone,
}

/// What the worker is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// With what.
    pub work: Work,
    /// How far.
    pub done: u64,
    /// Of how much; 0 if that is not known.
    pub total: u64,
}

impl Busy {
    /// How far in hundredths, if that is known.
    #[must_use]
    pub fn hundredths(&self) -> Option<u64> {
        (self.total > 0).then(|| (self.done.saturating_mul(100) / self.total).min(100))
    }
}

/// The view's name in a link.
#[must_use]
pub const fn view_name(view: View) -> &'static str {
    match view {
        View::Story => "story",
        View::Everything => "everything",
        View::Why => "why",
        View::Open => "open",
    }
}

/// The layout's name in the style sheet.
#[must_use]
pub const fn form_name(form: Form) -> &'static str {
    match form {
        Form::Wide => "wide",
        Form::Narrow => "narrow",
        Form::Phone => "phone",
    }
}

/// The view of a name in a link; unknown names are the story.
#[must_use]
pub fn view_named(name: &str) -> View {
    match name {
        "everything" => View::Everything,
        "why" => View::Why,
        "open" => View::Open,
        _ => View::Story,
    }
}
