//! What each plugin can be told, with the values it starts from.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

use crate::api::{NodeAffinity, TopologySpreadConstraint};
use crate::time::Span;

use super::{Gate, Gates};

/// The arguments of one plugin, complete: whatever was not written has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PluginArgs {
    /// The plugin has no arguments, or none were given to one that Berth does not know.
    #[default]
    None,
    /// Of `DefaultPreemption`.
    DefaultPreemption(DefaultPreemptionArgs),
    /// Of `DynamicResources`.
    DynamicResources(DynamicResourcesArgs),
    /// Of `InterPodAffinity`.
    InterPodAffinity(InterPodAffinityArgs),
    /// Of `NodeAffinity`.
    NodeAffinity(NodeAffinityArgs),
    /// Of `NodeResourcesBalancedAllocation`.
    NodeResourcesBalancedAllocation(NodeResourcesBalancedAllocationArgs),
    /// Of `NodeResourcesFit`.
    NodeResourcesFit(NodeResourcesFitArgs),
    /// Of `PodTopologySpread`.
    PodTopologySpread(PodTopologySpreadArgs),
    /// Of `VolumeBinding`.
    VolumeBinding(VolumeBindingArgs),
    /// Of a plugin that only an old Policy can reach.
    Legacy(LegacyArgs),
    /// Of a plugin from elsewhere: handed on as written.
    Other(Value),
}

/// How many nodes preemption looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultPreemptionArgs {
    /// Percent of the cluster's nodes, 0 to 100.
    pub min_candidate_nodes_percentage: i32,
    /// Nodes, at least 0.
    pub min_candidate_nodes_absolute: i32,
}

/// How long the search for devices and their preparation may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicResourcesArgs {
    /// The limit of one node's search; zero is none. `None` while the gate for it is off.
    pub filter_timeout: Option<Span>,
    /// The limit for devices to become ready. `None` while a gate for it is off.
    pub binding_timeout: Option<Span>,
}

/// How other pods' affinity counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterPodAffinityArgs {
    /// The weight of a placed pod's required affinity when it matches the incoming pod, 0 to 100.
    pub hard_pod_affinity_weight: i32,
    /// Whether preferences of placed pods are left out.
    pub ignore_preferred_terms_of_existing_pods: bool,
}

/// What every pod of the profile must satisfy beyond its own node affinity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeAffinityArgs {
    /// ANDed with the pod's own.
    pub added_affinity: Option<NodeAffinity>,
}

/// A resource and how much it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceSpec {
    /// The resource's name, `cpu` or `example.com/gpu`.
    pub name: String,
    /// Its share; 0 is replaced by 1 when the configuration is completed.
    pub weight: i64,
}

/// Which resources are to be used evenly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeResourcesBalancedAllocationArgs {
    /// Each with weight 1.
    pub resources: Vec<ResourceSpec>,
}

/// Which resources must fit, and which node is the better fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeResourcesFitArgs {
    /// Extended resources that Filter does not look at.
    pub ignored_resources: Vec<String>,
    /// The part before the `/` of such resources.
    pub ignored_resource_groups: Vec<String>,
    /// How nodes are scored.
    pub scoring_strategy: ScoringStrategy,
}

/// How requested and free resources become a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoringStrategy {
    /// The rule.
    pub kind: ScoringStrategyType,
    /// The resources it looks at.
    pub resources: Vec<ResourceSpec>,
    /// The curve of `RequestedToCapacityRatio`; empty for the other rules.
    pub shape: Vec<UtilizationShapePoint>,
}

/// The rules of [`ScoringStrategy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoringStrategyType {
    /// The emptier the better.
    #[default]
    LeastAllocated,
    /// The fuller the better.
    MostAllocated,
    /// By a curve over utilization.
    RequestedToCapacityRatio,
}

/// One corner of a curve from utilization to score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtilizationShapePoint {
    /// Percent, 0 to 100.
    pub utilization: i32,
    /// 0 to 10.
    pub score: i32,
}

/// How pods without constraints of their own are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodTopologySpreadArgs {
    /// The constraints of a `List`; without a label selector.
    pub default_constraints: Vec<TopologySpreadConstraint>,
    /// Whether the list above counts, or the built-in one.
    pub defaulting_type: DefaultingType,
}

