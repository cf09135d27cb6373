pub(super) mod random_cluster;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Node, Pod};
use crate::cache::SchedulerCache;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Plugin, QueueContext};
use crate::framework::status::Status;
use crate::node_set::NodeIndex;
use crate::snapshot::{Listers, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

use super::{NOT_BUILT_YET, TABLE, in_tree};
use crate::config::{Gates, PluginArgs, defaults::default_plugins};

#[test]
fn every_plugin_of_the_default_profile_is_known() {
    let registry = in_tree();
    for entry in default_plugins(Gates::default()).multi_point.enabled {
        assert!(
            registry.get(&entry.name).is_some(),
            "{} is missing",
            entry.name
        );
    }
}

#[test]
fn the_table_has_the_order_of_the_default_profile() {
    let default: Vec<_> = default_plugins(Gates::default()).multi_point.enabled;
    let names: Vec<&str> = default.iter().map(|entry| entry.name.as_str()).collect();
    let table: Vec<&str> = TABLE.iter().map(|(name, _)| name.0).collect();
    assert_eq!(table[..names.len()], names);
}

#[test]
fn every_plugin_is_built_under_its_own_name_from_its_default_arguments() {
    for (name, factory) in TABLE {
        let gates = Gates::default();
        let args = PluginArgs::default_for(name.0, gates).unwrap_or_default();
        let plugin = factory(&args, &gates).expect("default arguments are fine");
        assert_eq!(plugin.name(), *name);
    }
}

#[test]
fn what_is_not_built_yet_stands_in_the_table() {
    for missing in NOT_BUILT_YET {
        assert!(
            TABLE.iter().any(|(name, _)| name.0 == *missing),
            "{missing}"
        );
    }
}

/// What plugins see of a cluster with these nodes and these pods on them.
pub(super) struct World {
    pub(super) snapshot: Snapshot,
    pub(super) listers: Listers,
    pub(super) memory: PluginMemory,
}

impl World {
    pub(super) fn new(nodes: &[Arc<Node>], pods: &[Arc<Pod>]) -> Self {
        let mut cache = SchedulerCache::default();
        for node in nodes {
            cache.add_node(node.clone());
        }
        for pod in pods {
            cache.add_pod(pod.clone()).expect("UIDs differ");
        }
        let mut snapshot = Snapshot::default();
        cache.update_snapshot(&mut snapshot).expect("it is fresh");
        Self {
            snapshot,
            listers: Listers::default(),
            memory: PluginMemory::default(),
        }
    }

    pub(super) fn cycle(&self) -> CycleContext<'_> {
        CycleContext {
            now: Timestamp::ZERO,
            snapshot: &self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
        }
    }

    pub(super) fn queue(&self) -> QueueContext<'_> {
        QueueContext {
            now: Timestamp::ZERO,
            listers: &self.listers,
            memory: &self.memory,
        }
    }

    /// What a plugin answers at PreFilter and then at Filter of one node.
    pub(super) fn filter(&self, plugin: &dyn Plugin, pod: &PodInfo, node: &str) -> Status {
        let mut state = CycleState::default();
        if let Some(plugin) = plugin.as_pre_filter() {
            let answer = plugin.pre_filter(&self.cycle(), &mut state, pod).status;
            if !answer.is_success() {
                return answer;
            }
        }
        let plugin = plugin.as_filter().expect("it filters");
        let row = self.snapshot.row(node).expect("the node is listed");
        plugin.filter_node(&self.cycle(), &state, pod, row)
    }

    /// The raw scores of all nodes by row.
    pub(super) fn score(&self, plugin: &dyn Plugin, pod: &PodInfo) -> Vec<i64> {
        let mut state = CycleState::default();
        let nodes: Vec<NodeIndex> = self.snapshot.all().iter().collect();
        if let Some(plugin) = plugin.as_pre_score() {
            let answer = plugin.pre_score(&self.cycle(), &mut state, pod, &nodes);
            assert!(answer.is_success(), "{answer:?}");
        }
        let plugin = plugin.as_score().expect("it scores");
        let mut column = alloc::vec![0; nodes.len()];
        plugin
            .score(&self.cycle(), &state, pod, &nodes, &mut column)
            .expect("it can score");
        column
    }
}

/// A plugin as the default profile has it.
pub(super) fn built(name: &str) -> Arc<dyn Plugin> {
    let gates = Gates::default();
    let (_, factory) = in_tree().get(name).expect("it is in the table");
    let args = PluginArgs::default_for(name, gates).unwrap_or_default();
    factory(&args, &gates).expect("default arguments are fine")
}
