//! What tests on a real control plane have in common.

use core::time::Duration;
use std::collections::BTreeMap;

use berth_tests::cluster::{Api, Scheduler, pass, tell};
use serde_json::{Value, json};

/// Waits until every pod of a namespace has a node.
pub(crate) fn wait_until_bound(api: &Api, namespace: &str, limit: Duration) {
    // One pod says enough, and costs the server little.
    let unbound =
        format!("/api/v1/namespaces/{namespace}/pods?fieldSelector=spec.nodeName%3D&limit=1");
    api.wait("all pods are bound", limit, |api| {
        api.list(&unbound).is_empty()
    });
}

/// The memory that a scheduler holds once every pod is gone, in MiB. Their events go, too.
pub(crate) fn level(api: &Api, scheduler: &Scheduler) -> f64 {
    api.delete_pods("default");
    // What it has heard of is let go of behind the watches, as are events that wait to be written.
    pass(Duration::from_secs(3));
    let events = "/apis/events.k8s.io/v1/namespaces/default/events";
    api.call("DELETE", events, &Value::Null);
    scheduler.usage().now_mib
}

/// After as many pods as before, and bad days, no more memory is held than before.
pub(crate) fn check_level(before: f64, after: f64) {
    tell(&format!(
        "memory held without pods: {before:.1} MiB before, {after:.1} MiB after"
    ));
    assert!(
        after < before * 1.15 + 2.0,
        "memory grows: {before:.1} MiB before, {after:.1} MiB after"
    );
}

/// No node has more than it can hold, no pod was bound twice.
pub(crate) fn check_bindings(api: &Api, count: usize) {
    let mut held: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let pods = api.pods("default");
    assert_eq!(pods.len(), count, "pods came or went");
    for (name, pod) in pods {
        let node = pod["spec"]["nodeName"]
            .as_str()
            .unwrap_or_else(|| panic!("{name} has no node"));
        let (pods, milli_cpu) = held.entry(node.to_owned()).or_default();
        *pods += 1;
        *milli_cpu += 100;
    }
    for (node, (pods, milli_cpu)) in &held {
        assert!(
            *pods <= 110 && *milli_cpu <= 4000,
            "{node} holds {pods} pods of {milli_cpu}m"
        );
    }
    let mut scheduled: BTreeMap<String, usize> = BTreeMap::new();
    for event in api.list("/apis/events.k8s.io/v1/namespaces/default/events") {
        if event["reason"] == "Scheduled" {
            // A name may have been another pod's before, whose event came late.
            let regarding = &event["regarding"];
            let pod = format!("{} {}", regarding["name"], regarding["uid"]);
            *scheduled.entry(pod).or_default() += 1;
        }
    }
    for (pod, count) in &scheduled {
        assert_eq!(*count, 1, "{pod} was said to be scheduled {count} times");
    }
}

/// Flags of both kinds of scheduler: who they are by this kubeconfig, and served on this port of loopback with TLS.
pub(crate) fn served_at(kubeconfig: &str, port: &str) -> [String; 5] {
    [
        format!("--kubeconfig={kubeconfig}"),
        format!("--authentication-kubeconfig={kubeconfig}"),
        format!("--authorization-kubeconfig={kubeconfig}"),
        "--bind-address=127.0.0.1".to_owned(),
        format!("--secure-port={port}"),
    ]
}

/// A node of 4 CPUs in one of three zones.
pub(crate) fn node(number: usize) -> Value {
    let zone = ["a", "b", "c"][number % 3];
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": format!("node-{number:04}"), "labels": {
            "kubernetes.io/hostname": format!("node-{number:04}"),
            "topology.kubernetes.io/zone": zone,
        }},
        "status": {
            "allocatable": {"cpu": "4", "memory": "32Gi", "pods": "110"},
            "capacity": {"cpu": "4", "memory": "32Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    })
}

/// A pod of a tenth of a CPU.
pub(crate) fn pod(number: usize) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": format!("pod-{number:05}"), "namespace": "default"},
        "spec": {"containers": [{
            "name": "pause",
            "image": "registry.k8s.io/pause:3.10",
            "resources": {"requests": {"cpu": "100m", "memory": "500Mi"}},
        }]},
    })
}
