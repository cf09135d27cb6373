use alloc::string::ToString;
use alloc::vec::Vec;

use crate::api::{Node, Pod, PodSchedulingGate, Quantity, Taint, Toleration};

use super::{node_update, pod_update};

fn labels<T>(events: Vec<T>) -> Vec<alloc::string::String>
where
    T: ToString,
{
    events.iter().map(ToString::to_string).collect()
}

fn pod() -> Pod {
    let mut pod = Pod::default();
    pod.metadata.labels.insert("app".into(), "web".into());
    pod.spec.scheduling_gates = ["a", "b"]
        .map(|name| PodSchedulingGate { name: name.into() })
        .to_vec();
    pod.spec.containers.push(crate::api::Container::default());
    pod.spec.containers[0]
        .resources
        .requests
        .insert("cpu".into(), Quantity::parse("2").unwrap());
    pod
}

#[test]
fn a_pod_update_makes_one_event_for_each_kind_of_change_in_order() {
    let old = pod();
    let mut new = old.clone();
    new.metadata.labels.clear();
    new.spec.containers[0]
        .resources
        .requests
        .insert("cpu".into(), Quantity::parse("1").unwrap());
    new.spec.scheduling_gates.clear();
    new.spec.tolerations.push(Toleration::default());
    assert_eq!(
        labels(pod_update(&old, &new)),
        [
            "UnschedulablePodUpdatePodLabel",
            "UnschedulablePodUpdatePodScaleDown",
            "UnschedulablePodUpdatePodSchedulingGatesEliminated",
            "UnschedulablePodUpdatePodToleration",
        ]
    );
}

#[test]
fn lifting_one_of_several_gates_is_only_a_general_update() {
    let old = pod();
    let mut new = old.clone();
    new.spec.scheduling_gates.pop();
    assert_eq!(labels(pod_update(&old, &new)), ["UnschedulablePodUpdate"]);
    new.spec.node_name = "n".into();
    assert_eq!(labels(pod_update(&old, &new)), ["AssignedPodUpdate"]);
}

#[test]
fn asking_for_more_is_no_scale_down() {
    let old = pod();
    let mut new = old.clone();
    new.spec.containers[0]
        .resources
        .requests
        .insert("cpu".into(), Quantity::parse("3").unwrap());
    assert_eq!(labels(pod_update(&old, &new)), ["UnschedulablePodUpdate"]);
}

#[test]
fn uncordoning_a_node_that_also_loses_its_taint_makes_two_taint_events() {
    let mut old = Node::default();
    old.spec.unschedulable = true;
    old.spec.taints.push(Taint::default());
    let new = Node::default();
    assert_eq!(
        labels(node_update(&old, &new)),
        ["NodeUpdateNodeTaint", "NodeUpdateNodeTaint"]
    );
    assert!(node_update(&new, &new.clone()).is_empty());
}

#[test]
fn an_equal_amount_written_otherwise_is_no_change() {
    let mut old = Node::default();
    old.status
        .allocatable
        .insert("cpu".into(), Quantity::parse("1").unwrap());
    let mut new = old.clone();
    new.status
        .allocatable
        .insert("cpu".into(), Quantity::parse("1000m").unwrap());
    assert!(node_update(&old, &new).is_empty());
}
