use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::answer;
use crate::framework::extender::{ExtenderCall, NodeVictims};
use crate::framework::work::Outcome;
use crate::order::SortedMap;
use crate::snapshot::PodRef;

fn pod() -> PodRef {
    PodRef {
        namespace: Arc::from("default"),
        name: Arc::from("web"),
        uid: Arc::from("1"),
    }
}

fn nodes() -> Vec<Arc<str>> {
    (0..64)
        .map(|number| Arc::from(format!("n{number}")))
        .collect()
}

#[test]
fn every_node_passes_or_fails_and_victims_may_go_only_where_it_passes() {
    let call = ExtenderCall::Filter {
        pod: pod(),
        nodes: nodes(),
    };
    let Some(Outcome::Filtered(filtered)) = answer(&call) else {
        panic!("a filter call is answered by a filter answer")
    };
    let passed = filtered.nodes.expect("it says which nodes pass");
    let refused = (
        filtered.failed.len(),
        filtered.failed_and_unresolvable.len(),
    );
    assert_eq!(passed.len() + refused.0 + refused.1, 64);
    assert!(
        refused.0 > 0 && refused.1 > 0 && passed.len() > 32,
        "{refused:?}"
    );
    let candidates: SortedMap<_, _> = nodes()
        .into_iter()
        .map(|node| (node, NodeVictims::default()))
        .collect();
    let call = ExtenderCall::Preempt {
        pod: pod(),
        candidates,
    };
    let Some(Outcome::Preempted(left)) = answer(&call) else {
        panic!("a preempt call is answered by a preempt answer")
    };
    let mut left: Vec<_> = left.0.into_keys().collect();
    let mut passed = passed;
    left.sort();
    passed.sort();
    assert_eq!(left, passed);
}

#[test]
fn scores_are_between_0_and_10() {
    let call = ExtenderCall::Prioritize {
        pod: pod(),
        nodes: nodes(),
    };
    let Some(Outcome::Prioritized(scores)) = answer(&call) else {
        panic!("a prioritize call is answered by scores")
    };
    let hosts: Vec<_> = scores.iter().map(|entry| entry.host.clone()).collect();
    assert_eq!(
        hosts,
        nodes().iter().map(ToString::to_string).collect::<Vec<_>>()
    );
    assert!(scores.iter().all(|entry| (0..=10).contains(&entry.score)));
    assert!(scores.iter().any(|entry| entry.score != scores[0].score));
}
