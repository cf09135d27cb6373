//! Which claims a pod has, and which of them still need a volume.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    CSINode, Kind, NodeMatcher, PersistentVolume, PersistentVolumeClaim, Pod, StringMap,
};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::order;
use crate::plugins::volumes::migration::{InTree, persistent, required_nodes};
use crate::plugins::volumes::{
    SELECTED_NODE, WAIT_FOR_FIRST_CONSUMER, check_owner, claims_of, class_of_claim, is_bound,
    no_binding_mode, not_found, not_found_reason, storage_request,
};
use crate::snapshot::Listers;
use crate::snapshot::memory::AssumedVolumes;

use super::matching::Candidates;
use super::provision::Provisioner;

/// The claims of a pod, ready to be judged on any node.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// Those that have their volume, in the order of the pod's volumes.
    pub(super) bound: Vec<BoundClaim>,
    /// Those whose volume is to be made for a node that was chosen before.
    pub(super) selected: Vec<DelayedClaim>,
    /// Those that wait for this pod, smallest first.
    pub(super) delayed: Vec<DelayedClaim>,
    /// How many are to be bound without waiting for a pod, and are not.
    immediate: usize,
}

/// A claim that has its volume, by the nodes from which that can be reached; `None` when the volume is gone.
pub(super) type BoundClaim = Option<Reach>;

/// The nodes from which a volume can be reached.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    nodes: Option<NodeMatcher>,
    /// The same on nodes that have handed the volume's plugin over to a driver.
    handed_over: Option<(InTree, Option<NodeMatcher>)>,
}

/// A claim that waits for a pod.
#[derive(Clone, Debug)]
pub(super) struct DelayedClaim {
    /// The claim.
    pub(super) claim: Arc<PersistentVolumeClaim>,
    /// The volumes that it could take.
    pub(super) candidates: Candidates,
    /// What could make a volume for it.
    pub(super) provisioner: Provisioner,
}

impl DelayedClaim {
    /// The node for which its volume is to be made, if that was decided before.
    pub(super) fn selected_node(&self) -> Option<&str> {
        let annotations = &self.claim.metadata.annotations;
        annotations.get(SELECTED_NODE).map(String::as_str)
    }
}

impl Claims {
    /// Reads the claims of a pod as decided, else as observed.
    ///
    /// Source: spec, plugins 8.2, second part.
    ///
    /// # Errors
    ///
    /// A claim is missing, or its class does not say when volumes are bound.
    pub(super) fn of(
        listers: &Listers,
        volumes: &AssumedVolumes,
        pod: &Pod,
    ) -> Result<Self, Status> {
        let namespace = pod.metadata.namespace.as_str();
        let mut claims = Self::default();
        for used in claims_of(pod) {
            let Some(claim) = volumes.claim(listers, namespace, &used.name) else {
                let text = not_found(Kind::PersistentVolumeClaim, &used.name);
                return Err(Status::error(text));
            };
            if is_bound(claim) {
                let volume = volumes.volume(listers, &claim.spec.volume_name);
                claims.bound.push(volume.map(|volume| Reach::of(volume)));
            } else if !waits_for_pod(listers, claim)? {
                claims.immediate += 1;
            } else {
                let ready = DelayedClaim {
                    claim: claim.clone(),
                    candidates: Candidates::default(),
                    provisioner: Provisioner::of(listers, claim),
                };
                match ready.selected_node() {
                    Some(_) => claims.selected.push(ready),
                    None => claims.delayed.push(ready),
                }
            }
        }
        order::sort_by_key(&mut claims.delayed, |delayed| {
            let request = storage_request(&delayed.claim);
            request.copied().unwrap_or_default()
        });
        if claims.immediate == 0 {
            for delayed in &mut claims.delayed {
                delayed.candidates = Candidates::of(listers, volumes, &delayed.claim)?;
            }
        }
        Ok(claims)
    }

