//! DynamicResources, as far as devices are already allocated.
//!
//! A pod without claims is skipped, and when no node fits, PostFilter adds kube-scheduler's `no new claims to deallocate`
//! to the message. A pod whose claims are allocated goes where their devices can be used, and is entered among their users
//! before it is bound. A pod with any other claim is rejected: devices are not allocated yet, and to place it as if it
//! asked for none would be wrong. So is a node that could give the pod an extended resource only through devices.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    NodeMatcher, Pod, RequestOptions, ResourceClaim, ResourceClaimConsumerReference, pod_requests,
};
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
use crate::framework::work::{Outcome, Work};
use crate::node_set::NodeIndex;
use crate::num;
use crate::snapshot::{Listers, PluginMemory, PodInfo, Resource};

use super::device_classes::DeviceClasses;
use super::sign;

mod claims;

/// Passes pods that need no devices, or none that are not allocated yet, and rejects the others.
///
/// Source: spec, plugins 12 and scheduling cycle 10.2; Kubernetes v1.36 `plugins/dynamicresources/dynamicresources.go`.
#[derive(Clone, Copy, Debug)]
pub struct DynamicResources {
    has_extended_resources: bool,
}

/// What PreFilter saw in this attempt.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The pod's extended resources that devices stand for where a node has none.
    from_devices: Vec<Arc<str>>,
    /// The pod's claims, each allocated.
    claims: Vec<Arc<ResourceClaim>>,
    /// Among the users of how many of the claims the pod has been entered, or is about to be.
    reserved: usize,
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

    /// What PreFilter finds.
    ///
    /// Errors: the status with which it ends.
    fn look(&self, listers: &Listers, pod: &Pod) -> Result<Seen, Status> {
        let unresolvable = |text: &str| Status::unresolvable(Reason::from(text));
        let claims = claims::of_pod(listers, pod).map_err(|text| unresolvable(&text))?;
        for claim in &claims {
            let Some(allocation) = &claim.status.allocation else {
                return Err(unresolvable(NOT_ALLOCATED));
            };
            let mut devices = allocation.devices.results.iter();
            if devices.any(|device| !device.binding_conditions.is_empty()) {
                return Err(unresolvable(NOT_WAITED_FOR));
            }
        }
        Ok(Seen {
            from_devices: self.wanted_of_devices(listers, pod),
            claims,
            reserved: 0,
        })
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
    fn pre_enqueue(&self, cx: &QueueContext<'_>, pod: &PodInfo) -> Status {
        match claims::of_pod(cx.listers, &pod.pod) {
            Ok(_) => Status::success(),
            Err(text) => Status::unresolvable(Reason::from(text)),
        }
    }
}

impl PreFilter for DynamicResources {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let seen = self.look(cx.listers, &pod.pod);
        let (seen, status) = match seen {
            Ok(seen) if seen.from_devices.is_empty() && seen.claims.is_empty() => {
                (seen, Status::skip())
            }
            Ok(seen) => (seen, Status::success()),
            Err(status) => (Seen::default(), status),
        };
        state.write(STATE, seen);
        status.into()
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
        let info = cx.snapshot.node(node);
        let Some(seen) = state.read::<Seen>(STATE) else {
            return Status::success();
        };
        let mut from_devices = seen.from_devices.iter();
        if let Some(name) = from_devices.find(|name| info.allocatable.scalar(name) == 0) {
            let text = ["devices for ", name, NOT_YET].concat();
            return Status::unresolvable(Reason::from(text));
        }
        let is_usable = |claim: &Arc<ResourceClaim>| {
            let allocation = claim.status.allocation.as_ref();
            let from = allocation.and_then(|allocation| allocation.node_selector.as_ref());
            let node = info.node.as_ref();
            from.is_none_or(|from| node.is_some_and(|node| NodeMatcher::lazy(from).matches(node)))
        };
        if seen.claims.iter().all(is_usable) {
            return Status::success();
        }
        Status::unresolvable(Reason::from("resourceclaim not available on the node"))
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

    /// Takes the pod out of the users of its claims: of those it was among, and of those it may have been entered in, also
    /// where the answer was lost or has not come yet.
    #[inline(never)]
    fn unreserve(
        &self,
        _cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        _node: &str,
    ) -> Vec<Work> {
        let mut undo = Vec::new();
        let Some(seen) = state.read::<Seen>(STATE) else {
            return undo;
        };
        let uid = &*pod.reference.uid;
        for (place, claim) in seen.claims.iter().enumerate() {
            let mut users = claim.status.reserved_for.iter();
            if place < seen.reserved || users.any(|user| *user.uid == *uid) {
                undo.push(Work::UnreserveResourceClaim {
                    claim: claim.clone(),
                    pod: pod.reference.clone(),
                });
            }
        }
        undo
    }
}

impl PreBind for DynamicResources {
    fn pre_flight(
        &self,
        _cx: &BindContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        _node: &str,
    ) -> PreFlight {
        let seen = state.read::<Seen>(STATE);
        let has_claims = seen.is_some_and(|seen| !seen.claims.is_empty());
        PreFlight {
            status: if has_claims {
                Status::success()
            } else {
                Status::skip()
            },
            allow_parallel: has_claims,
        }
    }

    fn pre_bind(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> PreBindStep {
        self.resume(cx, memory, state, pod, node, None)
    }

    /// Enters the pod among the users of its next claim.
    fn resume(
        &self,
        cx: &BindContext<'_>,
        _memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        _node: &str,
        outcome: Option<&Outcome>,
    ) -> PreBindStep {
        if let Some(Outcome::Failed(failure)) = outcome {
            return PreBindStep::Done(Status::error(failure.message.as_str()));
        }
        let Some(seen) = state.change::<Seen>(STATE) else {
            return PreBindStep::Done(Status::success());
        };
        if let Some(claim) = seen.claims.get(seen.reserved) {
            let (namespace, name) = (&claim.metadata.namespace, &claim.metadata.name);
            let known = cx.listers.resource_claims.get(namespace, name);
            let Some(known) = known.filter(|known| {
                known.metadata.uid == claim.metadata.uid
                    && known.status.allocation == claim.status.allocation
            }) else {
                let text = [
                    "claim ",
                    name,
                    " got deleted or allocated elsewhere in the meantime",
                ];
                return PreBindStep::Done(Status::error(text.concat()));
            };
            seen.reserved += 1;
            // Also where it seems to be a user already: that may be from an attempt whose undoing is on its way.
            let mut changed = ResourceClaim::clone(known);
            let users = &mut changed.status.reserved_for;
            users.retain(|user| *user.uid != *pod.reference.uid);
            users.push(ResourceClaimConsumerReference {
                resource: "pods".into(),
                name: (*pod.reference.name).into(),
                uid: (*pod.reference.uid).into(),
                ..ResourceClaimConsumerReference::default()
            });
            return PreBindStep::Work(Work::UpdateResourceClaim {
                claim: Arc::new(changed),
            });
        }
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
const NOT_WAITED_FOR: &str =
    "devices that become ready later are not waited for by this scheduler yet";
const NOT_YET: &str = " are not allocated by this scheduler yet";

const EVENTS: [EventWithHint; 5] = [
    EventWithHint::always(
        EventResource::Pod,
        ActionType::UPDATE_POD_GENERATED_RESOURCE_CLAIM,
    ),
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
