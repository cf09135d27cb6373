//! Whether a plugin says the same of a set of nodes as of each node alone.
//!
//! `BERTH_PAIRS` says how many pairs of a random cluster and a random pod are tried; the number of a pair is its seed.

use std::collections::BTreeMap;
use std::env;
use std::io::Write as _;
use std::sync::Arc;

use berth_core::config::{
    Gate, Gates, LegacyArgs, NodeAffinityArgs, NodeLabelArgs, NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs, PluginArgs, RequestedToCapacityRatioArgs, ResourceSpec, ScoringStrategy,
    ScoringStrategyType, ServiceAffinityArgs, UtilizationShapePoint,
};
use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{CycleContext, Plugin, Verdicts};
use berth_core::framework::status::Status;
use berth_core::node_set::{NodeIndex, NodeSet};
use berth_core::plugins::{NOT_BUILT_YET, in_tree};
use berth_core::rng::Seed;
use berth_core::snapshot::{NodeInfo, PodInfo};
use berth_core::time::Timestamp;
use berth_tests::random::{Draw, Sizes};
use berth_tests::setting::Setting;

/// How often a plugin said what; a test that never sees a rejection proves little.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    rejected: usize,
    scored: usize,
    nonzero: usize,
}

#[test]
fn a_set_of_nodes_is_judged_as_each_node_alone() {
    let pairs = env::var("BERTH_PAIRS").map_or(2_000, |text| {
        text.parse().expect("BERTH_PAIRS is a number of pairs")
    });
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for pair in 0..pairs {
        try_pair(pair, &mut tallies);
    }
    let mut stderr = std::io::stderr();
    for (plugin, tally) in &tallies {
        writeln!(stderr, "{plugin:<32} {tally:?}").expect("standard error can be written to");
    }
    for plugin in FILTERS {
        let tally = tallies.get(plugin).copied().unwrap_or_default();
        assert!(
            tally.passed > 0 && tally.rejected > 0,
            "{plugin}: {tally:?}"
        );
    }
    for plugin in SCORES {
        let tally = tallies.get(plugin).copied().unwrap_or_default();
        assert!(tally.nonzero > 0, "{plugin}: {tally:?}");
    }
}

/// Plugins of which a run of this length must have seen nodes passed and rejected.
const FILTERS: &[&str] = &[
    "InterPodAffinity",
    "NodeAffinity",
    "NodeDeclaredFeatures",
    "NodeLabel",
    "NodeName",
    "NodePorts",
    "NodeResourcesFit",
    "NodeUnschedulable",
    "NodeVolumeLimits",
    "PodTopologySpread",
    "ServiceAffinity",
    "TaintToleration",
    "VolumeBinding",
    "VolumeRestrictions",
    "VolumeZone",
];

/// Plugins of which it must have seen scores.
const SCORES: &[&str] = &[
    "ImageLocality",
    "InterPodAffinity",
    "NodeAffinity",
    "NodeResourcesBalancedAllocation",
    "NodeResourcesFit",
    "PodTopologySpread",
    "SelectorSpread",
    "TaintToleration",
];

fn try_pair(pair: u64, tallies: &mut BTreeMap<&'static str, Tally>) {
    let mut draw = Draw::new(Seed(pair));
    let cluster = draw.cluster(Sizes::SMALL);
    let mut pod = draw.pod("incoming");
    if draw.chance(10) {
        pod.spec.node_name = "node-1".to_owned();
    }
    let guest = draw.placed_pod("guest", &cluster.nodes);
    let mut case = Case {
        gates: gates(&mut draw),
        setting: cluster.setting(),
        pod: PodInfo::new(Arc::new(pod)),
        guest: Arc::new(PodInfo::new(Arc::new(guest))),
        draw,
    };
    let built = in_tree();
    for name in built
        .names()
        .filter(|name| !NOT_BUILT_YET.contains(&name.0))
    {
        let (_, factory) = built.get(name.0).expect("it was listed");
        let args = args(&mut case.draw, name.0, case.gates);
        let judged = factory(&args, &case.gates)
            .map_err(|error| error.to_string())
            .and_then(|plugin| case.judge(&*plugin, tallies.entry(name.0).or_default()));
        judged.unwrap_or_else(|fault| panic!("pair {pair}: {name}: {fault}"));
    }
}

/// A random cluster and a random pod.
struct Case {
    gates: Gates,
    setting: Setting,
    pod: PodInfo,
    /// A pod that a dry run adds to its node.
    guest: Arc<PodInfo>,
    draw: Draw,
}

