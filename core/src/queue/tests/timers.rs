use alloc::string::ToString;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::queue::QueueOptions;
use crate::time::Timestamp;

use super::world::{FIT, SILENT, World, call};

#[test]
fn an_empty_queue_asks_for_no_tick() {
    let mut world = World::new();
    assert_eq!(world.queue.next_deadline(), None);
    world.add_named("p");
    assert_eq!(world.queue.next_deadline(), None);
    world.pop_the("p");
    world.at(1_000_000).tick();
    assert_eq!(world.queue.next_deadline(), None);
}

#[test]
fn a_pod_leaves_unschedulable_pods_after_more_than_five_minutes() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.moves();
    // At 300 s it has waited for exactly five minutes, which is not more.
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(330)));
    world.run_until(329_999);
    assert_eq!(world.place("p"), Place::Unschedulable);
    world.run_until(330_000);
    let cause = MoveCause::UnschedulableTimeout;
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Unschedulable, Place::Active, cause)]
    );
    assert!(world.info("p").was_flushed_from_unschedulable);
}

#[test]
fn the_flush_of_unschedulable_pods_counts_from_the_start_of_the_queue() {
    let mut world = World::with(QueueOptions {
        started_at: Timestamp::from_secs(7),
        ..QueueOptions::default()
    });
    world.at(20_000).park_named("p", &[SILENT]);
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(337)));
}

#[test]
fn a_pod_that_was_flushed_loses_the_mark_with_its_next_failure() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.run_until(330_000);
    let info = world.pop_the("p");
    assert!(info.was_flushed_from_unschedulable);
    world.fail(info, &[SILENT]);
    assert!(!world.info("p").was_flushed_from_unschedulable);
}

#[test]
fn the_timeout_counts_for_pods_that_are_in_flight_at_that_instant() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.at(329_000).add_named("q");
    let info = world.pop_the("q");
    world.run_until(330_000);
    world.fail(info, &[SILENT]);
    assert_eq!(world.place("q"), Place::Backoff);
}

#[test]
fn a_gated_pod_that_is_overdue_makes_every_flush_count_for_pods_in_flight() {
    let mut world = World::new();
    world.add(&make::pod("gated").label("gate.GateA", "yes").build());
    world.run_until(340_000);
    assert_eq!(world.queue.next_deadline(), None);
    world.add_named("q");
    let info = world.pop_the("q");
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(360)));
    world.run_until(360_000);
    world.fail(info, &[SILENT]);
    assert_eq!(world.place("q"), Place::Backoff);
}

#[test]
fn the_backoff_flush_empties_the_heap_of_rejected_pods_first() {
    let mut world = World::new();
    world.add_named("error");
    let info = world.pop_the("error");
    world.fail(info, &[]);
    world.park_named("late", &[FIT]);
    world.node_comes(&[FIT]);
    world.at(10).park_named("early", &[FIT]);
    world.node_comes(&[FIT]);
    world.moves();
    world.run_until(2_000);
    let names: Vec<_> = world.moves().into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["late", "early", "error"]);
}

#[test]
fn a_late_host_flushes_when_it_comes() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    world.at(9_300).add_named("q");
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(2)));
    world.tick();
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_tick_that_nobody_asked_for_changes_nothing() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    for at in [0, 1, 999, 1_000, 1_500, 1_999] {
        world.at(at).tick();
        assert_eq!(world.place("p"), Place::ErrorBackoff);
        assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(2)));
    }
}

#[test]
fn a_flush_can_be_asked_for_by_hand() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    world.park_named("q", &[SILENT]);
    world.at(2_345);
    call!(&mut world, flush_backoff_q_completed);
    assert_eq!(world.place("p"), Place::Active);
    world.at(300_001);
    call!(&mut world, flush_unschedulable_pods_leftover);
    assert_eq!(world.place("q"), Place::Active);
}
