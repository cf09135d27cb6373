//! SchedulingGates: a pod with gates is not tried.

use alloc::sync::Arc;

use crate::api::Object;
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::extension::{Plugin, PreEnqueue, QueueContext};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::snapshot::PodInfo;

use super::hint;

/// Holds back pods that still have a scheduling gate.
///
/// Source: spec, plugins 3.2; Kubernetes v1.36 `plugins/schedulinggates/scheduling_gates.go`.
#[derive(Clone, Copy, Debug)]
pub struct SchedulingGates;

impl SchedulingGates {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("SchedulingGates");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for SchedulingGates {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Queue when the event is about the pod itself.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let (_, new) = hint::pods(old, new)?;
        Ok(hint::queue_if(
            new.is_some_and(|new| hint::is_same(pod, new)),
        ))
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        Some(self)
    }
}

impl PreEnqueue for SchedulingGates {
    fn pre_enqueue(&self, _cx: &QueueContext<'_>, pod: &PodInfo) -> Status {
        let gates = &pod.pod.spec.scheduling_gates;
        if gates.is_empty() {
            return Status::success();
        }
        let gates = gates.iter().map(|gate| Arc::from(gate.name.as_str()));
        Status::unresolvable(Reason::SchedulingGates {
            gates: gates.collect(),
        })
    }
}

const EVENTS: [EventWithHint; 1] = [EventWithHint::asked(
    EventResource::Pod,
    ActionType::UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
)];

#[cfg(test)]
mod tests;
