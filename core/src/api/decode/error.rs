//! What can be wrong with a text, and what in it is not used.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use serde::Serialize;

use crate::api::path::write_place;
use crate::api::{FieldPath, Kind};

/// Why a text or a value in it cannot be read: what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// There is no document in the text.
    Empty,
    /// The bytes are not text.
    NotText {
        /// Where the first byte stands that is not.
        offset: usize,
    },
    /// The text is larger than can be read.
    TooLarge {
        /// How many bytes can be read.
        limit: usize,
    },
    /// The text is neither YAML nor JSON.
    Syntax {
        /// What is wrong with it.
        problem: String,
    },
    /// Lists and maps stand in each other too often.
    TooDeep {
        /// How often they may.
        limit: usize,
    },
    /// Aliases make the text too large.
    TooManyRepetitions {
        /// How many values they may add.
        limit: usize,
    },
    /// A map has a key twice.
    DuplicateKey {
        /// The line where it stands first.
        first_line: u32,
    },
    /// A document is not an object.
    NotAnObject {
        /// What it is.
        found: String,
    },
    /// An object does not say what kind it is.
    NoKind,
    /// An object is of a kind that is not read.
    UnknownKind {
        /// What kind it is.
        kind: String,
    },
    /// The object is of a version that looks different.
    OtherVersion {
        /// What kind it is.
        kind: Kind,
        /// The version found.
        api_version: String,
    },
    /// A value is of the wrong type.
    Type {
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A value does not mean what its type needs.
    Value {
        /// What was found and expected, as the type says it.
        problem: String,
    },
}

impl core::error::Error for DecodeError {}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing in it; expected at least one object"),
            Self::NotText { offset } => {
                write!(
                    f,
                    "byte {offset} is not text; expected YAML or JSON in UTF-8"
                )
            }
            Self::TooLarge { limit } => {
                write!(f, "the text is too large; expected at most {limit} bytes")
            }
            Self::Syntax { problem } => f.write_str(problem),
            Self::TooDeep { limit } => write!(
                f,
                "too many lists and maps in each other; expected at most {limit}"
            ),
            Self::TooManyRepetitions { limit } => {
                write!(
                    f,
                    "aliases make the text too large; expected them to add at most {limit} values"
                )
            }
            Self::DuplicateKey { first_line: 0 } => {
                f.write_str("is there twice; expected each key once")
            }
            Self::DuplicateKey { first_line } => {
                write!(
                    f,
                    "is there twice, first on line {first_line}; expected each key once"
                )
            }
            Self::NotAnObject { found } => {
                write!(f, "{found}; expected an object with apiVersion and kind")
            }
            Self::NoKind => f.write_str(
                "kind is missing; expected the object to say what it is, such as kind: Pod; or is the text cut?",
            ),
            Self::UnknownKind { kind } => {
                write!(f, "kind {kind:?}")?;
                write_unknown_kind(f, kind)
            }
            Self::OtherVersion { kind, api_version } => {
                write!(
                    f,
                    "{kind} of {api_version} is not supported; expected apiVersion {}",
                    kind.api_version()
                )
            }
            Self::Type { found, expected } => write!(f, "{found}; expected {expected}"),
            Self::Value { problem } => f.write_str(problem),
        }
    }
}

/// A field that was given and is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unsupported {
    /// The file, or whatever the text came from.
    pub source: Arc<str>,
    /// The line, counted from 1; 0 if there is no text.
    pub line: u32,
    /// The column, counted from 1; 0 if there is no text.
    pub column: u32,
    /// The field in the object.
    pub path: FieldPath,
    /// The object, such as `Pod default/web`.
    pub object: String,
    /// What became of it.
    pub message: String,
}

/// `FILE:LINE:COL: path: message (object)`.
impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, &self.source, self.line, self.column)?;
        write!(f, "{}: {}", self.path, self.message)?;
        if !self.object.is_empty() {
            write!(f, " ({})", self.object)?;
        }
        Ok(())
    }
}

/// An object of a kind that is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnknownKind {
    /// The file, or whatever the text came from.
    pub source: Arc<str>,
    /// The line, counted from 1; 0 if there is no text.
    pub line: u32,
    /// The column, counted from 1; 0 if there is no text.
    pub column: u32,
    /// Its API group and version; empty if it does not say.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What that means.
    pub meaning: KindMeaning,
}

/// What it means that a kind is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum KindMeaning {
    /// A kind of Kubernetes that cannot change where pods go, such as `Secret`.
    Harmless,
    /// A kind of Kubernetes that can change where pods go, such as `LimitRange`.
    Unsupported,
    /// Somebody else's kind, or a slip of the pen.
    Unknown,
}

/// `FILE:LINE:COL: kind: "Widget" of example.com/v1 is not known; …`.
impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, &self.source, self.line, self.column)?;
        write!(f, "kind: {:?}", self.kind)?;
        if !self.api_version.is_empty() {
            write!(f, " of {}", self.api_version)?;
        }
        match self.meaning {
            KindMeaning::Harmless => f.write_str(" decides nothing here; ignored"),
            KindMeaning::Unsupported => f.write_str(" is not supported; ignored"),
            KindMeaning::Unknown => write_unknown_kind(f, &self.kind),
        }
    }
}

impl core::error::Error for UnknownKind {}

/// The rest of the sentence that a kind is not known.
fn write_unknown_kind(f: &mut fmt::Formatter<'_>, kind: &str) -> fmt::Result {
    match Kind::by_name(kind) {
        Some(meant) if meant.as_str() != kind => {
            write!(f, " is not known; is {:?} meant?", meant.as_str())
        }
        _ => f.write_str(
            " is not known; expected a kind that a scheduler reads, such as Pod or Node",
        ),
    }
}
