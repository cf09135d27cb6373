use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cluster_event::{ActionType, ClusterEvent, EventResource};
use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::snapshot::PodRef;

use super::world::{
    CURIOUS, FIT, SILENT, SPREAD, VOLUMES, World, call, reference, without_hints,
    without_popping_from_backoff,
};

#[test]
fn an_update_in_active_q_keeps_the_place_and_takes_the_new_priority() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add_named("q");
    world.add(&pod);
    world.moves();
    world.update(&pod, &make::pod("p").priority(5).build());
    assert_eq!(world.moves(), []);
    world.pop_the("p");
}

#[test]
fn an_update_in_backoff_q_takes_the_new_priority_and_never_leaves() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park_named("q", &[FIT]);
    world.park(&pod, &[FIT]);
    world.node_comes(&[FIT]);
    world.update(
        &pod,
        &make::pod("p").priority(5).label("hint.Fit", "self").build(),
    );
    assert_eq!(world.place("p"), Place::Backoff);
    world.pop_the("p");
}

#[test]
fn an_update_that_could_help_moves_a_parked_pod() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.moves();
    world
        .at(5_000)
        .update(&pod, &make::pod("p").label("hint.Fit", "self").build());
    let event = ClusterEvent::new(
        EventResource::UnschedulablePod,
        ActionType::UPDATE_POD_LABEL,
    );
    let cause = MoveCause::Updated {
        event,
        plugin: Some(FIT),
    };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Unschedulable, Place::Active, cause)]
    );
}

#[test]
fn an_update_moves_a_parked_pod_to_backoff_while_it_backs_off() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.update(&pod, &make::pod("p").label("hint.Fit", "self").build());
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn an_update_that_cannot_help_leaves_a_parked_pod_with_its_new_version() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    let new = make::pod("p").label("a", "b").build();
    world.update(&pod, &new);
    assert_eq!(world.place("p"), Place::Unschedulable);
    assert!(Arc::ptr_eq(&world.info("p").pod.pod, &new));
}

#[test]
fn the_first_event_of_an_update_that_moves_the_pod_is_the_last_that_is_asked_about() {
    let mut world = World::new();
    let pod = make::pod("p").cpu("2").build();
    world.park(&pod, &[FIT]);
    world.records.clear();
    let new = make::pod("p").cpu("1").label("hint.Fit", "self").build();
    world.update(&pod, &new);
    let hints = world.metrics("queueing_hint_execution_duration_seconds");
    assert_eq!(hints, ["Fit UnschedulablePodUpdatePodLabel Queue 0s"]);
}

#[test]
fn with_popping_from_backoff_off_every_event_of_an_update_is_asked_about() {
    let mut world = World::with(without_popping_from_backoff());
    let pod = make::pod("p").cpu("2").build();
    world.park(&pod, &[FIT]);
    world.records.clear();
    let new = make::pod("p").cpu("1").label("hint.Fit", "self").build();
    world.update(&pod, &new);
    assert_eq!(
        world
            .metrics("queueing_hint_execution_duration_seconds")
            .len(),
        2
    );
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn an_update_of_a_pod_in_flight_counts_when_it_comes_back() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    let info = world.pop_the("p");
    world.update(&pod, &make::pod("p").label("hint.Fit", "self").build());
    assert_eq!(world.place("p"), Place::InFlight);
    world.fail(info, &[FIT]);
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn an_update_of_a_pod_in_flight_is_heard_by_others_in_flight() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    world.add_named("q");
    world.pop_the("p");
    let info = world.pop_the("q");
    world.update(&pod, &make::pod("p").label("a", "b").build());
    world.fail(info, &[SPREAD]);
    assert_eq!(world.place("q"), Place::Backoff);
}

#[test]
fn an_update_of_an_unknown_pod_adds_it() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.update(&pod, &make::pod("p").label("a", "b").build());
    let event = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
    let cause = MoveCause::Updated {
        event,
        plugin: None,
    };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Nowhere, Place::Active, cause)]
    );
}

#[test]
fn a_new_version_keeps_what_was_read_from_the_old_one() {
    let mut world = World::new();
    let pod = make::pod("p").cpu("2").build();
    world.add(&pod);
    world.update(&pod, &make::pod("p").cpu("1").build());
    assert_eq!(world.info("p").pod.requests.milli_cpu, 2_000);
    let other = make::pod("p").uid("other").cpu("1").build();
    world.update(&pod, &other);
    assert_eq!(world.info("p").pod.requests.milli_cpu, 1_000);
}

