//! Random clusters.

use berth_core::api::{
    Namespace, Node, Object, ObjectMeta, Pod, ReplicaSet, ReplicaSetSpec, Service, ServiceSpec,
};

use super::{Draw, LABEL_KEYS, LABEL_VALUES, NAMESPACES, REPLICA_SET};
use crate::setting::Setting;

/// How large a cluster may be.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Nodes, at most.
    pub nodes: usize,
    /// Pods on them, at most.
    pub pods: usize,
}

impl Sizes {
    /// Large enough for rows to differ, small enough for a hundred thousand of them.
    pub const SMALL: Self = Self { nodes: 8, pods: 24 };
}

/// Nodes, the pods on them, and what is beside them.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// `node-0`, `node-1`, …
    pub nodes: Vec<Node>,
    /// Each on one of the nodes.
    pub pods: Vec<Pod>,
    /// Namespaces with labels, storage, services and replica sets.
    pub objects: Vec<Object>,
}

impl Cluster {
    /// What plugins see of it.
    #[must_use]
    pub fn setting(&self) -> Setting {
        Setting::new(&self.nodes, &self.pods, self.objects.iter().cloned())
    }
}

impl Draw {
    /// A cluster with at least one node.
    pub fn cluster(&mut self, sizes: Sizes) -> Cluster {
        let count = self.between(1, sizes.nodes);
        let nodes: Vec<Node> = (0..count)
            .map(|at| self.node(&format!("node-{at}")))
            .collect();
        let count = self.between(0, sizes.pods);
        let pods = (0..count).map(|at| self.placed_pod(&format!("pod-{at}"), &nodes));
        let pods = pods.collect();
        let mut objects: Vec<Object> = NAMESPACES
            .iter()
            .map(|name| Object::from(self.namespace(name)))
            .collect();
        objects.extend(self.storage(nodes.len()));
        objects.extend(self.owners());
        Cluster {
            nodes,
            pods,
            objects,
        }
    }

    /// A pod on one of the nodes, running or about to leave.
    pub fn placed_pod(&mut self, name: &str, nodes: &[Node]) -> Pod {
        let mut pod = self.pod(name);
        pod.spec.node_name = self.pick(nodes).metadata.name.clone();
        pod.status.phase = "Running".to_owned();
        if self.chance(10) {
            pod.metadata.deletion_timestamp = Some(berth_core::api::Time::default());
        }
        pod
    }

    /// Services and replica sets that may select the pods.
    fn owners(&mut self) -> Vec<Object> {
        let mut objects = Vec::new();
        for namespace in NAMESPACES {
            if self.chance(50) {
                objects.push(Object::from(Service {
                    metadata: ObjectMeta::namespaced(*namespace, "service"),
                    spec: ServiceSpec {
                        selector: Some([(self.word(LABEL_KEYS), self.word(LABEL_VALUES))].into()),
                        ..ServiceSpec::default()
                    },
                }));
            }
            objects.push(Object::from(ReplicaSet {
                metadata: ObjectMeta::namespaced(*namespace, REPLICA_SET),
                spec: ReplicaSetSpec {
                    selector: Some(self.label_selector()),
                    ..ReplicaSetSpec::default()
                },
                ..ReplicaSet::default()
            }));
        }
        objects
    }

    fn namespace(&mut self, name: &str) -> Namespace {
        let mut metadata = ObjectMeta::named(name);
        metadata.labels = self
            .some(2, |draw| (draw.word(LABEL_KEYS), draw.word(LABEL_VALUES)))
            .into_iter()
            .collect();
        Namespace {
            metadata,
            ..Namespace::default()
        }
    }
}
