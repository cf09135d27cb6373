use alloc::string::String;
use alloc::vec;

use serde_json::{Value, json};

use super::super::ask::{Cut, Whose};
use super::super::change::Change;
use super::amended;

fn tolerate() -> Change {
    Change::Tolerate {
        key: String::from("gpu"),
    }
}

fn check(object: Value, changes: &[Change], place: &str, expected: Value) {
    let mut whole = object.clone();
    let found = amended(&object, changes).expect("it holds a pod's spec");
    assert_eq!(found.pointer(place), Some(&expected));
    // Nothing else differs.
    let (parent, key) = place.rsplit_once('/').expect("it is a pointer");
    whole.pointer_mut(parent).expect("it is there")[key] = expected;
    assert_eq!(found, whole);
}

#[test]
fn a_toleration_is_added_and_what_nobody_knows_stays() {
    let pod = json!({"kind": "Pod", "spec": {"unknown": 1, "tolerations": [{"key": "a", "extra": true}]}});
    let tolerations = json!([{"key": "a", "extra": true}, {"key": "gpu", "operator": "Exists"}]);
    check(pod, &[tolerate()], "/spec/tolerations", tolerations);
}

#[test]
fn a_template_is_changed_where_it_stands() {
    let template = json!({"spec": {"containers": []}});
    let added = json!([{"key": "gpu", "operator": "Exists"}]);
    for (object, place) in [
        (
            json!({"kind": "Deployment", "spec": {"replicas": 3, "template": template}}),
            "/spec/template/spec/tolerations",
        ),
        (
            json!({"kind": "CronJob", "spec": {"jobTemplate": {"spec": {"template": template}}}}),
            "/spec/jobTemplate/spec/template/spec/tolerations",
        ),
        (
            json!({"group": {"count": 2}, "template": {"kind": "Pod", "spec": {}}}),
            "/template/spec/tolerations",
        ),
    ] {
        check(object, &[tolerate()], place, added.clone());
    }
    assert_eq!(amended(&json!({"kind": "Node"}), &[tolerate()]), None);
}

#[test]
fn a_request_is_changed_in_its_container_alone() {
    let pod = json!({"kind": "Pod", "spec": {"containers": [
        {"name": "a", "image": "x", "resources": {"requests": {"cpu": 0.5, "memory": "1Gi"}}},
        {"name": "b", "command": ["sleep"], "resources": {"limits": {"cpu": "2"}}},
    ]}});
    let less = Change::Ask {
        resource: String::from("cpu"),
        from: 2500,
        to: 1500,
        cuts: vec![Cut {
            whose: Whose::Container(String::from("b")),
            from: 2000,
            to: 1000,
        }],
    };
    let resources = json!({"limits": {"cpu": "2"}, "requests": {"cpu": "1"}});
    check(pod, &[less], "/spec/containers/1/resources", resources);
}
