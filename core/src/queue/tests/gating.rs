use alloc::string::ToString;

use crate::framework::cluster_event::ClusterEvent;
use crate::framework::trace::{MoveCause, Place};
use crate::make;
use crate::time::Timestamp;

use super::world::{
    CSI_DRIVER_ADD, CSI_NODE_ADD, FIT, GATE_A, GATE_B, World, class, reference,
    without_popping_from_backoff,
};

fn gated_by(gates: &[&str]) -> alloc::sync::Arc<crate::api::Pod> {
    let mut pod = make::pod("p");
    for gate in gates {
        pod = pod.label(&["gate.", gate].concat(), "yes");
    }
    pod.build()
}

#[test]
fn a_gated_pod_waits_in_unschedulable_pods_without_an_attempt() {
    let mut world = World::new();
    world.add(&gated_by(&["GateA"]));
    let cause = MoveCause::Gated { plugin: GATE_A };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Nowhere, Place::Gated, cause)]
    );
    assert_eq!(world.pop(), None);
    let info = world.info("p");
    assert_eq!(info.gating_plugin, Some(GATE_A));
    assert_eq!(info.unschedulable_plugins, [GATE_A].into());
    assert_eq!(info.attempts, 0);
}

#[test]
fn time_spent_gated_does_not_count_as_waiting_for_an_attempt() {
    let mut world = World::new();
    let gated = gated_by(&["GateA"]);
    world.add(&gated);
    assert_eq!(world.info("p").initial_attempt_timestamp, None);
    world
        .at(7_000)
        .update(&gated, &make::pod("p").label("hint.GateA", "self").build());
    let info = world.pop_the("p");
    assert_eq!(
        info.initial_attempt_timestamp,
        Some(Timestamp::from_secs(7))
    );
    assert_eq!(info.timestamp, Timestamp::ZERO);
}

#[test]
fn the_plugin_that_holds_a_pod_is_asked_first() {
    let mut world = World::new();
    world.add(&gated_by(&["GateB"]));
    world.update(&gated_by(&["GateB"]), &gated_by(&["GateA", "GateB"]));
    world.happen(CSI_DRIVER_ADD, &class());
    // GateA comes first in the profile, but GateB still refuses.
    assert_eq!(world.info("p").gating_plugin, Some(GATE_B));
    assert_eq!(world.info("p").unschedulable_plugins, [GATE_B].into());
}

#[test]
fn plugins_that_held_a_pod_stay_on_its_list() {
    let mut world = World::new();
    let both = gated_by(&["GateA", "GateB"]);
    world.add(&both);
    assert_eq!(world.info("p").gating_plugin, Some(GATE_A));
    world.update(&both, &gated_by(&["GateB"]));
    world.moves();
    world.happen(CSI_NODE_ADD, &class());
    let cause = MoveCause::Gated { plugin: GATE_B };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Gated, Place::Gated, cause)]
    );
    assert_eq!(
        world.info("p").unschedulable_plugins,
        [GATE_A, GATE_B].into()
    );
    world.update(&gated_by(&["GateB"]), &make::pod("p").build());
    let info = world.pop_the("p");
    assert_eq!(info.gating_plugin, None);
    assert_eq!(info.unschedulable_plugins, [GATE_A, GATE_B].into());
}

#[test]
fn a_gate_counts_once_in_unschedulable_pods() {
    let mut world = World::new();
    world.add(&gated_by(&["GateA"]));
    let name = "unschedulable_pods";
    assert_eq!(world.metrics(name), ["GateA default-scheduler 1"]);
    world.happen(CSI_NODE_ADD, &class());
    assert_eq!(world.metrics(name).len(), 0);
}

#[test]
fn an_error_of_pre_enqueue_gates_and_is_told() {
    let mut world = World::new();
    world.add(&make::pod("p").label("gate.GateA", "error").build());
    assert_eq!(world.place("p"), Place::Gated);
    assert_eq!(world.troubles(), ["PreEnqueue of GateA failed: it broke"]);
}

#[test]
fn pre_enqueue_counts_as_success_whatever_it_says() {
    let mut world = World::new();
    world.add(&gated_by(&["GateA"]));
    let name = "framework_extension_point_duration_seconds";
    assert_eq!(
        world.metrics(name),
        ["PreEnqueue Success default-scheduler 0s"]
    );
}

