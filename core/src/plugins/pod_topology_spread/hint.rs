//! Which events could help a pod that stood out too far.

use crate::api::{Node, Object, Pod};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::extension::QueueContext;
use crate::framework::status::PluginError;
use crate::plugins::hint::{is_same, nodes, pods, queue_if};
use crate::snapshot::PodInfo;

use super::PodTopologySpread;
use super::constraint::{Constraint, WhenUnsatisfiable};

impl PodTopologySpread {
    /// Source: spec, plugins 10.6.
    pub(super) fn hint_for_pod(
        &self,
        cx: &QueueContext<'_>,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let (old, new) = pods(old, new)?;
        if [old, new]
            .into_iter()
            .flatten()
            .any(|other| !is_involved(pod, other))
        {
            return Ok(QueueingHint::QueueSkip);
        }
        let constraints = self.hard(cx, pod)?;
        let matches = |constraint: &Constraint, other: &Pod| {
            constraint.selector.matches(&other.metadata.labels)
        };
        Ok(queue_if(match (old, new) {
            (Some(old), Some(new)) => {
                let tolerates_other = is_same(pod, new)
                    && old.spec.tolerations != new.spec.tolerations
                    && constraints
                        .iter()
                        .any(|constraint| constraint.honors_taints);
                let is_counted_otherwise = constraints
                    .iter()
                    .any(|constraint| matches(constraint, old) != matches(constraint, new));
                tolerates_other || is_counted_otherwise
            }
            (Some(one), None) | (None, Some(one)) => constraints
                .iter()
                .any(|constraint| matches(constraint, one)),
            (None, None) => true,
        }))
    }

    /// Source: spec, plugins 10.6.
    pub(super) fn hint_for_node(
        &self,
        cx: &QueueContext<'_>,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let (old, new) = nodes(old, new)?;
        let constraints = self.hard(cx, pod)?;
        let value = |constraint: &Constraint, node: &Node| {
            node.metadata.labels.get(&*constraint.topology_key).cloned()
        };
        let has_all_keys = |node: &Node| {
            constraints
                .iter()
                .all(|constraint| value(constraint, node).is_some())
        };
        Ok(queue_if(match (old, new) {
            (Some(old), Some(new)) => {
                let is_in = has_all_keys(new);
                let moved = constraints
                    .iter()
                    .any(|constraint| value(constraint, old) != value(constraint, new));
                has_all_keys(old) != is_in
                    || (is_in && (moved || old.spec.taints != new.spec.taints))
            }
            (Some(one), None) | (None, Some(one)) => has_all_keys(one),
            (None, None) => true,
        }))
    }

    fn hard(
        &self,
        cx: &QueueContext<'_>,
        pod: &PodInfo,
    ) -> Result<alloc::vec::Vec<Constraint>, PluginError> {
        self.constraints(cx.listers, &pod.pod, WhenUnsatisfiable::DoNotSchedule)
    }
}

/// Whether a pod can change what the waiting pod's constraints count, or is that pod.
fn is_involved(pod: &PodInfo, other: &Pod) -> bool {
    let has_node = !other.spec.node_name.is_empty() || !other.status.nominated_node_name.is_empty();
    is_same(pod, other) || (has_node && other.metadata.namespace == *pod.reference.namespace)
}
