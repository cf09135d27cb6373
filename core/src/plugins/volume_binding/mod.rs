//! VolumeBinding: a pod goes where its volumes are, or where they can be bound or made, and they are before it starts.
//!
//! | File | Answers |
//! |---|---|
//! | `claims` | which claims the pod has, and which of them still need a volume |
//! | `matching` | which volume a claim would take on a node |
//! | `provision` | whether a volume could be made for a node |
//! | `decision` | what would become of all claims on a node |
//! | `filter` | which nodes will do |
//! | `score` | which nodes waste least, behind a gate |
//! | `bind` | what is written for the chosen node, and when it is done |
//! | `hint` | which events could help |
//!
//! Nothing is kept for each node: a decision follows from the claims, the objects and the node, and is made again for the
//! node that was chosen. Objects are seen as decided: see [`AssumedVolumes`](crate::snapshot::memory::AssumedVolumes).

mod bind;
mod claims;
mod decision;
mod filter;
mod hint;
mod matching;
mod provision;
mod score;

use alloc::sync::Arc;

use crate::api::Object;
use crate::config::{ConfigError, Gate, Gates, PluginArgs, VolumeBindingArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::StateKey;
use crate::framework::extension::{
    Filter, Plugin, PreBind, PreFilter, PreScore, QueueContext, Reserve, Score, Signature,
};
use crate::framework::status::{PluginError, PluginName};
use crate::snapshot::{Listers, PodInfo};
use crate::time::Span;

use super::node_resources_fit::Curve;
use super::sign;

/// Binds the claims of a pod to volumes, together with the pod to a node.
///
/// Source: spec, plugins 8; Kubernetes v1.36 `plugins/volumebinding/`.
#[derive(Clone, Debug)]
pub struct VolumeBinding {
    bind_timeout: Span,
    /// How full a volume or a place is wanted; `None` while nodes are not scored by storage.
    curve: Option<Curve>,
}

impl VolumeBinding {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("VolumeBinding");

    pub(super) fn build(args: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::VolumeBinding(args) => args.clone(),
            _ => VolumeBindingArgs::for_gates(*gates),
        };
        let is_scored = gates.enabled(Gate::StorageCapacityScoring);
        Ok(Arc::new(Self {
            bind_timeout: Span::from_secs(args.bind_timeout_seconds),
            curve: is_scored.then(|| Curve::new(&args.shape)),
        }))
    }
}

impl Plugin for VolumeBinding {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        match registered.resource {
            EventResource::StorageClass => hint::for_class(old, new),
            EventResource::PersistentVolumeClaim => hint::for_claim(pod, old, new),
            EventResource::CsiNode => hint::for_csi_node(old, new),
            EventResource::CsiDriver => hint::for_driver(pod, old, new),
            EventResource::CsiStorageCapacity => hint::for_capacity(old, new),
            _ => Ok(QueueingHint::Queue),
        }
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::volume_sources(pod)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
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

    fn as_reserve(&self) -> Option<&dyn Reserve> {
        Some(self)
    }

    fn as_pre_bind(&self) -> Option<&dyn PreBind> {
        Some(self)
    }
}

const EVENTS: [EventWithHint; 7] = [
    EventWithHint::asked(
        EventResource::StorageClass,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::asked(
        EventResource::PersistentVolumeClaim,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::always(
        EventResource::PersistentVolume,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::always(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
    ),
    EventWithHint::asked(
        EventResource::CsiNode,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::asked(EventResource::CsiDriver, ActionType::UPDATE),
    EventWithHint::asked(
        EventResource::CsiStorageCapacity,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
];

/// What PreFilter keeps.
const CLAIMS: StateKey = StateKey("PreFilterVolumeBinding");
/// What Reserve keeps.
const RESERVED: StateKey = StateKey("ReserveVolumeBinding");

#[cfg(test)]
mod tests;
