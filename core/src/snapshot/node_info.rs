//! A node with what its pods take of it.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::HostPort;
use crate::api::Node;
use crate::order::{SortedMap, SortedSet};

use super::pod_info::{Attachable, PodInfo};
use super::resource::{NonZeroRequest, Resource};

/// An image as one node sees it: kube-scheduler's `ImageStateSummary`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageState {
    /// Bytes, as the first node that listed the name said.
    pub size_bytes: i64,
    /// How many nodes listed the name when this node was last copied into a snapshot.
    pub nodes: u32,
}

/// A node, the pods on it (assumed ones included) and their totals: kube-scheduler's `framework.NodeInfo`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeInfo {
    /// The object; absent for a node known only by its pods (a ghost), which no snapshot lists.
    pub node: Option<Arc<Node>>,
    /// The pods, in no order that means anything: taking one out moves the last one into its place.
    pub pods: Vec<Arc<PodInfo>>,
    /// Those with a pod affinity or anti-affinity stanza.
    pub pods_with_affinity: Vec<Arc<PodInfo>>,
    /// Those with a required anti-affinity term.
    pub pods_with_required_anti_affinity: Vec<Arc<PodInfo>>,
    /// Host ports in use. A set: two pods with the same port free it together.
    pub used_ports: SortedSet<HostPort>,
    /// Σ requests.
    pub requested: Resource,
    /// Σ requests with the floor that scores use.
    pub non_zero_requested: NonZeroRequest,
    /// `status.allocatable`.
    pub allocatable: Resource,
    /// Images by name, as listed. Shared between the states of a node, because it changes far less often than its pods.
    pub image_states: Arc<SortedMap<Arc<str>, ImageState>>,
    /// `namespace/claim` → how many volumes of the node's pods name it.
    pub claim_users: BTreeMap<String, u32>,
    /// What the volumes of its pods could mean for its limits.
    pub attachable: Attachable,
    /// Feature names of `status.declaredFeatures` that the scheduler knows.
    pub declared_features: SortedSet<String>,
    /// Taken from the cache's counter at each change.
    pub generation: u64,
}

impl NodeInfo {
    /// A node without pods.
    #[must_use]
    pub fn new(node: Arc<Node>) -> Self {
        let mut info = Self::default();
        info.set_node(node);
        info
    }

    /// The node's name; empty for a ghost.
    #[must_use]
    pub fn name(&self) -> &str {
        self.node
            .as_ref()
            .map_or("", |node| node.metadata.name.as_str())
    }

    /// A label of the node.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        self.node
            .as_ref()?
            .metadata
            .labels
            .get(key)
            .map(String::as_str)
    }

    /// Puts the object in, with what is read from it. Image states are the cache's to set.
    pub fn set_node(&mut self, node: Arc<Node>) {
        self.allocatable = Resource::from_list(&node.status.allocatable);
        self.declared_features = node
            .status
            .declared_features
            .iter()
            .filter(|feature| KNOWN_FEATURES.contains(&feature.as_str()))
            .cloned()
            .collect();
        self.node = Some(node);
    }

    /// Adds a pod and counts it.
    pub fn add_pod(&mut self, pod: Arc<PodInfo>) {
        self.requested.add(&pod.requests);
        self.non_zero_requested.add(pod.non_zero);
        self.attachable.add(pod.attachable);
        self.used_ports.extend(pod.host_ports.iter().cloned());
        for claim in &pod.claims {
            *self.claim_users.entry(claim.clone()).or_default() += 1;
        }
        if pod.has_affinity {
            self.pods_with_affinity.push(pod.clone());
        }
        if !pod.affinity.required_anti.is_empty() {
            self.pods_with_required_anti_affinity.push(pod.clone());
        }
        self.pods.push(pod);
    }

    /// Takes the pod with this UID out and counts it off; `None` when it is not here.
    pub fn remove_pod(&mut self, uid: &str) -> Option<Arc<PodInfo>> {
        let mut pods = self.pods.iter();
        let pod = pods.find(|pod| &*pod.reference.uid == uid)?.clone();
        self.remove(&pod);
        Some(pod)
    }

    /// Takes this very pod out and counts it off; false when it is not here.
    pub fn remove(&mut self, pod: &Arc<PodInfo>) -> bool {
        if !swap_remove(&mut self.pods, pod) {
            return false;
        }
        self.requested.subtract(&pod.requests);
        self.non_zero_requested.subtract(pod.non_zero);
        self.attachable.subtract(pod.attachable);
        for port in &pod.host_ports {
            self.used_ports.remove(port);
        }
        for claim in &pod.claims {
            if let Some(users) = self.claim_users.get_mut(claim) {
                *users -= 1;
                if *users == 0 {
                    self.claim_users.remove(claim);
                }
            }
        }
        if pod.has_affinity {
            swap_remove(&mut self.pods_with_affinity, pod);
        }
        if !pod.affinity.required_anti.is_empty() {
            swap_remove(&mut self.pods_with_required_anti_affinity, pod);
        }
        true
    }
}

fn swap_remove(pods: &mut Vec<Arc<PodInfo>>, pod: &Arc<PodInfo>) -> bool {
    let place = pods.iter().position(|other| Arc::ptr_eq(other, pod));
    if let Some(place) = place {
        pods.swap_remove(place);
    }
    place.is_some()
}

/// The features that Kubernetes 1.36 infers from a pod or knows of a node.
///
/// Source: spec, NodeDeclaredFeatures 3.10.
pub const KNOWN_FEATURES: [&str; 5] = [
    "ExtendWebSocketsToKubelet",
    "InPlacePodLevelResourcesVerticalScaling",
    "InPlacePodVerticalScalingInitContainers",
    "RestartAllContainersOnContainerExits",
    "UserNamespacesHostNetworkSupport",
];

#[cfg(test)]
mod tests;
