use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{
    AlgorithmSource, LegacyFlags, LegacyGates, Policy, PolicySource, Provider, apply_policy,
    apply_provider, policy_text,
};
use crate::api::ConfigMap;
use crate::config::{
    Configuration, DefaultingType, ExtensionPoint, Header, LegacyArgs, Note, PluginArgs,
    PluginEntry, Plugins, Profile, ReadOptions, expand, read_value,
};
use crate::time::Span;

use ExtensionPoint as P;

/// A Policy with these fields.
fn policy(fields: Value) -> Policy {
    let mut document = json!({"kind": "Policy", "apiVersion": "v1"});
    let map = document.as_object_mut().unwrap();
    map.extend(fields.as_object().unwrap().clone());
    Policy::read_value(&document).expect("this policy is understood")
}

fn applied_with(fields: Value, gates: LegacyGates) -> (Configuration, Vec<Note>) {
    let mut configuration = Configuration::default();
    let notes = apply_policy(&mut configuration, &policy(fields), gates);
    let notes = notes.expect("this policy is fine");
    let everything = |_: &str, _| Some(true);
    expand(&configuration.profiles[0], everything).expect("the profile can be built");
    (configuration, notes)
}

fn applied(fields: Value) -> Profile {
    let (mut configuration, _) = applied_with(fields, LegacyGates::default());
    configuration.profiles.remove(0)
}

fn shown(plugins: &Plugins, point: ExtensionPoint) -> String {
    let text = |entry: &PluginEntry| match entry.weight {
        0 => entry.name.clone(),
        weight => alloc::format!("{} {weight}", entry.name),
    };
    let entries = plugins.point(point).enabled.iter();
    entries.map(text).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn refused(fields: Value, expected: &str) {
    let mut configuration = Configuration::default();
    let before = configuration.clone();
    let error = apply_policy(&mut configuration, &policy(fields), LegacyGates::default());
    let text = error.expect_err("this is refused").to_string();
    assert_eq!(
        text,
        alloc::format!("couldn't create scheduler from policy: {expected}")
    );
    assert_eq!(configuration, before);
}

fn legacy_args<'p>(profile: &'p Profile, plugin: &str) -> &'p LegacyArgs {
    match profile.args(plugin) {
        Some(PluginArgs::Legacy(args)) => args,
        other => panic!("{plugin} has {other:?}"),
    }
}

