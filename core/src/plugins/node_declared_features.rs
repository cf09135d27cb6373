//! NodeDeclaredFeatures: a pod goes only to nodes that say they have the features it needs.

use alloc::sync::Arc;

use smallvec::SmallVec;

use crate::api::{Object, Pod};
use crate::config::{ConfigError, Gate, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueueContext, Signature,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::snapshot::{Listers, PodInfo};

use super::{hint, sign};

/// Rejects nodes that do not declare a feature which the pod's spec implies. With its gate off it does nothing.
///
/// Source: spec, plugins 3.10; Kubernetes v1.36 `plugins/nodedeclaredfeatures/nodedeclaredfeatures.go`.
#[derive(Clone, Copy, Debug)]
pub struct NodeDeclaredFeatures {
    is_on: bool,
}

/// Features by name, in name order.
type Features = SmallVec<[&'static str; 2]>;

impl NodeDeclaredFeatures {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeDeclaredFeatures");

    pub(super) fn build(_: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self {
            is_on: gates.enabled(Gate::NodeDeclaredFeatures),
        }))
    }
}

impl Plugin for NodeDeclaredFeatures {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(if self.is_on { &EVENTS } else { &[] })
    }

    /// Nodes: queue when one came or its list changed. Pods: when this one now needs something else.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        if registered.resource == EventResource::Pod {
            let (old, new) = hint::pods(old, new)?;
            let could_help = new.is_some_and(|new| {
                let before = old.map(|old| required(old)).unwrap_or_default();
                hint::is_same(pod, new) && before != required(new)
            });
            return Ok(hint::queue_if(could_help));
        }
        let (old, new) = hint::nodes(old, new)?;
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(QueueingHint::Queue);
        };
        let is_changed = old.status.declared_features != new.status.declared_features;
        Ok(hint::queue_if(is_changed))
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::part(
            "v1.Pod.Spec.RequiredFeatures()",
            sign::written(&required(&pod.pod)),
        )
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

impl PreFilter for NodeDeclaredFeatures {
    fn pre_filter(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let features = required(&pod.pod);
        if !self.is_on || features.is_empty() {
            return Status::skip().into();
        }
        state.write_until_chosen(STATE, features);
        PreFiltered::default()
    }
}

impl Filter for NodeDeclaredFeatures {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let Some(needed) = state.read::<Features>(STATE) else {
            return Status::success();
        };
        let declared = &cx.snapshot.node(node).declared_features;
        if needed.iter().all(|feature| declared.contains(*feature)) {
            return Status::success();
        }
        Status::unresolvable(Reason::MissingFeatures)
    }
}

/// The features that a pod's spec implies. Those that matter only for updates or streaming are never among them.
fn required(pod: &Pod) -> Features {
    let spec = &pod.spec;
    let mut features = Features::new();
    let restarts_all = spec.all_containers().any(|container| {
        let mut rules = container.restart_policy_rules.iter();
        rules.any(|rule| rule.action == "RestartAllContainers")
    });
    if restarts_all {
        features.push("RestartAllContainersOnContainerExits");
    }
    if spec.host_network && spec.host_users == Some(false) {
        features.push("UserNamespacesHostNetworkSupport");
    }
    features
}

const STATE: StateKey = StateKey("PreFilterNodeDeclaredFeatures");

const EVENTS: [EventWithHint; 2] = [
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_DECLARED_FEATURE),
    ),
    EventWithHint::asked(EventResource::Pod, ActionType::UPDATE),
];

#[cfg(test)]
mod tests;
