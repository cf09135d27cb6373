use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::{InterPodAffinity, NO_LABELS};
use crate::api::Pod;
use crate::config::InterPodAffinityArgs;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{Filter, PreFilter, PreScore, Score, Verdicts};
use crate::framework::status::{Code, Status};
use crate::node_set::NodeIndex;
use crate::plugins::tests::random_cluster::Cluster;
use crate::snapshot::affinity::AffinityTerm;
use crate::snapshot::{NodeInfo, PodInfo};

fn plugin() -> InterPodAffinity {
    InterPodAffinity {
        args: InterPodAffinityArgs::default(),
    }
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
        let counted = Plain::count(&cluster, &pod);
        assert_eq!(status.is_skip(), counted.is_nothing(&pod), "seed {seed}");
        if status.is_skip() {
            continue;
        }
        let expected: Vec<Code> = cluster
            .snapshot
            .iter()
            .map(|(_, info)| counted.judge(&cluster, &pod, info))
            .collect();
        rejected += expected
            .iter()
            .filter(|code| **code != Code::Success)
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
        let was_skipped = plugin
            .pre_filter(&cluster.cx(), &mut without, &pod)
            .status
            .is_skip();
        let row = NodeIndex::new(cluster.below(cluster.snapshot.len()));
        if was_skipped {
            continue;
        }
        let answers_without = filtered(&plugin, &cluster, &without, &pod);
        let other = cluster.place(row);
        let info = cluster.snapshot.node(row).clone();
        let mut with = CycleState::default();
        plugin.pre_filter(&cluster.cx(), &mut with, &pod);
        let answers_with = filtered(&plugin, &cluster, &with, &pod);
        let mut changed = without.clone();
        cluster.take(row, &other);
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
        let plugin = InterPodAffinity {
            args: InterPodAffinityArgs {
                hard_pod_affinity_weight: [0, 1, 7][cluster.below(3)],
                ignore_preferred_terms_of_existing_pods: cluster.below(2) == 0,
            },
        };
        let nodes: Vec<NodeIndex> = cluster.snapshot.all().iter().collect();
        let mut state = CycleState::default();
        let status = plugin.pre_score(&cluster.cx(), &mut state, &pod, &nodes);
        let points = plain_points(&plugin, &cluster, &pod);
        assert_eq!(status.is_skip(), points.is_empty(), "seed {seed}");
        if status.is_skip() {
            continue;
        }
        let mut column = vec![0; nodes.len()];
        plugin
            .score(&cluster.cx(), &state, &pod, &nodes, &mut column)
            .expect("scored");
        for (node, score) in nodes.iter().zip(&column) {
            let alone = plugin
                .score_node(&cluster.cx(), &state, &pod, *node)
                .expect("scored");
            let info = cluster.snapshot.node(*node);
            let plain: i64 = points
                .iter()
                .filter(|((key, value), _)| info.label(key) == Some(value))
                .map(|(_, points)| points)
                .sum();
            assert_eq!((*score, alone), (plain, plain), "seed {seed}");
            scored += usize::from(plain != 0);
        }
    }
    assert!(scored > 100, "the clusters are too easy: {scored}");
}

fn filtered(
    plugin: &InterPodAffinity,
    cluster: &Cluster,
    state: &CycleState,
    pod: &PodInfo,
) -> Vec<Code> {
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
    answers.into_iter().map(|status| status.code).collect()
}

type Map = BTreeMap<(String, String), i64>;

/// Spec, plugins 11.3 and 11.4, word by word.
struct Plain {
    existing_anti: Map,
    affinity: Map,
    anti: Map,
}

impl Plain {
    fn count(cluster: &Cluster, pod: &PodInfo) -> Self {
        let mut plain = Self {
            existing_anti: Map::new(),
            affinity: Map::new(),
            anti: Map::new(),
        };
        let labels = cluster.listers.namespace_labels(&pod.reference.namespace);
        for_each_pod(cluster, |info, other| {
            for term in &other.affinity.required_anti {
                if term.matches(&pod.pod, labels) {
                    add(&mut plain.existing_anti, info, term, 1);
                }
            }
            let near = &pod.affinity.required;
            if !near.is_empty() && near.iter().all(|term| own_means(cluster, term, &other.pod)) {
                near.iter()
                    .for_each(|term| add(&mut plain.affinity, info, term, 1));
            }
            for term in &pod.affinity.required_anti {
                if own_means(cluster, term, &other.pod) {
                    add(&mut plain.anti, info, term, 1);
                }
            }
        });
        plain
    }

