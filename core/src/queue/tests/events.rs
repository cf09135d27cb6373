use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::api::Object;
use crate::framework::cluster_event::{ActionType, ClusterEvent, EventResource};
use crate::framework::trace::{MoveCause, Place, Record};
use crate::make;
use crate::queue::QueueOptions;
use crate::snapshot::PodInfo;

use super::world::{
    CLAIM_ADD, CLASS_ADD, EXTENDER, FIT, GATE_A, NODE_ADD, SILENT, SLICE_ADD, SPREAD, VOLUMES,
    World, call, claim_that_helps, class, node_that_helps, options, without_hints,
    without_popping_from_backoff,
};

const NODE_TAINT: ClusterEvent =
    ClusterEvent::new(EventResource::Node, ActionType::UPDATE_NODE_TAINT);

/// Who was asked since the last call.
fn asked(world: &mut World) -> Vec<String> {
    let hinted = world
        .records
        .drain(..)
        .filter_map(|(_, record)| match record {
            Record::Hinted { pod, plugin, .. } => Some([&*pod.name, " ", plugin.0].concat()),
            _ => None,
        });
    hinted.collect()
}

#[test]
fn an_event_that_could_help_moves_a_pod_to_backoff_while_it_backs_off() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    world.moves();
    world.node_comes(&[FIT]);
    let cause = MoveCause::Event {
        event: NODE_ADD,
        plugin: Some(FIT),
        was_in_flight: false,
    };
    assert_eq!(
        world.moves(),
        [("p".to_string(), Place::Unschedulable, Place::Backoff, cause)]
    );
}

#[test]
fn an_event_that_could_help_moves_a_pod_to_active_q_after_its_backoff() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    world.at(1_999).node_comes(&[FIT]);
    assert_eq!(world.place("p"), Place::Backoff);
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    world.at(2_000).node_comes(&[FIT]);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_pending_plugin_moves_a_pod_to_active_q_at_once() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail_pending(info, &[FIT], &[VOLUMES]);
    world.happen(CLASS_ADD, &class());
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn a_rejector_beside_a_pending_plugin_moves_a_pod_through_backoff() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail_pending(info, &[FIT], &[VOLUMES]);
    world.happen(CLAIM_ADD, &claim_that_helps(&[FIT]));
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn a_pending_plugin_is_asked_after_a_rejector_has_said_queue() {
    let mut world = World::new();
    world.add_named("p");
    let info = world.pop_the("p");
    world.fail_pending(info, &[FIT], &[VOLUMES]);
    world.happen(CLAIM_ADD, &claim_that_helps(&[FIT, VOLUMES]));
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn the_first_queue_ends_the_asking_when_no_plugin_is_pending() {
    let mut world = World::new();
    world.park_named("p", &[FIT, VOLUMES]);
    world.records.clear();
    world.happen(CLAIM_ADD, &claim_that_helps(&[FIT, VOLUMES]));
    assert_eq!(asked(&mut world), ["p Fit"]);
}

#[test]
fn a_plugin_that_says_skip_leaves_the_pod_where_it_is() {
    let mut world = World::new();
    world.park_named("p", &[FIT, VOLUMES]);
    world.records.clear();
    world.happen(CLAIM_ADD, &claim_that_helps(&[]));
    assert_eq!(world.place("p"), Place::Unschedulable);
    assert_eq!(asked(&mut world), ["p Fit", "p Volumes"]);
}

#[test]
fn only_rejectors_that_registered_the_event_are_asked() {
    let mut world = World::new();
    world.park_named("fit", &[FIT]);
    world.park_named("volumes", &[VOLUMES]);
    world.park_named("silent", &[SILENT]);
    world.records.clear();
    world.node_comes(&[]);
    assert_eq!(asked(&mut world), ["fit Fit"]);
}

#[test]
fn an_error_of_a_hint_counts_as_queue() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    let node = make::node("n").label("hint.Fit", "error").build();
    world.records.clear();
    world.happen(NODE_ADD, &Object::Node(node));
    assert_eq!(world.place("p"), Place::Backoff);
    let records = world.records.clone();
    let hints = "queueing_hint_execution_duration_seconds";
    assert_eq!(world.metrics(hints), ["Fit NodeAdd Error 0s"]);
    world.records = records;
    assert_eq!(world.troubles(), ["queueing hint of Fit failed: it broke"]);
}

