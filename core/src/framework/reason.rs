//! Why a plugin rejects: upstream's text to the letter, with the numbers that an explanation needs.
//!
//! `Display` prints what kube-scheduler prints. What is beside the text (the request that does not fit, the taint that
//! is not tolerated) is for explanations and never changes a message.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

/// One reason of a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Reason {
    /// Any other text, such as an error's.
    Text(Arc<str>),
    /// NodeUnschedulable.
    NodeUnschedulable,
    /// NodeName.
    NodeNameMismatch,
    /// TaintToleration; the taint that is not tolerated, as `key=value:effect`.
    UntoleratedTaint {
        /// `key=value:effect`, or `key:effect` without a value.
        taint: Arc<str>,
    },
    /// NodeAffinity: selector or required affinity of the pod.
    NodeAffinityMismatch,
    /// NodeAffinity: affinity that the profile adds.
    EnforcedNodeAffinityMismatch,
    /// NodeAffinity: required terms that name no common node.
    NodeAffinityConflict,
    /// NodePorts.
    PortsTaken,
    /// NodeResourcesFit: no room for one more pod.
    TooManyPods {
        /// Pods on the node.
        pods: i64,
        /// Pods that it may hold.
        allowed: i64,
    },
    /// NodeResourcesFit.
    Insufficient {
        /// The resource's name.
        resource: Arc<str>,
        /// What the pod asks for, in the resource's unit (milli-cores for CPU).
        requested: i64,
        /// What the node's pods have been given.
        used: i64,
        /// What the node can give in all.
        allocatable: i64,
    },
    /// VolumeRestrictions: an inline disk that another pod holds.
    DiskConflict,
    /// VolumeRestrictions: a ReadWriteOncePod claim in use.
    ReadWriteOncePodConflict,
    /// NodeVolumeLimits.
    MaxVolumeCount,
    /// VolumeBinding, PreFilter.
    UnboundImmediateClaims,
    /// VolumeBinding: a bound volume lives elsewhere.
    VolumeNodeAffinity,
    /// VolumeBinding: no volume for a claim.
    NoMatchingVolume,
    /// VolumeBinding: no capacity left.
    NotEnoughStorage,
    /// VolumeBinding: a bound volume is gone.
    VolumeNotFound,
    /// VolumeZone.
    VolumeZoneMismatch,
    /// PodTopologySpread.
    TopologySpread {
        /// The constraint's key.
        topology_key: Arc<str>,
        /// Matching pods in the node's domain, this pod counted if it matches itself.
        count: i64,
        /// The least count over the domains.
        minimum: i64,
        /// What the constraint allows.
        max_skew: i64,
    },
    /// PodTopologySpread: the node has no such domain.
    TopologySpreadMissingLabel {
        /// The constraint's key.
        topology_key: Arc<str>,
    },
    /// InterPodAffinity: the pod's own required affinity.
    PodAffinity {
        /// The key of the term that was not met.
        topology_key: Arc<str>,
    },
    /// InterPodAffinity: the pod's own required anti-affinity.
    PodAntiAffinity {
        /// The key of the term that was not met.
        topology_key: Arc<str>,
    },
    /// InterPodAffinity: required anti-affinity of a pod that is there.
    ExistingPodAntiAffinity {
        /// The key of the term that was not met.
        topology_key: Arc<str>,
    },
    /// NodeDeclaredFeatures.
    MissingFeatures,
    /// NodeLabel, which only an old Policy brings.
    NodeLabelPresence,
    /// ServiceAffinity, which only an old Policy brings.
    ServiceAffinity,
    /// The framework: nodes outside the set that PreFilter plugins returned.
    NotInPreFilterSet {
        /// Who returned sets, sorted.
        plugins: Vec<Arc<str>>,
    },
    /// The framework: PreFilter sets without a common node.
    EmptyPreFilterSet {
        /// Who returned sets, sorted.
        plugins: Vec<Arc<str>>,
    },
    /// SchedulingGates.
    SchedulingGates {
        /// Gate names in the pod's order.
        gates: Vec<Arc<str>>,
    },
    /// DefaultPreemption: no pod of lower priority on the node.
    NoVictims,
    /// DefaultPreemption: nodes that no preemption can help.
    PreemptionNotHelpful,
    /// DynamicResources, PostFilter.
    NoClaimsToDeallocate,
    /// A search over a cluster without nodes.
    NoNodes,
}

