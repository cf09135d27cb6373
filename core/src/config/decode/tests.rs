use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{Header, OlderVersions, ReadConfiguration, ReadOptions, read_value};
use crate::config::{
    Configuration, DefaultingType, ExtensionPoint, Gate, Gates, LegacyArgs, PluginArgs, Profile,
    ScoringStrategyType, expand, legacy,
};
use crate::time::Span;

/// A document of the given version with these fields.
fn document(version: &str, fields: Value) -> Value {
    let mut document = json!({
        "apiVersion": alloc::format!("kubescheduler.config.k8s.io/{version}"),
        "kind": "KubeSchedulerConfiguration",
    });
    let map = document.as_object_mut().unwrap();
    map.extend(fields.as_object().unwrap().clone());
    document
}

fn read(fields: Value) -> Configuration {
    let read = read_value(&document("v1", fields), ReadOptions::default());
    read.expect("this configuration is fine").configuration
}

fn read_older(version: &str, fields: Value) -> ReadConfiguration {
    let read = read_value(&document(version, fields), ReadOptions::default());
    read.expect("this configuration is fine")
}

fn notes(read: &ReadConfiguration) -> Vec<String> {
    read.notes.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn refused(fields: Value, expected: &str) {
    refused_document(&document("v1", fields), ReadOptions::default(), expected);
}

#[track_caller]
fn refused_document(document: &Value, options: ReadOptions, expected: &str) {
    let error = read_value(document, options).expect_err("this is refused");
    assert_eq!(error.to_string(), expected);
}

fn names(profile: &Profile, point: ExtensionPoint) -> String {
    let entries = profile.plugins.point(point).enabled.iter();
    let texts = entries.map(|entry| match entry.weight {
        0 => entry.name.clone(),
        weight => alloc::format!("{} {weight}", entry.name),
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[test]
fn nothing_written_is_the_default() {
    assert_eq!(read(json!({})), Configuration::default());
    assert_eq!(read(json!({"profiles": []})), Configuration::default());
    assert_eq!(read(json!({"profiles": [{}]})), Configuration::default());
    assert_eq!(read(json!({"profiles": null})), Configuration::default());
}

#[test]
fn the_header_is_needed_in_a_file() {
    let options = ReadOptions::default();
    refused_document(
        &json!({"apiVersion": "kubescheduler.config.k8s.io/v1"}),
        options,
        "Object 'Kind' is missing in '{\"apiVersion\":\"kubescheduler.config.k8s.io/v1\"}'; \
         expected KubeSchedulerConfiguration",
    );
    refused_document(
        &json!({"kind": "KubeSchedulerConfiguration", "parallelism": 1, "podMaxBackoffSeconds": 100}),
        options,
        "Object 'apiVersion' is missing in '{\"kind\":\"KubeSchedulerConfiguration\",\"parallelism\":1,\"podMax…'; \
         expected kubescheduler.config.k8s.io/v1",
    );
    let inside = ReadOptions {
        header: Header::Optional,
        ..options
    };
    let read = read_value(&json!({"parallelism": 3}), inside).unwrap();
    assert_eq!(read.configuration.parallelism, 3);
}

#[test]
fn other_kinds_and_versions_are_refused() {
    let options = ReadOptions::default();
    refused_document(
        &json!({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "NodeAffinityArgs"}),
        options,
        "kind: couldn't decode as KubeSchedulerConfiguration, got kubescheduler.config.k8s.io/v1, \
         Kind=NodeAffinityArgs",
    );
    for version in ["kubescheduler.config.k8s.io/unknown", "v1"] {
        refused_document(
            &json!({"apiVersion": version, "kind": "KubeSchedulerConfiguration"}),
            options,
            &alloc::format!(
                "apiVersion: no kind \"KubeSchedulerConfiguration\" is registered for version \"{version}\"; \
                 expected KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1"
            ),
        );
    }
    let strict = ReadOptions {
        older: OlderVersions::Refuse,
        ..options
    };
    refused_document(
        &document("v1beta3", json!({})),
        strict,
        "apiVersion: no kind \"KubeSchedulerConfiguration\" is registered for version \
         \"kubescheduler.config.k8s.io/v1beta3\"; expected KubeSchedulerConfiguration of \
         kubescheduler.config.k8s.io/v1",
    );
}

#[test]
fn every_field_arrives() {
    let read = read(json!({
        "parallelism": 4,
        "percentageOfNodesToScore": 50,
        "podInitialBackoffSeconds": 2,
        "podMaxBackoffSeconds": 20,
        "enableProfiling": false,
        "delayCacheUntilActive": true,
        "leaderElection": {"leaderElect": false, "leaseDuration": "1m", "renewDeadline": "0s",
            "retryPeriod": "500ms", "resourceName": "mine", "resourceNamespace": "ns", "resourceLock": ""},
        "clientConnection": {"kubeconfig": "/k", "qps": 12.5, "burst": 0, "contentType": "application/json",
            "acceptContentTypes": "a"},
        "extenders": [{"urlPrefix": "http://x/y//", "filterVerb": "f", "prioritizeVerb": "p", "weight": 2,
            "bindVerb": "b", "preemptVerb": "e", "enableHTTPS": true, "httpTimeout": "0s", "nodeCacheCapable": true,
            "ignorable": true, "managedResources": [{"name": "example.com/foo", "ignoredByScheduler": true}],
            "tlsConfig": {"insecure": true, "serverName": "s", "certData": "aGk="}}],
        "profiles": [{"schedulerName": "a", "percentageOfNodesToScore": 0}, {"schedulerName": "b"}],
    }));
    assert_eq!(read.parallelism, 4);
    assert_eq!(read.percentage_of_nodes_to_score, 50);
    assert_eq!(read.pod_initial_backoff_seconds, 2);
    assert_eq!(read.pod_max_backoff_seconds, 20);
    assert!(!read.enable_profiling && !read.enable_contention_profiling);
    assert!(read.delay_cache_until_active);
    let election = &read.leader_election;
    assert!(!election.leader_elect);
    assert_eq!(election.lease_duration, Span::MINUTE);
    assert_eq!(election.renew_deadline, Span::from_secs(10));
    assert_eq!(election.retry_period, Span::from_millis(500));
    assert_eq!(election.resource_lock, "leases");
    assert_eq!(read.client_connection.qps_milli, 12_500);
    assert_eq!(read.client_connection.burst, 100);
    assert_eq!(read.client_connection.content_type, "application/json");
    let extender = &read.extenders[0];
    assert_eq!(extender.url_prefix, "http://x/y");
    assert_eq!(extender.http_timeout, Span::from_secs(5));
    assert!(extender.enable_https && extender.ignorable && extender.node_cache_capable);
    assert_eq!(extender.tls_config.as_ref().unwrap().cert_data, b"hi");
    assert!(extender.managed_resources[0].ignored_by_scheduler);
    assert_eq!(read.profiles[0].percentage_of_nodes_to_score, Some(0));
    assert_eq!(read.profiles[1].percentage_of_nodes_to_score, None);
}

#[test]
fn unknown_fields_are_all_named() {
    refused(
        json!({"percentageOfNodeToScore": 50, "profiles": [{"pluginConfig": [
            {"name": "NodeResourcesFit", "args": {"ignored": []}}]}]}),
        "[profiles[0].pluginConfig[0].args.ignored: unknown field \"ignored\"; expected one of apiVersion, kind, \
         ignoredResources, ignoredResourceGroups, scoringStrategy, \
         percentageOfNodeToScore: unknown field \"percentageOfNodeToScore\"; did you mean \
         \"percentageOfNodesToScore\"?]",
    );
    refused(
        json!({"profiles": [{"Name": "x"}]}),
        "profiles[0].Name: unknown field \"Name\"; expected one of schedulerName, percentageOfNodesToScore, plugins, \
         pluginConfig",
    );
}

#[test]
fn a_number_is_not_a_duration() {
    refused(
        json!({"leaderElection": {"leaseDuration": 15}}),
        "leaderElection.leaseDuration: 15 was found; expected a duration such as 15s or 1h30m",
    );
}

#[test]
fn args_of_another_plugin_are_refused() {
    refused(
        json!({"profiles": [{"pluginConfig": [
            {"name": "DefaultPreemption", "args": {"kind": "InterPodAffinityArgs"}}]}]}),
        "profiles[0].pluginConfig[0].args: args for plugin DefaultPreemption were not of type \
         DefaultPreemptionArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io",
    );
    refused(
        json!({"profiles": [{"pluginConfig": [
            {"name": "DefaultPreemption", "args": {"apiVersion": "kubescheduler.config.k8s.io/v1beta2"}}]}]}),
        "profiles[0].pluginConfig[0].args: no kind \"DefaultPreemptionArgs\" is registered for version \
         \"kubescheduler.config.k8s.io/v1beta2\"; expected \"kubescheduler.config.k8s.io/v1\"",
    );
}

#[test]
fn args_are_completed() {
    let read = read(json!({"profiles": [{"pluginConfig": [
        {"name": "NodeResourcesFit", "args": {
            "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "NodeResourcesFitArgs",
            "scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu"}]}}},
        {"name": "DefaultPreemption", "args": {"minCandidateNodesAbsolute": 5}},
        {"name": "InterPodAffinity"},
        {"name": "Stranger", "args": {"kind": "Anything", "x": [1]}},
    ]}]}));
    let profile = &read.profiles[0];
    let Some(PluginArgs::NodeResourcesFit(fit)) = profile.args("NodeResourcesFit") else {
        panic!("typed arguments")
    };
    assert_eq!(
        fit.scoring_strategy.kind,
        ScoringStrategyType::MostAllocated
    );
    assert_eq!(fit.scoring_strategy.resources[0].weight, 1);
    let Some(PluginArgs::DefaultPreemption(preemption)) = profile.args("DefaultPreemption") else {
        panic!("typed arguments")
    };
    assert_eq!(preemption.min_candidate_nodes_percentage, 10);
    assert_eq!(preemption.min_candidate_nodes_absolute, 5);
    let other = json!({"kind": "Anything", "x": [1]});
    assert_eq!(profile.args("Stranger"), Some(&PluginArgs::Other(other)));
    let names: Vec<&str> = profile
        .plugin_config
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "NodeResourcesFit",
            "DefaultPreemption",
            "InterPodAffinity",
            "Stranger",
            "DynamicResources",
            "NodeAffinity",
            "NodeResourcesBalancedAllocation",
            "PodTopologySpread",
            "VolumeBinding",
        ]
    );
}

