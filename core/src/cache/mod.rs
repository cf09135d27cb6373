//! What the cluster looks like with decisions under way counted in.
//!
//! The [`SchedulerCache`] holds nodes and the pods on them, those included that the scheduler has only decided to put
//! there (*assumed* pods). It keeps each node's totals, and brings a snapshot up to date at a cost that follows what
//! changed since that snapshot last was.
//!
//! | File | Answers |
//! |---|---|
//! | `pods` | which pods there are and whether they are assumed |
//! | `node_list` | which nodes there are and which changed last |
//! | `node_tree` | in which order a snapshot lists them |
//! | `images` | which images there are on how many nodes |
//! | `keyed` | how a name or UID is found |
//! | `update` | what is new for a snapshot |
//! | `compare` | in what the cache differs from what was observed |
//! | `error` | what it refuses to do |
//!
//! Invariant: a node's totals are the sums over its pods, and each pod is on one node.
//!
//! It deliberately does not know which pods wait for a node.

mod compare;
mod error;
mod images;
mod keyed;
mod node_list;
mod node_tree;
mod pods;
mod update;

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::api::{Node, Pod};
use crate::snapshot::{NodeInfo, PodInfo, PodRef};
use crate::time::{Span, Timestamp};

use images::Images;
use node_list::NodeList;
use node_tree::NodeTree;
use pods::{PodState, Pods, Standing};

pub use compare::Difference;
pub use error::CacheError;

/// Nodes and the pods on them, assumed ones included: kube-scheduler's cache.
///
/// Cheap to clone: nodes and pods are shared until they change.
///
/// A node that is known only because pods are on it is a *ghost*: it is counted and kept until its last pod goes, but
/// no snapshot lists it.
#[derive(Clone, Debug, Default)]
pub struct SchedulerCache {
    nodes: NodeList,
    tree: Arc<NodeTree>,
    images: Arc<Images>,
    pods: Pods,
    assumed_for: Option<Span>,
    /// Whether a node was once removed whose place in the tree was not found, so that the tree may name nodes that are
    /// not there.
    tree_may_have_lost: bool,
}

/// How much there is in a cache: the metric `scheduler_cache_size`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheSizes {
    /// Assumed pods.
    pub assumed_pods: usize,
    /// Pods, assumed ones included.
    pub pods: usize,
    /// Nodes, ghosts included.
    pub nodes: usize,
}

impl SchedulerCache {
    /// An empty cache.
    ///
    /// `assumed_for` is how long an assumed pod is kept after its binding was finished, as releases up to 1.21 and
    /// somewhat later did; `None`, as in 1.36: for ever.
    #[must_use]
    pub fn new(assumed_for: Option<Span>) -> Self {
        Self {
            assumed_for,
            ..Self::default()
        }
    }

    /// Counts a pod on the node that its `spec.nodeName` names, although nobody has confirmed that yet.
    ///
    /// # Errors
    ///
    /// When the pod is already there.
    pub fn assume_pod(&mut self, pod: Arc<PodInfo>) -> Result<(), CacheError> {
        check_uid(&pod.pod)?;
        if self.pods.get(&pod.reference.uid).is_some() {
            return Err(CacheError::AlreadyInCache {
                pod: pod.reference.clone(),
            });
        }
        self.place(pod, Standing::Assumed { deadline: None });
        Ok(())
    }

    /// Notes that the binding of an assumed pod is finished, so that its time runs, if it has any.
    pub fn finish_binding(&mut self, uid: &str, now: Timestamp) {
        let Some(assumed_for) = self.assumed_for else {
            return;
        };
        let Some(state) = self.pods.get(uid) else {
            return;
        };
        if let Standing::Assumed { .. } = state.standing {
            let deadline = Some(now + assumed_for);
            let standing = Standing::Assumed { deadline };
            let state = state.clone();
            self.pods.insert(PodState { standing, ..state });
        }
    }

    /// Takes an assumed pod off its node again; a pod that is not there is forgotten already.
    ///
    /// # Errors
    ///
    /// When the pod is on another node than `pod` says, or is not only assumed.
    pub fn forget_pod(&mut self, pod: &Pod) -> Result<(), CacheError> {
        check_uid(pod)?;
        let Some(state) = self.pods.get(&pod.metadata.uid) else {
            return Ok(());
        };
        let stored = &state.info.pod.spec.node_name;
        if *stored != pod.spec.node_name {
            return Err(CacheError::OtherNode {
                pod: PodRef::of(pod),
                named: pod.spec.node_name.clone(),
                stored: stored.clone(),
            });
        }
        if state.standing == Standing::Added {
            return Err(CacheError::NotAssumed {
                pod: PodRef::of(pod),
            });
        }
        let state = state.clone();
        self.displace(&state);
        Ok(())
    }

