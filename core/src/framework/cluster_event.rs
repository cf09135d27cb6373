//! What happened in the cluster, as far as a waiting pod could care.

use alloc::string::String;
use core::fmt;
use core::ops::BitOr;

use serde::Serialize;

use crate::api::Kind;

/// What happened to an object: kube-scheduler's `ActionType`, with its bit values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ActionType(pub u32);

impl ActionType {
    /// The object came.
    pub const ADD: Self = Self(1);
    /// The object went.
    pub const DELETE: Self = Self(2);
    /// A node's `status.allocatable` changed.
    pub const UPDATE_NODE_ALLOCATABLE: Self = Self(4);
    /// A node's labels changed.
    pub const UPDATE_NODE_LABEL: Self = Self(8);
    /// A node's taints changed, or it was uncordoned.
    pub const UPDATE_NODE_TAINT: Self = Self(16);
    /// A node's condition changed its status.
    pub const UPDATE_NODE_CONDITION: Self = Self(32);
    /// A node's annotations changed.
    pub const UPDATE_NODE_ANNOTATION: Self = Self(64);
    /// A node's declared features changed.
    pub const UPDATE_NODE_DECLARED_FEATURE: Self = Self(128);
    /// A pod's labels changed.
    pub const UPDATE_POD_LABEL: Self = Self(256);
    /// A pod asks for less of something.
    pub const UPDATE_POD_SCALE_DOWN: Self = Self(512);
    /// A pod has another number of tolerations.
    pub const UPDATE_POD_TOLERATION: Self = Self(1024);
    /// A pod's last scheduling gate went.
    pub const UPDATE_POD_SCHEDULING_GATES_ELIMINATED: Self = Self(2048);
    /// A pod's generated resource claims changed.
    pub const UPDATE_POD_GENERATED_RESOURCE_CLAIM: Self = Self(4096);
    /// Any change.
    pub const UPDATE: Self = Self(8188);
    /// Anything.
    pub const ALL: Self = Self(8191);

    /// Whether the two have a bit in common.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn name(self) -> &'static str {
        match self.0 {
            1 => "Add",
            2 => "Delete",
            4 => "UpdateNodeAllocatable",
            8 => "UpdateNodeLabel",
            16 => "UpdateNodeTaint",
            32 => "UpdateNodeCondition",
            64 => "UpdateNodeAnnotation",
            128 => "UpdateNodeDeclaredFeature",
            256 => "UpdatePodLabel",
            512 => "UpdatePodScaleDown",
            1024 => "UpdatePodToleration",
            2048 => "UpdatePodSchedulingGatesEliminated",
            4096 => "UpdatePodGeneratedResourceClaim",
            8188 => "Update",
            8191 => "All",
            _ => "",
        }
    }
}

impl ActionType {
    /// Both, in a constant.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for ActionType {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The kind of object that something happened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum EventResource {
    /// Any pod; registered, never incoming.
    Pod,
    /// A pod that has a node; incoming, never registered.
    AssignedPod,
    /// A pod that has none; incoming, never registered.
    UnschedulablePod,
    /// Node.
    Node,
    /// PersistentVolume.
    PersistentVolume,
    /// PersistentVolumeClaim.
    PersistentVolumeClaim,
    /// CSINode.
    CsiNode,
    /// CSIDriver.
    CsiDriver,
    /// VolumeAttachment.
    VolumeAttachment,
    /// CSIStorageCapacity.
    CsiStorageCapacity,
    /// StorageClass.
    StorageClass,
    /// ResourceClaim.
    ResourceClaim,
    /// ResourceSlice.
    ResourceSlice,
    /// DeviceClass.
    DeviceClass,
    /// PodGroup.
    PodGroup,
    /// Everything.
    WildCard,
}

impl EventResource {
    /// The kind of object; `None` for kinds that no plugin waits for.
    #[must_use]
    pub const fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Pod => Self::Pod,
            Kind::Node => Self::Node,
            Kind::PersistentVolume => Self::PersistentVolume,
            Kind::PersistentVolumeClaim => Self::PersistentVolumeClaim,
            Kind::CSINode => Self::CsiNode,
            Kind::CSIDriver => Self::CsiDriver,
            Kind::CSIStorageCapacity => Self::CsiStorageCapacity,
            Kind::VolumeAttachment => Self::VolumeAttachment,
            Kind::StorageClass => Self::StorageClass,
            Kind::ResourceClaim => Self::ResourceClaim,
            Kind::ResourceSlice => Self::ResourceSlice,
            Kind::DeviceClass => Self::DeviceClass,
            Kind::PodGroup => Self::PodGroup,
            _ => return None,
        })
    }

    /// The name that event labels begin with.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pod => "Pod",
            Self::AssignedPod => "AssignedPod",
            Self::UnschedulablePod => "UnschedulablePod",
            Self::Node => "Node",
            Self::PersistentVolume => "PersistentVolume",
            Self::PersistentVolumeClaim => "PersistentVolumeClaim",
            Self::CsiNode => "storage.k8s.io/CSINode",
            Self::CsiDriver => "storage.k8s.io/CSIDriver",
            Self::VolumeAttachment => "storage.k8s.io/VolumeAttachment",
            Self::CsiStorageCapacity => "storage.k8s.io/CSIStorageCapacity",
            Self::StorageClass => "storage.k8s.io/StorageClass",
            Self::ResourceClaim => "resource.k8s.io/ResourceClaim",
            Self::ResourceSlice => "resource.k8s.io/ResourceSlice",
            Self::DeviceClass => "resource.k8s.io/DeviceClass",
            Self::PodGroup => "scheduling.k8s.io/PodGroup",
            Self::WildCard => "*",
        }
    }
}

