//! DaemonSets: a pod on every node that it may run on, pinned there before the scheduler sees it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::{
    ComparisonOperators, DaemonSet, DaemonSetStatus, Kind, NAME_FIELD, Node, NodeSelector,
    NodeSelectorRequirement, NodeSelectorTerm, Object, ObjectKey, Pod, RequiredNodeAffinity,
    Toleration, untolerated_hard_taint,
};
use crate::order;

use super::super::world::World;
use super::{pods, replica_set};

#[inline(never)]
pub(super) fn sync(world: &mut World, key: &ObjectKey) {
    let set = match world.get(key).cloned() {
        Some(Object::DaemonSet(set)) => set,
        None => return replica_set::collect(world, key),
        Some(_) => return,
    };
    if set.metadata.is_terminating() {
        return;
    }
    let probe = pod_for(&set, "", String::new());
    let required = RequiredNodeAffinity::of(&unpinned(&set));
    let nodes: Vec<Arc<Node>> = world
        .list(Kind::Node)
        .filter_map(|object| match object {
            Object::Node(node) => Some(node.clone()),
            _ => None,
        })
        .collect();
    let only = &set.spec.template.spec.node_name;
    let fits = nodes.iter().filter(|node| {
        if !only.is_empty() && *only != node.metadata.name {
            return false;
        }
        let (taints, tolerations) = (&node.spec.taints, &probe.spec.tolerations);
        let operators = ComparisonOperators::Off;
        required.matches(node) && untolerated_hard_taint(taints, tolerations, operators).is_none()
    });
    let wanted: BTreeSet<&str> = order::collect(fits.map(|node| node.metadata.name.as_str()));
    let mut there: BTreeMap<String, Vec<Arc<Pod>>> = BTreeMap::new();
    for pod in pods::owned(world, &set.metadata) {
        if let Some(node) = node_of(&pod) {
            there.entry(node).or_default().push(pod);
        }
    }
    for (node, pods) in &there {
        let is_gone = !nodes.iter().any(|known| known.metadata.name == *node);
        if is_gone || !wanted.contains(node.as_str()) {
            pods.iter()
                .filter(|pod| pods::is_active(pod))
                .for_each(|pod| {
                    pods::delete(world, pod);
                });
        }
    }
    for node in &wanted {
        let has_one = there
            .get(*node)
            .is_some_and(|pods| pods.iter().any(|pod| !pod.is_finished()));
        if !has_one {
            let before = there.get(*node).map_or(0, Vec::len);
            make(world, key, &set, node, before);
        }
    }
    write_status(world, &set, wanted.len());
}

/// The template as a pod of its own, without a node.
fn unpinned(set: &DaemonSet) -> Pod {
    pods::from_template(
        &set.spec.template,
        Kind::DaemonSet,
        &set.metadata,
        String::new(),
    )
}

fn pod_for(set: &DaemonSet, node: &str, name: String) -> Pod {
    let mut pod = unpinned(set);
    pod.metadata.name = name;
    pin(&mut pod, node);
    tolerate(&mut pod);
    pod
}

/// Whatever nodes the template wants is decided already; the pod wants this one.
fn pin(pod: &mut Pod, node: &str) {
    let affinity = pod.spec.affinity.get_or_insert_default();
    let nodes = affinity.node_affinity.get_or_insert_default();
    let by_name = NodeSelectorRequirement {
        key: NAME_FIELD.to_string(),
        operator: "In".to_string(),
        values: vec![node.to_string()],
    };
    let required = &mut nodes.required_during_scheduling_ignored_during_execution;
    let terms = required
        .take()
        .map(|required| required.node_selector_terms)
        .unwrap_or_default();
    let terms = if terms.is_empty() {
        vec![NodeSelectorTerm::default()]
    } else {
        terms
    };
    // A term without requirements matches no node, so what was empty is replaced, not extended.
    let pinned = terms.into_iter().map(|mut term| {
        term.match_fields = vec![by_name.clone()];
        term
    });
    *required = Some(NodeSelector {
        node_selector_terms: pinned.collect(),
    });
}

/// Daemons put up with what nodes usually suffer from.
fn tolerate(pod: &mut Pod) {
    let mut kinds = vec![
        ("node.kubernetes.io/not-ready", "NoExecute"),
        ("node.kubernetes.io/unreachable", "NoExecute"),
        ("node.kubernetes.io/disk-pressure", "NoSchedule"),
        ("node.kubernetes.io/memory-pressure", "NoSchedule"),
        ("node.kubernetes.io/pid-pressure", "NoSchedule"),
        ("node.kubernetes.io/unschedulable", "NoSchedule"),
    ];
    if pod.spec.host_network {
        kinds.push(("node.kubernetes.io/network-unavailable", "NoSchedule"));
    }
    for (key, effect) in kinds {
        let toleration = Toleration {
            key: key.to_string(),
            operator: "Exists".to_string(),
            effect: effect.to_string(),
            ..Toleration::default()
        };
        if !pod.spec.tolerations.contains(&toleration) {
            pod.spec.tolerations.push(toleration);
        }
    }
}

/// The node that a daemon's pod is on or pinned to.
fn node_of(pod: &Pod) -> Option<String> {
    if pod.is_assigned() {
        return Some(pod.spec.node_name.clone());
    }
    let nodes = pod.spec.affinity.as_ref()?.node_affinity.as_ref()?;
    let required = nodes
        .required_during_scheduling_ignored_during_execution
        .as_ref()?;
    let fields = required
        .node_selector_terms
        .iter()
        .flat_map(|term| &term.match_fields);
    fields
        .filter(|field| field.key == NAME_FIELD)
        .find_map(|field| field.values.first().cloned())
}

fn make(world: &mut World, key: &ObjectKey, set: &DaemonSet, node: &str, before: usize) {
    let prefix = format!("{}-", set.metadata.name);
    // The name follows from the node, so that another node changes no other pod's name. It is the same where a `usize`
    // has 32 bits.
    let start = u32::try_from(before).unwrap_or(u32::MAX);
    let reason = node.bytes().fold(start, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    let reason = usize::try_from(reason).unwrap_or(0);
    let name = pods::free_name(world, &set.metadata.namespace, &prefix, reason);
    pods::create(world, key, pod_for(set, node, name));
}

fn write_status(world: &mut World, set: &Arc<DaemonSet>, wanted: usize) {
    let active: Vec<_> = pods::owned(world, &set.metadata)
        .into_iter()
        .filter(|pod| pods::is_active(pod))
        .collect();
    let ready = pods::number(active.iter().filter(|pod| pods::is_ready(pod)).count());
    let status = DaemonSetStatus {
        current_number_scheduled: pods::number(active.len()),
        desired_number_scheduled: pods::number(wanted),
        updated_number_scheduled: pods::number(active.len()),
        number_ready: ready,
        number_available: ready,
        number_unavailable: (pods::number(wanted) - ready).max(0),
        observed_generation: set.metadata.generation,
        ..set.status.clone()
    };
    if status != set.status {
        let mut set = set.clone();
        Arc::make_mut(&mut set).status = status;
        world.write(Object::DaemonSet(set));
    }
}
