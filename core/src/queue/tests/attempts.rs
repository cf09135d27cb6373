use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::time::Timestamp;

use super::world::{
    CLAIM_ADD, FIT, SLICE_ADD, VOLUMES, World, call, claim_that_helps, options, reference,
    without_popping_from_backoff,
};

/// Parks pods and then sends them to backoffQ through an event, in this order.
fn back_off(world: &mut World, pods: &[(&str, i32)]) {
    for (name, priority) in pods {
        world.park(&make::pod(name).priority(*priority).build(), &[FIT]);
    }
    world.node_comes(&[FIT]);
}

#[test]
fn higher_priority_goes_first_and_then_who_came_earlier() {
    let mut world = World::new();
    for (at, name, priority) in [
        (0, "low", Some(-1)),
        (1, "late", None),
        (2, "high", Some(5)),
    ] {
        let pod = make::pod(name).with(|pod| pod.spec.priority = priority);
        world.at(at).add(&pod.build());
    }
    // No priority counts as 0, so this one comes between them and after the earlier one.
    world.at(3).add(&make::pod("later").priority(0).build());
    let order: Vec<_> = core::iter::from_fn(|| world.pop_name()).collect();
    assert_eq!(order, ["high", "late", "later", "low"]);
}

#[test]
fn pods_that_came_at_one_instant_are_tried_in_the_order_in_which_they_came() {
    let mut world = World::new();
    let names: Vec<_> = (0..100).map(|number: i32| number.to_string()).collect();
    for name in &names {
        world.add_named(name);
    }
    let order: Vec<_> = core::iter::from_fn(|| world.pop_name()).collect();
    assert_eq!(order, names);
}

#[test]
fn pods_that_came_back_at_one_instant_are_tried_in_the_order_in_which_they_came_back() {
    let mut world = World::new();
    for name in ["a", "b", "c"] {
        world.add_named(name);
    }
    let mut tried: Vec<_> = core::iter::from_fn(|| world.pop()).collect();
    tried.reverse();
    for info in tried {
        world.fail(info, &[FIT]);
    }
    world.at(10_000).node_comes(&[FIT]);
    let order: Vec<_> = core::iter::from_fn(|| world.pop_name()).collect();
    assert_eq!(order, ["c", "b", "a"]);
}

#[test]
fn each_pop_counts_as_an_attempt_and_as_a_cycle() {
    let mut world = World::new();
    assert_eq!(world.queue.scheduling_cycle(), 0);
    world.add_named("p");
    let info = world.pop_the("p");
    assert_eq!((info.attempts, world.queue.scheduling_cycle()), (1, 1));
    world.fail(info, &[]);
    world.run_until(2_000);
    let info = world.pop_the("p");
    assert_eq!((info.attempts, world.queue.scheduling_cycle()), (2, 2));
}

#[test]
fn an_empty_queue_pops_nothing() {
    let mut world = World::new();
    assert!(!world.queue.has_poppable());
    assert_eq!(world.pop(), None);
    assert_eq!(world.queue.scheduling_cycle(), 0);
    call!(&mut world, close);
    assert_eq!(world.pop(), None);
}

#[test]
fn an_idle_scheduler_takes_a_rejected_pod_out_of_its_backoff() {
    let mut world = World::new();
    back_off(&mut world, &[("p", 0)]);
    assert_eq!(world.place("p"), Place::Backoff);
    assert!(world.queue.has_poppable());
    world.moves();
    let info = world.pop_the("p");
    assert_eq!(info.attempts, 2);
    let expected = (
        "p".to_string(),
        Place::Backoff,
        Place::InFlight,
        MoveCause::PoppedFromBackoff,
    );
    assert_eq!(world.moves(), [expected]);
}

#[test]
fn a_pod_in_active_q_goes_before_any_in_backoff() {
    let mut world = World::new();
    back_off(&mut world, &[("important", 10)]);
    world.add_named("p");
    world.pop_the("p");
    world.pop_the("important");
}

#[test]
fn within_one_window_backoff_q_is_popped_by_priority_and_then_by_time() {
    let mut world = World::new();
    world.at(100);
    back_off(&mut world, &[("low", 0)]);
    world.at(200);
    back_off(&mut world, &[("late", 5)]);
    world.at(300);
    back_off(&mut world, &[("later", 5)]);
    let names: Vec<_> = (world.queue.backoff_q(&world.profiles).iter())
        .map(|info| info.pod.reference.name.to_string())
        .collect();
    let order: Vec<_> = core::iter::from_fn(|| world.pop_name()).collect();
    assert_eq!(order, ["late", "later", "low"]);
    assert_eq!(names, order);
}

