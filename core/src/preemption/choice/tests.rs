//! Tests of the choice among candidates.

use crate::make::{PodBuilder, pod};
use crate::snapshot::PodInfo;

use super::*;

fn victim(priority: i32) -> PodBuilder {
    pod("v").priority(priority).started(100)
}

fn candidate(node: &str, pdb_violations: usize, pods: &[PodBuilder]) -> Candidate {
    let pods = pods.iter();
    let pods = pods.map(|pod| Arc::new(PodInfo::new(pod.clone().build())));
    Candidate {
        node: Arc::from(node),
        victims: Victims {
            pods: pods.collect(),
            pdb_violations,
        },
    }
}

/// The chosen node, and the criterion that decided.
fn check(candidates: &[Candidate], expected: &str, by: CriterionKind) {
    let (criteria, chosen) = choose(candidates.to_vec());
    assert_eq!(&*chosen.unwrap().node, expected);
    let last = criteria.last().unwrap();
    assert_eq!(last.kind, by);
    assert_eq!(last.kept, [Arc::from(expected)]);
    // Each criterion tells of those that the one before left.
    for pair in criteria.windows(2) {
        let [before, after] = pair else { continue };
        let told: Vec<_> = after.values.iter().map(|(node, _)| node.clone()).collect();
        if after.kind != CriterionKind::First {
            assert_eq!(told, before.kept);
        }
    }
}

#[test]
fn a_single_candidate_needs_no_criterion() {
    let (criteria, chosen) = choose([candidate("a", 9, &[victim(1)])].to_vec());
    assert!(criteria.is_empty());
    assert_eq!(&*chosen.unwrap().node, "a");
    assert_eq!(choose(Vec::new()).1, None);
}

#[test]
fn fewest_violations_come_before_everything_else() {
    let few = candidate("few", 1, &[victim(900), victim(900)]);
    let many = candidate("many", 2, &[victim(-5)]);
    check(&[many, few], "few", CriterionKind::PdbViolations);
}

#[test]
fn then_the_lowest_priority_of_the_first_victim() {
    let low = candidate("low", 0, &[victim(1), victim(1), victim(1)]);
    let high = candidate("high", 0, &[victim(2)]);
    check(&[high, low], "low", CriterionKind::HighestPriority);
}

#[test]
fn then_the_smallest_sum_in_which_every_victim_costs_something() {
    let one = candidate("one", 0, &[victim(-7)]);
    let two = candidate("two", 0, &[victim(-7), victim(-9)]);
    check(
        &[two.clone(), one.clone()],
        "one",
        CriterionKind::PrioritySum,
    );
    let (criteria, _) = choose([two, one].to_vec());
    let sums: Vec<i64> = criteria[2].values.iter().map(|(_, sum)| *sum).collect();
    assert_eq!(sums, [(1 << 32) - 16, (1 << 31) - 7]);
}

#[test]
fn then_the_fewest_victims() {
    // Equal sums need a victim of the lowest possible priority, which costs nothing.
    let many = candidate("many", 0, &[victim(5), victim(i32::MIN)]);
    let few = candidate("few", 0, &[victim(5)]);
    check(&[many, few], "few", CriterionKind::VictimCount);
}

#[test]
fn then_the_latest_start_of_the_most_important_victims() {
    let of = |node, starts: [i64; 2], less_important| {
        let pods = [
            victim(5).started(starts[0]),
            victim(5).started(starts[1]),
            victim(3).started(less_important),
        ];
        candidate(node, 0, &pods)
    };
    // Only the earliest start among the most important ones counts.
    let early = of("early", [900, 100], 800);
    let late = of("late", [200, 300], 1);
    check(&[early, late], "late", CriterionKind::StartTime);
}

#[test]
fn a_victim_that_has_not_started_counts_as_the_latest() {
    let started = candidate("started", 0, &[victim(1).started(i64::from(i32::MAX))]);
    let unstarted = candidate("unstarted", 0, &[pod("v").priority(1)]);
    check(&[started, unstarted], "unstarted", CriterionKind::StartTime);
}

#[test]
fn the_first_of_the_rest_is_taken() {
    let same = |node| candidate(node, 0, &[victim(1)]);
    let candidates = [same("b"), same("a"), same("c")];
    check(&candidates, "b", CriterionKind::First);
}

#[test]
fn the_order_of_victims_is_the_extenders() {
    // The first victim is looked at, not the most important one.
    let odd = candidate("odd", 0, &[victim(1), victim(9)]);
    let plain = candidate("plain", 0, &[victim(2)]);
    check(&[plain, odd], "odd", CriterionKind::HighestPriority);
}
