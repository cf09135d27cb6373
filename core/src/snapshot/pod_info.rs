//! A pod with what plugins need of it, computed once.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

use crate::api::HostPort;
use crate::api::Pod;
use crate::api::{RequestOptions, pod_requests};

use super::affinity::AffinityTerms;
use super::resource::{NonZeroRequest, Resource};

/// Which pod is meant: cheap to clone, used in records, effects and maps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct PodRef {
    /// `metadata.namespace`.
    pub namespace: Arc<str>,
    /// `metadata.name`.
    pub name: Arc<str>,
    /// `metadata.uid`.
    pub uid: Arc<str>,
}

impl PodRef {
    /// The reference of a pod.
    #[must_use]
    pub fn of(pod: &Pod) -> Self {
        Self {
            namespace: Arc::from(pod.metadata.namespace.as_str()),
            name: Arc::from(pod.metadata.name.as_str()),
            uid: Arc::from(pod.metadata.uid.as_str()),
        }
    }
}

impl fmt::Display for PodRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

/// A pod object with its parsed affinity terms and its totals: kube-scheduler's `framework.PodInfo`.
///
/// Built once for each version of a pod, so that what is added to a node and what is later taken off it are the same.
#[derive(Clone, Debug, PartialEq)]
pub struct PodInfo {
    /// The object.
    pub pod: Arc<Pod>,
    /// Its name for records.
    pub reference: PodRef,
    /// Its parsed affinity terms.
    pub affinity: AffinityTerms,
    /// What it counts for on a node: statuses and pod-level resources consulted.
    pub requests: Resource,
    /// The same with a floor for containers that name neither CPU nor memory.
    pub non_zero: NonZeroRequest,
    /// Host ports of its main and restartable init containers.
    pub host_ports: Vec<HostPort>,
    /// `namespace/claim` of each volume that names a claim.
    pub claims: Vec<String>,
    /// Whether it has a pod affinity or anti-affinity stanza, even an empty one.
    pub has_affinity: bool,
    /// What its volumes could mean for the limits of a node.
    pub attachable: Attachable,
}

/// Volumes that a driver could have to attach, as far as the pods alone tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attachable {
    /// How many there are at most: claims, and disks that stand in the pods.
    pub volumes: u32,
    /// How many of them may turn out to be an error: claims that are made for a pod, or that have no name.
    pub doubtful: u32,
}

impl Attachable {
    fn of(pod: &Pod) -> Self {
        let mut attachable = Self::default();
        for volume in &pod.spec.volumes {
            let claim = volume.persistent_volume_claim.as_ref();
            let is_ephemeral = volume.ephemeral.is_some();
            let is_disk = volume.aws_elastic_block_store.is_some()
                || volume.gce_persistent_disk.is_some()
                || volume.azure_disk.is_some()
                || volume.azure_file.is_some()
                || volume.cinder.is_some()
                || volume.portworx_volume.is_some()
                || volume.vsphere_volume.is_some();
            attachable.volumes += u32::from(claim.is_some() || is_ephemeral || is_disk);
            let is_nameless = claim.is_some_and(|claim| claim.claim_name.is_empty());
            attachable.doubtful += u32::from(is_ephemeral || is_nameless);
        }
        attachable
    }

    pub(super) fn add(&mut self, other: Self) {
        self.volumes = self.volumes.saturating_add(other.volumes);
        self.doubtful = self.doubtful.saturating_add(other.doubtful);
    }

    pub(super) fn subtract(&mut self, other: Self) {
        self.volumes = self.volumes.saturating_sub(other.volumes);
        self.doubtful = self.doubtful.saturating_sub(other.doubtful);
    }
}

impl PodInfo {
    /// Reads a pod.
    #[must_use]
    pub fn new(pod: Arc<Pod>) -> Self {
        let requested = pod_requests(&pod, RequestOptions::PLACED);
        let floored = pod_requests(&pod, RequestOptions::PLACED_NON_ZERO);
        let has_affinity = pod.spec.affinity.as_ref().is_some_and(|affinity| {
            affinity.pod_affinity.is_some() || affinity.pod_anti_affinity.is_some()
        });
        Self {
            reference: PodRef::of(&pod),
            affinity: AffinityTerms::of(&pod),
            requests: Resource::from_list(&requested),
            non_zero: NonZeroRequest {
                milli_cpu: floored
                    .get("cpu")
                    .map_or(0, |quantity| quantity.milli_value()),
                memory: floored.get("memory").map_or(0, |quantity| quantity.value()),
            },
            host_ports: pod.host_ports(),
            claims: claims(&pod),
            has_affinity,
            attachable: Attachable::of(&pod),
            pod,
        }
    }

    /// The same pod in a newer version of the same object: parsed terms and totals are kept.
    ///
    /// QUIRK: kube-scheduler re-reads terms and requests only when the UID differs, so a resize of a queued pod counts
    /// from its next attempt on.
    #[must_use]
    pub fn with_pod(&self, pod: Arc<Pod>) -> Self {
        if pod.metadata.uid == self.pod.metadata.uid {
            Self {
                pod,
                ..self.clone()
            }
        } else {
            Self::new(pod)
        }
    }

    /// The topology keys of its affinity terms and spread constraints, with repetitions.
    pub fn topology_keys(&self) -> impl Iterator<Item = &str> {
        let constraints = self.pod.spec.topology_spread_constraints.iter();
        let own = constraints.map(|constraint| constraint.topology_key.as_str());
        own.chain(self.affinity.all().map(|term| &*term.topology_key))
    }

    /// `spec.priority`, 0 when absent.
    #[must_use]
    pub fn priority(&self) -> i32 {
        self.pod.spec.priority.unwrap_or(0)
    }
}

fn claims(pod: &Pod) -> Vec<String> {
    let named = pod
        .spec
        .volumes
        .iter()
        .filter_map(|volume| volume.persistent_volume_claim.as_ref());
    named
        .map(|source| claim_key(&pod.metadata.namespace, &source.claim_name))
        .collect()
}

/// `namespace/name`, the key under which nodes count a claim's users.
#[must_use]
pub fn claim_key(namespace: &str, name: &str) -> String {
    [namespace, "/", name].concat()
}

#[cfg(test)]
mod tests;
