//! What becomes of an object when it is patched.

use alloc::string::ToString;

use serde_json::{Value, json};

use super::strategic_merge;

#[track_caller]
fn check(before: Value, patch: Value, after: Value) {
    let mut value = before;
    strategic_merge(&mut value, &patch).unwrap();
    assert_eq!(value, after);
}

#[test]
fn objects_merge_and_null_deletes() {
    check(
        json!({"spec": {"a": 1, "b": 2}}),
        json!({"spec": {"b": null, "c": {"d": null, "e": 1}}}),
        json!({"spec": {"a": 1, "c": {"e": 1}}}),
    );
}

#[test]
fn containers_merge_by_name_and_new_ones_come_last() {
    check(
        json!({"spec": {"containers": [{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]}}),
        json!({"spec": {"containers": [{"name": "c", "image": "3"}, {"name": "b", "image": "2"}]}}),
        json!({"spec": {"containers": [{"name": "a", "image": "1"}, {"name": "b", "image": "2"}, {"name": "c", "image": "3"}]}}),
    );
}

#[test]
fn an_element_is_deleted_by_its_key() {
    check(
        json!({"spec": {"schedulingGates": [{"name": "a"}, {"name": "b"}]}}),
        json!({"spec": {"schedulingGates": [{"$patch": "delete", "name": "a"}]}}),
        json!({"spec": {"schedulingGates": [{"name": "b"}]}}),
    );
    check(
        json!({"spec": {}}),
        json!({"spec": {"schedulingGates": [{"$patch": "delete", "name": "a"}]}}),
        json!({"spec": {"schedulingGates": []}}),
    );
}

#[test]
fn taints_are_replaced_because_they_have_no_merge_key() {
    check(
        json!({"spec": {"taints": [{"key": "a"}, {"key": "b"}]}}),
        json!({"spec": {"taints": [{"key": "c"}]}}),
        json!({"spec": {"taints": [{"key": "c"}]}}),
    );
}

#[test]
fn replace_switches_merging_off() {
    check(
        json!({"spec": {"nodeSelector": {"a": "1"}}}),
        json!({"spec": {"nodeSelector": {"$patch": "replace", "b": "2"}}}),
        json!({"spec": {"nodeSelector": {"b": "2"}}}),
    );
    check(
        json!({"status": {"conditions": [{"type": "A"}, {"type": "B"}]}}),
        json!({"status": {"conditions": [{"$patch": "replace"}, {"type": "C"}]}}),
        json!({"status": {"conditions": [{"type": "C"}]}}),
    );
}

#[test]
fn finalizers_are_a_set_from_which_elements_can_be_taken() {
    check(
        json!({"metadata": {"finalizers": ["a", "b"]}}),
        json!({"metadata": {"finalizers": ["b", "c"]}}),
        json!({"metadata": {"finalizers": ["a", "b", "c"]}}),
    );
    check(
        json!({"metadata": {"finalizers": ["a", "b"]}}),
        json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}}),
        json!({"metadata": {"finalizers": ["b"]}}),
    );
}

#[test]
fn what_cannot_be_merged_is_refused_with_its_place() {
    let refuse = |patch: Value| {
        let mut value =
            json!({"spec": {"containers": [{"name": "a"}], "nodeSelector": {"a": "1"}}});
        strategic_merge(&mut value, &patch).unwrap_err()
    };
    let fault = refuse(json!({"spec": {"containers": [{"image": "1"}]}}));
    assert_eq!(fault.path.to_string(), "spec.containers[0]");
    let fault = refuse(json!({"spec": {"nodeSelector": {"$patch": "drop"}}}));
    assert_eq!(fault.path.to_string(), "spec.nodeSelector[$patch]");
}
