use alloc::string::{String, ToString};

use serde_json::{Value, json};

use crate::config::legacy::{Policy, PolicySource};
use crate::config::{ConfigError, PluginArgs, PolicyError, ReadConfiguration, ReadOptions};

use super::read_any;

fn nowhere(source: &PolicySource) -> Result<Policy, ConfigError> {
    let path = alloc::format!("{source:?}");
    Err(ConfigError::Policy(PolicyError::MissingFile { path }))
}

fn read(document: &Value) -> Result<ReadConfiguration, String> {
    read_any(document, ReadOptions::default(), &nowhere, None).map_err(|error| error.to_string())
}

fn filters(read: &ReadConfiguration) -> String {
    let filter = &read.configuration.profiles[0].plugins.filter.enabled;
    let names: alloc::vec::Vec<&str> = filter.iter().map(|entry| entry.name.as_str()).collect();
    names.join(" ")
}

fn policy() -> Value {
    json!({"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "HostName"}], "priorities": []})
}

const FILTERS: &str = "NodeUnschedulable NodeName TaintToleration";

#[test]
fn a_policy_is_a_whole_configuration() {
    assert_eq!(filters(&read(&policy()).unwrap()), FILTERS);
}

#[test]
fn a_config_map_is_the_policy_that_it_holds() {
    let map = |data: Value| json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "p"}, "data": data});
    let good = map(json!({"policy.cfg": policy().to_string()}));
    assert_eq!(filters(&read(&good).unwrap()), FILTERS);
    assert_eq!(
        read(&map(json!({"other": "x"}))).unwrap_err(),
        "data: missing policy config map value at key \"policy.cfg\""
    );
    let bad = map(json!({"policy.cfg": "{\"kind\": \"Policy\"}"}));
    let error = read(&bad).unwrap_err();
    assert!(error.starts_with("data: invalid policy: "), "{error}");
}

#[test]
fn a_configuration_that_points_at_a_policy_has_it_or_is_refused() {
    let document = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
        "kind": "KubeSchedulerConfiguration",
        "schedulerName": "old",
        "hardPodAffinitySymmetricWeight": 7,
        "algorithmSource": {"policy": {"file": {"path": "p.json"}}},
    });
    let error = read(&document).unwrap_err();
    assert!(
        error.starts_with("algorithmSource.policy: missing policy config file"),
        "{error}"
    );
    let found = |_: &PolicySource| Policy::read_value(&policy());
    let read = read_any(&document, ReadOptions::default(), &found, None).unwrap();
    assert_eq!(filters(&read), FILTERS);
    let profile = &read.configuration.profiles[0];
    assert_eq!(profile.scheduler_name, "old");
    let affine = |_: &PolicySource| {
        Policy::read_value(&json!({
            "kind": "Policy", "apiVersion": "v1",
            "priorities": [{"name": "InterPodAffinityPriority", "weight": 1}],
        }))
    };
    let read = read_any(&document, ReadOptions::default(), &affine, None).unwrap();
    let args = read.configuration.profiles[0].args("InterPodAffinity");
    let Some(PluginArgs::InterPodAffinity(args)) = args else {
        panic!("{args:?}")
    };
    assert_eq!(args.hard_pod_affinity_weight, 7);
    let mut chooses = document.clone();
    chooses["plugins"] = json!({"filter": {"enabled": [{"name": "NodeName"}]}});
    let error = read_any(&chooses, ReadOptions::default(), &found, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "algorithmSource.policy: cannot set a Plugin config and Policy config"
    );
}

#[test]
fn every_mistake_of_a_policy_is_found_where_it_is() {
    let document = json!({
        "kind": "Policy", "apiVersion": "v1",
        "predicates": [{"name": "Nope"}, {"name": 7}, {"name": "X", "argument": {}}],
        "priorities": [{"name": "LeastRequestedPriority", "weight": 0}, {"name": "Nope", "weight": 1}],
        "hardPodAffinitySymmetricWeight": 101,
    });
    let error = read_any(&document, ReadOptions::default(), &nowhere, None).unwrap_err();
    let texts: alloc::vec::Vec<String> =
        error.into_list().iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "predicates[1].name: 7 was found; expected a text; put it in quotes",
            "priorities[0].weight: priority LeastRequestedPriority should have a positive weight applied to it or it has \
             overflown",
            "hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range [0-100]",
            "predicates[0].name: predicate type not found for \"Nope\"",
            "predicates[2].argument: exactly 1 predicate argument is required, numArgs: 0, predicate: X",
            "priorities[1].name: priority type not found for \"Nope\"",
        ]
    );
}