/// The Filter plugins that predicates of these names come down to, without the mandatory ones.
fn filters(names: &[&str]) -> String {
    let list: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    let profile = applied(json!({"predicates": list, "priorities": []}));
    let filters = shown(&profile.plugins, P::Filter);
    let mandatory = ["NodeUnschedulable", "TaintToleration"];
    let rest = filters.split(", ").filter(|name| !mandatory.contains(name));
    rest.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_default_provider_is_that_of_1_21() {
    let mut configuration = Configuration::default();
    apply_provider(
        &mut configuration,
        Provider::Default,
        LegacyGates::default(),
        &[],
    );
    let plugins = &configuration.profiles[0].plugins;
    for (point, expected) in [
        (P::QueueSort, "PrioritySort"),
        (P::PreEnqueue, "DefaultPreemption, SchedulingGates"),
        (
            P::PreFilter,
            "NodeResourcesFit, NodePorts, PodTopologySpread, InterPodAffinity, VolumeBinding, NodeAffinity, \
             VolumeRestrictions, NodeVolumeLimits, VolumeZone",
        ),
        (
            P::Filter,
            "NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, \
             VolumeRestrictions, NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity",
        ),
        (P::PostFilter, "DefaultPreemption"),
        (
            P::PreScore,
            "InterPodAffinity, PodTopologySpread, TaintToleration, NodeAffinity, NodeResourcesBalancedAllocation",
        ),
        (
            P::Score,
            "NodeResourcesBalancedAllocation 1, ImageLocality 1, InterPodAffinity 1, NodeResourcesLeastAllocated 1, \
             NodeAffinity 1, NodePreferAvoidPods 10000, PodTopologySpread 2, TaintToleration 1",
        ),
        (P::Reserve, "VolumeBinding"),
        (P::PreBind, "VolumeBinding"),
        (P::Bind, "DefaultBinder"),
    ] {
        assert_eq!(shown(plugins, point), expected, "{point}");
    }
}

#[test]
fn the_other_provider_fills_nodes() {
    let plugins = Provider::ClusterAutoscaler.plugins(LegacyGates::default());
    let score = shown(&plugins, P::Score);
    assert!(
        score.contains("InterPodAffinity 1, NodeResourcesMostAllocated 1, NodeAffinity 1"),
        "{score}"
    );
    assert_eq!(
        Provider::by_name("ClusterAutoscalerProvider"),
        Some(Provider::ClusterAutoscaler)
    );
    assert_eq!(Provider::by_name("Other"), None);
}

#[test]
fn old_gates_change_providers() {
    let mut gates = LegacyGates::default();
    assert!(gates.set("VolumeCapacityPriority", true));
    assert!(gates.set("DefaultPodTopologySpread", false));
    assert!(!gates.set("Other", true));
    let plugins = Provider::Default.plugins(gates);
    assert!(shown(&plugins, P::Score).ends_with("VolumeBinding 1, SelectorSpread 1"));
    assert!(shown(&plugins, P::PreScore).ends_with("SelectorSpread"));
}

#[test]
fn a_profile_is_laid_over_its_provider() {
    let mut configuration = Configuration::default();
    let mut written = Plugins::default();
    written.score.disabled.push("ImageLocality".to_string());
    apply_provider(
        &mut configuration,
        Provider::Default,
        LegacyGates::default(),
        &[written],
    );
    assert!(!shown(&configuration.profiles[0].plugins, P::Score).contains("ImageLocality"));
}

#[test]
fn nothing_written_is_the_default_policy() {
    let profile = applied(json!({}));
    assert_eq!(
        shown(&profile.plugins, P::Filter),
        "NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts, NodeAffinity, VolumeRestrictions, TaintToleration, \
         NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity"
    );
    assert_eq!(
        shown(&profile.plugins, P::Score),
        "NodeResourcesBalancedAllocation 1, PodTopologySpread 2, ImageLocality 1, InterPodAffinity 1, \
         NodeResourcesLeastAllocated 1, NodeAffinity 1, NodePreferAvoidPods 10000, TaintToleration 1"
    );
    assert_eq!(
        shown(&profile.plugins, P::PreScore),
        "PodTopologySpread, InterPodAffinity, NodeAffinity, TaintToleration, NodeResourcesBalancedAllocation"
    );
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!("typed arguments")
    };
    assert_eq!(args.defaulting_type, DefaultingType::System);
}

#[test]
fn empty_lists_leave_what_is_mandatory() {
    let profile = applied(json!({"predicates": [], "priorities": []}));
    assert_eq!(
        shown(&profile.plugins, P::Filter),
        "NodeUnschedulable, TaintToleration"
    );
    assert_eq!(shown(&profile.plugins, P::Score), "");
    assert_eq!(shown(&profile.plugins, P::QueueSort), "PrioritySort");
    assert_eq!(shown(&profile.plugins, P::PostFilter), "DefaultPreemption");
    assert_eq!(shown(&profile.plugins, P::Bind), "DefaultBinder");
}

#[test]
fn every_predicate_has_its_plugins() {
    for (predicate, expected) in [
        ("CheckNodeUnschedulable", ""),
        (
            "GeneralPredicates",
            "NodeResourcesFit, NodeName, NodePorts, NodeAffinity",
        ),
        ("HostName", "NodeName"),
        ("PodFitsHostPorts", "NodePorts"),
        ("PodFitsPorts", "NodePorts"),
        ("MatchNodeSelector", "NodeAffinity"),
        ("PodFitsResources", "NodeResourcesFit"),
        ("NoDiskConflict", "VolumeRestrictions"),
        ("PodToleratesNodeTaints", ""),
        ("CheckNodeLabelPresence", "NodeLabel"),
        ("CheckServiceAffinity", "ServiceAffinity"),
        ("MaxEBSVolumeCount", "NodeVolumeLimits"),
        ("MaxGCEPDVolumeCount", "NodeVolumeLimits"),
        ("MaxCSIVolumeCountPred", "NodeVolumeLimits"),
        ("MaxAzureDiskVolumeCount", "NodeVolumeLimits"),
        ("MaxCinderVolumeCount", "NodeVolumeLimits"),
        ("CheckVolumeBinding", "VolumeBinding"),
        ("NoVolumeZoneConflict", "VolumeZone"),
        ("EvenPodsSpread", "PodTopologySpread"),
        ("MatchInterPodAffinity", "InterPodAffinity"),
    ] {
        assert_eq!(filters(&[predicate]), expected, "{predicate}");
    }
}

