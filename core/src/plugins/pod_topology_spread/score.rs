//! Which nodes have fewest matching pods around them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, PreScore, Score};
use crate::framework::status::{PluginError, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::num;
use crate::snapshot::{DomainColumn, PodInfo};

use super::constraint::{Constraint, WhenUnsatisfiable};
use super::counts::{for_each_count, is_counted};
use super::eligible::{Eligibility, fully_labelled};
use super::{PRE_SCORE, PodTopologySpread};

/// What Score goes by.
#[derive(Clone, Debug)]
struct SoftState {
    rules: Arc<Vec<Rule>>,
    /// Feasible nodes that lack a key: they get nothing.
    ignored: NodeSet,
}

#[derive(Debug)]
struct Rule {
    constraint: Constraint,
    column: Arc<DomainColumn>,
    /// Grows with the number of domains, so that a constraint over many is not drowned by one over few.
    weight: f64,
    counts: Counts,
}

/// Matching pods for one constraint.
#[derive(Debug)]
enum Counts {
    /// By row: each node is a domain of its own.
    ByNode(Vec<u32>),
    /// By domain, with one entry more for nodes without the key.
    ByDomain(Vec<u32>),
}

impl Rule {
    fn is_by_node(constraint: &Constraint) -> bool {
        *constraint.topology_key == *HOSTNAME
    }

    /// How many matching pods are around the node in a row, if it has the key.
    fn count(&self, row: NodeIndex) -> Option<u32> {
        let domain = self.column.at(row)?;
        let count = match &self.counts {
            Counts::ByNode(counts) => counts.get(row.as_usize()),
            Counts::ByDomain(counts) => counts.get(domain.as_usize()),
        };
        Some(count.copied().unwrap_or(0))
    }

    /// The place of a row in [`Counts::ByDomain`].
    ///
    /// QUIRK: a node without the key stands in the domain of the empty value.
    fn place(column: &DomainColumn, row: NodeIndex) -> usize {
        let domain = column.at(row).or_else(|| column.of_value(""));
        domain.map_or(column.len(), |domain| domain.as_usize())
    }
}

impl PodTopologySpread {
    /// Counts matching pods for every soft constraint; `None` when there is none.
    ///
    /// Source: spec, plugins 10.5.
    fn count_soft(
        &self,
        cx: &CycleContext<'_>,
        pod: &PodInfo,
        nodes: &[NodeIndex],
    ) -> Result<Option<SoftState>, PluginError> {
        if cx.snapshot.is_empty() {
            return Ok(None);
        }
        let constraints =
            self.constraints(cx.listers, &pod.pod, WhenUnsatisfiable::ScheduleAnyway)?;
        if constraints.is_empty() {
            return Ok(None);
        }
        let columns: Vec<_> = constraints
            .iter()
            .map(|constraint| cx.snapshot.domains(&constraint.topology_key))
            .collect();
        let requires_all = self.requires_all_keys(&pod.pod);
        let labelled = if requires_all {
            fully_labelled(cx.snapshot, &columns)
        } else {
            None
        };
        let mut ignored = NodeSet::empty(cx.snapshot.len());
        if let Some(labelled) = &labelled {
            let lacking = nodes.iter().filter(|row| !labelled.contains(**row));
            lacking.for_each(|row| ignored.insert(*row));
        }
        let scored: Vec<_> = nodes
            .iter()
            .copied()
            .filter(|row| !ignored.contains(*row))
            .collect();
        let eligible = Eligibility::of(&pod.pod, self.operators).rows(
            cx.snapshot,
            &pod.pod,
            &constraints,
            labelled,
        );
        let rules = constraints.into_iter().zip(columns).zip(eligible);
        let rules = rules.map(|((constraint, column), rows)| {
            soft_rule(cx, pod, constraint, column, &scored, rows.as_ref())
        });
        Ok(Some(SoftState {
            rules: Arc::new(rules.collect()),
            ignored,
        }))
    }
}

/// Counts for one constraint. Only domains in which a node may be chosen are counted.
fn soft_rule(
    cx: &CycleContext<'_>,
    pod: &PodInfo,
    constraint: Constraint,
    column: Arc<DomainColumn>,
    scored: &[NodeIndex],
    rows: Option<&NodeSet>,
) -> Rule {
    let (namespace, selector) = (&pod.reference.namespace, &constraint.selector);
    let (size, counts) = if Rule::is_by_node(&constraint) {
        // QUIRK: pods on a node count for it by hostname even where the node is not eligible.
        let mut counts = alloc::vec![0; cx.snapshot.len()];
        for_each_count(cx.snapshot, namespace, selector, None, |row, pods| {
            if let Some(count) = counts.get_mut(row.as_usize()) {
                *count += pods;
            }
        });
        (scored.len(), Counts::ByNode(counts))
    } else {
        let mut is_noted = alloc::vec![false; column.len() + 1];
        let mut size = 0;
        for row in scored {
            if let Some(noted) = is_noted.get_mut(Rule::place(&column, *row)) {
                size += usize::from(!*noted);
                *noted = true;
            }
        }
        let mut counts = alloc::vec![0; column.len() + 1];
        for_each_count(cx.snapshot, namespace, selector, rows, |row, pods| {
            let place = Rule::place(&column, row);
            if let (Some(count), Some(true)) = (counts.get_mut(place), is_noted.get(place)) {
                *count += pods;
            }
        });
        (size, Counts::ByDomain(counts))
    };
    let weight = num::ln(size as u64 + 2);
    Rule {
        constraint,
        column,
        weight,
        counts,
    }
}

impl PreScore for PodTopologySpread {
    fn pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
    ) -> Status {
        match self.count_soft(cx, pod, nodes) {
            Ok(Some(counted)) => {
                state.write_until_chosen(PRE_SCORE, counted);
                Status::success()
            }
            Ok(None) => Status::skip(),
            Err(error) => Status::error(["calculating preScoreState: ", &error.0].concat()),
        }
    }
}

