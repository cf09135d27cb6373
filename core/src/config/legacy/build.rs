//! Makes plugin lists and arguments from what a Policy's names come down to.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::config::{
    DefaultingType, ExtensionPoint, InterPodAffinityArgs, LegacyArgs, Note, PluginArgs,
    PluginConfig, PluginEntry, PluginSet, Plugins, PodTopologySpreadArgs, default_resources,
};

use super::gather::Translation;
use super::modernise;
use super::policy::Policy;
use super::predicates::{self, PREDICATES};
use super::priorities::{self, PRIORITIES, Priority};

impl Translation {
    /// The plugins, the arguments that the Policy decides, and the notes.
    pub(super) fn finish(mut self, policy: &Policy) -> (Plugins, Vec<PluginConfig>, Vec<Note>) {
        let one = |name| PluginSet {
            enabled: alloc::vec![PluginEntry::new(name)],
            ..PluginSet::default()
        };
        let mut plugins = Plugins {
            queue_sort: one("PrioritySort"),
            post_filter: one("DefaultPreemption"),
            bind: one("DefaultBinder"),
            ..Plugins::default()
        };
        for predicate in PREDICATES
            .iter()
            .filter(|p| self.predicates.contains(p.name))
        {
            for (plugin, points) in predicate.plugins {
                for point in *points {
                    enable(&mut plugins, *point, plugin, 0);
                }
            }
        }
        for priority in &PRIORITIES {
            let Some(weight) = self.priorities.get(priority.name) else {
                continue;
            };
            let weight = self
                .score_weight(priority.name, *weight)
                .unwrap_or(i32::MAX);
            let plugin = self.plugin_of(priority);
            if priority.has_pre_score {
                enable(&mut plugins, ExtensionPoint::PreScore, plugin, 0);
            }
            // QUIRK: of two priorities with one plugin the first one's weight stays, not the larger one.
            enable(&mut plugins, ExtensionPoint::Score, plugin, weight);
        }
        let mut plugin_config = self.args(policy);
        modernise(&mut plugins, &mut plugin_config);
        (plugins, plugin_config, core::mem::take(&mut self.notes))
    }

    fn plugin_of(&self, priority: &Priority) -> &'static str {
        match priority.name {
            priorities::SELECTOR_SPREAD if !self.gates.default_pod_topology_spread => {
                "SelectorSpread"
            }
            _ => priority.plugin,
        }
    }

    /// The arguments that the Policy decides; the others keep their defaults.
    fn args(&self, policy: &Policy) -> Vec<PluginConfig> {
        let has = |name: &str| self.priorities.contains_key(name);
        let mut config = Vec::new();
        let mut add = |name: &str, args| {
            config.push(PluginConfig {
                name: name.to_string(),
                args,
            });
        };
        let weight = policy.hard_pod_affinity_symmetric_weight;
        if weight != 0 && has(priorities::INTER_POD_AFFINITY) {
            add(
                "InterPodAffinity",
                PluginArgs::InterPodAffinity(InterPodAffinityArgs {
                    hard_pod_affinity_weight: weight,
                    ..InterPodAffinityArgs::default()
                }),
            );
        }
        let spreads_by_default =
            has(priorities::SELECTOR_SPREAD) && self.gates.default_pod_topology_spread;
        if has(priorities::EVEN_SPREAD) && !spreads_by_default {
            add(
                "PodTopologySpread",
                PluginArgs::PodTopologySpread(PodTopologySpreadArgs {
                    default_constraints: Vec::new(),
                    defaulting_type: DefaultingType::List,
                }),
            );
        }
        if has(priorities::NODE_LABEL) || self.predicates.contains(predicates::LABEL_PRESENCE) {
            let args = LegacyArgs::NodeLabel(self.node_label.clone());
            add("NodeLabel", PluginArgs::Legacy(args));
        }
        if has(priorities::SERVICE_AFFINITY)
            || self.predicates.contains(predicates::SERVICE_AFFINITY)
        {
            let args = LegacyArgs::ServiceAffinity(self.service_affinity.clone());
            add("ServiceAffinity", PluginArgs::Legacy(args));
        }
        if has("LeastRequestedPriority") {
            let args = LegacyArgs::NodeResourcesLeastAllocated(default_resources());
            add("NodeResourcesLeastAllocated", PluginArgs::Legacy(args));
        }
        if has("MostRequestedPriority") {
            let args = LegacyArgs::NodeResourcesMostAllocated(default_resources());
            add("NodeResourcesMostAllocated", PluginArgs::Legacy(args));
        }
        if let Some(ratio) = &self.ratio {
            let args = LegacyArgs::RequestedToCapacityRatio(ratio.clone());
            add(priorities::RATIO, PluginArgs::Legacy(args));
        }
        config
    }
}

/// Appends a plugin to a point unless it is there.
fn enable(plugins: &mut Plugins, point: ExtensionPoint, name: &str, weight: i32) {
    let set = plugins.point_mut(point);
    if set.entry(name).is_none() {
        set.enabled.push(PluginEntry::weighted(name, weight));
    }
}
