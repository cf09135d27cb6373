//! How many pods of which kind are on which node.
//!
//! Pods that look alike to every label selector (one namespace, the same labels, being deleted or not) are counted
//! together, and so are equal affinity terms of pods. A selector is then asked once for each kind of pod, not for each
//! pod. The counts follow the rows of the snapshot one change at a time; tests hold them to a plain count over all pods.
//!
//! It knows nothing of domains or of what is being scheduled.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use smallvec::SmallVec;

use crate::api::Selector;
use crate::node_set::NodeIndex;
use crate::order::SortedMap;

use super::affinity::AffinityTerm;
use super::moves::Moves;
use super::node_info::NodeInfo;
use super::pod_info::PodInfo;

/// How many of something are on each node: rows ascending, no count 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    counts: SmallVec<[(NodeIndex, u32); 2]>,
}

impl RowCounts {
    /// Each row that has any, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, u32)> + '_ {
        self.counts.iter().copied()
    }

    /// Whether no row has any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    fn add(&mut self, row: NodeIndex) {
        match self.place(row) {
            Ok(place) => {
                if let Some((_, count)) = self.counts.get_mut(place) {
                    *count += 1;
                }
            }
            Err(place) => self.counts.insert(place, (row, 1)),
        }
    }

    fn remove(&mut self, row: NodeIndex) {
        let Ok(place) = self.place(row) else { return };
        match self.counts.get_mut(place) {
            Some((_, count)) if *count > 1 => *count -= 1,
            _ => {
                self.counts.remove(place);
            }
        }
    }

    fn place(&self, row: NodeIndex) -> Result<usize, usize> {
        self.counts.binary_search_by_key(&row, |(row, _)| *row)
    }

    fn rearrange(&mut self, to: &[Option<NodeIndex>]) {
        self.counts.retain(|(row, _)| {
            let target = to.get(row.as_usize()).copied().flatten();
            if let Some(target) = target {
                *row = target;
            }
            target.is_some()
        });
        self.counts.sort_unstable_by_key(|(row, _)| *row);
    }
}

/// A kind of pod by one of its members, as far as selectors can tell pods of one namespace apart.
///
/// Labels that a controller gives to each of its pods alone are left out, or else every pod of a StatefulSet would be of
/// a kind of its own. Selectors that ask for one of them are answered pod by pod.
#[derive(Clone, Debug)]
struct Looks(Arc<PodInfo>);

impl Looks {
    fn is_terminating(&self) -> bool {
        self.0.pod.metadata.is_terminating()
    }

    fn labels(&self) -> impl Iterator<Item = (&String, &String)> {
        let labels = self.0.pod.metadata.labels.iter();
        labels.filter(|(key, _)| !is_individual(key))
    }
}

/// Whether the label tells a pod from others of the same controller.
fn is_individual(key: &str) -> bool {
    INDIVIDUAL.contains(&key)
}

impl PartialEq for Looks {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Looks {}

impl PartialOrd for Looks {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Looks {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_end = self.is_terminating().cmp(&other.is_terminating());
        by_end.then_with(|| self.labels().cmp(other.labels()))
    }
}

/// Which list of a pod's affinity a term stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TermKind {
    /// Required affinity.
    Required,
    /// Required anti-affinity.
    RequiredAnti,
    /// Preferred affinity.
    Preferred,
    /// Preferred anti-affinity.
    PreferredAnti,
}

/// Equal affinity terms of pods, counted together.
#[derive(Clone, Debug, PartialEq)]
pub struct TermCounts {
    /// The list.
    pub kind: TermKind,
    /// The weight of a preferred term; 0 for a required one.
    pub weight: i32,
    /// The term.
    pub term: AffinityTerm,
    /// How many times pods of a node say so.
    pub rows: RowCounts,
}

