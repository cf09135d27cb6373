//! What may change once an object exists.

use alloc::vec::Vec;

use crate::api::{Container, Object, Pod, PodSpec, ResourceRequirements, StringMap};

use super::super::error::{Faults, InputError};
use super::at::At;

/// What is wrong with replacing `old` by `new`; empty if nothing is.
pub(in crate::sim) fn check_update(old: &Object, new: &Object) -> Faults {
    let mut faults = Vec::new();
    let root = At::ROOT;
    let mut fixed = |path: &str, is_same: bool| {
        if !is_same {
            root.field(path).fault(&mut faults, InputError::Immutable);
        }
    };
    match (old, new) {
        (Object::Pod(old), Object::Pod(new)) => check_pod(&mut faults, old, new),
        (Object::PriorityClass(old), Object::PriorityClass(new)) => {
            fixed("value", old.value == new.value);
            fixed(
                "preemptionPolicy",
                old.preemption_policy == new.preemption_policy,
            );
        }
        (Object::StorageClass(old), Object::StorageClass(new)) => {
            fixed("provisioner", old.provisioner == new.provisioner);
            fixed("parameters", old.parameters == new.parameters);
            fixed("reclaimPolicy", old.reclaim_policy == new.reclaim_policy);
            fixed(
                "volumeBindingMode",
                old.volume_binding_mode == new.volume_binding_mode,
            );
        }
        (Object::ReplicaSet(old), Object::ReplicaSet(new)) => {
            fixed("spec.selector", old.spec.selector == new.spec.selector);
        }
        (Object::Deployment(old), Object::Deployment(new)) => {
            fixed("spec.selector", old.spec.selector == new.spec.selector);
        }
        (Object::DaemonSet(old), Object::DaemonSet(new)) => {
            fixed("spec.selector", old.spec.selector == new.spec.selector);
        }
        (Object::StatefulSet(old), Object::StatefulSet(new)) => {
            fixed("spec.selector", old.spec.selector == new.spec.selector);
            fixed(
                "spec.serviceName",
                old.spec.service_name == new.spec.service_name,
            );
        }
        (Object::Job(old), Object::Job(new)) => {
            fixed(
                "spec.completions",
                old.spec.completions == new.spec.completions,
            );
            fixed("spec.template", old.spec.template == new.spec.template);
        }
        _ => {}
    }
    faults
}

/// A pod's spec is fixed, but for images, its deadline, more tolerations, gates that go, amounts (a resize), and, while
/// it is gated, a narrower choice of nodes.
fn check_pod(faults: &mut Faults, old: &Pod, new: &Pod) {
    let root = At::ROOT;
    let at = root.field("spec");
    check_pod_containers(faults, &at, &old.spec, &new.spec);
    let mut kept = new.spec.tolerations.clone();
    // An unset time of a toleration with seconds is the only thing that may change about it.
    for toleration in &old.spec.tolerations {
        match kept.iter().position(|new| {
            let mut same = new.clone();
            same.toleration_seconds = toleration.toleration_seconds;
            same == *toleration
        }) {
            Some(place) => {
                kept.remove(place);
            }
            None => {
                at.field("tolerations").fault(
                    faults,
                    InputError::forbidden("a toleration less or changed", "only more of them"),
                );
                break;
            }
        }
    }
    let adds_gate = new
        .spec
        .scheduling_gates
        .iter()
        .any(|gate| !old.spec.scheduling_gates.contains(gate));
    if adds_gate {
        at.field("schedulingGates").fault(
            faults,
            InputError::forbidden("a gate more", "only fewer of them"),
        );
    }
    let is_gated = !old.spec.scheduling_gates.is_empty();
    let mut rest = new.spec.clone();
    forget_changeable(&mut rest, &old.spec);
    if is_gated {
        if has_all(&new.spec.node_selector, &old.spec.node_selector) {
            rest.node_selector = old.spec.node_selector.clone();
        }
        rest.affinity = old.spec.affinity.clone();
    }
    for path in different_fields(&old.spec, &rest) {
        at.field(path).fault(faults, InputError::Immutable);
    }
}

fn has_all(labels: &StringMap, wanted: &StringMap) -> bool {
    wanted
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}

fn check_pod_containers(faults: &mut Faults, at: &At<'_>, old: &PodSpec, new: &PodSpec) {
    let lists = [
        ("containers", &old.containers, &new.containers),
        ("initContainers", &old.init_containers, &new.init_containers),
    ];
    for (field, old, new) in lists {
        let at = at.field(field);
        if old.len() != new.len() {
            at.fault(faults, InputError::Immutable);
            continue;
        }
        for (index, (old, new)) in old.iter().zip(new).enumerate() {
            let at = at.index(index);
            let same = Container {
                image: new.image.clone(),
                ..old.clone()
            };
            if same == *new {
                continue;
            }
            let except_resources = Container {
                resources: old.resources.clone(),
                ..new.clone()
            };
            if except_resources == same {
                at.field("resources").fault(faults, InputError::Immutable);
            } else {
                at.fault(faults, InputError::Immutable);
            }
        }
    }
}

/// Makes what may change equal to what was.
fn forget_changeable(spec: &mut PodSpec, old: &PodSpec) {
    spec.containers = old.containers.clone();
    spec.init_containers = old.init_containers.clone();
    spec.tolerations = old.tolerations.clone();
    spec.scheduling_gates = old.scheduling_gates.clone();
    spec.active_deadline_seconds = old.active_deadline_seconds;
    if old.termination_grace_period_seconds.is_some_and(|s| s < 0) {
        spec.termination_grace_period_seconds = old.termination_grace_period_seconds;
    }
}

/// The names of the fields in which two specs differ.
fn different_fields(old: &PodSpec, new: &PodSpec) -> Vec<&'static str> {
    if old == new {
        return Vec::new();
    }
    let pairs = [
        ("nodeName", old.node_name == new.node_name),
        ("schedulerName", old.scheduler_name == new.scheduler_name),
        ("nodeSelector", old.node_selector == new.node_selector),
        ("affinity", old.affinity == new.affinity),
        (
            "topologySpreadConstraints",
            old.topology_spread_constraints == new.topology_spread_constraints,
        ),
        ("priority", old.priority == new.priority),
        (
            "priorityClassName",
            old.priority_class_name == new.priority_class_name,
        ),
        (
            "preemptionPolicy",
            old.preemption_policy == new.preemption_policy,
        ),
        ("overhead", old.overhead == new.overhead),
        ("resources", same_resources(&old.resources, &new.resources)),
        ("resourceClaims", old.resource_claims == new.resource_claims),
        ("volumes", old.volumes == new.volumes),
        ("hostNetwork", old.host_network == new.host_network),
        ("restartPolicy", old.restart_policy == new.restart_policy),
    ];
    let mut names: Vec<&'static str> = pairs
        .iter()
        .filter(|(_, is_same)| !is_same)
        .map(|(name, _)| *name)
        .collect();
    if names.is_empty() {
        names.push("terminationGracePeriodSeconds");
    }
    names
}

fn same_resources(old: &Option<ResourceRequirements>, new: &Option<ResourceRequirements>) -> bool {
    old == new
}
