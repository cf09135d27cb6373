//! Tests of who may preempt and what comes of it, with two small plugins in place of the real ones.

mod bench;

use alloc::string::String;

use crate::framework::trace::CriterionKind;
use crate::make::{PodBuilder, disruption_budget, node, pod, selector};
use crate::node_set::NodeIndex;

use super::*;

pub(super) use bench::{Bench, names};

/// A pod of priority 10 that needs a whole core.
fn preemptor() -> PodBuilder {
    pod("high").priority(10).cpu("1")
}

/// A running pod of priority 1 that takes a whole core.
fn low(name: &str, node: &str) -> PodBuilder {
    pod(name).priority(1).cpu("1").node(node).started(100)
}

fn done(step: PostFilterStep) -> PostFiltered {
    match step {
        PostFilterStep::Done(done) => done,
        PostFilterStep::Consult(candidates) => panic!("expected an end, got {candidates:?}"),
    }
}

/// What is said, and to which node the pod is nominated: `-` leaves the nomination alone, the empty name clears it.
fn check(bench: &mut Bench, pod: &PodBuilder, code: Code, message: &str, nominated: &str) {
    let done = done(bench.preempt(pod));
    assert_eq!(done.status.code, code, "{}", done.status.message());
    assert_eq!(done.status.message(), message);
    let nominating = match done.nominating {
        None | Some(NominatingInfo::Noop) => String::from("-"),
        Some(NominatingInfo::Override(node)) => String::from(&*node),
    };
    assert_eq!(nominating, nominated);
    assert_eq!(done.evict.is_some(), code == Code::Success);
}

#[test]
fn a_pod_takes_the_place_of_one_of_lower_priority() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    let done = done(bench.preempt(&preemptor()));
    assert!(done.status.is_success());
    let chosen = done.evict.unwrap();
    assert_eq!(&*chosen.node, "n1");
    assert_eq!(names(&chosen.victims.pods), ["a"]);
}

#[test]
fn asking_leaves_the_snapshot_as_it_was() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    let before = bench.snapshot.node(NodeIndex(0)).clone();
    let room = *bench.snapshot.columns().room(NodeIndex(0));
    bench.preempt(&preemptor());
    assert!(Arc::ptr_eq(bench.snapshot.node(NodeIndex(0)), &before));
    assert_eq!(*bench.snapshot.columns().room(NodeIndex(0)), room);
}

#[test]
fn a_pod_with_the_policy_never_does_not_preempt() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    let never = preemptor().preemption_policy("Never");
    let text = "not eligible due to preemptionPolicy=Never.";
    check(&mut bench, &never, Code::Unschedulable, text, "-");
    let lower = preemptor().preemption_policy("PreemptLowerPriority");
    check(&mut bench, &lower, Code::Success, "", "n1");
}

#[test]
fn a_pod_that_is_no_longer_observed_is_an_error() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    bench.is_observed = false;
    let text = "pod \"high\" not found";
    check(&mut bench, &preemptor(), Code::Error, text, "-");
}

#[test]
fn the_newest_observed_version_of_the_pod_counts() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    bench.newest = Some(preemptor().priority(0));
    let text = "0/1 nodes are available: 1 No preemption victims found for incoming pod.";
    check(&mut bench, &preemptor(), Code::Unschedulable, text, "");
}

/// A pod that was nominated to `n1`, on which `a` is as `leaving` makes it.
fn with_nomination(leaving: impl FnOnce(PodBuilder) -> PodBuilder) -> (Bench, PodBuilder) {
    let bench = Bench::new(&[node("n1").cpu("1")], &[leaving(low("a", "n1"))]);
    (bench, preemptor().nominated("n1"))
}

const DISRUPTED: (&str, &str, &str) = ("DisruptionTarget", "True", "PreemptionByScheduler");

fn leaving(pod: PodBuilder) -> PodBuilder {
    let (type_, status, reason) = DISRUPTED;
    pod.terminating(5).condition(type_, status, reason)
}

#[test]
fn a_pod_waits_for_the_victim_it_already_has() {
    let (mut bench, pod) = with_nomination(leaving);
    let text = "not eligible due to a terminating pod on the nominated node.";
    check(&mut bench, &pod, Code::Unschedulable, text, "-");
}

