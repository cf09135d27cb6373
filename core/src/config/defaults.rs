//! Which plugins a profile has when it says nothing, and how what it says is laid over them.
//!
//! This is the first of two stages. It works on names alone and keeps everything the second stage
//! ([`expand`](super::expand())) needs.
//!
//! Source: spec, A.4 to A.6.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::plugin_args::{PLUGINS_WITH_ARGS, PluginArgs};
use super::{ExtensionPoint, Gate, Gates, PluginConfig, PluginEntry, PluginSet, Plugins};

#[cfg(test)]
mod tests;

/// The default multi-point plugins with their weights, without those that a gate brings.
const DEFAULT_PLUGINS: [(&str, i32); 19] = [
    ("SchedulingGates", 0),
    ("PrioritySort", 0),
    ("NodeUnschedulable", 0),
    ("NodeName", 0),
    ("TaintToleration", 3),
    ("NodeAffinity", 2),
    ("NodePorts", 0),
    ("NodeResourcesFit", 1),
    ("VolumeRestrictions", 0),
    ("NodeVolumeLimits", 0),
    ("VolumeBinding", 0),
    ("VolumeZone", 0),
    ("PodTopologySpread", 2),
    ("InterPodAffinity", 2),
    ("DynamicResources", 2),
    ("DefaultPreemption", 0),
    ("NodeResourcesBalancedAllocation", 1),
    ("ImageLocality", 1),
    ("DefaultBinder", 0),
];

/// The plugins of a profile that says nothing.
pub fn default_plugins(gates: Gates) -> Plugins {
    let mut enabled: Vec<PluginEntry> = DEFAULT_PLUGINS
        .iter()
        .map(|(name, weight)| PluginEntry::weighted(*name, *weight))
        .collect();
    let by_gate = [
        (Gate::NodeDeclaredFeatures, "NodeDeclaredFeatures", 0),
        (Gate::GangScheduling, "GangScheduling", 0),
        (
            Gate::TopologyAwareWorkloadScheduling,
            "TopologyPlacementGenerator",
            0,
        ),
        (
            Gate::TopologyAwareWorkloadScheduling,
            "PodGroupPodsCount",
            1,
        ),
    ];
    for (gate, name, weight) in by_gate {
        if gates.enabled(gate) {
            enabled.push(PluginEntry::weighted(name, weight));
        }
    }
    Plugins {
        multi_point: PluginSet {
            enabled,
            disabled: Vec::new(),
        },
        ..Plugins::default()
    }
}

/// Lays what a profile says over the defaults, at each extension point and at `multiPoint` by itself.
pub fn merge_plugins(defaults: &Plugins, custom: &Plugins) -> Plugins {
    let mut merged = Plugins {
        multi_point: merge_set(&defaults.multi_point, &custom.multi_point),
        ..Plugins::default()
    };
    for point in ExtensionPoint::ALL {
        *merged.point_mut(point) = merge_set(defaults.point(point), custom.point(point));
    }
    merged
}

/// Lays one set over another.
///
/// A default that `custom` enables again keeps its place and loses its weight: the entry is `custom`'s.
/// Duplicates are kept, because they are an error that the second stage reports.
fn merge_set(defaults: &PluginSet, custom: &PluginSet) -> PluginSet {
    let mut merged = PluginSet::default();
    merged.disabled.clone_from(&custom.disabled);
    merged.disabled.extend(defaults.disabled.iter().cloned());
    let mut used = vec![false; custom.enabled.len()];
    let mut enabled = Vec::new();
    if !merged.disables_all() {
        for entry in &defaults.enabled {
            if merged.disables(&entry.name) {
                continue;
            }
            let again = custom.enabled.iter().zip(&mut used);
            // QUIRK: when the same name is enabled twice, the last one takes the default's place and the first one
            // is appended.
            match again.filter(|(own, _)| own.name == entry.name).last() {
                Some((own, is_used)) => {
                    *is_used = true;
                    enabled.push(own.clone());
                }
                None => enabled.push(entry.clone()),
            }
        }
    }
    let rest = custom.enabled.iter().zip(used);
    enabled.extend(
        rest.filter(|(_, is_used)| !is_used)
            .map(|(own, _)| own.clone()),
    );
    merged.enabled = enabled;
    merged
}

/// Appends defaulted arguments for each enabled plugin that has arguments and no entry, in alphabetical order.
pub fn complete_plugin_config(plugins: &Plugins, config: &mut Vec<PluginConfig>, gates: Gates) {
    let enabled = plugins.enabled_names();
    for name in PLUGINS_WITH_ARGS {
        if !enabled.contains(&name) || config.iter().any(|entry| entry.name == name) {
            continue;
        }
        if let Some(args) = PluginArgs::default_for(name, gates) {
            config.push(PluginConfig {
                name: name.to_string(),
                args,
            });
        }
    }
}