#[test]
fn adding_a_parked_pod_again_moves_it_to_active_q() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.add_named("p");
    assert_eq!(world.place("p"), Place::Active);
    assert_eq!(world.queue.unschedulable_pods().count(), 0);
}

#[test]
fn a_recreated_pod_takes_the_place_of_its_name() {
    let mut world = World::new();
    world.add_named("p");
    world.moves();
    let again = make::pod("p").uid("second").build();
    world.add(&again);
    assert_eq!(world.place("p"), Place::Nowhere);
    assert_eq!(world.queue.place_of(&PodRef::of(&again)), Place::Active);
    let told: Vec<_> = world
        .moves()
        .into_iter()
        .map(|(_, from, to, _)| (from, to))
        .collect();
    assert_eq!(
        told,
        [
            (Place::Active, Place::Nowhere),
            (Place::Nowhere, Place::Active)
        ]
    );
}

#[test]
fn a_recreated_pod_and_its_predecessor_in_flight_are_two() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    world.pop_the("p");
    world.delete(&pod);
    let again = make::pod("p").uid("second").build();
    world.add(&again);
    assert_eq!(world.place("p"), Place::InFlight);
    assert_eq!(world.queue.place_of(&PodRef::of(&again)), Place::Active);
    world.pop_the("p");
    assert_eq!(world.queue.in_flight_pods().count(), 2);
}

#[test]
fn deleting_takes_a_pod_out_of_wherever_it_waits() {
    let mut world = World::new();
    let pods = ["parked", "backing-off", "error", "active", "gated"].map(|name| {
        let pod = make::pod(name);
        let pod = match name {
            "gated" => pod.label("gate.GateA", "yes"),
            _ => pod,
        };
        pod.build()
    });
    world.park(&pods[1], &[FIT]);
    world.node_comes(&[FIT]);
    world.add(&pods[2]);
    let info = world.pop_the("error");
    world.fail(info, &[]);
    world.park(&pods[0], &[VOLUMES, FIT]);
    world.add(&pods[3]);
    world.add(&pods[4]);
    world.records.clear();
    for pod in &pods {
        world.delete(pod);
        assert_eq!(world.place(&pod.metadata.name), Place::Nowhere);
    }
    let metrics = world.metrics("unschedulable_pods");
    let expected = [
        "Fit default-scheduler -1",
        "Volumes default-scheduler -1",
        "GateA default-scheduler -1",
    ];
    assert_eq!(metrics, expected);
    assert_eq!(
        world.queue.pending_pods().1,
        "activeQ:0; backoffQ:0; unschedulablePods:0"
    );
}

#[test]
fn deleting_a_pod_in_flight_leaves_it_in_flight() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    world.pop_the("p");
    world.delete(&pod);
    assert_eq!(world.place("p"), Place::InFlight);
    call!(&mut world, done, "default/p");
    assert_eq!(world.queue.place_of(&reference("p")), Place::Nowhere);
}

#[test]
fn with_hints_off_a_real_change_moves_a_parked_pod() {
    let mut world = World::with(without_hints());
    let pod = make::pod("p").build();
    world.park(&pod, &[SILENT]);
    let same = make::pod("p").with(|pod| {
        pod.metadata.resource_version = "7".into();
        pod.metadata.generation = 3;
        pod.metadata.finalizers.push("f".into());
        pod.status.reason = "why".into();
    });
    world.update(&pod, &same.build());
    assert_eq!(world.place("p"), Place::Unschedulable);
    world.update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn with_hints_off_a_real_change_moves_a_pod_to_active_q_after_its_backoff() {
    let mut world = World::with(without_hints());
    let pod = make::pod("p").build();
    world.park(&pod, &[SILENT]);
    world
        .at(2_000)
        .update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_general_update_wakes_whoever_registered_all_updates() {
    let mut world = World::new();
    let pod = make::pod("p").scheduler("other").build();
    world.park(&pod, &[CURIOUS]);
    let new = make::pod("p")
        .scheduler("other")
        .annotation("a", "b")
        .build();
    world.update(&pod, &new);
    assert_eq!(world.place("p"), Place::Backoff);
}
