//! What would become of all claims of a pod on a node.

use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::api::{CSINode, Node, PersistentVolume};
use crate::framework::reason::Reason;
use crate::framework::status::{Code, Status};

use super::claims::{BoundClaim, Claims, DelayedClaim};
use super::provision::{Provision, Refusal};

/// What would be done on a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision<'a> {
    /// Claims with the volumes that they take.
    pub(super) bindings: Vec<(&'a DelayedClaim, &'a Arc<PersistentVolume>)>,
    /// Claims for which volumes are made.
    pub(super) provisions: Vec<(&'a DelayedClaim, Provision)>,
}

/// Which volume a claim takes: found by a search over its candidates, or looked up.
pub(super) type Choose<'c, 'a> =
    dyn FnMut(usize, &[&'a Arc<PersistentVolume>]) -> Option<&'a Arc<PersistentVolume>> + 'c;

impl Claims {
    /// Decides for one node.
    ///
    /// # Errors
    ///
    /// Every reason why the node will not do, in kube-scheduler's order; or what is wrong with a claim.
    pub(super) fn decide(
        &self,
        node: &Node,
        csi_node: Option<&CSINode>,
    ) -> Result<Decision<'_>, Status> {
        let labels = &node.metadata.labels;
        self.decide_with(node, csi_node, &mut |place, chosen| {
            self.delayed.get(place)?.candidates.on(labels, chosen)
        })
    }

    /// The same with another way to choose volumes, which must come to the same.
    ///
    /// Source: spec, plugins 8.3.
    pub(super) fn decide_with<'a>(
        &'a self,
        node: &Node,
        csi_node: Option<&CSINode>,
        choose: &mut Choose<'_, 'a>,
    ) -> Result<Decision<'a>, Status> {
        let mut reasons: SmallVec<[Reason; 1]> = SmallVec::new();
        let is_reached = |reach: &BoundClaim| match reach {
            None => Some(Reason::VolumeNotFound),
            Some(reach) if reach.includes(&node.metadata.labels, csi_node) => None,
            Some(_) => Some(Reason::VolumeNodeAffinity),
        };
        let of_bound = self.bound.iter().find_map(is_reached);
        let mut decision = Decision::default();
        let of_delayed = match self.decide_delayed(node, choose, &mut decision) {
            Ok(()) => None,
            Err(Refusal::Reason(reason)) => Some(reason),
            Err(Refusal::Broken(status)) => return Err(status),
        };
        let is_affinity = of_bound == Some(Reason::VolumeNodeAffinity);
        let (first, last) = if is_affinity {
            (of_bound, None)
        } else {
            (None, of_bound)
        };
        reasons.extend([first, of_delayed, last].into_iter().flatten());
        if reasons.is_empty() {
            return Ok(decision);
        }
        Err(Status {
            code: Code::UnschedulableAndUnresolvable,
            reasons,
            plugin: None,
        })
    }

    fn decide_delayed<'a>(
        &'a self,
        node: &Node,
        choose: &mut Choose<'_, 'a>,
        decision: &mut Decision<'a>,
    ) -> Result<(), Refusal> {
        let is_elsewhere =
            |claim: &DelayedClaim| claim.selected_node() != Some(node.metadata.name.as_str());
        if self.selected.iter().any(is_elsewhere) {
            return Err(Refusal::Reason(Reason::NoMatchingVolume));
        }
        let mut to_make: SmallVec<[&DelayedClaim; 4]> = self.selected.iter().collect();
        let mut chosen: SmallVec<[&Arc<PersistentVolume>; 4]> = SmallVec::new();
        for (place, delayed) in self.delayed.iter().enumerate() {
            match choose(place, &chosen) {
                Some(volume) => {
                    chosen.push(volume);
                    decision.bindings.push((delayed, volume));
                }
                None => to_make.push(delayed),
            }
        }
        for delayed in to_make {
            let provision = delayed.provisioner.on(&node.metadata.labels)?;
            decision.provisions.push((delayed, provision));
        }
        Ok(())
    }
}
