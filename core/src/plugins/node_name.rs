//! NodeName: a pod that names its node goes nowhere else.
//!
//! A pod with `spec.nodeName` never enters the queue in normal operation; the check matters to simulations and extenders.

use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{ActionType, EventResource, EventWithHint};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, Plugin, Signature, Verdicts};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{Listers, PodInfo};

use super::sign;

/// Rejects every node but the one that the pod names.
///
/// Source: spec, plugins 3.3; Kubernetes v1.36 `plugins/nodename/node_name.go`.
#[derive(Clone, Copy, Debug)]
pub struct NodeName;

impl NodeName {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeName");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for NodeName {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::part("v1.Pod.Spec.NodeName", pod.pod.spec.node_name.as_str())
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

impl Filter for NodeName {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let wanted = pod.pod.spec.node_name.as_str();
        if wanted.is_empty() || wanted == &**cx.snapshot.name(node) {
            return Status::success();
        }
        Status::unresolvable(Reason::NodeNameMismatch)
    }

    /// Cost: nothing for a pod that names no node.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let wanted = pod.pod.spec.node_name.as_str();
        if wanted.is_empty() {
            return;
        }
        let row = cx.snapshot.row(wanted);
        nodes.retain(|node| {
            let is_named = Some(node) == row;
            if !is_named {
                verdicts.reject(node, Status::unresolvable(Reason::NodeNameMismatch));
            }
            is_named
        });
    }
}

const EVENTS: [EventWithHint; 1] = [EventWithHint::always(EventResource::Node, ActionType::ADD)];
