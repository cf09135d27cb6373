//! Which volumes a pod has attached, by driver.

use alloc::string::String;

use crate::api::{CSINode, Kind, PersistentVolumeClaim, Pod};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::order::SortedMap;
use crate::plugins::volumes::migration::{InTree, Migrated, inline, persistent};
use crate::plugins::volumes::{ClaimUse, check_owner, claim_of, class_of_claim, not_found};
use crate::snapshot::Listers;

/// The driver of each volume, by a name that is unique among all drivers.
pub(super) type Attached = SortedMap<String, String>;

/// Whether a claim that is missing matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The pod is to be placed and needs its claims.
    Strict,
    /// The pod runs already, and nobody knows what a missing claim was.
    Lenient,
}

/// Adds the volumes that a pod has attached to a node.
///
/// Source: spec, plugins 7.
///
/// # Errors
///
/// A claim is missing, or was made for another pod.
pub(super) fn attached_by(
    listers: &Listers,
    pod: &Pod,
    csi_node: Option<&CSINode>,
    reading: Reading,
    attached: &mut Attached,
) -> Result<(), Status> {
    for volume in &pod.spec.volumes {
        let of_driver = match claim_of(pod, volume) {
            Some(used) => {
                let claim = find(listers, pod, &used, reading)?;
                claim.and_then(|claim| driver_of(listers, claim, csi_node))
            }
            None => inline(volume).and_then(|disk| taken_over(disk, csi_node)),
        };
        if let Some((driver, handle)) = of_driver {
            attached.insert(unique_name(&driver, &handle), driver);
        }
    }
    Ok(())
}

/// `driver/handle`.
pub(super) fn unique_name(driver: &str, handle: &str) -> String {
    [driver, "/", handle].concat()
}

fn find<'a>(
    listers: &'a Listers,
    pod: &Pod,
    used: &ClaimUse,
    reading: Reading,
) -> Result<Option<&'a PersistentVolumeClaim>, Status> {
    let namespace = pod.metadata.namespace.as_str();
    if used.name.is_empty() {
        return Err(Status::error("PersistentVolumeClaim had no name"));
    }
    let Some(claim) = listers.persistent_volume_claims.get(namespace, &used.name) else {
        if reading == Reading::Lenient {
            return Ok(None);
        }
        let cause = not_found(Kind::PersistentVolumeClaim, &used.name);
        let text = ["looking up PVC ", namespace, "/", &used.name, ": ", &cause].concat();
        return Err(Status::unresolvable(Reason::from(text)));
    };
    if used.is_ephemeral {
        check_owner(pod, claim).map_err(Status::error)?;
    }
    Ok(Some(claim))
}

/// Driver and handle of a claim's volume, or of the one that its class will have made.
fn driver_of(
    listers: &Listers,
    claim: &PersistentVolumeClaim,
    csi_node: Option<&CSINode>,
) -> Option<(String, String)> {
    let volume = listers.persistent_volumes.get("", &claim.spec.volume_name);
    let Some(volume) = volume else {
        return driver_of_class(listers, claim, csi_node);
    };
    if let Some(source) = &volume.spec.csi {
        return Some((source.driver.clone(), source.volume_handle.clone()));
    }
    taken_over(persistent(volume)?, csi_node)
}

fn driver_of_class(
    listers: &Listers,
    claim: &PersistentVolumeClaim,
    csi_node: Option<&CSINode>,
) -> Option<(String, String)> {
    let class = listers.storage_classes.get("", class_of_claim(claim))?;
    let driver = match InTree::by_provisioner(&class.provisioner) {
        None => class.provisioner.as_str(),
        Some(in_tree) if in_tree.is_active(csi_node) => in_tree.driver,
        Some(_) => return None,
    };
    let metadata = &claim.metadata;
    let handle = [NOT_MADE, &metadata.namespace, "/", &metadata.name].concat();
    Some((String::from(driver), handle))
}

fn taken_over(disk: Migrated, csi_node: Option<&CSINode>) -> Option<(String, String)> {
    let Migrated { in_tree, handle } = disk;
    let is_active = in_tree.is_active(csi_node);
    is_active.then(|| (String::from(in_tree.driver), handle))
}

/// Begins the handle of a volume that is not made yet; no driver calls a volume so.
const NOT_MADE: &str = "\u{0}not made yet-";