#[test]
fn the_order_is_that_of_the_table() {
    let written = ["MatchInterPodAffinity", "HostName", "GeneralPredicates"];
    assert_eq!(
        filters(&written),
        "NodeResourcesFit, NodeName, NodePorts, NodeAffinity, InterPodAffinity"
    );
}

#[test]
fn plugins_that_gained_pre_filter_have_it() {
    let list = json!([{"name": "NoVolumeZoneConflict"}, {"name": "NoDiskConflict"}, {"name": "MaxCSIVolumeCountPred"}]);
    let profile = applied(json!({"predicates": list, "priorities": []}));
    assert_eq!(
        shown(&profile.plugins, P::PreFilter),
        "VolumeRestrictions, NodeVolumeLimits, VolumeZone"
    );
}

#[test]
fn volume_binding_reserves_and_prepares() {
    let profile = applied(json!({"predicates": [{"name": "CheckVolumeBinding"}]}));
    assert_eq!(shown(&profile.plugins, P::Reserve), "VolumeBinding");
    assert_eq!(shown(&profile.plugins, P::PreBind), "VolumeBinding");
}

#[test]
fn every_priority_has_its_plugin() {
    for (priority, score, pre_score) in [
        (
            "SelectorSpreadPriority",
            "PodTopologySpread 3",
            "PodTopologySpread",
        ),
        (
            "ServiceSpreadingPriority",
            "PodTopologySpread 3",
            "PodTopologySpread",
        ),
        (
            "InterPodAffinityPriority",
            "InterPodAffinity 3",
            "InterPodAffinity",
        ),
        (
            "LeastRequestedPriority",
            "NodeResourcesLeastAllocated 3",
            "",
        ),
        ("MostRequestedPriority", "NodeResourcesMostAllocated 3", ""),
        (
            "BalancedResourceAllocation",
            "NodeResourcesBalancedAllocation 3",
            "NodeResourcesBalancedAllocation",
        ),
        ("NodePreferAvoidPodsPriority", "NodePreferAvoidPods 3", ""),
        ("NodeAffinityPriority", "NodeAffinity 3", "NodeAffinity"),
        (
            "TaintTolerationPriority",
            "TaintToleration 3",
            "TaintToleration",
        ),
        ("ImageLocalityPriority", "ImageLocality 3", ""),
        (
            "EvenPodsSpreadPriority",
            "PodTopologySpread 3",
            "PodTopologySpread",
        ),
        ("EqualPriority", "", ""),
    ] {
        let profile = applied(json!({"priorities": [{"name": priority, "weight": 3}]}));
        assert_eq!(shown(&profile.plugins, P::Score), score, "{priority}");
        assert_eq!(
            shown(&profile.plugins, P::PreScore),
            pre_score,
            "{priority}"
        );
    }
}

#[test]
fn without_the_old_gate_selector_spread_is_itself() {
    let mut gates = LegacyGates::default();
    gates.set("DefaultPodTopologySpread", false);
    let priorities = json!([{"name": "SelectorSpreadPriority", "weight": 2}, {"name": "EvenPodsSpreadPriority", "weight": 1}]);
    let (configuration, _) = applied_with(json!({"priorities": priorities}), gates);
    let profile = &configuration.profiles[0];
    assert_eq!(
        shown(&profile.plugins, P::Score),
        "PodTopologySpread 1, SelectorSpread 2"
    );
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!("typed arguments")
    };
    assert_eq!(args.defaulting_type, DefaultingType::List);
}

#[test]
fn of_two_spreading_priorities_the_first_ones_weight_stays() {
    let priorities = json!([{"name": "SelectorSpreadPriority", "weight": 9}, {"name": "EvenPodsSpreadPriority", "weight": 4}]);
    let profile = applied(json!({"priorities": priorities}));
    assert_eq!(shown(&profile.plugins, P::Score), "PodTopologySpread 4");
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!("typed arguments")
    };
    assert_eq!(args.defaulting_type, DefaultingType::System);
}

#[test]
fn even_spreading_alone_has_no_default_constraints() {
    let profile = applied(json!({"priorities": [{"name": "EvenPodsSpreadPriority", "weight": 1}]}));
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!("typed arguments")
    };
    assert_eq!(args.defaulting_type, DefaultingType::List);
    assert!(args.default_constraints.is_empty());
}

