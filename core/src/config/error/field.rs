//! Where something in a document is wrong, and how.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A document that cannot be understood, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeProblem {
    /// Where it is, where there is text.
    pub place: Option<Place>,
    /// The field, `profiles[0].plugins`; empty for the document itself.
    pub path: String,
    /// What was found and what was expected.
    pub what: String,
}

/// Where something stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file or object the text came from; empty when it has no name.
    pub source: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// A value that breaks a rule, in the form of Kubernetes' field errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field, `profiles[0].percentageOfNodesToScore`.
    pub path: String,
    /// Where it is, where there is text.
    pub place: Option<Place>,
    /// Which rule.
    pub kind: FieldErrorKind,
}

/// The rules of [`FieldError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the fields are the blanks in the text of Display"
)]
pub enum FieldErrorKind {
    /// The value is not allowed; `value` is printed as it stands.
    Invalid { value: String, detail: String },
    /// There is no value.
    Required { detail: String },
    /// Something else has the value already.
    Duplicate { value: String },
    /// The value is none of those known.
    Unsupported {
        value: String,
        supported: Vec<&'static str>,
    },
    /// There may be no value here.
    Forbidden { detail: String },
}

impl fmt::Display for DecodeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.what)
    }
}

/// `file:line:column`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.is_empty() {
            write!(f, "{}:", self.source)?;
        }
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match &self.kind {
            FieldErrorKind::Invalid { value, detail } => {
                write!(f, "Invalid value: {value}: {detail}")
            }
            FieldErrorKind::Required { detail } if detail.is_empty() => {
                f.write_str("Required value")
            }
            FieldErrorKind::Required { detail } => write!(f, "Required value: {detail}"),
            FieldErrorKind::Duplicate { value } => write!(f, "Duplicate value: \"{value}\""),
            FieldErrorKind::Unsupported { value, supported } => {
                write!(f, "Unsupported value: \"{value}\": supported values: ")?;
                for (i, supported) in supported.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}\"{supported}\"")?;
                }
                Ok(())
            }
            FieldErrorKind::Forbidden { detail } => write!(f, "Forbidden: {detail}"),
        }
    }
}

/// The place of `path` or of the closest thing around it.
pub(in crate::config) fn nearest_place(
    path: &str,
    find: &dyn Fn(&str) -> Option<Place>,
) -> Option<Place> {
    let mut path = path;
    loop {
        if let Some(place) = find(path) {
            return Some(place);
        }
        let (outer, _) = path.rsplit_once(['.', '['])?;
        path = outer;
    }
}