impl Case {
    /// Compares the two readings of a plugin at Filter, at Filter in a dry run, and at Score.
    fn judge(&mut self, plugin: &dyn Plugin, tally: &mut Tally) -> Result<(), String> {
        let (pod, draw) = (&self.pod, &mut self.draw);
        let mut state = CycleState::default();
        let cx = self.setting.cycle();
        let mut nodes = cx.snapshot.all();
        nodes.retain(|_| draw.chance(85));
        let is_filtered = plugin
            .as_pre_filter()
            .is_none_or(|plugin| plugin.pre_filter(&cx, &mut state, pod).status.is_success());
        if is_filtered {
            compare_filter(plugin, &cx, &state, pod, &nodes, tally)?;
        }
        let asked: Vec<NodeIndex> = nodes.iter().collect();
        compare_score(plugin, &cx, &mut state.clone(), pod, &asked, tally)?;
        if is_filtered {
            self.dry_run(plugin, state, &nodes, tally)?;
        }
        Ok(())
    }

    fn dry_run(
        &mut self,
        plugin: &dyn Plugin,
        mut state: CycleState,
        nodes: &NodeSet,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let name = &self.guest.pod.spec.node_name;
        let row = self
            .setting
            .snapshot
            .row(name)
            .ok_or("the guest's node is not listed")?;
        let mut crowded = NodeInfo::clone(self.setting.snapshot.node(row));
        crowded.add_pod(self.guest.clone());
        if let Some(counting) = plugin.as_pre_filter() {
            let cx = self.setting.cycle();
            counting.add_pod(&cx, &mut state, &self.pod, &self.guest, &crowded);
        }
        let Setting {
            snapshot,
            listers,
            memory,
        } = &mut self.setting;
        let pod = &self.pod;
        snapshot.with_row(row, Arc::new(crowded), |snapshot| {
            let cx = CycleContext {
                now: Timestamp::default(),
                snapshot,
                listers,
                memory,
            };
            compare_filter(plugin, &cx, &state, pod, nodes, tally)
        })
    }
}

fn gates(draw: &mut Draw) -> Gates {
    [
        Gate::TaintTolerationComparisonOperators,
        Gate::PodLevelResources,
        Gate::InPlacePodLevelResourcesVerticalScaling,
        Gate::NodeDeclaredFeatures,
        Gate::StorageCapacityScoring,
    ]
    .into_iter()
    .filter(|_| draw.chance(20))
    .fold(Gates::default(), |gates, gate| {
        gates.with(gate, !gate.is_on_by_default())
    })
}

fn compare_filter(
    plugin: &dyn Plugin,
    cx: &CycleContext<'_>,
    state: &CycleState,
    pod: &PodInfo,
    nodes: &NodeSet,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(filter) = plugin.as_filter() else {
        return Ok(());
    };
    let mut left = nodes.clone();
    let mut verdicts = Verdicts::default();
    filter.filter(cx, state, pod, &mut left, &mut verdicts);
    let in_set: BTreeMap<NodeIndex, Status> = verdicts.drain().collect();
    for node in nodes.iter() {
        let alone = filter.filter_node(cx, state, pod, node);
        let together = in_set.get(&node).cloned().unwrap_or_default();
        if alone != together || left.contains(node) != alone.is_success() {
            return Err(format!("alone {alone:?}, in a set {together:?}"));
        }
        tally.passed += usize::from(alone.is_success());
        tally.rejected += usize::from(!alone.is_success());
    }
    if in_set.keys().any(|node| !nodes.contains(*node)) {
        return Err("a node that was not asked about was judged".to_owned());
    }
    Ok(())
}

fn compare_score(
    plugin: &dyn Plugin,
    cx: &CycleContext<'_>,
    state: &mut CycleState,
    pod: &PodInfo,
    nodes: &[NodeIndex],
    tally: &mut Tally,
) -> Result<(), String> {
    let is_scored = plugin
        .as_pre_score()
        .is_none_or(|plugin| plugin.pre_score(cx, state, pod, nodes).is_success());
    let (true, Some(score)) = (is_scored, plugin.as_score()) else {
        return Ok(());
    };
    let mut column = vec![-1; nodes.len()];
    let scored = score.score(cx, state, pod, nodes, &mut column);
    let alone: Result<Vec<i64>, _> = nodes
        .iter()
        .map(|node| score.score_node(cx, state, pod, *node))
        .collect();
    if scored.clone().map(|()| column.clone()) != alone {
        return Err(format!("alone {alone:?}, in a set {scored:?} {column:?}"));
    }
    if score.has_normalize() {
        score
            .normalize(cx, state, pod, nodes, &mut column)
            .map_err(|error| error.to_string())?;
    }
    if column.iter().any(|score| !(0..=100).contains(score)) {
        return Err(format!("scores outside 0..=100: {column:?}"));
    }
    tally.scored += column.len();
    tally.nonzero += column.iter().filter(|score| **score != 0).count();
    Ok(())
}