    /// Whether every claim has its volume.
    pub(super) fn are_all_bound(&self) -> bool {
        self.immediate == 0 && self.selected.is_empty() && self.delayed.is_empty()
    }

    /// Whether a claim is not bound that should be before any pod is placed.
    pub(super) const fn has_unbound_immediate(&self) -> bool {
        self.immediate > 0
    }
}

impl Reach {
    pub(super) fn of(volume: &PersistentVolume) -> Self {
        let affinity = volume.spec.node_affinity.as_ref();
        let required = affinity.and_then(|affinity| affinity.required.as_ref());
        let handed_over = persistent(volume).map(|migrated| {
            let required = required_nodes(volume, migrated.in_tree);
            (migrated.in_tree, required.as_ref().map(NodeMatcher::lazy))
        });
        Self {
            nodes: required.map(NodeMatcher::lazy),
            handed_over,
        }
    }

    /// Whether a node with these labels reaches the volume.
    ///
    /// QUIRK: a node's name is not available here, so requirements on `metadata.name` are passed over.
    pub(super) fn includes(&self, labels: &StringMap, csi_node: Option<&CSINode>) -> bool {
        let nodes = match &self.handed_over {
            Some((in_tree, nodes)) if in_tree.is_handed_over(csi_node) => nodes,
            _ => &self.nodes,
        };
        nodes
            .as_ref()
            .is_none_or(|nodes| nodes.matches_parts("", labels))
    }

    /// Whether it matters what a node has handed over to drivers.
    pub(super) const fn depends_on_csi_node(&self) -> bool {
        self.handed_over.is_some()
    }

    /// Whether every node reaches the volume, whatever its labels and its CSINode.
    pub(super) fn is_everywhere(&self) -> bool {
        let handed_over = self.handed_over.as_ref();
        self.nodes.is_none() && handed_over.is_none_or(|(_, nodes)| nodes.is_none())
    }
}

/// Looks at the claims as observed; whether there is any.
///
/// Source: spec, plugins 8.2, first part.
///
/// # Errors
///
/// The first claim that cannot be used.
pub(super) fn check_observed(listers: &Listers, pod: &Pod) -> Result<bool, Reason> {
    let namespace = pod.metadata.namespace.as_str();
    let mut has_claims = false;
    for used in claims_of(pod) {
        has_claims = true;
        let name = used.name.as_str();
        let Some(claim) = listers.persistent_volume_claims.get(namespace, name) else {
            if used.is_ephemeral {
                let text = "waiting for ephemeral volume controller to create the persistentvolumeclaim \"";
                return Err(Reason::from([text, name, "\""].concat()));
            }
            return Err(not_found_reason(Kind::PersistentVolumeClaim, name));
        };
        if claim.status.phase == "Lost" {
            let volume = claim.spec.volume_name.as_str();
            let middle = "\" bound to non-existent persistentvolume \"";
            let parts = ["persistentvolumeclaim \"", name, middle, volume, "\""];
            return Err(Reason::from(parts.concat()));
        }
        if claim.metadata.is_terminating() {
            let parts = ["persistentvolumeclaim \"", name, "\" is being deleted"];
            return Err(Reason::from(parts.concat()));
        }
        if used.is_ephemeral {
            check_owner(pod, claim).map_err(Reason::from)?;
        }
    }
    Ok(has_claims)
}

/// Whether the claim's class leaves the choice of a volume to the scheduler.
fn waits_for_pod(listers: &Listers, claim: &PersistentVolumeClaim) -> Result<bool, Status> {
    let name = class_of_claim(claim);
    let Some(class) = listers.storage_classes.get("", name) else {
        return Ok(false);
    };
    match class.volume_binding_mode.as_deref() {
        None => Err(Status::error(no_binding_mode(name))),
        Some(mode) => Ok(mode == WAIT_FOR_FIRST_CONSUMER && claim.spec.volume_name.is_empty()),
    }
}
