//! TaintToleration: hard taints keep pods off, soft ones cost score.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    ComparisonOperators, Node, Object, PREFER_NO_SCHEDULE, Pod, Taint, Toleration,
    untolerated_hard_taint,
};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreScore, QueueContext, Score, Signature, Verdicts,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::num;
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::{gates, hint, sets, sign};

/// Rejects nodes with a hard taint that the pod does not tolerate, and scores nodes by how few soft ones it does not.
///
/// Source: spec, plugins 3.5; Kubernetes v1.36 `plugins/tainttoleration/taint_toleration.go`.
#[derive(Clone, Copy, Debug)]
pub struct TaintToleration {
    operators: ComparisonOperators,
}

impl TaintToleration {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("TaintToleration");

    pub(super) fn build(_: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self {
            operators: gates::comparison_operators(*gates),
        }))
    }

    fn untolerated<'a>(&self, taints: &'a [Taint], pod: &Pod) -> Option<&'a Taint> {
        untolerated_hard_taint(taints, &pod.spec.tolerations, self.operators)
    }

    /// How many soft taints none of `tolerations`, those that may speak of soft taints, tolerates.
    fn count_soft(&self, info: &NodeInfo, tolerations: &[&Toleration]) -> i64 {
        let is_tolerated = |taint: &Taint| {
            let mut tolerations = tolerations.iter();
            tolerations.any(|toleration| toleration.tolerates(taint, self.operators))
        };
        let soft = taints(info)
            .iter()
            .filter(|taint| taint.effect == PREFER_NO_SCHEDULE);
        soft.map(|taint| i64::from(!is_tolerated(taint))).sum()
    }

    fn node_hint(self, pod: &Pod, old: Option<&Arc<Node>>, new: Option<&Arc<Node>>) -> bool {
        let is_off = |node: &Arc<Node>| self.untolerated(&node.spec.taints, pod).is_some();
        new.is_some_and(|node| !is_off(node)) && old.is_none_or(is_off)
    }
}

impl Plugin for TaintToleration {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Nodes: queue when one that the pod could not go to now takes it. Pods: when it is this one.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        if registered.resource == EventResource::Pod {
            let (_, new) = hint::pods(old, new)?;
            return Ok(hint::queue_if(
                new.is_some_and(|new| hint::is_same(pod, new)),
            ));
        }
        let (old, new) = hint::nodes(old, new)?;
        Ok(hint::queue_if(self.node_hint(&pod.pod, old, new)))
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::tolerations(&pod.pod)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Filter for TaintToleration {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        match self.untolerated(taints(cx.snapshot.node(node)), &pod.pod) {
            None => Status::success(),
            Some(taint) => rejection(text(taint)),
        }
    }

    /// Cost: O(nodes with a hard taint).
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        // Pools of nodes share their taints, so neighbours mostly share the text.
        let mut last: Option<(&Taint, Arc<str>)> = None;
        let suspects = cx.snapshot.columns().hard_taints();
        sets::judge_among(nodes, suspects, verdicts, |node| {
            let Some(taint) = self.untolerated(taints(cx.snapshot.node(node)), &pod.pod) else {
                return Status::success();
            };
            let (_, text) = match last.take() {
                Some((known, text)) if is_alike(known, taint) => last.insert((known, text)),
                _ => last.insert((taint, text(taint))),
            };
            rejection(text.clone())
        });
    }
}

impl PreScore for TaintToleration {
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        Status::success()
    }
}

impl Score for TaintToleration {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        Ok(self.count_soft(cx.snapshot.node(node), &about_soft(&pod.pod)))
    }

    /// Cost: O(nodes), and a look at the taints of those that have soft ones.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let tolerations = about_soft(&pod.pod);
        let soft = cx.snapshot.columns().soft_taints();
        for (node, slot) in nodes.iter().zip(column) {
            *slot = if soft.contains(*node) {
                self.count_soft(cx.snapshot.node(*node), &tolerations)
            } else {
                0
            };
        }
        Ok(())
    }

    fn has_normalize(&self) -> bool {
        true
    }

    fn normalize(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        num::default_normalize(column, true);
        Ok(())
    }
}

/// The tolerations that can be about a soft taint.
fn about_soft(pod: &Pod) -> Vec<&Toleration> {
    let is_about_soft = |toleration: &&Toleration| {
        toleration.effect.is_empty() || toleration.effect == PREFER_NO_SCHEDULE
    };
    pod.spec.tolerations.iter().filter(is_about_soft).collect()
}

fn taints(info: &NodeInfo) -> &[Taint] {
    info.node
        .as_ref()
        .map_or(&[], |node| node.spec.taints.as_slice())
}

// QUIRK: unlike in older releases the text names no taint; the reason carries it for explanations.
fn rejection(taint: Arc<str>) -> Status {
    Status::unresolvable(Reason::UntoleratedTaint { taint })
}

/// `key=value:effect`, or `key:effect` without a value.
fn text(taint: &Taint) -> Arc<str> {
    let equals = if taint.value.is_empty() { "" } else { "=" };
    Arc::from([&*taint.key, equals, &*taint.value, ":", &*taint.effect].concat())
}

fn is_alike(one: &Taint, two: &Taint) -> bool {
    one.key == two.key && one.value == two.value && one.effect == two.effect
}

const EVENTS: [EventWithHint; 2] = [
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_TAINT),
    ),
    EventWithHint::asked(EventResource::Pod, ActionType::UPDATE_POD_TOLERATION),
];

#[cfg(test)]
mod tests;
