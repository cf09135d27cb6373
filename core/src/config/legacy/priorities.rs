//! Which plugin stands for a priority.

/// A priority and the plugin that stands for it.
pub(super) struct Priority {
    pub(super) name: &'static str,
    pub(super) plugin: &'static str,
    pub(super) has_pre_score: bool,
    /// Its weight in a Policy that lists no priorities; none when it is not one of the default ones.
    pub(super) default_weight: Option<i32>,
}

/// Another name of a priority that old files use.
pub(super) const SPREADING_ALIAS: (&str, &str) = ("ServiceSpreadingPriority", SELECTOR_SPREAD);
/// A priority that never did anything.
pub(super) const EQUAL: &str = "EqualPriority";
/// The priority that was folded into PodTopologySpread.
pub(super) const SELECTOR_SPREAD: &str = "SelectorSpreadPriority";
/// Spread constraints of pods as a priority.
pub(super) const EVEN_SPREAD: &str = "EvenPodsSpreadPriority";
/// Affinity between pods as a priority.
pub(super) const INTER_POD_AFFINITY: &str = "InterPodAffinityPriority";
/// What custom priorities with label preference become.
pub(super) const NODE_LABEL: &str = "NodeLabel";
/// What custom priorities with service anti-affinity become.
pub(super) const SERVICE_AFFINITY: &str = "ServiceAffinity";
/// What custom priorities with a curve become.
pub(super) const RATIO: &str = "RequestedToCapacityRatio";

/// In alphabetical order, which is the order of the Score plugins whatever the Policy says.
pub(super) const PRIORITIES: [Priority; 13] = [
    scores(
        "BalancedResourceAllocation",
        "NodeResourcesBalancedAllocation",
        Some(1),
    ),
    prepares(EVEN_SPREAD, "PodTopologySpread", 2),
    scores("ImageLocalityPriority", "ImageLocality", Some(1)),
    prepares(INTER_POD_AFFINITY, "InterPodAffinity", 1),
    scores(
        "LeastRequestedPriority",
        "NodeResourcesLeastAllocated",
        Some(1),
    ),
    scores("MostRequestedPriority", "NodeResourcesMostAllocated", None),
    prepares("NodeAffinityPriority", "NodeAffinity", 1),
    scores(NODE_LABEL, "NodeLabel", None),
    scores(
        "NodePreferAvoidPodsPriority",
        "NodePreferAvoidPods",
        Some(10_000),
    ),
    scores(RATIO, "RequestedToCapacityRatio", None),
    prepares(SELECTOR_SPREAD, "PodTopologySpread", 1),
    scores(SERVICE_AFFINITY, "ServiceAffinity", None),
    prepares("TaintTolerationPriority", "TaintToleration", 1),
];

const fn scores(name: &'static str, plugin: &'static str, default_weight: Option<i32>) -> Priority {
    Priority {
        name,
        plugin,
        has_pre_score: false,
        default_weight,
    }
}

const fn prepares(name: &'static str, plugin: &'static str, default_weight: i32) -> Priority {
    Priority {
        name,
        plugin,
        has_pre_score: true,
        default_weight: Some(default_weight),
    }
}

/// Whether a priority of this name is built in.
pub(super) fn is_priority(name: &str) -> bool {
    PRIORITIES.iter().any(|priority| priority.name == name)
}