#[test]
fn gates_decide_defaults() {
    let gates = Gates::default()
        .with(Gate::StorageCapacityScoring, true)
        .with(Gate::DRASchedulerFilterTimeout, false);
    let options = ReadOptions {
        gates,
        ..ReadOptions::default()
    };
    let read = read_value(&document("v1", json!({})), options).unwrap();
    let profile = &read.configuration.profiles[0];
    let Some(PluginArgs::VolumeBinding(args)) = profile.args("VolumeBinding") else {
        panic!("typed arguments")
    };
    assert_eq!(args.shape.len(), 2);
    let Some(PluginArgs::DynamicResources(args)) = profile.args("DynamicResources") else {
        panic!("typed arguments")
    };
    assert_eq!(args.filter_timeout, None);
    assert_eq!(args.binding_timeout, Some(Span::from_secs(600)));
}

#[test]
fn legacy_plugins_do_not_exist_in_v1() {
    refused(
        json!({"profiles": [{"plugins": {"score": {"enabled": [{"name": "NodeResourcesLeastAllocated"}]}}}]}),
        "profiles[0].plugins.score.enabled[0].name: initializing profiles: creating profile for scheduler name \
         default-scheduler: ScorePlugin \"NodeResourcesLeastAllocated\" does not exist",
    );
    refused(
        json!({"profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": "NodeLabel"}]}}}]}),
        "profiles[0].plugins.multiPoint.enabled[0].name: initializing profiles: creating profile for scheduler name \
         default-scheduler: PreFilterPlugin \"NodeLabel\" does not exist",
    );
}

