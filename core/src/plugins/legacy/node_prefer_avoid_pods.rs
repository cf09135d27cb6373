//! NodePreferAvoidPods: nodes that ask a controller, in an annotation, to send its pods elsewhere.

use alloc::sync::Arc;

use serde_json::Value;

use crate::api::{OwnerReference, Pod};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Plugin, Score};
use crate::framework::status::{PluginError, PluginName};
use crate::node_set::NodeIndex;
use crate::snapshot::{NodeInfo, PodInfo};

/// Scores 0 where the pod's controller is not wanted and 100 everywhere else. Its weight of 10000 makes it decide.
///
/// Source: spec, configuration B.8; Kubernetes v1.21 `plugins/nodepreferavoidpods/node_prefer_avoid_pods.go`.
#[derive(Clone, Copy, Debug)]
pub struct NodePreferAvoidPods;

impl NodePreferAvoidPods {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodePreferAvoidPods");

    pub(in crate::plugins) fn build(
        _: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for NodePreferAvoidPods {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Score for NodePreferAvoidPods {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let is_avoided = controller(&pod.pod)
            .is_some_and(|controller| avoids(cx.snapshot.node(node), controller));
        Ok(if is_avoided { 0 } else { 100 })
    }
}

/// The pod's controller, if it is of a kind that nodes can ask to stay away.
fn controller(pod: &Pod) -> Option<&OwnerReference> {
    let owner = pod.metadata.controller_owner();
    owner.filter(|owner| ["ReplicationController", "ReplicaSet"].contains(&owner.kind.as_str()))
}

/// Whether the node's annotation lists the controller. One that cannot be read lists nobody.
fn avoids(info: &NodeInfo, controller: &OwnerReference) -> bool {
    let annotations = info.node.as_ref().map(|node| &node.metadata.annotations);
    let Some(text) = annotations.and_then(|annotations| annotations.get(ANNOTATION)) else {
        return false;
    };
    let avoided = serde_json::from_str::<Value>(text).unwrap_or_default();
    let entries = avoided.get("preferAvoidPods").and_then(Value::as_array);
    entries.into_iter().flatten().any(|entry| {
        let listed = entry.pointer("/podSignature/podController");
        let is = |field: &str, value: &str| {
            listed.and_then(|listed| listed.get(field)?.as_str()) == Some(value)
        };
        is("kind", &controller.kind) && is("uid", &controller.uid)
    })
}

const ANNOTATION: &str = "scheduler.alpha.kubernetes.io/preferAvoidPods";