#[test]
fn a_gated_pod_is_moved_by_an_event_of_the_plugin_that_holds_it() {
    let mut world = World::new();
    let gated = gated_by(&["GateA"]);
    world.add(&gated);
    // The label is gone from the object, but the pod's own update said nothing to the gate.
    world.update(&gated, &make::pod("p").build());
    assert_eq!(world.place("p"), Place::Gated);
    world.happen(CSI_DRIVER_ADD, &class());
    assert_eq!(world.place("p"), Place::Gated, "the other gate's event");
    world.happen(CSI_NODE_ADD, &class());
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_gated_pod_is_not_moved_by_the_timeout_but_marked() {
    let mut world = World::new();
    let gated = gated_by(&["GateA"]);
    world.add(&gated);
    world.update(&gated, &make::pod("p").build());
    world.moves();
    world.run_until(300_000);
    assert!(!world.info("p").was_flushed_from_unschedulable);
    world.run_until(330_000);
    assert_eq!(world.place("p"), Place::Gated);
    assert!(world.info("p").was_flushed_from_unschedulable);
    assert_eq!(world.moves(), []);
    assert_eq!(world.queue.next_deadline(), None, "it is marked once");
}

#[test]
fn a_pod_that_was_marked_while_gated_loses_the_mark_with_its_next_failure() {
    let mut world = World::new();
    let gated = gated_by(&["GateA"]);
    world.add(&gated);
    world.run_until(330_000);
    world.update(&gated, &make::pod("p").label("hint.GateA", "self").build());
    let info = world.pop_the("p");
    assert!(info.was_flushed_from_unschedulable);
    world.fail(info, &[FIT]);
    assert!(!world.info("p").was_flushed_from_unschedulable);
}

#[test]
fn an_update_lifts_a_gate_when_its_hint_says_queue() {
    let mut world = World::new();
    let gated = gated_by(&["GateA"]);
    world.add(&gated);
    let other = make::pod("p")
        .label("gate.GateA", "yes")
        .label("hint.GateA", "self");
    world.update(&gated, &other.build());
    assert_eq!(world.place("p"), Place::Gated, "it still refuses");
    world.moves();
    world.update(&gated, &make::pod("p").label("hint.GateA", "self").build());
    let (_, from, to, cause) = world.moves().remove(0);
    assert_eq!((from, to), (Place::Gated, Place::Active));
    let event = ClusterEvent::new(
        crate::framework::cluster_event::EventResource::UnschedulablePod,
        crate::framework::cluster_event::ActionType::UPDATE_POD_LABEL,
    );
    let plugin = Some(GATE_A);
    assert_eq!(cause, MoveCause::Updated { event, plugin });
}

#[test]
fn a_pod_on_its_way_to_backoff_q_can_be_gated() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.update(&pod, &gated_by(&["GateA"]));
    world.node_comes(&[FIT]);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn backoff_q_is_before_pre_enqueue_when_nobody_pops_from_it() {
    let mut world = World::with(without_popping_from_backoff());
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.update(&pod, &gated_by(&["GateA"]));
    world.node_comes(&[FIT]);
    assert_eq!(world.place("p"), Place::Backoff);
    world.run_until(2_000);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn the_end_of_a_backoff_does_not_ask_again_if_backoff_q_can_be_popped_from() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.node_comes(&[FIT]);
    world.update(&pod, &gated_by(&["GateA"]));
    world.run_until(2_000);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_pod_that_comes_back_can_be_gated() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    let mut info = world.pop_the("p");
    info.pod = alloc::sync::Arc::new(info.pod.with_pod(gated_by(&["GateA"])));
    world.node_comes(&[FIT]);
    world.fail(info, &[FIT]);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn a_second_pod_of_a_name_that_is_gated_leaves_the_first_where_it_is() {
    let mut world = World::new();
    world.add_named("p");
    world.moves();
    world.add(&gated_by(&["GateA"]));
    assert_eq!(world.place("p"), Place::Active);
    assert_eq!(world.moves(), []);
    assert_eq!(world.queue.active_q(&world.profiles)[0].gating_plugin, None);
    assert_eq!(world.queue.place_of(&reference("p")), Place::Active);
}

#[test]
fn a_pod_of_no_profile_is_not_gated() {
    let mut world = World::new();
    let pod = make::pod("p")
        .scheduler("nobody")
        .label("gate.GateA", "yes");
    world.add(&pod.build());
    assert_eq!(world.place("p"), Place::Active);
}
