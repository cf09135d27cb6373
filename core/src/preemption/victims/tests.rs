//! Tests of which pods would have to leave a node.

use crate::framework::extension::PostFilterStep;
use crate::framework::trace::Record;
use crate::make::{PodBuilder, disruption_budget, node, pod, selector};
use crate::preemption::tests::{Bench, names};

use super::*;

fn low(name: &str, priority: i32, cpu: &str) -> PodBuilder {
    pod(name).priority(priority).cpu(cpu).node("n1")
}

/// The victims on the only node, for a pod of priority 10 that needs `cpu`.
fn victims_for(bench: &mut Bench, cpu: &str) -> (Vec<alloc::string::String>, usize) {
    let step = bench.preempt(&pod("high").priority(10).cpu(cpu));
    let PostFilterStep::Done(done) = step else {
        panic!("expected an end");
    };
    let chosen = done
        .evict
        .unwrap_or_else(|| panic!("{}", done.status.message()));
    let found = names(&chosen.victims.pods);
    (
        found.into_iter().map(Into::into).collect(),
        chosen.victims.pdb_violations,
    )
}

fn bench(cpu: &str, pods: &[PodBuilder]) -> Bench {
    Bench::new(&[node("n1").cpu(cpu)], pods)
}

/// The reasons why the only node cannot help.
fn rejection(bench: &mut Bench, pod: &PodBuilder) -> alloc::string::String {
    bench.preempt(pod);
    let told = bench.records.iter().find_map(|record| match record {
        Record::Preempted { dry_runs, .. } => dry_runs.first()?.rejected.clone(),
        _ => None,
    });
    told.unwrap().message()
}

#[test]
fn pods_are_put_back_while_the_pod_still_fits() {
    let pods = [low("a", 1, "1"), low("b", 3, "1"), low("c", 2, "1")];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["a"]);
    assert_eq!(victims_for(&mut bench("3", &pods), "2").0, ["c", "a"]);
    assert_eq!(victims_for(&mut bench("3", &pods), "3").0, ["b", "c", "a"]);
}

#[test]
fn a_smaller_pod_further_down_may_still_be_put_back() {
    // b does not fit beside the pod any more, the smaller a does.
    let pods = [low("a", 1, "500m"), low("b", 2, "1"), low("c", 3, "1500m")];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["b"]);
}

#[test]
fn pods_of_equal_or_higher_priority_stay() {
    let pods = [
        low("equal", 10, "1"),
        low("higher", 11, "1"),
        low("a", 9, "1"),
    ];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["a"]);
    let mut full = bench("2", &pods[..2]);
    let text = rejection(&mut full, &pod("high").priority(10).cpu("1"));
    assert_eq!(text, "No preemption victims found for incoming pod");
}

#[test]
fn a_pod_without_a_priority_counts_as_zero() {
    let plain = pod("plain").cpu("1").node("n1");
    let mut full = bench("1", core::slice::from_ref(&plain));
    assert_eq!(victims_for(&mut full, "1").0, ["plain"]);
    let mut full = bench("1", &[plain]);
    let text = rejection(&mut full, &pod("also plain").cpu("1"));
    assert_eq!(text, "No preemption victims found for incoming pod");
    let mut full = bench("1", &[low("negative", -1, "1")]);
    let step = full.preempt(&pod("plain").cpu("1"));
    assert!(matches!(step, PostFilterStep::Done(done) if done.evict.is_some()));
}

#[test]
fn a_node_on_which_the_pod_does_not_fit_without_anybody_says_why() {
    let mut full = bench("2", &[low("a", 1, "1"), low("stays", 20, "1")]);
    let text = rejection(&mut full, &pod("high").priority(10).cpu("2"));
    assert_eq!(text, "Insufficient cpu");
}

#[test]
fn of_equal_priorities_the_one_that_started_first_stays() {
    let pods = [
        low("late", 1, "1").started(300),
        low("early", 1, "1").started(100),
        low("unstarted", 1, "1"),
    ];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["unstarted"]);
    assert_eq!(
        victims_for(&mut bench("3", &pods), "2").0,
        ["late", "unstarted"]
    );
}

