//! Selectors of nodes and pods, affinity, spread, tolerations.

use alloc::format;
use alloc::string::String;

use crate::api::names::{dns_label_faults, label_value_faults, qualified_name_faults};
use crate::api::{
    Affinity, LabelSelector, NAME_FIELD, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm,
    PodAffinityTerm, Toleration, TopologySpreadConstraint, WeightedPodAffinityTerm,
};

use super::super::error::{Faults, InputError};
use super::Rules;
use super::at::At;
use super::meta::{check_labels, check_text};

pub(super) fn check(faults: &mut Faults, at: &At<'_>, affinity: &Affinity) {
    if let Some(nodes) = &affinity.node_affinity {
        let at = at.field("nodeAffinity");
        if let Some(required) = &nodes.required_during_scheduling_ignored_during_execution {
            check_node_selector(faults, &at.field(REQUIRED), required);
        }
        let terms = &nodes.preferred_during_scheduling_ignored_during_execution;
        for (index, term) in terms.iter().enumerate() {
            let list = at.field(PREFERRED);
            let at = list.index(index);
            check_weight(faults, &at, term.weight);
            check_node_term(faults, &at.field("preference"), &term.preference);
        }
    }
    if let Some(near) = &affinity.pod_affinity {
        let at = at.field("podAffinity");
        check_terms(
            faults,
            &at,
            &near.required_during_scheduling_ignored_during_execution,
            &near.preferred_during_scheduling_ignored_during_execution,
        );
    }
    if let Some(away) = &affinity.pod_anti_affinity {
        let at = at.field("podAntiAffinity");
        check_terms(
            faults,
            &at,
            &away.required_during_scheduling_ignored_during_execution,
            &away.preferred_during_scheduling_ignored_during_execution,
        );
    }
}

fn check_terms(
    faults: &mut Faults,
    at: &At<'_>,
    required: &[PodAffinityTerm],
    preferred: &[WeightedPodAffinityTerm],
) {
    for (index, term) in required.iter().enumerate() {
        check_pod_term(faults, &at.field(REQUIRED).index(index), term);
    }
    for (index, term) in preferred.iter().enumerate() {
        let list = at.field(PREFERRED);
        let at = list.index(index);
        check_weight(faults, &at, term.weight);
        check_pod_term(
            faults,
            &at.field("podAffinityTerm"),
            &term.pod_affinity_term,
        );
    }
}

fn check_weight(faults: &mut Faults, at: &At<'_>, weight: i32) {
    if !(1..=100).contains(&weight) {
        at.field("weight")
            .invalid(faults, weight, "a number from 1 to 100");
    }
}

fn check_pod_term(faults: &mut Faults, at: &At<'_>, term: &PodAffinityTerm) {
    let selectors = [
        ("labelSelector", &term.label_selector),
        ("namespaceSelector", &term.namespace_selector),
    ];
    for (name, selector) in selectors {
        if let Some(selector) = selector {
            check_label_selector(faults, &at.field(name), selector);
        }
    }
    for (index, namespace) in term.namespaces.iter().enumerate() {
        let list = at.field("namespaces");
        check_text(faults, &list.index(index), namespace, dns_label_faults);
    }
    check_topology_key(faults, at, &term.topology_key);
    let has_keys = !term.match_label_keys.is_empty() || !term.mismatch_label_keys.is_empty();
    if has_keys && term.label_selector.is_none() {
        at.field("matchLabelKeys").fault(
            faults,
            InputError::forbidden("a key without a selector", "labelSelector beside it"),
        );
    }
}

fn check_topology_key(faults: &mut Faults, at: &At<'_>, key: &str) {
    let at = at.field("topologyKey");
    if key.is_empty() {
        at.fault(
            faults,
            InputError::missing("a node label such as kubernetes.io/hostname"),
        );
    } else {
        check_text(faults, &at, key, qualified_name_faults);
    }
}

/// A selector of objects by label.
pub(super) fn check_label_selector(faults: &mut Faults, at: &At<'_>, selector: &LabelSelector) {
    check_labels(faults, &at.field("matchLabels"), &selector.match_labels);
    for (index, requirement) in selector.match_expressions.iter().enumerate() {
        let list = at.field("matchExpressions");
        let at = list.index(index);
        check_text(
            faults,
            &at.field("key"),
            &requirement.key,
            qualified_name_faults,
        );
        if at
            .field("operator")
            .one_of(faults, &requirement.operator, LABEL_OPERATORS)
        {
            check_value_count(faults, &at, &requirement.operator, requirement.values.len());
        }
        for (index, value) in requirement.values.iter().enumerate() {
            check_text(
                faults,
                &at.field("values").index(index),
                value,
                label_value_faults,
            );
        }
    }
}

/// A selector of nodes: at least one term.
pub(super) fn check_node_selector(faults: &mut Faults, at: &At<'_>, selector: &NodeSelector) {
    let at = at.field("nodeSelectorTerms");
    if selector.node_selector_terms.is_empty() {
        at.fault(faults, InputError::missing("at least one term"));
    }
    for (index, term) in selector.node_selector_terms.iter().enumerate() {
        check_node_term(faults, &at.index(index), term);
    }
}

fn check_node_term(faults: &mut Faults, at: &At<'_>, term: &NodeSelectorTerm) {
    for (index, requirement) in term.match_expressions.iter().enumerate() {
        check_node_expression(
            faults,
            &at.field("matchExpressions").index(index),
            requirement,
        );
    }
    for (index, requirement) in term.match_fields.iter().enumerate() {
        let list = at.field("matchFields");
        let at = list.index(index);
        if requirement.key != NAME_FIELD {
            at.field("key")
                .one_of(faults, &requirement.key, &[NAME_FIELD]);
        }
        let is_known = at
            .field("operator")
            .one_of(faults, &requirement.operator, &["In", "NotIn"]);
        if is_known && requirement.values.len() != 1 {
            at.field("values").invalid(
                faults,
                format!("{:?}", requirement.values),
                "exactly one value, as a field can be compared with one name only",
            );
        }
    }
}

