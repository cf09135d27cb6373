//! What the API server refuses: Kubernetes 1.36's validation for the fields that Berth knows.
//!
//! Everything wrong with an object is reported at once, each with its field. Rules that need other objects (classes of
//! importance, names that are taken) are admission's, in `world`.

mod affinity;
mod at;
mod meta;
mod node;
mod pod;
mod resources;
mod storage;
mod update;
mod workload;

use alloc::vec::Vec;

use crate::api::{Object, PriorityClass};
use crate::config::{Gate, Gates};

use super::error::{Faults, InputError};
use at::At;

pub(super) use update::check_update;

/// What is wrong with an object whose defaults are filled in; empty if nothing is.
pub(super) fn check(object: &Object, gates: Gates) -> Faults {
    let mut faults = Vec::new();
    meta::check(&mut faults, object);
    let root = At::ROOT;
    match object {
        Object::Pod(pod) => pod::check_pod(&mut faults, pod, gates),
        Object::Node(node) => node::check_node(&mut faults, node),
        Object::PriorityClass(class) => check_priority_class(&mut faults, class),
        Object::PersistentVolume(volume) => storage::check_volume(&mut faults, volume),
        Object::PersistentVolumeClaim(claim) => {
            storage::check_claim(&mut faults, &root.field("spec"), &claim.spec);
        }
        Object::StorageClass(class) => storage::check_class(&mut faults, class),
        Object::PodDisruptionBudget(budget) => workload::check_budget(&mut faults, budget),
        Object::ReplicaSet(set) => workload::check_replica_set(&mut faults, set, gates),
        Object::ReplicationController(set) => workload::check_controller(&mut faults, set, gates),
        Object::Deployment(set) => workload::check_deployment(&mut faults, set, gates),
        Object::StatefulSet(set) => workload::check_stateful_set(&mut faults, set, gates),
        Object::DaemonSet(set) => workload::check_daemon_set(&mut faults, set, gates),
        Object::Job(job) => workload::check_job(&mut faults, job, gates),
        _ => {}
    }
    faults
}

/// The rules that some gates change.
#[derive(Clone, Copy)]
struct Rules {
    compares_taints: bool,
}

impl From<Gates> for Rules {
    fn from(gates: Gates) -> Self {
        Self {
            compares_taints: gates.enabled(Gate::TaintTolerationComparisonOperators),
        }
    }
}

fn check_priority_class(faults: &mut Faults, class: &PriorityClass) {
    let root = At::ROOT;
    let name = class.metadata.name.as_str();
    let known = SYSTEM_CLASSES.iter().find(|(system, _)| *system == name);
    match known {
        Some((_, value)) if *value != class.value => {
            let expected = alloc::format!("{value}, which {name} has in every cluster");
            root.field("value").invalid(faults, class.value, expected);
        }
        Some(_) => {}
        None => {
            if name.starts_with("system-") {
                root.field("metadata.name").invalid(
                    faults,
                    name,
                    "a name without the prefix system-, which Kubernetes keeps for itself",
                );
            }
            if class.value > MAX_USER_PRIORITY {
                root.field("value").fault(
                    faults,
                    InputError::invalid(class.value, "at most 1000000000"),
                );
            }
        }
    }
    if let Some(policy) = &class.preemption_policy {
        root.field("preemptionPolicy")
            .one_of(faults, policy, PREEMPTION_POLICIES);
    }
}

/// The classes that exist in every cluster, with their values.
pub(super) const SYSTEM_CLASSES: [(&str, i32); 2] = [
    ("system-cluster-critical", 2_000_000_000),
    ("system-node-critical", 2_000_001_000),
];
const MAX_USER_PRIORITY: i32 = 1_000_000_000;
const PREEMPTION_POLICIES: &[&str] = &["PreemptLowerPriority", "Never"];

#[cfg(test)]
mod tests;
