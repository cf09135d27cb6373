use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::api::{Pod, PodSpec};

use super::{Whose, cuts};

/// The cuts for a spec to ask for so many milli-cores in all, `main 1000-400`; and what the pod then asks for.
fn check(spec: Value, to: i64, expected: &[&str]) {
    let spec: PodSpec = serde_json::from_value(spec).expect("it is a pod's spec");
    let found = cuts(&spec, "cpu", to).unwrap_or_default();
    let told: Vec<String> = found
        .iter()
        .map(|cut| {
            let name = match &cut.whose {
                Whose::Pod => "pod",
                Whose::Container(name) | Whose::InitContainer(name) => name,
            };
            [name, " ", &cut.from.to_string(), "-", &cut.to.to_string()].concat()
        })
        .collect();
    assert_eq!(told, expected);
    if found.is_empty() {
        return;
    }
    let mut pod = Pod {
        spec,
        ..Pod::default()
    };
    for cut in &found {
        cut.apply(&mut pod.spec, "cpu");
    }
    let asked = crate::api::pod_requests(&pod, crate::api::RequestOptions::INCOMING);
    let asked = asked.get("cpu").map_or(0, |cpu| cpu.milli_value());
    assert!((1..=to).contains(&asked), "{asked} of {to}");
}

fn container(name: &str, cpu: &str) -> Value {
    json!({"name": name, "resources": {"requests": {"cpu": cpu}}})
}

fn sidecar(name: &str, cpu: &str) -> Value {
    let mut container = container(name, cpu);
    container["restartPolicy"] = json!("Always");
    container
}

#[test]
fn the_largest_container_asks_for_less() {
    let spec = json!({"containers": [container("a", "300m"), container("b", "1")]});
    check(spec, 700, &["b 1000-400"]);
}

#[test]
fn containers_that_cannot_bear_it_alone_share_it() {
    let spec = json!({"containers": [container("a", "1"), container("b", "900m"), container("c", "100m")]});
    check(spec, 500, &["a 1000-200", "b 900-200"]);
}

#[test]
fn one_that_can_bear_it_alone_leaves_the_others_what_they_ask_for() {
    let spec = json!({"containers": [container("a", "1"), container("b", "1")]});
    check(spec, 1200, &["a 1000-200"]);
    let spec = json!({"containers": [container("a", "1"), container("b", "900m"), container("c", "100m")]});
    check(spec, 1500, &["a 1000-500"]);
}

#[test]
fn an_init_container_that_decides_is_the_one_that_asks_for_less() {
    let spec = json!({
        "containers": [container("main", "200m")],
        "initContainers": [container("setup", "2"), container("small", "100m")],
    });
    check(spec, 500, &["setup 2000-500"]);
}

#[test]
fn an_init_container_leaves_room_for_the_restartable_ones_before_it() {
    let spec = json!({
        "containers": [container("main", "200m")],
        "initContainers": [sidecar("log", "100m"), container("setup", "2")],
    });
    check(spec, 500, &["setup 2000-400"]);
}

#[test]
fn a_restartable_init_container_counts_among_those_that_run_together() {
    let spec = json!({
        "containers": [container("main", "200m")],
        "initContainers": [sidecar("proxy", "1")],
    });
    check(spec, 500, &["proxy 1000-300"]);
}

#[test]
fn both_a_container_and_an_init_container_can_be_too_large() {
    let spec = json!({
        "containers": [container("main", "3")],
        "initContainers": [container("setup", "2")],
    });
    check(spec, 500, &["main 3000-500", "setup 2000-500"]);
}

#[test]
fn the_pod_as_a_whole_and_what_it_has_to_hold_ask_for_less() {
    let spec = json!({
        "containers": [container("main", "1")],
        "resources": {"requests": {"cpu": "2"}},
    });
    check(spec.clone(), 1500, &["pod 2000-1500"]);
    check(spec, 600, &["pod 2000-600", "main 1000-600"]);
}

#[test]
fn overhead_stays_and_may_leave_no_room() {
    let spec = json!({"containers": [container("main", "1")], "overhead": {"cpu": "250m"}});
    check(spec.clone(), 600, &["main 1000-350"]);
    check(spec, 250, &[]);
}
