//! What people are told, where a server has only the old kind of events.

use core::time::Duration;

use berth_tests::cluster::{Api, ControlPlane, Fault, Proxy, Scheduler};
use serde_json::{Value, json};

use crate::common::{node, pod};

#[test]
fn events_are_of_the_old_kind_where_a_server_has_no_other() {
    let Some(plane) = ControlPlane::start() else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..3).map(node).collect());
    let proxy = Proxy::start(&plane.kubeconfig("scheduler"), |asked| {
        if asked.path.starts_with("/apis/events.k8s.io/") {
            Fault::Status(404)
        } else {
            Fault::None
        }
    });
    let kubeconfig = proxy.kubeconfig().display().to_string();
    let arguments = [
        "--kubeconfig",
        &kubeconfig,
        "--leader-elect=false",
        "--pod-max-in-unschedulable-pods-duration=1s",
    ];
    let scheduler = Scheduler::berth(&plane, "berth", &arguments);
    api.create(&pod(1));
    let mut large = pod(2);
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!("64");
    api.create(&large);
    let of = |api: &Api, reason: &str| -> Vec<Value> {
        let events = api.list("/api/v1/namespaces/default/events");
        let is_it = |event: &Value| event["reason"] == reason;
        events.into_iter().filter(is_it).collect()
    };
    api.wait("both are told", LIMIT, |api| {
        of(api, "Scheduled").len() == 1 && !of(api, "FailedScheduling").is_empty()
    });
    let event = of(&api, "Scheduled").remove(0);
    let node = api.get("/api/v1/namespaces/default/pods/pod-00001")["spec"]["nodeName"].clone();
    let node = node.as_str().expect("it is bound");
    for (field, expected) in [
        (
            "message",
            json!(format!("Successfully assigned default/pod-00001 to {node}")),
        ),
        ("source", json!({"component": "default-scheduler"})),
        ("reportingComponent", json!("default-scheduler")),
        ("type", json!("Normal")),
        ("count", json!(1)),
    ] {
        assert_eq!(event[field], expected, "{field}: {}", scheduler.log());
    }
    assert!(event["firstTimestamp"].is_string(), "{event}");
    assert_eq!(event["involvedObject"]["name"], "pod-00001");
    // Looked at every 30 s, so the pod is tried again without a reason, and fails in the same way.
    api.wait(
        "a later failure is counted",
        Duration::from_secs(150),
        |api| {
            of(api, "FailedScheduling")
                .iter()
                .any(|event| event["count"] == 2)
        },
    );
}

const LIMIT: Duration = Duration::from_secs(60);
