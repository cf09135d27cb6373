use serde_json::json;

use crate::config::{Configuration, Gate, Gates, ReadOptions, read_value};

/// Reads what was written and expects the same again.
#[track_caller]
fn comes_back(configuration: &Configuration) {
    let options = ReadOptions {
        gates: configuration.gates,
        ..ReadOptions::default()
    };
    let read = read_value(&configuration.to_value(), options).expect("what was written is valid");
    // Upstream sorts the arguments when it writes them.
    let sorted = |configuration: &Configuration| {
        let mut sorted = configuration.clone();
        for profile in &mut sorted.profiles {
            profile.plugin_config.sort_by(|a, b| a.name.cmp(&b.name));
        }
        sorted
    };
    assert_eq!(sorted(&read.configuration), sorted(configuration));
}

#[test]
fn the_default_comes_back() {
    comes_back(&Configuration::default());
    let gates = Gates::default().with(Gate::StorageCapacityScoring, true);
    comes_back(&Configuration::for_gates(gates));
}

#[test]
fn everything_written_comes_back() {
    let document = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"qps": -0.5}, "enableContentionProfiling": false,
        "profiles": [
            {"schedulerName": "a", "percentageOfNodesToScore": 0,
             "plugins": {"score": {"enabled": [{"name": "ImageLocality", "weight": 7}], "disabled": [{"name": "Foo"}]},
                "multiPoint": {"disabled": [{"name": "NodeName"}], "enabled": [{"name": "NodeName"}]}},
             "pluginConfig": [
                {"name": "NodeAffinity", "args": {"addedAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}}},
                {"name": "PodTopologySpread", "args": {"defaultingType": "List", "defaultConstraints": [
                    {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}]}},
                {"name": "NodeResourcesFit", "args": {"ignoredResources": ["example.com/a"], "scoringStrategy": {
                    "type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {
                        "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]}}}}]},
            {"schedulerName": "b", "plugins": {"multiPoint": {
                "disabled": [{"name": "*"}], "enabled": [{"name": "PrioritySort"}, {"name": "DefaultBinder"}]}}}],
        "extenders": [{"urlPrefix": "http://x", "filterVerb": "f", "weight": 1, "httpTimeout": "1.5s",
            "tlsConfig": {"insecure": true, "keyData": "aGk="},
            "managedResources": [{"name": "example.com/a", "ignoredByScheduler": true}]}],
    });
    let read = read_value(&document, ReadOptions::default()).expect("this is fine");
    comes_back(&read.configuration);
}

#[test]
fn a_dump_has_the_fields_people_look_for() {
    let dump = Configuration::default().to_value();
    assert_eq!(dump["leaderElection"]["leaseDuration"], json!("15s"));
    assert_eq!(dump["clientConnection"]["qps"], json!(50));
    let profile = &dump["profiles"][0];
    assert_eq!(profile["plugins"]["filter"], json!({}));
    assert_eq!(
        profile["plugins"]["multiPoint"]["enabled"][4],
        json!({"name": "TaintToleration", "weight": 3})
    );
    assert_eq!(
        profile["pluginConfig"][1],
        json!({"name": "DynamicResources", "args": {"apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "DynamicResourcesArgs", "filterTimeout": "10s", "bindingTimeout": "10m0s"}})
    );
}
