//! Clusters of a real API server, and what the real kube-scheduler did with them.

use berth_tests::corpus::{Folder, Outcome, check_waiting};
use serde_json::Value;

/// Clusters that need something that is not built yet.
const WAITING: &[&str] = &[];

#[test]
fn real_clusters_end_as_they_did() {
    let mut failures = Vec::new();
    for folder in Folder::all("real") {
        let has_events = !folder.document("events.yaml").is_null();
        let seconds = if has_events { 26.0 } else { 20.0 };
        let outcome = folder.run("cluster.yaml", seconds);
        let differences = compare(&outcome, &folder.document("expect.json"));
        if !differences.is_empty() {
            failures.push((folder.name().to_owned(), differences));
        }
    }
    check_waiting(&failures, WAITING);
}

fn compare(outcome: &Outcome, expected: &Value) -> Vec<String> {
    let mut differences = outcome.input_errors.clone();
    let report = outcome.report.as_ref().expect("the cluster can be run");
    let pods = expected["pods"].as_object().expect("there are pods");
    for (name, expected) in pods {
        let (namespace, short) = name.split_once('/').expect("namespace/name");
        let Some(found) = report.pod(namespace, short) else {
            differences.push(format!("{name} is not there"));
            continue;
        };
        let node = expected["node"].as_str();
        if found.node.as_deref() != node {
            differences.push(format!("{name} is on {:?}, not on {node:?}", found.node));
        }
        let message = expected["message"].as_str();
        if node.is_none() && found.message.as_deref() != message {
            differences.push(format!("{name} says {:?}, not {message:?}", found.message));
        }
    }
    differences
}