#[test]
fn pods_are_moved_in_the_order_in_which_they_were_parked() {
    let mut world = World::new();
    for name in ["c", "a", "b"] {
        world.park_named(name, &[FIT]);
    }
    world.moves();
    world.node_comes(&[FIT]);
    let names: Vec<_> = world.moves().into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["c", "a", "b"]);
}

#[test]
fn an_event_that_nobody_registered_changes_nothing() {
    let mut world = World::with(without_hints());
    world.park_named("p", &[FIT]);
    world.add_named("q");
    let info = world.pop_the("q");
    world.happen(SLICE_ADD, &class());
    assert_eq!(world.place("p"), Place::Unschedulable);
    // With hints off a request to move pods would send this one to backoffQ.
    world.fail(info, &[FIT]);
    assert_eq!(world.place("q"), Place::Unschedulable);
}

#[test]
fn a_general_update_does_not_match_a_list_of_particular_ones() {
    let general = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
    let scale_down = ClusterEvent::new(EventResource::Pod, ActionType::UPDATE_POD_SCALE_DOWN);
    assert!(!scale_down.matches(&general));
    assert!(ClusterEvent::new(EventResource::Pod, ActionType::ALL).matches(&general));
}

#[test]
fn whoever_waits_for_new_nodes_is_woken_by_any_taint_change() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    world.happen(NODE_TAINT, &node_that_helps(&[]));
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn a_pre_check_narrows_who_is_moved_but_not_what_is_kept() {
    let mut world = World::new();
    world.park(&make::pod("low").priority(1).build(), &[FIT]);
    world.park(&make::pod("high").priority(9).build(), &[FIT]);
    world.add(&make::pod("flying").priority(9).build());
    let flying = world.pop_the("flying");
    let is_low = |pod: &PodInfo| pod.priority() <= 5;
    let node = node_that_helps(&[FIT]);
    call!(
        &mut world,
        move_all_to_active_or_backoff_queue,
        NODE_ADD,
        None,
        Some(&node),
        Some(&is_low)
    );
    assert_eq!(world.place("low"), Place::Backoff);
    assert_eq!(world.place("high"), Place::Unschedulable);
    world.fail(flying, &[FIT]);
    assert_eq!(world.place("flying"), Place::Backoff);
}

#[test]
fn the_wildcard_moves_every_pod_that_no_plugin_holds() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.add(&make::pod("gated").label("gate.GateA", "yes").build());
    let event = ClusterEvent::UNSCHEDULABLE_TIMEOUT;
    call!(
        &mut world,
        move_all_to_active_or_backoff_queue,
        event,
        None,
        None,
        None
    );
    assert_eq!(world.place("p"), Place::Backoff);
    assert_eq!(world.place("gated"), Place::Gated);
}

#[test]
fn the_wildcard_with_an_object_moves_that_pod_only() {
    let mut world = World::new();
    world.park_named("p", &[SILENT]);
    world.park_named("q", &[SILENT]);
    let object = Object::Pod(make::pod("q").build());
    let event = ClusterEvent::FORCE_ACTIVATE;
    world.happen(event, &node_that_helps(&[]));
    world.happen(event, &object);
    assert_eq!(world.place("p"), Place::Unschedulable);
    assert_eq!(world.place("q"), Place::Backoff);
}

#[test]
fn a_pod_of_no_profile_is_moved_by_every_event() {
    let mut world = World::new();
    world.park(&make::pod("p").scheduler("nobody").build(), &[FIT]);
    world.troubles();
    world.happen(CLASS_ADD, &class());
    assert_eq!(world.place("p"), Place::Backoff);
    assert_eq!(world.troubles().len(), 1);
}

