//! How much a container may ask for, and how that may be written.

use alloc::borrow::Cow;
use alloc::format;

use crate::api::names::qualified_name_faults;
use crate::api::{
    Quantity, ResourceList, ResourceRequirements, is_extended_resource, is_hugepages,
    is_native_resource, is_pod_level_resource,
};

use super::super::error::{Faults, InputError};
use super::at::At;
use super::meta::check_text;

/// What a container asks for and may use.
pub(super) fn check_container(faults: &mut Faults, at: &At<'_>, resources: &ResourceRequirements) {
    check_requirements(
        faults,
        at,
        resources,
        is_container_resource,
        "cpu, memory, ephemeral-storage, hugepages-SIZE, or a name with a domain such as example.com/gpu",
    );
    let has =
        |name: &str| resources.requests.contains_key(name) || resources.limits.contains_key(name);
    let uses_hugepages = resources.requests.keys().any(|name| is_hugepages(name));
    if uses_hugepages && !has("cpu") && !has("memory") {
        at.fault(
            faults,
            InputError::forbidden("a request for huge pages alone", "cpu or memory beside it"),
        );
    }
}

/// What the pod as a whole asks for and may use.
pub(super) fn check_pod_level(faults: &mut Faults, at: &At<'_>, resources: &ResourceRequirements) {
    check_requirements(
        faults,
        at,
        resources,
        is_pod_level_resource,
        "cpu, memory or hugepages-SIZE, which a pod as a whole can ask for",
    );
}

fn check_requirements(
    faults: &mut Faults,
    at: &At<'_>,
    resources: &ResourceRequirements,
    is_known: fn(&str) -> bool,
    names: &'static str,
) {
    for (field, list) in [
        ("limits", &resources.limits),
        ("requests", &resources.requests),
    ] {
        let at = at.field(field);
        for (name, amount) in list {
            let at = at.key(name);
            check_text(faults, &at, name, qualified_name_faults);
            if !is_known(name) {
                at.invalid(faults, name, names);
            }
            check_amount(faults, &at, name, *amount);
        }
    }
    for (name, request) in &resources.requests {
        let requests = at.field("requests");
        let at = requests.key(name);
        match resources.limits.get(name) {
            Some(limit) if is_overcommittable(name) && request > limit => {
                at.invalid(faults, request, format!("at most the limit of {limit}"));
            }
            Some(limit) if !is_overcommittable(name) && request != limit => {
                at.invalid(
                    faults,
                    request,
                    format!("the limit of {limit}, as {name} cannot be overcommitted"),
                );
            }
            None if !is_overcommittable(name) => {
                at.fault(
                    faults,
                    InputError::Missing {
                        expected: Cow::Owned(format!(
                            "a limit equal to the request, as {name} cannot be overcommitted"
                        )),
                    },
                );
            }
            _ => {}
        }
    }
}

/// Amounts by name, each not negative: overhead, a node's capacity.
pub(super) fn check_list(faults: &mut Faults, at: &At<'_>, list: &ResourceList) {
    for (name, amount) in list {
        let at = at.key(name);
        check_text(faults, &at, name, qualified_name_faults);
        check_amount(faults, &at, name, *amount);
    }
}

/// An amount of one resource.
pub(super) fn check_amount(faults: &mut Faults, at: &At<'_>, name: &str, amount: Quantity) {
    if amount.is_negative() {
        at.invalid(faults, amount, "0 or more");
    } else if is_counted_whole(name) && !amount.is_whole() {
        at.invalid(faults, amount, "a whole number");
    }
}

fn is_container_resource(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage")
        || is_hugepages(name)
        || name.contains('/')
}

/// Whether the sum of limits may exceed what a node has.
fn is_overcommittable(name: &str) -> bool {
    is_native_resource(name) && !is_hugepages(name)
}

fn is_counted_whole(name: &str) -> bool {
    name == "pods" || is_extended_resource(name)
}
