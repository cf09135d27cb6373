//! Which nodes required terms leave.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, PreFilter, PreFiltered, Verdicts};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::affinity::AffinityTerm;
use crate::snapshot::census::TermKind;
use crate::snapshot::{NodeInfo, PodInfo};

use super::pairs::{KeyPairs, Pairs};
use super::terms::{all_mean, for_each_meant, means, resolved_all};
use super::{InterPodAffinity, PRE_FILTER};

/// What Filter goes by. Only the pairs change in a dry run.
#[derive(Clone, Debug)]
struct RequiredState {
    own: Arc<OwnTerms>,
    /// Domains that anti-affinity of placed pods closes to this pod.
    existing_anti: Pairs,
    /// Domains in which pods stand that all affinity terms mean.
    affinity: Pairs,
    /// Domains in which pods stand that an anti-affinity term means.
    anti: Pairs,
}

/// The required terms of the incoming pod, resolved.
#[derive(Debug)]
struct OwnTerms {
    affinity: Vec<AffinityTerm>,
    anti: Vec<AffinityTerm>,
    /// Whether the pod is meant by all its own affinity terms, so that it may be the first of its kind.
    means_itself: bool,
}

impl RequiredState {
    /// Source: spec, plugins 11.3.
    fn count(cx: &CycleContext<'_>, pod: &PodInfo) -> Self {
        let affinity = resolved_all(&pod.affinity.required, cx.listers);
        let own = OwnTerms {
            means_itself: all_mean(&affinity, &pod.pod),
            affinity,
            anti: resolved_all(&pod.affinity.required_anti, cx.listers),
        };
        let snapshot = cx.snapshot;
        let mut counted = Self {
            own: Arc::new(own),
            existing_anti: Pairs::default(),
            affinity: Pairs::default(),
            anti: Pairs::default(),
        };
        let namespace_labels = cx.listers.namespace_labels(&pod.reference.namespace);
        for counts in snapshot.census().terms(TermKind::RequiredAnti) {
            if counts.term.matches(&pod.pod, namespace_labels) {
                let key = &counts.term.topology_key;
                counted.existing_anti.add_rows(snapshot, key, |adder| {
                    for (row, times) in counts.rows.iter() {
                        adder.add(row, i64::from(times));
                    }
                });
            }
        }
        let own = counted.own.clone();
        let mut rows = Vec::new();
        for_each_meant(snapshot, &own.affinity, |row, pods| {
            rows.push((row, i64::from(pods)))
        });
        for term in &own.affinity {
            counted
                .affinity
                .add_rows(snapshot, &term.topology_key, |adder| {
                    rows.iter().for_each(|(row, pods)| adder.add(*row, *pods));
                });
        }
        for term in &own.anti {
            counted
                .anti
                .add_rows(snapshot, &term.topology_key, |adder| {
                    for_each_meant(snapshot, core::slice::from_ref(term), |row, pods| {
                        adder.add(row, i64::from(pods));
                    });
                });
        }
        counted
    }

    fn has_nothing_to_check(&self) -> bool {
        self.existing_anti.is_empty() && self.own.affinity.is_empty() && self.own.anti.is_empty()
    }

    /// Counts one pod in (`1`) or off (`-1`).
    fn update(
        &mut self,
        cx: &CycleContext<'_>,
        pod: &PodInfo,
        other: &PodInfo,
        info: &NodeInfo,
        by: i64,
    ) {
        let namespace_labels = cx.listers.namespace_labels(&pod.reference.namespace);
        for term in &other.affinity.required_anti {
            if term.matches(&pod.pod, namespace_labels) {
                self.existing_anti
                    .add_node(cx.snapshot, &term.topology_key, info, by);
            }
        }
        if all_mean(&self.own.affinity, &other.pod) {
            for term in &self.own.affinity {
                self.affinity
                    .add_node(cx.snapshot, &term.topology_key, info, by);
            }
        }
        for term in &self.own.anti {
            if means(term, &other.pod) {
                self.anti
                    .add_node(cx.snapshot, &term.topology_key, info, by);
            }
        }
    }

    /// Whether the pod may stand where none of the pods is that it wants to be near to: it is the first of its kind.
    ///
    /// QUIRK: only pairs count. A matching pod on a node without the key does not stand in the way.
    fn is_first_of_its_kind(&self) -> bool {
        self.affinity.is_empty() && self.own.means_itself
    }
}