#[test]
fn a_plugin_that_registered_nothing_is_woken_by_every_kind_but_two() {
    let mut world = World::new();
    let pod = make::pod("p").scheduler("other").build();
    world.park(&pod, &[super::world::CURIOUS]);
    for resource in [
        EventResource::ResourceSlice,
        EventResource::VolumeAttachment,
    ] {
        world.happen(ClusterEvent::new(resource, ActionType::ADD), &class());
        assert_eq!(world.place("p"), Place::Unschedulable);
    }
    world.happen(
        ClusterEvent::new(EventResource::CsiNode, ActionType::DELETE),
        &class(),
    );
    assert_eq!(world.place("p"), Place::Backoff);
}

#[test]
fn extenders_wait_for_everything_if_there_are_any() {
    for (has_extenders, place) in [(false, Place::Unschedulable), (true, Place::Backoff)] {
        let mut world = World::with(options(|options| options.has_extenders = has_extenders));
        world.park_named("p", &[EXTENDER]);
        world.node_comes(&[]);
        assert_eq!(world.place("p"), place);
    }
}

#[test]
fn activating_moves_a_parked_pod_past_its_backoff() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[SILENT]);
    world.moves();
    world.activate(&pod);
    let expected = (
        "p".to_string(),
        Place::Unschedulable,
        Place::Active,
        MoveCause::Activated,
    );
    assert_eq!(world.moves(), [expected]);
}

#[test]
fn activating_takes_a_pod_out_of_either_backoff_without_asking_again() {
    let mut world = World::new();
    let pods = ["rejected", "error"].map(|name| make::pod(name).build());
    world.park(&pods[0], &[FIT]);
    world.node_comes(&[FIT]);
    world.add(&pods[1]);
    let info = world.pop_the("error");
    world.fail(info, &[]);
    // It has a gate by now, but backoffQ is behind PreEnqueue.
    let gated = make::pod("rejected").label("gate.GateA", "yes").build();
    world.update(&pods[0], &gated);
    for pod in &pods {
        world.activate(pod);
        assert_eq!(world.place(&pod.metadata.name), Place::Active);
    }
}

