use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{nodes_to_find, search};
use crate::config::Configuration;
use crate::framework::cycle_state::CycleState;
use crate::framework::fit_error::Diagnosis;
use crate::framework::handle::{Counts, Handle, NominatedPods};
use crate::framework::profiles::Profiles;
use crate::framework::run::Scores;
use crate::make::{node, pod};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::plugins;
use crate::queue::QueuedPodInfo;
use crate::rng::{Rng, Seed};
use crate::scheduler::attempt::{Attempt, PostFilterSoFar};
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

#[test]
fn the_number_of_nodes_to_find_follows_the_table_of_the_specification() {
    let table = [
        (99, 99),
        (100, 100),
        (200, 100),
        (500, 230),
        (1000, 420),
        (2000, 680),
        (5000, 500),
        (6000, 300),
    ];
    for (listed, found) in table {
        assert_eq!(nodes_to_find(listed, 0, false), found, "{listed} nodes");
    }
    assert_eq!(nodes_to_find(15_000, 0, false), 750);
    assert_eq!(nodes_to_find(15_000, 100, false), 15_000);
    assert_eq!(nodes_to_find(15_000, 1, false), 150);
    assert_eq!(nodes_to_find(1000, 1, false), 100);
    assert_eq!(nodes_to_find(50, 1, false), 50);
}

#[test]
fn one_node_is_enough_when_nothing_scores() {
    assert_eq!(nodes_to_find(5000, 0, true), 1);
}

/// A few hundred nodes, of which the pod fits on some, and two of which are promised to others.
struct Bench {
    snapshot: Snapshot,
    nominated: Nominated,
    profiles: Profiles,
    listers: Listers,
    memory: PluginMemory,
    rng: Rng,
}

struct Nominated(Vec<(Arc<str>, Arc<PodInfo>)>);

impl NominatedPods for Nominated {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn nominated_pods_for_node(&self, node: &str) -> Vec<Arc<PodInfo>> {
        let here = self.0.iter().filter(|(name, _)| **name == *node);
        here.map(|(_, pod)| pod.clone()).collect()
    }
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(Seed(seed));
        let count = 1 + below(&mut rng, 400);
        let room = 1 + rng.below(8);
        let rows = (0..count).map(|number| {
            let cpu = format!("{}m", 100 * rng.below(room + 1));
            let mut node = node(&format!("n{number}")).cpu(&cpu).pods(9);
            if rng.below(10) == 0 {
                node = node.unschedulable();
            }
            Arc::new(NodeInfo::new(node.build()))
        });
        let mut snapshot = Snapshot::default();
        snapshot.set_rows(rows.collect());
        let config = Configuration::default();
        let profiles = Profiles::new(&config.profiles, &plugins::in_tree(), &config.gates);
        let mut bench = Self {
            snapshot,
            nominated: Nominated(Vec::new()),
            profiles: profiles.expect("the default is right"),
            listers: Listers::default(),
            memory: PluginMemory::default(),
            rng,
        };
        for number in 0..bench.rng.below(3) {
            let row = NodeIndex::new(below(&mut bench.rng, count));
            let promised = pod(&format!("promised-{number}"))
                .uid("promised")
                .cpu("300m");
            let promised = Arc::new(PodInfo::new(promised.build()));
            let name = bench.snapshot.name(row).clone();
            bench.nominated.0.push((name, promised));
        }
        bench
    }

    fn handle(&mut self) -> Handle<'_> {
        Handle {
            framework: self.profiles.first(),
            now: Timestamp::ZERO,
            snapshot: &mut self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
            nominated: &self.nominated,
            rng: &mut self.rng,
            consults_extenders: false,
            records: None,
            counts: Some(Counts::default()),
        }
    }
}

fn below(rng: &mut Rng, bound: usize) -> usize {
    usize::try_from(rng.below(bound as u64)).expect("an index fits")
}

fn attempt(narrowed: Option<Vec<NodeIndex>>) -> Attempt {
    let pod = Arc::new(PodInfo::new(pod("p").uid("p").cpu("300m").build()));
    Attempt {
        profile: Arc::from("default-scheduler"),
        queued: QueuedPodInfo::new(pod, Timestamp::ZERO, 0),
        state: CycleState::default(),
        diagnosis: Diagnosis::default(),
        started: Timestamp::ZERO,
        narrowed,
        feasible: Vec::new(),
        scores: Scores::default(),
        priorities: SortedMap::new(),
        signature: None,
        hint: None,
        post_filter: PostFilterSoFar::default(),
    }
}

/// One node after another, as the specification tells it.
fn walk(handle: &mut Handle<'_>, attempt: &mut Attempt, start: usize, wanted: usize) {
    let pod = attempt.queued.pod.clone();
    let all = || (0..handle.snapshot.len()).map(NodeIndex::new).collect();
    let mut rows: Vec<NodeIndex> = attempt.narrowed.clone().unwrap_or_else(all);
    rows.rotate_left(start);
    for row in rows {
        let (status, _) = handle.filter_with_nominated(&attempt.state, &pod, row);
        if status.is_success() && attempt.feasible.len() == wanted {
            return;
        }
        if status.is_success() {
            attempt.feasible.push(row);
        } else {
            attempt.diagnosis.add_plugin(&status);
            attempt.diagnosis.statuses.set(row, status);
        }
    }
}

#[test]
fn a_search_by_sets_finds_what_a_walk_from_node_to_node_finds() {
    let (mut short, mut rejected) = (0, 0);
    for seed in 0..300 {
        let mut bench = Bench::new(seed);
        let len = bench.snapshot.len();
        let narrowed = (bench.rng.below(4) == 0).then(|| {
            let rows = (0..len).map(NodeIndex::new);
            rows.filter(|_| bench.rng.below(2) == 0).collect::<Vec<_>>()
        });
        let listed = narrowed.as_ref().map_or(len, Vec::len);
        let start = below(&mut bench.rng, listed.max(1));
        let wanted = 1 + below(&mut bench.rng, len);
        let (mut by_sets, mut by_walk) = (attempt(narrowed.clone()), attempt(narrowed));
        let mut handle = bench.handle();
        for attempt in [&mut by_sets, &mut by_walk] {
            let pod = attempt.queued.pod.clone();
            let (framework, state) = (handle.framework, &mut attempt.state);
            framework.run_pre_filter(&handle.context(), state, &pod, |_, _, _| ());
        }
        search(&mut handle, &mut by_sets, start, wanted).expect("no plugin fails");
        let evaluated = handle.take_evaluations(&by_sets.state);
        walk(&mut handle, &mut by_walk, start, wanted);
        let walked = handle.take_evaluations(&by_walk.state);
        assert_eq!(evaluated, walked, "seed {seed}");
        assert!(!walked.is_empty(), "seed {seed}: nothing is counted");
        assert_eq!(by_sets.feasible, by_walk.feasible, "seed {seed}");
        assert_eq!(by_sets.diagnosis, by_walk.diagnosis, "seed {seed}");
        assert_eq!(by_sets.narrowed, by_walk.narrowed, "seed {seed}");
        short += usize::from(by_sets.feasible.len() == wanted);
        rejected += by_sets.diagnosis.statuses.len();
    }
    assert!(
        short > 50 && rejected > 1_000,
        "{short} cut, {rejected} rejected"
    );
}
