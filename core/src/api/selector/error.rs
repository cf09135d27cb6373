//! What can be wrong with a selector, in Kubernetes' words.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::api::names::{NameFault, join_faults};

/// Why a selector cannot be used.
///
/// `Display` is Kubernetes' text to the letter, since it ends up in reasons and conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectorError {
    /// A label selector has an operator that does not exist.
    UnknownLabelOperator {
        /// What was found.
        operator: String,
    },
    /// Requirements that cannot be used.
    Requirements(Vec<RequirementError>),
}

/// Why one requirement cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementError {
    /// Where the requirement stands, empty or ending before a dot.
    path: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Key {
        key: String,
        faults: Vec<NameFault>,
    },
    Value {
        index: usize,
        key: String,
        value: String,
        faults: Vec<NameFault>,
    },
    NoValues,
    UnexpectedValues {
        values: Vec<String>,
    },
    NotOneValue {
        values: Vec<String>,
    },
    NotInteger {
        index: usize,
        value: String,
    },
    NotOneFieldValue {
        count: usize,
    },
    UnknownOperator {
        operator: String,
        supported: &'static [&'static str],
    },
}

impl SelectorError {
    pub(super) fn from_problems(problems: Vec<Problem>) -> Self {
        let errors = problems.into_iter().map(|problem| RequirementError {
            path: String::new(),
            problem,
        });
        Self::Requirements(errors.collect())
    }

    /// Says where the requirement stands.
    pub(super) fn at(mut self, path: &str) -> Self {
        if let Self::Requirements(errors) = &mut self {
            for error in errors {
                error.path = path.into();
            }
        }
        self
    }

    /// Both errors in one.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Requirements(mut errors), Self::Requirements(more)) => {
                errors.extend(more);
                Self::Requirements(errors)
            }
            (error, _) => error,
        }
    }
}

impl core::error::Error for SelectorError {}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLabelOperator { operator } => {
                write!(f, "{operator:?} is not a valid label selector operator")
            }
            Self::Requirements(errors) => match errors.as_slice() {
                [only] => only.fmt(f),
                several => {
                    for (index, error) in several.iter().enumerate() {
                        f.write_str(if index == 0 { "[" } else { ", " })?;
                        error.fmt(f)?;
                    }
                    f.write_str("]")
                }
            },
        }
    }
}

impl fmt::Display for RequirementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}.", self.path)?;
        }
        match &self.problem {
            Problem::Key { key, faults } => {
                write!(f, "key: Invalid value: {key:?}: {}", join_faults(faults))
            }
            Problem::Value {
                index,
                key,
                value,
                faults,
            } => {
                write!(
                    f,
                    "values[{index}][{key}]: Invalid value: {value:?}: {}",
                    join_faults(faults)
                )
            }
            Problem::NoValues => f.write_str(
                "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
            ),
            Problem::UnexpectedValues { values } => write!(
                f,
                "values: Invalid value: {values:?}: values set must be empty for exists and does not exist"
            ),
            Problem::NotOneValue { values } => write!(
                f,
                "values: Invalid value: {values:?}: for 'Gt', 'Lt' operators, exactly one value is required"
            ),
            Problem::NotInteger { index, value } => write!(
                f,
                "values[{index}]: Invalid value: {value:?}: for 'Gt', 'Lt' operators, the value must be an integer"
            ),
            Problem::NotOneFieldValue { count } => {
                write!(f, "values: Invalid value: {count}: must have one element")
            }
            Problem::UnknownOperator {
                operator,
                supported,
            } => {
                write!(
                    f,
                    "operator: Unsupported value: {operator:?}: supported values: "
                )?;
                for (index, name) in supported.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{name:?}")?;
                }
                Ok(())
            }
        }
    }
}