/// Where the default constraints of [`PodTopologySpreadArgs`] come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultingType {
    /// Built in: hostname with skew 3 and zone with skew 5, both preferences.
    #[default]
    System,
    /// Written in the configuration.
    List,
}

/// How long volumes may take, and how nodes are scored by storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeBindingArgs {
    /// Seconds, at least 0.
    pub bind_timeout_seconds: i64,
    /// The curve from utilization to score; empty unless `StorageCapacityScoring` is on.
    pub shape: Vec<UtilizationShapePoint>,
}

/// The arguments of plugins that only an old Policy can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LegacyArgs {
    /// Of `NodeLabel`.
    NodeLabel(NodeLabelArgs),
    /// Of `ServiceAffinity`.
    ServiceAffinity(ServiceAffinityArgs),
    /// Of `NodeResourcesLeastAllocated`.
    NodeResourcesLeastAllocated(Vec<ResourceSpec>),
    /// Of `NodeResourcesMostAllocated`.
    NodeResourcesMostAllocated(Vec<ResourceSpec>),
    /// Of `RequestedToCapacityRatio`.
    RequestedToCapacityRatio(RequestedToCapacityRatioArgs),
}

/// Node labels that are wanted or not, whatever their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeLabelArgs {
    /// Filter: each must exist.
    pub present_labels: Vec<String>,
    /// Filter: none may exist.
    pub absent_labels: Vec<String>,
    /// Score: each that exists counts.
    pub present_labels_preference: Vec<String>,
    /// Score: each that does not exist counts.
    pub absent_labels_preference: Vec<String>,
}

/// Node labels that hold a service's pods together or apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceAffinityArgs {
    /// Filter: the pods of a service agree on the values.
    pub affinity_labels: Vec<String>,
    /// Score: the pods of a service are spread over the values.
    pub anti_affinity_labels_preference: Vec<String>,
}

/// A curve over utilization, and the resources it is applied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedToCapacityRatioArgs {
    /// In ascending order of utilization.
    pub shape: Vec<UtilizationShapePoint>,
    /// Never empty.
    pub resources: Vec<ResourceSpec>,
}

impl PluginArgs {
    /// The arguments `plugin` has when nothing is written; `None` when no arguments are defined for it.
    pub fn default_for(plugin: &str, gates: Gates) -> Option<Self> {
        Some(match plugin {
            "DefaultPreemption" => Self::DefaultPreemption(DefaultPreemptionArgs::default()),
            "DynamicResources" => Self::DynamicResources(DynamicResourcesArgs::for_gates(gates)),
            "InterPodAffinity" => Self::InterPodAffinity(InterPodAffinityArgs::default()),
            "NodeAffinity" => Self::NodeAffinity(NodeAffinityArgs::default()),
            "NodeResourcesBalancedAllocation" => {
                Self::NodeResourcesBalancedAllocation(NodeResourcesBalancedAllocationArgs::default())
            }
            "NodeResourcesFit" => Self::NodeResourcesFit(NodeResourcesFitArgs::default()),
            "PodTopologySpread" => Self::PodTopologySpread(PodTopologySpreadArgs::default()),
            "VolumeBinding" => Self::VolumeBinding(VolumeBindingArgs::for_gates(gates)),
            _ => return None,
        })
    }

    /// The kind these arguments are written as, `NodeResourcesFitArgs`; `None` when they have none.
    pub const fn kind(&self) -> Option<&'static str> {
        match self {
            Self::DefaultPreemption(_) => Some("DefaultPreemptionArgs"),
            Self::DynamicResources(_) => Some("DynamicResourcesArgs"),
            Self::InterPodAffinity(_) => Some("InterPodAffinityArgs"),
            Self::NodeAffinity(_) => Some("NodeAffinityArgs"),
            Self::NodeResourcesBalancedAllocation(_) => Some("NodeResourcesBalancedAllocationArgs"),
            Self::NodeResourcesFit(_) => Some("NodeResourcesFitArgs"),
            Self::PodTopologySpread(_) => Some("PodTopologySpreadArgs"),
            Self::VolumeBinding(_) => Some("VolumeBindingArgs"),
            Self::Legacy(LegacyArgs::NodeLabel(_)) => Some("NodeLabelArgs"),
            Self::Legacy(LegacyArgs::ServiceAffinity(_)) => Some("ServiceAffinityArgs"),
            Self::Legacy(LegacyArgs::NodeResourcesLeastAllocated(_)) => {
                Some("NodeResourcesLeastAllocatedArgs")
            }
            Self::Legacy(LegacyArgs::NodeResourcesMostAllocated(_)) => {
                Some("NodeResourcesMostAllocatedArgs")
            }
            Self::Legacy(LegacyArgs::RequestedToCapacityRatio(_)) => {
                Some("RequestedToCapacityRatioArgs")
            }
            Self::None | Self::Other(_) => None,
        }
    }
}

