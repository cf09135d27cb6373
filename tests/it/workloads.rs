//! Upstream's workloads can be expanded, and small ones run to their end.

use berth_tests::workloads::{Workload, measure};

#[test]
fn workloads_expand_or_say_why_not() {
    let all = Workload::all();
    assert_eq!(all.len(), 242);
    let mut expanded = 0;
    for workload in all.iter().filter(|workload| workload.nodes() <= 100) {
        match workload.scenario() {
            Ok(_) => expanded += 1,
            Err(why) => assert!(
                REASONS.iter().any(|reason| why.contains(reason)),
                "{}: {why}",
                workload.name()
            ),
        }
    }
    assert!(expanded >= 30, "{expanded}");
}

/// Why a workload is not expanded.
const REASONS: &[&str] = &[
    "is not expanded",
    "only bursts of pods",
    "queueing hints cannot be switched off",
    "it needs other gates",
];

#[test]
fn small_workloads_bind_every_pod() {
    let mut failures = Vec::new();
    for workload in Workload::all() {
        if workload.nodes() > 20 || !BURSTS.iter().any(|case| workload.name().starts_with(case)) {
            continue;
        }
        let Ok(scenario) = workload.scenario() else {
            continue;
        };
        let result = measure(&scenario.to_string(), &|| 0.0);
        if result.bound != result.pods || result.pods == 0 {
            failures.push(format!("{}: {result:?}", workload.name()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Cases whose pods all fit.
const BURSTS: &[&str] = &[
    "SchedulingBasic/",
    "SchedulingPodAffinity/",
    "SchedulingNodeAffinity/",
    "TopologySpreading/",
];
