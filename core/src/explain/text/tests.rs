//! Sentences of both languages.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Key, Lang};
use crate::explain::Link;
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::framework::trace::{Criterion, CriterionKind, DryRun, MoveCause, Place};
use crate::make::pod;
use crate::snapshot::PodRef;

fn blanks(template: &str) -> BTreeSet<&str> {
    let parts = template.split('{').skip(1);
    parts
        .filter_map(|part| part.split_once('}').map(|(name, _)| name))
        .collect()
}

#[test]
fn both_languages_leave_the_same_blanks() {
    for key in Key::ALL {
        let (en, zh) = (Lang::En.template(*key), Lang::Zh.template(*key));
        assert_eq!(blanks(en), blanks(zh), "{key:?}");
        assert!(!en.is_empty() && !zh.is_empty(), "{key:?}");
    }
}

fn link(reason: Reason) -> Link {
    Link {
        plugin: None,
        reason,
        pod: Vec::new(),
        node: Vec::new(),
        was_seen: true,
    }
}

#[test]
fn a_sentence_has_the_numbers_of_its_reason() {
    let reason = Reason::Insufficient {
        resource: Arc::from("cpu"),
        requested: 2_000,
        used: 3_500,
        allocatable: 4_000,
    };
    assert_eq!(
        Lang::En.link(&link(reason.clone())),
        "the pod asks for 2 cpu, and 500m is left: 4 less 3500m that other pods ask for"
    );
    assert_eq!(
        Lang::Zh.link(&link(reason)),
        "Pod 请求 2 cpu，只剩 500m：可分配 4，其他 Pod 已请求 3500m"
    );
    let spread = Reason::TopologySpread {
        topology_key: Arc::from("zone"),
        count: 3,
        minimum: 1,
        max_skew: 1,
    };
    assert_eq!(
        Lang::En.link(&link(spread)),
        "with the pod its domain of zone would have 3 matching pods, 2 more than the emptiest with 1; 1 more are allowed"
    );
}

#[test]
fn a_text_of_kubernetes_stays_as_it_is() {
    let reason = Reason::from("persistentvolumeclaim \"x\" not found");
    assert_eq!(Lang::Zh.link(&link(reason.clone())), reason.to_string());
    assert_eq!(Lang::En.say(Key::NoNodes, &[]), "there are no nodes");
}

fn pods(names: &[&str]) -> Vec<PodRef> {
    let reference = |name: &&str| PodRef::of(&pod(name).build());
    names.iter().map(reference).collect()
}

#[test]
fn a_dry_run_says_who_would_go_who_could_stay_and_what_budgets_think_of_it() {
    let run = DryRun {
        node: Arc::from("n1"),
        lower: pods(&["a", "b", "c"]),
        reprieved: pods(&["c"]),
        victims: pods(&["a", "b"]),
        pdb_violations: 1,
        rejected: None,
    };
    assert_eq!(
        Lang::En.dry_run(&run),
        "n1: default/a, default/b would have to leave; default/c could stay; departures that a PodDisruptionBudget does not \
         allow: 1"
    );
    let rejected = DryRun {
        rejected: Some(Status::unresolvable(Reason::NoVictims)),
        ..run
    };
    assert_eq!(
        Lang::En.dry_run(&rejected),
        "n1: No preemption victims found for incoming pod"
    );
}

#[test]
fn a_criterion_says_its_values_and_whom_it_leaves() {
    let criterion = |kind, values: &[(&str, i64)], kept: &[&str]| Criterion {
        kind,
        values: values
            .iter()
            .map(|(node, value)| (Arc::from(*node), *value))
            .collect(),
        kept: kept.iter().map(|node| Arc::from(*node)).collect(),
    };
    let two = 1_i64 << 31;
    let check = |criterion: Criterion, text: &str| assert_eq!(Lang::En.criterion(&criterion), text);
    check(
        criterion(
            CriterionKind::PdbViolations,
            &[("n1", 0), ("n2", 0)],
            &["n1", "n2"],
        ),
        "fewest departures that a PodDisruptionBudget does not allow: n1 0, n2 0",
    );
    check(
        criterion(
            CriterionKind::PrioritySum,
            &[("n1", two - 7), ("n2", 2 * two), ("n3", two - 7)],
            &["n1", "n3"],
        ),
        "smallest sum of priorities, each victim counted too: n1 -7 over 1, n2 0 over 2, n3 -7 over 1; this leaves n1, n3",
    );
    check(
        criterion(
            CriterionKind::StartTime,
            &[("n1", 1_767_225_600_000_000), ("n2", i64::MAX)],
            &["n2"],
        ),
        "latest start of the most important victims: n1 2026-01-01T00:00:00Z, n2 not started; this decides for n2",
    );
    check(
        criterion(CriterionKind::First, &[], &["n1"]),
        "the first one tried; this decides for n1",
    );
}

#[test]
fn an_attempt_that_ended_with_an_error_is_not_said_to_wait_for_an_event() {
    let cause = MoveCause::AttemptFailed;
    assert_ne!(
        Lang::En.cause(&cause, Place::ErrorBackoff),
        Lang::En.cause(&cause, Place::Unschedulable)
    );
}