    /// Counts a pod that was observed on a node. An assumed pod is confirmed by it, on whichever node it is now.
    ///
    /// # Errors
    ///
    /// When the pod had been added before.
    pub fn add_pod(&mut self, pod: Arc<Pod>) -> Result<(), CacheError> {
        check_uid(&pod)?;
        if let Some(state) = self.pods.get(&pod.metadata.uid) {
            if state.standing == Standing::Added {
                return Err(CacheError::AlreadyAdded {
                    pod: PodRef::of(&pod),
                });
            }
            let assumed = state.clone();
            self.displace(&assumed);
        }
        self.place(Arc::new(PodInfo::new(pod)), Standing::Added);
        Ok(())
    }

    /// Replaces a pod that was added by a newer version of it.
    ///
    /// # Errors
    ///
    /// When the pod was not added, is only assumed, or changed its node, which is corruption.
    pub fn update_pod(&mut self, old: &Pod, new: Arc<Pod>) -> Result<(), CacheError> {
        check_uid(old)?;
        check_uid(&new)?;
        let reference = || PodRef::of(old);
        let Some(state) = self.pods.get(&old.metadata.uid) else {
            return Err(CacheError::NotAdded { pod: reference() });
        };
        if state.standing != Standing::Added {
            return Err(CacheError::UpdateOfAssumed { pod: reference() });
        }
        let stored = state.clone();
        let node = &stored.info.pod.spec.node_name;
        if *node != new.spec.node_name {
            return Err(corrupted(old, &new.spec.node_name, &stored.info));
        }
        let is_elsewhere = old.spec.node_name != *node;
        if is_elsewhere && self.nodes.get(&old.spec.node_name).is_some() {
            return Err(CacheError::NoCorrespondingPod {
                pod: reference(),
                node: old.spec.node_name.clone(),
            });
        }
        self.displace(&stored);
        self.place(Arc::new(PodInfo::new(new)), Standing::Added);
        Ok(())
    }

    /// Takes a pod off its node, as it was stored; it may be an assumed one.
    ///
    /// A pod without a node name is what is left when a deletion was missed: it is taken off wherever it is.
    ///
    /// # Errors
    ///
    /// When the pod is not there, or is on another node than `pod` says, which is corruption.
    pub fn remove_pod(&mut self, pod: &Pod) -> Result<(), CacheError> {
        check_uid(pod)?;
        let Some(state) = self.pods.get(&pod.metadata.uid) else {
            return Err(CacheError::NotFound {
                pod: PodRef::of(pod),
            });
        };
        let stored = state.clone();
        let named = &pod.spec.node_name;
        if !named.is_empty() && *named != stored.info.pod.spec.node_name {
            return Err(corrupted(pod, named, &stored.info));
        }
        self.displace(&stored);
        Ok(())
    }

    /// Gives up the assumed pods whose time is over, and returns them in the order of their deadlines.
    pub fn expire(&mut self, now: Timestamp) -> Vec<Arc<PodInfo>> {
        let mut expired = Vec::new();
        while let Some((deadline, uid)) = self.pods.first_deadline() {
            if now <= deadline {
                break;
            }
            let state = self.pods.get(uid).cloned();
            let state = state.expect("who has a deadline is there");
            self.displace(&state);
            expired.push(state.info);
        }
        expired
    }

    /// Adds a node; a ghost of that name gets its body back with its pods on it.
    ///
    /// Returns the node as it is now, for whoever checks it against waiting pods.
    pub fn add_node(&mut self, node: Arc<Node>) -> Arc<NodeInfo> {
        self.put_node(None, node)
    }

    /// Replaces a node by a newer version of it; one that is not known is added.
    pub fn update_node(&mut self, old: &Node, new: Arc<Node>) -> Arc<NodeInfo> {
        self.put_node(Some(old), new)
    }

