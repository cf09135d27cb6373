//! Decisions of schedulers that were set up by a Policy or an algorithm provider of Kubernetes 1.21.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::api::Service;
use crate::config::Configuration;
use crate::config::legacy::{LegacyGates, Policy, Provider, apply_policy, apply_provider};
use crate::make::{node, pod};
use crate::plugins::in_tree;
use crate::rng::Seed;
use crate::scheduler::Scheduler;

use super::host::Host;

fn configuration(fields: Value, gates: LegacyGates) -> Configuration {
    let mut document = json!({"kind": "Policy", "apiVersion": "v1"});
    let map = document.as_object_mut().expect("an object");
    map.extend(fields.as_object().expect("an object").clone());
    let policy = Policy::read_value(&document).expect("this policy is understood");
    let mut configuration = Configuration::default();
    apply_policy(&mut configuration, &policy, gates).expect("this policy is fine");
    configuration
}

fn host(fields: Value) -> Host {
    Host::new(configuration(fields, LegacyGates::default()))
}

#[track_caller]
fn builds(fields: &Value) {
    for default_pod_topology_spread in [false, true] {
        let gates = LegacyGates {
            default_pod_topology_spread,
            ..LegacyGates::default()
        };
        let configuration = configuration(fields.clone(), gates);
        let built = Scheduler::new(configuration, &in_tree(), Seed(0));
        if let Err(error) = built {
            panic!("{fields}: {error}");
        }
    }
}

#[test]
fn every_predicate_builds_a_scheduler() {
    for name in [
        "CheckNodeUnschedulable",
        "GeneralPredicates",
        "HostName",
        "PodFitsHostPorts",
        "PodFitsPorts",
        "MatchNodeSelector",
        "PodFitsResources",
        "NoDiskConflict",
        "PodToleratesNodeTaints",
        "CheckNodeLabelPresence",
        "CheckServiceAffinity",
        "MaxEBSVolumeCount",
        "MaxGCEPDVolumeCount",
        "MaxCSIVolumeCountPred",
        "MaxAzureDiskVolumeCount",
        "MaxCinderVolumeCount",
        "CheckVolumeBinding",
        "NoVolumeZoneConflict",
        "EvenPodsSpread",
        "MatchInterPodAffinity",
    ] {
        builds(&json!({"predicates": [{"name": name}], "priorities": []}));
    }
    for argument in [
        json!({"serviceAffinity": {"labels": ["rack"]}}),
        json!({"labelsPresence": {"labels": ["rack"], "presence": true}}),
    ] {
        builds(&json!({"predicates": [{"name": "own", "argument": argument}]}));
    }
}

#[test]
fn every_priority_builds_a_scheduler() {
    for name in [
        "SelectorSpreadPriority",
        "ServiceSpreadingPriority",
        "InterPodAffinityPriority",
        "LeastRequestedPriority",
        "MostRequestedPriority",
        "BalancedResourceAllocation",
        "NodePreferAvoidPodsPriority",
        "NodeAffinityPriority",
        "TaintTolerationPriority",
        "ImageLocalityPriority",
        "EvenPodsSpreadPriority",
        "EqualPriority",
    ] {
        builds(&json!({"predicates": [], "priorities": [{"name": name, "weight": 2}]}));
    }
    let shape = json!([{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]);
    for argument in [
        json!({"serviceAntiAffinity": {"label": "rack"}}),
        json!({"labelPreference": {"label": "rack", "presence": false}}),
        json!({"requestedToCapacityRatioArguments": {"shape": shape}}),
    ] {
        builds(&json!({"priorities": [{"name": "own", "weight": 2, "argument": argument}]}));
    }
    builds(&json!({}));
}

#[test]
fn both_providers_build_a_scheduler() {
    for provider in [Provider::Default, Provider::ClusterAutoscaler] {
        for on in [false, true] {
            let gates = LegacyGates {
                volume_capacity_priority: on,
                default_pod_topology_spread: !on,
            };
            let mut configuration = Configuration::default();
            apply_provider(&mut configuration, provider, gates, &[]);
            let built = Scheduler::new(configuration, &in_tree(), Seed(0));
            if let Err(error) = built {
                panic!("{provider:?}, {gates:?}: {error}");
            }
        }
    }
}

/// Where the pods went, or an empty name, in the order of their names.
fn placed(host: &mut Host) -> Vec<(String, String)> {
    host.schedule();
    let mut bindings = host.bindings();
    bindings.sort();
    bindings
}

fn pair(pod: &str, node: &str) -> (String, String) {
    (pod.to_string(), node.to_string())
}

#[test]
fn a_policy_with_labels_keeps_pods_off_nodes_without_them() {
    let mut host = host(json!({
        "predicates": [
            {"name": "Racked", "argument": {"labelsPresence": {"labels": ["rack"], "presence": true}}},
            {"name": "InUse", "argument": {"labelsPresence": {"labels": ["retired"], "presence": false}}},
        ],
        "priorities": [
            {"name": "Fast", "weight": 1, "argument": {"labelPreference": {"label": "ssd", "presence": true}}},
        ],
    }));
    host.apply(node("bare").build());
    host.apply(node("old").label("rack", "1").label("retired", "").build());
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), []);
    let (message, _) = host.last_failure();
    assert!(
        message.starts_with("0/2 nodes are available: 2 node(s) didn't have the requested labels."),
        "{message}"
    );
    // New nodes wake the pod; of two that will do the preferred one is taken.
    host.apply(node("slow").label("rack", "1").build());
    host.apply(node("fast").label("rack", "1").label("ssd", "").build());
    host.wait(crate::time::Span::from_secs(2));
    assert_eq!(placed(&mut host), [pair("p", "fast")]);
}

