//! The plugin lists that had a name.

use crate::config::{PluginEntry, PluginSet, Plugins};

/// A named list of plugins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provider {
    /// `DefaultProvider`.
    #[default]
    Default,
    /// `ClusterAutoscalerProvider`: fills nodes instead of spreading over them.
    ClusterAutoscaler,
}

/// The gates of 1.21 that change what providers and Policies mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyGates {
    /// `VolumeCapacityPriority`: VolumeBinding scores.
    pub volume_capacity_priority: bool,
    /// `DefaultPodTopologySpread`: PodTopologySpread does what SelectorSpread did.
    pub default_pod_topology_spread: bool,
}

impl Default for LegacyGates {
    fn default() -> Self {
        Self {
            volume_capacity_priority: false,
            default_pod_topology_spread: true,
        }
    }
}

impl LegacyGates {
    /// Sets a gate by its name; false when there is none of that name.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        match name {
            "VolumeCapacityPriority" => self.volume_capacity_priority = on,
            "DefaultPodTopologySpread" => self.default_pod_topology_spread = on,
            _ => return false,
        }
        true
    }
}

impl Provider {
    /// The provider called `name`, if there is one.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "DefaultProvider" => Some(Self::Default),
            "ClusterAutoscalerProvider" => Some(Self::ClusterAutoscaler),
            _ => None,
        }
    }

    /// Its plugins in 1.21.
    pub fn plugins(self, gates: LegacyGates) -> Plugins {
        let mut plugins = lists_of_1_21();
        if self == Self::ClusterAutoscaler {
            for entry in &mut plugins.score.enabled {
                if entry.name == "NodeResourcesLeastAllocated" {
                    entry.name = "NodeResourcesMostAllocated".into();
                }
            }
        }
        if gates.volume_capacity_priority {
            let entry = PluginEntry::weighted("VolumeBinding", 1);
            plugins.score.enabled.push(entry);
        }
        if !gates.default_pod_topology_spread {
            let entry = PluginEntry::new("SelectorSpread");
            plugins.pre_score.enabled.push(entry);
            let entry = PluginEntry::weighted("SelectorSpread", 1);
            plugins.score.enabled.push(entry);
        }
        plugins
    }
}

/// The default plugins of 1.22: those of 1.21, but NodeResourcesFit scores.
pub(in crate::config) fn plugins_of_1_22() -> Plugins {
    let mut plugins = lists_of_1_21();
    for entry in &mut plugins.score.enabled {
        if entry.name == "NodeResourcesLeastAllocated" {
            entry.name = "NodeResourcesFit".into();
        }
    }
    plugins
}

fn lists_of_1_21() -> Plugins {
    Plugins {
        queue_sort: set(&["PrioritySort"]),
        pre_filter: set(&[
            "NodeResourcesFit",
            "NodePorts",
            "PodTopologySpread",
            "InterPodAffinity",
            "VolumeBinding",
            "NodeAffinity",
        ]),
        filter: set(&[
            "NodeUnschedulable",
            "NodeName",
            "TaintToleration",
            "NodeAffinity",
            "NodePorts",
            "NodeResourcesFit",
            "VolumeRestrictions",
            "EBSLimits",
            "GCEPDLimits",
            "NodeVolumeLimits",
            "AzureDiskLimits",
            "VolumeBinding",
            "VolumeZone",
            "PodTopologySpread",
            "InterPodAffinity",
        ]),
        post_filter: set(&["DefaultPreemption"]),
        pre_score: set(&[
            "InterPodAffinity",
            "PodTopologySpread",
            "TaintToleration",
            "NodeAffinity",
        ]),
        score: weighted(&[
            ("NodeResourcesBalancedAllocation", 1),
            ("ImageLocality", 1),
            ("InterPodAffinity", 1),
            ("NodeResourcesLeastAllocated", 1),
            ("NodeAffinity", 1),
            ("NodePreferAvoidPods", 10_000),
            ("PodTopologySpread", 2),
            ("TaintToleration", 1),
        ]),
        reserve: set(&["VolumeBinding"]),
        pre_bind: set(&["VolumeBinding"]),
        bind: set(&["DefaultBinder"]),
        ..Plugins::default()
    }
}

fn set(names: &[&str]) -> PluginSet {
    PluginSet {
        enabled: names.iter().map(|name| PluginEntry::new(*name)).collect(),
        ..PluginSet::default()
    }
}

fn weighted(entries: &[(&str, i32)]) -> PluginSet {
    let entry = |(name, weight): &(&str, i32)| PluginEntry::weighted(*name, *weight);
    PluginSet {
        enabled: entries.iter().map(entry).collect(),
        ..PluginSet::default()
    }
}