    fn put_node(&mut self, old: Option<&Node>, node: Arc<Node>) -> Arc<NodeInfo> {
        let is_known = self.nodes.slot(&node.metadata.name).is_some();
        let slot = self.nodes.slot_or_ghost(&node.metadata.name);
        let name = self.nodes.entry(slot).name.clone();
        if old.is_none() || !is_known {
            Arc::make_mut(&mut self.tree).add(&node, &name);
        }
        if let Some(old) = old {
            Arc::make_mut(&mut self.tree).update(old, &node, &name);
        }
        let images = Arc::make_mut(&mut self.images);
        self.nodes.change(slot, |info| {
            images.replace(info, &node);
            info.set_node(node);
        });
        self.nodes.entry(slot).info.clone()
    }

    /// Removes a node. Pods that are still on it keep it as a ghost.
    ///
    /// # Errors
    ///
    /// When the node is not known, or was removed before and only its ghost is left.
    pub fn remove_node(&mut self, node: &Node) -> Result<(), CacheError> {
        let name = node.metadata.name.as_str();
        let Some(slot) = self.nodes.slot(name) else {
            return Err(CacheError::NodeNotFound { node: name.into() });
        };
        let removed = Arc::make_mut(&mut self.tree).remove(node);
        self.tree_may_have_lost |= removed.is_err();
        let images = Arc::make_mut(&mut self.images);
        let is_empty = self.nodes.change(slot, |info| {
            info.node = None;
            if removed.is_ok() {
                images.release(info);
            }
            info.pods.is_empty()
        });
        if is_empty {
            self.nodes.remove(slot);
        }
        removed
    }

    fn place(&mut self, info: Arc<PodInfo>, standing: Standing) {
        let node = self.nodes.slot_or_ghost(&info.pod.spec.node_name);
        self.nodes.change(node, |on| on.add_pod(info.clone()));
        self.pods.insert(PodState {
            info,
            standing,
            node,
        });
    }

    /// Takes a stored pod off its node.
    fn displace(&mut self, state: &PodState) {
        let is_deserted = self.nodes.change(state.node, |on| {
            let removed = on.remove(&state.info);
            assert!(
                removed,
                "a stored pod is on its node: {}",
                state.info.reference
            );
            on.pods.is_empty() && on.node.is_none()
        });
        if is_deserted {
            self.nodes.remove(state.node);
        }
        self.pods.remove(&state.info.reference.uid);
    }

    /// When [`SchedulerCache::expire`] will next have something to do.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Timestamp> {
        let (deadline, _) = self.pods.first_deadline()?;
        Some(deadline + Span::MICROSECOND)
    }

    /// Whether the pod with this UID is counted only by a decision of the scheduler.
    #[must_use]
    pub fn is_assumed_pod(&self, uid: &str) -> bool {
        self.pods
            .get(uid)
            .is_some_and(|state| state.standing != Standing::Added)
    }

    /// The pod with this UID as it was last stored, with its node.
    #[must_use]
    pub fn get_pod(&self, uid: &str) -> Option<&Arc<PodInfo>> {
        Some(&self.pods.get(uid)?.info)
    }

    /// A node as it is now; a ghost has no object.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<&Arc<NodeInfo>> {
        self.nodes.get(name)
    }

    /// All nodes by name as they are now, ghosts included, in an order that means nothing but is always the same.
    pub fn nodes(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<NodeInfo>)> {
        self.nodes.iter().map(|entry| (&entry.name, &entry.info))
    }

    /// All assumed pods, in an order that means nothing but is always the same.
    pub fn assumed_pods(&self) -> impl Iterator<Item = &Arc<PodInfo>> {
        let assumed = self
            .pods
            .iter()
            .filter(|state| state.standing != Standing::Added);
        assumed.map(|state| &state.info)
    }

    /// How much there is.
    #[must_use]
    pub fn sizes(&self) -> CacheSizes {
        CacheSizes {
            assumed_pods: self.pods.assumed(),
            pods: self.pods.len(),
            nodes: self.nodes.len(),
        }
    }
}

fn check_uid(pod: &Pod) -> Result<(), CacheError> {
    if pod.metadata.uid.is_empty() {
        return Err(CacheError::EmptyUid);
    }
    Ok(())
}

fn corrupted(pod: &Pod, observed: &str, stored: &PodInfo) -> CacheError {
    CacheError::Corrupted {
        pod: PodRef::of(pod),
        observed: observed.into(),
        stored: stored.pod.spec.node_name.as_str().into(),
    }
}

#[cfg(test)]
mod tests;
