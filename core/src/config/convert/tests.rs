use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::to_v1;
use crate::config::legacy::{LegacyGates, Policy, apply_policy};
use crate::config::{
    Configuration, ExtensionPoint, PluginArgs, Profile, ReadOptions, expand, read_value,
};

use ExtensionPoint as P;

/// The profile that the conversion of a Policy is read as, and the notes.
fn converted(policy: Value, gates: LegacyGates) -> (Profile, Vec<String>) {
    let mut document = json!({"kind": "Policy", "apiVersion": "v1"});
    document
        .as_object_mut()
        .unwrap()
        .extend(policy.as_object().unwrap().clone());
    let policy = Policy::read_value(&document).expect("this policy is understood");
    let mut configuration = Configuration::default();
    apply_policy(&mut configuration, &policy, gates).expect("this policy is fine");
    let (value, notes) = to_v1(&configuration);
    let read = read_value(&value, ReadOptions::default()).expect("the conversion is valid");
    let mut profiles = read.configuration.profiles;
    let everything = |_: &str, _| Some(true);
    expand(&profiles[0], everything).expect("the profile can be built");
    (
        profiles.remove(0),
        notes.iter().map(ToString::to_string).collect(),
    )
}

fn score(profile: &Profile) -> String {
    let entries = profile.plugins.score.enabled.iter();
    let texts = entries.map(|entry| alloc::format!("{} {}", entry.name, entry.weight));
    texts.collect::<Vec<_>>().join(", ")
}

#[test]
fn today_stays_today() {
    let configuration = Configuration::default();
    let (value, notes) = to_v1(&configuration);
    assert_eq!(value, configuration.to_value());
    assert_eq!(notes, []);
}

#[test]
fn the_default_policy_has_an_equivalent() {
    let (profile, notes) = converted(json!({}), LegacyGates::default());
    assert_eq!(
        score(&profile),
        "NodeResourcesBalancedAllocation 1, PodTopologySpread 2, ImageLocality 1, InterPodAffinity 1, \
         NodeResourcesFit 1, NodeAffinity 1, TaintToleration 1"
    );
    assert!(profile.plugins.multi_point.enabled.is_empty());
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0].starts_with("profiles[0]: NodePreferAvoidPods has no successor"),
        "{notes:?}"
    );
}

#[test]
fn a_profile_has_one_strategy() {
    let priorities = json!([{"name": "LeastRequestedPriority", "weight": 2}, {"name": "MostRequestedPriority", "weight": 3}]);
    let (profile, notes) = converted(json!({"priorities": priorities}), LegacyGates::default());
    assert_eq!(score(&profile), "NodeResourcesFit 2");
    assert!(
        profile
            .plugins
            .pre_score
            .entry("NodeResourcesFit")
            .is_some()
    );
    assert_eq!(
        notes,
        [
            "profiles[0]: NodeResourcesMostAllocated with weight 3 is left out: a profile has one scoringStrategy"
        ]
    );
}

#[test]
fn a_curve_becomes_a_strategy() {
    let (profile, notes) = converted(
        json!({"priorities": [{"name": "gpu", "weight": 4, "argument": {"requestedToCapacityRatioArguments": {
            "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}],
            "resources": [{"name": "nvidia.com/gpu", "weight": 5}]}}}]}),
        LegacyGates::default(),
    );
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(score(&profile), "NodeResourcesFit 4");
    let Some(PluginArgs::NodeResourcesFit(args)) = profile.args("NodeResourcesFit") else {
        panic!()
    };
    assert_eq!(args.scoring_strategy.resources[0].weight, 5);
    assert_eq!(args.scoring_strategy.shape.len(), 2);
}

