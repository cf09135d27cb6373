//! Random wishes: nodes, other pods, even spread.

use berth_core::api::{
    Affinity, LabelSelector, LabelSelectorRequirement, NodeAffinity, NodeSelector,
    NodeSelectorRequirement, NodeSelectorTerm, PodAffinity, PodAffinityTerm, PodAntiAffinity,
    PreferredSchedulingTerm, TopologySpreadConstraint, WeightedPodAffinityTerm,
};

use super::{Draw, HOSTNAME, LABEL_KEYS, LABEL_VALUES, NAMESPACES, ZONE, ZONES};

impl Draw {
    /// What a pod wants near it.
    pub fn affinity(&mut self) -> Affinity {
        Affinity {
            node_affinity: self.maybe(60, Self::node_affinity),
            pod_affinity: self.maybe(30, |draw| PodAffinity {
                required_during_scheduling_ignored_during_execution: draw
                    .some(2, Self::pod_affinity_term),
                preferred_during_scheduling_ignored_during_execution: draw
                    .some(2, Self::weighted_term),
            }),
            pod_anti_affinity: self.maybe(30, |draw| PodAntiAffinity {
                required_during_scheduling_ignored_during_execution: draw
                    .some(2, Self::pod_affinity_term),
                preferred_during_scheduling_ignored_during_execution: draw
                    .some(2, Self::weighted_term),
            }),
        }
    }

    /// Kinds of nodes; now and then a term is empty or cannot be read.
    pub fn node_affinity(&mut self) -> NodeAffinity {
        NodeAffinity {
            required_during_scheduling_ignored_during_execution: self.maybe(60, |draw| {
                NodeSelector {
                    node_selector_terms: draw.some(3, Self::node_term),
                }
            }),
            preferred_during_scheduling_ignored_during_execution: self.some(2, |draw| {
                PreferredSchedulingTerm {
                    weight: *draw.pick(&[0, 1, 10, 100]),
                    preference: draw.readable_node_term(),
                }
            }),
        }
    }

    fn node_term(&mut self) -> NodeSelectorTerm {
        let mut term = self.readable_node_term();
        if self.chance(8) {
            term.match_expressions.push(NodeSelectorRequirement {
                key: "cores".to_owned(),
                operator: "Gt".to_owned(),
                values: vec!["many".to_owned()],
            });
        }
        term
    }

    /// A term without a mistake in it.
    pub fn readable_node_term(&mut self) -> NodeSelectorTerm {
        NodeSelectorTerm {
            match_expressions: self.some(2, Self::node_requirement),
            match_fields: if self.chance(20) {
                vec![NodeSelectorRequirement {
                    key: "metadata.name".to_owned(),
                    operator: self.word(&["In", "NotIn"]),
                    values: vec![format!("node-{}", self.below(6))],
                }]
            } else {
                Vec::new()
            },
        }
    }

    fn node_requirement(&mut self) -> NodeSelectorRequirement {
        let (key, values) = if self.chance(50) {
            (ZONE.to_owned(), self.some(1, |draw| draw.word(ZONES)))
        } else {
            let values = self.some(1, |draw| draw.word(LABEL_VALUES));
            (self.word(LABEL_KEYS), values)
        };
        let operator = self.word(match values.as_slice() {
            [] => &["Exists", "DoesNotExist"],
            [value] if matches!(value.as_str(), "8" | "16") => &["In", "NotIn", "Gt", "Lt"],
            _ => &["In", "NotIn"],
        });
        NodeSelectorRequirement {
            key,
            operator,
            values,
        }
    }

    fn weighted_term(&mut self) -> WeightedPodAffinityTerm {
        WeightedPodAffinityTerm {
            weight: *self.pick(&[1, 5, 50, 100]),
            pod_affinity_term: self.pod_affinity_term(),
        }
    }

    /// Pods, and what counts as near.
    pub fn pod_affinity_term(&mut self) -> PodAffinityTerm {
        PodAffinityTerm {
            label_selector: self.maybe(90, Self::label_selector),
            topology_key: self.word(&[ZONE, HOSTNAME, "example.com/pool"]),
            namespaces: if self.chance(20) {
                self.some(2, |draw| draw.word(NAMESPACES))
            } else {
                Vec::new()
            },
            namespace_selector: self.maybe(15, Self::label_selector),
            ..PodAffinityTerm::default()
        }
    }

    /// Which objects are meant, by label.
    pub fn label_selector(&mut self) -> LabelSelector {
        LabelSelector {
            match_labels: self
                .some(1, |draw| (draw.word(LABEL_KEYS), draw.word(LABEL_VALUES)))
                .into_iter()
                .collect(),
            match_expressions: if self.chance(30) {
                vec![LabelSelectorRequirement {
                    key: self.word(LABEL_KEYS),
                    operator: self.word(&["In", "NotIn"]),
                    values: vec![self.word(LABEL_VALUES)],
                }]
            } else {
                Vec::new()
            },
        }
    }

    /// How evenly pods are to be spread.
    pub fn spread_constraint(&mut self) -> TopologySpreadConstraint {
        TopologySpreadConstraint {
            max_skew: *self.pick(&[1, 2, 5]),
            topology_key: self.word(&[ZONE, HOSTNAME]),
            when_unsatisfiable: self.word(&["DoNotSchedule", "ScheduleAnyway"]),
            label_selector: self.maybe(90, Self::label_selector),
            min_domains: None,
            node_affinity_policy: self.maybe(20, |draw| draw.word(&["Honor", "Ignore"])),
            node_taints_policy: self.maybe(20, |draw| draw.word(&["Honor", "Ignore"])),
            match_label_keys: if self.chance(10) {
                vec![self.word(LABEL_KEYS)]
            } else {
                Vec::new()
            },
        }
    }
}
