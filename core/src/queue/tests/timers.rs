use alloc::string::ToString;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::queue::QueueOptions;
use crate::time::Timestamp;

use super::world::{FIT, SILENT, World, call, without_hints};

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
fn with_hints_off_a_gated_pod_that_is_overdue_makes_every_flush_a_move_request() {
    for (until, place) in [(359_999, Place::Unschedulable), (360_000, Place::Backoff)] {
        let mut world = World::with(without_hints());
        world.add(&make::pod("gated").label("gate.GateA", "yes").build());
        world.run_until(340_000);
        world.add_named("q");
        let info = world.pop_the("q");
        world.run_until(until);
        world.fail(info, &[SILENT]);
        assert_eq!(world.place("q"), place);
    }
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

#[test]
fn the_timers_start_when_the_host_says_so() {
    let mut world = World::new();
    let now = Timestamp::from_millis(1_700_000_000_123);
    world.queue.run(now);
    world.at(1_700_000_001_000).park_named("p", &[SILENT]);
    let due = now + crate::time::Span::from_secs(330);
    assert_eq!(world.queue.next_deadline(), Some(due));
}

#[test]
fn a_pod_in_backoff_says_when_it_is_let_go() {
    let mut world = World::new();
    world.at(10_400).add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    let release = world.queue.backoff_release(world.info("p"));
    assert_eq!(release, Timestamp::from_secs(12));
}
