use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::expand;
use crate::config::defaults::{default_plugins, merge_plugins};
use crate::config::{ExtensionPoint, Gates, PluginEntry, PluginSet, Plugins, Profile};

use ExtensionPoint as P;

/// What the in-tree plugins implement, and two strangers: `Foo` and `Bar` filter and score.
fn implements(name: &str, point: ExtensionPoint) -> Option<bool> {
    let points: &[ExtensionPoint] = match name {
        "SchedulingGates" => &[P::PreEnqueue],
        "PrioritySort" | "OtherSort" => &[P::QueueSort],
        "NodeUnschedulable" | "NodeName" => &[P::Filter],
        "TaintToleration" | "Foo" | "Bar" => &[P::Filter, P::PreScore, P::Score],
        "NodeAffinity" | "PodTopologySpread" | "InterPodAffinity" => {
            &[P::PreFilter, P::Filter, P::PreScore, P::Score]
        }
        "NodePorts"
        | "VolumeRestrictions"
        | "NodeVolumeLimits"
        | "VolumeZone"
        | "NodeDeclaredFeatures" => &[P::PreFilter, P::Filter],
        "NodeResourcesFit" => &[
            P::PreFilter,
            P::Filter,
            P::PreScore,
            P::Score,
            P::PlacementScore,
        ],
        "VolumeBinding" => &[
            P::PreFilter,
            P::Filter,
            P::PreScore,
            P::Score,
            P::Reserve,
            P::PreBind,
        ],
        "DynamicResources" => &[
            P::PreEnqueue,
            P::PreFilter,
            P::Filter,
            P::PostFilter,
            P::Score,
            P::Reserve,
            P::PreBind,
        ],
        "DefaultPreemption" => &[P::PostFilter, P::PreEnqueue],
        "NodeResourcesBalancedAllocation" => &[P::PreScore, P::Score],
        "ImageLocality" => &[P::Score],
        "DefaultBinder" => &[P::Bind],
        "GangScheduling" => &[P::PreEnqueue, P::Permit],
        "TopologyPlacementGenerator" | "OtherGenerator" => &[P::PlacementGenerate],
        "PodGroupPodsCount" => &[P::PlacementScore],
        _ => return None,
    };
    Some(points.contains(&point))
}

fn profile(change: impl FnOnce(&mut Plugins)) -> Profile {
    let mut custom = Plugins::default();
    change(&mut custom);
    Profile {
        plugins: merge_plugins(&default_plugins(Gates::default()), &custom),
        ..Profile::default()
    }
}

fn set(enabled: &[(&str, i32)], disabled: &[&str]) -> PluginSet {
    PluginSet {
        enabled: enabled
            .iter()
            .map(|(name, weight)| PluginEntry::weighted(*name, *weight))
            .collect(),
        disabled: disabled.iter().map(ToString::to_string).collect(),
    }
}

/// The plugins of one point, with weights where there are some.
fn shown(profile: &Profile, point: ExtensionPoint) -> String {
    let expanded = expand(profile, implements).expect("this profile is fine");
    let text = |name: &String| match point {
        P::Score => alloc::format!("{name} {}", expanded.score_weight(name)),
        P::PlacementScore => alloc::format!("{name} {}", expanded.placement_score_weight(name)),
        _ => name.clone(),
    };
    expanded
        .point(point)
        .iter()
        .map(text)
        .collect::<Vec<_>>()
        .join(", ")
}

#[track_caller]
fn refused(profile: &Profile, expected: &str) {
    let error = expand(profile, implements).expect_err("this is refused");
    assert_eq!(error.to_string(), expected);
}

const DEFAULT_SCORE: &str = "TaintToleration 3, NodeAffinity 2, NodeResourcesFit 1, VolumeBinding 1, \
     PodTopologySpread 2, InterPodAffinity 2, DynamicResources 2, NodeResourcesBalancedAllocation 1, ImageLocality 1";

