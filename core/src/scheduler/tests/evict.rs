use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use crate::api::{Kind, ObjectKey};
use crate::config::{Configuration, Gate, Gates, PluginArgs, PluginConfig, PluginEntry};
use crate::framework::trace::Place;
use crate::framework::work::{Failure, FailureKind, Outcome};
use crate::make::{node, pod};
use crate::scheduler::{Effect, Input};
use crate::snapshot::PodRef;
use crate::time::Span;

use super::host::{Host, failed};

/// One full node with two pods of low priority, and a pod of high priority that needs both to go.
fn crowded() -> Host {
    crowded_by(Configuration::default())
}

fn crowded_by(config: Configuration) -> Host {
    let mut host = Host::new(config);
    host.apply(node("n1").cpu("2").memory("4Gi").pods(110).build());
    host.apply(pod("low-1").cpu("1").priority(1).node("n1").build());
    host.apply(pod("low-2").cpu("1").priority(2).node("n1").build());
    host.apply(pod("high").cpu("2").priority(10).build());
    host.schedule();
    host
}

fn high() -> PodRef {
    PodRef::of(&pod("high").build())
}

/// What is out, as `patch NAME`, `delete NAME`.
fn out(host: &Host) -> Vec<String> {
    host.out
        .values()
        .filter_map(|effect| match effect {
            Effect::PatchPodStatus { pod, .. } => Some(["patch ", &pod.name].concat()),
            Effect::DeletePod { pod, .. } => Some(["delete ", &pod.name].concat()),
            _ => None,
        })
        .collect()
}

fn settle(host: &mut Host, what: &str, outcome: Outcome) {
    let (verb, name) = what.split_once(' ').unwrap();
    host.settle_only(
        |effect| match effect {
            Effect::PatchPodStatus { pod, .. } => verb == "patch" && &*pod.name == name,
            Effect::DeletePod { pod, .. } => verb == "delete" && &*pod.name == name,
            _ => false,
        },
        outcome,
    );
}

#[test]
fn a_victim_is_marked_then_deleted_and_an_event_says_so() {
    let mut host = crowded();
    assert_eq!(out(&host), ["patch low-2", "patch high"]);
    let marked = host.out.values().find_map(|effect| match effect {
        Effect::PatchPodStatus {
            condition: Some(condition),
            ..
        } if condition.type_ == "DisruptionTarget" => Some(condition.clone()),
        _ => None,
    });
    let marked = marked.unwrap();
    assert_eq!(
        (marked.status.as_str(), marked.reason.as_str()),
        ("True", "PreemptionByScheduler")
    );
    assert_eq!(
        marked.message,
        "default-scheduler: preempting to accommodate a higher priority pod"
    );
    settle(&mut host, "patch low-2", Outcome::Done);
    assert_eq!(out(&host), ["patch high", "delete low-2"]);
    settle(&mut host, "delete low-2", Outcome::Done);
    let preempted: Vec<_> = host
        .events
        .iter()
        .filter(|event| event.reason == "Preempted")
        .collect();
    assert_eq!(preempted.len(), 1);
    assert_eq!(
        preempted[0].note,
        ["Preempted by pod ", &high().uid, " on node n1"].concat()
    );
}

#[test]
fn the_preemptor_is_held_until_its_last_victim_is_on_its_way() {
    let mut host = crowded();
    host.wait(Span::from_secs(3));
    // The first victim's deletion wakes the preemptor, which its own preemption still holds back.
    settle(&mut host, "patch low-2", Outcome::Done);
    host.delete(ObjectKey::new(Kind::Pod, "default", "low-2"));
    assert_eq!(host.place(&high()), Place::Gated);
    settle(&mut host, "delete low-2", Outcome::Done);
    assert_eq!(out(&host), ["patch high", "patch low-1"]);
    settle(&mut host, "patch low-1", Outcome::Done);
    settle(&mut host, "delete low-1", Outcome::Done);
    host.delete(ObjectKey::new(Kind::Pod, "default", "low-1"));
    host.schedule();
    assert_eq!(host.bindings(), [("high".to_string(), "n1".to_string())]);
}

#[test]
fn a_failed_eviction_lets_the_preemptor_try_again() {
    let mut host = crowded();
    settle(&mut host, "patch low-2", failed("busy"));
    assert_eq!(host.place(&high()), Place::Active);
    assert_eq!(out(&host), ["patch high"], "the last victim is spared");
}

#[test]
fn a_victim_that_is_gone_already_needs_nothing_more() {
    let mut host = crowded();
    let gone = Outcome::Failed(Failure {
        kind: FailureKind::NotFound,
        message: "pods \"low-2\" not found".to_string(),
    });
    settle(&mut host, "patch low-2", gone);
    assert_eq!(out(&host), ["patch high", "patch low-1"]);
    assert!(!host.events.iter().any(|event| event.reason == "Preempted"));
}

#[test]
fn a_victim_that_waits_for_permit_is_rejected_without_a_deletion() {
    let mut config = Configuration::default();
    let profile = &mut config.profiles[0];
    profile.plugins.permit.enabled.push(PluginEntry {
        name: "A".to_string(),
        weight: 0,
    });
    profile.plugin_config.push(PluginConfig {
        name: "A".to_string(),
        args: PluginArgs::Other(json!({"permit": {"code": "Wait", "seconds": 600}})),
    });
    let mut host = Host::new(config);
    host.apply(node("n1").cpu("1").memory("4Gi").pods(110).build());
    host.apply(pod("low").cpu("1").priority(1).build());
    host.schedule();
    host.settle_all();
    host.apply(pod("high").cpu("1").priority(10).build());
    host.schedule();
    assert!(
        !out(&host).iter().any(|what| what.starts_with("delete")),
        "{:?}",
        out(&host)
    );
    let low = PodRef::of(&pod("low").build());
    assert_ne!(host.place(&low), Place::Nowhere, "it is queued again");
    assert!(
        host.events
            .iter()
            .any(|event| event.reason == "Preempted" && event.regarding.name == low.name)
    );
}

