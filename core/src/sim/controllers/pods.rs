//! What controllers of pods have in common.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::api::{Kind, Object, ObjectKey, ObjectMeta, OwnerReference, Pod, PodTemplateSpec};

use super::super::names;
use super::super::world::World;

/// The pods that an object manages, by name; those that have ended or are stopping included.
pub(super) fn owned(world: &World, owner: &ObjectMeta) -> Vec<Arc<Pod>> {
    let pods = world.list_in(Kind::Pod, &owner.namespace);
    pods.filter_map(|object| match object {
        Object::Pod(pod) if pod.metadata.is_controlled_by(&owner.uid) => Some(pod.clone()),
        _ => None,
    })
    .collect()
}

/// Whether a pod counts as one that its owner has: it has not ended and is not asked to.
pub(super) fn is_active(pod: &Pod) -> bool {
    !pod.is_finished() && !pod.is_terminating()
}

pub(super) fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready")
        .is_some_and(|condition| condition.status == "True")
}

/// Who manages what is made for `owner`.
pub(super) fn reference(kind: Kind, owner: &ObjectMeta) -> OwnerReference {
    OwnerReference {
        api_version: kind.api_version().to_string(),
        kind: kind.as_str().to_string(),
        name: owner.name.clone(),
        uid: owner.uid.clone(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    }
}

/// A pod as the template of its owner says.
pub(super) fn from_template(
    template: &PodTemplateSpec,
    kind: Kind,
    owner: &ObjectMeta,
    name: String,
) -> Pod {
    let mut pod = Pod {
        metadata: ObjectMeta {
            name,
            namespace: owner.namespace.clone(),
            labels: template.metadata.labels.clone(),
            annotations: template.metadata.annotations.clone(),
            finalizers: template.metadata.finalizers.clone(),
            ..ObjectMeta::default()
        },
        spec: template.spec.clone(),
        ..Pod::default()
    };
    pod.metadata.owner_references.push(reference(kind, owner));
    pod
}

/// Makes a pod; what the server refuses is noted for people.
pub(super) fn create(world: &mut World, owner: &ObjectKey, pod: Pod) -> bool {
    match world.create(pod.into()) {
        Ok(()) => true,
        Err(faults) => {
            for fault in faults {
                let what = alloc::format!("its pod is refused: {}: {}", fault.path, fault.error);
                world.note_trouble(owner.to_string(), what);
            }
            false
        }
    }
}

/// A pod name after `prefix` that follows from `reason` and was never given away.
pub(super) fn free_name(world: &World, namespace: &str, prefix: &str, reason: usize) -> String {
    let mut attempt = 0_usize;
    loop {
        let name = names::generated(prefix, &[&reason.to_string(), &attempt.to_string()]);
        let key = ObjectKey::new(Kind::Pod, namespace, name.as_str());
        if world.get(&key).is_none() && !world.gone().contains_key(&key) {
            return name;
        }
        attempt += 1;
    }
}

/// The order in which a controller gives pods up: the first is the cheapest to lose.
///
/// Source: `ActivePodsWithRanks` of Kubernetes: without a node, pending, not ready, lower deletion cost, newer; names
/// decide between equals, where Kubernetes is free.
pub(super) fn by_cost_of_loss(one: &Arc<Pod>, two: &Arc<Pod>) -> Ordering {
    let phase = |pod: &Pod| match pod.status.phase.as_str() {
        "Pending" => 0,
        "Unknown" => 1,
        _ => 2,
    };
    let cost = |pod: &Pod| {
        let text = pod
            .metadata
            .annotations
            .get("controller.kubernetes.io/pod-deletion-cost");
        text.and_then(|text| text.parse::<i32>().ok()).unwrap_or(0)
    };
    one.is_assigned()
        .cmp(&two.is_assigned())
        .then_with(|| phase(one).cmp(&phase(two)))
        .then_with(|| is_ready(one).cmp(&is_ready(two)))
        .then_with(|| cost(one).cmp(&cost(two)))
        .then_with(|| {
            let made = |pod: &Pod| pod.metadata.creation_timestamp;
            made(two).cmp(&made(one))
        })
        .then_with(|| two.metadata.name.cmp(&one.metadata.name))
}

/// Deletes a pod with its own grace period.
pub(super) fn delete(world: &mut World, pod: &Pod) {
    let key = ObjectKey::new(
        Kind::Pod,
        pod.metadata.namespace.as_str(),
        pod.metadata.name.as_str(),
    );
    // It was listed a moment ago, so it is there.
    let _ = world.delete(&key, None);
}

/// A count that cannot be negative.
pub(super) fn count(number: Option<i32>, default: usize) -> usize {
    number.map_or(default, |number| usize::try_from(number).unwrap_or(0))
}

/// A count as objects write it.
pub(super) fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