#[test]
fn custom_predicates_accumulate() {
    let profile = applied(json!({"predicates": [
        {"name": "a", "argument": {"labelsPresence": {"labels": ["x"], "presence": true}}},
        {"name": "b", "argument": {"labelsPresence": {"labels": ["y"], "presence": false}}},
        {"name": "c", "argument": {"labelsPresence": {"labels": ["z"], "presence": true}}},
        {"name": "d", "argument": {"serviceAffinity": {"labels": ["r"]}}},
        {"name": "e", "argument": {"serviceAffinity": {"labels": ["s"]}}},
    ], "priorities": []}));
    let LegacyArgs::NodeLabel(labels) = legacy_args(&profile, "NodeLabel") else {
        panic!()
    };
    assert_eq!(labels.present_labels, ["x", "z"]);
    assert_eq!(labels.absent_labels, ["y"]);
    let LegacyArgs::ServiceAffinity(service) = legacy_args(&profile, "ServiceAffinity") else {
        panic!()
    };
    assert_eq!(service.affinity_labels, ["r", "s"]);
    assert_eq!(shown(&profile.plugins, P::PreFilter), "ServiceAffinity");
}

#[test]
fn custom_priorities_accumulate_and_weigh_by_their_number() {
    let profile = applied(json!({"priorities": [
        {"name": "a", "weight": 2, "argument": {"labelPreference": {"label": "x", "presence": true}}},
        {"name": "b", "weight": 2, "argument": {"labelPreference": {"label": "y", "presence": false}}},
        {"name": "c", "weight": 3, "argument": {"serviceAntiAffinity": {"label": "zone"}}},
        {"name": "d", "weight": 5, "argument": {"requestedToCapacityRatioArguments": {
            "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}],
            "resources": [{"name": "nvidia.com/gpu"}]}}},
    ]}));
    assert_eq!(
        shown(&profile.plugins, P::Score),
        "NodeLabel 4, RequestedToCapacityRatio 5, ServiceAffinity 3"
    );
    let LegacyArgs::RequestedToCapacityRatio(ratio) =
        legacy_args(&profile, "RequestedToCapacityRatio")
    else {
        panic!()
    };
    assert_eq!(ratio.shape.len(), 2);
    assert_eq!(ratio.resources[0].weight, 1);
}

#[test]
fn a_built_in_names_argument_is_ignored_and_said_to_be() {
    let argument = json!({"labelsPresence": {"labels": ["x"], "presence": true}});
    let predicates = json!([{"name": "CheckNodeLabelPresence", "argument": argument}]);
    let (configuration, notes) =
        applied_with(json!({"predicates": predicates}), LegacyGates::default());
    let LegacyArgs::NodeLabel(labels) = legacy_args(&configuration.profiles[0], "NodeLabel") else {
        panic!()
    };
    assert!(labels.present_labels.is_empty());
    assert_eq!(
        notes[0].to_string(),
        "predicates[0].argument: CheckNodeLabelPresence is a built-in name, so its argument is ignored"
    );
}

#[test]
fn the_affinity_weight_goes_with_its_priority() {
    let with = applied(json!({"hardPodAffinitySymmetricWeight": 9}));
    let Some(PluginArgs::InterPodAffinity(args)) = with.args("InterPodAffinity") else {
        panic!()
    };
    assert_eq!(args.hard_pod_affinity_weight, 9);
    let without = applied(json!({"hardPodAffinitySymmetricWeight": 9, "priorities": []}));
    let Some(PluginArgs::InterPodAffinity(args)) = without.args("InterPodAffinity") else {
        panic!()
    };
    assert_eq!(args.hard_pod_affinity_weight, 1);
}

#[test]
fn always_checking_is_a_flag_of_the_profile() {
    assert!(applied(json!({"alwaysCheckAllPredicates": true})).always_check_all_predicates);
    assert!(!applied(json!({})).always_check_all_predicates);
}

#[test]
fn extenders_are_read_in_any_case() {
    let extenders = json!([{"urlprefix": "http://x/", "FilterVerb": "f", "httpTimeout": 2_000_000_000_i64,
        "enableHttps": true, "whatever": 1, "managedResources": [{"Name": "example.com/a", "ignoredByScheduler": true}]}]);
    let (mut configuration, _) =
        applied_with(json!({"extenders": extenders}), LegacyGates::default());
    let extender = &configuration.extenders[0];
    assert_eq!(extender.url_prefix, "http://x");
    assert_eq!(extender.filter_verb, "f");
    assert_eq!(extender.http_timeout, Span::from_secs(2));
    assert!(extender.enable_https);
    configuration.apply_managed_resources().unwrap();
    let Some(PluginArgs::NodeResourcesFit(fit)) =
        configuration.profiles[0].args("NodeResourcesFit")
    else {
        panic!()
    };
    assert_eq!(fit.ignored_resources, ["example.com/a"]);
}

