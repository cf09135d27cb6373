//! Node selectors made ready: compiled once, matched many times.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::{Problem, SelectorError};
use super::label::{Operator, Requirement};
use super::{NodeSelector, NodeSelectorRequirement, NodeSelectorTerm};
use crate::api::{Node, Pod, PreferredSchedulingTerm, Selector, StringMap};

/// Which nodes are meant: those that match at least one term.
///
/// A term that cannot be read matches no node. Whether that is an error is for the caller to say: [`Self::compile`] refuses
/// it, [`Self::lazy`] remembers it.
/// Source: spec, plugins 2.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeMatcher {
    terms: Vec<Term>,
    error: Option<SelectorError>,
}

/// What one term requires; never without any requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    labels: Vec<Requirement>,
    fields: Vec<FieldRequirement>,
}

/// A field must or must not have one value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FieldRequirement {
    key: String,
    value: String,
    is_equal: bool,
}

impl NodeMatcher {
    /// Reads a selector strictly.
    ///
    /// Errors: any term that cannot be read.
    pub fn compile(selector: &NodeSelector) -> Result<Self, SelectorError> {
        let mut matcher = Self::lazy(selector);
        match matcher.error.take() {
            Some(error) => Err(error),
            None => Ok(matcher),
        }
    }

    /// Reads a selector; a term that cannot be read matches no node, and [`Self::try_matches`] says why if no other does.
    #[must_use]
    pub fn lazy(selector: &NodeSelector) -> Self {
        let mut matcher = Self {
            terms: Vec::new(),
            error: None,
        };
        for (index, term) in selector.node_selector_terms.iter().enumerate() {
            match Term::parse(term, &format!("nodeSelectorTerms[{index}]")) {
                Ok(Some(term)) => matcher.terms.push(term),
                Ok(None) => {}
                Err(error) => {
                    matcher.error = Some(match matcher.error.take() {
                        Some(earlier) => earlier.and(error),
                        None => error,
                    });
                }
            }
        }
        matcher
    }

    /// Whether the node matches; a term that cannot be read does not.
    #[must_use]
    pub fn matches(&self, node: &Node) -> bool {
        self.matches_parts(&node.metadata.name, &node.metadata.labels)
    }

    /// The same for a node of which only name and labels are known. Without a name, fields are not looked at.
    #[must_use]
    pub fn matches_parts(&self, name: &str, labels: &StringMap) -> bool {
        self.terms.iter().any(|term| term.matches(name, labels))
    }

    /// Whether the node matches.
    ///
    /// Errors: it does not, and a term could not be read.
    pub fn try_matches(&self, name: &str, labels: &StringMap) -> Result<bool, &SelectorError> {
        match (self.matches_parts(name, labels), &self.error) {
            (false, Some(error)) => Err(error),
            (matches, _) => Ok(matches),
        }
    }

    /// What was wrong with terms that cannot be read.
    #[must_use]
    pub const fn error(&self) -> Option<&SelectorError> {
        self.error.as_ref()
    }
}

/// Kinds of nodes with how much each is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreferredNodes {
    terms: Vec<(i64, Term)>,
}

impl PreferredNodes {
    /// Reads preferences; those of weight 0 or without a requirement do not count and are not checked.
    ///
    /// Errors: any other term that cannot be read.
    pub fn compile(preferences: &[PreferredSchedulingTerm]) -> Result<Self, SelectorError> {
        let mut terms = Vec::new();
        let mut errors: Option<SelectorError> = None;
        for (index, PreferredSchedulingTerm { weight, preference }) in
            preferences.iter().enumerate()
        {
            if *weight == 0 {
                continue;
            }
            match Term::parse(preference, &format!("[{index}]")) {
                Ok(Some(term)) => terms.push((i64::from(*weight), term)),
                Ok(None) => {}
                Err(error) => {
                    errors = Some(match errors.take() {
                        Some(earlier) => earlier.and(error),
                        None => error,
                    });
                }
            }
        }
        match errors {
            Some(error) => Err(error),
            None => Ok(Self { terms }),
        }
    }

    /// The sum of the weights of what the node is.
    #[must_use]
    pub fn score(&self, node: &Node) -> i64 {
        let (name, labels) = (&node.metadata.name, &node.metadata.labels);
        self.terms
            .iter()
            .filter(|(_, term)| term.matches(name, labels))
            .map(|(weight, _)| weight)
            .sum()
    }

    /// Whether no preference is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// What a pod's node must be: the labels of `spec.nodeSelector` and the required node affinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredNodeAffinity {
    labels: Selector,
    matcher: Option<NodeMatcher>,
}