/// Arguments: mostly the defaults, and for those that have a choice any of its sides.
fn args(draw: &mut Draw, plugin: &str, gates: Gates) -> PluginArgs {
    let default = PluginArgs::default_for(plugin, gates).unwrap_or_default();
    if draw.chance(40) {
        return default;
    }
    match plugin {
        "NodeAffinity" => PluginArgs::NodeAffinity(NodeAffinityArgs {
            added_affinity: Some(readable_affinity(draw)),
        }),
        "NodeResourcesBalancedAllocation" => {
            PluginArgs::NodeResourcesBalancedAllocation(NodeResourcesBalancedAllocationArgs {
                resources: resources(draw, 1),
            })
        }
        "NodeResourcesFit" => PluginArgs::NodeResourcesFit(NodeResourcesFitArgs {
            ignored_resources: draw.some(1, |draw| draw.word(SCORED)),
            ignored_resource_groups: draw.some(1, |_| "example.com".to_owned()),
            scoring_strategy: ScoringStrategy {
                kind: *draw.pick(&ScoringStrategyType::ALL),
                resources: resources(draw, 100),
                shape: shape(draw),
            },
        }),
        "NodeLabel" => PluginArgs::Legacy(LegacyArgs::NodeLabel(NodeLabelArgs {
            present_labels: draw.some(1, |draw| draw.word(LABELS)),
            absent_labels: draw.some(1, |draw| draw.word(LABELS)),
            present_labels_preference: draw.some(2, |draw| draw.word(LABELS)),
            absent_labels_preference: draw.some(2, |draw| draw.word(LABELS)),
        })),
        "ServiceAffinity" => PluginArgs::Legacy(LegacyArgs::ServiceAffinity(ServiceAffinityArgs {
            affinity_labels: draw.some(2, |draw| draw.word(LABELS)),
            anti_affinity_labels_preference: draw.some(2, |draw| draw.word(LABELS)),
        })),
        "NodeResourcesLeastAllocated" => PluginArgs::Legacy(
            LegacyArgs::NodeResourcesLeastAllocated(resources(draw, 100)),
        ),
        "NodeResourcesMostAllocated" => {
            PluginArgs::Legacy(LegacyArgs::NodeResourcesMostAllocated(resources(draw, 100)))
        }
        "RequestedToCapacityRatio" => PluginArgs::Legacy(LegacyArgs::RequestedToCapacityRatio(
            RequestedToCapacityRatioArgs {
                shape: shape(draw),
                resources: resources(draw, 100),
            },
        )),
        _ => default,
    }
}

/// An affinity that a configuration may add: every term can be read.
fn readable_affinity(draw: &mut Draw) -> berth_core::api::NodeAffinity {
    let mut affinity = draw.node_affinity();
    if let Some(required) = &mut affinity.required_during_scheduling_ignored_during_execution {
        for term in &mut required.node_selector_terms {
            *term = draw.readable_node_term();
        }
    }
    affinity
}

fn resources(draw: &mut Draw, heaviest: usize) -> Vec<ResourceSpec> {
    let mut specs: Vec<ResourceSpec> = SCORED
        .iter()
        .filter(|_| draw.chance(50))
        .map(|name| ResourceSpec::new(*name, 1))
        .collect();
    for spec in &mut specs {
        spec.weight = i64::try_from(draw.between(1, heaviest)).expect("weights are small");
    }
    specs
}

/// A curve with at least one point, utilization ascending.
fn shape(draw: &mut Draw) -> Vec<UtilizationShapePoint> {
    let mut utilizations: Vec<usize> = (0..draw.between(1, 4)).map(|_| draw.below(101)).collect();
    utilizations.sort_unstable();
    utilizations.dedup();
    let point = |utilization: usize| UtilizationShapePoint {
        utilization: i32::try_from(utilization).expect("it is a percentage"),
        score: i32::try_from(draw.below(11)).expect("it is at most 10"),
    };
    utilizations.into_iter().map(point).collect()
}

const LABELS: &[&str] = &["app", "tier", "topology.kubernetes.io/zone"];

const SCORED: &[&str] = &[
    "cpu",
    "memory",
    "ephemeral-storage",
    "example.com/gpu",
    "example.com/fpga",
    "hugepages-2Mi",
    "pods",
    "storage",
];