#[test]
fn labels_become_an_added_affinity() {
    let (profile, notes) = converted(
        json!({
            "predicates": [{"name": "p", "argument": {"labelsPresence": {"labels": ["ssd"], "presence": true}}},
                {"name": "q", "argument": {"labelsPresence": {"labels": ["old"], "presence": false}}}],
            "priorities": [{"name": "r", "weight": 2, "argument": {"labelPreference": {"label": "fast", "presence": true}}}]
        }),
        LegacyGates::default(),
    );
    let Some(PluginArgs::NodeAffinity(args)) = profile.args("NodeAffinity") else {
        panic!()
    };
    let added = args.added_affinity.as_ref().unwrap();
    let required = added
        .required_during_scheduling_ignored_during_execution
        .as_ref()
        .unwrap();
    let terms = &required.node_selector_terms;
    let shown: Vec<String> = terms[0]
        .match_expressions
        .iter()
        .map(|r| alloc::format!("{} {}", r.key, r.operator))
        .collect();
    assert_eq!(shown, ["ssd Exists", "old DoesNotExist"]);
    assert_eq!(
        added
            .preferred_during_scheduling_ignored_during_execution
            .len(),
        1
    );
    assert_eq!(score(&profile), "NodeAffinity 2");
    assert!(
        profile
            .plugins
            .point(P::Filter)
            .entry("NodeAffinity")
            .is_some()
    );
    assert!(
        profile
            .plugins
            .point(P::PreFilter)
            .entry("NodeAffinity")
            .is_some()
    );
    assert_eq!(notes.len(), 3, "{notes:?}");
}

#[test]
fn services_are_spread_by_default_constraints() {
    let (profile, notes) = converted(
        json!({
            "predicates": [{"name": "p", "argument": {"serviceAffinity": {"labels": ["region"]}}}],
            "priorities": [{"name": "SelectorSpreadPriority", "weight": 1},
                {"name": "r", "weight": 3, "argument": {"serviceAntiAffinity": {"label": "rack"}}}]
        }),
        LegacyGates::default(),
    );
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!()
    };
    let keys: Vec<&str> = args
        .default_constraints
        .iter()
        .map(|c| c.topology_key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
            "rack"
        ]
    );
    assert_eq!(score(&profile), "PodTopologySpread 1");
    assert!(
        notes[0].contains("ServiceAffinity over region has no successor"),
        "{notes:?}"
    );
}

#[test]
fn selector_spread_becomes_system_defaulting() {
    let mut gates = LegacyGates::default();
    gates.set("DefaultPodTopologySpread", false);
    let (profile, notes) = converted(
        json!({"priorities": [{"name": "SelectorSpreadPriority", "weight": 6}]}),
        gates,
    );
    assert_eq!(score(&profile), "PodTopologySpread 6");
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn always_checking_has_no_equivalent() {
    let (_, notes) = converted(
        json!({"alwaysCheckAllPredicates": true, "priorities": []}),
        LegacyGates::default(),
    );
    assert_eq!(
        notes,
        ["profiles[0]: a node is no longer tested on after it has failed, so it shows one reason"]
    );
}

#[test]
fn scoring_that_multi_point_enables_is_converted_or_said_to_be_left_out() {
    let convert = |plugins: Value| {
        let document = json!({
            "apiVersion": "kubescheduler.config.k8s.io/v1beta3",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"plugins": plugins}],
        });
        let read = read_value(&document, ReadOptions::default()).expect("it is read");
        let (value, notes) = to_v1(&read.configuration);
        read_value(&value, ReadOptions::default()).expect("the conversion is valid");
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let most = || json!([{"name": "NodeResourcesMostAllocated", "weight": 3}]);
    let left_out = "profiles[0]: NodeResourcesMostAllocated with weight 3 is left out: a profile has one scoringStrategy";
    assert_eq!(convert(json!({"score": {"enabled": most()}})), [left_out]);
    assert_eq!(
        convert(json!({"multiPoint": {"enabled": most()}})),
        [left_out]
    );
    let without_fit = json!({
        "multiPoint": {"enabled": most()},
        "score": {"disabled": [{"name": "NodeResourcesFit"}]},
    });
    assert_eq!(convert(without_fit), [""; 0]);
}
