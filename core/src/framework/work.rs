//! What a plugin asks the host to do, and what came of it.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::api::ResourceClaim;
use crate::api::{PersistentVolume, PersistentVolumeClaim};
use crate::snapshot::PodRef;

/// Something only the host can do for a plugin. It leaves the scheduler as an effect with a ticket.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Work {
    /// Create the `binding` subresource of the pod.
    Bind {
        /// The pod; its UID is a precondition.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// Write volumes and claims as they stand here.
    UpdateVolumes {
        /// Volumes with their new claim reference.
        volumes: Vec<Arc<PersistentVolume>>,
        /// Claims with their new annotations.
        claims: Vec<Arc<PersistentVolumeClaim>>,
    },
    /// Enter the last of a resource claim's users.
    UpdateResourceClaim {
        /// The claim as it would be if nobody else wrote it.
        claim: Arc<ResourceClaim>,
    },
    /// Take a pod out of a resource claim's users, if it is one.
    UnreserveResourceClaim {
        /// The claim; its UID is a precondition.
        claim: Arc<ResourceClaim>,
        /// The pod.
        pod: PodRef,
    },
}

/// Why something that a host tried failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailureKind {
    /// The object is not there.
    NotFound,
    /// Somebody else changed it first.
    Conflict,
    /// The server refused.
    Refused,
    /// The server could not be reached, or did not answer in time.
    Unreachable,
}

/// A failure with its text for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// What was said.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// How an effect ended. A ticket settles exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It was done.
    Done,
    /// It was not.
    Failed(Failure),
    /// An extender answered a filter call.
    Filtered(super::extender::FilterAnswer),
    /// An extender answered a prioritize call.
    Prioritized(Vec<super::extender::HostPriority>),
    /// An extender answered a preempt call.
    Preempted(super::extender::PreemptAnswer),
}
