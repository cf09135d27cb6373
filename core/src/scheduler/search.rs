//! Which nodes are looked at, in which order, until enough are feasible.

use alloc::vec::Vec;

use crate::framework::answers::{Answers, Place};
use crate::framework::fit_error::Diagnosis;
use crate::framework::handle::Handle;
use crate::framework::status::{Code, Status};
use crate::framework::trace::{Record, Visit};
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::PodInfo;

use super::attempt::Attempt;

/// How many feasible nodes are looked for out of `listed`.
///
/// Below 100 nodes all; else the percentage, by default `50 − listed/125` and at least 5, and at least 100 nodes.
/// Without a Score plugin, a prioritizing extender or a filtering extender one is enough.
///
/// Source: spec, scheduling cycle 6.5.
pub(super) fn nodes_to_find(listed: usize, percentage: i32, nothing_scores: bool) -> usize {
    if nothing_scores {
        return 1;
    }
    if listed < MIN_NODES {
        return listed;
    }
    let percent = match usize::try_from(percentage) {
        Ok(0) | Err(_) => 50_usize.saturating_sub(listed / 125).max(5),
        Ok(percent) => percent,
    };
    (listed.saturating_mul(percent) / 100).max(MIN_NODES)
}

/// Below this many nodes all are searched, and at least this many feasible ones are looked for.
const MIN_NODES: usize = 100;

/// Runs the Filter plugins over the attempt's nodes from `start` on until `wanted` are feasible; what was found out
/// stands in the attempt afterwards.
///
/// Plugins narrow sets of nodes, a stretch of the search order at a time; the result is that of visiting one node after
/// another: the feasible nodes in search order, and the answer of every node visited before the one that would have
/// been one too many.
///
/// # Errors
///
/// The status of the first node in search order whose Filter plugin failed.
///
/// Source: spec, scheduling cycle 6.4 and 6.6.
pub(super) fn search(
    handle: &mut Handle<'_>,
    attempt: &mut Attempt,
    start: usize,
    wanted: usize,
) -> Result<(), Status> {
    let pod = attempt.queued.pod.clone();
    let rows = handle.snapshot.len();
    let narrowed = attempt.narrowed.take();
    let listed = narrowed.as_ref().map_or(rows, Vec::len);
    let mut visits = handle.records.as_ref().map(|_| Vec::new());
    let row_at = |place: usize| {
        let place = start + place;
        let place = if place < listed {
            place
        } else {
            place - listed
        };
        narrowed.as_ref().map_or_else(
            || Some(NodeIndex::new(place)),
            |rows| rows.get(place).copied(),
        )
    };
    attempt.feasible.reserve(wanted.min(listed));
    let mut place = 0;
    let mut outcome = Ok(());
    let feasible = Status::success();
    'search: while place < listed {
        let stretch = stretch(place, attempt.feasible.len(), wanted).min(listed - place);
        let nodes: Vec<NodeIndex> = (place..place + stretch).filter_map(row_at).collect();
        let mut answers = StretchAnswers::of(handle, attempt, &pod, &nodes);
        for row in nodes {
            let with_nominated = answers.with_nominated(row);
            // Only when it is their turn: what is never visited is not evaluated.
            let beside = with_nominated
                .then(|| handle.filter_with_nominated(&attempt.state, &pod, row).0)
                .filter(|status| !status.is_success());
            let status = beside.as_ref().or_else(|| answers.get(row));
            if !with_nominated {
                handle.count_filters(status.unwrap_or(&feasible));
            }
            if let Some(status) = status.filter(|status| status.code == Code::Error) {
                outcome = Err(status.clone());
                break 'search;
            }
            if status.is_none() && attempt.feasible.len() == wanted {
                break 'search;
            }
            if let Some(visits) = &mut visits {
                visits.push(visit(handle, row, status, with_nominated));
            }
            if status.is_none() {
                attempt.feasible.push(row);
            } else if let Some(status) = beside {
                attempt.diagnosis.add_plugin(&status);
                attempt.diagnosis.statuses.set(row, status);
            } else {
                answers.note(row, &mut attempt.diagnosis);
            }
        }
        place += stretch;
    }
    attempt.narrowed = narrowed;
    if let Some(visits) = visits {
        note_search(handle, attempt, start, listed, wanted, visits);
    }
    outcome
}