/// Something that happened: kube-scheduler's `ClusterEvent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterEvent {
    /// To what kind of object.
    pub resource: EventResource,
    /// What.
    pub action: ActionType,
    /// A label of its own, for what no object did.
    label: Option<&'static str>,
}

impl ClusterEvent {
    /// `action` happened to a `resource`.
    #[must_use]
    pub const fn new(resource: EventResource, action: ActionType) -> Self {
        Self {
            resource,
            action,
            label: None,
        }
    }

    const fn labelled(label: &'static str) -> Self {
        Self {
            resource: EventResource::WildCard,
            action: ActionType::ALL,
            label: Some(label),
        }
    }

    /// A pod waited too long in unschedulablePods: the wildcard.
    pub const UNSCHEDULABLE_TIMEOUT: Self = Self::labelled("UnschedulableTimeout");
    /// A plugin or a person asked for the pod: the wildcard.
    pub const FORCE_ACTIVATE: Self = Self::labelled("ForceActivate");
    /// A backoff ended.
    pub const BACKOFF_COMPLETE: Self = Self::labelled("BackoffComplete");
    /// A backoff was cut short because activeQ was empty.
    pub const POP_FROM_BACKOFF_Q: Self = Self::labelled("PopFromBackoffQ");
    /// An attempt failed.
    pub const SCHEDULE_ATTEMPT_FAILURE: Self = Self::labelled("ScheduleAttemptFailure");
    /// A pod without a node came.
    pub const UNSCHEDULABLE_POD_ADD: Self =
        Self::new(EventResource::UnschedulablePod, ActionType::ADD);
    /// A pod without a node changed.
    pub const UNSCHEDULABLE_POD_UPDATE: Self =
        Self::new(EventResource::UnschedulablePod, ActionType::UPDATE);
    /// A pod got a node.
    pub const ASSIGNED_POD_ADD: Self = Self::new(EventResource::AssignedPod, ActionType::ADD);
    /// A pod with a node changed.
    pub const ASSIGNED_POD_UPDATE: Self = Self::new(EventResource::AssignedPod, ActionType::UPDATE);
    /// A pod left its node.
    pub const ASSIGNED_POD_DELETE: Self = Self::new(EventResource::AssignedPod, ActionType::DELETE);

    /// Whether this is the wildcard: everything, to every kind.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        self.resource == EventResource::WildCard && self.action == ActionType::ALL
    }

    /// Whether a plugin that registered `self` is interested in `incoming`.
    ///
    /// Source: spec, queue and cache 7.2: same kind (or `Pod` for either kind of pod), a bit in common, and an incoming
    /// action not greater in number, so that a general update matches no list of particular ones.
    #[must_use]
    pub fn matches(&self, incoming: &Self) -> bool {
        if self.is_wildcard() {
            return true;
        }
        let is_kind = match self.resource {
            EventResource::WildCard => true,
            EventResource::Pod => matches!(
                incoming.resource,
                EventResource::Pod | EventResource::AssignedPod | EventResource::UnschedulablePod
            ),
            other => other == incoming.resource,
        };
        is_kind && self.action.intersects(incoming.action) && incoming.action.0 <= self.action.0
    }

    /// The label of the event, as metrics and traces name it.
    #[must_use]
    pub fn label(&self) -> String {
        self.label.map_or_else(
            || [self.resource.name(), self.action.name()].concat(),
            String::from,
        )
    }
}

impl fmt::Display for ClusterEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.label {
            Some(label) => f.write_str(label),
            None => write!(f, "{}{}", self.resource.name(), self.action.name()),
        }
    }
}

impl Serialize for ClusterEvent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a plugin judges each event itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintMode {
    /// Every such event could help.
    AlwaysQueue,
    /// `Plugin::queueing_hint` is asked.
    Ask,
}

/// An event that a plugin waits for, and how: kube-scheduler's `ClusterEventWithHint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventWithHint {
    /// The event.
    pub event: ClusterEvent,
    /// Whether the plugin is asked about each one.
    pub mode: HintMode,
}

impl EventWithHint {
    /// An event about which the plugin is asked.
    #[must_use]
    pub const fn asked(resource: EventResource, action: ActionType) -> Self {
        Self {
            event: ClusterEvent::new(resource, action),
            mode: HintMode::Ask,
        }
    }

    /// An event that always queues the pods that the plugin rejected.
    #[must_use]
    pub const fn always(resource: EventResource, action: ActionType) -> Self {
        Self {
            event: ClusterEvent::new(resource, action),
            mode: HintMode::AlwaysQueue,
        }
    }
}

/// Whether an event could make a pod schedulable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum QueueingHint {
    /// It cannot.
    QueueSkip,
    /// It could.
    Queue,
}

#[cfg(test)]
mod tests;
