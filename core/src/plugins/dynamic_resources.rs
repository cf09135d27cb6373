//! DynamicResources, as far as pods without resource claims meet it.
//!
//! Such a pod is skipped, and when no node fits, PostFilter adds kube-scheduler's `no new claims to deallocate` to the
//! message. A pod with claims is rejected: devices are not allocated yet, and to place it as if it asked for none would
//! be wrong.

use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
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
use crate::snapshot::{Listers, PluginMemory, PodInfo};

use super::sign;

/// Passes pods without resource claims and rejects the others.
///
/// Source: spec, plugins 12 and scheduling cycle 10.2; Kubernetes v1.36 `plugins/dynamicresources/dynamicresources.go`.
#[derive(Clone, Copy, Debug)]
pub struct DynamicResources;

/// Says that PreFilter ran in this attempt.
#[derive(Clone, Copy, Debug)]
struct Seen;

impl DynamicResources {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("DynamicResources");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
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
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        state.write(STATE, Seen);
        if pod.pod.spec.resource_claims.is_empty() {
            return Status::skip().into();
        }
        Status::unresolvable(Reason::from(NOT_ALLOCATED)).into()
    }
}

impl Filter for DynamicResources {
    fn filter_node(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _node: NodeIndex,
    ) -> Status {
        Status::success()
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
    if state.read::<Seen>(STATE).is_none() {
        return Status::error("not found");
    }
    Status::unschedulable(if pod.pod.spec.resource_claims.is_empty() {
        Reason::NoClaimsToDeallocate
    } else {
        Reason::from("still not schedulable")
    })
}

const STATE: StateKey = StateKey("DynamicResources");

const NOT_ALLOCATED: &str = "resource claims are not allocated by this scheduler yet";

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
