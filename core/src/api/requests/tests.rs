//! Totals of pods, by the examples of the specification and by case.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{RequestOptions, pod_requests};
use crate::api::Pod;

/// The totals as text, names in order.
#[track_caller]
fn check(options: RequestOptions, pod: serde_json::Value, expected: &str) {
    let pod: Pod = serde_json::from_value(pod).unwrap();
    let totals = pod_requests(&pod, options);
    let texts: Vec<String> = totals
        .iter()
        .map(|(name, quantity)| [name, "=", &quantity.to_string()].concat())
        .collect();
    assert_eq!(texts.join(" "), expected);
}

fn requests(cpu: &str) -> serde_json::Value {
    serde_json::json!({"resources": {"requests": {"cpu": cpu}}})
}

fn sidecar(cpu: &str) -> serde_json::Value {
    serde_json::json!({"restartPolicy": "Always", "resources": {"requests": {"cpu": cpu}}})
}

fn pod(init: &[serde_json::Value], main: &[serde_json::Value]) -> serde_json::Value {
    serde_json::json!({"spec": {"initContainers": init, "containers": main}})
}

#[test]
fn init_containers_run_before_and_sidecars_beside() {
    let check = |pod, expected| check(RequestOptions::INCOMING, pod, expected);
    check(
        pod(
            &[requests("2"), requests("2")],
            &[requests("2"), requests("1")],
        ),
        "cpu=3",
    );
    check(
        pod(
            &[requests("4500m"), requests("1")],
            &[requests("1"), requests("1")],
        ),
        "cpu=4500m",
    );
    check(
        pod(&[sidecar("2"), requests("2500m")], &[requests("1")]),
        "cpu=4500m",
    );
    check(
        pod(&[requests("2500m"), sidecar("2")], &[requests("1")]),
        "cpu=3",
    );
}

#[test]
fn overhead_is_added_last_and_the_pod_level_replaces_the_sum() {
    let check = |pod, expected| check(RequestOptions::INCOMING, pod, expected);
    let with = |mut pod: serde_json::Value, more: serde_json::Value| {
        for (key, value) in more.as_object().unwrap() {
            pod["spec"][key] = value.clone();
        }
        pod
    };
    let overhead = |cpu: &str| serde_json::json!({"overhead": {"cpu": cpu}});
    check(
        with(pod(&[], &[requests("3500m")]), overhead("501m")),
        "cpu=4001m",
    );
    let level =
        serde_json::json!({"resources": {"requests": {"cpu": "2", "ephemeral-storage": "1Gi"}}});
    check(
        with(pod(&[], &[requests("3"), requests("3")]), level),
        "cpu=2",
    );
    let level =
        serde_json::json!({"resources": {"requests": {"cpu": "4"}}, "overhead": {"cpu": "1m"}});
    check(with(pod(&[], &[requests("1")]), level), "cpu=4001m");
}

#[test]
fn the_floor_is_for_what_is_not_mentioned() {
    let empty = serde_json::json!({});
    check(
        RequestOptions::PLACED_NON_ZERO,
        pod(&[], &[empty.clone(), empty.clone()]),
        "cpu=200m memory=400Mi",
    );
    check(
        RequestOptions::PLACED_NON_ZERO,
        pod(&[], &[requests("0")]),
        "cpu=0 memory=200Mi",
    );
    check(
        RequestOptions::PLACED_NON_ZERO,
        pod(core::slice::from_ref(&empty), &[requests("50m")]),
        "cpu=100m memory=200Mi",
    );
    let level = serde_json::json!({"spec": {"resources": {"requests": {"cpu": "1"}}, "containers": [{}, {}]}});
    check(
        RequestOptions::PLACED_NON_ZERO,
        level.clone(),
        "cpu=1 memory=400Mi",
    );
    check(
        RequestOptions::INCOMING_NON_ZERO,
        level,
        "cpu=200m memory=400Mi",
    );
}

fn resizing(reason: &str) -> serde_json::Value {
    serde_json::json!({
        "spec": {"containers": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}]},
        "status": {
            "conditions": [{"type": "PodResizePending", "status": "True", "reason": reason}],
            "containerStatuses": [{
                "name": "a", "allocatedResources": {"cpu": "500m"}, "resources": {"requests": {"cpu": "700m"}}
            }],
        },
    })
}

#[test]
fn a_status_counts_when_it_is_more_or_when_the_wish_is_infeasible() {
    check(RequestOptions::PLACED, resizing("Deferred"), "cpu=1");
    check(RequestOptions::PLACED, resizing("Infeasible"), "cpu=700m");
    check(RequestOptions::INCOMING, resizing("Infeasible"), "cpu=1");
    let mut without = resizing("Infeasible");
    without["status"]["containerStatuses"][0]["resources"] = serde_json::Value::Null;
    check(RequestOptions::PLACED, without, "cpu=1");
}

#[test]
fn sums_are_rounded_after_adding_up() {
    let pod: Pod = serde_json::from_value(pod(&[], &[requests("500u"), requests("500u")])).unwrap();
    assert_eq!(
        pod_requests(&pod, RequestOptions::INCOMING)["cpu"].milli_value(),
        1
    );
}