#[test]
fn the_default_profile_runs_what_upstream_runs() {
    let default = Profile::default();
    for (point, expected) in [
        (
            P::PreEnqueue,
            "SchedulingGates, DynamicResources, DefaultPreemption",
        ),
        (P::QueueSort, "PrioritySort"),
        (
            P::PreFilter,
            "NodeAffinity, NodePorts, NodeResourcesFit, VolumeRestrictions, NodeVolumeLimits, VolumeBinding, \
             VolumeZone, PodTopologySpread, InterPodAffinity, DynamicResources, NodeDeclaredFeatures",
        ),
        (
            P::Filter,
            "NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, \
             VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity, \
             DynamicResources, NodeDeclaredFeatures",
        ),
        (P::PostFilter, "DynamicResources, DefaultPreemption"),
        (
            P::PreScore,
            "TaintToleration, NodeAffinity, NodeResourcesFit, VolumeBinding, PodTopologySpread, InterPodAffinity, \
             NodeResourcesBalancedAllocation",
        ),
        (P::Score, DEFAULT_SCORE),
        (P::Reserve, "VolumeBinding, DynamicResources"),
        (P::PreBind, "VolumeBinding, DynamicResources"),
        (P::Bind, "DefaultBinder"),
        (P::Permit, ""),
        (P::PostBind, ""),
        (P::PlacementGenerate, ""),
        (P::PlacementScore, "NodeResourcesFit 1"),
    ] {
        assert_eq!(shown(&default, point), expected, "{point}");
    }
}

#[test]
fn an_entry_of_the_point_overrides_and_moves_to_the_front() {
    let profile = profile(|p| p.score = set(&[("ImageLocality", 5)], &[]));
    let rest = DEFAULT_SCORE.strip_suffix(", ImageLocality 1").unwrap();
    assert_eq!(
        shown(&profile, P::Score),
        alloc::format!("ImageLocality 5, {rest}")
    );
    assert_eq!(
        shown(&profile, P::PreScore),
        shown(&Profile::default(), P::PreScore)
    );
}

#[test]
fn a_plugin_of_its_own_runs_last() {
    let profile = profile(|p| p.score = set(&[("Foo", 0)], &[]));
    assert_eq!(
        shown(&profile, P::Score),
        alloc::format!("{DEFAULT_SCORE}, Foo 1")
    );
    assert!(!shown(&profile, P::Filter).contains("Foo"));
}

#[test]
fn an_override_keeps_the_order_of_the_point() {
    let profile = profile(|p| {
        p.score = set(
            &[("Foo", 7), ("ImageLocality", 2), ("TaintToleration", 4)],
            &[],
        );
    });
    let score = shown(&profile, P::Score);
    assert!(
        score.starts_with("ImageLocality 2, TaintToleration 4, NodeAffinity 2"),
        "{score}"
    );
    assert!(score.ends_with(", Foo 7"), "{score}");
}

#[test]
fn disabled_and_enabled_at_a_point_moves_to_its_end() {
    let profile = profile(|p| p.score = set(&[("NodeAffinity", 4)], &["NodeAffinity"]));
    let score = shown(&profile, P::Score);
    assert!(
        score.starts_with("TaintToleration 3, NodeResourcesFit 1"),
        "{score}"
    );
    assert!(
        score.ends_with("ImageLocality 1, NodeAffinity 4"),
        "{score}"
    );
}

#[test]
fn a_star_at_a_point_leaves_only_its_own() {
    let none = profile(|p| p.filter = set(&[], &["*"]));
    assert_eq!(shown(&none, P::Filter), "");
    let own = profile(|p| p.filter = set(&[("NodeName", 0), ("Foo", 0)], &["*"]));
    assert_eq!(shown(&own, P::Filter), "NodeName, Foo");
}

