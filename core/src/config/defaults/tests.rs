use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{default_plugins, merge_plugins};
use crate::config::{Configuration, Gate, Gates, PluginEntry, PluginSet, Plugins, Profile};

/// The multi-point entries as `Name` or `Name=weight`.
fn multi_point(plugins: &Plugins) -> Vec<String> {
    let text = |entry: &PluginEntry| match entry.weight {
        0 => entry.name.clone(),
        weight => alloc::format!("{}={weight}", entry.name),
    };
    plugins.multi_point.enabled.iter().map(text).collect()
}

fn custom(enabled: &[(&str, i32)], disabled: &[&str]) -> Plugins {
    Plugins {
        multi_point: PluginSet {
            enabled: enabled
                .iter()
                .map(|(name, weight)| PluginEntry::weighted(*name, *weight))
                .collect(),
            disabled: disabled.iter().map(ToString::to_string).collect(),
        },
        ..Plugins::default()
    }
}

fn merged(enabled: &[(&str, i32)], disabled: &[&str]) -> Vec<String> {
    let defaults = default_plugins(Gates::default());
    multi_point(&merge_plugins(&defaults, &custom(enabled, disabled)))
}

#[test]
fn the_default_order_is_upstreams() {
    assert_eq!(
        multi_point(&default_plugins(Gates::default())).join(" "),
        "SchedulingGates PrioritySort NodeUnschedulable NodeName TaintToleration=3 NodeAffinity=2 NodePorts \
         NodeResourcesFit=1 VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread=2 \
         InterPodAffinity=2 DynamicResources=2 DefaultPreemption NodeResourcesBalancedAllocation=1 ImageLocality=1 \
         DefaultBinder NodeDeclaredFeatures"
    );
}

#[test]
fn gates_bring_and_take_plugins() {
    let off = Gates::default().with(Gate::NodeDeclaredFeatures, false);
    assert_eq!(
        multi_point(&default_plugins(off)).last().unwrap(),
        "DefaultBinder"
    );
    let groups = Gates::default()
        .with(Gate::GangScheduling, true)
        .with(Gate::TopologyAwareWorkloadScheduling, true);
    assert_eq!(
        multi_point(&default_plugins(groups))[20..].join(" "),
        "GangScheduling TopologyPlacementGenerator PodGroupPodsCount=1"
    );
}

#[test]
fn a_default_listed_again_keeps_its_place_and_loses_its_weight() {
    let names = merged(&[("TaintToleration", 0)], &[]);
    assert_eq!(names[4], "TaintToleration");
    assert_eq!(names.len(), 20);
}

#[test]
fn a_default_disabled_and_enabled_moves_to_the_end() {
    let names = merged(&[("NodeName", 0)], &["NodeName"]);
    assert_eq!(names.iter().filter(|name| *name == "NodeName").count(), 1);
    assert_eq!(names.last().unwrap(), "NodeName");
}

#[test]
fn a_star_leaves_only_what_is_written() {
    assert_eq!(merged(&[("B", 0), ("A", 2)], &["*"]), ["B", "A=2"]);
}

#[test]
fn duplicates_survive_the_merge() {
    assert_eq!(merged(&[("A", 0), ("A", 1)], &["*"]), ["A", "A=1"]);
    let names = merged(&[("NodeName", 1), ("NodeName", 2)], &[]);
    assert_eq!(names[3], "NodeName=2");
    assert_eq!(names.last().unwrap(), "NodeName=1");
}

#[test]
fn disabled_names_are_kept_for_the_second_stage() {
    let mut user = Plugins::default();
    user.score.disabled.push("ImageLocality".to_string());
    let plugins = merge_plugins(&default_plugins(Gates::default()), &user);
    assert!(plugins.score.disables("ImageLocality"));
    assert_eq!(plugins.multi_point.enabled.len(), 20);
}

#[test]
fn each_plugin_with_arguments_gets_them_in_alphabetical_order() {
    let profile = Profile::default();
    let names: Vec<&str> = profile
        .plugin_config
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, crate::config::PLUGINS_WITH_ARGS);
    assert_eq!(Configuration::default().profiles, [profile]);
}
