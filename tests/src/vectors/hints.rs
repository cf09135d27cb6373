//! Cases of queueing hints: an event, a waiting pod, and whether the event could help it.

use berth_core::config::Gates;
use berth_core::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, HintMode, QueueingHint,
};
use berth_core::framework::extension::Plugin;
use serde_json::Value;

use super::read;
use crate::setting::Setting;

/// Checks one case.
pub(super) fn check(plugin: &str, case: &Value) -> Result<(), String> {
    super::unknown_keys(
        case,
        &[
            "name", "note", "plugin", "resource", "change", "pod", "old", "new", "args", "expect",
        ],
    )?;
    let expected = match case["expect"].as_str() {
        Some("Queue") => QueueingHint::Queue,
        Some("QueueSkip") => QueueingHint::QueueSkip,
        other => return Err(format!("  unknown answer {other:?}")),
    };
    let plugin = read::plugin(plugin, &case["args"], Gates::default())?;
    let registered = registrations(&*plugin, case)?;
    if registered.is_empty() {
        return Err("  the plugin is not registered for the event".to_owned());
    }
    let pod = read::pod(case)?;
    let (old, new) = (
        read::optional_object(case, "old")?,
        read::optional_object(case, "new")?,
    );
    let setting = Setting::default();
    let mut answers = Vec::new();
    for (event, mode) in registered {
        let (old, new) = (old.as_ref(), new.as_ref());
        let answer = match mode {
            HintMode::AlwaysQueue => Ok(QueueingHint::Queue),
            HintMode::Ask => plugin.queueing_hint(&setting.queue(), &event, &pod, old, new),
        };
        answers.push(answer.unwrap_or(QueueingHint::Queue));
    }
    let found = answers.iter().max().copied();
    if found == Some(expected) {
        return Ok(());
    }
    Err(format!("  expected {expected:?}, found {answers:?}"))
}

/// What the plugin registered that the event of the case matches.
fn registrations(
    plugin: &dyn Plugin,
    case: &Value,
) -> Result<Vec<(ClusterEvent, HintMode)>, String> {
    let resource = resource(case["resource"].as_str().unwrap_or_default())?;
    let action = match case["change"].as_str() {
        Some("Add") => ActionType::ADD,
        Some("Update") => ActionType::UPDATE,
        Some("Delete") => ActionType::DELETE,
        other => return Err(format!("  unknown change {other:?}")),
    };
    let events = plugin.events().unwrap_or_default().iter();
    Ok(events
        .filter(|entry| entry.event.resource == resource && entry.event.action.intersects(action))
        .map(|entry| (entry.event, entry.mode))
        .collect())
}

fn resource(name: &str) -> Result<EventResource, String> {
    Ok(match name {
        "Pod" => EventResource::Pod,
        "Node" => EventResource::Node,
        "PersistentVolume" => EventResource::PersistentVolume,
        "PersistentVolumeClaim" => EventResource::PersistentVolumeClaim,
        "CSINode" => EventResource::CsiNode,
        "CSIDriver" => EventResource::CsiDriver,
        "VolumeAttachment" => EventResource::VolumeAttachment,
        "CSIStorageCapacity" => EventResource::CsiStorageCapacity,
        "StorageClass" => EventResource::StorageClass,
        "ResourceClaim" => EventResource::ResourceClaim,
        "ResourceSlice" => EventResource::ResourceSlice,
        "DeviceClass" => EventResource::DeviceClass,
        other => return Err(format!("  unknown resource {other:?}")),
    })
}