#[test]
fn a_star_for_all_points_needs_queue_sort_and_bind() {
    refused(
        &profile(|p| p.multi_point = set(&[("Foo", 0), ("Bar", 0)], &["*"])),
        "only one queue sort plugin required for profile with scheduler name \"default-scheduler\", but got 0",
    );
    refused(
        &profile(|p| p.multi_point = set(&[("PrioritySort", 0)], &["*"])),
        "at least one bind plugin is needed for profile with scheduler name \"default-scheduler\"",
    );
    let both = [
        ("PrioritySort", 0),
        ("DefaultBinder", 0),
        ("Bar", 0),
        ("Foo", 9),
    ];
    let profile = profile(|p| p.multi_point = set(&both, &["*"]));
    assert_eq!(shown(&profile, P::Filter), "Bar, Foo");
    assert_eq!(shown(&profile, P::Score), "Bar 1, Foo 9");
}

#[test]
fn disabled_and_enabled_for_all_points_runs_last() {
    let profile = profile(|p| p.multi_point = set(&[("NodeName", 0)], &["NodeName"]));
    let filter = shown(&profile, P::Filter);
    assert!(
        filter.ends_with("NodeDeclaredFeatures, NodeName"),
        "{filter}"
    );
}

#[test]
fn disabled_for_all_points_and_enabled_at_one_runs_there_only() {
    let profile = profile(|p| {
        p.multi_point = set(&[], &["TaintToleration"]);
        p.filter = set(&[("TaintToleration", 0)], &[]);
    });
    assert!(shown(&profile, P::Filter).ends_with(", TaintToleration"));
    assert!(!shown(&profile, P::Score).contains("TaintToleration"));
}

#[test]
fn a_default_weight_is_lost_when_it_is_listed_again_without_one() {
    let profile = profile(|p| p.multi_point = set(&[("TaintToleration", 0)], &[]));
    assert!(shown(&profile, P::Score).starts_with("TaintToleration 1, NodeAffinity 2"));
}

#[test]
fn an_unwritten_weight_at_the_point_hides_the_shared_one() {
    let profile = profile(|p| p.score = set(&[("TaintToleration", 0)], &[]));
    assert!(shown(&profile, P::Score).starts_with("TaintToleration 1, "));
}

#[test]
fn unknown_names_are_refused() {
    refused(
        &profile(|p| p.score = set(&[("NodeResourcesLeastAllocated", 0)], &[])),
        "ScorePlugin \"NodeResourcesLeastAllocated\" does not exist",
    );
    refused(
        &profile(|p| p.multi_point = set(&[("Nobody", 0)], &[])),
        "PreFilterPlugin \"Nobody\" does not exist",
    );
}

#[test]
fn a_plugin_must_implement_the_point_that_lists_it() {
    refused(
        &profile(|p| p.filter = set(&[("ImageLocality", 0)], &[])),
        "plugin \"ImageLocality\" does not extend FilterPlugin plugin",
    );
}

#[test]
fn a_plugin_is_listed_once() {
    refused(
        &profile(|p| p.filter = set(&[("Foo", 0), ("Foo", 0)], &[])),
        "plugin \"Foo\" already registered as \"FilterPlugin\"",
    );
    refused(
        &profile(|p| p.multi_point = set(&[("Foo", 0), ("Foo", 0)], &[])),
        "plugin \"Foo\" already registered as \"FilterPlugin\"",
    );
}

#[test]
fn one_queue_order_and_one_generator() {
    refused(
        &profile(|p| p.queue_sort = set(&[("OtherSort", 0)], &[])),
        "only one queue sort plugin required for profile with scheduler name \"default-scheduler\", but got 2",
    );
    let generators = [("TopologyPlacementGenerator", 0), ("OtherGenerator", 0)];
    refused(
        &profile(|p| p.placement_generate = set(&generators, &[])),
        "at most one placement generate plugin is allowed for profile with scheduler name \"default-scheduler\"",
    );
}

#[test]
fn a_negative_weight_is_refused() {
    refused(
        &profile(|p| p.score = set(&[("ImageLocality", -1)], &[])),
        "score plugin \"ImageLocality\" has weight -1; expected a positive number",
    );
}
