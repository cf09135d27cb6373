//! Which events could help a pod whose volumes were too many.

use alloc::sync::Arc;

use crate::api::{CSINode, Object, VolumeAttachment};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::status::PluginError;
use crate::plugins::hint::{had_place, pods, queue_if};
use crate::plugins::volumes::migration::inline;
use crate::plugins::volumes::{claim_versions, uses_claim, versions};
use crate::snapshot::PodInfo;

use super::{count, limit, may_attach};

/// A limit was raised; a driver without one counts as having 0.
pub(super) fn for_csi_node(
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (old, new) = versions(old, new, csi_node)?;
    let before = |driver: &str| old.and_then(|old| limit(old, driver)).unwrap_or(0);
    let mut drivers = new.into_iter().flat_map(|new| &new.spec.drivers);
    Ok(queue_if(drivers.any(|driver| {
        count(driver).is_some_and(|count| count > before(&driver.name))
    })))
}

/// A pod went that could have had volumes attached.
pub(super) fn for_pod(
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (gone, _) = pods(old, new)?;
    Ok(queue_if(
        gone.is_some_and(|gone| had_place(gone) && may_attach(gone)),
    ))
}

/// A claim of the pod came.
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

/// A volume was detached that a driver of the pod could have served.
pub(super) fn for_attachment(
    pod: &PodInfo,
    old: Option<&Object>,
    new: Option<&Object>,
) -> Result<QueueingHint, PluginError> {
    let (gone, _) = versions(old, new, volume_attachment)?;
    let Some(gone) = gone else {
        return Ok(QueueingHint::QueueSkip);
    };
    Ok(queue_if(pod.pod.spec.volumes.iter().any(|volume| {
        let disk = inline(volume);
        volume.persistent_volume_claim.is_some()
            || disk.is_some_and(|disk| disk.in_tree.driver == gone.spec.attacher)
    })))
}

const fn csi_node(object: &Object) -> Option<&Arc<CSINode>> {
    match object {
        Object::CSINode(node) => Some(node),
        _ => None,
    }
}

const fn volume_attachment(object: &Object) -> Option<&Arc<VolumeAttachment>> {
    match object {
        Object::VolumeAttachment(attachment) => Some(attachment),
        _ => None,
    }
}
