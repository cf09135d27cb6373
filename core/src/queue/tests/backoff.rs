use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::queue::{QueueOptions, QueuedPodInfo};
use crate::snapshot::PodInfo;
use crate::time::{Span, Timestamp};

use super::world::{FIT, World, millis, options, without_popping_from_backoff};

fn failed(rejections: u32, errors: u32) -> QueuedPodInfo {
    let pod = Arc::new(PodInfo::new(make::pod("p").build()));
    QueuedPodInfo {
        unschedulable_count: rejections,
        consecutive_errors_count: errors,
        ..QueuedPodInfo::new(pod, Timestamp::ZERO, 0)
    }
}

/// Milliseconds until the backoff of a pod that failed at 0 is over.
fn duration(options: QueueOptions, rejections: u32, errors: u32) -> Option<i64> {
    let expiry = options.backoff_expiration(&failed(rejections, errors))?;
    Some(expiry.since(Timestamp::ZERO).as_millis())
}

#[test]
fn defaults_are_those_of_kubernetes() {
    let options = QueueOptions::default();
    assert_eq!(options.initial_backoff, Span::SECOND);
    assert_eq!(options.max_backoff, Span::from_secs(10));
    assert_eq!(options.max_in_unschedulable, Span::from_secs(300));
    let configuration = crate::config::Configuration::default();
    assert_eq!(QueueOptions::of(&configuration, Timestamp::ZERO), options);
}

#[test]
fn backoff_doubles_until_the_maximum() {
    let ladder: Vec<_> = (1..=7)
        .map(|count| duration(QueueOptions::default(), count, 0))
        .collect();
    let seconds = [1, 2, 4, 8, 10, 10, 10].map(|seconds| Some(seconds * 1000));
    assert_eq!(ladder, seconds);
}

#[test]
fn errors_in_a_row_go_before_rejections() {
    assert_eq!(duration(QueueOptions::default(), 4, 1), Some(1_000));
    assert_eq!(duration(QueueOptions::default(), 1, 3), Some(4_000));
}

#[test]
fn errors_and_rejections_back_off_alike() {
    for count in 1..70 {
        let options = QueueOptions::default();
        assert_eq!(duration(options, count, 0), duration(options, 0, count));
    }
}

#[test]
fn a_pod_that_never_failed_has_no_backoff() {
    assert_eq!(duration(QueueOptions::default(), 0, 0), None);
}

#[test]
fn a_maximum_of_zero_turns_backoff_off() {
    let options = options(|options| options.max_backoff = Span::ZERO);
    assert_eq!(duration(options, 3, 0), None);
    let mut world = World::with(options);
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn an_initial_backoff_above_the_maximum_is_the_maximum_at_once() {
    let options = options(|options| options.initial_backoff = Span::from_secs(20));
    assert_eq!(duration(options, 1, 0), Some(10_000));
}

#[test]
fn ever_more_failures_stay_at_the_maximum() {
    for count in [62, 63, 64, 65, 66, 1_000, u32::MAX] {
        assert_eq!(duration(QueueOptions::default(), count, 0), Some(10_000));
    }
}

#[test]
fn a_backoff_ends_in_a_whole_second_if_backoff_q_can_be_popped_from() {
    let mut info = failed(1, 0);
    info.timestamp = Timestamp::from_millis(10_400);
    let aligned = QueueOptions::default().backoff_expiration(&info);
    assert_eq!(aligned, Some(Timestamp::from_millis(11_000)));
    let exact = without_popping_from_backoff().backoff_expiration(&info);
    assert_eq!(exact, Some(Timestamp::from_millis(11_400)));
}

#[test]
fn a_pod_still_backs_off_in_the_window_in_which_its_backoff_ends() {
    let options = QueueOptions::default();
    let mut info = failed(1, 0);
    info.backoff_expiration = Some(Timestamp::from_millis(11_000));
    assert!(options.is_backing_off(&info, Timestamp::from_millis(11_000)));
    assert!(options.is_backing_off(&info, Timestamp::from_millis(11_999)));
    assert!(!options.is_backing_off(&info, Timestamp::from_millis(12_000)));
    let exact = without_popping_from_backoff();
    info.backoff_expiration = Some(Timestamp::from_millis(11_400));
    assert!(exact.is_backing_off(&info, Timestamp::from_millis(11_400)));
    assert!(!exact.is_backing_off(&info, Timestamp::from_millis(11_401)));
}

#[test]
fn a_pod_that_fails_at_10_4_s_is_released_at_12_s() {
    let mut world = World::new();
    world.at(10_400).add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(12)));
    world.run_until(11_999);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    world.moves();
    world.run_until(12_000);
    let (_, from, to, cause) = world.moves().remove(0);
    assert_eq!(
        (from, to, cause),
        (
            Place::ErrorBackoff,
            Place::Active,
            MoveCause::BackoffComplete
        )
    );
}

#[test]
fn without_windows_the_flush_beats_each_second_from_the_start() {
    let mut world = World::with(QueueOptions {
        started_at: Timestamp::from_millis(300),
        ..without_popping_from_backoff()
    });
    world.at(10_400).add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    // Over at 11.4 s; the beats are at 11.3 s and 12.3 s.
    let due = Some(Timestamp::from_millis(12_300));
    assert_eq!(world.queue.next_deadline(), due);
    world.run_until(12_299);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    world.run_until(12_300);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_backoff_that_is_over_at_a_beat_waits_for_the_next_one() {
    let mut world = World::with(without_popping_from_backoff());
    world.at(10_000).add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    world.run_until(11_000);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    assert_eq!(world.queue.next_deadline(), Some(Timestamp::from_secs(12)));
}

#[test]
fn consecutive_errors_start_again_after_a_rejection() {
    let mut world = World::new();
    world.add_named("p");
    for _ in 0..3 {
        let info = world.pop_the("p");
        world.fail(info, &[]);
        let later = world.now.as_micros() / 1_000 + 11_000;
        world.run_until(later);
    }
    assert_eq!(world.info("p").consecutive_errors_count, 3);
    let info = world.pop_the("p");
    world.fail(info, &[FIT]);
    let info = world.info("p");
    assert_eq!(
        (info.consecutive_errors_count, info.unschedulable_count),
        (0, 1)
    );
    assert_eq!(info.backoff_expiration, Some(world.now + millis(1_000)));
}

#[test]
fn an_update_does_not_change_a_backoff() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    let info = world.pop_the("p");
    world.fail(info, &[]);
    let before = world.info("p").backoff_expiration;
    world
        .at(500)
        .update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(world.info("p").backoff_expiration, before);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
}
