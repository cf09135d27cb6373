//! A whole shop on a real server: every pod ends where the real scheduler put it, and says what it said.

use core::time::Duration;

use berth_core::api::decode::Text;
use berth_tests::cluster::{Api, ControlPlane, Scheduler, pass};
use berth_tests::root;
use serde_json::Value;

#[test]
fn the_shop_ends_as_with_the_real_scheduler() {
    // Nobody may make or collect pods; volumes that were chosen must be given.
    let plane = ControlPlane::start_with(Some("persistentvolume-binder-controller"));
    let Some(plane) = plane.filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    let folder = root().join("tests/real/shop");
    let text = std::fs::read(folder.join("cluster.yaml")).expect("the cluster is there");
    let text = Text::read("cluster.yaml", &text);
    let mut objects: Vec<Value> = Vec::new();
    for (_, document) in text.documents() {
        let mut value = document.to_json();
        match value["items"].take() {
            Value::Array(items) => objects.extend(items),
            _ => objects.push(value),
        }
    }
    let rank = |object: &Value| match object["kind"].as_str() {
        Some("Namespace" | "PriorityClass" | "StorageClass") => 0,
        Some("Pod") => 2,
        _ => 1,
    };
    // The sort is stable: within a rank the order of the file stands.
    objects.sort_by_key(rank);
    for object in objects {
        create(&api, object);
    }
    api.wait("volumes can be had", Duration::from_secs(60), |api| {
        let volumes = api.list("/api/v1/persistentvolumes");
        volumes
            .iter()
            .all(|volume| volume["status"]["phase"] == "Available")
    });
    let configuration = Scheduler::configuration(&plane, "parallelism: 1\n");
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    pass(Duration::from_secs(20));
    let expected = std::fs::read(folder.join("expect.json")).expect("the outcome is there");
    let expected: Value = serde_json::from_slice(&expected).expect("the outcome can be read");
    let events = api.list("/apis/events.k8s.io/v1/events");
    let mut differences = Vec::new();
    for (name, expected) in expected["pods"].as_object().expect("there are pods") {
        let (namespace, short) = name.split_once('/').expect("namespace/name");
        let path = format!("/api/v1/namespaces/{namespace}/pods/{short}");
        let pod = api.try_call("GET", &path, &Value::Null).unwrap_or_default();
        differences.extend(compare(name, &pod, expected, &events));
    }
    assert!(
        differences.is_empty(),
        "{}\n{}",
        differences.join("\n"),
        scheduler.log()
    );
}

/// Creates an object as the dump has it, without what only a server can say.
fn create(api: &Api, mut object: Value) {
    let metadata = object["metadata"]
        .as_object_mut()
        .expect("objects have metadata");
    for field in [
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "generation",
        "managedFields",
        "selfLink",
    ] {
        metadata.remove(field);
    }
    if object["kind"] == "Service" {
        object["spec"]
            .as_object_mut()
            .expect("services have a spec")
            .retain(|field, _| !field.contains("IP"));
    }
    let (kind, name) = (
        object["kind"].to_string(),
        object["metadata"]["name"].to_string(),
    );
    match api.try_call("POST", &Api::collection_of(&object), &object) {
        // Every cluster has some namespaces, classes and a service.
        Ok(_) | Err((409, _)) => {}
        Err((code, text)) => panic!("{kind} {name}: {code}: {text}"),
    }
}

fn compare(name: &str, pod: &Value, expected: &Value, events: &[Value]) -> Vec<String> {
    let mut differences = Vec::new();
    let mut expect = |what: &str, found: &Value, expected: &Value| {
        if found != expected {
            differences.push(format!("{name}: {what} is {found}, not {expected}"));
        }
    };
    expect("the node", &pod["spec"]["nodeName"], &expected["node"]);
    let conditions = pod["status"]["conditions"].as_array();
    let scheduled = conditions
        .into_iter()
        .flatten()
        .find(|condition| condition["type"] == "PodScheduled");
    let scheduled = scheduled.unwrap_or(&Value::Null);
    let about = |event: &&Value| {
        let regarding = &event["regarding"];
        *name
            == format!(
                "{}/{}",
                regarding["namespace"].as_str().unwrap_or_default(),
                regarding["name"].as_str().unwrap_or_default()
            )
    };
    let about: Vec<&Value> = events.iter().filter(about).collect();
    let preempted = about.iter().find(|event| event["reason"] == "Preempted");
    expect(
        "a preemption",
        &preempted.map_or(Value::Null, |event| event["note"].clone()),
        &Value::Null,
    );
    if expected["node"].is_null() {
        expect("the condition", &scheduled["status"], &"False".into());
        expect("the message", &scheduled["message"], &expected["message"]);
        expect("the reason", &scheduled["reason"], &expected["reason"]);
        let is_gated = expected["reason"] == "SchedulingGated";
        let says = |event: &&&Value| {
            event["reason"] == "FailedScheduling" && event["note"] == expected["message"]
        };
        let has_said = about.iter().any(|event| says(&event));
        expect(
            "an event with the message",
            &has_said.into(),
            &(!is_gated).into(),
        );
    } else {
        expect("the condition", &scheduled["status"], &"True".into());
        let note = format!(
            "Successfully assigned {name} to {}",
            expected["node"].as_str().unwrap_or_default()
        );
        let count = about
            .iter()
            .filter(|event| event["reason"] == "Scheduled" && event["note"] == note.as_str())
            .count();
        expect(
            "the number of events that it is scheduled",
            &count.into(),
            &1.into(),
        );
    }
    differences
}
