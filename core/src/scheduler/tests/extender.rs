use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use crate::config::{Configuration, Extender};
use crate::framework::extender::{ExtenderCall, FilterAnswer, HostPriority};
use crate::framework::trace::Place;
use crate::framework::work::Outcome;
use crate::order::SortedMap;
use crate::scheduler::Effect;

use super::host::{Host, extender, failed, is_ask, is_bind, scripted_configuration};

fn host(extenders: Vec<Extender>) -> Host {
    let mut config: Configuration = scripted_configuration(&[("A", json!({}))]);
    config.extenders = extenders;
    Host::new(config).with_nodes(&["n1", "n2", "n3"])
}

fn passes(names: &[&str]) -> Outcome {
    Outcome::Filtered(FilterAnswer {
        nodes: Some(names.iter().map(ToString::to_string).collect()),
        ..FilterAnswer::default()
    })
}

fn scores(scores: &[(&str, i64)]) -> Outcome {
    let entry = |(host, score): &(&str, i64)| HostPriority {
        host: host.to_string(),
        score: *score,
    };
    Outcome::Prioritized(scores.iter().map(entry).collect())
}

fn bound(host: &Host) -> Vec<String> {
    host.bindings().into_iter().map(|(_, node)| node).collect()
}

#[test]
fn an_attempt_waits_for_its_extender_and_no_other_begins() {
    let mut host = host([extender("one", &["filter"])].to_vec());
    host.add_pod("p");
    host.add_pod("q");
    host.schedule();
    assert_eq!(host.out.len(), 1);
    assert!(!host.scheduler.has_work());
    host.settle_only(is_ask, passes(&["n2"]));
    assert_eq!(bound(&host), ["n2"]);
    assert!(host.scheduler.has_work());
}

#[test]
fn extenders_that_must_not_fail_are_asked_before_ignorable_ones() {
    let mut ignorable = extender("ignorable", &["filter"]);
    ignorable.ignorable = true;
    let mut host = host([ignorable, extender("strict", &["filter"])].to_vec());
    host.add_pod("p");
    host.schedule();
    let asked = |host: &Host| {
        host.out.values().find_map(|effect| match effect {
            Effect::AskExtender { extender, .. } => Some(*extender),
            _ => None,
        })
    };
    assert_eq!(asked(&host), Some(1));
    host.settle_only(is_ask, passes(&["n1", "n3"]));
    assert_eq!(asked(&host), Some(0));
    host.settle_only(is_ask, failed("down"));
    assert_eq!(bound(&host), ["n1"]);
}

#[test]
fn a_failing_extender_that_must_not_fail_fails_the_attempt() {
    let mut host = host([extender("one", &["filter"])].to_vec());
    let pod = host.add_pod("p");
    host.schedule();
    host.settle_only(
        is_ask,
        failed("failed filter with extender at URL one/filter, code 500"),
    );
    assert_eq!(host.last_failure().1, "SchedulerError");
    assert_eq!(host.place(&pod), Place::ErrorBackoff);
}

#[test]
fn the_unresolvable_map_wins_and_the_extender_counts_as_rejector() {
    let mut host = host([extender("one", &["filter"])].to_vec());
    let pod = host.add_pod("p");
    host.schedule();
    let both = |text: &str| SortedMap::from([("n1".to_string(), text.to_string())]);
    let mut failed_nodes = both("soft");
    failed_nodes.insert("n2".into(), "soft".into());
    failed_nodes.insert("n3".into(), "soft".into());
    let answer = FilterAnswer {
        nodes: Some(Vec::new()),
        failed: failed_nodes,
        failed_and_unresolvable: both("hard"),
    };
    host.settle_only(is_ask, Outcome::Filtered(answer));
    assert_eq!(
        host.last_failure().0,
        "0/3 nodes are available: 1 hard, 2 soft. nothing to do"
    );
    assert_eq!(host.place(&pod), Place::Unschedulable);
    let queued = host.scheduler.queue().get("default", "p").unwrap();
    assert!(
        queued
            .unschedulable_plugins
            .iter()
            .any(|plugin| plugin.0 == "Extender")
    );
}

#[test]
fn a_node_that_was_not_asked_about_is_an_error() {
    let mut host = host([extender("one", &["filter"])].to_vec());
    host.add_pod("p");
    host.schedule();
    host.settle_only(is_ask, passes(&["other"]));
    assert_eq!(
        host.last_failure().0,
        "extender \"one\" claims a filtered node \"other\" which is not found in the input node list"
    );
}

#[test]
fn a_score_of_ten_with_weight_five_is_worth_five_hundred() {
    let mut heavy = extender("one", &["prioritize"]);
    heavy.weight = 5;
    let mut host = host([heavy].to_vec());
    host.add_pod("p");
    host.schedule();
    host.settle_only(is_ask, scores(&[("n3", 10), ("n1", 9), ("unknown", 10)]));
    assert_eq!(bound(&host), ["n3"]);
    let totals = host.records.iter().find_map(|(_, record)| match record {
        crate::framework::trace::Record::Scored { extenders, .. } => Some(extenders.clone()),
        _ => None,
    });
    assert_eq!(totals.unwrap(), [450, 0, 500]);
}

#[test]
fn a_failing_prioritizer_adds_nothing() {
    let mut host = host([extender("one", &["prioritize"])].to_vec());
    host.add_pod("p");
    host.schedule();
    host.settle_only(is_ask, failed("down"));
    assert_eq!(bound(&host).len(), 1);
}

#[test]
fn extenders_score_at_the_same_time() {
    let mut host = host(
        [
            extender("one", &["prioritize"]),
            extender("two", &["prioritize"]),
        ]
        .to_vec(),
    );
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.out.values().filter(|effect| is_ask(effect)).count(), 2);
    let tickets: Vec<_> = host.out.keys().copied().collect();
    host.settle(tickets[1], scores(&[("n2", 1)]));
    assert!(bound(&host).is_empty());
    host.settle(tickets[0], scores(&[]));
    assert_eq!(bound(&host), ["n2"]);
}

#[test]
fn a_binding_extender_binds_in_place_of_the_plugins() {
    let mut host = host([extender("one", &["bind"])].to_vec());
    host.add_pod("p");
    host.schedule();
    assert!(bound(&host).is_empty());
    host.settle_only(is_ask, Outcome::Done);
    assert_eq!(host.events[0].reason, "Scheduled");
}

#[test]
fn an_ignorable_binder_that_fails_leaves_the_binding_to_the_plugins() {
    let mut binder = extender("one", &["bind"]);
    binder.ignorable = true;
    let mut host = host([binder].to_vec());
    host.add_pod("p");
    host.schedule();
    host.settle_only(is_ask, failed("down"));
    host.settle_only(is_bind, Outcome::Done);
    assert_eq!(host.events[0].reason, "Scheduled");
}

#[test]
fn an_extender_with_managed_resources_is_asked_only_about_pods_that_name_one() {
    let mut managing = extender("one", &["filter"]);
    managing.managed_resources = [crate::config::ExtenderManagedResource {
        name: "example.com/gpu".into(),
        ignored_by_scheduler: false,
    }]
    .to_vec();
    let mut host = host([managing].to_vec());
    host.add_pod("p");
    host.schedule();
    assert_eq!(bound(&host).len(), 1);
    host.apply(
        crate::make::pod("q")
            .request("example.com/gpu", "1")
            .build(),
    );
    host.schedule();
    let question = host.out.values().find(|effect| is_ask(effect));
    assert!(matches!(
        question,
        Some(Effect::AskExtender {
            call: ExtenderCall::Filter { .. },
            ..
        })
    ));
}
