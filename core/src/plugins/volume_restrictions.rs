//! VolumeRestrictions: no two pods share a disk that cannot be shared, and a ReadWriteOncePod claim has one pod.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, Pod, Volume};
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueueContext, Signature, Verdicts,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::order::SortedSet;
use crate::snapshot::pod_info::claim_key;
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::hint::{pods, queue_if};
use super::sign;
use super::volumes::{claim_versions, not_found_reason, plain_claims};

/// Rejects nodes where another pod has a disk of the pod, and every node while a claim for one pod is in use.
///
/// Source: spec, plugins 6; Kubernetes v1.36 `plugins/volumerestrictions/volume_restrictions.go`.
#[derive(Clone, Copy, Debug)]
pub struct VolumeRestrictions;

/// The claims of the pod that only one pod may use, and how often others use them.
#[derive(Clone, Debug)]
struct OncePerPod {
    claims: Arc<SortedSet<String>>,
    conflicts: i64,
}

impl VolumeRestrictions {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("VolumeRestrictions");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for VolumeRestrictions {
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
        let pod = &pod.pod;
        Ok(queue_if(match registered.resource {
            EventResource::PersistentVolumeClaim => {
                let (_, claim) = claim_versions(old, new)?;
                claim.is_some_and(|claim| {
                    claim.metadata.namespace == pod.metadata.namespace
                        && plain_claims(pod).any(|name| name == claim.metadata.name)
                })
            }
            _ => {
                let (gone, _) = pods(old, new)?;
                gone.is_some_and(|gone| {
                    gone.metadata.namespace == pod.metadata.namespace
                        && (disks(pod).any(|disk| is_held_by(disk, gone))
                            || plain_claims(gone)
                                .any(|name| plain_claims(pod).any(|own| own == name)))
                })
            }
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

impl PreFilter for VolumeRestrictions {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let namespace = &*pod.reference.namespace;
        let mut claims = SortedSet::new();
        for name in plain_claims(&pod.pod) {
            let Some(claim) = cx.listers.persistent_volume_claims.get(namespace, name) else {
                let reason = not_found_reason(Kind::PersistentVolumeClaim, name);
                return Status::unresolvable(reason).into();
            };
            let mut modes = claim.spec.access_modes.iter();
            if modes.any(|mode| mode == "ReadWriteOncePod") {
                claims.insert(String::from(name));
            }
        }
        let in_use = claims
            .iter()
            .filter(|name| cx.snapshot.is_claim_used(&claim_key(namespace, name)));
        let conflicts = i64::try_from(in_use.count()).unwrap_or(i64::MAX);
        if conflicts == 0 && disks(&pod.pod).next().is_none() {
            return Status::skip().into();
        }
        let claims = Arc::new(claims);
        state.write_until_chosen(PRE_FILTER, OncePerPod { claims, conflicts });
        Status::success().into()
    }

    fn has_extensions(&self) -> bool {
        true
    }

    fn add_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        _pod: &PodInfo,
        added: &PodInfo,
        _node: &NodeInfo,
    ) -> Status {
        count(state, &added.pod, 1)
    }

    fn remove_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        _pod: &PodInfo,
        removed: &PodInfo,
        _node: &NodeInfo,
    ) -> Status {
        count(state, &removed.pod, -1)
    }
}

/// QUIRK: the other pod's namespace is not looked at, so a pod of another namespace with a claim of the same name counts.
fn count(state: &mut CycleState, other: &Pod, by: i64) -> Status {
    if let Some(once) = state.change::<OncePerPod>(PRE_FILTER) {
        let shared = plain_claims(other).filter(|name| once.claims.contains(*name));
        let shared = i64::try_from(shared.count()).unwrap_or(i64::MAX);
        once.conflicts = once.conflicts.saturating_add(shared.saturating_mul(by));
    }
    Status::success()
}

impl Filter for VolumeRestrictions {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let others = &cx.snapshot.node(node).pods;
        let is_taken = |disk: &Volume| others.iter().any(|other| is_held_by(disk, &other.pod));
        if disks(&pod.pod).any(is_taken) {
            return Status::unschedulable(Reason::DiskConflict);
        }
        if has_conflicts(state) {
            // The user may sit anywhere. Preemption may find it, so the node is not given up.
            return Status::unschedulable(Reason::ReadWriteOncePodConflict);
        }
        Status::success()
    }

    /// Cost: nothing for a pod without disks of its own whose claims nobody uses.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let own: Vec<&Volume> = disks(&pod.pod).collect();
        let has_conflicts = has_conflicts(state);
        if own.is_empty() && !has_conflicts {
            return;
        }
        nodes.retain(|row| {
            let others = &cx.snapshot.node(row).pods;
            let is_taken = own
                .iter()
                .any(|disk| others.iter().any(|other| is_held_by(disk, &other.pod)));
            let reason = if is_taken {
                Reason::DiskConflict
            } else if has_conflicts {
                Reason::ReadWriteOncePodConflict
            } else {
                return true;
            };
            verdicts.reject(row, Status::unschedulable(reason));
            false
        });
    }
}

fn has_conflicts(state: &CycleState) -> bool {
    let once = state.read::<OncePerPod>(PRE_FILTER);
    once.is_some_and(|once| once.conflicts > 0)
}

/// The volumes of a pod that are disks which not every pod may share.
fn disks(pod: &Pod) -> impl Iterator<Item = &Volume> {
    pod.spec.volumes.iter().filter(|volume| {
        volume.gce_persistent_disk.is_some()
            || volume.aws_elastic_block_store.is_some()
            || volume.rbd.is_some()
            || volume.iscsi.is_some()
    })
}

/// Whether `other` has the same disk in a way that leaves no room for a second user.
///
/// Source: spec, plugins 6, table.
fn is_held_by(disk: &Volume, other: &Pod) -> bool {
    other
        .spec
        .volumes
        .iter()
        .any(|volume| excludes(disk, volume))
}

fn both<'a, T>(one: &'a Option<T>, two: &'a Option<T>) -> Option<(&'a T, &'a T)> {
    one.as_ref().zip(two.as_ref())
}

fn excludes(one: &Volume, two: &Volume) -> bool {
    let gce = both(&one.gce_persistent_disk, &two.gce_persistent_disk);
    let ebs = both(&one.aws_elastic_block_store, &two.aws_elastic_block_store);
    let iscsi = both(&one.iscsi, &two.iscsi);
    let rbd = both(&one.rbd, &two.rbd);
    gce.is_some_and(|(one, two)| one.pd_name == two.pd_name && !(one.read_only && two.read_only))
        || ebs.is_some_and(|(one, two)| one.volume_id == two.volume_id)
        || iscsi.is_some_and(|(one, two)| one.iqn == two.iqn && !(one.read_only && two.read_only))
        || rbd.is_some_and(|(one, two)| {
            let share_a_monitor = one.monitors.iter().any(|name| two.monitors.contains(name));
            share_a_monitor
                && one.pool == two.pool
                && one.image == two.image
                && !(one.read_only && two.read_only)
        })
}

const EVENTS: [EventWithHint; 3] = [
    EventWithHint::asked(EventResource::Pod, ActionType::DELETE),
    EventWithHint::always(EventResource::Node, ActionType::ADD),
    EventWithHint::asked(EventResource::PersistentVolumeClaim, ActionType::ADD),
];

const PRE_FILTER: StateKey = StateKey("PreFilterVolumeRestrictions");
