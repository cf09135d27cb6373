//! The closest thing to an old configuration that today's version can say.
//!
//! Plugins that have gone become settings of those that took over, as far as there are such. Each place where the
//! result decides differently, or says nothing at all, has a [`Note`].
//!
//! Source: spec, B.8.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::Value;

use crate::api::{
    NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PreferredSchedulingTerm,
    TopologySpreadConstraint,
};

use super::defaults::complete_plugin_config;
use super::reader::index;
use super::{
    ALL_PLUGINS, Configuration, DefaultingType, ExtensionPoint, Gates, LegacyArgs, Note,
    PluginArgs, PluginConfig, PluginEntry, Profile, ScoringStrategy, ScoringStrategyType,
};

use ExtensionPoint as P;

#[cfg(test)]
mod tests;

/// An equivalent document of today's version, and what is not equivalent about it.
///
/// A configuration that names no old plugin comes out as it stands, without notes.
pub fn to_v1(configuration: &Configuration) -> (Value, Vec<Note>) {
    let mut converted = configuration.clone();
    let mut notes = Vec::new();
    for (i, profile) in converted.profiles.iter_mut().enumerate() {
        let mut conversion = Conversion {
            path: index("profiles", i),
            gates: configuration.gates,
            profile,
            notes: &mut notes,
        };
        conversion.run();
    }
    if configuration.assumed_pod_ttl.is_some() {
        let text = "assumed pods no longer expire; there is no field for it";
        notes.push(Note::new("", text));
    }
    (converted.to_value(), notes)
}

/// One profile on its way.
struct Conversion<'a> {
    path: alloc::string::String,
    gates: Gates,
    profile: &'a mut Profile,
    notes: &'a mut Vec<Note>,
}