impl PreFilter for InterPodAffinity {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        if let Some((list, error)) = pod.affinity.errors.first() {
            let text = ["parsing pod: ", list, ": ", &error.to_string()].concat();
            return Status::unresolvable(Reason::from(text)).into();
        }
        let counted = RequiredState::count(cx, pod);
        if counted.has_nothing_to_check() {
            return Status::skip().into();
        }
        state.write_until_chosen(PRE_FILTER, counted);
        Status::success().into()
    }

    fn has_extensions(&self) -> bool {
        true
    }

    fn add_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        match state.change::<RequiredState>(PRE_FILTER) {
            Some(counted) => {
                counted.update(cx, pod, added, node, 1);
                Status::success()
            }
            None => not_counted(),
        }
    }

    fn remove_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        removed: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        match state.change::<RequiredState>(PRE_FILTER) {
            Some(counted) => {
                counted.update(cx, pod, removed, node, -1);
                Status::success()
            }
            None => not_counted(),
        }
    }
}

impl Filter for InterPodAffinity {
    /// The plain twin goes by the node's labels.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let Some(counted) = state.read::<RequiredState>(PRE_FILTER) else {
            return not_counted();
        };
        let info = cx.snapshot.node(node);
        let count = |pairs: &Pairs, key: &str, value: &str| {
            pairs.get(key).map_or(0, |pairs| pairs.of_value(value))
        };
        let mut lacking = None;
        for term in &counted.own.affinity {
            let key = &term.topology_key;
            let Some(value) = info.label(key) else {
                return Status::unresolvable(affinity(key));
            };
            if count(&counted.affinity, key, value) <= 0 {
                lacking = lacking.or(Some(key));
            }
        }
        if let Some(key) = lacking.filter(|_| !counted.is_first_of_its_kind()) {
            return Status::unresolvable(affinity(key));
        }
        for term in &counted.own.anti {
            let key = &term.topology_key;
            let value = info.label(key);
            if value.is_some_and(|value| count(&counted.anti, key, value) > 0) {
                return Status::unschedulable(anti_affinity(key));
            }
        }
        for pairs in counted.existing_anti.keys() {
            let value = info.label(pairs.key());
            if value.is_some_and(|value| pairs.of_value(value) > 0) {
                return Status::unschedulable(existing_anti_affinity(pairs.key()));
            }
        }
        Status::success()
    }

    /// One pass over the set for each question, in the order in which the plain twin asks them of a node.
    ///
    /// Cost: two steps for each node and topology key.
    fn filter(
        &self,
        _cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let Some(counted) = state.read::<RequiredState>(PRE_FILTER) else {
            return verdicts.retain(nodes, |_| false, not_counted);
        };
        let near = in_order(&counted.own.affinity, &counted.affinity);
        let apart = in_order(&counted.own.anti, &counted.anti);
        for pairs in &near {
            let has_key = |row| pairs.at(row).is_some();
            verdicts.retain(nodes, has_key, || {
                Status::unresolvable(affinity(pairs.key()))
            });
        }
        for pairs in near.iter().filter(|_| !counted.is_first_of_its_kind()) {
            let has_pods = |row| is_counted(pairs, row);
            verdicts.retain(nodes, has_pods, || {
                Status::unresolvable(affinity(pairs.key()))
            });
        }
        for pairs in &apart {
            let is_open = |row| !is_counted(pairs, row);
            let status = || Status::unschedulable(anti_affinity(pairs.key()));
            verdicts.retain(nodes, is_open, status);
        }
        for pairs in counted.existing_anti.keys() {
            let is_open = |row| !is_counted(pairs, row);
            let status = || Status::unschedulable(existing_anti_affinity(pairs.key()));
            verdicts.retain(nodes, is_open, status);
        }
    }
}

/// Whether the node's domain has been counted for.
fn is_counted(pairs: &KeyPairs, row: NodeIndex) -> bool {
    pairs.at(row).is_some_and(|count| count > 0)
}

/// The pairs of each term's key, in the order of the terms.
fn in_order<'a>(terms: &[AffinityTerm], pairs: &'a Pairs) -> SmallVec<[&'a KeyPairs; 2]> {
    let keys = terms.iter().map(|term| &*term.topology_key);
    keys.filter_map(|key| pairs.get(key)).collect()
}

fn affinity(topology_key: &Arc<str>) -> Reason {
    Reason::PodAffinity {
        topology_key: topology_key.clone(),
    }
}

fn anti_affinity(topology_key: &Arc<str>) -> Reason {
    Reason::PodAntiAffinity {
        topology_key: topology_key.clone(),
    }
}

fn existing_anti_affinity(topology_key: &Arc<str>) -> Reason {
    Reason::ExistingPodAntiAffinity {
        topology_key: topology_key.clone(),
    }
}

/// Filter without PreFilter: the framework does not do that.
fn not_counted() -> Status {
    Status::error("error reading \"PreFilterInterPodAffinity\" from cycleState: not found")
}
