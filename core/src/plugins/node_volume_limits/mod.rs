//! NodeVolumeLimits: no node is asked to attach more volumes than its drivers can.
//!
//! | File | Answers |
//! |---|---|
//! | `attachable` | which volumes a pod has attached, by driver |
//! | `hint` | which events could help |

mod attachable;
mod hint;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{CSINode, CSINodeDriver, Object, Pod};
use crate::config::{ConfigError, Gate, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueueContext, Signature, Verdicts,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::order::SortedMap;
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::sign;
use super::volumes::claim_of;
use super::volumes::migration::inline;
use attachable::{Attached, Reading, attached_by};

/// Rejects nodes whose CSINode says that the pod's volumes would be too many.
///
/// Source: spec, plugins 7; Kubernetes v1.36 `plugins/nodevolumelimits/csi.go`.
#[derive(Clone, Copy, Debug)]
pub struct NodeVolumeLimits {
    /// Whether a driver may keep pods off nodes that lack it.
    wants_drivers: bool,
}

impl NodeVolumeLimits {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeVolumeLimits");

    pub(super) fn build(_: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self {
            wants_drivers: gates.enabled(Gate::VolumeLimitScaling),
        }))
    }

    /// The answer for one node, whose volumes that are on their way there are `attachments`.
    fn judge(
        &self,
        listers: &Listers,
        new: Result<&Attached, &Status>,
        info: &NodeInfo,
        csi_node: Option<&CSINode>,
        attachments: &[Attachment<'_>],
    ) -> Status {
        let new = match new {
            Ok(new) if new.is_empty() => return Status::success(),
            Ok(new) => new,
            Err(status) => return status.clone(),
        };
        if let Some(driver) = self.missing_driver(listers, new, csi_node) {
            let text = [driver, " CSI driver is not installed on the node"].concat();
            return Status::unschedulable(Reason::from(text));
        }
        let Some(limited) = csi_node.filter(|node| node.spec.drivers.iter().any(has_limit)) else {
            return Status::success();
        };
        if has_room_for_all(limited, new, info, attachments) {
            return Status::success();
        }
        let mut attached = Attached::default();
        for other in &info.pods {
            let reading = Reading::Lenient;
            if let Err(status) = attached_by(listers, &other.pod, csi_node, reading, &mut attached)
            {
                return status;
            }
        }
        let mut counts: SortedMap<&str, i64> = SortedMap::new();
        for driver in attached.values() {
            *counts.entry(driver).or_default() += 1;
        }
        for attachment in attachments {
            if !attached.contains_key(&attachment.name()) {
                *counts.entry(attachment.driver).or_default() += 1;
            }
        }
        let mut added: SortedMap<&str, i64> = SortedMap::new();
        for (_, driver) in new.iter().filter(|(name, _)| !attached.contains_key(*name)) {
            *added.entry(driver).or_default() += 1;
        }
        let is_over = |(driver, more): (&&str, &i64)| {
            let count = counts.get(driver).copied().unwrap_or(0);
            limit(limited, driver).is_some_and(|limit| count + more > limit)
        };
        if added.iter().any(is_over) {
            return Status::unschedulable(Reason::MaxVolumeCount);
        }
        Status::success()
    }

    /// The first driver of a new volume that the node lacks and that asked not to be missed.
    fn missing_driver<'a>(
        &self,
        listers: &Listers,
        new: &'a Attached,
        csi_node: Option<&CSINode>,
    ) -> Option<&'a str> {
        if !self.wants_drivers {
            return None;
        }
        let installed = |driver: &str| {
            let drivers = csi_node.into_iter().flat_map(|node| &node.spec.drivers);
            drivers.into_iter().any(|known| known.name == driver)
        };
        new.values().map(String::as_str).find(|driver| {
            let known = listers.csi_drivers.get("", driver);
            let is_wanted = known
                .is_some_and(|known| known.spec.prevent_pod_scheduling_if_missing == Some(true));
            is_wanted && !installed(driver)
        })
    }
}

impl Plugin for NodeVolumeLimits {
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
        match registered.resource {
            EventResource::CsiNode => hint::for_csi_node(old, new),
            EventResource::PersistentVolumeClaim => hint::for_claim(pod, old, new),
            EventResource::VolumeAttachment => hint::for_attachment(pod, old, new),
            _ => hint::for_pod(old, new),
        }
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

impl PreFilter for NodeVolumeLimits {
    fn pre_filter(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        if may_attach(&pod.pod) {
            Status::success().into()
        } else {
            Status::skip().into()
        }
    }
}

impl Filter for NodeVolumeLimits {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let listers = cx.listers;
        let name = cx.snapshot.name(node);
        let csi_node = listers.csi_nodes.get("", name).map(AsRef::as_ref);
        let mut new = Attached::default();
        let read = attached_by(listers, &pod.pod, csi_node, Reading::Strict, &mut new);
        let attachments: Vec<_> = attachments(listers)
            .filter(|attachment| attachment.node == &**name)
            .collect();
        let new = match &read {
            Ok(()) => Ok(&new),
            Err(status) => Err(status),
        };
        self.judge(listers, new, cx.snapshot.node(node), csi_node, &attachments)
    }

