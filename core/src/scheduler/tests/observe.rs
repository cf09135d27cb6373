use alloc::vec::Vec;

use serde_json::json;

use crate::api::{Kind, ObjectKey};
use crate::config::{Configuration, Gate, Gates};
use crate::framework::trace::{Place, Record};
use crate::make::{node, pod};
use crate::snapshot::PodRef;
use crate::time::Span;

use super::host::{Host, plain_node, scripted};

fn full_node() -> Host {
    let mut host = Host::new(Configuration::default());
    host.apply(node("n1").cpu("1").memory("1Gi").pods(110).build());
    host.apply(pod("holder").cpu("1").node("n1").build());
    host.apply(pod("p").cpu("1").build());
    host.schedule();
    host
}

fn p() -> PodRef {
    PodRef::of(&pod("p").build())
}

#[test]
fn a_pod_that_leaves_its_node_wakes_those_that_wait_for_room() {
    let mut host = full_node();
    assert_eq!(host.place(&p()), Place::Unschedulable);
    host.delete(ObjectKey::new(Kind::Pod, "default", "holder"));
    assert_eq!(host.place(&p()), Place::Backoff);
}

#[test]
fn a_pod_that_finishes_counts_as_gone() {
    let mut host = full_node();
    host.apply(pod("holder").cpu("1").node("n1").phase("Succeeded").build());
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
    assert_eq!(host.place(&p()), Place::Backoff);
}

#[test]
fn a_pod_that_somebody_else_bound_leaves_the_queue() {
    let mut host = full_node();
    host.apply(pod("p").cpu("1").node("n1").build());
    assert_eq!(host.place(&p()), Place::Nowhere);
    assert_eq!(host.scheduler.cache().sizes().pods, 2);
}

#[test]
fn pods_of_other_schedulers_are_counted_and_never_touched() {
    let mut host = Host::new(Configuration::default()).with_nodes(&["n1"]);
    host.apply(pod("theirs").scheduler("another").build());
    host.schedule();
    assert!(host.bindings().is_empty());
    host.apply(pod("theirs").scheduler("another").node("n1").build());
    assert_eq!(host.scheduler.cache().sizes().pods, 1);
}

#[test]
fn a_new_node_wakes_only_what_could_fit_on_it() {
    let mut host = full_node();
    host.apply(node("small").cpu("500m").memory("1Gi").pods(110).build());
    assert_eq!(host.place(&p()), Place::Unschedulable);
    host.apply(plain_node("large"));
    assert_eq!(host.place(&p()), Place::Backoff);
    host.wait(Span::from_secs(3));
    host.schedule();
    assert_eq!(host.bindings().len(), 1);
}

#[test]
fn an_update_that_changes_nothing_a_pod_waits_for_moves_nobody() {
    let mut host = full_node();
    host.apply(
        node("n1")
            .cpu("1")
            .memory("1Gi")
            .pods(110)
            .with(|node| {
                node.metadata.resource_version = "again".into();
            })
            .build(),
    );
    assert_eq!(host.place(&p()), Place::Unschedulable);
}

#[test]
fn a_deleted_node_is_announced_before_the_cache_forgets_it() {
    let mut host = scripted(&[("A", json!({}))]).with_nodes(&["n1", "n2"]);
    host.delete(ObjectKey::new(Kind::Node, "", "n1"));
    host.add_pod("p");
    host.schedule();
    let nodes: Vec<_> = host.bindings().into_iter().map(|(_, node)| node).collect();
    assert_eq!(nodes, ["n2"]);
}

#[test]
fn what_was_observed_is_told_with_the_events_it_made() {
    let host = full_node();
    let events: Vec<_> = host
        .records
        .iter()
        .filter_map(|(_, record)| match record {
            Record::Observed { events, .. } => Some(
                events
                    .iter()
                    .map(alloc::string::ToString::to_string)
                    .collect(),
            ),
            _ => None,
        })
        .collect::<Vec<Vec<_>>>();
    assert_eq!(
        events,
        [["NodeAdd"], ["AssignedPodAdd"], ["UnschedulablePodAdd"]]
    );
}

#[test]
fn deleting_a_waiting_pod_forgets_it() {
    let mut host = full_node();
    host.delete(ObjectKey::new(Kind::Pod, "default", "p"));
    assert_eq!(host.place(&p()), Place::Nowhere);
    host.wait(Span::from_secs(400));
    assert!(!host.scheduler.has_work());
}