    fn is_nothing(&self, pod: &PodInfo) -> bool {
        let own = &pod.affinity;
        self.existing_anti.is_empty() && own.required.is_empty() && own.required_anti.is_empty()
    }

    fn judge(&self, cluster: &Cluster, pod: &PodInfo, info: &NodeInfo) -> Code {
        let count = |map: &Map, key: &str| {
            let value = info.label(key).unwrap_or("?");
            map.get(&(key.to_string(), value.to_string()))
                .copied()
                .unwrap_or(0)
        };
        let near = &pod.affinity.required;
        let has_keys = near
            .iter()
            .all(|term| info.label(&term.topology_key).is_some());
        let has_pods = near
            .iter()
            .all(|term| count(&self.affinity, &term.topology_key) > 0);
        let is_first =
            self.affinity.is_empty() && near.iter().all(|term| own_means(cluster, term, &pod.pod));
        if !has_keys || !(has_pods || is_first) {
            return Code::UnschedulableAndUnresolvable;
        }
        let mut apart = pod.affinity.required_anti.iter();
        let mut closed = self.existing_anti.keys();
        let is_kept_off = apart.any(|term| count(&self.anti, &term.topology_key) > 0)
            || closed.any(|(key, value)| info.label(key) == Some(value));
        if is_kept_off {
            Code::Unschedulable
        } else {
            Code::Success
        }
    }
}

/// Spec, plugins 11.5, word by word.
fn plain_points(plugin: &InterPodAffinity, cluster: &Cluster, pod: &PodInfo) -> Map {
    let own = &pod.affinity;
    let has = !own.preferred.is_empty() || !own.preferred_anti.is_empty();
    let mut points = Map::new();
    if plugin.args.ignore_preferred_terms_of_existing_pods && !has {
        return points;
    }
    let labels = cluster.listers.namespace_labels(&pod.reference.namespace);
    let hard_weight = i64::from(plugin.args.hard_pod_affinity_weight);
    for_each_pod(cluster, |info, other| {
        for (list, sign) in [(&own.preferred, 1), (&own.preferred_anti, -1)] {
            for weighted in list {
                if own_means(cluster, &weighted.term, &other.pod) {
                    add(
                        &mut points,
                        info,
                        &weighted.term,
                        sign * i64::from(weighted.weight),
                    );
                }
            }
        }
        for term in &other.affinity.required {
            if hard_weight > 0 && term.matches(&pod.pod, labels) {
                add(&mut points, info, term, hard_weight);
            }
        }
        let theirs = &other.affinity;
        for (list, sign) in [(&theirs.preferred, 1), (&theirs.preferred_anti, -1)] {
            for weighted in list {
                if weighted.term.matches(&pod.pod, labels) {
                    add(
                        &mut points,
                        info,
                        &weighted.term,
                        sign * i64::from(weighted.weight),
                    );
                }
            }
        }
    });
    points
}

fn own_means(cluster: &Cluster, term: &AffinityTerm, other: &Pod) -> bool {
    let selector = &term.namespace_selector;
    let is_selected = !selector.is_empty()
        && cluster.listers.namespaces.iter().any(|namespace| {
            namespace.metadata.name == other.metadata.namespace
                && selector.matches(&namespace.metadata.labels)
        });
    let is_named = term.namespaces.contains(&other.metadata.namespace);
    (is_selected || is_named || selector.matches(&NO_LABELS))
        && term.selector.matches(&other.metadata.labels)
}

fn for_each_pod(cluster: &Cluster, mut visit: impl FnMut(&NodeInfo, &Arc<PodInfo>)) {
    for (_, info) in cluster.snapshot.iter() {
        info.pods.iter().for_each(|other| visit(info, other));
    }
}

fn add(map: &mut Map, info: &NodeInfo, term: &AffinityTerm, amount: i64) {
    if let Some(value) = info.label(&term.topology_key) {
        let pair = (term.topology_key.to_string(), value.to_string());
        *map.entry(pair).or_default() += amount;
    }
}
