//! Which nodes would stand out too far.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, PreFilter, PreFiltered, Verdicts};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{Domain, DomainColumn, NodeInfo, PodInfo};

use super::constraint::{Constraint, WhenUnsatisfiable};
use super::counts::{DomainCounts, for_each_count};
use super::eligible::{Eligibility, fully_labelled};
use super::{PRE_FILTER, PodTopologySpread};

/// What Filter goes by. Only the counts change in a dry run.
#[derive(Clone, Debug)]
struct HardState {
    rules: Arc<Rules>,
    counts: SmallVec<[DomainCounts; 2]>,
}

/// The hard constraints of a pod, and what is needed to count a single pod for them.
#[derive(Debug)]
struct Rules {
    list: Vec<Rule>,
    eligibility: Eligibility,
}

#[derive(Debug)]
struct Rule {
    constraint: Constraint,
    column: Arc<DomainColumn>,
    /// 1 when the pod would be counted itself.
    own: i32,
}

impl Rule {
    /// Whether `count` matching pods are too many beside `minimum` once the pod is there.
    fn judge(&self, count: i32, minimum: i32) -> Option<Reason> {
        let count = i64::from(count) + i64::from(self.own);
        let skew = count - i64::from(minimum);
        (skew > i64::from(self.constraint.max_skew)).then(|| Reason::TopologySpread {
            topology_key: self.constraint.topology_key.clone(),
            count,
            minimum: i64::from(minimum),
            max_skew: i64::from(self.constraint.max_skew),
        })
    }

    fn missing(&self) -> Reason {
        Reason::TopologySpreadMissingLabel {
            topology_key: self.constraint.topology_key.clone(),
        }
    }
}

impl HardState {
    fn minimum(&self, place: usize, rule: &Rule) -> i32 {
        let counts = self.counts.get(place);
        counts.map_or(0, |counts| counts.minimum(rule.constraint.min_domains))
    }

    fn count(&self, place: usize, domain: Domain) -> i32 {
        self.counts
            .get(place)
            .map_or(0, |counts| counts.get(domain))
    }

    /// Counts one pod in or off, if it counts.
    ///
    /// QUIRK: whether the pod is being deleted is not looked at, so taking off one that was never counted lowers a count.
    /// Source: spec, plugins 10.4.
    fn update(&mut self, pod: &PodInfo, other: &PodInfo, info: &NodeInfo, by: i32) {
        let Some(node) = &info.node else { return };
        if other.reference.namespace != pod.reference.namespace {
            return;
        }
        let rules = self.rules.clone();
        let domains: Option<SmallVec<[Domain; 2]>> = rules
            .list
            .iter()
            .map(|rule| rule.column.of_node(info))
            .collect();
        let Some(domains) = domains else { return };
        let places = rules.list.iter().zip(domains).zip(&mut self.counts);
        for ((rule, domain), counts) in places {
            if rule.constraint.selector.matches(&other.pod.metadata.labels)
                && rules.eligibility.allows(&rule.constraint, &pod.pod, node)
            {
                counts.change(domain, by);
            }
        }
    }
}

