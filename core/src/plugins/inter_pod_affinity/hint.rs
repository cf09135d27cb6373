//! Which events could help a pod whose required terms left no node.

use crate::api::{Node, Object, Pod};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::status::PluginError;
use crate::plugins::hint::{is_same, nodes, pods, queue_if};
use crate::snapshot::PodInfo;
use crate::snapshot::affinity::{AffinityTerm, AffinityTerms};

use super::terms::all_mean;

/// Terms are matched as written here: namespaces that they only select do not count.
///
/// Source: spec, plugins 11.6.
pub(super) fn for_pod(
    pod: &PodInfo,
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = pods(old, new)?;
    if old.is_some() && new.is_some_and(|new| is_same(pod, new)) {
        return Ok(QueueingHint::Queue);
    }
    let mut others = [old, new].into_iter().flatten();
    if others.any(|other| !has_node(other)) {
        return Ok(QueueingHint::QueueSkip);
    }
    let near = |other: &Pod| all_mean(&pod.affinity.required, other);
    let apart = |other: &Pod| all_mean(&pod.affinity.required_anti, other);
    Ok(queue_if(match (old, new) {
        (Some(old), Some(new)) => (!near(old) && near(new)) || (apart(old) && !apart(new)),
        (None, Some(new)) => near(new),
        (Some(old), None) => {
            apart(old) || all_mean(&AffinityTerms::of(old).required_anti, &pod.pod)
        }
        (None, None) => true,
    }))
}

/// Source: spec, plugins 11.6.
#[inline(never)]
pub(super) fn for_node(
    pod: &PodInfo,
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = nodes(old, new)?;
    let Some(new) = new else {
        return Ok(QueueingHint::QueueSkip);
    };
    let value =
        |node: &Node, term: &AffinityTerm| node.metadata.labels.get(&*term.topology_key).cloned();
    let opens_for_affinity = pod.affinity.required.iter().any(|term| {
        let now = value(new, term);
        now.is_some() && old.is_none_or(|old| value(old, term) != now)
    });
    let opens_for_anti_affinity = pod.affinity.required_anti.iter().any(|term| match old {
        None => true,
        Some(old) => {
            let before = value(old, term);
            before.is_some() && before != value(new, term)
        }
    });
    Ok(queue_if(opens_for_affinity || opens_for_anti_affinity))
}

fn has_node(pod: &Pod) -> bool {
    !pod.spec.node_name.is_empty() || !pod.status.nominated_node_name.is_empty()
}
