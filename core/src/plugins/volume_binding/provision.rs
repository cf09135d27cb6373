//! Whether a volume could be made for a node.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{
    CSIStorageCapacity, PersistentVolumeClaim, Selector, StorageClass, StringMap,
    TopologySelectorTerm,
};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::plugins::volumes::{class_of_claim, storage_request};
use crate::snapshot::Listers;

/// What could make a claim's volume, as far as it does not depend on the node.
#[derive(Clone, Debug)]
pub(super) enum Provisioner {
    /// The claim has no class, or its class is gone: an error on every node that gets this far.
    Broken(Arc<str>),
    /// Nobody makes volumes of the class.
    Nobody,
    /// A driver or another provisioner.
    Somebody {
        class: Arc<StorageClass>,
        places: Places,
    },
}

/// Where there is room for the volume.
#[derive(Clone, Debug)]
pub(super) enum Places {
    /// Nobody keeps track.
    Anywhere,
    /// Where one of these is large enough, by the nodes that reach it.
    Tracked(Vec<(Selector, Arc<CSIStorageCapacity>)>),
}

/// A volume that would be made.
#[derive(Clone, Debug, Default)]
pub(super) struct Provision {
    /// The room that was found for it, where somebody keeps track.
    pub(super) capacity: Option<Arc<CSIStorageCapacity>>,
}

/// Why no volume can be made.
#[derive(Clone, Debug)]
pub(super) enum Refusal {
    /// A reason to reject the node.
    Reason(Reason),
    /// Something is wrong with the claim.
    Broken(Status),
}

impl Provisioner {
    /// Source: spec, plugins 8.3 d.
    pub(super) fn of(listers: &Listers, claim: &PersistentVolumeClaim) -> Self {
        let name = class_of_claim(claim);
        if name.is_empty() {
            let metadata = &claim.metadata;
            let parts = [
                "no class for claim \"",
                &metadata.namespace,
                "/",
                &metadata.name,
                "\"",
            ];
            return Self::Broken(Arc::from(parts.concat()));
        }
        let Some(class) = listers.storage_classes.get("", name) else {
            let text: String = ["failed to find storage class \"", name, "\""].concat();
            return Self::Broken(Arc::from(text));
        };
        match class.provisioner.as_str() {
            "" | "kubernetes.io/no-provisioner" => Self::Nobody,
            _ => Self::Somebody {
                class: class.clone(),
                places: places(listers, class, claim),
            },
        }
    }

    /// A volume for a node with these labels.
    ///
    /// # Errors
    ///
    /// It cannot be made there.
    pub(super) fn on(&self, labels: &StringMap) -> Result<Provision, Refusal> {
        let (class, places) = match self {
            Self::Broken(text) => return Err(Refusal::Broken(Status::error(text.clone()))),
            Self::Nobody => return Err(Refusal::Reason(Reason::NoMatchingVolume)),
            Self::Somebody { class, places } => (class, places),
        };
        let terms = &class.allowed_topologies;
        if !terms.is_empty() && !terms.iter().any(|term| is_allowed(term, labels)) {
            return Err(Refusal::Reason(Reason::NoMatchingVolume));
        }
        match places {
            Places::Anywhere => Ok(Provision::default()),
            Places::Tracked(places) => {
                let found = places.iter().find(|(nodes, _)| nodes.matches(labels));
                let (_, capacity) = found.ok_or(Refusal::Reason(Reason::NotEnoughStorage))?;
                Ok(Provision {
                    capacity: Some(capacity.clone()),
                })
            }
        }
    }
}

/// The places where a volume of the claim's size would fit, if the class's driver keeps track of them.
#[inline(never)]
fn places(listers: &Listers, class: &StorageClass, claim: &PersistentVolumeClaim) -> Places {
    let driver = listers.csi_drivers.get("", &class.provisioner);
    let keeps_track = driver.is_some_and(|driver| driver.spec.storage_capacity == Some(true));
    let Some(request) = storage_request(claim).filter(|_| keeps_track) else {
        return Places::Anywhere;
    };
    let known = listers.csi_storage_capacities.iter().filter(|capacity| {
        capacity.storage_class_name == class.metadata.name
            && limit(capacity).is_some_and(|limit| limit >= request.value())
    });
    let reached = known.filter_map(|capacity| {
        let nodes = Selector::compile(capacity.node_topology.as_ref()).ok()?;
        Some((nodes, capacity.clone()))
    });
    Places::Tracked(reached.collect())
}

/// How large a volume can be made in a place; `None` when that is not known.
pub(super) fn limit(capacity: &CSIStorageCapacity) -> Option<i64> {
    let limit = capacity.maximum_volume_size.or(capacity.capacity)?;
    Some(limit.value())
}

/// Whether every label of the term has one of its values. A term without labels allows nothing.
fn is_allowed(term: &TopologySelectorTerm, labels: &StringMap) -> bool {
    let wanted = &term.match_label_expressions;
    !wanted.is_empty()
        && wanted.iter().all(|wanted| {
            let value = labels.get(&wanted.key);
            value.is_some_and(|value| wanted.values.contains(value))
        })
}