#[test]
fn an_earlier_window_goes_before_a_higher_priority() {
    let mut world = World::new();
    world.at(900);
    back_off(&mut world, &[("low", 0)]);
    world.at(1_100);
    back_off(&mut world, &[("high", 5)]);
    let order: Vec<_> = core::iter::from_fn(|| world.pop_name()).collect();
    assert_eq!(order, ["low", "high"]);
}

#[test]
fn after_an_error_the_backoff_is_always_waited_for() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    assert!(!world.queue.has_poppable());
    assert_eq!(world.pop(), None);
}

#[test]
fn backoff_is_waited_for_when_popping_from_backoff_q_is_off() {
    let mut world = World::with(without_popping_from_backoff());
    back_off(&mut world, &[("p", 0)]);
    assert_eq!(world.place("p"), Place::Backoff);
    assert!(!world.queue.has_poppable());
    assert_eq!(world.pop(), None);
    world.run_until(2_000);
    world.pop_the("p");
}

#[test]
fn a_pod_whose_uid_is_in_flight_is_dropped_when_its_turn_comes() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    world.pop_the("p");
    world.add(&pod);
    world.add_named("q");
    world.troubles();
    world.pop_the("q");
    let text = "the same pod is tracked in multiple places in the scheduler";
    assert_eq!(world.troubles(), [text]);
    assert_eq!(world.place("p"), Place::InFlight);
    assert_eq!(world.queue.scheduling_cycle(), 2);
    assert_eq!(world.pop(), None);
}

#[test]
fn rejectors_stay_on_a_pod_while_it_is_tried_again() {
    let mut world = World::new();
    back_off(&mut world, &[("p", 0)]);
    let info = world.pop_the("p");
    assert_eq!(info.unschedulable_plugins, [FIT].into());
}

#[test]
fn a_specific_pod_is_popped_from_wherever_it_waits() {
    let mut world = World::new();
    back_off(&mut world, &[("backing-off", 0)]);
    world.add_named("error");
    let info = world.pop_the("error");
    world.fail(info, &[]);
    world.park_named("parked", &[FIT]);
    world.add_named("first");
    world.add_named("active");
    for name in ["parked", "backing-off", "error", "active"] {
        let popped = call!(&mut world, pop_specific_pod, &reference(name));
        assert_eq!(
            popped.map(|info| info.pod.reference.clone()),
            Some(reference(name))
        );
        assert_eq!(world.place(name), Place::InFlight);
    }
    assert_eq!(world.place("first"), Place::Active);
}

#[test]
fn a_specific_pod_is_not_popped_when_it_is_gated_in_flight_or_unknown() {
    let mut world = World::new();
    world.add(&make::pod("gated").label("gate.GateA", "yes").build());
    world.add_named("flying");
    world.pop_the("flying");
    for name in ["gated", "flying", "unknown"] {
        let popped = call!(&mut world, pop_specific_pod, &reference(name));
        assert_eq!(popped, None, "{name}");
    }
}

#[test]
fn a_pod_that_comes_back_although_it_waits_is_refused() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.add_named("p");
    let error = world.return_pod(info.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Pod default/p is already present in the active queue"
    );
    assert_eq!(world.queue.in_flight_pods().count(), 0);

    let mut world = World::new();
    world.park_named("p", &[FIT]);
    let error = world.return_pod(info.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Pod default/p is already present in unschedulable queue"
    );

    world.node_comes(&[FIT]);
    let error = world.return_pod(info).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Pod default/p is already present in the backoff queue"
    );
}

#[test]
fn a_rejected_pod_is_parked_when_nothing_happened() {
    let mut world = World::new();
    world.at(700).add_named("p");
    let info = world.pop_the("p");
    world.moves();
    world.at(900).fail(info, &[FIT]);
    let expected = (
        "p".to_string(),
        Place::InFlight,
        Place::Unschedulable,
        MoveCause::AttemptFailed,
    );
    assert_eq!(world.moves(), [expected]);
    let info = world.info("p");
    assert_eq!(info.timestamp, Timestamp::from_millis(900));
    assert_eq!(
        info.initial_attempt_timestamp,
        Some(Timestamp::from_millis(700))
    );
}