impl PodTopologySpread {
    /// Counts matching pods by domain for every hard constraint; `None` when there is none.
    fn count_hard(
        &self,
        cx: &CycleContext<'_>,
        pod: &PodInfo,
    ) -> Result<Option<HardState>, PluginError> {
        let constraints =
            self.constraints(cx.listers, &pod.pod, WhenUnsatisfiable::DoNotSchedule)?;
        if constraints.is_empty() {
            return Ok(None);
        }
        let columns: Vec<_> = constraints
            .iter()
            .map(|constraint| cx.snapshot.domains(&constraint.topology_key))
            .collect();
        let eligibility = Eligibility::of(&pod.pod, self.operators);
        let labelled = fully_labelled(cx.snapshot, &columns);
        let eligible = eligibility.rows(cx.snapshot, &pod.pod, &constraints, labelled);
        let rules = constraints.into_iter().zip(columns);
        let (list, counts) = rules
            .zip(eligible)
            .map(|((constraint, column), rows)| {
                let counts = count(cx, pod, &constraint, &column, rows.as_ref());
                let own = i32::from(constraint.selector.matches(&pod.pod.metadata.labels));
                let rule = Rule {
                    constraint,
                    column,
                    own,
                };
                (rule, counts)
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Ok(Some(HardState {
            rules: Arc::new(Rules { list, eligibility }),
            counts: SmallVec::from_vec(counts),
        }))
    }
}

/// Matching pods in each domain that has a node out of `rows`.
fn count(
    cx: &CycleContext<'_>,
    pod: &PodInfo,
    constraint: &Constraint,
    column: &DomainColumn,
    rows: Option<&NodeSet>,
) -> DomainCounts {
    let mut counts = DomainCounts::with_room(column.len());
    match rows {
        None => column.inhabited().for_each(|domain| counts.enter(domain)),
        Some(rows) => rows
            .iter()
            .filter_map(|row| column.at(row))
            .for_each(|domain| counts.enter(domain)),
    }
    let namespace = &pod.reference.namespace;
    for_each_count(
        cx.snapshot,
        namespace,
        &constraint.selector,
        rows,
        |row, pods| {
            if let Some(domain) = column.at(row) {
                counts.add(domain, pods);
            }
        },
    );
    counts.settle();
    counts
}

impl PreFilter for PodTopologySpread {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let status = match self.count_hard(cx, pod) {
            Ok(Some(counted)) => {
                state.write_until_chosen(PRE_FILTER, counted);
                Status::success()
            }
            Ok(None) => Status::skip(),
            Err(error) => Status::error(error.0),
        };
        status.into()
    }

    fn has_extensions(&self) -> bool {
        true
    }

    fn add_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        match state.change::<HardState>(PRE_FILTER) {
            Some(counted) => {
                counted.update(pod, added, node, 1);
                Status::success()
            }
            None => not_counted(),
        }
    }

    fn remove_pod(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        removed: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        match state.change::<HardState>(PRE_FILTER) {
            Some(counted) => {
                counted.update(pod, removed, node, -1);
                Status::success()
            }
            None => not_counted(),
        }
    }
}

impl Filter for PodTopologySpread {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let Some(counted) = state.read::<HardState>(PRE_FILTER) else {
            return not_counted();
        };
        let info = cx.snapshot.node(node);
        for (place, rule) in counted.rules.list.iter().enumerate() {
            let Some(value) = info.label(&rule.constraint.topology_key) else {
                return Status::unresolvable(rule.missing());
            };
            let domain = rule.column.of_value(value);
            let count = domain.map_or(0, |domain| counted.count(place, domain));
            if let Some(reason) = rule.judge(count, counted.minimum(place, rule)) {
                return Status::unschedulable(reason);
            }
        }
        Status::success()
    }

    /// Cost: two steps for each node and constraint.
    fn filter(
        &self,
        _cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let Some(counted) = state.read::<HardState>(PRE_FILTER) else {
            reject_all(nodes, verdicts);
            return;
        };
        let rules: SmallVec<[(&Rule, &DomainCounts, i32); 2]> = counted
            .rules
            .list
            .iter()
            .zip(&counted.counts)
            .map(|(rule, counts)| {
                let minimum = counts.minimum(rule.constraint.min_domains);
                (rule, counts, minimum)
            })
            .collect();
        nodes.retain(|row| {
            for (rule, counts, minimum) in &rules {
                let Some(domain) = rule.column.at(row) else {
                    verdicts.reject(row, Status::unresolvable(rule.missing()));
                    return false;
                };
                if let Some(reason) = rule.judge(counts.get(domain), *minimum) {
                    verdicts.reject(row, Status::unschedulable(reason));
                    return false;
                }
            }
            true
        });
    }
}

fn reject_all(nodes: &mut NodeSet, verdicts: &mut Verdicts) {
    for row in nodes.iter() {
        verdicts.reject(row, not_counted());
    }
    *nodes = NodeSet::default();
}

/// Filter without PreFilter: the framework does not do that.
fn not_counted() -> Status {
    Status::error(String::from(
        "reading \"PreFilterPodTopologySpread\" from cycleState: not found",
    ))
}
