//! What the scheduler asks its host to do.
//!
//! Effects are data, in a fixed order: no closures, no handles. Whatever can fail, or be waited for, carries a ticket and
//! comes back as a settled one.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::api::{PersistentVolume, PersistentVolumeClaim, PodCondition, ResourceClaim};
use crate::framework::extender::ExtenderCall;
use crate::framework::work::Work;
use crate::snapshot::PodRef;

/// Names one effect; numbered from 1 in the order in which they left the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub u64);

/// Effects in the order in which they are to be carried out.
pub type Effects = Vec<Effect>;

/// One thing for the host to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "effect",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Effect {
    /// Create the `binding` subresource of a pod; its UID is a precondition.
    Bind {
        /// Settles when the server answered.
        ticket: Ticket,
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// Patch a pod's status; never more than what is named here.
    PatchPodStatus {
        /// Settles when the server answered.
        ticket: Ticket,
        /// The pod.
        pod: PodRef,
        /// The condition to set, of its type.
        condition: Option<PodCondition>,
        /// `status.nominatedNodeName`: `None` leaves it alone, the empty name clears it.
        nominated_node_name: Option<Arc<str>>,
    },
    /// Delete a pod with its own grace period: it is a victim of preemption.
    DeletePod {
        /// Settles when the server answered.
        ticket: Ticket,
        /// The victim; its UID is a precondition.
        pod: PodRef,
        /// For whom.
        preemptor: PodRef,
    },
    /// Write volumes and claims as they stand here.
    UpdateVolumes {
        /// Settles when all are written or one failed.
        ticket: Ticket,
        /// Volumes with their claim reference.
        volumes: Vec<Arc<PersistentVolume>>,
        /// Claims with their annotations.
        claims: Vec<Arc<PersistentVolumeClaim>>,
    },
    /// Enter the last of a resource claim's users.
    UpdateResourceClaim {
        /// Settles when it is written.
        ticket: Ticket,
        /// The claim as it would be if nobody else wrote it.
        claim: Arc<ResourceClaim>,
    },
    /// Take a pod out of a resource claim's users, if it is one: its binding has failed.
    UnreserveResourceClaim {
        /// Settles when the server answered.
        ticket: Ticket,
        /// The claim; its UID is a precondition.
        claim: Arc<ResourceClaim>,
        /// The pod.
        pod: PodRef,
    },
    /// Ask an extender.
    AskExtender {
        /// Settles with the extender's answer.
        ticket: Ticket,
        /// Its position in the configuration.
        extender: usize,
        /// The question.
        call: ExtenderCall,
    },
    /// Record an event. Nobody waits for it.
    RecordEvent {
        /// The event.
        event: PodEvent,
    },
}

/// An event about a pod, in the form of `events.k8s.io/v1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodEvent {
    /// Whom it is about.
    pub regarding: PodRef,
    /// Who else took part.
    pub related: Option<PodRef>,
    /// `Normal` or `Warning`.
    #[serde(rename = "type")]
    pub type_: EventType,
    /// `Scheduled`, `FailedScheduling`, `Preempted`.
    pub reason: &'static str,
    /// `Binding`, `Scheduling`, `Preempting`.
    pub action: &'static str,
    /// The text, at most 1,024 bytes.
    pub note: String,
    /// The profile that reports it.
    pub reporting_controller: Arc<str>,
}

/// How serious an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EventType {
    /// All is well.
    Normal,
    /// Somebody may want to know.
    Warning,
}

impl Effect {
    /// The effect of a plugin's work.
    #[must_use]
    pub fn of(ticket: Ticket, work: Work) -> Self {
        match work {
            Work::Bind { pod, node } => Self::Bind { ticket, pod, node },
            Work::UpdateVolumes { volumes, claims } => Self::UpdateVolumes {
                ticket,
                volumes,
                claims,
            },
            Work::UpdateResourceClaim { claim } => Self::UpdateResourceClaim { ticket, claim },
            Work::UnreserveResourceClaim { claim, pod } => {
                Self::UnreserveResourceClaim { ticket, claim, pod }
            }
        }
    }

    /// The ticket that the host must settle; events have none.
    #[must_use]
    pub const fn ticket(&self) -> Option<Ticket> {
        match self {
            Self::Bind { ticket, .. }
            | Self::PatchPodStatus { ticket, .. }
            | Self::DeletePod { ticket, .. }
            | Self::UpdateVolumes { ticket, .. }
            | Self::UpdateResourceClaim { ticket, .. }
            | Self::UnreserveResourceClaim { ticket, .. }
            | Self::AskExtender { ticket, .. } => Some(*ticket),
            Self::RecordEvent { .. } => None,
        }
    }
}
