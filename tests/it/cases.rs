//! 115 small inputs made from public reports, and the right outcome of each.

use std::collections::BTreeSet;

use berth_core::api::{Kind, Object, ObjectKey, Pod};
use berth_core::sim::Simulation;
use berth_core::time::Timestamp;
use berth_tests::corpus::{Folder, Outcome, check_waiting};
use serde_json::Value;

/// Cases that need something that is not built yet.
const WAITING: &[&str] = &[];

#[test]
fn cases_end_as_they_should() {
    let folders = Folder::all("cases");
    assert_eq!(folders.len(), 115, "the corpus is complete");
    let mut failures = Vec::new();
    for folder in &folders {
        let expected = folder.document("expect.yaml");
        let seconds = expected["evaluateAt"]
            .as_f64()
            .expect("evaluateAt is a number");
        let outcome = folder.run("manifests.yaml", seconds);
        let differences = compare(&outcome, &expected);
        if !differences.is_empty() {
            failures.push((folder.name().to_owned(), differences));
        }
    }
    check_waiting(&failures, WAITING);
}

fn compare(outcome: &Outcome, expected: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    let mut mentions = |texts: &[String], wanted: &Value, what: &str| {
        for word in strings(wanted) {
            if !texts.iter().any(|text| text.contains(&word)) {
                differences.push(format!("no {what} mentions {word:?}; there are {texts:?}"));
            }
        }
    };
    if let Some(error) = expected.get("configError") {
        mentions(&outcome.config_errors, &error["mustMention"], "error");
        return differences;
    }
    if expected["input"]["accepted"] == Value::Bool(false) {
        mentions(
            &outcome.input_errors,
            &expected["input"]["mustMention"],
            "error",
        );
    } else if !outcome.input_errors.is_empty() {
        differences.push(format!("refused: {:?}", outcome.input_errors));
    }
    if !outcome.config_errors.is_empty() {
        differences.push(format!("configuration: {:?}", outcome.config_errors));
    }
    let Some(simulation) = &outcome.simulation else {
        return differences;
    };
    for (name, wanted) in expected["pods"].as_object().into_iter().flatten() {
        differences.extend(compare_pod(simulation, name, wanted));
    }
    differences.extend(compare_preempted(simulation, expected));
    differences.extend(compare_counts(simulation, expected));
    differences
}

fn compare_pod(simulation: &Simulation, name: &str, wanted: &Value) -> Vec<String> {
    if let Some(choices) = wanted.get("either").and_then(Value::as_array) {
        let tried: Vec<_> = choices
            .iter()
            .map(|choice| compare_pod(simulation, name, choice))
            .collect();
        let fits = tried.iter().any(Vec::is_empty);
        return if fits { Vec::new() } else { tried.concat() };
    }
    let key = pod_key(name);
    let pod = match simulation.world().get(&key) {
        Some(Object::Pod(pod)) => Some(pod),
        _ => None,
    };
    let was_there = simulation.world().gone().contains_key(&key);
    let is_set = |field: &str| wanted[field] == Value::Bool(true);
    let mut wrong = Vec::new();
    match (pod, is_set("absent"), is_set("gone")) {
        (None, true, _) => {}
        (None, _, true) if was_there => {}
        (None, ..) => wrong.push("it is not there".to_owned()),
        (Some(_), true, _) => wrong.push("it was accepted".to_owned()),
        (Some(_), _, true) => wrong.push("it is still there".to_owned()),
        (Some(pod), ..) => wrong.extend(compare_present(simulation, &key, pod, wanted)),
    }
    wrong.iter().map(|what| format!("{name}: {what}")).collect()
}

fn compare_present(
    simulation: &Simulation,
    key: &ObjectKey,
    pod: &Pod,
    wanted: &Value,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: String, is_right: bool, right: &Value| {
        if !is_right {
            wrong.push(format!("{what} is {found:?}, not {right}"));
        }
    };
    let node = pod.spec.node_name.clone();
    if let Some(right) = wanted.get("node") {
        check("node", node.clone(), right == node.as_str(), right);
    }
    if let Some(right) = wanted.get("oneOf") {
        check("node", node.clone(), strings(right).contains(&node), right);
    }
    if wanted["pending"] == Value::Bool(true) {
        check(
            "node",
            node.clone(),
            node.is_empty(),
            &Value::from("pending"),
        );
    }
    let condition = pod.condition("PodScheduled").cloned().unwrap_or_default();
    if let Some(right) = wanted.get("message") {
        let is_right = right == condition.message.as_str();
        check("message", condition.message.clone(), is_right, right);
    }
    for part in strings(&wanted["contains"]) {
        let is_right = condition.message.contains(&part);
        check(
            "message",
            condition.message.clone(),
            is_right,
            &Value::from(part),
        );
    }
    if let Some(right) = wanted.get("reason") {
        check(
            "reason",
            condition.reason.clone(),
            right == condition.reason.as_str(),
            right,
        );
    }
    if let Some(right) = wanted.get("nominated") {
        let found = pod.status.nominated_node_name.clone();
        let is_right = right.as_str().unwrap_or_default() == found;
        check("nomination", found, is_right, right);
    }
    if wanted["terminating"] == Value::Bool(true) {
        check(
            "it",
            "not terminating".to_owned(),
            pod.is_terminating(),
            &Value::from("terminating"),
        );
    }
    let stats = simulation.pod_stats(key);
    if let Some(right) = wanted.get("attempts") {
        let attempts = stats.map_or(0, |stats| stats.attempts);
        check("attempts", attempts.to_string(), *right == attempts, right);
    }
    if let Some(right) = wanted.get("scheduledBetween") {
        let at = stats.and_then(|stats| stats.bound_at);
        let seconds = at.map(|at| berth_core::num::seconds(at - Timestamp::ZERO));
        let bound = |place: usize| right[place].as_f64().expect("a number");
        let is_right = seconds.is_some_and(|at| (bound(0)..=bound(1)).contains(&at));
        check("binding time", format!("{seconds:?}"), is_right, right);
    }
    wrong
}

fn compare_preempted(simulation: &Simulation, expected: &Value) -> Vec<String> {
    let Some(wanted) = expected.get("preempted") else {
        return Vec::new();
    };
    let wanted: BTreeSet<String> = strings(wanted).into_iter().collect();
    let found = simulation.world().preempted().iter();
    let found: BTreeSet<String> = found.map(|entry| entry.pod.clone()).collect();
    if found == wanted {
        Vec::new()
    } else {
        vec![format!("preempted are {found:?}, not {wanted:?}")]
    }
}

fn compare_counts(simulation: &Simulation, expected: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for wanted in expected["counts"].as_array().into_iter().flatten() {
        let (pods, nodes) = (strings(&wanted["pods"]), strings(&wanted["nodes"]));
        let is_on = |name: &&String| match simulation.world().get(&pod_key(name)) {
            Some(Object::Pod(pod)) => nodes.contains(&pod.spec.node_name),
            _ => false,
        };
        let count = pods.iter().filter(is_on).count() as u64;
        let bound = |field: &str| wanted.get(field).and_then(Value::as_u64);
        let is_right = bound("equals").is_none_or(|right| right == count)
            && bound("min").is_none_or(|least| least <= count)
            && bound("max").is_none_or(|most| count <= most);
        if !is_right {
            wrong.push(format!("{count} of the pods are there: {wanted}"));
        }
    }
    wrong
}

fn pod_key(name: &str) -> ObjectKey {
    let (namespace, short) = name.split_once('/').expect("namespace/name");
    ObjectKey::new(Kind::Pod, namespace, short)
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}