fn check_node_expression(faults: &mut Faults, at: &At<'_>, requirement: &NodeSelectorRequirement) {
    check_text(
        faults,
        &at.field("key"),
        &requirement.key,
        qualified_name_faults,
    );
    if at
        .field("operator")
        .one_of(faults, &requirement.operator, NODE_OPERATORS)
    {
        check_value_count(faults, at, &requirement.operator, requirement.values.len());
    }
}

fn check_value_count(faults: &mut Faults, at: &At<'_>, operator: &str, count: usize) {
    let at = at.field("values");
    let expected = match (operator, count) {
        ("In" | "NotIn", 0) => "at least one value",
        ("Exists" | "DoesNotExist", 1..) => "no value",
        ("Gt" | "Lt", 0 | 2..) => "exactly one value",
        _ => return,
    };
    at.invalid(faults, format!("{operator} with {count} values"), expected);
}

pub(super) fn check_spread(
    faults: &mut Faults,
    at: &At<'_>,
    constraints: &[TopologySpreadConstraint],
) {
    for (index, constraint) in constraints.iter().enumerate() {
        let at = at.index(index);
        if constraint.max_skew <= 0 {
            at.field("maxSkew")
                .invalid(faults, constraint.max_skew, "1 or more");
        }
        check_topology_key(faults, &at, &constraint.topology_key);
        at.field("whenUnsatisfiable").one_of(
            faults,
            &constraint.when_unsatisfiable,
            WHEN_UNSATISFIABLE,
        );
        check_spread_options(faults, &at, constraint);
        let is_same = |other: &&TopologySpreadConstraint| {
            other.topology_key == constraint.topology_key
                && other.when_unsatisfiable == constraint.when_unsatisfiable
        };
        if constraints.iter().take(index).any(|other| is_same(&other)) {
            at.fault(
                faults,
                InputError::Duplicate {
                    found: format!(
                        "{{{}, {}}}",
                        constraint.topology_key, constraint.when_unsatisfiable
                    ),
                },
            );
        }
    }
}

fn check_spread_options(faults: &mut Faults, at: &At<'_>, constraint: &TopologySpreadConstraint) {
    if let Some(domains) = constraint.min_domains {
        let at = at.field("minDomains");
        if domains <= 0 {
            at.invalid(faults, domains, "1 or more");
        } else if constraint.when_unsatisfiable != "DoNotSchedule" {
            at.invalid(
                faults,
                domains,
                "whenUnsatisfiable: DoNotSchedule beside it",
            );
        }
    }
    let policies = [
        ("nodeAffinityPolicy", &constraint.node_affinity_policy),
        ("nodeTaintsPolicy", &constraint.node_taints_policy),
    ];
    for (name, policy) in policies {
        if let Some(policy) = policy {
            at.field(name).one_of(faults, policy, &["Honor", "Ignore"]);
        }
    }
    match &constraint.label_selector {
        Some(selector) => check_label_selector(faults, &at.field("labelSelector"), selector),
        None if !constraint.match_label_keys.is_empty() => {
            at.field("matchLabelKeys").fault(
                faults,
                InputError::forbidden("a key without a selector", "labelSelector beside it"),
            );
        }
        None => {}
    }
}

pub(super) fn check_tolerations(
    faults: &mut Faults,
    at: &At<'_>,
    tolerations: &[Toleration],
    rules: Rules,
) {
    for (index, toleration) in tolerations.iter().enumerate() {
        let at = at.index(index);
        if toleration.key.is_empty() {
            if toleration.operator != "Exists" {
                at.field("operator").invalid(
                    faults,
                    &toleration.operator,
                    "Exists, as an empty key means every key",
                );
            }
        } else {
            check_text(
                faults,
                &at.field("key"),
                &toleration.key,
                qualified_name_faults,
            );
        }
        if toleration.toleration_seconds.is_some() && toleration.effect != "NoExecute" {
            at.field("effect").invalid(
                faults,
                &toleration.effect,
                "NoExecute, as tolerationSeconds is given",
            );
        }
        check_toleration_value(faults, &at, toleration, rules);
        if !toleration.effect.is_empty() {
            at.field("effect")
                .one_of(faults, &toleration.effect, TAINT_EFFECTS);
        }
    }
}

fn check_toleration_value(faults: &mut Faults, at: &At<'_>, toleration: &Toleration, rules: Rules) {
    let value = at.field("value");
    match toleration.operator.as_str() {
        "" | "Equal" => check_text(faults, &value, &toleration.value, label_value_faults),
        "Exists" if !toleration.value.is_empty() => {
            value.invalid(
                faults,
                &toleration.value,
                "no value, as the operator is Exists",
            );
        }
        "Exists" => {}
        "Gt" | "Lt" if rules.compares_taints => {
            if toleration.value.parse::<i64>().is_err() {
                value.invalid(faults, &toleration.value, "a whole number");
            }
        }
        other => {
            at.field("operator").fault(
                faults,
                InputError::NotOneOf {
                    found: String::from(other),
                    allowed: &["Equal", "Exists"],
                },
            );
        }
    }
}

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
const LABEL_OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist"];
const NODE_OPERATORS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const WHEN_UNSATISFIABLE: &[&str] = &["DoNotSchedule", "ScheduleAnyway"];
/// The effects that a taint can have.
pub(super) const TAINT_EFFECTS: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];
