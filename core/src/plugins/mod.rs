//! Which plugins there are.
//!
//! [`in_tree`] is kube-scheduler's own registry, one line a plugin, in the order in which the default profile runs them.
//! A plugin is one file or folder here, named after it, and one line of the table. Plugins know nothing of each other,
//! of the queue or of the order of a cycle's steps; each set method has a plain per-node twin that tests hold it to.

mod default_binder;
mod hint;
mod node_name;
mod placeholder;
mod priority_sort;
mod scheduling_gates;

use crate::framework::registry::{PluginFactory, Registry};
use crate::framework::status::PluginName;

pub use default_binder::DefaultBinder;
pub use node_name::NodeName;
pub use priority_sort::PrioritySort;
pub use scheduling_gates::SchedulingGates;

/// Every plugin that kube-scheduler brings, by name.
///
/// Source: spec, plugins 1.1. All names are known even when the gate that puts them into the default profile is off.
#[must_use]
pub fn in_tree() -> Registry {
    Registry::of(TABLE)
}

/// The plugins in the order of the default profile; below the line, those that only a gate brings.
const TABLE: &[(PluginName, PluginFactory)] = &[
    (SchedulingGates::NAME, SchedulingGates::build),
    (PrioritySort::NAME, PrioritySort::build),
    (
        PluginName("NodeUnschedulable"),
        placeholder::node_unschedulable,
    ),
    (NodeName::NAME, NodeName::build),
    (PluginName("TaintToleration"), placeholder::taint_toleration),
    (PluginName("NodeAffinity"), placeholder::node_affinity),
    (PluginName("NodePorts"), placeholder::node_ports),
    (
        PluginName("NodeResourcesFit"),
        placeholder::node_resources_fit,
    ),
    (
        PluginName("VolumeRestrictions"),
        placeholder::volume_restrictions,
    ),
    (
        PluginName("NodeVolumeLimits"),
        placeholder::node_volume_limits,
    ),
    (PluginName("VolumeBinding"), placeholder::volume_binding),
    (PluginName("VolumeZone"), placeholder::volume_zone),
    (
        PluginName("PodTopologySpread"),
        placeholder::pod_topology_spread,
    ),
    (
        PluginName("InterPodAffinity"),
        placeholder::inter_pod_affinity,
    ),
    (
        PluginName("DynamicResources"),
        placeholder::dynamic_resources,
    ),
    (
        PluginName("DefaultPreemption"),
        placeholder::default_preemption,
    ),
    (
        PluginName("NodeResourcesBalancedAllocation"),
        placeholder::node_resources_balanced_allocation,
    ),
    (PluginName("ImageLocality"), placeholder::image_locality),
    (DefaultBinder::NAME, DefaultBinder::build),
    // By gate.
    (
        PluginName("NodeDeclaredFeatures"),
        placeholder::node_declared_features,
    ),
    (PluginName("GangScheduling"), placeholder::gang_scheduling),
    (
        PluginName("TopologyPlacementGenerator"),
        placeholder::topology_placement_generator,
    ),
    (
        PluginName("PodGroupPodsCount"),
        placeholder::pod_group_pods_count,
    ),
];

/// Names in the table behind which there is no plugin yet: they are accepted and decide nothing.
///
/// Whoever shows decisions warns about pods whose fields one of these would have looked at.
pub const NOT_BUILT_YET: &[&str] = &[
    "NodeUnschedulable",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
    "DefaultPreemption",
    "NodeResourcesBalancedAllocation",
    "ImageLocality",
    "NodeDeclaredFeatures",
    "GangScheduling",
    "TopologyPlacementGenerator",
    "PodGroupPodsCount",
];

#[cfg(test)]
mod tests;