/// How many nodes the plugins look at next: as many as it should take to find what is still wanted, going by how many of
/// the `visited` ones were feasible.
fn stretch(visited: usize, feasible: usize, wanted: usize) -> usize {
    let missing = wanted + 1 - feasible;
    if visited == 0 {
        return missing.max(MIN_STRETCH);
    }
    let expected = missing.saturating_mul(visited) / feasible.max(1);
    expected.saturating_add(missing / 4).max(MIN_STRETCH)
}

/// The least stretch of nodes that one pass of the plugins takes on: short passes cost more than nodes in vain.
const MIN_STRETCH: usize = 64;

fn visit(
    handle: &Handle<'_>,
    row: NodeIndex,
    rejected: Option<&Status>,
    with_nominated: bool,
) -> Visit {
    Visit {
        node: handle.snapshot.name(row).clone(),
        rejected: rejected.cloned(),
        with_nominated,
    }
}

fn note_search(
    handle: &mut Handle<'_>,
    attempt: &Attempt,
    start: usize,
    listed: usize,
    wanted: usize,
    visits: Vec<Visit>,
) {
    let framework = handle.framework;
    handle.note(|| Record::Searched {
        start,
        listed,
        wanted,
        visits,
        skipped: attempt.state.skip_filter.to_vec(),
        plugins: framework.filter().map(|plugin| plugin.name()).collect(),
        nominated_only: false,
    });
}

/// The answers of one stretch of nodes.
struct StretchAnswers {
    /// Rejections by the plugins alone; a node without one, and without nominated pods, is feasible.
    rejected: Answers,
    /// Nodes on which nominated pods are to be counted in first, one by one.
    nominated: NodeSet,
    /// Where the diagnosis has the statuses that it knows already.
    noted: Vec<Option<Place>>,
}

impl StretchAnswers {
    fn of(handle: &mut Handle<'_>, attempt: &Attempt, pod: &PodInfo, nodes: &[NodeIndex]) -> Self {
        let rows = handle.snapshot.len();
        let mut plain = NodeSet::empty(rows);
        let mut nominated = NodeSet::default();
        let is_plain = handle.nominated.is_empty();
        for row in nodes {
            if is_plain || handle.nominated_beside(pod, *row).is_empty() {
                plain.insert(*row);
            } else {
                nominated.insert(*row);
            }
        }
        let cx = handle.context();
        let verdicts = handle
            .framework
            .run_filters_on_set(&cx, &attempt.state, pod, &mut plain);
        let rejected = verdicts.into_answers(rows);
        Self {
            noted: alloc::vec![None; rejected.places()],
            rejected,
            nominated,
        }
    }

    /// Why a node cannot take the pod.
    fn get(&self, row: NodeIndex) -> Option<&Status> {
        self.rejected.at(self.rejected.place(row)?)
    }

    /// Whether nominated pods are to be counted in on a node.
    fn with_nominated(&self, row: NodeIndex) -> bool {
        self.nominated.contains(row)
    }

    /// Enters the rejection of a node in the diagnosis.
    fn note(&mut self, row: NodeIndex, diagnosis: &mut Diagnosis) {
        let Some(place) = self.rejected.place(row) else {
            return;
        };
        let Some(noted) = self.noted.get_mut(place.as_usize()) else {
            return;
        };
        let kept = match (*noted, self.rejected.at(place)) {
            (Some(kept), _) => kept,
            (None, None) => return,
            (None, Some(status)) => {
                diagnosis.add_plugin(status);
                diagnosis.statuses.keep(status.clone())
            }
        };
        *noted = Some(kept);
        diagnosis.statuses.set_kept(row, kept);
    }
}

#[cfg(test)]
mod tests;