impl Conversion<'_> {
    fn run(&mut self) {
        if self.profile.plugins.multi_point.is_empty() {
            // Without this the defaults would come in beside what the lists say.
            let disabled = &mut self.profile.plugins.multi_point.disabled;
            disabled.push(ALL_PLUGINS.to_string());
        }
        self.strategies();
        self.node_label();
        self.selector_spread();
        self.service_affinity();
        if self.remove("NodePreferAvoidPods") {
            self.note(
                "NodePreferAvoidPods has no successor; taint such nodes with effect PreferNoSchedule",
            );
        }
        if core::mem::take(&mut self.profile.always_check_all_predicates) {
            self.note("a node is no longer tested on after it has failed, so it shows one reason");
        }
        let (plugins, config) = (&self.profile.plugins, &mut self.profile.plugin_config);
        complete_plugin_config(plugins, config, self.gates);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(Note::new(self.path.clone(), text));
    }

    /// The scoring by resources, of which a profile now has one.
    fn strategies(&mut self) {
        for (old, kind) in [
            (
                "NodeResourcesLeastAllocated",
                ScoringStrategyType::LeastAllocated,
            ),
            (
                "NodeResourcesMostAllocated",
                ScoringStrategyType::MostAllocated,
            ),
            (
                "RequestedToCapacityRatio",
                ScoringStrategyType::RequestedToCapacityRatio,
            ),
        ] {
            let Some(weight) = self.score_weight(old) else {
                self.remove(old);
                continue;
            };
            if self.score_weight(FIT).is_some() {
                self.remove(old);
                let text = format!(
                    "{old} with weight {weight} is left out: a profile has one scoringStrategy"
                );
                self.note(&text);
                continue;
            }
            let strategy = self.strategy_of(old, kind);
            for entry in &mut self.profile.plugins.score.enabled {
                if entry.name == old {
                    entry.name = FIT.to_string();
                }
            }
            self.remove(old);
            self.enable(P::Score, FIT, weight);
            self.enable(P::PreScore, FIT, 0);
            if let PluginArgs::NodeResourcesFit(args) = self.args_mut(FIT) {
                args.scoring_strategy = strategy;
            }
        }
    }

    /// The weight with which a plugin scores, through either list; `None` when it does not.
    fn score_weight(&self, name: &str) -> Option<i32> {
        let plugins = &self.profile.plugins;
        if let Some(entry) = plugins.score.entry(name) {
            return Some(entry.weight);
        }
        if plugins.score.disables_all() || plugins.score.disables(name) {
            return None;
        }
        plugins.multi_point.entry(name).map(|entry| entry.weight)
    }

    fn strategy_of(&self, old: &str, kind: ScoringStrategyType) -> ScoringStrategy {
        let mut strategy = ScoringStrategy {
            kind,
            ..ScoringStrategy::default()
        };
        match self.profile.args(old) {
            Some(PluginArgs::Legacy(
                LegacyArgs::NodeResourcesLeastAllocated(resources)
                | LegacyArgs::NodeResourcesMostAllocated(resources),
            )) => strategy.resources.clone_from(resources),
            Some(PluginArgs::Legacy(LegacyArgs::RequestedToCapacityRatio(args))) => {
                strategy.resources.clone_from(&args.resources);
                strategy.shape.clone_from(&args.shape);
            }
            _ => {}
        }
        strategy
    }

    /// Labels that nodes must or should have, as an affinity of the profile.
    fn node_label(&mut self) {
        let Some(PluginArgs::Legacy(LegacyArgs::NodeLabel(args))) = self.profile.args("NodeLabel")
        else {
            return;
        };
        let args = args.clone();
        let filters = self.profile.plugins.filter.entry("NodeLabel").is_some();
        let score = self.profile.plugins.score.entry("NodeLabel").cloned();
        self.remove("NodeLabel");
        let exists = |(label, operator): (&alloc::string::String, &str)| NodeSelectorRequirement {
            key: label.clone(),
            operator: operator.to_string(),
            values: Vec::new(),
        };
        let required = args.present_labels.iter().map(|label| (label, "Exists"));
        let required = required.chain(args.absent_labels.iter().map(|l| (l, "DoesNotExist")));
        let required: Vec<NodeSelectorRequirement> = required.map(exists).collect();
        if filters && !required.is_empty() {
            self.enable(P::PreFilter, AFFINITY, 0);
            if self.enable(P::Filter, AFFINITY, 0) {
                self.note("NodeAffinity is enabled for NodeLabel and tests what pods require too");
            }
            self.require(&required);
            self.note(
                "NodeLabel is an addedAffinity of NodeAffinity: same nodes, but the reason reads \
                 \"node(s) didn't match scheduler-enforced node affinity\"",
            );
        }
        let Some(score) = score else { return };
        let present = &args.present_labels_preference;
        let absent = &args.absent_labels_preference;
        let preferred = present.iter().map(|label| (label, "Exists"));
        let preferred = preferred.chain(absent.iter().map(|label| (label, "DoesNotExist")));
        let terms = preferred
            .map(exists)
            .map(|requirement| PreferredSchedulingTerm {
                weight: 1,
                preference: NodeSelectorTerm {
                    match_expressions: vec![requirement],
                    match_fields: Vec::new(),
                },
            });
        self.enable(P::PreScore, AFFINITY, 0);
        self.enable(P::Score, AFFINITY, score.weight);
        if let PluginArgs::NodeAffinity(args) = self.args_mut(AFFINITY) {
            let added = args.added_affinity.get_or_insert_default();
            let list = &mut added.preferred_during_scheduling_ignored_during_execution;
            list.extend(terms);
        }
        self.note(
            "preferred labels are preferred terms of NodeAffinity: scores are relative to the best node",
        );
    }

    /// ANDs requirements to what the profile's affinity requires.
    fn require(&mut self, requirements: &[NodeSelectorRequirement]) {
        let PluginArgs::NodeAffinity(args) = self.args_mut(AFFINITY) else {
            return;
        };
        let added = args.added_affinity.get_or_insert_default();
        let selector = added
            .required_during_scheduling_ignored_during_execution
            .get_or_insert_with(|| NodeSelector {
                node_selector_terms: vec![NodeSelectorTerm::default()],
            });
        for term in &mut selector.node_selector_terms {
            term.match_expressions.extend_from_slice(requirements);
        }
    }

    /// Spreading of what belongs together, as default constraints.
    fn selector_spread(&mut self) {
        let entry = self.profile.plugins.score.entry("SelectorSpread").cloned();
        if !self.remove("SelectorSpread") {
            return;
        }
        let weight = entry.map_or(0, |entry| entry.weight);
        self.enable(P::PreScore, SPREAD, 0);
        self.enable(P::Score, SPREAD, weight);
        if let PluginArgs::PodTopologySpread(args) = self.args_mut(SPREAD) {
            args.defaulting_type = DefaultingType::System;
            args.default_constraints.clear();
        }
        self.note("SelectorSpread is PodTopologySpread with System defaulting: numbers differ");
    }

    /// Spreading of services over labels, as default constraints; their holding together has no successor.
    fn service_affinity(&mut self) {
        let Some(PluginArgs::Legacy(LegacyArgs::ServiceAffinity(args))) =
            self.profile.args("ServiceAffinity")
        else {
            return;
        };
        let args = args.clone();
        let filters = self
            .profile
            .plugins
            .filter
            .entry("ServiceAffinity")
            .is_some();
        let score = self.profile.plugins.score.entry("ServiceAffinity").cloned();
        self.remove("ServiceAffinity");
        if filters {
            let labels = args.affinity_labels.join(", ");
            let text = format!(
                "ServiceAffinity over {labels} has no successor; give the pods a required podAffinity with that topology key"
            );
            self.note(&text);
        }
        let Some(score) = score else { return };
        self.enable(P::PreScore, SPREAD, 0);
        self.enable(P::Score, SPREAD, score.weight);
        if let PluginArgs::PodTopologySpread(spread) = self.args_mut(SPREAD) {
            if spread.defaulting_type == DefaultingType::System {
                spread.default_constraints = vec![
                    constraint("kubernetes.io/hostname", 3),
                    constraint("topology.kubernetes.io/zone", 5),
                ];
            }
            spread.defaulting_type = DefaultingType::List;
            for label in &args.anti_affinity_labels_preference {
                let list = &mut spread.default_constraints;
                if list.iter().all(|other| other.topology_key != *label) {
                    list.push(constraint(label, 1));
                }
            }
        }
        self.note(
            "spreading of services is a default constraint of PodTopologySpread: numbers differ",
        );
    }

    /// Enables a plugin at a point unless it is, and says whether it was not.
    fn enable(&mut self, point: ExtensionPoint, name: &str, weight: i32) -> bool {
        let set = self.profile.plugins.point_mut(point);
        let is_new = set.entry(name).is_none();
        if is_new {
            set.enabled.push(PluginEntry::weighted(name, weight));
        }
        is_new
    }

    /// Takes a plugin out everywhere and says whether it was in.
    fn remove(&mut self, name: &str) -> bool {
        let plugins = &mut self.profile.plugins;
        let was_enabled = plugins.enabled_names().contains(&name);
        plugins
            .multi_point
            .enabled
            .retain(|entry| entry.name != name);
        for point in P::ALL {
            let set = plugins.point_mut(point);
            set.enabled.retain(|entry| entry.name != name);
        }
        self.profile
            .plugin_config
            .retain(|entry| entry.name != name);
        was_enabled
    }

    /// The arguments of a plugin, made if there are none.
    fn args_mut(&mut self, name: &str) -> &mut PluginArgs {
        let config = &mut self.profile.plugin_config;
        let found = config.iter().position(|entry| entry.name == name);
        let i = found.unwrap_or_else(|| {
            config.push(PluginConfig {
                name: name.to_string(),
                args: PluginArgs::default_for(name, self.gates).unwrap_or_default(),
            });
            config.len() - 1
        });
        let entry = config.get_mut(i);
        &mut entry.expect("the entry was found or pushed").args
    }
}

fn constraint(topology_key: &str, max_skew: i32) -> TopologySpreadConstraint {
    TopologySpreadConstraint {
        max_skew,
        topology_key: topology_key.to_string(),
        when_unsatisfiable: "ScheduleAnyway".to_string(),
        ..TopologySpreadConstraint::default()
    }
}

const AFFINITY: &str = "NodeAffinity";
const FIT: &str = "NodeResourcesFit";
const SPREAD: &str = "PodTopologySpread";
