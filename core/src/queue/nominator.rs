//! Which node is promised to which pod.
//!
//! A promise is made when preemption makes room, or read from `status.nominatedNodeName`. Until the pod is placed,
//! searches for pods of lower priority count it in.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ObjectMeta, Pod};
use crate::framework::extension::NominatingInfo;
use crate::framework::handle::NominatedPods;
use crate::framework::trace::Observer;
use crate::snapshot::{Listers, PodInfo, PodRef};

use super::SchedulingQueue;
use super::call::QueueCall;

/// Promises by pod and by node: kube-scheduler's nominator.
#[derive(Clone, Debug, Default)]
pub(super) struct Nominator {
    /// UID → node. The empty name is a promise taken back in memory, which later updates of the pod do not revive.
    nodes: BTreeMap<Arc<str>, Arc<str>>,
    /// Node → pods in the order in which they were nominated.
    pods: BTreeMap<Arc<str>, Vec<PodRef>>,
}

impl Nominator {
    /// Promises a node to a pod: that of `nominating`, or that of the pod's status where it says nothing.
    ///
    /// An older promise to the pod goes in any case. A pod that is gone, or has its node, gets none.
    /// Source: spec, queue and cache 8.4.
    pub(super) fn add(&mut self, listers: &Listers, pod: &PodInfo, nominating: Option<&Arc<str>>) {
        let reference = &pod.reference;
        self.delete(&reference.uid);
        let node = match nominating {
            Some(node) => node.clone(),
            None if pod.pod.status.nominated_node_name.is_empty() => return,
            None => Arc::from(pod.pod.status.nominated_node_name.as_str()),
        };
        let observed = listers.pods.get(&reference.namespace, &reference.name);
        if observed.is_none_or(|observed| observed.is_assigned()) {
            return;
        }
        self.nodes.insert(reference.uid.clone(), node.clone());
        self.pods.entry(node).or_default().push(reference.clone());
    }

    /// A pod changed. A promise that neither version of it mentions is kept.
    pub(super) fn update(&mut self, listers: &Listers, old: Option<&Pod>, new: &PodInfo) {
        let is_silent = |pod: &Pod| pod.status.nominated_node_name.is_empty();
        let uid = old.map_or(&*new.reference.uid, |old| old.metadata.uid.as_str());
        let kept = if old.is_none_or(is_silent) && is_silent(&new.pod) {
            self.nodes.get(uid).cloned()
        } else {
            None
        };
        self.delete(uid);
        self.add(listers, new, kept.as_ref());
    }

    /// Forgets the promise to a pod, if there is one.
    pub(super) fn delete(&mut self, uid: &str) {
        let Some(node) = self.nodes.remove(uid) else {
            return;
        };
        if let Some(pods) = self.pods.get_mut(&node) {
            pods.retain(|pod| *pod.uid != *uid);
            if pods.is_empty() {
                self.pods.remove(&node);
            }
        }
    }

    /// The node promised to a pod.
    pub(super) fn node_of(&self, uid: &str) -> Option<&Arc<str>> {
        self.nodes.get(uid)
    }

    /// The pods to which a node is promised.
    pub(super) fn pods_of(&self, node: &str) -> &[PodRef] {
        self.pods.get(node).map_or(&[], Vec::as_slice)
    }

    /// Every promise: node and pod, by node.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &PodRef)> {
        self.pods
            .iter()
            .filter(|(node, _)| !node.is_empty())
            .flat_map(|(node, pods)| pods.iter().map(move |pod| (node, pod)))
    }
}

impl SchedulingQueue {
    /// Promises a node to a pod, or takes the promise back: what a failed attempt comes to.
    ///
    /// Whoever writes it to the cluster tells of it; in memory it is not told.
    pub fn add_nominated_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &PodInfo,
        nominating: &NominatingInfo,
    ) {
        let node = match nominating {
            NominatingInfo::Noop => None,
            NominatingInfo::Override(node) => Some(node),
        };
        self.nominator.add(call.listers, pod, node);
    }

    /// Forgets the promise to a pod: it has its node.
    pub fn delete_nominated_pod_if_exists<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        pod: &PodRef,
    ) {
        self.nominator.delete(&pod.uid);
    }

    /// A pod that may have a promise changed.
    pub fn update_nominated_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        old: &Pod,
        new: &PodInfo,
    ) {
        self.nominator.update(call.listers, Some(old), new);
    }

    /// The node that is promised to a pod; the empty name when a promise was taken back in memory.
    #[must_use]
    pub fn nominated_node(&self, uid: &str) -> Option<&Arc<str>> {
        self.nominator.node_of(uid)
    }

    /// Every promise: node and pod, by node and then in the order in which they were made.
    pub fn nominations(&self) -> impl Iterator<Item = (&Arc<str>, &PodRef)> {
        self.nominator.iter()
    }
}

impl NominatedPods for SchedulingQueue {
    fn is_empty(&self) -> bool {
        self.nominator.iter().next().is_none()
    }

    /// QUIRK: a pod that waits nowhere (it is in flight, say) is known by name only, so it counts with priority 0 and
    /// without requests, as in kube-scheduler.
    fn nominated_pods_for_node(&self, node: &str) -> Vec<Arc<PodInfo>> {
        let resolve = |pod: &PodRef| {
            let waiting = self.get(&pod.namespace, &pod.name);
            waiting.map_or_else(|| Arc::new(stub(pod)), |info| info.pod.clone())
        };
        self.nominator.pods_of(node).iter().map(resolve).collect()
    }
}

/// A pod of which only the names are known.
fn stub(pod: &PodRef) -> PodInfo {
    let metadata = ObjectMeta {
        uid: (*pod.uid).into(),
        ..ObjectMeta::namespaced(&*pod.namespace, &*pod.name)
    };
    PodInfo::new(Arc::new(Pod {
        metadata,
        ..Pod::default()
    }))
}
