//! What a pod wants near it: kinds of nodes, other pods, even spread. Data only; `selector` decides what matches.

use alloc::string::String;
use alloc::vec::Vec;

use super::schema::objects;
use super::selector::{LabelSelector, NodeSelector, NodeSelectorTerm};

objects! {
    /// What a pod wants near it.
    pub struct Affinity {
        /// Kinds of nodes.
        pub node_affinity: Option<NodeAffinity>,
        /// Pods to be near to.
        pub pod_affinity: Option<PodAffinity>,
        /// Pods to be away from.
        pub pod_anti_affinity: Option<PodAntiAffinity>,
    }

    /// Kinds of nodes that a pod wants.
    pub struct NodeAffinity {
        /// What its node must be.
        pub required_during_scheduling_ignored_during_execution: Option<NodeSelector>,
        /// What its node should be.
        pub preferred_during_scheduling_ignored_during_execution: Vec<PreferredSchedulingTerm>,
    }

    /// A kind of node with how much it is wanted.
    pub struct PreferredSchedulingTerm {
        /// 1 to 100.
        pub weight: i32,
        /// The kind of node.
        pub preference: NodeSelectorTerm,
    }

    /// Pods that a pod wants to be near to.
    pub struct PodAffinity {
        /// What it must be near to.
        pub required_during_scheduling_ignored_during_execution: Vec<PodAffinityTerm>,
        /// What it should be near to.
        pub preferred_during_scheduling_ignored_during_execution: Vec<WeightedPodAffinityTerm>,
    }

    /// Pods that a pod wants to be away from.
    pub struct PodAntiAffinity {
        /// What it must be away from.
        pub required_during_scheduling_ignored_during_execution: Vec<PodAffinityTerm>,
        /// What it should be away from.
        pub preferred_during_scheduling_ignored_during_execution: Vec<WeightedPodAffinityTerm>,
    }

    /// Which pods, and what counts as near.
    pub struct PodAffinityTerm {
        /// Which pods by label; none selects no pod.
        pub label_selector: Option<LabelSelector>,
        /// Namespaces by name.
        pub namespaces: Vec<String>,
        /// Nodes are near each other when they agree in this label.
        pub topology_key: String,
        /// Namespaces by label; none selects no namespace, an empty one all.
        pub namespace_selector: Option<LabelSelector>,
        /// Labels in which the pods must agree with this one; merged into the selector at admission.
        pub match_label_keys: Vec<String>,
        /// Labels in which the pods must differ from this one; merged into the selector at admission.
        pub mismatch_label_keys: Vec<String>,
    }

    /// A term with how much it is wanted.
    pub struct WeightedPodAffinityTerm {
        /// 1 to 100.
        pub weight: i32,
        /// Which pods.
        pub pod_affinity_term: PodAffinityTerm,
    }

    /// How evenly pods are to be spread.
    pub struct TopologySpreadConstraint {
        /// By how much two domains may differ.
        pub max_skew: i32,
        /// The label whose values are the domains.
        pub topology_key: String,
        /// `DoNotSchedule` or `ScheduleAnyway`.
        pub when_unsatisfiable: String,
        /// Which pods are counted.
        pub label_selector: Option<LabelSelector>,
        /// How many domains there must be.
        pub min_domains: Option<i32>,
        /// Whether nodes that the pod's node affinity excludes count: `Honor` or `Ignore`.
        pub node_affinity_policy: Option<String>,
        /// Whether nodes with taints that the pod does not tolerate count: `Honor` or `Ignore`.
        pub node_taints_policy: Option<String>,
        /// Labels of this pod in which the pods counted must agree with it.
        pub match_label_keys: Vec<String>,
    }
}