#[test]
fn activating_asks_again_when_nobody_pops_from_backoff_q() {
    let mut world = World::with(without_popping_from_backoff());
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    world.node_comes(&[FIT]);
    world.update(&pod, &make::pod("p").label("gate.GateA", "yes").build());
    world.activate(&pod);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn activating_a_gated_pod_asks_its_gate_again() {
    let mut world = World::new();
    let gated = make::pod("p").label("gate.GateA", "yes").build();
    world.add(&gated);
    world.activate(&gated);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn activating_a_pod_in_flight_counts_when_it_comes_back() {
    let mut world = World::new();
    let pods = ["p", "q"].map(|name| make::pod(name).build());
    for pod in &pods {
        world.add(pod);
    }
    let (p, q) = (world.pop_the("p"), world.pop_the("q"));
    world.activate(&pods[0]);
    world.fail(p, &[SILENT]);
    world.fail(q, &[SILENT]);
    assert_eq!(world.place("p"), Place::Backoff);
    assert_eq!(
        world.place("q"),
        Place::Unschedulable,
        "it was meant for the other"
    );
}

#[test]
fn activating_an_unknown_pod_does_nothing() {
    let mut world = World::new();
    world.activate(&make::pod("unknown").build());
    assert!(world.records.is_empty());
}

#[test]
fn with_hints_off_whoever_registered_is_woken_without_being_asked() {
    let mut world = World::with(without_hints());
    world.park_named("fit", &[FIT]);
    world.park_named("volumes", &[VOLUMES]);
    world.node_comes(&[]);
    assert_eq!(world.place("fit"), Place::Backoff);
    assert_eq!(world.place("volumes"), Place::Unschedulable);
}

#[test]
fn with_hints_off_a_move_request_since_the_attempt_began_sends_a_pod_to_backoff() {
    let mut world = World::with(without_hints());
    world.add_named("p");
    let info = world.pop_the("p");
    world.node_comes(&[]);
    world.fail(info, &[SILENT]);
    assert_eq!(world.place("p"), Place::Backoff);

    world.add_named("q");
    let info = world.pop_the("q");
    world.fail(info, &[SILENT]);
    assert_eq!(
        world.place("q"),
        Place::Unschedulable,
        "the request was in an earlier cycle"
    );
}

#[test]
fn with_hints_off_nothing_is_known_to_be_in_flight() {
    let mut world = World::with(without_hints());
    let pod = make::pod("p").build();
    world.add(&pod);
    world.pop_the("p");
    assert_eq!(world.queue.in_flight_pods().count(), 0);
    world.records.clear();
    world.done(&pod);
    assert!(world.records.is_empty());
}

#[test]
fn with_hints_off_even_a_pod_without_backoff_comes_back_through_backoff_q() {
    let mut world = World::with(QueueOptions {
        max_backoff: crate::time::Span::ZERO,
        ..without_hints()
    });
    world.at(10_200).add_named("p");
    let info = world.pop_the("p");
    world.fail(info, &[]);
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    // The beat of 10 s was over before it came.
    world.tick();
    assert_eq!(world.place("p"), Place::ErrorBackoff);
    world.run_until(11_000);
    assert_eq!(world.place("p"), Place::Active);
}

#[test]
fn with_hints_off_a_placed_pod_moves_only_those_it_could_help() {
    let near = make::affinity_term("zone", "app", "web");
    let placed = make::pod("placed").label("app", "web").node("n").build();
    for (hints, stays) in [(false, Place::Unschedulable), (true, Place::Backoff)] {
        let mut world = World::with(options(|options| options.queueing_hints = hints));
        world.park(
            &make::pod("near").needs_pods(near.clone()).build(),
            &[SPREAD],
        );
        world.park(&make::pod("elsewhere").namespace("b").build(), &[SPREAD]);
        world.park_named("spread", &[SPREAD]);
        call!(&mut world, assigned_pod_added, &placed);
        assert_eq!(world.place("near"), Place::Backoff);
        assert_eq!(world.place("spread"), Place::Backoff);
        let elsewhere = make::pod("elsewhere").namespace("b").build();
        let place = world
            .queue
            .place_of(&crate::snapshot::PodRef::of(&elsewhere));
        assert_eq!(place, stays);
    }
}

#[test]
fn with_hints_off_a_placed_pod_is_no_reason_to_ask_about_a_gated_one() {
    let mut world = World::with(without_hints());
    let pod = make::pod("p").build();
    world.park(&pod, &[SPREAD]);
    world.update(&pod, &make::pod("p").label("gate.GateA", "yes").build());
    assert_eq!(world.place("p"), Place::Gated);
    world.records.clear();
    call!(
        &mut world,
        assigned_pod_added,
        &make::pod("placed").node("n").build()
    );
    assert_eq!(asked(&mut world), vec![""; 0]);
    assert_eq!(world.place("p"), Place::Gated);
}

#[test]
fn with_hints_off_room_that_a_placed_pod_gives_back_can_help_all() {
    let placed = make::pod("placed").node("n").build();
    let scale_down = ClusterEvent::new(
        EventResource::AssignedPod,
        ActionType::UPDATE_POD_SCALE_DOWN,
    );
    let label = ClusterEvent::new(EventResource::AssignedPod, ActionType::UPDATE_POD_LABEL);
    for (event, place) in [(scale_down, Place::Backoff), (label, Place::Unschedulable)] {
        let mut world = World::with(without_hints());
        world.park_named("p", &[FIT]);
        call!(&mut world, assigned_pod_updated, &placed, &placed, event);
        assert_eq!(world.place("p"), place);
    }
}

#[test]
fn a_gated_pod_is_not_asked_about_events_that_its_gate_does_not_wait_for() {
    let mut world = World::new();
    world.park_named("p", &[FIT]);
    let pod = make::pod("p").label("gate.GateA", "yes").build();
    world.update(&make::pod("p").build(), &pod);
    world.at(5_000).node_comes(&[FIT]);
    assert_eq!(world.place("p"), Place::Gated);
    assert_eq!(world.info("p").unschedulable_plugins, [FIT, GATE_A].into());
    world.records.clear();
    world.node_comes(&[FIT]);
    assert_eq!(asked(&mut world), vec![""; 0]);
}
