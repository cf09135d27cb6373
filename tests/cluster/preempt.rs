//! Making room: victims are marked, asked to leave, and told for whom.

use core::time::Duration;

use berth_tests::cluster::{Api, ControlPlane, Kubelet, Scheduler, tell};
use serde_json::{Value, json};

use crate::common::{node, pod, wait_until_bound};

#[test]
fn victims_are_marked_before_they_are_deleted_and_told_for_whom() {
    let Some(plane) = ControlPlane::start() else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..3).map(node).collect());
    for (name, value) in [("low", 10), ("high", 1000)] {
        api.create(&json!({
            "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value,
        }));
    }
    let configuration = Scheduler::configuration(&plane, "");
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    let of_class = |number: usize, class: &str, cpu: &str| {
        let mut pod = pod(number);
        pod["metadata"]["name"] = json!(format!("{class}-{number}"));
        pod["spec"]["priorityClassName"] = json!(class);
        pod["spec"]["terminationGracePeriodSeconds"] = json!(5);
        pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!(cpu);
        pod
    };
    api.create_all((0..6).map(|number| of_class(number, "low", "2")).collect());
    wait_until_bound(&api, "default", LIMIT);
    api.create(&of_class(0, "high", "3"));
    // Without kubelets victims stay until they are looked at.
    let mut victims = Vec::new();
    api.wait("two victims are asked to leave", LIMIT, |api| {
        let pods = api.pods("default").into_values();
        victims = pods
            .filter(|pod| pod["metadata"]["deletionTimestamp"].is_string())
            .collect();
        victims.len() == 2
    });
    let high = api.get("/api/v1/namespaces/default/pods/high-0");
    assert_eq!(
        high["status"]["nominatedNodeName"],
        victims[0]["spec"]["nodeName"]
    );
    victims.iter().for_each(check_mark);
    let kubelet = Kubelet::start(&api);
    wait_until_bound(&api, "default", LIMIT);
    let note = format!(
        "Preempted by pod {} on node {}",
        high["metadata"]["uid"].as_str().unwrap_or_default(),
        victims[0]["spec"]["nodeName"].as_str().unwrap_or_default(),
    );
    let is_told = |event: &Value| event["reason"] == "Preempted" && event["note"] == note.as_str();
    api.wait("both victims are told", LIMIT, |api| {
        let events = api.list("/apis/events.k8s.io/v1/namespaces/default/events");
        events.iter().filter(|event| is_told(event)).count() == 2
    });
    let high = api.get("/api/v1/namespaces/default/pods/high-0");
    assert_eq!(high["spec"]["nodeName"], victims[0]["spec"]["nodeName"]);
    assert!(
        high["status"]["nominatedNodeName"].is_null(),
        "the nomination is over"
    );
    drop((kubelet, scheduler));
}

#[test]
fn failures_that_are_alike_are_one_event_and_write_one_condition() {
    let Some(plane) = ControlPlane::start() else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..3).map(node).collect());
    let configuration = Scheduler::configuration(&plane, "");
    // Looked at every 30 s, so the pod is tried again without a reason, and fails in the same way.
    let arguments = [
        "--config",
        &configuration,
        "--pod-max-in-unschedulable-pods-duration=1s",
    ];
    let scheduler = Scheduler::berth(&plane, "berth", &arguments);
    let mut large = pod(0);
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!("64");
    api.create(&large);
    let path = "/api/v1/namespaces/default/pods/pod-00000";
    let scheduled = |api: &Api| {
        let pod = api.get(path);
        let conditions = pod["status"]["conditions"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let found = conditions
            .into_iter()
            .find(|condition| condition["type"] == "PodScheduled");
        (
            found.unwrap_or_default(),
            pod["metadata"]["resourceVersion"].clone(),
        )
    };
    api.wait("it is said to be unschedulable", LIMIT, |api| {
        scheduled(api).0["status"] == "False"
    });
    let (condition, version) = scheduled(&api);
    assert_eq!(condition["reason"], "Unschedulable");
    let failures = |api: &Api| {
        let events = api.list("/apis/events.k8s.io/v1/namespaces/default/events");
        let is_failure = |event: &Value| event["reason"] == "FailedScheduling";
        events.into_iter().filter(is_failure).collect::<Vec<_>>()
    };
    // The condition is a new version of the pod, hence a new series.
    api.wait(
        "a later failure joins an earlier one",
        Duration::from_secs(150),
        |api| {
            failures(api)
                .iter()
                .any(|event| event["series"]["count"] == 2)
        },
    );
    assert_eq!(
        scheduled(&api).1,
        version,
        "the same failure was written again"
    );
    let count = failures(&api).len();
    tell(&format!("three attempts or more, {count} events"));
    assert!(count <= 2, "each failure is an event of its own");
    drop(scheduler);
}

/// The mark of a pod that has to make room.
fn check_mark(victim: &Value) {
    let conditions = victim["status"]["conditions"]
        .as_array()
        .expect("it has conditions");
    let mark = conditions
        .iter()
        .find(|condition| condition["type"] == "DisruptionTarget");
    let mark = mark.unwrap_or_else(|| panic!("{victim} is not marked"));
    assert_eq!(
        (&mark["status"], &mark["reason"]),
        (&json!("True"), &json!("PreemptionByScheduler"))
    );
    assert_eq!(
        mark["message"],
        "default-scheduler: preempting to accommodate a higher priority pod"
    );
}

const LIMIT: Duration = Duration::from_secs(60);