#[test]
fn what_is_not_understood_hides_no_broken_rule_but_its_own() {
    refused(
        json!({
            "foo": 1,
            "parallelism": 0,
            "percentageOfNodesToScore": "x",
            "podInitialBackoffSeconds": 20,
            "podMaxBackoffSeconds": "x",
            "profiles": [{"schedulerName": "a"}, {"SchedulerName": "b"}],
        }),
        "[percentageOfNodesToScore: \"x\" was found; expected a whole number of at most 32 bits, podMaxBackoffSeconds: \"x\" \
         was found; expected a whole number, profiles[1].SchedulerName: unknown field \"SchedulerName\"; did you mean \
         \"schedulerName\"?, foo: unknown field \"foo\"; expected one of kind, apiVersion, parallelism, \
         percentageOfNodesToScore, podInitialBackoffSeconds, podMaxBackoffSeconds, enableProfiling, \
         enableContentionProfiling, delayCacheUntilActive, leaderElection, clientConnection, extenders, profiles, \
         parallelism: Invalid value: 0: should be an integer value greater than zero]",
    );
}

#[test]
fn v1beta3_means_what_v1_means() {
    let fields = json!({"profiles": [{"plugins": {
        "multiPoint": {"enabled": [{"name": "EBSLimits"}]}, "score": {"disabled": [{"name": "ImageLocality"}]}}}]});
    let read = read_older("v1beta3", fields);
    let profile = &read.configuration.profiles[0];
    let multi_point: Vec<&str> = profile
        .plugins
        .multi_point
        .enabled
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert!(!multi_point.contains(&"EBSLimits"));
    assert_eq!(multi_point.len(), 20);
    assert!(profile.plugins.score.disables("ImageLocality"));
}