impl RequiredNodeAffinity {
    /// What the pod requires.
    #[must_use]
    pub fn of(pod: &Pod) -> Self {
        let affinity = pod
            .spec
            .affinity
            .as_ref()
            .and_then(|affinity| affinity.node_affinity.as_ref());
        let required = affinity.and_then(|a| {
            a.required_during_scheduling_ignored_during_execution
                .as_ref()
        });
        Self {
            labels: Selector::from_labels(&pod.spec.node_selector),
            matcher: required.map(NodeMatcher::lazy),
        }
    }

    /// Whether the node is what is required; a term that cannot be read matches no node.
    #[must_use]
    pub fn matches(&self, node: &Node) -> bool {
        self.labels.matches(&node.metadata.labels)
            && self
                .matcher
                .as_ref()
                .is_none_or(|matcher| matcher.matches(node))
    }

    /// Whether the node is what is required.
    ///
    /// Errors: the labels of `spec.nodeSelector` match, no term does, and one could not be read.
    pub fn try_matches(&self, node: &Node) -> Result<bool, &SelectorError> {
        if !self.labels.matches(&node.metadata.labels) {
            return Ok(false);
        }
        let (name, labels) = (&node.metadata.name, &node.metadata.labels);
        self.matcher
            .as_ref()
            .map_or(Ok(true), |matcher| matcher.try_matches(name, labels))
    }

    /// Whether nothing is required.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.matcher.is_none()
    }
}

impl Term {
    /// Reads a term; none if it has no requirement, which matches no node.
    fn parse(term: &NodeSelectorTerm, path: &str) -> Result<Option<Self>, SelectorError> {
        let mut parsed = Self {
            labels: Vec::new(),
            fields: Vec::new(),
        };
        let mut errors: Option<SelectorError> = None;
        let mut note = |error: SelectorError| {
            errors = Some(match errors.take() {
                Some(earlier) => earlier.and(error),
                None => error,
            });
        };
        for (index, requirement) in term.match_expressions.iter().enumerate() {
            match parse_label(requirement) {
                Ok(requirement) => parsed.labels.push(requirement),
                Err(error) => note(error.at(&format!("{path}.matchExpressions[{index}]"))),
            }
        }
        for (index, requirement) in term.match_fields.iter().enumerate() {
            match parse_field(requirement) {
                Ok(requirement) => parsed.fields.push(requirement),
                Err(problem) => {
                    let error = SelectorError::from_problems([problem].into());
                    note(error.at(&format!("{path}.matchFields[{index}]")));
                }
            }
        }
        match errors {
            Some(error) => Err(error),
            None if parsed.labels.is_empty() && parsed.fields.is_empty() => Ok(None),
            None => Ok(Some(parsed)),
        }
    }

    fn matches(&self, name: &str, labels: &StringMap) -> bool {
        self.labels
            .iter()
            .all(|requirement| requirement.matches(labels))
            && (name.is_empty() || self.fields.iter().all(|field| field.matches(name)))
    }
}

impl FieldRequirement {
    /// The name is the only field; any other is empty.
    fn matches(&self, name: &str) -> bool {
        let found = if self.key == NAME_FIELD { name } else { "" };
        (self.value == found) == self.is_equal
    }
}

fn parse_label(requirement: &NodeSelectorRequirement) -> Result<Requirement, SelectorError> {
    let NodeSelectorRequirement {
        key,
        operator,
        values,
    } = requirement;
    match Operator::by_name(operator) {
        Some(operator) => Requirement::parse(key, operator, values),
        None => Err(SelectorError::from_problems(
            [Problem::UnknownOperator {
                operator: operator.clone(),
                supported: LABEL_OPERATORS,
            }]
            .into(),
        )),
    }
}

fn parse_field(requirement: &NodeSelectorRequirement) -> Result<FieldRequirement, Problem> {
    let NodeSelectorRequirement {
        key,
        operator,
        values,
    } = requirement;
    let is_equal = match operator.as_str() {
        "In" => true,
        "NotIn" => false,
        _ => {
            return Err(Problem::UnknownOperator {
                operator: operator.clone(),
                supported: FIELD_OPERATORS,
            });
        }
    };
    match values.as_slice() {
        [value] => Ok(FieldRequirement {
            key: key.clone(),
            value: value.clone(),
            is_equal,
        }),
        _ => Err(Problem::NotOneFieldValue {
            count: values.len(),
        }),
    }
}

/// The one field that node selectors know.
pub const NAME_FIELD: &str = "metadata.name";
const LABEL_OPERATORS: &[&str] = &["DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"];
const FIELD_OPERATORS: &[&str] = &["In", "NotIn"];
