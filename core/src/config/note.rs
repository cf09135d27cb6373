//! What a reader should know about a configuration that is accepted.

use alloc::string::String;
use core::fmt;

use super::Place;

/// A remark on one field: it means something else than before, does nothing here, or has no equivalent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The field, `profiles[0].plugins`; empty for the document itself.
    pub path: String,
    /// Where it is, where there is text.
    pub place: Option<Place>,
    /// The remark, a sentence without a full stop.
    pub text: String,
}

impl Note {
    /// A remark whose place in a text is not known.
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            place: None,
            text: text.into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.text)
    }
}
