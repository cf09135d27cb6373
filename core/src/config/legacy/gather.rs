//! What the names in a Policy come down to.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::config::validate;
use crate::config::{
    ConfigError, NodeLabelArgs, Note, PolicyError, RequestedToCapacityRatioArgs,
    ServiceAffinityArgs,
};
use crate::order::{SortedMap, SortedSet};

use super::policy::{PredicatePolicy, PriorityPolicy};
use super::predicates;
use super::priorities::{self, PRIORITIES};
use super::provider::LegacyGates;

/// What has been gathered from the lists of a Policy.
pub(super) struct Translation {
    pub(super) gates: LegacyGates,
    pub(super) predicates: SortedSet<String>,
    pub(super) priorities: SortedMap<String, i64>,
    pub(super) node_label: NodeLabelArgs,
    pub(super) service_affinity: ServiceAffinityArgs,
    pub(super) ratio: Option<RequestedToCapacityRatioArgs>,
    /// The priority that the last of them was an argument of.
    ratio_at: usize,
    pub(super) notes: Vec<Note>,
    pub(super) errors: Vec<ConfigError>,
}

impl Translation {
    pub(super) fn new(gates: LegacyGates) -> Self {
        Self {
            gates,
            predicates: SortedSet::new(),
            priorities: SortedMap::new(),
            node_label: NodeLabelArgs::default(),
            service_affinity: ServiceAffinityArgs::default(),
            ratio: None,
            ratio_at: 0,
            notes: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn error(&mut self, error: PolicyError) {
        self.errors.push(ConfigError::Policy(error));
    }

    fn error_at(&mut self, path: String, error: PolicyError) {
        let error = ConfigError::Policy(error);
        self.errors.push(ConfigError::at(path, error));
    }

    pub(super) fn predicates(&mut self, list: Option<&[PredicatePolicy]>) {
        self.predicates = predicates::MANDATORY.map(String::from).into();
        let Some(list) = list else {
            self.predicates
                .extend(predicates::DEFAULTS.map(String::from));
            return;
        };
        for (i, predicate) in list.iter().enumerate() {
            if let Some(name) = self.predicate(predicate, i) {
                self.predicates.insert(name);
            }
        }
    }

    /// The built-in name that one predicate comes down to.
    fn predicate(&mut self, predicate: &PredicatePolicy, i: usize) -> Option<String> {
        let argument = predicate.argument.as_ref();
        if let Some(argument) = argument {
            let count = usize::from(argument.service_affinity.is_some())
                + usize::from(argument.labels_presence.is_some());
            if count != 1 {
                let predicate = predicate.name.clone();
                let path = alloc::format!("predicates[{i}].argument");
                self.error_at(path, PolicyError::PredicateArguments { predicate, count });
                return None;
            }
        }
        let (alias, name) = predicates::PORTS_ALIAS;
        let name = if predicate.name == alias {
            name
        } else {
            predicate.name.as_str()
        };
        if predicates::is_predicate(name) {
            if argument.is_some() {
                // QUIRK: also for CheckNodeLabelPresence itself, which then tests nothing.
                let path = alloc::format!("predicates[{i}].argument");
                let text = alloc::format!("{name} is a built-in name, so its argument is ignored");
                self.notes.push(Note::new(path, text));
            }
            return Some(name.to_string());
        }
        let Some(argument) = argument else {
            let predicate = name.to_string();
            let path = alloc::format!("predicates[{i}].name");
            self.error_at(path, PolicyError::PredicateNotFound { predicate });
            return None;
        };
        if let Some(labels) = &argument.service_affinity {
            let all = &mut self.service_affinity.affinity_labels;
            all.extend(labels.iter().cloned());
            return Some(predicates::SERVICE_AFFINITY.to_string());
        }
        let presence = argument.labels_presence.as_ref()?;
        let all = if presence.presence {
            &mut self.node_label.present_labels
        } else {
            &mut self.node_label.absent_labels
        };
        all.extend(presence.labels.iter().cloned());
        Some(predicates::LABEL_PRESENCE.to_string())
    }

    pub(super) fn priorities(&mut self, list: Option<&[PriorityPolicy]>) {
        let Some(list) = list else {
            for priority in &PRIORITIES {
                if let Some(weight) = priority.default_weight {
                    let name = priority.name.to_string();
                    self.priorities.insert(name, weight.into());
                }
            }
            return;
        };
        for (i, priority) in list.iter().enumerate() {
            if priority.name == priorities::EQUAL {
                continue;
            }
            if let Some(name) = self.priority(priority, i) {
                self.priorities.insert(name, priority.weight);
            }
        }
        self.check_custom();
    }

    /// The built-in name that one priority comes down to.
    fn priority(&mut self, priority: &PriorityPolicy, i: usize) -> Option<String> {
        let argument = priority.argument.as_ref();
        if let Some(argument) = argument {
            let count = usize::from(argument.service_anti_affinity.is_some())
                + usize::from(argument.label_preference.is_some())
                + usize::from(argument.requested_to_capacity_ratio.is_some());
            if count != 1 {
                let priority = priority.name.clone();
                // With none at all the earlier rules have said so already.
                if count > 1 {
                    let path = alloc::format!("priorities[{i}].argument");
                    self.error_at(path, PolicyError::PriorityArguments { priority, count });
                }
                return None;
            }
        }
        let (alias, name) = priorities::SPREADING_ALIAS;
        let name = if priority.name == alias {
            name
        } else {
            priority.name.as_str()
        };
        // Upstream ignores the argument of these three names too and fails, or crashes, for the lack of it.
        let is_custom = CUSTOM.contains(&name) && argument.is_some();
        if priorities::is_priority(name) && !is_custom {
            return Some(name.to_string());
        }
        let Some(argument) = argument else {
            let priority = name.to_string();
            let path = alloc::format!("priorities[{i}].name");
            self.error_at(path, PolicyError::PriorityNotFound { priority });
            return None;
        };
        if let Some(label) = &argument.service_anti_affinity {
            let all = &mut self.service_affinity.anti_affinity_labels_preference;
            all.push(label.clone());
            return Some(priorities::SERVICE_AFFINITY.to_string());
        }
        if let Some(preference) = &argument.label_preference {
            let all = if preference.presence {
                &mut self.node_label.present_labels_preference
            } else {
                &mut self.node_label.absent_labels_preference
            };
            all.push(preference.label.clone());
            return Some(priorities::NODE_LABEL.to_string());
        }
        self.ratio.clone_from(&argument.requested_to_capacity_ratio);
        self.ratio_at = i;
        Some(priorities::RATIO.to_string())
    }

    /// Whether the custom priorities that are on have something to work with.
    fn check_custom(&mut self) {
        for name in CUSTOM {
            if self.priorities.contains_key(name) && self.custom_count(name) == 0 {
                let priority = name.to_string();
                self.error(PolicyError::NoPriorityArguments { priority });
            }
        }
        if let Some(ratio) = &self.ratio {
            let path = alloc::format!(
                "priorities[{}].argument.requestedToCapacityRatioArguments.shape",
                self.ratio_at
            );
            validate::shape(&ratio.shape, &path, &mut self.errors);
        }
    }

    /// How many things a custom priority averages over.
    fn custom_count(&self, name: &str) -> usize {
        match name {
            priorities::NODE_LABEL => {
                self.node_label.present_labels_preference.len()
                    + self.node_label.absent_labels_preference.len()
            }
            priorities::SERVICE_AFFINITY => {
                self.service_affinity.anti_affinity_labels_preference.len()
            }
            _ => usize::from(self.ratio.is_some()),
        }
    }

    /// Whether a label is wanted and unwanted at once, and whether the weights fit.
    pub(super) fn check_labels(&mut self) {
        let label = &self.node_label;
        let pairs = [
            (&label.present_labels, &label.absent_labels),
            (
                &label.present_labels_preference,
                &label.absent_labels_preference,
            ),
        ];
        let mut errors = Vec::new();
        for (present, absent) in pairs {
            if let Some(label) = present.iter().find(|label| absent.contains(label)) {
                errors.push(PolicyError::LabelConflict {
                    label: label.clone(),
                    present: present.clone(),
                    absent: absent.clone(),
                });
            }
        }
        for (name, weight) in &self.priorities {
            let is_valid = *weight > 0 && *weight < i64::MAX / 10;
            if is_valid && self.score_weight(name, *weight).is_none() {
                let priority = name.clone();
                errors.push(PolicyError::Weight { priority });
            }
        }
        errors.into_iter().for_each(|error| self.error(error));
    }

    /// The weight of the plugin: that of the priority, times what the plugin averages over.
    pub(super) fn score_weight(&self, name: &str, weight: i64) -> Option<i32> {
        let count = match name {
            priorities::NODE_LABEL | priorities::SERVICE_AFFINITY => self.custom_count(name),
            _ => 1,
        };
        let weight = weight.checked_mul(i64::try_from(count).ok()?)?;
        i32::try_from(weight).ok()
    }
}

/// The built-in names of custom priorities.
const CUSTOM: [&str; 3] = [
    priorities::NODE_LABEL,
    priorities::SERVICE_AFFINITY,
    priorities::RATIO,
];