    /// Cost: a lookup for each node, and for each volume on nodes that are near a limit.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let listers = cx.listers;
        let mut by_node: BTreeMap<&str, Vec<Attachment<'_>>> = BTreeMap::new();
        for attachment in attachments(listers) {
            by_node.entry(attachment.node).or_default().push(attachment);
        }
        // What the pod attaches depends on a node only in whether it has a CSINode at all.
        let read = |csi_node: Option<&CSINode>| {
            let mut new = Attached::default();
            attached_by(listers, &pod.pod, csi_node, Reading::Strict, &mut new).map(|()| new)
        };
        let without = read(None);
        let mut with: Option<Result<Attached, Status>> = None;
        nodes.retain(|row| {
            let name = cx.snapshot.name(row);
            let csi_node = listers.csi_nodes.get("", name).map(AsRef::as_ref);
            let new = match csi_node {
                None => &without,
                Some(_) => with.get_or_insert_with(|| read(csi_node)),
            };
            let attachments = by_node.get(&**name).map_or(&[][..], Vec::as_slice);
            let info = cx.snapshot.node(row);
            let status = self.judge(listers, new.as_ref(), info, csi_node, attachments);
            let is_feasible = status.is_success();
            if !is_feasible {
                verdicts.reject(row, status);
            }
            is_feasible
        });
    }
}

/// A persistent volume of a driver that is attached to a node, or on its way there.
#[derive(Clone, Copy, Debug)]
struct Attachment<'a> {
    node: &'a str,
    driver: &'a str,
    handle: &'a str,
}

impl Attachment<'_> {
    fn name(&self) -> String {
        attachable::unique_name(self.driver, self.handle)
    }
}

/// Every attachment of a volume that a driver serves.
fn attachments(listers: &Listers) -> impl Iterator<Item = Attachment<'_>> {
    listers.volume_attachments.iter().filter_map(|attachment| {
        let spec = &attachment.spec;
        let volume = spec.source.persistent_volume_name.as_ref()?;
        let volume = listers.persistent_volumes.get("", volume)?;
        let source = volume.spec.csi.as_ref()?;
        (!spec.attacher.is_empty()).then_some(Attachment {
            node: &spec.node_name,
            driver: &spec.attacher,
            handle: &source.volume_handle,
        })
    })
}

/// How many volumes a driver can attach to a node, if there is a limit.
fn limit(csi_node: &CSINode, driver: &str) -> Option<i64> {
    let known = csi_node
        .spec
        .drivers
        .iter()
        .rfind(|known| known.name == driver)?;
    count(known)
}

fn has_limit(driver: &CSINodeDriver) -> bool {
    count(driver).is_some()
}

fn count(driver: &CSINodeDriver) -> Option<i64> {
    Some(i64::from(driver.allocatable.as_ref()?.count?))
}

/// Whether no limit could be passed even if every volume on the node were attached by the same driver as the new ones.
///
/// It says no where a volume could be an error instead.
#[inline(never)]
fn has_room_for_all(
    csi_node: &CSINode,
    new: &Attached,
    info: &NodeInfo,
    attachments: &[Attachment<'_>],
) -> bool {
    let is_clear = info.attachable.doubtful == 0;
    let limits = new.values().filter_map(|driver| limit(csi_node, driver));
    let Some(least) = limits.min() else {
        return is_clear;
    };
    let most = attachments.len() + new.len();
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    is_clear && most.saturating_add(i64::from(info.attachable.volumes)) <= least
}

/// Whether a pod has a volume that a driver could have to attach.
fn may_attach(pod: &Pod) -> bool {
    let mut volumes = pod.spec.volumes.iter();
    volumes.any(|volume| claim_of(pod, volume).is_some() || inline(volume).is_some())
}

const EVENTS: [EventWithHint; 5] = [
    EventWithHint::always(EventResource::CsiNode, ActionType::ADD),
    EventWithHint::asked(EventResource::CsiNode, ActionType::UPDATE),
    EventWithHint::asked(EventResource::Pod, ActionType::DELETE),
    EventWithHint::asked(EventResource::PersistentVolumeClaim, ActionType::ADD),
    EventWithHint::asked(EventResource::VolumeAttachment, ActionType::DELETE),
];

#[cfg(test)]
mod tests;
