//! Which pods a pod belongs with: those of its services and of its controller.

use crate::api::{Kind, OwnerReference, Pod, Selector, StringMap};
use crate::snapshot::Listers;

/// Selects the pods that share a service or the controller with `pod`; selects everything when it has neither.
///
/// A controller that cannot be found, or whose selector cannot be read, adds nothing.
/// Cost: a look at every service of the namespace.
/// Source: spec, PodTopologySpread 10.2.
pub(super) fn owner_selector(listers: &Listers, pod: &Pod) -> Selector {
    let namespace = pod.metadata.namespace.as_str();
    let mut labels = StringMap::new();
    for service in listers.services.in_namespace(namespace) {
        let Some(selector) = &service.spec.selector else {
            continue;
        };
        if is_part_of(selector, &pod.metadata.labels) {
            labels.extend(selector.clone());
        }
    }
    let Some(owner) = pod.metadata.controller_owner() else {
        return Selector::from_labels(&labels);
    };
    if is(owner, Kind::ReplicationController) {
        let found = listers.replication_controllers.get(namespace, &owner.name);
        if let Some(selector) = found.and_then(|found| found.spec.selector.as_ref()) {
            labels.extend(selector.clone());
        }
        return Selector::from_labels(&labels);
    }
    let own = if is(owner, Kind::ReplicaSet) {
        let found = listers.replica_sets.get(namespace, &owner.name);
        found.and_then(|found| found.spec.selector.as_ref())
    } else if is(owner, Kind::StatefulSet) {
        let found = listers.stateful_sets.get(namespace, &owner.name);
        found.and_then(|found| found.spec.selector.as_ref())
    } else {
        None
    };
    let mut selector = Selector::from_labels(&labels);
    if let Ok(own) = Selector::compile(own) {
        selector.extend(&own);
    }
    selector
}

/// Whether `labels` has every entry of `wanted`.
pub(super) fn is_part_of(wanted: &StringMap, labels: &StringMap) -> bool {
    wanted
        .iter()
        .all(|(key, value)| labels.get(key) == Some(value))
}

fn is(owner: &OwnerReference, kind: Kind) -> bool {
    owner.kind == kind.as_str() && owner.api_version == kind.api_version()
}
