//! Label selectors made ready: compiled once, matched many times.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{Problem, SelectorError};
use super::{LabelSelector, LabelSelectorRequirement};
use crate::api::StringMap;
use crate::api::names::{label_value_faults, qualified_name_faults};

/// Which labels are meant: nothing, or all requirements at once.
///
/// Source: spec, plugins 2.5.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector {
    /// None selects nothing, whatever the labels; an empty list selects everything.
    requirements: Option<Vec<Requirement>>,
}

/// One requirement on one label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requirement {
    key: String,
    test: Test,
}

/// What a label's value must be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    /// Present, and one of these.
    In(Vec<String>),
    /// Absent, or none of these.
    NotIn(Vec<String>),
    /// Present.
    Exists,
    /// Absent.
    DoesNotExist,
    /// Present, an integer, and greater.
    Gt(i64),
    /// Present, an integer, and less.
    Lt(i64),
}

impl Selector {
    /// Selects nothing, like an absent selector.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { requirements: None }
    }

    /// Selects everything, like an empty selector.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            requirements: Some(Vec::new()),
        }
    }

    /// Selects what the written selector says; an absent one selects nothing.
    ///
    /// Errors: an operator that does not exist, a wrong number of values, a key or value that cannot be a label.
    pub fn compile<'a>(
        selector: impl Into<Option<&'a LabelSelector>>,
    ) -> Result<Self, SelectorError> {
        let Some(selector) = selector.into() else {
            return Ok(Self::nothing());
        };
        let mut requirements =
            Vec::with_capacity(selector.match_labels.len() + selector.match_expressions.len());
        for (key, value) in &selector.match_labels {
            requirements.push(Requirement::parse(
                key,
                Operator::In,
                core::slice::from_ref(value),
            )?);
        }
        for LabelSelectorRequirement {
            key,
            operator,
            values,
        } in &selector.match_expressions
        {
            let operator = match Operator::by_name(operator) {
                Some(operator) if operator < Operator::Gt => operator,
                _ => {
                    return Err(SelectorError::UnknownLabelOperator {
                        operator: operator.clone(),
                    });
                }
            };
            requirements.push(Requirement::parse(key, operator, values)?);
        }
        Ok(Self {
            requirements: Some(requirements),
        })
    }

    /// Selects what has all these labels. The map is not checked; an empty one selects everything.
    #[must_use]
    pub fn from_labels(labels: &StringMap) -> Self {
        Self {
            requirements: Some(
                labels
                    .iter()
                    .map(|(key, value)| Requirement::equals(key, value))
                    .collect(),
            ),
        }
    }

    /// Adds a requirement. What selects nothing goes on selecting nothing.
    pub fn add(&mut self, requirement: Requirement) {
        if let Some(requirements) = &mut self.requirements {
            requirements.push(requirement);
        }
    }

    /// Adds all requirements of another selector. What selects nothing goes on selecting nothing.
    pub fn extend(&mut self, other: &Self) {
        for requirement in other.requirements() {
            self.add(requirement.clone());
        }
    }

    /// Whether all requirements hold.
    #[must_use]
    pub fn matches(&self, labels: &StringMap) -> bool {
        match &self.requirements {
            None => false,
            Some(requirements) => requirements
                .iter()
                .all(|requirement| requirement.matches(labels)),
        }
    }

    /// Whether it selects everything because it requires nothing. What selects nothing is not empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requirements.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether it selects nothing, whatever the labels.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.requirements.is_none()
    }

    /// Whether it requires anything.
    #[must_use]
    pub fn has_requirements(&self) -> bool {
        !self.requirements().is_empty()
    }

    /// What it requires.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        self.requirements.as_deref().unwrap_or_default()
    }
}

impl Requirement {
    /// The label must have exactly this value; neither is checked.
    #[must_use]
    pub fn equals(key: &str, value: &str) -> Self {
        Self {
            key: key.to_string(),
            test: Test::In([value.to_string()].into()),
        }
    }

    /// Reads a requirement and checks it.
    pub(super) fn parse(
        key: &str,
        operator: Operator,
        values: &[String],
    ) -> Result<Self, SelectorError> {
        let mut problems = Vec::new();
        let faults = qualified_name_faults(key);
        if !faults.is_empty() {
            problems.push(Problem::Key {
                key: key.to_string(),
                faults,
            });
        }
        let test = match operator {
            Operator::In | Operator::NotIn => {
                if values.is_empty() {
                    problems.push(Problem::NoValues);
                }
                let mut sorted = values.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                if operator == Operator::In {
                    Test::In(sorted)
                } else {
                    Test::NotIn(sorted)
                }
            }
            Operator::Exists | Operator::DoesNotExist => {
                if !values.is_empty() {
                    problems.push(Problem::UnexpectedValues {
                        values: values.to_vec(),
                    });
                }
                if operator == Operator::Exists {
                    Test::Exists
                } else {
                    Test::DoesNotExist
                }
            }
            Operator::Gt | Operator::Lt => {
                let bound = parse_bound(values, &mut problems);
                if operator == Operator::Gt {
                    Test::Gt(bound)
                } else {
                    Test::Lt(bound)
                }
            }
        };
        for (index, value) in values.iter().enumerate() {
            let faults = label_value_faults(value);
            if !faults.is_empty() {
                problems.push(Problem::Value {
                    index,
                    key: key.to_string(),
                    value: value.clone(),
                    faults,
                });
            }
        }
        if problems.is_empty() {
            Ok(Self {
                key: key.to_string(),
                test,
            })
        } else {
            Err(SelectorError::from_problems(problems))
        }
    }

    /// The label it is about.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What the label's value must be.
    #[must_use]
    pub const fn test(&self) -> &Test {
        &self.test
    }

    /// Whether it holds for these labels.
    #[must_use]
    pub fn matches(&self, labels: &StringMap) -> bool {
        self.matches_value(labels.get(&self.key).map(String::as_str))
    }

    /// Whether it holds when the label has this value, or is absent.
    #[must_use]
    pub fn matches_value(&self, value: Option<&str>) -> bool {
        let integer = || value.and_then(parse_integer);
        match &self.test {
            Test::In(values) => value.is_some_and(|value| contains(values, value)),
            Test::NotIn(values) => value.is_none_or(|value| !contains(values, value)),
            Test::Exists => value.is_some(),
            Test::DoesNotExist => value.is_none(),
            Test::Gt(bound) => integer().is_some_and(|value| value > *bound),
            Test::Lt(bound) => integer().is_some_and(|value| value < *bound),
        }
    }
}

/// The operators of both kinds of selectors; those from `Gt` on are for nodes only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
    Gt,
    Lt,
}

impl Operator {
    /// The operator of that name; letters must have the right case.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            "Gt" => Self::Gt,
            "Lt" => Self::Lt,
            _ => return None,
        })
    }
}

fn parse_bound(values: &[String], problems: &mut Vec<Problem>) -> i64 {
    if values.len() != 1 {
        problems.push(Problem::NotOneValue {
            values: values.to_vec(),
        });
    }
    let mut bound = 0;
    for (index, value) in values.iter().enumerate() {
        match parse_integer(value) {
            Some(number) => bound = number,
            None => problems.push(Problem::NotInteger {
                index,
                value: value.clone(),
            }),
        }
    }
    bound
}

/// A decimal integer of 64 bits, with an optional sign.
fn parse_integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Lists are sorted, but most hold one value.
fn contains(values: &[String], value: &str) -> bool {
    match values {
        [only] => only == value,
        _ => values
            .binary_search_by(|known| known.as_str().cmp(value))
            .is_ok(),
    }
}
