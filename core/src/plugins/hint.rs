//! What the queueing hints of several plugins have in common.

use alloc::sync::Arc;

use crate::api::{DeviceClass, Node, Object, Pod};
use crate::framework::cluster_event::QueueingHint;
use crate::framework::status::PluginError;
use crate::snapshot::PodInfo;

/// An object before and after an event; absent before it came, and after it went.
pub(super) type Versions<'a, T> = (Option<&'a Arc<T>>, Option<&'a Arc<T>>);

/// The two versions of the pod that an event is about.
///
/// # Errors
///
/// The event is about something else.
pub(super) fn pods<'a>(
    old: Option<&'a Object>,
    new: Option<&'a Object>,
) -> Result<Versions<'a, Pod>, PluginError> {
    let pod = |object: &'a Object| match object {
        Object::Pod(pod) => Ok(pod),
        _ => Err(PluginError::new("expected a Pod")),
    };
    Ok((old.map(pod).transpose()?, new.map(pod).transpose()?))
}

/// The two versions of the node that an event is about.
///
/// # Errors
///
/// The event is about something else.
pub(super) fn nodes<'a>(
    old: Option<&'a Object>,
    new: Option<&'a Object>,
) -> Result<Versions<'a, Node>, PluginError> {
    let node = |object: &'a Object| match object {
        Object::Node(node) => Ok(node),
        _ => Err(PluginError::new("expected a Node")),
    };
    Ok((old.map(node).transpose()?, new.map(node).transpose()?))
}

/// Whether `other` is a version of `pod`.
pub(super) fn is_same(pod: &PodInfo, other: &Pod) -> bool {
    *pod.reference.uid == *other.metadata.uid
}

/// Queue when `could_help`, QueueSkip otherwise.
pub(super) const fn queue_if(could_help: bool) -> QueueingHint {
    if could_help {
        QueueingHint::Queue
    } else {
        QueueingHint::QueueSkip
    }
}

/// Whether a pod was on a node or promised to one: only then did it hold anything.
pub(super) fn had_place(pod: &Pod) -> bool {
    !pod.spec.node_name.is_empty() || !pod.status.nominated_node_name.is_empty()
}

/// The two versions of the device class that an event is about.
///
/// # Errors
///
/// The event is about something else.
pub(super) fn device_classes<'a>(
    old: Option<&'a Object>,
    new: Option<&'a Object>,
) -> Result<Versions<'a, DeviceClass>, PluginError> {
    let class = |object: &'a Object| match object {
        Object::DeviceClass(class) => Ok(class),
        _ => Err(PluginError::new("expected a DeviceClass")),
    };
    Ok((old.map(class).transpose()?, new.map(class).transpose()?))
}
