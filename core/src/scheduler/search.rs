//! Which nodes are looked at, in which order, until enough are feasible.

use alloc::vec::Vec;

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
        let place = (start + place) % listed;
        narrowed.as_ref().map_or_else(
            || Some(NodeIndex::new(place)),
            |rows| rows.get(place).copied(),
        )
    };
    let mut place = 0;
    let mut outcome = Ok(());
    'search: while place < listed {
        let stretch = (wanted + 1 - attempt.feasible.len())
            .max(MIN_STRETCH)
            .min(listed - place);
        let nodes: Vec<NodeIndex> = (place..place + stretch).filter_map(row_at).collect();
        let mut answers = Answers::of(handle, attempt, &pod, &nodes);
        for row in nodes {
            let (status, with_nominated) = answers.take(row);
            if !with_nominated {
                handle.count_filters(&attempt.state, &status);
            }
            if status.code == Code::Error {
                outcome = Err(status);
                break 'search;
            }
            if status.is_success() && attempt.feasible.len() == wanted {
                break 'search;
            }
            if let Some(visits) = &mut visits {
                visits.push(visit(handle, row, &status, with_nominated));
            }
            if status.is_success() {
                attempt.feasible.push(row);
            } else {
                attempt.diagnosis.add_plugin(&status);
                attempt.diagnosis.statuses.set(row, status);
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

/// The least stretch of nodes that one pass of the plugins takes on: short passes cost more than nodes in vain.
const MIN_STRETCH: usize = 64;

fn visit(handle: &Handle<'_>, row: NodeIndex, status: &Status, with_nominated: bool) -> Visit {
    Visit {
        node: handle.snapshot.name(row).clone(),
        rejected: (!status.is_success()).then(|| status.clone()),
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
struct Answers {
    /// Rejections by row, ascending.
    rejected: Vec<(NodeIndex, Status)>,
    /// Nodes on which nominated pods were counted in first, ascending, with their answer.
    nominated: Vec<(NodeIndex, Status)>,
}

impl Answers {
    fn of(handle: &mut Handle<'_>, attempt: &Attempt, pod: &PodInfo, nodes: &[NodeIndex]) -> Self {
        let mut plain = NodeSet::empty(handle.snapshot.len());
        let mut nominated = Vec::new();
        for row in nodes {
            if handle.nominated_beside(pod, *row).is_empty() {
                plain.insert(*row);
            } else {
                let (status, _) = handle.filter_with_nominated(&attempt.state, pod, *row);
                nominated.push((*row, status));
            }
        }
        nominated.sort_unstable_by_key(|(row, _)| *row);
        let cx = handle.context();
        let rejected = handle
            .framework
            .run_filters_on_set(&cx, &attempt.state, pod, &mut plain);
        Self {
            rejected,
            nominated,
        }
    }

    /// The answer of one node, and whether nominated pods were counted in.
    fn take(&mut self, row: NodeIndex) -> (Status, bool) {
        if let Some(status) = take(&mut self.nominated, row) {
            return (status, true);
        }
        (take(&mut self.rejected, row).unwrap_or_default(), false)
    }
}

fn take(answers: &mut [(NodeIndex, Status)], row: NodeIndex) -> Option<Status> {
    let place = answers
        .binary_search_by_key(&row, |(known, _)| *known)
        .ok()?;
    answers
        .get_mut(place)
        .map(|(_, status)| core::mem::take(status))
}

#[cfg(test)]
mod tests;