impl Score for PodTopologySpread {
    /// The plain twin looks at the node's own labels and pods.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let counted = read(state)?;
        if counted.ignored.contains(node) {
            return Ok(0);
        }
        let info = cx.snapshot.node(node);
        let parts = counted.rules.iter().filter_map(|rule| {
            let value = info.label(&rule.constraint.topology_key)?;
            let count = match &rule.counts {
                Counts::ByNode(_) => {
                    let selector = &rule.constraint.selector;
                    let namespace = &pod.reference.namespace;
                    let counted = info.pods.iter().filter(|other| {
                        selector.has_requirements() && is_counted(other, namespace, selector)
                    });
                    counted.count() as i64
                }
                Counts::ByDomain(counts) => {
                    let domain = rule.column.of_value(value)?;
                    i64::from(counts.get(domain.as_usize()).copied().unwrap_or(0))
                }
            };
            Some((count, rule.weight, i64::from(rule.constraint.max_skew)))
        });
        Ok(num::spread_score(parts))
    }

    /// Cost: two steps for each node and constraint.
    fn score(
        &self,
        _cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let counted = read(state)?;
        for (row, slot) in nodes.iter().zip(column) {
            if counted.ignored.contains(*row) {
                *slot = 0;
                continue;
            }
            let parts = counted.rules.iter().filter_map(|rule| {
                let count = i64::from(rule.count(*row)?);
                Some((count, rule.weight, i64::from(rule.constraint.max_skew)))
            });
            *slot = num::spread_score(parts);
        }
        Ok(())
    }

    fn has_normalize(&self) -> bool {
        true
    }

    /// Fewest pods give most: `100 · (max + min − s) / max`; nothing anywhere gives everyone 100.
    fn normalize(
        &self,
        _cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let counted = read(state)?;
        let is_ignored = |row: &NodeIndex| counted.ignored.contains(*row);
        let (mut least, mut most) = (i64::MAX, 0);
        for (_, score) in nodes
            .iter()
            .zip(&*column)
            .filter(|(row, _)| !is_ignored(row))
        {
            least = least.min(*score);
            most = most.max(*score);
        }
        for (row, slot) in nodes.iter().zip(column) {
            *slot = if is_ignored(row) {
                0
            } else if most == 0 {
                100
            } else {
                100 * (most + least - *slot) / most
            };
        }
        Ok(())
    }
}

fn read(state: &CycleState) -> Result<&SoftState, PluginError> {
    state.read::<SoftState>(PRE_SCORE).ok_or_else(|| {
        PluginError::new("reading \"PreScorePodTopologySpread\" from cycleState: not found")
    })
}

/// The key whose domains are the nodes themselves.
pub(super) const HOSTNAME: &str = "kubernetes.io/hostname";