#[test]
fn v1beta1_has_the_plugins_of_its_time() {
    let read = read_older(
        "v1beta1",
        json!({
            "healthzBindAddress": "0.0.0.0:10251",
            "leaderElection": {"resourceLock": "endpointsleases"},
            "profiles": [{"plugins": {"score": {
                "disabled": [{"name": "NodeResourcesLeastAllocated"}],
                "enabled": [{"name": "NodeResourcesMostAllocated", "weight": 5}]}},
                "pluginConfig": [
                    {"name": "NodeResourcesMostAllocated", "args": {"resources": [{"name": "cpu", "weight": 3}]}},
                    {"name": "PodTopologySpread", "args": {"defaultConstraints": [
                        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}]}}]}],
        }),
    );
    let profile = &read.configuration.profiles[0];
    assert_eq!(
        names(profile, ExtensionPoint::Score),
        "NodeResourcesBalancedAllocation 1, ImageLocality 1, InterPodAffinity 1, NodeAffinity 1, NodePreferAvoidPods \
         10000, PodTopologySpread 2, TaintToleration 1, NodeResourcesMostAllocated 5"
    );
    assert_eq!(
        names(profile, ExtensionPoint::Filter),
        "NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit, VolumeRestrictions, \
         NodeVolumeLimits, VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity"
    );
    assert_eq!(
        names(profile, ExtensionPoint::PreFilter),
        "NodeResourcesFit, NodePorts, PodTopologySpread, InterPodAffinity, VolumeBinding, NodeAffinity, \
         VolumeRestrictions, NodeVolumeLimits, VolumeZone"
    );
    assert_eq!(
        names(profile, ExtensionPoint::PreEnqueue),
        "DefaultPreemption, SchedulingGates"
    );
    let Some(PluginArgs::Legacy(LegacyArgs::NodeResourcesMostAllocated(resources))) =
        profile.args("NodeResourcesMostAllocated")
    else {
        panic!("typed arguments")
    };
    assert_eq!(resources[0].weight, 3);
    let Some(PluginArgs::PodTopologySpread(args)) = profile.args("PodTopologySpread") else {
        panic!("typed arguments")
    };
    assert_eq!(args.defaulting_type, DefaultingType::List);
    assert_eq!(read.configuration.leader_election.resource_lock, "leases");
    let notes = notes(&read);
    assert!(
        notes.iter().any(|n| n.starts_with("healthzBindAddress: ")),
        "{notes:?}"
    );
    assert!(
        notes
            .iter()
            .any(|n| n.starts_with("leaderElection.resourceLock: ")),
        "{notes:?}"
    );
}

