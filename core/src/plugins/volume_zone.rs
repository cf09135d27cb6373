//! VolumeZone: a pod goes where the zones and regions of its volumes are.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, PersistentVolume, StorageClass};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueueContext, Signature,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::order::{self, SortedSet};
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::hint::queue_if;
use super::sign;
use super::volumes::{
    WAIT_FOR_FIRST_CONSUMER, claim_versions, class_of_claim, no_binding_mode, not_found_reason,
    plain_claims, versions,
};

/// Rejects nodes outside the zones that the labels of the pod's volumes name.
///
/// Source: spec, plugins 9; Kubernetes v1.36 `plugins/volumezone/volume_zone.go`.
#[derive(Clone, Copy, Debug)]
pub struct VolumeZone;

/// A label that the node must have with one of some values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    key: &'static str,
    values: SortedSet<String>,
}

impl VolumeZone {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("VolumeZone");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for VolumeZone {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        Ok(queue_if(match registered.resource {
            EventResource::StorageClass => {
                let (_, class) = versions(old, new, storage_class)?;
                class.is_some_and(|class| binds_late(class))
            }
            EventResource::PersistentVolumeClaim => {
                let (_, claim) = claim_versions(old, new)?;
                claim.is_some_and(|claim| {
                    claim.metadata.namespace == *pod.reference.namespace
                        && plain_claims(&pod.pod).any(|name| name == claim.metadata.name)
                })
            }
            EventResource::PersistentVolume => {
                let (old, new) = versions(old, new, persistent_volume)?;
                match (old, new) {
                    (Some(old), Some(new)) => places(old) != places(new),
                    _ => true,
                }
            }
            _ => true,
        }))
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        sign::volume_sources(pod)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

impl PreFilter for VolumeZone {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let mut wanted = Vec::new();
        for name in plain_claims(&pod.pod) {
            match volume_of(cx.listers, &pod.reference.namespace, name) {
                Ok(Some(volume)) => wanted.extend(places(volume)),
                Ok(None) => {}
                Err(reason) => return Status::unresolvable(reason).into(),
            }
        }
        if wanted.is_empty() {
            return Status::skip().into();
        }
        state.write_until_chosen(PRE_FILTER, Arc::new(wanted));
        Status::success().into()
    }
}

impl Filter for VolumeZone {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let wanted = state.read::<Arc<Vec<Place>>>(PRE_FILTER);
        let info = cx.snapshot.node(node);
        let is_single_zone = KEYS.iter().all(|(key, _)| info.label(key).is_none());
        let mut wanted = wanted.into_iter().flat_map(|wanted| wanted.iter());
        if is_single_zone || wanted.all(|place| place.holds(info)) {
            return Status::success();
        }
        Status::unresolvable(Reason::VolumeZoneMismatch)
    }
}

impl Place {
    /// Whether the node is there. A beta key is also looked for under its present name, not the other way round.
    fn holds(&self, info: &NodeInfo) -> bool {
        let successor = KEYS.iter().find(|(key, _)| *key == self.key);
        let successor = successor.and_then(|(_, successor)| *successor);
        let value = info
            .label(self.key)
            .or_else(|| successor.and_then(|key| info.label(key)));
        value.is_some_and(|value| self.values.contains(value))
    }
}

/// The volume of a claim; `None` while a class that waits for a pod has not made it.
fn volume_of<'a>(
    listers: &'a Listers,
    namespace: &str,
    name: &str,
) -> Result<Option<&'a Arc<PersistentVolume>>, Reason> {
    if name.is_empty() {
        return Err(Reason::from("PersistentVolumeClaim had no name"));
    }
    let claim = listers.persistent_volume_claims.get(namespace, name);
    let claim = claim.ok_or_else(|| not_found_reason(Kind::PersistentVolumeClaim, name))?;
    let volume = claim.spec.volume_name.as_str();
    if volume.is_empty() {
        let class = class_of_claim(claim);
        if class.is_empty() {
            let text = "PersistentVolumeClaim had no pv name and storageClass name";
            return Err(Reason::from(text));
        }
        let found = listers.storage_classes.get("", class);
        let found = found.ok_or_else(|| not_found_reason(Kind::StorageClass, class))?;
        return match found.volume_binding_mode.as_deref() {
            None => Err(Reason::from(no_binding_mode(class))),
            Some(WAIT_FOR_FIRST_CONSUMER) => Ok(None),
            Some(_) => Err(Reason::from("PersistentVolume had no name")),
        };
    }
    let found = listers.persistent_volumes.get("", volume);
    let found = found.ok_or_else(|| not_found_reason(Kind::PersistentVolume, volume))?;
    Ok(Some(found))
}

/// Where the labels of a volume say it is. A list with an empty part says nothing.
fn places(volume: &PersistentVolume) -> Vec<Place> {
    let labels = &volume.metadata.labels;
    let named = KEYS.iter().filter_map(|(key, _)| {
        let parts = labels.get(*key)?.split("__").map(str::trim);
        let values: SortedSet<String> = order::collect(parts.map(String::from));
        (!values.contains("")).then_some(Place { key, values })
    });
    named.collect()
}

fn binds_late(class: &StorageClass) -> bool {
    class.volume_binding_mode.as_deref() == Some(WAIT_FOR_FIRST_CONSUMER)
}

const fn storage_class(object: &Object) -> Option<&Arc<StorageClass>> {
    match object {
        Object::StorageClass(class) => Some(class),
        _ => None,
    }
}

const fn persistent_volume(object: &Object) -> Option<&Arc<PersistentVolume>> {
    match object {
        Object::PersistentVolume(volume) => Some(volume),
        _ => None,
    }
}

/// The labels that say where a volume is, with what each beta one is called today.
const KEYS: [(&str, Option<&str>); 4] = [
    (
        "failure-domain.beta.kubernetes.io/zone",
        Some("topology.kubernetes.io/zone"),
    ),
    (
        "failure-domain.beta.kubernetes.io/region",
        Some("topology.kubernetes.io/region"),
    ),
    ("topology.kubernetes.io/zone", None),
    ("topology.kubernetes.io/region", None),
];

const EVENTS: [EventWithHint; 4] = [
    EventWithHint::asked(EventResource::StorageClass, ActionType::ADD),
    EventWithHint::always(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
    ),
    EventWithHint::asked(
        EventResource::PersistentVolumeClaim,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
    EventWithHint::asked(
        EventResource::PersistentVolume,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
];

const PRE_FILTER: StateKey = StateKey("PreFilterVolumeZone");
