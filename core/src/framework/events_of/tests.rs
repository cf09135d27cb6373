use alloc::string::ToString;
use alloc::vec::Vec;

use crate::api::{
    Condition, ContainerStatus, Node, Pod, PodExtendedResourceClaimStatus, PodResourceClaimStatus,
    PodSchedulingGate, Quantity, Taint, Time, Toleration,
};

use super::{is_pod_updated, node_update, pod_update};

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

#[test]
fn a_sidecar_that_asks_for_less_is_a_scale_down() {
    let mut old = pod();
    old.spec.init_containers = old.spec.containers.clone();
    old.spec.init_containers[0].restart_policy = Some("Always".into());
    let mut new = old.clone();
    let requests = &mut new.spec.init_containers[0].resources.requests;
    requests.insert("cpu".into(), Quantity::parse("1").unwrap());
    let expected = ["UnschedulablePodUpdatePodScaleDown"];
    assert_eq!(labels(pod_update(&old, &new)), expected);
}

#[test]
fn a_request_that_is_gone_is_a_scale_down() {
    let old = pod();
    let mut new = old.clone();
    new.spec.node_name = "n".into();
    new.spec.containers[0].resources.requests.clear();
    assert_eq!(
        labels(pod_update(&old, &new)),
        ["AssignedPodUpdatePodScaleDown"]
    );
}

#[test]
fn what_is_still_in_force_is_no_scale_down() {
    let mut old = pod();
    let mut new = pod();
    new.spec.containers[0].name = "main".into();
    old.spec.containers[0].name = "main".into();
    let requests = &mut new.spec.containers[0].resources.requests;
    requests.insert("cpu".into(), Quantity::parse("1").unwrap());
    new.status.container_statuses.push(ContainerStatus {
        name: "main".into(),
        resources: Some(old.spec.containers[0].resources.clone()),
        ..ContainerStatus::default()
    });
    assert_eq!(labels(pod_update(&old, &new)), ["UnschedulablePodUpdate"]);
}

#[test]
fn other_claims_are_an_event_and_so_is_their_order() {
    let status = |name: &str| PodResourceClaimStatus {
        name: name.into(),
        resource_claim_name: None,
    };
    let mut old = pod();
    old.status.resource_claim_statuses = [status("a"), status("b")].to_vec();
    let mut new = old.clone();
    new.status.resource_claim_statuses.reverse();
    let expected = ["UnschedulablePodUpdatePodGeneratedResourceClaim"];
    assert_eq!(labels(pod_update(&old, &new)), expected);
    new = old.clone();
    new.status.extended_resource_claim_status = Some(PodExtendedResourceClaimStatus::default());
    assert_eq!(labels(pod_update(&old, &new)), expected);
}

#[test]
fn a_toleration_that_only_changed_is_a_general_update() {
    let mut old = pod();
    old.spec.tolerations.push(Toleration::default());
    let mut new = old.clone();
    new.spec.tolerations[0].key = "k".into();
    assert_eq!(labels(pod_update(&old, &new)), ["UnschedulablePodUpdate"]);
}

#[test]
fn a_node_update_makes_one_event_for_each_kind_of_change_in_order() {
    let old = Node::default();
    let mut new = Node::default();
    let amount = Quantity::parse("1").unwrap();
    new.status.allocatable.insert("cpu".into(), amount);
    new.metadata.labels.insert("a".into(), "b".into());
    new.spec.taints.push(Taint::default());
    new.status.conditions.push(Condition::default());
    new.metadata.annotations.insert("a".into(), "b".into());
    new.status.declared_features.push("f".into());
    let expected = [
        "NodeUpdateNodeAllocatable",
        "NodeUpdateNodeLabel",
        "NodeUpdateNodeTaint",
        "NodeUpdateNodeCondition",
        "NodeUpdateNodeAnnotation",
        "NodeUpdateNodeDeclaredFeature",
    ];
    assert_eq!(labels(node_update(&old, &new)), expected);
}

#[test]
fn a_heartbeat_and_a_cordon_are_no_events() {
    let mut old = Node::default();
    old.status.conditions.push(Condition::default());
    let mut new = old.clone();
    new.status.conditions[0].message = "still here".into();
    new.status.conditions[0].last_transition_time = Some(Time::from_micros(1));
    new.spec.unschedulable = true;
    assert!(node_update(&old, &new).is_empty());
    new.status.conditions[0].status = "False".into();
    assert_eq!(labels(node_update(&old, &new)), ["NodeUpdateNodeCondition"]);
}

#[test]
fn what_servers_write_is_no_real_change_of_a_pod() {
    let old = pod();
    let mut new = old.clone();
    new.metadata.resource_version = "2".into();
    new.metadata.generation = 2;
    new.metadata.finalizers.push("f".into());
    new.status.phase = "Pending".into();
    assert!(!is_pod_updated(&old, &new));
    new.status
        .resource_claim_statuses
        .push(PodResourceClaimStatus::default());
    assert!(is_pod_updated(&old, &new));
    new = old.clone();
    new.spec.scheduling_gates.pop();
    assert!(is_pod_updated(&old, &new));
}
