//! What makes pods, and budgets of disturbance.

use alloc::string::String;

use crate::api::{
    DaemonSet, Deployment, IntOrString, Job, LabelSelector, PodDisruptionBudget, PodTemplateSpec,
    ReplicaSet, ReplicationController, Rounding, Selector, StatefulSet,
};
use crate::config::Gates;

use super::super::error::{Faults, InputError};
use super::affinity::check_label_selector;
use super::at::At;
use super::meta::check_labels;
use super::pod::check_spec;
use super::storage::check_claim;

pub(super) fn check_budget(faults: &mut Faults, budget: &PodDisruptionBudget) {
    let root = At::ROOT;
    let at = root.field("spec");
    let spec = &budget.spec;
    if spec.min_available.is_some() && spec.max_unavailable.is_some() {
        at.fault(
            faults,
            InputError::forbidden("minAvailable beside maxUnavailable", "only one of the two"),
        );
    }
    let amounts = [
        ("minAvailable", &spec.min_available),
        ("maxUnavailable", &spec.max_unavailable),
    ];
    for (name, amount) in amounts {
        if let Some(amount) = amount
            && amount.scaled(100, Rounding::Up).is_none_or(|n| n < 0)
        {
            let found = match amount {
                IntOrString::Int(number) => alloc::format!("{number}"),
                IntOrString::String(text) => text.clone(),
            };
            at.field(name)
                .invalid(faults, found, "a number, or a percentage such as 25%");
        }
    }
    if let Some(selector) = &spec.selector {
        check_label_selector(faults, &at.field("selector"), selector);
    }
}

pub(super) fn check_replica_set(faults: &mut Faults, set: &ReplicaSet, gates: Gates) {
    let spec = &set.spec;
    check_replicas(faults, spec.replicas);
    check_owned(
        faults,
        spec.selector.as_ref(),
        &spec.template,
        ALWAYS,
        gates,
    );
}

pub(super) fn check_deployment(faults: &mut Faults, set: &Deployment, gates: Gates) {
    let spec = &set.spec;
    check_replicas(faults, spec.replicas);
    At::ROOT.field("spec.strategy.type").one_of(
        faults,
        &spec.strategy.type_,
        &["RollingUpdate", "Recreate"],
    );
    check_owned(
        faults,
        spec.selector.as_ref(),
        &spec.template,
        ALWAYS,
        gates,
    );
}

pub(super) fn check_stateful_set(faults: &mut Faults, set: &StatefulSet, gates: Gates) {
    let spec = &set.spec;
    check_replicas(faults, spec.replicas);
    At::ROOT.field("spec.podManagementPolicy").one_of(
        faults,
        &spec.pod_management_policy,
        &["OrderedReady", "Parallel"],
    );
    check_owned(
        faults,
        spec.selector.as_ref(),
        &spec.template,
        ALWAYS,
        gates,
    );
    for (index, claim) in spec.volume_claim_templates.iter().enumerate() {
        let root = At::ROOT;
        let list = root.field("spec.volumeClaimTemplates");
        check_claim(faults, &list.index(index).field("spec"), &claim.spec);
    }
}

pub(super) fn check_daemon_set(faults: &mut Faults, set: &DaemonSet, gates: Gates) {
    let spec = &set.spec;
    check_owned(
        faults,
        spec.selector.as_ref(),
        &spec.template,
        ALWAYS,
        gates,
    );
}

pub(super) fn check_controller(faults: &mut Faults, set: &ReplicationController, gates: Gates) {
    let root = At::ROOT;
    check_replicas(faults, set.spec.replicas);
    let Some(template) = &set.spec.template else {
        root.field("spec.template")
            .fault(faults, InputError::missing("how pods are made"));
        return;
    };
    let selector = set.spec.selector.clone().map(|match_labels| LabelSelector {
        match_labels,
        ..LabelSelector::default()
    });
    check_owned(faults, selector.as_ref(), template, ALWAYS, gates);
}

pub(super) fn check_job(faults: &mut Faults, job: &Job, gates: Gates) {
    let root = At::ROOT;
    let at = root.field("spec");
    let numbers = [
        ("parallelism", job.spec.parallelism),
        ("completions", job.spec.completions),
        ("backoffLimit", job.spec.backoff_limit),
    ];
    for (name, number) in numbers {
        if let Some(number) = number.filter(|number| *number < 0) {
            at.field(name).invalid(faults, number, "0 or more");
        }
    }
    check_template(faults, &job.spec.template, NOT_ALWAYS, gates);
}

fn check_replicas(faults: &mut Faults, replicas: Option<i32>) {
    if let Some(number) = replicas.filter(|number| *number < 0) {
        At::ROOT
            .field("spec.replicas")
            .invalid(faults, number, "0 or more");
    }
}

/// A selector that finds the pods of its own template, and the template.
fn check_owned(
    faults: &mut Faults,
    selector: Option<&LabelSelector>,
    template: &PodTemplateSpec,
    policies: &'static [&'static str],
    gates: Gates,
) {
    let root = At::ROOT;
    let at = root.field("spec.selector");
    match selector {
        None => at.fault(
            faults,
            InputError::missing("which pods are meant, such as matchLabels"),
        ),
        Some(selector) => {
            check_label_selector(faults, &at, selector);
            let finds_own = Selector::compile(selector).is_ok_and(|compiled| {
                !compiled.is_empty() && compiled.matches(&template.metadata.labels)
            });
            if !finds_own {
                root.field("spec.template.metadata.labels").invalid(
                    faults,
                    labels_text(template),
                    "labels that spec.selector selects",
                );
            }
        }
    }
    check_template(faults, template, policies, gates);
}

fn check_template(
    faults: &mut Faults,
    template: &PodTemplateSpec,
    policies: &'static [&'static str],
    gates: Gates,
) {
    let root = At::ROOT;
    let at = root.field("spec.template");
    check_labels(
        faults,
        &at.field("metadata.labels"),
        &template.metadata.labels,
    );
    check_spec(faults, &at.field("spec"), &template.spec, gates.into());
    at.field("spec.restartPolicy")
        .one_of(faults, &template.spec.restart_policy, policies);
}

fn labels_text(template: &PodTemplateSpec) -> String {
    let mut text = String::new();
    for (key, value) in &template.metadata.labels {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(key);
        text.push('=');
        text.push_str(value);
    }
    text
}

const ALWAYS: &[&str] = &["Always"];
const NOT_ALWAYS: &[&str] = &["OnFailure", "Never"];