#[test]
fn every_mistake_is_reported_at_once() {
    let ratio =
        json!({"requestedToCapacityRatioArguments": {"shape": [{"utilization": 0, "score": 0}]}});
    refused(
        json!({
            "hardPodAffinitySymmetricWeight": 101,
            "predicates": [
                {"name": "CheckNodeCondition"},
                {"name": "p0", "argument": {}},
                {"name": "p2", "argument": {"serviceAffinity": {"labels": []},
                    "labelsPresence": {"labels": [], "presence": true}}},
                {"name": "on", "argument": {"labelsPresence": {"labels": ["x"], "presence": true}}},
                {"name": "off", "argument": {"labelsPresence": {"labels": ["x"], "presence": false}}}],
            "priorities": [
                {"name": "EqualPriority", "weight": 0},
                {"name": "Huge", "weight": 922_337_203_685_477_580_i64},
                {"name": "none", "weight": 1, "argument": {}},
                {"name": "two", "weight": 1, "argument": {"serviceAntiAffinity": {"label": "l"},
                    "labelPreference": {"label": "l", "presence": true}}},
                {"name": "A", "weight": 1, "argument": ratio},
                {"name": "B", "weight": 1, "argument": ratio},
                {"name": "C", "weight": 1, "argument": {"serviceAntiAffinity": {"label": "l"}}},
                {"name": "D", "weight": 2, "argument": {"serviceAntiAffinity": {"label": "l"}}},
                {"name": "E", "weight": 3, "argument": {"labelPreference": {"label": "l", "presence": true}}}],
            "extenders": [{"urlPrefix": "x", "prioritizeVerb": "p"}],
        }),
        "[priority EqualPriority should have a positive weight applied to it or it has overflown, \
         priority Huge should have a positive weight applied to it or it has overflown, \
         no priority arguments set for priority none, \
         priority \"B\" redeclares custom priority \"RequestedToCapacityRatio\", from: \"A\", \
         ServiceAntiAffinity  priority \"D\" has a different weight with \"C\", \
         LabelPreference  priority \"E\" has a different weight with \"two\", \
         extenders[0].weight: Invalid value: 0: must have a positive weight applied to it, \
         hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range [0-100], \
         predicate type not found for \"CheckNodeCondition\", \
         exactly 1 predicate argument is required, numArgs: 0, predicate: p0, \
         exactly 1 predicate argument is required, numArgs: 2, predicate: p2, \
         priority type not found for \"Huge\", \
         exactly 1 priority argument is required, numArgs: 2, priority: two, \
         detecting at least one label (e.g., \"x\") that exist in both the present([x]) and absent([x]) label list]",
    );
}

#[test]
fn long_removed_predicates_are_unknown() {
    for name in [
        "CheckNodeCondition",
        "CheckNodeMemoryPressure",
        "CheckNodeDiskPressure",
        "CheckNodePIDPressure",
    ] {
        refused(
            json!({"predicates": [{"name": name}]}),
            &alloc::format!("predicate type not found for \"{name}\""),
        );
    }
}

#[test]
fn a_plugins_name_as_priority_needs_its_argument() {
    for name in ["NodeLabel", "ServiceAffinity", "RequestedToCapacityRatio"] {
        refused(
            json!({"priorities": [{"name": name, "weight": 1}]}),
            &alloc::format!("no priority arguments set for priority {name}"),
        );
    }
}

#[test]
fn a_weight_that_overflows_is_refused() {
    refused(
        json!({"priorities": [{"name": "ImageLocalityPriority", "weight": 3_000_000_000_i64}]}),
        "priority ImageLocalityPriority should have a positive weight applied to it or it has overflown",
    );
}

#[test]
fn a_curve_has_its_ranges() {
    refused(
        json!({"priorities": [{"name": "r", "weight": 1, "argument": {
            "requestedToCapacityRatioArguments": {"shape": [{"utilization": 101, "score": 11}]}}}]}),
        "[priorities[0].argument.requestedToCapacityRatioArguments.shape[0].utilization: Invalid value: 101: not in valid range [0, 100], \
         priorities[0].argument.requestedToCapacityRatioArguments.shape[0].score: Invalid value: 11: not in valid range [0, 10]]",
    );
}