/// The names whose arguments have a kind of their own, in alphabetical order.
pub const PLUGINS_WITH_ARGS: [&str; 8] = [
    "DefaultPreemption",
    "DynamicResources",
    "InterPodAffinity",
    "NodeAffinity",
    "NodeResourcesBalancedAllocation",
    "NodeResourcesFit",
    "PodTopologySpread",
    "VolumeBinding",
];

impl DynamicResourcesArgs {
    /// The defaults; a time limit exists only while the gates for it are on.
    pub fn for_gates(gates: Gates) -> Self {
        let has_filter_timeout = gates.enabled(Gate::DRASchedulerFilterTimeout);
        let has_binding_timeout = gates.enabled(Gate::DRADeviceBindingConditions)
            && gates.enabled(Gate::DRAResourceClaimDeviceStatus);
        Self {
            filter_timeout: has_filter_timeout.then(|| Span::from_secs(10)),
            binding_timeout: has_binding_timeout.then(|| Span::from_secs(600)),
        }
    }
}

impl VolumeBindingArgs {
    /// The defaults; there is a curve only while `StorageCapacityScoring` is on.
    pub fn for_gates(gates: Gates) -> Self {
        let mut args = Self {
            bind_timeout_seconds: 600,
            shape: Vec::new(),
        };
        if gates.enabled(Gate::StorageCapacityScoring) {
            args.shape = vec![
                UtilizationShapePoint {
                    utilization: 0,
                    score: 10,
                },
                UtilizationShapePoint {
                    utilization: 100,
                    score: 0,
                },
            ];
        }
        args
    }
}

impl Default for DefaultPreemptionArgs {
    fn default() -> Self {
        Self {
            min_candidate_nodes_percentage: 10,
            min_candidate_nodes_absolute: 100,
        }
    }
}

impl Default for DynamicResourcesArgs {
    fn default() -> Self {
        Self::for_gates(Gates::default())
    }
}

impl Default for InterPodAffinityArgs {
    fn default() -> Self {
        Self {
            hard_pod_affinity_weight: 1,
            ignore_preferred_terms_of_existing_pods: false,
        }
    }
}

impl Default for NodeResourcesBalancedAllocationArgs {
    fn default() -> Self {
        Self {
            resources: default_resources(),
        }
    }
}

impl Default for ScoringStrategy {
    fn default() -> Self {
        Self {
            kind: ScoringStrategyType::default(),
            resources: default_resources(),
            shape: Vec::new(),
        }
    }
}

impl Default for VolumeBindingArgs {
    fn default() -> Self {
        Self::for_gates(Gates::default())
    }
}

impl ResourceSpec {
    /// A resource with its weight.
    pub fn new(name: impl Into<String>, weight: i64) -> Self {
        Self {
            name: name.into(),
            weight,
        }
    }
}

impl ScoringStrategyType {
    /// Every rule, in the order error messages list them.
    pub const ALL: [Self; 3] = [
        Self::LeastAllocated,
        Self::MostAllocated,
        Self::RequestedToCapacityRatio,
    ];

    /// The rule's name in a configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LeastAllocated => "LeastAllocated",
            Self::MostAllocated => "MostAllocated",
            Self::RequestedToCapacityRatio => "RequestedToCapacityRatio",
        }
    }
}

impl DefaultingType {
    /// Both, in the order error messages list them.
    pub const ALL: [Self; 2] = [Self::System, Self::List];

    /// The name in a configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::List => "List",
        }
    }
}

/// CPU and memory, each counting once.
pub fn default_resources() -> Vec<ResourceSpec> {
    vec![ResourceSpec::new("cpu", 1), ResourceSpec::new("memory", 1)]
}