#[test]
fn only_a_victim_of_preemption_of_lower_priority_is_waited_for() {
    let variants: [fn(PodBuilder) -> PodBuilder; 4] = [
        // Somebody else deleted it.
        |pod| pod.terminating(5),
        // It is not being deleted yet.
        |pod| pod.condition("DisruptionTarget", "True", "PreemptionByScheduler"),
        |pod| {
            pod.terminating(5)
                .condition("DisruptionTarget", "False", "PreemptionByScheduler")
        },
        |pod| {
            pod.terminating(5)
                .condition("DisruptionTarget", "True", "DeletionByTaintManager")
        },
    ];
    for variant in variants {
        let (mut bench, pod) = with_nomination(variant);
        check(&mut bench, &pod, Code::Success, "", "n1");
    }
    let (mut bench, pod) = with_nomination(|pod| leaving(pod).priority(10));
    let text = "0/1 nodes are available: 1 No preemption victims found for incoming pod.";
    check(&mut bench, &pod, Code::Unschedulable, text, "");
}

#[test]
fn a_nominated_node_that_cannot_be_mended_does_not_block() {
    let nodes = [node("n1").cpu("1").unschedulable(), node("n2").cpu("1")];
    let pods = [leaving(low("a", "n1")), low("b", "n2")];
    let mut bench = Bench::new(&nodes, &pods);
    let pod = preemptor().nominated("n1");
    check(&mut bench, &pod, Code::Success, "", "n2");
}

#[test]
fn a_nominated_node_that_vanished_does_not_block() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    let pod = preemptor().nominated("gone");
    check(&mut bench, &pod, Code::Success, "", "n1");
}

#[test]
fn only_nodes_that_a_departure_could_mend_are_tried() {
    let nodes = [
        node("n1").cpu("1").unschedulable(),
        node("n2").cpu("1").label("pending", "yes"),
        node("n3").cpu("1"),
    ];
    let pods = [low("a", "n1"), low("b", "n2"), low("c", "n3").priority(20)];
    let mut bench = Bench::new(&nodes, &pods);
    let text = "0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful \
                for scheduling.";
    check(&mut bench, &preemptor(), Code::Unschedulable, text, "");
}

#[test]
fn without_any_node_to_try_the_nomination_is_cleared_and_nothing_is_drawn() {
    let nodes = [node("n1").unschedulable(), node("n2").unschedulable()];
    let mut bench = Bench::new(&nodes, &[]);
    let text = "0/2 nodes are available: 2 Preemption is not helpful for scheduling.";
    check(&mut bench, &preemptor(), Code::Unschedulable, text, "");
    assert!(
        !bench
            .records
            .iter()
            .any(|record| matches!(record, Record::Drawn { .. }))
    );
}

#[test]
fn the_text_counts_what_each_dry_run_said() {
    let nodes = [
        node("n1").cpu("1"),
        node("n2").cpu("1"),
        node("n3").cpu("1"),
    ];
    // Two pods of higher priority fill n1 beside the one that could go.
    let pods = [
        low("a", "n1").cpu("100m"),
        low("b", "n1").cpu("900m").priority(20),
        low("c", "n2").priority(20),
        low("d", "n3").priority(20),
    ];
    let mut bench = Bench::new(&nodes, &pods);
    let text = "0/3 nodes are available: 1 Insufficient cpu, 2 No preemption victims found for incoming pod.";
    check(&mut bench, &preemptor(), Code::Unschedulable, text, "");
}

#[test]
fn a_rejection_of_the_pod_as_a_whole_makes_every_node_worth_a_try() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    let mut statuses = NodeStatuses::default();
    statuses.absent = Some(Status::unschedulable(Reason::from("not today")));
    bench.statuses = Some(statuses);
    check(&mut bench, &preemptor(), Code::Success, "", "n1");
}

#[test]
fn errors_of_dry_runs_count_only_without_a_candidate() {
    let broken = |name: &str, node: &str| low(name, node).label("broken", name);
    let nodes = [
        node("n1").cpu("1"),
        node("n2").cpu("1"),
        node("n3").cpu("1"),
    ];
    let mut bench = Bench::new(&nodes[..1], &[broken("a", "n1")]);
    let text = "running RemovePod on PreFilter plugin \"Guard\": broken a";
    check(&mut bench, &preemptor(), Code::Error, text, "-");
    let mut bench = Bench::new(&nodes[..2], &[broken("a", "n1"), broken("b", "n2")]);
    let text = "[running RemovePod on PreFilter plugin \"Guard\": broken a, running RemovePod on PreFilter plugin \
                \"Guard\": broken b]";
    check(&mut bench, &preemptor(), Code::Error, text, "-");
    let pods = [broken("a", "n1"), broken("b", "n2"), low("c", "n3")];
    let mut bench = Bench::new(&nodes, &pods);
    check(&mut bench, &preemptor(), Code::Success, "", "n3");
}

