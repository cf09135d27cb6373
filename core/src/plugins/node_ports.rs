//! NodePorts: two pods cannot take the same port of a node.

use alloc::sync::Arc;

use crate::api::{Object, Pod};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueueContext, Signature,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::order::{self, SortedSet};
use crate::snapshot::{Listers, PodInfo};

use super::{hint, sign};

/// Rejects nodes on which a port that the pod wants is taken.
///
/// It keeps no counts: a dry run changes the copy of a node, and with it the ports in use.
/// Source: spec, plugins 3.7; Kubernetes v1.36 `plugins/nodeports/node_ports.go`.
#[derive(Clone, Copy, Debug)]
pub struct NodePorts;

impl NodePorts {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodePorts");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for NodePorts {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Queue when the pod that went held, or was promised, a port that this one wants.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let (old, _) = hint::pods(old, new)?;
        Ok(hint::queue_if(old.is_some_and(|gone| {
            hint::had_place(gone) && conflicts(pod, gone)
        })))
    }

    /// QUIRK: the numbers only, neither protocol nor address.
    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        let containers = pod.pod.spec.all_containers();
        let ports = containers.flat_map(|container| &container.ports);
        let ports = ports.map(|port| port.host_port).filter(|port| *port != 0);
        let ports: SortedSet<i32> = order::collect(ports);
        sign::part("v1.Pod.Spec.HostPorts()", sign::written(&ports))
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

impl PreFilter for NodePorts {
    fn pre_filter(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        if pod.host_ports.is_empty() {
            return Status::skip().into();
        }
        PreFiltered::default()
    }
}

impl Filter for NodePorts {
    /// Ports that the pod itself wants twice are not noticed.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let used = &cx.snapshot.node(node).used_ports;
        let is_taken = pod
            .host_ports
            .iter()
            .any(|wanted| used.iter().any(|port| port.conflicts_with(wanted)));
        if is_taken {
            return Status::unschedulable(Reason::PortsTaken);
        }
        Status::success()
    }
}

fn conflicts(pod: &PodInfo, other: &Pod) -> bool {
    let held = other.host_ports();
    pod.host_ports
        .iter()
        .any(|wanted| held.iter().any(|port| port.conflicts_with(wanted)))
}

const EVENTS: [EventWithHint; 2] = [
    EventWithHint::asked(EventResource::Pod, ActionType::DELETE),
    EventWithHint::always(EventResource::Node, ActionType::ADD),
];
