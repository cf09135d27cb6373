//! DynamicResources, as far as pods without resource claims meet it.
//!
//! Such a pod is skipped, and when no node fits, PostFilter adds kube-scheduler's `no new claims to deallocate` to the
//! message. A pod with claims is rejected: devices are not allocated yet, and to place it as if it asked for none would
//! be wrong. So is a node that could give the pod an extended resource only through devices.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, RequestOptions, pod_requests};
use crate::config::{ConfigError, Gate, Gates, PluginArgs};
use crate::framework::cluster_event::{ActionType, EventResource, EventWithHint};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    BindContext, CycleContext, Filter, Plugin, PostFilter, PostFilterStep, PostFiltered, PreBind,
    PreBindStep, PreEnqueue, PreFilter, PreFiltered, PreFlight, QueueContext, Reserve, Score,
    Signature,
};
use crate::framework::handle::Handle;
use crate::framework::reason::Reason;
use crate::framework::status::{NodeStatuses, PluginError, PluginName, Status};
use crate::framework::work::Outcome;
use crate::node_set::NodeIndex;
use crate::num;
use crate::snapshot::{Listers, PluginMemory, PodInfo, Resource};

use super::device_classes::DeviceClasses;
use super::sign;

/// Passes pods that need no devices and rejects the others.
///
/// Source: spec, plugins 12 and scheduling cycle 10.2; Kubernetes v1.36 `plugins/dynamicresources/dynamicresources.go`.
#[derive(Clone, Copy, Debug)]
pub struct DynamicResources {
    has_extended_resources: bool,
}

/// What PreFilter saw in this attempt.
#[derive(Clone, Debug)]
struct Seen {
    /// The pod's extended resources that devices stand for where a node has none.
    from_devices: Vec<Arc<str>>,
}

impl DynamicResources {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("DynamicResources");

    pub(super) fn build(_: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self {
            has_extended_resources: gates.enabled(Gate::DRAExtendedResource),
        }))
    }

    fn wanted_of_devices(&self, listers: &Listers, pod: &Pod) -> Vec<Arc<str>> {
        if !self.has_extended_resources {
            return Vec::new();
        }
        backed_by_devices(listers, pod)
    }
}

/// The extended resources that a pod asks for and that devices stand for, by name.
///
/// Source: spec, plugins 12.10.
#[must_use]
pub fn backed_by_devices(listers: &Listers, pod: &Pod) -> Vec<Arc<str>> {
    if listers.device_classes.is_empty() {
        return Vec::new();
    }
    let request = Resource::from_list(&pod_requests(pod, RequestOptions::INCOMING));
    let classes = DeviceClasses::of(listers);
    let wanted = request.scalars.iter().filter(|(_, amount)| **amount > 0);
    let mut names: Vec<Arc<str>> = Vec::new();
    for (name, _) in wanted {
        if classes.stand_for(name) {
            names.push(name.clone());
        }
    }
    names
}

impl Plugin for DynamicResources {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        if !pod.pod.spec.resource_claims.is_empty() {
            return Signature::Refused;
        }
        sign::nothing()
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        Some(self)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_post_filter(&self) -> Option<&dyn PostFilter> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }

    fn as_reserve(&self) -> Option<&dyn Reserve> {
        Some(self)
    }

    fn as_pre_bind(&self) -> Option<&dyn PreBind> {
        Some(self)
    }
}

impl PreEnqueue for DynamicResources {
    fn pre_enqueue(&self, _cx: &QueueContext<'_>, _pod: &PodInfo) -> Status {
        Status::success()
    }
}

impl PreFilter for DynamicResources {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let from_devices = self.wanted_of_devices(cx.listers, &pod.pod);
        let needs_none = from_devices.is_empty();
        state.write(STATE, Seen { from_devices });
        if !pod.pod.spec.resource_claims.is_empty() {
            return Status::unresolvable(Reason::from(NOT_ALLOCATED)).into();
        }
        if needs_none {
            return Status::skip().into();
        }
        PreFiltered::default()
    }
}

impl Filter for DynamicResources {
    /// A resource that the node lists is the node's to give; what only devices could give is not given yet.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let has = &cx.snapshot.node(node).allocatable;
        let seen = state.read::<Seen>(STATE);
        let mut from_devices = seen.iter().flat_map(|seen| &seen.from_devices);
        match from_devices.find(|name| has.scalar(name) == 0) {
            None => Status::success(),
            Some(name) => {
                let text = ["devices for ", name, NOT_YET].concat();
                Status::unresolvable(Reason::from(text))
            }
        }
    }
}

impl PostFilter for DynamicResources {
    /// QUIRK: when a plugin ahead of this one ended PreFilter, its state is missing and PostFilter fails with `not found`.
    /// A user sees the text at the end of the message, and no preemption.
    fn post_filter(
        &self,
        _handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        _statuses: &NodeStatuses,
    ) -> PostFilterStep {
        PostFilterStep::Done(PostFiltered {
            status: after_filter(state, pod),
            ..PostFiltered::default()
        })
    }
}

impl Score for DynamicResources {
    fn score_node(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _node: NodeIndex,
    ) -> Result<i64, PluginError> {
        Ok(0)
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
        num::default_normalize(column, false);
        Ok(())
    }
}

impl Reserve for DynamicResources {
    fn reserve(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> Status {
        Status::success()
    }

    fn unreserve(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) {
    }
}

impl PreBind for DynamicResources {
    fn pre_flight(
        &self,
        _cx: &BindContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> PreFlight {
        PreFlight {
            status: Status::skip(),
            allow_parallel: false,
        }
    }

    fn pre_bind(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> PreBindStep {
        PreBindStep::Done(Status::success())
    }

    fn resume(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _node: &str,
        _outcome: Option<&Outcome>,
    ) -> PreBindStep {
        PreBindStep::Done(Status::success())
    }
}

/// What PostFilter comes to.
fn after_filter(state: &CycleState, pod: &PodInfo) -> Status {
    let Some(seen) = state.read::<Seen>(STATE) else {
        return Status::error("not found");
    };
    let needs_none = pod.pod.spec.resource_claims.is_empty() && seen.from_devices.is_empty();
    Status::unschedulable(if needs_none {
        Reason::NoClaimsToDeallocate
    } else {
        Reason::from("still not schedulable")
    })
}

const STATE: StateKey = StateKey("DynamicResources");

const NOT_ALLOCATED: &str = "resource claims are not allocated by this scheduler yet";
const NOT_YET: &str = " are not allocated by this scheduler yet";

const EVENTS: [EventWithHint; 4] = [
    EventWithHint::always(
        EventResource::Node,
        ActionType::ADD
            .and(ActionType::UPDATE_NODE_LABEL)
            .and(ActionType::UPDATE_NODE_ALLOCATABLE),
    ),
    EventWithHint::always(
        EventResource::ResourceClaim,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::always(
        EventResource::DeviceClass,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::always(
        EventResource::ResourceSlice,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
];

#[cfg(test)]
mod tests;