impl Reason {
    /// Whether two reasons read the same, whatever their numbers: what histograms count by.
    #[must_use]
    pub fn reads_like(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Insufficient { resource: one, .. },
                Self::Insufficient { resource: two, .. },
            ) => one == two,
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Text(_), _) | (_, Self::Text(_)) => self.to_string() == other.to_string(),
            (
                Self::NotInPreFilterSet { plugins: one },
                Self::NotInPreFilterSet { plugins: two },
            )
            | (
                Self::EmptyPreFilterSet { plugins: one },
                Self::EmptyPreFilterSet { plugins: two },
            )
            | (Self::SchedulingGates { gates: one }, Self::SchedulingGates { gates: two }) => {
                one == two
            }
            _ => core::mem::discriminant(self) == core::mem::discriminant(other),
        }
    }

    const fn constant(&self) -> Option<&'static str> {
        Some(match self {
            Self::NodeUnschedulable => "node(s) were unschedulable",
            Self::NodeNameMismatch => "node(s) didn't match the requested node name",
            Self::UntoleratedTaint { .. } => "node(s) had untolerated taint(s)",
            Self::NodeAffinityMismatch => "node(s) didn't match Pod's node affinity/selector",
            Self::EnforcedNodeAffinityMismatch => {
                "node(s) didn't match scheduler-enforced node affinity"
            }
            Self::NodeAffinityConflict => "pod affinity terms conflict",
            Self::PortsTaken => "node(s) didn't have free ports for the requested pod ports",
            Self::TooManyPods { .. } => "Too many pods",
            Self::DiskConflict => "node(s) had no available disk",
            Self::ReadWriteOncePodConflict => {
                "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by \
                 another pod"
            }
            Self::MaxVolumeCount => "node(s) exceed max volume count",
            Self::UnboundImmediateClaims => "pod has unbound immediate PersistentVolumeClaims",
            Self::VolumeNodeAffinity => "node(s) didn't match PersistentVolume's node affinity",
            Self::NoMatchingVolume => "node(s) didn't find available persistent volumes to bind",
            Self::NotEnoughStorage => "node(s) did not have enough free storage",
            Self::VolumeNotFound => {
                "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
            }
            Self::VolumeZoneMismatch => "node(s) had no available volume zone",
            Self::TopologySpread { .. } => "node(s) didn't match pod topology spread constraints",
            Self::TopologySpreadMissingLabel { .. } => {
                "node(s) didn't match pod topology spread constraints (missing required label)"
            }
            Self::PodAffinity { .. } => "node(s) didn't match pod affinity rules",
            Self::PodAntiAffinity { .. } => "node(s) didn't match pod anti-affinity rules",
            Self::ExistingPodAntiAffinity { .. } => {
                "node(s) didn't satisfy existing pods anti-affinity rules"
            }
            Self::MissingFeatures => "node(s) didn't match Pod's required features",
            Self::NodeLabelPresence => "node(s) didn't have the requested labels",
            Self::ServiceAffinity => "node(s) didn't match service affinity",
            Self::NoVictims => "No preemption victims found for incoming pod",
            Self::PreemptionNotHelpful => "Preemption is not helpful for scheduling",
            Self::NoClaimsToDeallocate => "no new claims to deallocate",
            Self::NoNodes => "no nodes available to schedule pods",
            Self::Text(_)
            | Self::Insufficient { .. }
            | Self::NotInPreFilterSet { .. }
            | Self::EmptyPreFilterSet { .. }
            | Self::SchedulingGates { .. } => return None,
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Insufficient { resource, .. } => write!(f, "Insufficient {resource}"),
            Self::NotInPreFilterSet { plugins } => {
                write!(
                    f,
                    "node(s) didn't satisfy plugin(s) [{}]",
                    plugins.join(" ")
                )
            }
            Self::EmptyPreFilterSet { plugins } => match plugins.as_slice() {
                [one] => write!(f, "node(s) didn't satisfy plugin {one}"),
                many => write!(
                    f,
                    "node(s) didn't satisfy plugin(s) [{}] simultaneously",
                    many.join(" ")
                ),
            },
            Self::SchedulingGates { gates } => {
                write!(f, "waiting for scheduling gates: [{}]", gates.join(" "))
            }
            other => f.write_str(other.constant().unwrap_or_default()),
        }
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }
}

impl From<String> for Reason {
    fn from(text: String) -> Self {
        Self::Text(Arc::from(text))
    }
}
