//! Fits the plugins of an older time into today's framework.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::config::validate::REMOVED_PLUGINS;
use crate::config::{ExtensionPoint, PluginConfig, PluginEntry, PluginSet, Plugins};

use ExtensionPoint as P;

/// Renames what was folded into NodeVolumeLimits and adds the extension points that plugins have gained.
///
/// An extension point that the profile disables for a plugin stays disabled.
pub(in crate::config) fn modernise(plugins: &mut Plugins, plugin_config: &mut Vec<PluginConfig>) {
    rename(&mut plugins.multi_point);
    for point in P::ALL {
        rename(plugins.point_mut(point));
    }
    plugin_config.retain(|entry| !REMOVED_PLUGINS.contains(&entry.name.as_str()));
    for (from, to, names) in GAINED {
        for name in names {
            if plugins.point(from).entry(name).is_some() {
                gain(plugins, to, name);
            }
        }
    }
    // Pods with scheduling gates did not exist. The API server would refuse their binding.
    gain(plugins, P::PreEnqueue, "SchedulingGates");
}

/// What running at the first point needs at the second one today.
const GAINED: [(P, P, &[&str]); 3] = [
    (
        P::Filter,
        P::PreFilter,
        &[
            "NodeAffinity",
            "NodePorts",
            "NodeResourcesFit",
            "VolumeRestrictions",
            "NodeVolumeLimits",
            "VolumeBinding",
            "VolumeZone",
            "PodTopologySpread",
            "InterPodAffinity",
        ],
    ),
    (
        P::Score,
        P::PreScore,
        &[
            "TaintToleration",
            "NodeAffinity",
            "NodeResourcesFit",
            "PodTopologySpread",
            "InterPodAffinity",
            "NodeResourcesBalancedAllocation",
        ],
    ),
    (P::PostFilter, P::PreEnqueue, &["DefaultPreemption"]),
];

fn gain(plugins: &mut Plugins, point: ExtensionPoint, name: &str) {
    if plugins.multi_point.entry(name).is_some() {
        return;
    }
    let set = plugins.point_mut(point);
    if set.entry(name).is_none() && !set.disables(name) && !set.disables_all() {
        set.enabled.push(PluginEntry::new(name));
    }
}

fn rename(set: &mut PluginSet) {
    let mut enabled: Vec<PluginEntry> = Vec::new();
    for mut entry in set.enabled.drain(..) {
        if REMOVED_PLUGINS.contains(&entry.name.as_str()) {
            entry.name = "NodeVolumeLimits".to_string();
            if enabled.iter().any(|other| other.name == entry.name) {
                continue;
            }
        }
        // The real NodeVolumeLimits may come after one that was renamed to it.
        let is_second = entry.name == "NodeVolumeLimits"
            && enabled.iter().any(|other| other.name == entry.name);
        if !is_second {
            enabled.push(entry);
        }
    }
    set.enabled = enabled;
}
