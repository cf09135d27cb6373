//! NodeUnschedulable: a cordoned node takes only pods that put up with it.

use alloc::sync::Arc;

use crate::api::{ComparisonOperators, NO_SCHEDULE, Object, Pod, Taint};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    CycleContext, Filter, Plugin, QueueContext, Signature, Verdicts,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{Listers, PodInfo};

use super::{gates, hint, sets, sign};

/// Rejects nodes with `spec.unschedulable`. Only the flag is looked at, never the node's own taints.
///
/// Source: spec, plugins 3.4; Kubernetes v1.36 `plugins/nodeunschedulable/node_unschedulable.go`.
#[derive(Clone, Debug)]
pub struct NodeUnschedulable {
    operators: ComparisonOperators,
    taint: Taint,
}

impl NodeUnschedulable {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeUnschedulable");

    pub(super) fn build(_: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self {
            operators: gates::comparison_operators(*gates),
            taint: Taint::new(UNSCHEDULABLE, NO_SCHEDULE),
        }))
    }

    fn is_tolerated(&self, pod: &Pod) -> bool {
        self.taint
            .is_tolerated(&pod.spec.tolerations, self.operators)
    }
}

impl Plugin for NodeUnschedulable {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Nodes: queue when one came that takes pods, or takes them again. Pods: when this one now tolerates cordons.
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
            let now_tolerates = |new: &Pod| hint::is_same(pod, new) && self.is_tolerated(new);
            return Ok(hint::queue_if(new.is_some_and(|new| now_tolerates(new))));
        }
        let (old, new) = hint::nodes(old, new)?;
        let takes_pods = new.is_some_and(|node| !node.spec.unschedulable);
        let took_none = old.is_none_or(|node| node.spec.unschedulable);
        Ok(hint::queue_if(takes_pods && took_none))
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::tolerations(&pod.pod)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

impl Filter for NodeUnschedulable {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let info = cx.snapshot.node(node);
        let is_cordoned = info.node.as_ref().is_some_and(|n| n.spec.unschedulable);
        if is_cordoned && !self.is_tolerated(&pod.pod) {
            return Status::unresolvable(Reason::NodeUnschedulable);
        }
        Status::success()
    }

    /// Cost: O(cordoned nodes).
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        if self.is_tolerated(&pod.pod) {
            return;
        }
        sets::judge_among(
            nodes,
            cx.snapshot.columns().unschedulable(),
            verdicts,
            |_| Status::unresolvable(Reason::NodeUnschedulable),
        );
    }
}

/// The taint that the node controller puts on a cordoned node, and that a pod may tolerate.
const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";

const EVENTS: [EventWithHint; 2] = [
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_TAINT),
    ),
    EventWithHint::asked(EventResource::Pod, ActionType::UPDATE_POD_TOLERATION),
];
