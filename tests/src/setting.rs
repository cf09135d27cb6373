//! A cluster as plugins see it, made of plain objects.

use std::sync::Arc;

use berth_core::api::{Node, Object, Pod};
use berth_core::cache::SchedulerCache;
use berth_core::framework::extension::{CycleContext, QueueContext};
use berth_core::snapshot::{Listers, PluginMemory, Snapshot};
use berth_core::time::Timestamp;

/// Everything that a plugin may look at during one attempt.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The nodes with their pods.
    pub snapshot: Snapshot,
    /// Objects by name, nodes and pods among them.
    pub listers: Listers,
    /// What plugins remember.
    pub memory: PluginMemory,
}

impl Setting {
    /// A cluster of these nodes, with these pods on them and these other objects beside.
    ///
    /// # Panics
    ///
    /// When two pods have one UID.
    #[must_use]
    pub fn new(nodes: &[Node], pods: &[Pod], objects: impl IntoIterator<Item = Object>) -> Self {
        let mut cache = SchedulerCache::default();
        let mut listers = Listers::default();
        for node in nodes {
            let node = Arc::new(node.clone());
            listers.insert(&Object::Node(node.clone()));
            cache.add_node(node);
        }
        for pod in pods {
            let pod = Arc::new(pod.clone());
            listers.insert(&Object::Pod(pod.clone()));
            cache
                .add_pod(pod)
                .expect("pods of one setting have UIDs of their own");
        }
        for object in objects {
            listers.insert(&object);
        }
        let mut snapshot = Snapshot::default();
        cache
            .update_snapshot(&mut snapshot)
            .expect("a fresh cache agrees with itself");
        Self {
            snapshot,
            listers,
            memory: PluginMemory::default(),
        }
    }

    /// What a plugin sees of it during an attempt.
    #[must_use]
    pub fn cycle(&self) -> CycleContext<'_> {
        CycleContext {
            now: Timestamp::default(),
            snapshot: &self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
        }
    }

    /// What a plugin sees of it when an event comes.
    #[must_use]
    pub fn queue(&self) -> QueueContext<'_> {
        QueueContext {
            now: Timestamp::default(),
            listers: &self.listers,
            memory: &self.memory,
        }
    }
}
