//! What can be wrong with what a person wrote, where it stands, and what would be right.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::FieldPath;
use crate::api::decode::DecodeError;
use crate::config::ConfigError;

/// Why an object or a part of a scenario is refused.
///
/// `Display` says what was found and what was expected, parted by a semicolon.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// Something that must be there is not.
    Missing {
        /// What was expected.
        expected: Cow<'static, str>,
    },
    /// A value that cannot stand here.
    Invalid {
        /// What was found.
        found: String,
        /// What was expected.
        expected: Cow<'static, str>,
    },
    /// A value that is none of a fixed set.
    NotOneOf {
        /// What was found.
        found: String,
        /// The set.
        allowed: &'static [&'static str],
    },
    /// Something that may not be said together with something else.
    Forbidden {
        /// What was found.
        found: Cow<'static, str>,
        /// The rule that it breaks.
        rule: Cow<'static, str>,
    },
    /// The same thing twice in a list.
    Duplicate {
        /// What is there twice.
        found: String,
    },
    /// An object that is there already.
    AlreadyExists {
        /// Where it was first defined, as `file:line`, if that is known.
        first: String,
    },
    /// An object that is not there.
    NotFound {
        /// Which one, in a sentence.
        what: String,
    },
    /// A field that may not change once the object exists.
    Immutable,
    /// A kind that Berth does not know.
    UnknownKind {
        /// What was found.
        kind: String,
    },
    /// A field that does not exist.
    UnknownField {
        /// What was found.
        field: String,
        /// What was probably meant, or what there is.
        advice: String,
    },
    /// A text, or a value in it, that cannot be read.
    Unreadable(DecodeError),
    /// More than the limit.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The configuration is refused, in its own words.
    Config(Box<ConfigError>),
}

impl InputError {
    /// Something that must be there is not.
    pub(crate) fn missing(expected: impl Into<Cow<'static, str>>) -> Self {
        Self::Missing {
            expected: expected.into(),
        }
    }

    /// A value that cannot stand here.
    pub(crate) fn invalid(
        found: impl fmt::Display,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Invalid {
            found: alloc::format!("{found}"),
            expected: expected.into(),
        }
    }

    /// Something that may not be said together with something else.
    pub(crate) fn forbidden(
        found: impl Into<Cow<'static, str>>,
        rule: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Forbidden {
            found: found.into(),
            rule: rule.into(),
        }
    }
}

impl core::error::Error for InputError {}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { expected } => write!(f, "nothing is given; expected {expected}"),
            Self::Invalid { found, expected } => {
                write!(f, "{found:?} cannot be used; expected {expected}")
            }
            Self::NotOneOf { found, allowed } => {
                write!(f, "{found:?} is not known; expected ")?;
                write_choice(f, allowed)
            }
            Self::Forbidden { found, rule } => write!(f, "{found} is forbidden; expected {rule}"),
            Self::Duplicate { found } => {
                write!(f, "{found:?} stands there twice; expected it once")
            }
            Self::AlreadyExists { first } if first.is_empty() => {
                f.write_str("it exists already; expected each name once")
            }
            Self::AlreadyExists { first } => {
                write!(
                    f,
                    "it is already defined at {first}; expected each name once"
                )
            }
            Self::NotFound { what } => write!(f, "{what}; expected one that exists"),
            Self::Immutable => f.write_str(
                "the field differs from what exists; expected no change, as it may not change after creation",
            ),
            Self::UnknownKind { kind } => write!(
                f,
                "{kind:?} is not a kind that is known here; expected a kind such as Pod, Node or Deployment"
            ),
            Self::UnknownField { field, advice } => {
                write!(f, "unknown field {field:?}; expected {advice}")
            }
            Self::Unreadable(error) => error.fmt(f),
            Self::Config(error) => error.fmt(f),
            Self::TooMany { what, found, limit } => {
                write!(f, "there are {found} {what}; expected at most {limit}")
            }
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
fn write_choice(f: &mut fmt::Formatter<'_>, choices: &[&str]) -> fmt::Result {
    for (index, choice) in choices.iter().enumerate() {
        let glue = match index {
            0 => "",
            _ if index + 1 == choices.len() => " or ",
            _ => ", ",
        };
        write!(f, "{glue}{choice}")?;
    }
    Ok(())
}

/// A fault with the field it is about, before anybody knows where the field stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field, `spec.containers[0].image`; empty for the object itself.
    pub path: FieldPath,
    /// What is wrong.
    pub error: InputError,
}

impl Fault {
    /// A fault of one field.
    #[must_use]
    pub const fn new(path: FieldPath, error: InputError) -> Self {
        Self { path, error }
    }

    /// A fault of a field that is reached by these names.
    pub(crate) fn of(fields: &[&str], error: InputError) -> Self {
        Self::new(FieldPath::of(fields), error)
    }
}

impl From<DecodeError> for InputError {
    fn from(error: DecodeError) -> Self {
        Self::Unreadable(error)
    }
}

/// Faults in the order in which they were found.
pub type Faults = Vec<Fault>;