#[test]
fn an_error_sends_a_pod_to_its_own_backoff_whatever_happened() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.node_comes(&[FIT]);
    world.moves();
    world.fail(info, &[]);
    let expected = (
        "p".to_string(),
        Place::InFlight,
        Place::ErrorBackoff,
        MoveCause::AttemptFailed,
    );
    assert_eq!(world.moves(), [expected]);
}

#[test]
fn an_event_before_the_pop_does_not_count_for_the_attempt() {
    let mut world = World::new();
    world.add_named("other");
    world.add_named("p");
    world.pop_the("other");
    world.node_comes(&[FIT]);
    let info = world.pop_the("p");
    world.fail(info, &[FIT]);
    assert_eq!(world.place("p"), Place::Unschedulable);
}

#[test]
fn an_event_during_the_attempt_sends_the_pod_to_backoff() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.node_comes(&[FIT]);
    world.moves();
    world.fail(info, &[VOLUMES, FIT]);
    let cause = MoveCause::Event {
        event: super::world::NODE_ADD,
        plugin: Some(FIT),
        was_in_flight: true,
    };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::InFlight, Place::Backoff, cause)]
    );
}

#[test]
fn an_event_during_the_attempt_that_cannot_help_leaves_the_pod_parked() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.node_comes(&[]);
    world.fail(info, &[FIT]);
    assert_eq!(world.place("p"), Place::Unschedulable);
}

#[test]
fn a_pending_plugin_is_heard_after_another_one_asked_for_backoff() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.node_comes(&[FIT]);
    world.happen(CLAIM_ADD, &claim_that_helps(&[VOLUMES]));
    world.fail_pending(info, &[FIT], &[VOLUMES]);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_pod_that_is_not_in_flight_comes_back_through_backoff() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    let info = world.pop_the("p");
    world.done(&pod);
    world.troubles();
    world.fail(info, &[FIT]);
    assert_eq!(world.place("p"), Place::Backoff);
    assert_eq!(world.troubles().len(), 1);
}

#[test]
fn a_member_of_a_group_comes_back_through_backoff_without_any_event() {
    let group = |pod: &mut crate::api::Pod| {
        pod.spec.scheduling_group = Some(crate::api::PodSchedulingGroup {
            pod_group_name: Some("g".into()),
        });
    };
    let pod = make::pod("p").with(group).build();
    let mut world = World::with(options(|options| options.generic_workload = true));
    world.park(&pod, &[FIT]);
    assert_eq!(world.place("p"), Place::Backoff);
    let mut world = World::new();
    world.park(&pod, &[FIT]);
    assert_eq!(world.place("p"), Place::Unschedulable);
}

#[test]
fn the_end_of_an_attempt_forgets_events_that_nobody_needs() {
    let mut world = World::new();
    let pods = ["a", "b", "c"].map(|name| make::pod(name).build());
    for pod in &pods {
        world.add(pod);
        world.pop();
        world.node_comes(&[FIT]);
    }
    let names = |world: &World| -> Vec<_> {
        let pods = world.queue.in_flight_pods();
        pods.map(|pod| pod.name.to_string()).collect()
    };
    assert_eq!(names(&world), ["a", "b", "c"]);
    world.metrics("inflight_events");
    world.done(&pods[1]);
    assert_eq!(world.metrics("inflight_events"), ["PodPopped -1"]);
    world.done(&pods[0]);
    let forgotten = ["PodPopped -1", "NodeAdd -1", "NodeAdd -1"];
    assert_eq!(world.metrics("inflight_events"), forgotten);
    assert_eq!(names(&world), ["c"]);
    world.done(&pods[0]);
    assert!(world.records.is_empty(), "a second time nothing happens");
}

#[test]
fn an_event_with_nothing_in_flight_is_not_kept() {
    let mut world = World::new();
    world.node_comes(&[FIT]);
    assert_eq!(world.metrics("inflight_events"), vec![""; 0]);
}

#[test]
fn an_event_that_nobody_registered_is_not_kept_for_pods_in_flight() {
    let mut world = World::new();
    world.add_named("p");
    world.pop();
    world.records.clear();
    world.happen(SLICE_ADD, &super::world::class());
    assert!(world.records.is_empty());
}

#[test]
fn closing_ends_all_attempts_and_all_timers() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    world.add_named("q");
    world.pop_the("q");
    call!(&mut world, close);
    assert_eq!(world.queue.in_flight_pods().count(), 0);
    assert_eq!(world.queue.next_deadline(), None);
    world.at(60_000).tick();
    assert_eq!(world.place("p"), Place::ErrorBackoff);
}