/// Pods of a snapshot by what they look like and what they want.
#[derive(Clone, Debug, Default)]
pub struct Census {
    namespaces: SortedMap<Arc<str>, Arc<BTreeMap<Looks, RowCounts>>>,
    /// By kind, weight and term.
    terms: Vec<Arc<TermCounts>>,
}

impl Census {
    /// Each kind of pod in a namespace, by one of them, with how many are where.
    pub(super) fn pods_in(
        &self,
        namespace: &str,
    ) -> impl Iterator<Item = (&Arc<PodInfo>, &RowCounts)> {
        let kinds = self.namespaces.get(namespace).into_iter();
        kinds.flat_map(|kinds| kinds.iter().map(|(looks, rows)| (&looks.0, rows)))
    }

    /// Each kind of pod in any namespace, by one of them, with how many are where.
    pub(super) fn pods(&self) -> impl Iterator<Item = (&Arc<PodInfo>, &RowCounts)> {
        let kinds = self.namespaces.values();
        kinds.flat_map(|kinds| kinds.iter().map(|(looks, rows)| (&looks.0, rows)))
    }

    /// The different terms of one kind that pods have, with how many are where.
    #[must_use]
    pub fn terms(&self, kind: TermKind) -> &[Arc<TermCounts>] {
        let start = self.terms.partition_point(|counts| counts.kind < kind);
        let end = self.terms.partition_point(|counts| counts.kind <= kind);
        self.terms.get(start..end).unwrap_or_default()
    }

    /// Follows one row from one state to another. `came` hears of each pod that came.
    ///
    /// Cost: a comparison for each pod of the node, a lookup for each one that came or went.
    pub(super) fn follow(
        &mut self,
        row: NodeIndex,
        before: &NodeInfo,
        after: &NodeInfo,
        came: &mut dyn FnMut(&PodInfo),
    ) {
        let (gone, come) = difference(&before.pods, &after.pods);
        for pod in gone {
            self.remove(row, pod);
        }
        for pod in come {
            self.add(row, pod);
            came(pod);
        }
    }

    /// Follows the rows to their new places, and counts what the nodes that came and stayed have.
    pub(super) fn rearrange(
        &mut self,
        before: &[Arc<NodeInfo>],
        after: &[Arc<NodeInfo>],
        moves: &Moves,
        came: &mut dyn FnMut(&PodInfo),
    ) {
        let to = moves.targets(before.len());
        for kinds in self.namespaces.values_mut() {
            let kinds = Arc::make_mut(kinds);
            for rows in kinds.values_mut() {
                rows.rearrange(&to);
            }
            kinds.retain(|_, rows| !rows.is_empty());
        }
        self.namespaces.retain(|_, kinds| !kinds.is_empty());
        for counts in &mut self.terms {
            Arc::make_mut(counts).rows.rearrange(&to);
        }
        self.terms.retain(|counts| !counts.rows.is_empty());
        let nothing = NodeInfo::default();
        for ((row, info), from) in after.iter().enumerate().zip(moves.origins()) {
            let old = from.and_then(|from| before.get(from.as_usize()));
            if !old.is_some_and(|old| Arc::ptr_eq(old, info)) {
                let old = old.map_or(&nothing, AsRef::as_ref);
                self.follow(NodeIndex::new(row), old, info, came);
            }
        }
    }

    fn add(&mut self, row: NodeIndex, pod: &Arc<PodInfo>) {
        let namespace = &pod.reference.namespace;
        if !self.namespaces.contains_key(namespace) {
            self.namespaces.insert(namespace.clone(), Arc::default());
        }
        if let Some(kinds) = self.namespaces.get_mut(namespace) {
            Arc::make_mut(kinds)
                .entry(Looks(pod.clone()))
                .or_default()
                .add(row);
        }
        for (kind, weight, term) in terms_of(pod) {
            match self.find(kind, weight, term) {
                Ok(place) => {
                    if let Some(counts) = self.terms.get_mut(place) {
                        Arc::make_mut(counts).rows.add(row);
                    }
                }
                Err(place) => {
                    let mut rows = RowCounts::default();
                    rows.add(row);
                    let term = term.clone();
                    let counts = TermCounts {
                        kind,
                        weight,
                        term,
                        rows,
                    };
                    self.terms.insert(place, Arc::new(counts));
                }
            }
        }
    }

