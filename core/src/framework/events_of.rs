//! Which events an update of a pod or a node makes.
//!
//! Source: spec, queue and cache 7.3.

use alloc::vec::Vec;

use crate::api::{Node, Pod, RequestOptions, ResourceList, pod_requests};
use crate::order::{self, SortedMap};

use super::cluster_event::{ActionType, ClusterEvent, EventResource};

/// The events of a pod's update, in order: one for each kind of change, or one general update.
#[must_use]
pub fn pod_update(old: &Pod, new: &Pod) -> Vec<ClusterEvent> {
    let resource = if new.is_assigned() {
        EventResource::AssignedPod
    } else {
        EventResource::UnschedulablePod
    };
    let changes = [
        (
            old.metadata.labels != new.metadata.labels,
            ActionType::UPDATE_POD_LABEL,
        ),
        (is_scaled_down(old, new), ActionType::UPDATE_POD_SCALE_DOWN),
        (
            !old.spec.scheduling_gates.is_empty() && new.spec.scheduling_gates.is_empty(),
            ActionType::UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
        ),
        (
            old.spec.tolerations.len() != new.spec.tolerations.len(),
            ActionType::UPDATE_POD_TOLERATION,
        ),
        (
            old.status.resource_claim_statuses != new.status.resource_claim_statuses
                || old.status.extended_resource_claim_status
                    != new.status.extended_resource_claim_status,
            ActionType::UPDATE_POD_GENERATED_RESOURCE_CLAIM,
        ),
    ];
    let events: Vec<ClusterEvent> = events(resource, &changes);
    if events.is_empty() {
        return alloc::vec![ClusterEvent::new(resource, ActionType::UPDATE)];
    }
    events
}

/// The events of a node's update, in order; none when nothing changed that a pod could wait for.
#[must_use]
pub fn node_update(old: &Node, new: &Node) -> Vec<ClusterEvent> {
    let changes = [
        (
            old.spec.unschedulable && !new.spec.unschedulable,
            ActionType::UPDATE_NODE_TAINT,
        ),
        (
            !same_amounts(&old.status.allocatable, &new.status.allocatable),
            ActionType::UPDATE_NODE_ALLOCATABLE,
        ),
        (
            old.metadata.labels != new.metadata.labels,
            ActionType::UPDATE_NODE_LABEL,
        ),
        (
            old.spec.taints != new.spec.taints,
            ActionType::UPDATE_NODE_TAINT,
        ),
        (
            conditions(old) != conditions(new),
            ActionType::UPDATE_NODE_CONDITION,
        ),
        (
            old.metadata.annotations != new.metadata.annotations,
            ActionType::UPDATE_NODE_ANNOTATION,
        ),
        (
            old.status.declared_features != new.status.declared_features,
            ActionType::UPDATE_NODE_DECLARED_FEATURE,
        ),
    ];
    events(EventResource::Node, &changes)
}

/// Whether a pod changed in anything but its status and what servers write into its metadata: what moves a waiting pod
/// when queueing hints are off.
///
/// Source: spec, queue and cache 11.1.
#[must_use]
pub fn is_pod_updated(old: &Pod, new: &Pod) -> bool {
    let mut before = old.metadata.clone();
    before
        .resource_version
        .clone_from(&new.metadata.resource_version);
    before.generation = new.metadata.generation;
    before.finalizers.clone_from(&new.metadata.finalizers);
    before != new.metadata
        || old.spec != new.spec
        || old.status.resource_claim_statuses != new.status.resource_claim_statuses
}

fn events(resource: EventResource, changes: &[(bool, ActionType)]) -> Vec<ClusterEvent> {
    let happened = changes.iter().filter(|(has_happened, _)| *has_happened);
    happened
        .map(|(_, action)| ClusterEvent::new(resource, *action))
        .collect()
}

/// Whether the pod asks for less of something than before, or no longer for it; statuses are consulted.
fn is_scaled_down(old: &Pod, new: &Pod) -> bool {
    // Most updates change neither what is wanted nor what is granted, and adding it all up is dear.
    if old.spec == new.spec && old.status == new.status {
        return false;
    }
    let after = pod_requests(new, RequestOptions::PLACED);
    pod_requests(old, RequestOptions::PLACED)
        .iter()
        .any(|(name, before)| after.get(name).is_none_or(|now| now < before))
}

fn same_amounts(one: &ResourceList, two: &ResourceList) -> bool {
    one.len() == two.len()
        && one
            .iter()
            .all(|(name, amount)| two.get(name) == Some(amount))
}

/// Condition type → status: heartbeats do not count.
fn conditions(node: &Node) -> SortedMap<&str, &str> {
    let all = node.status.conditions.iter();
    order::collect(all.map(|condition| (condition.type_.as_str(), condition.status.as_str())))
}

#[cfg(test)]
mod tests;
