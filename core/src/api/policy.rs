//! How important pods are, and how many of them may be disturbed at once.

use alloc::string::String;
use alloc::vec::Vec;

use super::meta::{Condition, ObjectMeta, Time};
use super::schema::{IntOrString, objects};
use super::selector::LabelSelector;

use crate::order::SortedMap;

objects! {
    /// A named importance.
    pub struct PriorityClass {
        /// Its name.
        pub metadata: ObjectMeta,
        /// The importance.
        pub value: i32,
        /// Whether pods without a class get it.
        pub global_default: bool,
        /// What it is for.
        pub description: String,
        /// `PreemptLowerPriority` or `Never`.
        pub preemption_policy: Option<String>,
    }

    /// How many pods of a set may be disturbed at once.
    pub struct PodDisruptionBudget {
        /// Its name.
        pub metadata: ObjectMeta,
        /// What is wanted.
        pub spec: PodDisruptionBudgetSpec,
        /// What is left of it.
        pub status: PodDisruptionBudgetStatus,
    }

    /// How many pods may be disturbed at once.
    pub struct PodDisruptionBudgetSpec {
        /// How many must stay.
        pub min_available: Option<IntOrString>,
        /// How many may be away.
        pub max_unavailable: Option<IntOrString>,
        /// Which pods; an empty selector is all of the namespace.
        pub selector: Option<LabelSelector>,
        /// Whether pods that are not ready are protected.
        pub unhealthy_pod_eviction_policy: Option<String>,
    }

    /// What is left of a budget.
    pub struct PodDisruptionBudgetStatus {
        /// How many pods may be disturbed now.
        pub disruptions_allowed: i32,
        /// How many pods are well.
        pub current_healthy: i32,
        /// How many must be.
        pub desired_healthy: i32,
        /// How many pods there should be.
        pub expected_pods: i32,
        /// Pods whose disturbance is under way.
        pub disrupted_pods: SortedMap<String, Time>,
        /// The generation it speaks of.
        pub observed_generation: i64,
        /// One entry an aspect.
        pub conditions: Vec<Condition>,
    }
}
