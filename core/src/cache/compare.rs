//! In what the cache differs from what was observed.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::snapshot::{Listers, PodRef};

use super::SchedulerCache;
use super::pods::Standing;

/// One thing in which the cache differs from what was observed: kube-scheduler's comparer, in more detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Difference {
    /// A node was observed that the cache does not have.
    MissingNode {
        /// The node.
        node: Arc<str>,
    },
    /// The cache has a node that is not observed.
    RedundantNode {
        /// The node.
        node: Arc<str>,
    },
    /// The cache has another version of the node.
    StaleNode {
        /// The node.
        node: Arc<str>,
    },
    /// A pod was observed on a node, and the cache does not have it.
    MissingPod {
        /// The pod.
        pod: PodRef,
        /// Its node.
        node: Arc<str>,
    },
    /// The cache has a pod that is not observed on any node and is not only assumed.
    RedundantPod {
        /// The pod.
        pod: PodRef,
        /// Its node.
        node: Arc<str>,
    },
    /// The cache has the pod on another node.
    MisplacedPod {
        /// The pod.
        pod: PodRef,
        /// The node that was observed.
        observed: Arc<str>,
        /// The node that the cache has it on.
        cached: Arc<str>,
    },
    /// The cache has another version of the pod.
    StalePod {
        /// The pod.
        pod: PodRef,
    },
}

impl SchedulerCache {
    /// Everything in which the cache differs from the observed objects; nothing when all is well.
    ///
    /// Order: nodes by name, then pods by namespace and name, then redundant pods. Pods that have ended are not
    /// expected to be anywhere.
    #[must_use]
    pub fn compare(&self, listers: &Listers) -> Vec<Difference> {
        let mut found = self.compare_nodes(listers);
        self.compare_pods(listers, &mut found);
        found
    }

    fn compare_nodes(&self, listers: &Listers) -> Vec<Difference> {
        let mut found = Vec::new();
        for observed in listers.nodes.iter() {
            let cached = self.nodes.get(&observed.metadata.name);
            let cached = cached.and_then(|info| info.node.as_ref());
            let node = || Arc::from(observed.metadata.name.as_str());
            match cached {
                None => found.push(Difference::MissingNode { node: node() }),
                Some(cached) if cached != observed => {
                    found.push(Difference::StaleNode { node: node() });
                }
                Some(_) => {}
            }
        }
        let mut cached: Vec<_> = self.nodes.iter().collect();
        cached.sort_unstable_by(|one, two| one.name.cmp(&two.name));
        for entry in cached {
            let is_observed = listers.nodes.get("", &entry.name).is_some();
            if entry.info.node.is_some() && !is_observed {
                let node = entry.name.clone();
                found.push(Difference::RedundantNode { node });
            }
        }
        found
    }

    fn compare_pods(&self, listers: &Listers, found: &mut Vec<Difference>) {
        let placed = listers
            .pods
            .iter()
            .filter(|pod| pod.is_assigned() && !pod.is_finished());
        for observed in placed {
            let pod = PodRef::of(observed);
            let node: Arc<str> = Arc::from(observed.spec.node_name.as_str());
            let Some(cached) = self.get_pod(&pod.uid) else {
                found.push(Difference::MissingPod { pod, node });
                continue;
            };
            let cached_node = cached.pod.spec.node_name.as_str();
            if *node != *cached_node {
                let cached = Arc::from(cached_node);
                found.push(Difference::MisplacedPod {
                    pod,
                    observed: node,
                    cached,
                });
            } else if !self.is_assumed_pod(&pod.uid) && cached.pod != *observed {
                found.push(Difference::StalePod { pod });
            }
        }
        let mut redundant: Vec<_> = self
            .pods
            .iter()
            .filter(|state| state.standing == Standing::Added)
            .map(|state| &state.info)
            .filter(|info| {
                let observed = listers
                    .pods
                    .get(&info.reference.namespace, &info.reference.name);
                !observed.is_some_and(|pod| {
                    pod.metadata.uid == *info.reference.uid
                        && pod.is_assigned()
                        && !pod.is_finished()
                })
            })
            .collect();
        redundant.sort_unstable_by(|one, two| one.reference.cmp(&two.reference));
        found.extend(redundant.into_iter().map(|info| Difference::RedundantPod {
            pod: info.reference.clone(),
            node: Arc::from(info.pod.spec.node_name.as_str()),
        }));
    }
}