fn service(name: &str) -> Service {
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "spec": {"selector": {"app": name}},
    }))
    .expect("a service")
}

#[test]
fn a_policy_with_service_affinity_keeps_a_service_in_one_rack() {
    let mut host = host(json!({
        "predicates": [
            {"name": "GeneralPredicates"},
            {"name": "SameRack", "argument": {"serviceAffinity": {"labels": ["rack"]}}},
        ],
        "priorities": [{"name": "LeastRequestedPriority", "weight": 1}],
    }));
    for (name, rack) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")] {
        host.apply(
            node(name)
                .label("rack", rack)
                .cpu("2")
                .memory("4Gi")
                .build(),
        );
    }
    host.apply(service("web"));
    for name in ["w1", "w2", "w3"] {
        host.apply(pod(name).label("app", "web").cpu("1").build());
    }
    host.apply(pod("x").cpu("1").build());
    let nodes = placed(&mut host);
    let racks: Vec<&str> = nodes.iter().map(|(_, node)| &node[..1]).collect();
    assert_eq!(racks[0], racks[1]);
    assert_eq!(racks[1], racks[2]);
    assert_ne!(racks[2], racks[3], "what is left is emptier elsewhere");
    // The rack is full for a pod of the same service, while the other rack has room.
    host.apply(pod("w4").label("app", "web").cpu("1").build());
    host.apply(pod("w5").label("app", "web").cpu("1").build());
    host.schedule();
    let (message, _) = host.last_failure();
    assert!(
        message.starts_with(
            "0/4 nodes are available: 2 Insufficient cpu, 2 node(s) didn't match service affinity."
        ),
        "{message}"
    );
}

#[test]
fn a_policy_that_always_checks_all_predicates_lists_every_reason() {
    let reasons = |always: bool| {
        let mut host = host(json!({
            "alwaysCheckAllPredicates": always,
            "predicates": [
                {"name": "GeneralPredicates"},
                {"name": "Racked", "argument": {"labelsPresence": {"labels": ["rack"], "presence": true}}},
            ],
        }));
        host.apply(
            node("n")
                .cpu("1")
                .memory("1Gi")
                .taint("dedicated", "db", "NoSchedule")
                .build(),
        );
        host.apply(pod("p").cpu("2").node_selector("disk", "ssd").build());
        host.schedule();
        host.last_failure().0
    };
    let once = reasons(false);
    assert!(
        once.starts_with("0/1 nodes are available: 1 Insufficient cpu."),
        "{once}"
    );
    let all = reasons(true);
    assert!(
        all.starts_with(
            "0/1 nodes are available: 1 Insufficient cpu, 1 node(s) didn't have the requested labels, \
             1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s)."
        ),
        "{all}"
    );
}

#[test]
fn least_and_most_requested_can_both_have_a_say() {
    let choice = |least: i64, most: i64| {
        let mut host = host(json!({
            "predicates": [{"name": "GeneralPredicates"}],
            "priorities": [
                {"name": "LeastRequestedPriority", "weight": least},
                {"name": "MostRequestedPriority", "weight": most},
            ],
        }));
        for name in ["empty", "half"] {
            host.apply(node(name).cpu("4").memory("8Gi").build());
        }
        host.apply(pod("there").cpu("2").memory("4Gi").node("half").build());
        host.apply(pod("p").cpu("1").memory("1Gi").build());
        placed(&mut host)
    };
    assert_eq!(choice(3, 1), [pair("p", "empty")]);
    assert_eq!(choice(1, 3), [pair("p", "half")]);
}

#[test]
fn the_autoscaler_provider_fills_nodes() {
    let choice = |provider| {
        let mut configuration = Configuration::default();
        apply_provider(&mut configuration, provider, LegacyGates::default(), &[]);
        let mut host = Host::new(configuration);
        for name in ["empty", "half"] {
            host.apply(node(name).cpu("4").memory("8Gi").build());
        }
        host.apply(pod("there").cpu("2").memory("4Gi").node("half").build());
        host.apply(pod("p").cpu("1").memory("2Gi").build());
        placed(&mut host)
    };
    assert_eq!(choice(Provider::Default), [pair("p", "empty")]);
    assert_eq!(choice(Provider::ClusterAutoscaler), [pair("p", "half")]);
}