#[test]
fn a_success_of_preemption_leaves_no_tail_and_nominates() {
    let host = crowded();
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 Insufficient cpu."
    );
    assert_eq!(
        host.scheduler
            .queue()
            .nominated_node(&high().uid)
            .map(|node| &**node),
        Some("n1")
    );
}

#[test]
fn nominated_pods_of_at_least_the_pods_priority_are_counted_in() {
    let mut host = Host::new(Configuration::default());
    host.apply(node("n1").cpu("2").memory("4Gi").pods(110).build());
    host.apply(pod("low").cpu("2").priority(1).node("n1").build());
    host.apply(pod("high").cpu("2").priority(10).build());
    host.schedule();
    host.delete(ObjectKey::new(Kind::Pod, "default", "low"));
    // The room is promised to `high`, which waits out its backoff: an equal may not take it, a superior may.
    host.apply(pod("equal").cpu("2").priority(10).build());
    host.input(Input::ScheduleOne);
    assert_eq!(
        host.place(&PodRef::of(&pod("equal").build())),
        Place::Unschedulable
    );
    host.apply(pod("top").cpu("2").priority(11).build());
    host.input(Input::ScheduleOne);
    assert_eq!(host.bindings(), [("top".to_string(), "n1".to_string())]);
}

/// Preemption that is waited for.
fn synchronous() -> Configuration {
    Configuration::for_gates(Gates::default().with(Gate::SchedulerAsyncPreemption, false))
}

#[test]
fn a_synchronous_preemption_ends_with_its_last_victim_on_its_way() {
    let mut host = crowded_by(synchronous());
    host.add_pod("next");
    assert_eq!(out(&host), ["patch low-2", "patch low-1"], "all at once");
    assert_eq!(host.place(&high()), Place::InFlight);
    assert!(!host.scheduler.has_work(), "attempts are serial");
    settle(&mut host, "patch low-2", Outcome::Done);
    settle(&mut host, "patch low-1", Outcome::Done);
    settle(&mut host, "delete low-1", Outcome::Done);
    assert_eq!(host.place(&high()), Place::InFlight);
    settle(&mut host, "delete low-2", Outcome::Done);
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 Insufficient cpu."
    );
    assert_eq!(host.place(&high()), Place::Unschedulable);
    assert!(host.scheduler.has_work());
    host.delete(ObjectKey::new(Kind::Pod, "default", "low-1"));
    assert_eq!(host.place(&high()), Place::Backoff, "nothing holds it");
}

#[test]
fn a_failed_synchronous_preemption_is_told_and_leaves_the_rest_alone() {
    let mut host = crowded_by(synchronous());
    settle(&mut host, "patch low-2", failed("busy"));
    assert_eq!(host.place(&high()), Place::InFlight);
    settle(&mut host, "patch low-1", Outcome::Done);
    assert_eq!(out(&host), ["patch high"], "nobody is deleted any more");
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 Insufficient cpu. preemption: busy"
    );
    assert_eq!(host.scheduler.queue().nominated_node(&high().uid), None);
}

#[test]
fn a_synchronous_preemption_clears_lower_nominations_only_when_it_went_well() {
    let run = |outcome: Outcome| {
        let mut host = Host::new(synchronous());
        host.apply(node("n1").cpu("2").memory("4Gi").pods(110).build());
        host.apply(pod("low").cpu("2").priority(1).node("n1").build());
        host.apply(
            pod("middle")
                .cpu("2")
                .priority(5)
                .nominated("n1")
                .gate("wait")
                .build(),
        );
        let reference = PodRef::of(&pod("middle").build());
        let event = crate::framework::extension::NominatingInfo::Noop;
        let info = crate::snapshot::PodInfo::new(host.observed_pod("middle"));
        host.nominate(&info, &event);
        assert!(
            host.scheduler
                .queue()
                .nominated_node(&reference.uid)
                .is_some()
        );
        host.apply(pod("high").cpu("2").priority(10).build());
        host.schedule();
        settle(&mut host, "patch low", outcome);
        if out(&host).contains(&"delete low".to_string()) {
            settle(&mut host, "delete low", Outcome::Done);
        }
        out(&host)
    };
    assert_eq!(run(Outcome::Done), ["patch middle", "patch high"]);
    assert_eq!(run(failed("busy")), ["patch high"]);
}

#[test]
fn a_promise_that_only_memory_knows_needs_no_patch() {
    let mut host = Host::new(Configuration::default());
    host.apply(node("n1").cpu("2").memory("4Gi").pods(110).build());
    host.apply(pod("low").cpu("2").priority(1).node("n1").build());
    host.apply(pod("middle").cpu("2").priority(5).build());
    host.schedule();
    let middle = PodRef::of(&pod("middle").build());
    assert!(host.scheduler.queue().nominated_node(&middle.uid).is_some());
    assert_eq!(out(&host), ["patch low", "patch middle"]);
    host.out.clear();
    host.apply(pod("high").cpu("2").priority(10).build());
    host.schedule();
    assert_eq!(out(&host), ["patch low", "patch high"]);
}
