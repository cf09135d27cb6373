use alloc::string::String;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Observer, Place, Record};
use crate::make;
use crate::queue::QueueCall;
use crate::time::Timestamp;

use super::world::{FIT, SILENT, VOLUMES, World, call};

#[test]
fn the_life_of_a_pod_is_told_move_by_move() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    let info = world.pop_the("p");
    world.fail(info, &[]);
    world.run_until(2_000);
    world.pop_the("p");
    world.done(&pod);
    world.delete(&pod);
    let told: Vec<_> = world
        .moves()
        .into_iter()
        .map(|(_, from, to, cause)| (from, to, cause))
        .collect();
    let expected = [
        (Place::Nowhere, Place::Active, MoveCause::Created),
        (Place::Active, Place::InFlight, MoveCause::Popped),
        (
            Place::InFlight,
            Place::ErrorBackoff,
            MoveCause::AttemptFailed,
        ),
        (
            Place::ErrorBackoff,
            Place::Active,
            MoveCause::BackoffComplete,
        ),
        (Place::Active, Place::InFlight, MoveCause::Popped),
        (Place::InFlight, Place::Nowhere, MoveCause::Done),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_move_says_how_often_the_pod_was_tried_and_when_its_backoff_is_over() {
    let mut world = World::new();
    world.at(10_400).add_named("p");
    let info = world.pop_the("p");
    world.records.clear();
    world.fail(info, &[]);
    let told = world.records.iter().find_map(|(_, record)| match record {
        Record::Moved {
            attempts,
            backoff_until,
            ..
        } => Some((*attempts, *backoff_until)),
        _ => None,
    });
    assert_eq!(told, Some((1, Some(Timestamp::from_secs(11)))));
}

#[test]
fn the_gauges_follow_every_move() {
    let mut world = World::new();
    let name = "pending_pods";
    world.add_named("p");
    assert_eq!(world.metrics(name), ["active 1"]);
    let info = world.pop_the("p");
    assert_eq!(world.metrics(name), ["active -1"]);
    world.fail(info, &[FIT]);
    assert_eq!(world.metrics(name), ["unschedulable 1"]);
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics(name), ["unschedulable -1", "backoff 1"]);
    let info = world.pop_the("p");
    assert_eq!(world.metrics(name), ["backoff -1"]);
    world.fail(info, &[]);
    assert_eq!(world.metrics(name), ["backoff 1"]);
}

#[test]
fn gated_and_unschedulable_pods_have_a_gauge_each() {
    let mut world = World::new();
    let name = "pending_pods";
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.update(&pod, &make::pod("p").label("gate.GateA", "yes").build());
    world.metrics(name);
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics(name), ["unschedulable -1", "gated 1"]);
}

#[test]
fn every_true_insert_counts_as_incoming() {
    let mut world = World::new();
    let name = "queue_incoming_pods_total";
    let pod = make::pod("p").build();
    world.add(&pod);
    assert_eq!(world.metrics(name), ["active UnschedulablePodAdd 1"]);
    world.update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(world.metrics(name).len(), 0, "it was there");
    let info = world.pop_the("p");
    world.fail(info, &[FIT]);
    assert_eq!(
        world.metrics(name),
        ["unschedulable ScheduleAttemptFailure 1"]
    );
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics(name), ["backoff NodeAdd 1"]);
    let info = world.pop_the("p");
    assert_eq!(world.metrics(name), ["active PopFromBackoffQ 1"]);
    world.fail(info, &[]);
    assert_eq!(world.metrics(name), ["backoff ScheduleAttemptFailure 1"]);
    world.run_until(5_000);
    assert_eq!(world.metrics(name), ["active BackoffComplete 1"]);
}

#[test]
fn a_gated_pod_counts_as_incoming_with_the_event_that_brought_it() {
    let mut world = World::new();
    world.add(&make::pod("p").label("gate.GateA", "yes").build());
    let incoming = world.metrics("queue_incoming_pods_total");
    assert_eq!(incoming, ["unschedulable UnschedulablePodAdd 1"]);
}

#[test]
fn each_rejector_counts_while_the_pod_waits_for_it() {
    let mut world = World::new();
    let name = "unschedulable_pods";
    world.add_named("p");
    let info = world.pop_the("p");
    world.records.clear();
    world.fail_pending(info, &[FIT], &[VOLUMES]);
    let up = ["Fit default-scheduler 1", "Volumes default-scheduler 1"];
    assert_eq!(world.metrics(name), up);
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics(name).len(), 0, "a move is no end of it");
    world.pop_the("p");
    let down = ["Fit default-scheduler -1", "Volumes default-scheduler -1"];
    assert_eq!(world.metrics(name), down);
}

#[test]
fn events_are_counted_while_they_are_kept() {
    let mut world = World::new();
    let name = "inflight_events";
    let pod = make::pod("p").build();
    world.add(&pod);
    world.pop_the("p");
    assert_eq!(world.metrics(name), ["PodPopped 1"]);
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics(name), ["NodeAdd 1"]);
    world.done(&pod);
    assert_eq!(world.metrics(name), ["PodPopped -1", "NodeAdd -1"]);
}

#[test]
fn the_summary_counts_both_backoffs_and_gated_pods() {
    let mut world = World::new();
    world.add_named("error");
    let info = world.pop_the("error");
    world.fail(info, &[]);
    world.park_named("backing-off", &[FIT]);
    world.node_comes(&[FIT]);
    world.add_named("active");
    let info = world.pop_the("active");
    world.fail(info, &[SILENT]);
    world.add(&make::pod("gated").label("gate.GateA", "yes").build());
    world.add_named("active-too");
    let (pods, summary) = world.queue.pending_pods();
    assert_eq!(summary, "activeQ:1; backoffQ:2; unschedulablePods:2");
    let names: Vec<String> = pods
        .iter()
        .map(|pod| String::from(&*pod.reference.name))
        .collect();
    assert_eq!(
        names,
        ["active-too", "backing-off", "error", "active", "gated"]
    );
}

/// An observer that would be told nothing: it panics when it is.
struct Deaf;

impl Observer for Deaf {
    const IS_LISTENING: bool = false;

    fn record(&mut self, _: Timestamp, record: Record) {
        panic!("{record:?}");
    }
}

#[test]
fn nothing_is_told_to_those_who_do_not_listen() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    let mut call = QueueCall {
        now: world.now,
        profiles: &world.profiles,
        listers: &world.listers,
        memory: &world.memory,
        observer: &mut Deaf,
    };
    let node = super::world::node_that_helps(&[FIT]);
    let event = super::world::NODE_ADD;
    world
        .queue
        .move_all_to_active_or_backoff_queue(&mut call, event, None, Some(&node), None);
    assert!(world.queue.pop(&mut call).is_some());
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    let mut fork = world.clone();
    fork.run_until(330_000);
    assert_eq!(fork.place("p"), Place::Active);
    assert_eq!(world.place("p"), Place::Unschedulable);
    call!(&mut world, activate, &[super::world::reference("p")]);
    assert!(!world.info("p").was_flushed_from_unschedulable);
}
