//! Which nodes preferred terms favour.

use alloc::string::ToString;

use crate::api::Pod;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, PreScore, Score};
use crate::framework::status::{PluginError, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::snapshot::PodInfo;
use crate::snapshot::affinity::WeightedAffinityTerm;
use crate::snapshot::census::{TermCounts, TermKind};

use super::pairs::{Pairs, Touched};
use super::terms::{for_each_meant, resolved};
use super::{InterPodAffinity, PRE_SCORE};

/// Points by topology key and value.
#[derive(Clone, Debug, Default)]
struct Points {
    pairs: Pairs,
    /// Whether any pair was given points, even if they add up to nothing.
    touched: Touched,
}

impl Points {
    /// Gives points for each pod that the incoming pod would like to be near to or away from.
    fn add_own(&mut self, cx: &CycleContext<'_>, terms: &[WeightedAffinityTerm], sign: i64) {
        for weighted in terms {
            let term = resolved(&weighted.term, cx.listers);
            let weight = i64::from(weighted.weight) * sign;
            let touched = self
                .pairs
                .add_rows(cx.snapshot, &term.topology_key, |adder| {
                    for_each_meant(cx.snapshot, core::slice::from_ref(&term), |row, pods| {
                        adder.add(row, weight * i64::from(pods));
                    });
                });
            self.touched = self.touched.max(touched);
        }
    }

    /// Gives points for each placed pod that would like this pod to be near to it or away from it.
    fn add_existing(
        &mut self,
        cx: &CycleContext<'_>,
        pod: &PodInfo,
        kind: TermKind,
        weight_of: impl Fn(&TermCounts) -> i64,
    ) {
        let namespace_labels = cx.listers.namespace_labels(&pod.reference.namespace);
        for counts in cx.snapshot.census().terms(kind) {
            if !counts.term.matches(&pod.pod, namespace_labels) {
                continue;
            }
            let weight = weight_of(counts);
            let key = &counts.term.topology_key;
            let touched = self.pairs.add_rows(cx.snapshot, key, |adder| {
                for (row, times) in counts.rows.iter() {
                    adder.add(row, weight * i64::from(times));
                }
            });
            self.touched = self.touched.max(touched);
        }
    }
}

impl PreScore for InterPodAffinity {
    /// Source: spec, plugins 11.5. Nodes without any label have no domain and need no rule of their own.
    fn pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        let own = &pod.affinity;
        if self.args.ignore_preferred_terms_of_existing_pods && !has_preferences(&pod.pod) {
            return Status::skip();
        }
        if let Some((list, error)) = own.errors.first() {
            let text = ["failed to parse pod: ", list, ": ", &error.to_string()].concat();
            return Status::error(text);
        }
        let mut points = Points::default();
        points.add_own(cx, &own.preferred, 1);
        points.add_own(cx, &own.preferred_anti, -1);
        let hard_weight = i64::from(self.args.hard_pod_affinity_weight);
        if hard_weight > 0 {
            points.add_existing(cx, pod, TermKind::Required, |_| hard_weight);
        }
        points.add_existing(cx, pod, TermKind::Preferred, |counts| {
            i64::from(counts.weight)
        });
        points.add_existing(cx, pod, TermKind::PreferredAnti, |counts| {
            -i64::from(counts.weight)
        });
        if points.touched == Touched::No {
            return Status::skip();
        }
        state.write_until_chosen(PRE_SCORE, points);
        Status::success()
    }
}

impl Score for InterPodAffinity {
    /// The plain twin goes by the node's labels.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let info = cx.snapshot.node(node);
        let pairs = read(state)?.pairs.keys().iter();
        Ok(pairs
            .filter_map(|pairs| Some(pairs.of_value(info.label(pairs.key())?)))
            .fold(0, i64::saturating_add))
    }

    /// Cost: two steps for each node and topology key.
    fn score(
        &self,
        _cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let points = read(state)?;
        column.fill(0);
        for pairs in points.pairs.keys() {
            for (row, slot) in nodes.iter().zip(&mut *column) {
                *slot = slot.saturating_add(pairs.at(*row).unwrap_or(0));
            }
        }
        Ok(())
    }

    fn has_normalize(&self) -> bool {
        true
    }

    fn normalize(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let least = column.iter().copied().min().unwrap_or(0);
        let most = column.iter().copied().max().unwrap_or(0);
        for slot in column {
            *slot = if most > least {
                num::percent_between(*slot, least, most)
            } else {
                0
            };
        }
        Ok(())
    }
}

/// Whether the pod has any preferred term, readable or not.
fn has_preferences(pod: &Pod) -> bool {
    let Some(affinity) = &pod.spec.affinity else {
        return false;
    };
    let near = affinity.pod_affinity.as_ref();
    let apart = affinity.pod_anti_affinity.as_ref();
    near.is_some_and(|near| {
        !near
            .preferred_during_scheduling_ignored_during_execution
            .is_empty()
    }) || apart.is_some_and(|apart| {
        !apart
            .preferred_during_scheduling_ignored_during_execution
            .is_empty()
    })
}

fn read(state: &CycleState) -> Result<&Points, PluginError> {
    state.read::<Points>(PRE_SCORE).ok_or_else(|| {
        PluginError::new("failed to read \"PreScoreInterPodAffinity\" from cycleState: not found")
    })
}
