//! Which plugins there are.
//!
//! [`in_tree`] is kube-scheduler's own registry, one line a plugin, in the order in which the default profile runs them.
//! A plugin is one file or folder here, named after it, and one line of the table. Plugins know nothing of each other,
//! of the queue or of the order of a cycle's steps; each set method has a plain per-node twin that tests hold it to.

mod default_binder;
mod default_preemption;
mod device_classes;
mod dynamic_resources;
mod gates;
mod group_plugins;
mod hint;
mod image_locality;
mod inter_pod_affinity;
pub mod legacy;
mod node_affinity;
mod node_declared_features;
mod node_name;
mod node_ports;
mod node_resources_balanced_allocation;
mod node_resources_fit;
mod node_unschedulable;
mod node_volume_limits;
mod owner_selector;
mod pod_topology_spread;
mod priority_sort;
mod scheduling_gates;
mod scored_resources;
mod sets;
mod sign;
mod taint_toleration;
mod volume_binding;
mod volume_restrictions;
mod volume_zone;
mod volumes;

use crate::framework::registry::{PluginFactory, Registry};
use crate::framework::status::PluginName;

pub use default_binder::DefaultBinder;
pub use default_preemption::DefaultPreemption;
pub use dynamic_resources::{DynamicResources, backed_by_devices};
pub use group_plugins::GroupPlugin;
pub use image_locality::ImageLocality;
pub use inter_pod_affinity::InterPodAffinity;
pub use node_affinity::NodeAffinity;
pub use node_declared_features::NodeDeclaredFeatures;
pub use node_name::NodeName;
pub use node_ports::NodePorts;
pub use node_resources_balanced_allocation::NodeResourcesBalancedAllocation;
pub use node_resources_fit::NodeResourcesFit;
pub use node_unschedulable::NodeUnschedulable;
pub use node_volume_limits::NodeVolumeLimits;
pub use pod_topology_spread::PodTopologySpread;
pub use priority_sort::PrioritySort;
pub use scheduling_gates::SchedulingGates;
pub use taint_toleration::TaintToleration;
pub use volume_binding::VolumeBinding;
pub use volume_restrictions::VolumeRestrictions;
pub use volume_zone::VolumeZone;

/// Every plugin that kube-scheduler brings, by name.
///
/// Source: spec, plugins 1.1. All names are known even when the gate that puts them into the default profile is off.
#[must_use]
pub fn in_tree() -> Registry {
    Registry::of(TABLE)
}

/// The plugins in the order of the default profile; below the lines, those that only a gate or an old Policy brings.
const TABLE: &[(PluginName, PluginFactory)] = &[
    (SchedulingGates::NAME, SchedulingGates::build),
    (PrioritySort::NAME, PrioritySort::build),
    (NodeUnschedulable::NAME, NodeUnschedulable::build),
    (NodeName::NAME, NodeName::build),
    (TaintToleration::NAME, TaintToleration::build),
    (NodeAffinity::NAME, NodeAffinity::build),
    (NodePorts::NAME, NodePorts::build),
    (NodeResourcesFit::NAME, NodeResourcesFit::build),
    (VolumeRestrictions::NAME, VolumeRestrictions::build),
    (NodeVolumeLimits::NAME, NodeVolumeLimits::build),
    (VolumeBinding::NAME, VolumeBinding::build),
    (VolumeZone::NAME, VolumeZone::build),
    (PodTopologySpread::NAME, PodTopologySpread::build),
    (InterPodAffinity::NAME, InterPodAffinity::build),
    (DynamicResources::NAME, DynamicResources::build),
    (DefaultPreemption::NAME, DefaultPreemption::build),
    (
        NodeResourcesBalancedAllocation::NAME,
        NodeResourcesBalancedAllocation::build,
    ),
    (ImageLocality::NAME, ImageLocality::build),
    (DefaultBinder::NAME, DefaultBinder::build),
    // By gate.
    (NodeDeclaredFeatures::NAME, NodeDeclaredFeatures::build),
    (GroupPlugin::GANG_SCHEDULING, GroupPlugin::gang_scheduling),
    (
        GroupPlugin::TOPOLOGY_PLACEMENT_GENERATOR,
        GroupPlugin::topology_placement_generator,
    ),
    (
        GroupPlugin::POD_GROUP_PODS_COUNT,
        GroupPlugin::pod_group_pods_count,
    ),
    // By an old provider or Policy.
    (legacy::NodeLabel::NAME, legacy::NodeLabel::build),
    (
        legacy::NodePreferAvoidPods::NAME,
        legacy::NodePreferAvoidPods::build,
    ),
    (
        legacy::NodeResources::LEAST_ALLOCATED,
        legacy::NodeResources::least_allocated,
    ),
    (
        legacy::NodeResources::MOST_ALLOCATED,
        legacy::NodeResources::most_allocated,
    ),
    (
        legacy::NodeResources::RATIO,
        legacy::NodeResources::requested_to_capacity_ratio,
    ),
    (legacy::SelectorSpread::NAME, legacy::SelectorSpread::build),
    (
        legacy::ServiceAffinity::NAME,
        legacy::ServiceAffinity::build,
    ),
];

/// Plugins of the table that do not do all that kube-scheduler's do. DynamicResources rejects what needs devices instead of
/// finding devices for it.
pub const NOT_BUILT_YET: &[&str] = &["DynamicResources"];

#[cfg(test)]
mod tests;