#[test]
fn extenders_are_consulted_before_a_node_is_chosen() {
    let nodes = [node("n1").cpu("1"), node("n2").cpu("1")];
    let mut bench = Bench::new(&nodes, &[low("a", "n1").priority(2), low("b", "n2")]);
    bench.consults_extenders = true;
    let PostFilterStep::Consult(mut candidates) = bench.preempt(&preemptor()) else {
        panic!("expected to consult");
    };
    candidates.sort_by(|one, two| one.node.cmp(&two.node));
    assert_eq!(candidates.len(), 2);
    let pod = PodInfo::new(preemptor().build());
    // They left the worse one.
    candidates.pop();
    let left = done(bench.choose(&pod, candidates));
    assert_eq!(&*left.evict.unwrap().node, "n1");
    // They left none.
    let none = done(bench.choose(&pod, Vec::new()));
    assert_eq!(none.status.code, Code::Unschedulable);
    assert_eq!(none.status.message(), "no candidate node for preemption");
    assert_eq!(none.nominating, None);
}

#[test]
fn a_cluster_without_nodes_is_an_error() {
    let mut bench = Bench::new(&[], &[]);
    check(
        &mut bench,
        &preemptor(),
        Code::Error,
        "no nodes available",
        "-",
    );
}

#[test]
fn every_dry_run_and_every_criterion_is_told() {
    let nodes = [
        node("n1").cpu("2"),
        node("n2").cpu("1"),
        node("n3").cpu("1"),
    ];
    let pods = [
        low("a", "n1").label("app", "x"),
        low("b", "n1").priority(2),
        low("c", "n2"),
        low("d", "n3").priority(20),
    ];
    let mut bench = Bench::new(&nodes, &pods);
    let budget = disruption_budget("one").selects(selector("app", "x"));
    bench.observe_budget(&budget.build());
    bench.preempt(&preemptor());
    let told = bench.records.iter().find_map(|record| match record {
        Record::Preempted {
            offset,
            wanted,
            dry_runs,
            criteria,
            chosen,
            victims,
            ..
        } => Some((offset, wanted, dry_runs, criteria, chosen, victims)),
        _ => None,
    });
    let (offset, wanted, dry_runs, criteria, chosen, victims) = told.unwrap();
    assert_eq!(*wanted, 3);
    assert_eq!(chosen.as_deref(), Some("n2"));
    assert_eq!(
        victims.iter().map(|pod| &*pod.name).collect::<Vec<_>>(),
        ["c"]
    );
    assert_eq!(dry_runs.len(), 3);
    let first = ["n1", "n2", "n3"][*offset];
    assert_eq!(&*dry_runs[0].node, first);
    let of = |node: &str| dry_runs.iter().find(|run| &*run.node == node).unwrap();
    let pods = |pods: &[crate::snapshot::PodRef]| -> Vec<String> {
        pods.iter().map(|pod| String::from(&*pod.name)).collect()
    };
    // The violating one is put back first; the other must go although it is more important.
    assert_eq!(pods(&of("n1").lower), ["a", "b"]);
    assert_eq!(pods(&of("n1").reprieved), ["a"]);
    assert_eq!(pods(&of("n1").victims), ["b"]);
    assert_eq!(of("n1").pdb_violations, 0);
    let rejected = of("n3").rejected.as_ref().unwrap();
    assert_eq!(
        rejected.message(),
        "No preemption victims found for incoming pod"
    );
    let kinds: Vec<CriterionKind> = criteria.iter().map(|one| one.kind).collect();
    assert_eq!(
        kinds,
        [CriterionKind::PdbViolations, CriterionKind::HighestPriority]
    );
    assert_eq!(criteria[1].kept, [Arc::from("n2")]);
}

#[test]
fn nothing_is_told_when_nobody_listens() {
    let mut bench = Bench::new(&[node("n1").cpu("1")], &[low("a", "n1")]);
    bench.is_listening = false;
    check(&mut bench, &preemptor(), Code::Success, "", "n1");
    assert!(bench.records.is_empty());
}