#[test]
fn of_pods_that_have_not_started_the_last_one_on_the_node_stays() {
    let pods = [low("a", 1, "1"), low("b", 1, "1"), low("c", 1, "1")];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["a"]);
    assert_eq!(victims_for(&mut bench("3", &pods), "2").0, ["b", "a"]);
}

#[test]
fn of_pods_that_started_together_the_order_on_the_node_decides() {
    let started = |name| low(name, 1, "1").started(100);
    let pods = [started("a"), started("b"), started("c")];
    assert_eq!(victims_for(&mut bench("3", &pods), "1").0, ["c"]);
}

#[test]
fn importance_is_priority_then_start() {
    let mut pods: Vec<Arc<PodInfo>> = [
        low("1 unstarted", 1, "1"),
        low("2 late", 2, "1").started(9),
        low("1 early", 1, "1").started(1),
        low("3", 3, "1"),
        low("2 early", 2, "1").started(1),
        low("-1", -1, "1").started(0),
    ]
    .map(|pod| Arc::new(PodInfo::new(pod.build())))
    .to_vec();
    sort_by_importance(&mut pods);
    let expected = ["3", "2 early", "2 late", "1 early", "1 unstarted", "-1"];
    assert_eq!(names(&pods), expected);
}

#[test]
fn pods_whose_budget_is_used_up_are_put_back_first() {
    let pods = [
        low("protected", 1, "1").label("app", "x"),
        low("important", 5, "1"),
    ];
    let mut full = bench("2", &pods);
    full.observe_budget(&disruption_budget("x").selects(selector("app", "x")).build());
    let (victims, violations) = victims_for(&mut full, "1");
    assert_eq!(victims, ["important"]);
    assert_eq!(violations, 0);
    // When both must go, they are told by importance again, and one violates.
    let (victims, violations) = victims_for(&mut full, "2");
    assert_eq!(victims, ["important", "protected"]);
    assert_eq!(violations, 1);
}

#[test]
fn a_budget_covers_the_most_important_pods_first() {
    let of = |name, priority| low(name, priority, "1").label("app", "x");
    let mut full = bench("3", &[of("a", 1), of("b", 2), of("c", 3)]);
    let budget = disruption_budget("x").selects(selector("app", "x"));
    full.observe_budget(&budget.allows(1).build());
    // c is the one that may go, so a and b are violating and are put back first.
    let (victims, violations) = victims_for(&mut full, "1");
    assert_eq!(victims, ["c"]);
    assert_eq!(violations, 0);
    let (victims, violations) = victims_for(&mut full, "2");
    assert_eq!(victims, ["c", "a"]);
    assert_eq!(violations, 1);
}

#[test]
fn plugins_that_keep_counts_are_told_of_every_departure_and_return() {
    // Without being told, the guard would refuse the node for ever, or let its guard go for nothing.
    let pods = [
        low("guard", 5, "100m").label("guard", "yes"),
        low("filler", 1, "1"),
        low("another", 2, "1"),
    ];
    let mut full = bench("2500m", &pods);
    assert_eq!(victims_for(&mut full, "1").0, ["guard", "filler"]);
}

#[test]
fn pods_nominated_to_the_node_keep_their_room() {
    let pods = [low("a", 1, "1"), low("b", 2, "1")];
    let mut full = bench("2", &pods);
    full.nominate(&pod("promised").priority(10).cpu("1"), "n1");
    assert_eq!(victims_for(&mut full, "1").0, ["b", "a"]);
    // One of lower priority does not.
    let mut full = bench("2", &pods);
    full.nominate(&pod("promised").priority(9).cpu("1"), "n1");
    assert_eq!(victims_for(&mut full, "1").0, ["a"]);
}

#[test]
fn a_node_that_fits_after_all_is_an_error() {
    let mut roomy = bench("3", &[low("a", 1, "1")]);
    let mut statuses = crate::framework::status::NodeStatuses::default();
    statuses.set(
        NodeIndex(0),
        Status::unschedulable(Reason::from("mistaken")),
    );
    roomy.statuses = Some(statuses);
    let text = rejection(&mut roomy, &pod("high").priority(10).cpu("1"));
    assert_eq!(text, "expected at least one victim pod on node \"n1\"");
}
