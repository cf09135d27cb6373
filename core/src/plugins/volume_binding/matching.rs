//! Which volume a claim would take on a node.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    NodeMatcher, PersistentVolume, PersistentVolumeClaim, Quantity, Selector, StringMap,
};
use crate::framework::status::Status;
use crate::order;
use crate::plugins::volumes::{class_of_claim, class_of_volume, storage_request};
use crate::snapshot::Listers;
use crate::snapshot::memory::AssumedVolumes;

/// The volumes that a claim could take, whatever the node.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// The volume that was given to this very claim: it or none.
    promised: Option<Candidate>,
    /// The others, smallest first, by name among equals.
    free: Vec<Candidate>,
}

/// A volume with the nodes that reach it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The volume.
    pub(super) volume: Arc<PersistentVolume>,
    nodes: Option<NodeMatcher>,
}

impl Candidate {
    fn of(volume: &Arc<PersistentVolume>) -> Self {
        let affinity = volume.spec.node_affinity.as_ref();
        let required = affinity.and_then(|affinity| affinity.required.as_ref());
        Self {
            volume: volume.clone(),
            nodes: required.map(NodeMatcher::lazy),
        }
    }

    /// Whether a node with these labels reaches the volume and it is not chosen for another claim.
    pub(super) fn is_open(&self, labels: &StringMap, chosen: &[&Arc<PersistentVolume>]) -> bool {
        let name = &self.volume.metadata.name;
        self.is_reached_from(labels) && !chosen.iter().any(|volume| volume.metadata.name == *name)
    }

    fn is_reached_from(&self, labels: &StringMap) -> bool {
        self.nodes
            .as_ref()
            .is_none_or(|nodes| nodes.matches_parts("", labels))
    }
}

impl Candidates {
    /// The volumes of the claim's class that would do, as decided, else as observed.
    ///
    /// Source: spec, plugins 8.4.
    ///
    /// # Errors
    ///
    /// The claim's selector cannot be read.
    pub(super) fn of(
        listers: &Listers,
        volumes: &AssumedVolumes,
        claim: &PersistentVolumeClaim,
    ) -> Result<Self, Status> {
        let selector = match &claim.spec.selector {
            None => None,
            Some(selector) => {
                let compiled = Selector::compile(selector);
                Some(compiled.map_err(|error| Status::error(error.to_string()))?)
            }
        };
        let class = class_of_claim(claim);
        let mut candidates = Self::default();
        for volume in volumes.iter_volumes(listers) {
            if class_of_volume(volume) != class || !could_be_used(volume, claim) {
                continue;
            }
            if is_promised_to(volume, claim) {
                if candidates.promised.is_none() {
                    candidates.promised = Some(Candidate::of(volume));
                }
            } else if is_free_for(volume, claim, selector.as_ref()) {
                candidates.free.push(Candidate::of(volume));
            }
        }
        order::sort_by_key(&mut candidates.free, |candidate| {
            capacity(&candidate.volume)
        });
        Ok(candidates)
    }

    /// The volume that the claim takes on a node with these labels, none of `chosen`.
    ///
    /// A volume that was promised to the claim and is out of reach leaves it without any.
    pub(super) fn on<'a>(
        &'a self,
        labels: &StringMap,
        chosen: &[&Arc<PersistentVolume>],
    ) -> Option<&'a Arc<PersistentVolume>> {
        if let Some(promised) = &self.promised {
            return promised.is_reached_from(labels).then_some(&promised.volume);
        }
        let mut free = self.free.iter();
        let found = free.find(|candidate| candidate.is_open(labels, chosen))?;
        Some(&found.volume)
    }

    /// How many volumes there are that no claim has been promised.
    pub(super) fn free(&self) -> &[Candidate] {
        &self.free
    }

    /// The volume that was promised to the claim.
    pub(super) const fn has_promised(&self) -> bool {
        self.promised.is_some()
    }
}

/// Whether the volume was given to this claim.
pub(super) fn is_promised_to(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    let metadata = &claim.metadata;
    volume.spec.claim_ref.as_ref().is_some_and(|given| {
        given.name == metadata.name
            && given.namespace == metadata.namespace
            && (given.uid.is_empty() || given.uid == metadata.uid)
    })
}

/// What holds of a volume whether or not it is promised to the claim.
fn could_be_used(volume: &PersistentVolume, claim: &PersistentVolumeClaim) -> bool {
    let is_for_another = volume.spec.claim_ref.is_some() && !is_promised_to(volume, claim);
    let requested = storage_request(claim).copied().unwrap_or_default();
    let is_block = |mode: Option<&str>| mode == Some("Block");
    !is_for_another
        && capacity(volume) >= requested
        && is_block(volume.spec.volume_mode.as_deref())
            == is_block(claim.spec.volume_mode.as_deref())
        && attributes(volume.spec.volume_attributes_class_name.as_ref())
            == attributes(claim.spec.volume_attributes_class_name.as_ref())
        && !volume.metadata.is_terminating()
}

fn is_free_for(
    volume: &PersistentVolume,
    claim: &PersistentVolumeClaim,
    selector: Option<&Selector>,
) -> bool {
    let mut wanted = claim.spec.access_modes.iter();
    volume.status.phase == "Available"
        && selector.is_none_or(|selector| selector.matches(&volume.metadata.labels))
        && wanted.all(|mode| volume.spec.access_modes.contains(mode))
}

/// A class of attributes; none is as an empty one.
fn attributes(class: Option<&String>) -> &str {
    class.map_or("", String::as_str)
}

fn capacity(volume: &PersistentVolume) -> Quantity {
    let capacity = volume.spec.capacity.get("storage");
    capacity.copied().unwrap_or_default()
}