/// A host whose plugins are not asked about events, as in 1.33 at the latest.
fn without_hints() -> Host {
    let gates = Gates::default().with(Gate::SchedulerQueueingHints, false);
    let mut host = Host::new(Configuration::for_gates(gates));
    host.apply(node("n1").cpu("1").memory("1Gi").pods(110).build());
    host.apply(pod("holder").cpu("1").node("n1").build());
    host
}

#[test]
fn with_hints_off_a_node_moves_only_pods_that_it_could_take() {
    let check = |wanting: crate::make::PodBuilder, new: crate::make::NodeBuilder, moves: bool| {
        let mut host = without_hints();
        let wanting = wanting.build();
        let reference = PodRef::of(&wanting);
        host.apply(wanting);
        host.schedule();
        assert_eq!(host.place(&reference), Place::Unschedulable);
        host.apply(new.build());
        assert_eq!(host.place(&reference) != Place::Unschedulable, moves);
    };
    let large = || node("n2").cpu("4").memory("8Gi").pods(110);
    let wanting = || pod("p").cpu("1");
    check(wanting(), large(), true);
    check(wanting(), large().cpu("500m"), false);
    check(wanting(), large().pods(0), false);
    check(wanting(), large().taint("a", "b", "NoSchedule"), false);
    check(wanting(), large().taint("a", "b", "PreferNoSchedule"), true);
    check(wanting().node_selector("disk", "ssd"), large(), false);
    check(
        wanting().node_selector("disk", "ssd"),
        large().label("disk", "ssd"),
        true,
    );
    check(wanting().request("example.com/gpu", "1"), large(), false);
}

#[test]
fn with_hints_off_only_classes_that_wait_for_a_consumer_move_pods() {
    let moves = |mode: &str| {
        let mut host = without_hints();
        let claim = pod("p").claim("data").build();
        let reference = PodRef::of(&claim);
        host.apply(claim);
        let claim = crate::api::PersistentVolumeClaim {
            metadata: crate::api::ObjectMeta::namespaced("default", "data"),
            ..Default::default()
        };
        host.apply(claim);
        host.schedule();
        assert_eq!(host.place(&reference), Place::Unschedulable);
        host.apply(crate::api::StorageClass {
            metadata: crate::api::ObjectMeta::named("fast"),
            volume_binding_mode: Some(mode.into()),
            ..Default::default()
        });
        host.place(&reference) != Place::Unschedulable
    };
    assert!(!moves("Immediate"));
    assert!(moves("WaitForFirstConsumer"));
}

#[test]
fn each_delivery_about_a_waiting_pod_is_measured() {
    let mut host = full_node();
    host.apply(pod("p").cpu("1").label("a", "b").build());
    host.delete(ObjectKey::new(Kind::Pod, "default", "p"));
    assert_eq!(
        host.metric_labels("event_handling_duration_seconds", "event", None),
        [
            "NodeAdd",
            "AssignedPodAdd",
            "UnschedulablePodAdd",
            "UnschedulablePodUpdate",
            "UnschedulablePodDelete"
        ]
    );
}

#[test]
fn a_waiting_pod_that_gets_its_node_is_measured_as_one_that_came_and_one_that_went() {
    let mut host = Host::new(Configuration::default());
    host.apply(node("n1").cpu("2").build());
    host.apply(pod("p").build());
    host.apply(pod("p").node("n1").build());
    host.apply(pod("p").node("n1").label("a", "b").build());
    assert_eq!(
        host.metric_labels("event_handling_duration_seconds", "event", None),
        [
            "NodeAdd",
            "UnschedulablePodAdd",
            "AssignedPodAdd",
            "UnschedulablePodDelete",
            "AssignedPodUpdatePodLabel",
            "AssignedPodUpdate",
        ]
    );
}

#[test]
fn requests_of_the_pod_as_a_whole_count_only_while_their_gate_is_on() {
    let fits = |is_on: bool| {
        let gates = Gates::default().with(Gate::PodLevelResources, is_on);
        let mut host = Host::new(Configuration::for_gates(gates));
        host.apply(node("n1").cpu("2").memory("4Gi").pods(110).build());
        let whole = |name: &str| {
            pod(name).with(|pod| {
                pod.spec.resources = Some(crate::api::ResourceRequirements {
                    requests: crate::make::resources(&[("cpu", "2")]),
                    ..Default::default()
                });
            })
        };
        host.apply(whole("there").node("n1").build());
        host.apply(whole("p").build());
        host.schedule();
        host.bindings().len() == 1
    };
    assert!(!fits(true));
    assert!(fits(false));
}
