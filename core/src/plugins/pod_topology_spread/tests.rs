use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::PodTopologySpread;
use super::constraint::{Constraint, WhenUnsatisfiable};
use super::counts::is_counted;
use super::eligible::Eligibility;
use super::score::HOSTNAME;
use crate::config::{DefaultingType, Gates, PodTopologySpreadArgs};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{Filter, PreFilter, PreScore, Score, Verdicts};
use crate::framework::reason::Reason;
use crate::framework::status::{Code, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::plugins::tests::random_cluster::Cluster;
use crate::snapshot::{NodeInfo, PodInfo};

fn plugin() -> PodTopologySpread {
    PodTopologySpread::new(PodTopologySpreadArgs::default(), Gates::default())
}

#[test]
fn filter_rejects_what_a_plain_count_over_all_pods_rejects() {
    let mut rejected = 0;
    for seed in 0..400 {
        let mut cluster = Cluster::new(seed);
        let pod = cluster.pod();
        let plugin = plugin();
        let mut state = CycleState::default();
        let status = plugin.pre_filter(&cluster.cx(), &mut state, &pod).status;
        let hard = hard(&plugin, &cluster, &pod);
        assert_eq!(status.is_skip(), hard.is_empty());
        if status.is_skip() {
            continue;
        }
        let expected = plain_filter(&plugin, &cluster, &pod, &hard);
        rejected += expected
            .iter()
            .filter(|(code, _)| *code != Code::Success)
            .count();
        assert_eq!(
            filtered(&plugin, &cluster, &state, &pod),
            expected,
            "seed {seed}"
        );
    }
    assert!(rejected > 100, "the clusters are too easy: {rejected}");
}

#[test]
fn a_pod_that_is_added_or_removed_counts_as_if_it_had_been_there_or_not() {
    for seed in 0..400 {
        let mut cluster = Cluster::new(seed);
        let pod = cluster.pod();
        let plugin = plugin();
        let mut without = CycleState::default();
        if plugin
            .pre_filter(&cluster.cx(), &mut without, &pod)
            .status
            .is_skip()
        {
            continue;
        }
        let answers_without = filtered(&plugin, &cluster, &without, &pod);
        let row = NodeIndex::new(cluster.below(cluster.snapshot.len()));
        let other = cluster.place(row);
        // A pod that is being deleted, and a selector that requires nothing, count in different ways on purpose.
        let is_odd = hard(&plugin, &cluster, &pod)
            .iter()
            .any(|constraint| constraint.selector.is_empty());
        if other.pod.metadata.is_terminating() || is_odd {
            continue;
        }
        let info = cluster.snapshot.node(row).clone();
        let mut with = CycleState::default();
        plugin.pre_filter(&cluster.cx(), &mut with, &pod);
        let answers_with = filtered(&plugin, &cluster, &with, &pod);
        let mut changed = without.clone();
        plugin.add_pod(&cluster.cx(), &mut changed, &pod, &other, &info);
        assert_eq!(
            filtered(&plugin, &cluster, &changed, &pod),
            answers_with,
            "seed {seed}"
        );
        plugin.remove_pod(&cluster.cx(), &mut with, &pod, &other, &info);
        assert_eq!(
            filtered(&plugin, &cluster, &with, &pod),
            answers_without,
            "seed {seed}"
        );
        assert_eq!(
            filtered(&plugin, &cluster, &without, &pod),
            answers_without,
            "a clone changed it"
        );
    }
}

#[test]
fn scores_are_those_of_a_plain_count_over_all_pods() {
    let mut scored = 0;
    for seed in 0..400 {
        let mut cluster = Cluster::new(seed);
        let pod = cluster.pod();
        let args = PodTopologySpreadArgs {
            defaulting_type: DefaultingType::List,
            ..PodTopologySpreadArgs::default()
        };
        let plugin = PodTopologySpread::new(args, Gates::default());
        let mut nodes: Vec<NodeIndex> = cluster.snapshot.all().iter().collect();
        nodes.retain(|_| cluster.rng.below(4) > 0);
        let mut state = CycleState::default();
        let status = plugin.pre_score(&cluster.cx(), &mut state, &pod, &nodes);
        let soft = plugin
            .constraints(
                &cluster.listers,
                &pod.pod,
                WhenUnsatisfiable::ScheduleAnyway,
            )
            .expect("selectors can be read");
        assert_eq!(status.is_skip(), soft.is_empty());
        if status.is_skip() {
            continue;
        }
        let mut column = vec![0; nodes.len()];
        plugin
            .score(&cluster.cx(), &state, &pod, &nodes, &mut column)
            .expect("scored");
        let alone: Vec<i64> = nodes
            .iter()
            .map(|node| {
                plugin
                    .score_node(&cluster.cx(), &state, &pod, *node)
                    .expect("scored")
            })
            .collect();
        assert_eq!(column, alone, "seed {seed}");
        assert_eq!(
            column,
            plain_score(&plugin, &cluster, &pod, &soft, &nodes),
            "seed {seed}"
        );
        scored += column.iter().filter(|score| **score > 0).count();
    }
    assert!(scored > 100, "the clusters are too easy: {scored}");
}

fn hard(plugin: &PodTopologySpread, cluster: &Cluster, pod: &PodInfo) -> Vec<Constraint> {
    plugin
        .constraints(&cluster.listers, &pod.pod, WhenUnsatisfiable::DoNotSchedule)
        .expect("selectors can be read")
}

fn filtered(
    plugin: &PodTopologySpread,
    cluster: &Cluster,
    state: &CycleState,
    pod: &PodInfo,
) -> Vec<(Code, Vec<Reason>)> {
    let cx = cluster.cx();
    let mut set = cluster.snapshot.all();
    let mut verdicts = Verdicts::default();
    plugin.filter(&cx, state, pod, &mut set, &mut verdicts);
    let mut answers = vec![Status::success(); cluster.snapshot.len()];
    for (row, status) in verdicts.drain() {
        assert!(!set.contains(row));
        answers[row.as_usize()] = status;
    }
    for (row, _) in cluster.snapshot.iter() {
        assert_eq!(
            plugin.filter_node(&cx, state, pod, row),
            answers[row.as_usize()]
        );
    }
    answers
        .into_iter()
        .map(|status| (status.code, status.reasons.to_vec()))
        .collect()
}

/// The number of matching pods on a node.
fn on_node(info: &NodeInfo, pod: &PodInfo, constraint: &Constraint) -> i64 {
    if !constraint.selector.has_requirements() {
        return 0;
    }
    let counted = info
        .pods
        .iter()
        .filter(|other| is_counted(other, &pod.pod.metadata.namespace, &constraint.selector));
    counted.count() as i64
}

fn has_all(info: &NodeInfo, constraints: &[Constraint]) -> bool {
    constraints
        .iter()
        .all(|constraint| info.label(&constraint.topology_key).is_some())
}

fn is_eligible(
    plugin: &PodTopologySpread,
    info: &NodeInfo,
    pod: &PodInfo,
    constraint: &Constraint,
) -> bool {
    let node = info.node.as_ref().expect("listed");
    Eligibility::of(&pod.pod, plugin.operators).allows(constraint, &pod.pod, node)
}

/// Spec, plugins 10.4, word by word.
fn plain_filter(
    plugin: &PodTopologySpread,
    cluster: &Cluster,
    pod: &PodInfo,
    hard: &[Constraint],
) -> Vec<(Code, Vec<Reason>)> {
    let maps: Vec<BTreeMap<String, i64>> = hard
        .iter()
        .map(|constraint| {
            let mut map = BTreeMap::new();
            for (_, info) in cluster.snapshot.iter() {
                if has_all(info, hard) && is_eligible(plugin, info, pod, constraint) {
                    let value = info.label(&constraint.topology_key).expect("has all");
                    *map.entry(value.to_string()).or_default() += on_node(info, pod, constraint);
                }
            }
            map
        })
        .collect();
    let verdict = |info: &NodeInfo| {
        for (constraint, map) in hard.iter().zip(&maps) {
            let topology_key = constraint.topology_key.clone();
            let Some(value) = info.label(&topology_key) else {
                let reason = Reason::TopologySpreadMissingLabel { topology_key };
                return (Code::UnschedulableAndUnresolvable, vec![reason]);
            };
            let mut minimum = map.values().copied().min().unwrap_or(0);
            if map.len() < constraint.min_domains {
                minimum = 0;
            }
            let own = i64::from(constraint.selector.matches(&pod.pod.metadata.labels));
            let count = map.get(value).copied().unwrap_or(0) + own;
            let max_skew = i64::from(constraint.max_skew);
            if count - minimum > max_skew {
                let reason = Reason::TopologySpread {
                    topology_key,
                    count,
                    minimum,
                    max_skew,
                };
                return (Code::Unschedulable, vec![reason]);
            }
        }
        (Code::Success, vec![])
    };
    cluster
        .snapshot
        .iter()
        .map(|(_, info)| verdict(info))
        .collect()
}

/// Spec, plugins 10.5, word by word, for a pod with constraints of its own.
fn plain_score(
    plugin: &PodTopologySpread,
    cluster: &Cluster,
    pod: &PodInfo,
    soft: &[Constraint],
    nodes: &[NodeIndex],
) -> Vec<i64> {
    let scored: Vec<&NodeInfo> = nodes
        .iter()
        .map(|row| &**cluster.snapshot.node(*row))
        .filter(|info| has_all(info, soft))
        .collect();
    let rules: Vec<(f64, BTreeMap<String, i64>)> = soft
        .iter()
        .map(|constraint| {
            let key = &constraint.topology_key;
            if **key == *HOSTNAME {
                return (num::ln(scored.len() as u64 + 2), BTreeMap::new());
            }
            let noted: BTreeSet<&str> = scored.iter().filter_map(|info| info.label(key)).collect();
            let mut map: BTreeMap<String, i64> = BTreeMap::new();
            for (_, info) in cluster.snapshot.iter() {
                if has_all(info, soft) && is_eligible(plugin, info, pod, constraint) {
                    let value = info.label(key).expect("has all");
                    if noted.contains(value) {
                        *map.entry(value.to_string()).or_default() +=
                            on_node(info, pod, constraint);
                    }
                }
            }
            (num::ln(noted.len() as u64 + 2), map)
        })
        .collect();
    let score = |info: &NodeInfo| {
        if !has_all(info, soft) {
            return 0;
        }
        num::spread_score(soft.iter().zip(&rules).map(|(constraint, (weight, map))| {
            let value = info.label(&constraint.topology_key).expect("has all");
            let count = if *constraint.topology_key == *HOSTNAME {
                on_node(info, pod, constraint)
            } else {
                map.get(value).copied().unwrap_or(0)
            };
            (count, *weight, i64::from(constraint.max_skew))
        }))
    };
    nodes
        .iter()
        .map(|row| score(cluster.snapshot.node(*row)))
        .collect()
}