#[test]
fn v1beta2_scores_by_fit() {
    let read = read_older("v1beta2", json!({}));
    let profile = &read.configuration.profiles[0];
    let score = names(profile, ExtensionPoint::Score);
    assert!(
        score.contains("NodeResourcesFit 1, NodeAffinity 1"),
        "{score}"
    );
    assert!(names(profile, ExtensionPoint::PreScore).contains("NodeResourcesFit"));
    let point = |_: &str, _| Some(true);
    assert!(expand(profile, point).is_ok());
}

#[test]
fn v1alpha1_has_one_profile_at_the_top() {
    let read = read_older(
        "v1alpha1",
        json!({
            "schedulerName": "old",
            "algorithmSource": {"provider": "ClusterAutoscalerProvider"},
            "hardPodAffinitySymmetricWeight": 7,
            "disablePreemption": true,
            "bindTimeoutSeconds": 30,
            "leaderElection": {"lockObjectName": "lock", "lockObjectNamespace": "ns"},
            "plugins": {"postFilter": {"enabled": [{"name": "Foo"}]}, "unreserve": {"enabled": [{"name": "Bar"}]}},
        }),
    );
    let profile = &read.configuration.profiles[0];
    assert_eq!(profile.scheduler_name, "old");
    assert!(names(profile, ExtensionPoint::Score).contains("NodeResourcesMostAllocated 1"));
    assert_eq!(names(profile, ExtensionPoint::PostFilter), "");
    assert!(names(profile, ExtensionPoint::PreScore).contains("Foo"));
    assert_eq!(
        names(profile, ExtensionPoint::Reserve),
        "VolumeBinding, Bar"
    );
    let Some(PluginArgs::InterPodAffinity(args)) = profile.args("InterPodAffinity") else {
        panic!("typed arguments")
    };
    assert_eq!(args.hard_pod_affinity_weight, 7);
    let Some(PluginArgs::VolumeBinding(args)) = profile.args("VolumeBinding") else {
        panic!("typed arguments")
    };
    assert_eq!(args.bind_timeout_seconds, 30);
    assert_eq!(read.configuration.leader_election.resource_name, "lock");
    assert_eq!(read.policy, None);
}

#[test]
fn v1alpha1_can_point_at_a_policy() {
    let source =
        json!({"algorithmSource": {"policy": {"configMap": {"namespace": "a", "name": "b"}}}});
    let read = read_older("v1alpha1", source);
    assert_eq!(
        read.policy,
        Some(legacy::PolicySource::ConfigMap {
            namespace: "a".to_string(),
            name: "b".to_string()
        })
    );
    let source = json!({"algorithmSource": {"provider": "Mine"}});
    refused_document(
        &document("v1alpha1", source),
        ReadOptions::default(),
        "algorithmSource.provider: algorithm provider \"Mine\" is not registered; expected DefaultProvider or \
         ClusterAutoscalerProvider",
    );
}