    fn remove(&mut self, row: NodeIndex, pod: &Arc<PodInfo>) {
        let namespace = &pod.reference.namespace;
        if let Some(kinds) = self.namespaces.get_mut(namespace) {
            let kinds = Arc::make_mut(kinds);
            let looks = Looks(pod.clone());
            if let Some(rows) = kinds.get_mut(&looks) {
                rows.remove(row);
                if rows.is_empty() {
                    kinds.remove(&looks);
                }
            }
            if kinds.is_empty() {
                self.namespaces.remove(namespace);
            }
        }
        for (kind, weight, term) in terms_of(pod) {
            let Ok(place) = self.find(kind, weight, term) else {
                continue;
            };
            let Some(counts) = self.terms.get_mut(place) else {
                continue;
            };
            let rows = &mut Arc::make_mut(counts).rows;
            rows.remove(row);
            if rows.is_empty() {
                self.terms.remove(place);
            }
        }
    }

    fn find(&self, kind: TermKind, weight: i32, term: &AffinityTerm) -> Result<usize, usize> {
        self.terms.binary_search_by(|counts| {
            (counts.kind, counts.weight, &counts.term).cmp(&(kind, weight, term))
        })
    }
}

/// Every term of a pod with its list and weight.
fn terms_of(pod: &PodInfo) -> impl Iterator<Item = (TermKind, i32, &AffinityTerm)> {
    let own = &pod.affinity;
    let near = own
        .required
        .iter()
        .map(|term| (TermKind::Required, 0, term));
    let apart = own
        .required_anti
        .iter()
        .map(|term| (TermKind::RequiredAnti, 0, term));
    let rather_near = own
        .preferred
        .iter()
        .map(|weighted| (TermKind::Preferred, weighted.weight, &weighted.term));
    let rather_apart = own
        .preferred_anti
        .iter()
        .map(|weighted| (TermKind::PreferredAnti, weighted.weight, &weighted.term));
    near.chain(apart).chain(rather_near).chain(rather_apart)
}

type Pods<'a> = SmallVec<[&'a Arc<PodInfo>; 4]>;

/// The pods that only one of two lists has.
///
/// Cost: one pass where the lists agree place by place; lists change by a push or by a swap with the last.
fn difference<'a>(before: &'a [Arc<PodInfo>], after: &'a [Arc<PodInfo>]) -> (Pods<'a>, Pods<'a>) {
    let (mut gone, mut come) = (Pods::new(), Pods::new());
    for place in 0..before.len().max(after.len()) {
        match (before.get(place), after.get(place)) {
            (Some(one), Some(two)) if Arc::ptr_eq(one, two) => {}
            (one, two) => {
                gone.extend(one);
                come.extend(two);
            }
        }
    }
    come.retain(|pod| {
        let moved = gone.iter().position(|other| Arc::ptr_eq(other, pod));
        if let Some(place) = moved {
            gone.swap_remove(place);
        }
        moved.is_none()
    });
    (gone, come)
}

/// Whether a selector can tell pods of one kind apart, so that they must be looked at one by one.
pub(super) fn is_individualist(selector: &Selector) -> bool {
    let mut requirements = selector.requirements().iter();
    requirements.any(|requirement| is_individual(requirement.key()))
}

/// Labels with which StatefulSets and Jobs number their pods.
const INDIVIDUAL: [&str; 3] = [
    "apps.kubernetes.io/pod-index",
    "batch.kubernetes.io/job-completion-index",
    "statefulset.kubernetes.io/pod-name",
];

#[cfg(test)]
mod tests;
