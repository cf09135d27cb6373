use alloc::string::ToString;

use serde_json::json;

use crate::api::{Kind, ObjectKey};
use crate::framework::trace::Place;
use crate::framework::work::Outcome;
use crate::make::pod;
use crate::scheduler::Effect;
use crate::time::Span;

use super::host::{Host, is_bind, scripted};

fn waits(seconds: i64) -> serde_json::Value {
    json!({"permit": {"code": "Wait", "seconds": seconds}})
}

#[test]
fn a_failed_reserve_unreserves_every_plugin_in_reverse_also_those_not_reached() {
    let mut host = scripted(&[
        ("A", json!({})),
        ("B", json!({"reserve": "Error"})),
        ("C", json!({})),
    ])
    .with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure(),
        (
            "running Reserve plugin \"B\": broken".into(),
            "SchedulerError".into()
        )
    );
    let asked: alloc::vec::Vec<_> = host
        .scheduler
        .known
        .memory
        .claims_in_flight
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(asked, ["0C", "1B", "2A"]);
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
}

#[test]
fn a_rejected_reserve_reads_as_one_node_that_refused() {
    let says = json!({"reserve": {"code": "Unschedulable", "reason": "taken"}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2"]);
    let pod = host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure(),
        (
            "0/1 nodes are available: 1 taken.".into(),
            "Unschedulable".into()
        )
    );
    assert_eq!(host.place(&pod), Place::Unschedulable);
}

#[test]
fn two_plugins_that_wait_must_both_allow() {
    let mut host = scripted(&[("A", waits(100)), ("B", waits(100))]).with_nodes(&["n1"]);
    let pod = host.add_pod("p");
    host.schedule();
    host.settle_all();
    let mut io = super::super::known::Io {
        now: host.now,
        observer: &mut (),
        effects: alloc::vec::Vec::new(),
    };
    host.scheduler
        .allow_waiting_pod(&pod.uid, crate::framework::status::PluginName("A"), &mut io);
    assert!(io.effects.is_empty());
    host.scheduler
        .allow_waiting_pod(&pod.uid, crate::framework::status::PluginName("B"), &mut io);
    assert!(
        matches!(io.effects.as_slice(), [Effect::Bind { .. }]),
        "{:?}",
        io.effects
    );
}

#[test]
fn the_shortest_patience_rejects() {
    let mut host = scripted(&[("A", waits(100)), ("B", waits(5))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_all();
    host.wait(Span::from_secs(5));
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 rejected due to timeout after waiting 5s at plugin B."
    );
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
}

#[test]
fn nobody_waits_longer_than_fifteen_minutes() {
    let mut host = scripted(&[("A", waits(20 * 60))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_all();
    host.wait(Span::from_secs(15 * 60));
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 rejected due to timeout after waiting 15m0s at plugin A."
    );
}

#[test]
fn a_waiting_pod_has_its_node_written_down_and_keeps_its_room() {
    let mut host = scripted(&[("A", waits(60))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    let nominated = host.out.values().find_map(|effect| match effect {
        Effect::PatchPodStatus {
            nominated_node_name,
            ..
        } => nominated_node_name.clone(),
        _ => None,
    });
    assert_eq!(nominated.as_deref(), Some("n1"));
    assert_eq!(host.scheduler.cache().sizes().assumed_pods, 1);
    assert!(host.bindings().is_empty());
}

#[test]
fn a_waiting_pod_that_is_deleted_is_rejected_and_leaves_its_node() {
    let mut host = scripted(&[("A", waits(60))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_all();
    host.delete(ObjectKey::new(Kind::Pod, "default", "p"));
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
    host.settle_all();
    assert!(host.scheduler.is_idle());
}

#[test]
fn a_rejecting_permit_is_a_node_that_refused() {
    let says = json!({"permit": {"code": "Unschedulable", "reason": "not yet"}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.last_failure().0, "0/1 nodes are available: 1 not yet.");
}

#[test]
fn an_assumed_pod_that_is_deleted_frees_its_room_at_once() {
    let mut host = Host::new(crate::config::Configuration::default()).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.apply(pod("p").terminating(30).build());
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
    host.settle_only(is_bind, Outcome::Done);
    assert!(host.scheduler.is_idle());
}

#[test]
fn a_waiting_pod_that_is_going_is_not_tried_again() {
    let mut host = scripted(&[("A", waits(60))]).with_nodes(&["n1"]);
    let reference = host.add_pod("p");
    host.schedule();
    host.settle_all();
    host.apply(pod("p").terminating(30).build());
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
    assert_eq!(host.last_failure().0, "0/1 nodes are available: 1 removed.");
    assert_eq!(host.place(&reference), Place::Unschedulable);
    host.wait(Span::from_secs(20));
    assert!(!host.scheduler.has_work());
}
