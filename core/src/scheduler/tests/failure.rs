use alloc::string::ToString;

use serde_json::json;

use crate::framework::trace::{Place, Record};
use crate::make::pod;
use crate::scheduler::Effect;
use crate::snapshot::PodRef;
use crate::time::Span;

use super::host::{Host, scripted};

fn rejecting(reason: &str) -> serde_json::Value {
    json!({"filter": {"*": {"code": "Unschedulable", "reason": reason}}})
}

/// Applies to the observed pod what the last patch asked for, as an API server would.
fn carry_out_patch(host: &mut Host) {
    let patched = host.out.values().find_map(|effect| match effect {
        Effect::PatchPodStatus { pod, condition, .. } => {
            Some((pod.name.to_string(), condition.clone()))
        }
        _ => None,
    });
    let (name, condition) = patched.unwrap();
    let mut pod = (*host.observed_pod(&name)).clone();
    pod.status.conditions = condition.into_iter().collect();
    host.settle_all();
    host.apply(pod);
}

#[test]
fn a_first_failure_is_one_patch_and_one_event() {
    let mut host = scripted(&[("A", rejecting("no"))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.out.len(), 1);
    assert_eq!(
        (host.events[0].reason, host.events[0].action),
        ("FailedScheduling", "Scheduling")
    );
    assert_eq!(
        host.events[0].note,
        "0/1 nodes are available: 1 no. nothing to do"
    );
}

#[test]
fn an_identical_second_failure_is_an_event_without_a_patch() {
    let mut host = scripted(&[("A", rejecting("no"))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    carry_out_patch(&mut host);
    host.wait(Span::from_secs(400));
    host.schedule();
    assert_eq!(host.events.len(), 2);
    assert!(host.out.is_empty(), "{:?}", host.out);
}

#[test]
fn the_note_of_an_event_is_cut_and_the_condition_is_not() {
    let reason = "é".repeat(700);
    let mut host = scripted(&[("A", rejecting(&reason))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    let note = &host.events[0].note;
    assert!(
        note.len() <= 1024 && note.ends_with(" ..."),
        "{} bytes",
        note.len()
    );
    assert!(host.last_failure().0.contains(&reason));
}

#[test]
fn a_pod_that_went_meanwhile_is_not_queued_again() {
    let mut host = scripted(&[(
        "A",
        json!({"preFlight": "Success", "preBind": {"work": true}}),
    )])
    .with_nodes(&["n1"]);
    let reference = host.add_pod("p");
    host.schedule();
    host.delete(crate::api::ObjectKey::new(
        crate::api::Kind::Pod,
        "default",
        "p",
    ));
    host.settle_only(
        |effect| matches!(effect, Effect::UpdateVolumes { .. }),
        super::host::failed("no"),
    );
    assert_eq!(host.place(&reference), Place::Nowhere);
}

#[test]
fn a_pod_that_was_made_anew_gets_neither_event_nor_patch_of_the_old_one() {
    let mut host = scripted(&[(
        "A",
        json!({"preFlight": "Success", "preBind": {"work": true}}),
    )])
    .with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.out
        .retain(|_, effect| matches!(effect, Effect::UpdateVolumes { .. }));
    host.apply(pod("p").uid("another").build());
    host.settle_only(
        |effect| matches!(effect, Effect::UpdateVolumes { .. }),
        super::host::failed("no"),
    );
    assert!(host.out.is_empty() && host.events.is_empty());
}

#[test]
fn an_error_counts_as_error_and_a_rejection_as_unschedulable() {
    let result_of = |says| {
        let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
        host.add_pod("p");
        host.schedule();
        let attempts = host.records.iter().find_map(|(_, record)| match record {
            Record::Metric(metric) if metric.name == "schedule_attempts_total" => {
                Some(metric.labels[0].1.to_string())
            }
            _ => None,
        });
        attempts.unwrap()
    };
    assert_eq!(result_of(rejecting("no")), "unschedulable");
    assert_eq!(result_of(json!({"filter": {"*": "Error"}})), "error");
}

#[test]
fn a_failed_patch_is_only_noted() {
    let mut host = scripted(&[("A", rejecting("no"))]).with_nodes(&["n1"]);
    let reference = host.add_pod("p");
    host.schedule();
    host.settle_only(
        |effect| matches!(effect, Effect::PatchPodStatus { .. }),
        super::host::failed("busy"),
    );
    assert_eq!(host.place(&reference), Place::Unschedulable);
    let is_noted = host
        .records
        .iter()
        .any(|(_, record)| matches!(record, Record::Trouble { .. }));
    assert!(is_noted);
}

#[test]
fn an_error_clears_the_nomination() {
    let mut host = scripted(&[("A", json!({"filter": {"*": "Error"}}))]).with_nodes(&["n1"]);
    host.apply(pod("p").nominated("n1").build());
    host.schedule();
    let cleared = host.out.values().find_map(|effect| match effect {
        Effect::PatchPodStatus {
            nominated_node_name,
            ..
        } => nominated_node_name.clone(),
        _ => None,
    });
    assert_eq!(cleared.as_deref(), Some(""));
    let reference = PodRef::of(&pod("p").build());
    assert_eq!(
        host.scheduler
            .queue()
            .nominated_node(&reference.uid)
            .map(|node| &**node),
        Some("")
    );
}

#[test]
fn a_rejection_without_a_say_leaves_the_nomination_alone() {
    let mut host = scripted(&[("A", rejecting("no"))]).with_nodes(&["n1"]);
    host.apply(pod("p").nominated("n1").build());
    host.schedule();
    let touched = host.out.values().any(|effect| {
        matches!(
            effect,
            Effect::PatchPodStatus {
                nominated_node_name: Some(_),
                ..
            }
        )
    });
    assert!(!touched);
    host.settle_all();
}
