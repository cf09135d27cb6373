//! Whether a node affinity can be understood as a whole.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::names::label_value_faults;
use crate::api::{NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm};
use crate::config::ConfigError;
use crate::config::reader::{child, index};

use super::args::label_name;

/// Adds what is wrong with an affinity; empty terms match nothing and are not looked at.
pub(super) fn node_affinity(affinity: &NodeAffinity, path: &str, errors: &mut Vec<ConfigError>) {
    if let Some(required) = &affinity.required_during_scheduling_ignored_during_execution {
        let path = child(path, "requiredDuringSchedulingIgnoredDuringExecution");
        let path = child(&path, "nodeSelectorTerms");
        for (i, term) in required.node_selector_terms.iter().enumerate() {
            selector_term(term, &index(&path, i), errors);
        }
    }
    let path = child(path, "preferredDuringSchedulingIgnoredDuringExecution");
    let preferred = &affinity.preferred_during_scheduling_ignored_during_execution;
    for (i, term) in preferred.iter().enumerate() {
        if term.weight != 0 {
            selector_term(&term.preference, &index(&path, i), errors);
        }
    }
}

fn selector_term(term: &NodeSelectorTerm, path: &str, errors: &mut Vec<ConfigError>) {
    for (i, requirement) in term.match_expressions.iter().enumerate() {
        let path = index(&child(path, "matchExpressions"), i);
        expression(requirement, &path, errors);
    }
    for (i, requirement) in term.match_fields.iter().enumerate() {
        let path = index(&child(path, "matchFields"), i);
        field(requirement, &path, errors);
    }
}

fn expression(requirement: &NodeSelectorRequirement, path: &str, errors: &mut Vec<ConfigError>) {
    let values = &requirement.values;
    let values_path = child(path, "values");
    label_name(&child(path, "key"), &requirement.key, errors);
    let detail = match requirement.operator.as_str() {
        "In" | "NotIn" if values.is_empty() => {
            "for 'in', 'notin' operators, values set can't be empty"
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            "values set must be empty for exists and does not exist"
        }
        "Gt" | "Lt" if values.len() != 1 => {
            "for 'Gt', 'Lt' operators, exactly one value is required"
        }
        "Gt" | "Lt" if values.iter().any(|value| value.parse::<i64>().is_err()) => {
            "for 'Gt', 'Lt' operators, the value must be an integer"
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => "",
        other => {
            let known = vec!["DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn"];
            let path = child(path, "operator");
            return errors.push(ConfigError::unsupported(path, other, known));
        }
    };
    if !detail.is_empty() {
        errors.push(ConfigError::invalid(&values_path, list(values), detail));
    }
    for (i, value) in values.iter().enumerate() {
        for fault in label_value_faults(value) {
            errors.push(ConfigError::invalid(
                index(&values_path, i),
                format!("\"{value}\""),
                format!("{fault}"),
            ));
        }
    }
}

fn field(requirement: &NodeSelectorRequirement, path: &str, errors: &mut Vec<ConfigError>) {
    if requirement.key != "metadata.name" {
        let path = child(path, "key");
        let key = requirement.key.as_str();
        errors.push(ConfigError::unsupported(path, key, vec!["metadata.name"]));
    }
    if !matches!(requirement.operator.as_str(), "In" | "NotIn") {
        let path = child(path, "operator");
        let operator = requirement.operator.as_str();
        errors.push(ConfigError::unsupported(
            path,
            operator,
            vec!["In", "NotIn"],
        ));
    }
    if requirement.values.len() != 1 {
        let path = child(path, "values");
        let values = list(&requirement.values);
        errors.push(ConfigError::invalid(path, values, "must have one element"));
    }
}

fn list(values: &[String]) -> String {
    format!("{values:?}")
}
