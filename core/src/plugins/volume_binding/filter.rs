//! Which nodes will do for all claims of a pod.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{CSINode, NodeSelector, PersistentVolume, StringMap};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, PreFilter, PreFiltered, Verdicts};
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{PodInfo, Snapshot};

use super::claims::{Claims, Reach, check_observed};
use super::matching::Candidate;
use super::{CLAIMS, VolumeBinding};

impl PreFilter for VolumeBinding {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        match check_observed(cx.listers, &pod.pod) {
            Err(reason) => return Status::unresolvable(reason).into(),
            Ok(false) => return Status::skip().into(),
            Ok(true) => {}
        }
        match Claims::of(cx.listers, &cx.memory.volumes, &pod.pod) {
            Err(status) => status.into(),
            Ok(claims) if claims.has_unbound_immediate() => {
                Status::unresolvable(Reason::UnboundImmediateClaims).into()
            }
            Ok(claims) => {
                state.write(CLAIMS, Arc::new(claims));
                Status::success().into()
            }
        }
    }
}

impl Filter for VolumeBinding {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let Some(claims) = read(state) else {
            return Status::success();
        };
        let Some(node) = &cx.snapshot.node(node).node else {
            return Status::error("node not found");
        };
        let csi_node = cx.listers.csi_nodes.get("", &node.metadata.name);
        match claims.decide(node, csi_node.map(AsRef::as_ref)) {
            Ok(_) => Status::success(),
            Err(status) => status,
        }
    }

    /// Cost: nothing where no volume cares about nodes; otherwise a match for each node and for each volume that could be
    /// reached from it.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let Some(claims) = read(state) else { return };
        if claims.are_all_at_hand() {
            return;
        }
        let wants_csi_nodes = claims.look_at_csi_nodes();
        let within_reach: Vec<Option<WithinReach<'_>>> = claims
            .delayed
            .iter()
            .map(|delayed| WithinReach::of(cx.snapshot, delayed.candidates.free()))
            .collect();
        nodes.retain(|row| {
            let Some(node) = &cx.snapshot.node(row).node else {
                return false;
            };
            let csi_node: Option<&CSINode> = wants_csi_nodes
                .then(|| cx.listers.csi_nodes.get("", &node.metadata.name))
                .flatten()
                .map(AsRef::as_ref);
            let labels = &node.metadata.labels;
            let decided = claims.decide_with(node, csi_node, &mut |place, chosen| {
                let candidates = &claims.delayed.get(place)?.candidates;
                match within_reach.get(place) {
                    Some(Some(near)) if !candidates.has_promised() => {
                        near.first(row, chosen, labels)
                    }
                    _ => candidates.on(labels, chosen),
                }
            });
            match decided {
                Ok(_) => true,
                Err(status) => {
                    verdicts.reject(row, status);
                    false
                }
            }
        });
    }
}

impl Claims {
    /// Whether every claim has its volume within every node's reach.
    fn are_all_at_hand(&self) -> bool {
        let mut bound = self.bound.iter();
        self.are_all_bound() && bound.all(|reach| reach.as_ref().is_some_and(Reach::is_everywhere))
    }

    /// Whether a CSINode could make a difference.
    fn look_at_csi_nodes(&self) -> bool {
        let mut bound = self.bound.iter().flatten();
        bound.any(Reach::depends_on_csi_node)
    }
}

/// Candidates by the rows from which they may be reached, where there are too many to try them all on every node.
///
/// Local volumes are the reason: each names one node, and there is one or more for each node.
struct WithinReach<'a> {
    candidates: &'a [Candidate],
    /// Places of candidates that name the row's labels, ascending.
    near: BTreeMap<NodeIndex, Vec<usize>>,
    /// Places of candidates that could be anywhere, ascending.
    anywhere: Vec<usize>,
}

impl<'a> WithinReach<'a> {
    /// `None` for a list that is short enough to be tried.
    fn of(snapshot: &Snapshot, candidates: &'a [Candidate]) -> Option<Self> {
        (candidates.len() > SHORT).then(|| Self::of_many(snapshot, candidates))
    }

    #[inline(never)]
    fn of_many(snapshot: &Snapshot, candidates: &'a [Candidate]) -> Self {
        let mut rows = RowsByLabel::default();
        let mut near: BTreeMap<NodeIndex, Vec<usize>> = BTreeMap::new();
        let mut anywhere = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            let affinity = candidate.volume.spec.node_affinity.as_ref();
            let required = affinity.and_then(|affinity| affinity.required.as_ref());
            match required.and_then(|required| rows.of(snapshot, required)) {
                None => anywhere.push(place),
                Some(rows) => {
                    for row in rows {
                        near.entry(row).or_default().push(place);
                    }
                }
            }
        }
        Self {
            candidates,
            near,
            anywhere,
        }
    }

    /// The first candidate in order that the node reaches and that is not chosen.
    #[inline(never)]
    fn first(
        &self,
        row: NodeIndex,
        chosen: &[&Arc<PersistentVolume>],
        labels: &StringMap,
    ) -> Option<&'a Arc<PersistentVolume>> {
        let near = self.near.get(&row).map_or(&[][..], Vec::as_slice);
        let find = |places: &[usize]| {
            let mut places = places.iter();
            places
                .find(|place| {
                    let candidate = self.candidates.get(**place);
                    candidate.is_some_and(|candidate| candidate.is_open(labels, chosen))
                })
                .copied()
        };
        let first = [find(near), find(&self.anywhere)]
            .into_iter()
            .flatten()
            .min()?;
        self.candidates
            .get(first)
            .map(|candidate| &candidate.volume)
    }
}

/// Rows by the value of a label, for the labels that were asked for.
#[derive(Default)]
struct RowsByLabel<'s> {
    by_key: BTreeMap<&'s str, BTreeMap<&'s str, Vec<NodeIndex>>>,
}

impl<'s> RowsByLabel<'s> {
    /// The rows that a selector could mean, each once, ascending; `None` when a term says nothing that narrows them.
    fn of(&mut self, snapshot: &'s Snapshot, selector: &'s NodeSelector) -> Option<Vec<NodeIndex>> {
        let mut found = Vec::new();
        for term in &selector.node_selector_terms {
            let mut requirements = term.match_expressions.iter();
            let narrowing = requirements.find(|requirement| requirement.operator == "In")?;
            let by_value = self
                .by_key
                .entry(&narrowing.key)
                .or_insert_with(|| rows_by_value(snapshot, &narrowing.key));
            for value in &narrowing.values {
                found.extend(by_value.get(value.as_str()).into_iter().flatten().copied());
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

fn rows_by_value<'s>(snapshot: &'s Snapshot, key: &str) -> BTreeMap<&'s str, Vec<NodeIndex>> {
    let mut by_value: BTreeMap<&str, Vec<NodeIndex>> = BTreeMap::new();
    for (row, info) in snapshot.iter() {
        if let Some(value) = info.label(key) {
            by_value.entry(value).or_default().push(row);
        }
    }
    by_value
}

/// The pod's claims; `None` when it has none.
pub(super) fn read(state: &CycleState) -> Option<&Claims> {
    state.read::<Arc<Claims>>(CLAIMS).map(AsRef::as_ref)
}

/// As many candidates are tried one by one.
const SHORT: usize = 16;
