//! Which events could help a pod whose claims found no volumes.

use alloc::sync::Arc;

use crate::api::{CSIDriver, CSINode, CSIStorageCapacity, Object, StorageClass};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::status::PluginError;
use crate::plugins::hint::queue_if;
use crate::plugins::volumes::{MIGRATED_PLUGINS, claim_versions, uses_claim, versions};
use crate::snapshot::PodInfo;

use super::provision::limit;

/// Source: spec, plugins 8.7, as for the others here.
pub(super) fn for_class(
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = versions(old, new, storage_class)?;
    Ok(queue_if(match (old, new) {
        (Some(old), Some(new)) => old.allowed_topologies != new.allowed_topologies,
        _ => true,
    }))
}

pub(super) fn for_claim(
    pod: &PodInfo,
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (_, claim) = claim_versions(old, new)?;
    Ok(queue_if(
        claim.is_some_and(|claim| uses_claim(&pod.pod, claim)),
    ))
}

pub(super) fn for_csi_node(
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = versions(old, new, csi_node)?;
    let handed_over = |node: &CSINode| node.metadata.annotations.get(MIGRATED_PLUGINS).cloned();
    Ok(queue_if(match (old, new) {
        (Some(old), Some(new)) => handed_over(old) != handed_over(new),
        _ => true,
    }))
}

/// QUIRK: only volumes that stand in the pod count, although capacity is kept track of for claims.
pub(super) fn for_driver(
    pod: &PodInfo,
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = versions(old, new, csi_driver)?;
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(QueueingHint::Queue);
    };
    let mut sources = pod
        .pod
        .spec
        .volumes
        .iter()
        .filter_map(|volume| volume.csi.as_ref());
    let is_used = sources.any(|source| source.driver == new.metadata.name);
    let keeps_track = |driver: &CSIDriver| driver.spec.storage_capacity == Some(true);
    Ok(queue_if(is_used && keeps_track(old) && !keeps_track(new)))
}

pub(super) fn for_capacity(
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = versions(old, new, csi_storage_capacity)?;
    Ok(queue_if(match (old, new) {
        (Some(old), Some(new)) => limit(new) > limit(old),
        _ => true,
    }))
}

const fn storage_class(object: &Object) -> Option<&Arc<StorageClass>> {
    match object {
        Object::StorageClass(class) => Some(class),
        _ => None,
    }
}

const fn csi_node(object: &Object) -> Option<&Arc<CSINode>> {
    match object {
        Object::CSINode(node) => Some(node),
        _ => None,
    }
}

const fn csi_driver(object: &Object) -> Option<&Arc<CSIDriver>> {
    match object {
        Object::CSIDriver(driver) => Some(driver),
        _ => None,
    }
}

const fn csi_storage_capacity(object: &Object) -> Option<&Arc<CSIStorageCapacity>> {
    match object {
        Object::CSIStorageCapacity(capacity) => Some(capacity),
        _ => None,
    }
}