#[test]
fn a_policy_is_read_strictly() {
    let error = Policy::read_value(
        &json!({"kind": "Policy", "apiVersion": "v1", "predicate": [],
        "priorities": [{"name": "x", "weight": "1"}]}),
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "[priorities[0].weight: \"1\" was found; expected a whole number, \
         predicate: unknown field \"predicate\"; did you mean \"predicates\"?]"
    );
    let error = Policy::read_value(&json!({"kind": "Pod", "apiVersion": "v1"}));
    assert_eq!(
        error.unwrap_err().to_string(),
        "no kind \"Pod\" is registered for version \"v1\"; expected Policy of v1"
    );
    let other = json!({"kind": "Policy", "apiVersion": "kubescheduler.config.k8s.io/v1"});
    assert_eq!(Policy::read_value(&other), Ok(Policy::default()));
}

#[test]
fn flags_choose_a_source() {
    let flags = |change: &dyn Fn(&mut LegacyFlags)| {
        let mut flags = LegacyFlags::default();
        change(&mut flags);
        flags.source()
    };
    let file = || {
        let path = "f".to_string();
        Ok(AlgorithmSource::Policy(PolicySource::File { path }))
    };
    let map = || {
        Ok(AlgorithmSource::Policy(PolicySource::ConfigMap {
            namespace: "kube-system".to_string(),
            name: "m".to_string(),
        }))
    };
    assert_eq!(
        flags(&|_| ()),
        Ok(AlgorithmSource::Provider(Provider::Default))
    );
    assert_eq!(flags(&|f| f.policy_config_file = "f".into()), file());
    assert_eq!(flags(&|f| f.policy_configmap = "m".into()), map());
    let both = |f: &mut LegacyFlags| {
        f.policy_config_file = "f".into();
        f.policy_configmap = "m".into();
    };
    assert_eq!(flags(&both), map());
    let prefer = |f: &mut LegacyFlags| {
        both(f);
        f.use_legacy_policy_config = true;
    };
    assert_eq!(flags(&prefer), file());
    let error = flags(&|f| f.use_legacy_policy_config = true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "policyConfigFile: Required value: required when --use-legacy-policy-config is true"
    );
    let error = flags(&|f| f.algorithm_provider = "P".into()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "couldn't create scheduler using provider \"P\": algorithm provider \"P\" is not registered; \
         expected DefaultProvider or ClusterAutoscalerProvider"
    );
}

#[test]
fn a_config_map_holds_a_policy_under_its_key() {
    let mut map = ConfigMap::default();
    assert_eq!(
        policy_text(&map).unwrap_err().to_string(),
        "missing policy config map value at key \"policy.cfg\""
    );
    map.data.insert("policy.cfg".into(), "{}".into());
    assert_eq!(policy_text(&map), Ok("{}"));
}

#[test]
fn a_policy_does_not_go_with_plugins_of_a_profile() {
    let read = |profiles: Value| {
        let options = ReadOptions {
            header: Header::Optional,
            ..ReadOptions::default()
        };
        read_value(&json!({ "profiles": profiles }), options).expect("this is fine")
    };
    let gates = LegacyGates::default();
    let mut chooses = read(json!([{"pluginConfig": [{"name": "InterPodAffinity"}]}]));
    assert_eq!(
        chooses
            .apply_policy(&Policy::default(), gates)
            .unwrap_err()
            .to_string(),
        "cannot set a Plugin config and Policy config"
    );
    let mut leaves = read(json!([{"schedulerName": "a", "percentageOfNodesToScore": 7}]));
    leaves.apply_policy(&Policy::default(), gates).unwrap();
    let profile = &leaves.configuration.profiles[0];
    assert_eq!(profile.percentage_of_nodes_to_score, Some(7));
    assert!(profile.plugins.score.entry("NodePreferAvoidPods").is_some());

    let mut over = read(json!([{"plugins": {"score": {"disabled": [{"name": "ImageLocality"}]}}}]));
    over.apply_provider(Provider::ClusterAutoscaler, gates);
    let score = shown(&over.configuration.profiles[0].plugins, P::Score);
    assert!(
        score.contains("NodeResourcesMostAllocated") && !score.contains("ImageLocality"),
        "{score}"
    );
}
