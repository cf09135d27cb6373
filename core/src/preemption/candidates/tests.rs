//! Tests of which nodes are tried and where it ends.

use alloc::string::ToString;

use crate::framework::extension::PostFilterStep;
use crate::framework::trace::Record;
use crate::make::{disruption_budget, node, pod, selector};
use crate::preemption::tests::Bench;

use super::*;

#[test]
fn the_number_of_candidates_is_a_share_of_the_nodes_but_some_at_least_and_all_at_most() {
    let check = |percentage, absolute, nodes, expected| {
        let args = DefaultPreemptionArgs {
            min_candidate_nodes_percentage: percentage,
            min_candidate_nodes_absolute: absolute,
        };
        assert_eq!(wanted(&args, nodes), expected);
    };
    check(10, 100, 1, 1);
    check(10, 100, 99, 99);
    check(10, 100, 500, 100);
    check(10, 100, 1000, 100);
    check(10, 100, 1010, 101);
    check(10, 100, 5000, 500);
    check(0, 3, 5000, 3);
    check(100, 0, 5000, 5000);
    check(10, 0, 9, 0);
}

/// Six full nodes, on each of which one pod could go. `protected` are those whose pod violates a budget.
fn bench(args: DefaultPreemptionArgs, protected: &[usize]) -> Bench {
    let nodes: Vec<_> = (1..=6)
        .map(|number| node(["n", &number.to_string()].concat().as_str()).cpu("1"))
        .collect();
    let pods: Vec<_> = (1..=6)
        .map(|number| {
            let pod = pod(["p", &number.to_string()].concat().as_str());
            let pod = pod.cpu("1").node(&["n", &number.to_string()].concat());
            if protected.contains(&number) {
                pod.label("app", "x")
            } else {
                pod
            }
        })
        .collect();
    let mut bench = Bench::new(&nodes, &pods);
    bench.args = args;
    let budget = disruption_budget("x").selects(selector("app", "x"));
    bench.observe_budget(&budget.build());
    bench
}

const fn exactly(candidates: i32) -> DefaultPreemptionArgs {
    DefaultPreemptionArgs {
        min_candidate_nodes_percentage: 0,
        min_candidate_nodes_absolute: candidates,
    }
}

/// The offset, the nodes tried in order, and the candidates in theirs.
fn run(bench: &mut Bench) -> (usize, Vec<String>, Vec<String>) {
    bench.consults_extenders = true;
    let PostFilterStep::Consult(candidates) = bench.preempt(&pod("high").priority(1).cpu("1"))
    else {
        panic!("expected candidates");
    };
    let told = bench.records.iter().find_map(|record| match record {
        Record::Preempted {
            offset, dry_runs, ..
        } => {
            let tried = dry_runs.iter().map(|run| String::from(&*run.node));
            Some((*offset, tried.collect()))
        }
        _ => None,
    });
    let (offset, tried) = told.unwrap();
    let candidates = candidates.iter();
    let candidates = candidates.map(|candidate| String::from(&*candidate.node));
    (offset, tried, candidates.collect())
}

fn rotated(offset: usize, count: usize) -> Vec<String> {
    (0..count)
        .map(|step| ["n", &((offset + step) % 6 + 1).to_string()].concat())
        .collect()
}

#[test]
fn dry_runs_begin_at_a_drawn_node_and_go_round() {
    let mut offsets = BTreeSet::new();
    for seed in 0..40 {
        let mut bench = bench(exactly(6), &[]);
        bench.seed = seed;
        let (offset, tried, candidates) = run(&mut bench);
        assert_eq!(tried, rotated(offset, 6));
        assert_eq!(candidates, tried);
        offsets.insert(offset);
        let drawn = bench.records.iter().find_map(|record| match record {
            Record::Drawn { bound, value, .. } => Some((*bound, *value)),
            _ => None,
        });
        assert_eq!(drawn, Some((6, offset as u64)));
    }
    assert_eq!(offsets.len(), 6, "every node is begun with at some time");
}

#[test]
fn trying_ends_with_the_wanted_number_of_candidates() {
    let (offset, tried, candidates) = run(&mut bench(exactly(2), &[]));
    assert_eq!(tried, rotated(offset, 2));
    assert_eq!(candidates, tried);
}

#[test]
fn trying_goes_on_while_every_candidate_violates_a_budget() {
    let (_, tried, candidates) = run(&mut bench(exactly(2), &[1, 2, 3, 4, 5, 6]));
    assert_eq!(tried.len(), 6);
    // More violating candidates than wanted are not kept.
    assert_eq!(candidates, tried[..2]);
}

#[test]
fn candidates_without_violations_come_first() {
    for seed in 0..20 {
        let mut bench = bench(exactly(3), &[1, 3, 5]);
        bench.seed = seed;
        let (offset, tried, candidates) = run(&mut bench);
        assert_eq!(tried, rotated(offset, 3));
        let is_good = |name: &String| !["n1", "n3", "n5"].contains(&name.as_str());
        let mut expected: Vec<String> =
            tried.iter().filter(|name| is_good(name)).cloned().collect();
        expected.extend(tried.iter().filter(|name| !is_good(name)).cloned());
        assert_eq!(candidates, expected);
    }
}

#[test]
fn equal_errors_are_told_once() {
    let mut search = Search::default();
    assert_eq!(search.error(), None);
    let texts = ["one", "two", "one"];
    let mut check = |rows: &[u32], expected: &str| {
        for row in rows {
            let text = texts[*row as usize];
            search
                .statuses
                .set(crate::node_set::NodeIndex(*row), Status::error(text));
        }
        assert_eq!(search.error().unwrap().message(), expected);
    };
    check(&[0, 2], "one");
    check(&[1], "[one, two]");
}
