//! What would have to change in a pod for a node to take it: the fewest fields, each changed only as far as the nearest
//! node asks.
//!
//! A change is what a plugin's own reason asks for; every Filter plugin is then asked about the changed pod, on the nodes
//! of the attempt. What a change means for other pods is not looked at, and neither are changes of nodes or other pods.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Pod;
use crate::framework::extension::CycleContext;
use crate::framework::reason::Reason;
use crate::framework::runtime::Framework;
use crate::node_set::NodeIndex;
use crate::order;
use crate::snapshot::PodInfo;

use super::change::Change;
use super::truth::Asked;

/// Changes of which none can be left out, and where the pod then fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The changes.
    pub changes: Vec<Change>,
    /// The nodes that every Filter plugin then lets pass, in the order of the list.
    pub nodes: Vec<Arc<str>>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// The smallest changes, those with the most nodes first; a few at most.
    pub suggestions: Vec<Suggestion>,
    /// Changes that were tried and do not do, with a reason that then stands and that no field of the pod can lift.
    pub dropped: Vec<(Change, Reason)>,
}

/// Looks for the smallest changes with which a pod fits; finds none if it fits as it is.
///
/// Cost: for each node a few times what it costs to prepare all plugins for a pod and to ask them about a node.
#[must_use]
pub fn suggest(framework: &Framework, cx: &CycleContext<'_>, pod: &Pod) -> Advice {
    let mut advice = Advice::default();
    let mut found: Vec<Vec<Change>> = Vec::new();
    for (row, _) in cx.snapshot.iter() {
        match changes_for(framework, cx, pod, row) {
            Ok(changes) if changes.is_empty() => return Advice::default(),
            Ok(changes) => merge(&mut found, changes),
            Err((Some(tried), reason)) => {
                if !advice.dropped.iter().any(|(known, _)| *known == tried) {
                    advice.dropped.push((tried, reason));
                }
            }
            Err(_) => {}
        }
    }
    let fewest = found.iter().map(Vec::len).min().unwrap_or(0);
    found.retain(|changes| changes.len() == fewest);
    for changes in found {
        let pod = changed(pod, &changes);
        let asked = Asked::new(framework, cx, &pod);
        let nodes = cx.snapshot.iter().map(|(row, _)| row);
        let nodes = nodes.filter(|row| asked.reasons(*row).is_empty());
        let nodes: Vec<_> = nodes.map(|row| cx.snapshot.name(row).clone()).collect();
        if !nodes.is_empty() {
            advice.suggestions.push(Suggestion { changes, nodes });
        }
    }
    order::sort_by_key(&mut advice.suggestions, |suggestion| {
        core::cmp::Reverse(suggestion.nodes.len())
    });
    advice.dropped.retain(|(tried, _)| {
        let suggested = &advice.suggestions;
        !suggested.iter().any(|one| one.changes.contains(tried))
    });
    advice.suggestions.truncate(SHOWN);
    advice.dropped.truncate(SHOWN);
    advice
}

/// What the plugins ask of the pod, one after another, until the node takes it; or a reason that no change lifts, with the
/// one change that led to it, if it was one.
fn changes_for(
    framework: &Framework,
    cx: &CycleContext<'_>,
    pod: &Pod,
    row: NodeIndex,
) -> Result<Vec<Change>, (Option<Change>, Reason)> {
    let mut changes: Vec<Change> = Vec::new();
    loop {
        let pod = changed(pod, &changes);
        let mut reasons = Asked::new(framework, cx, &pod).reasons(row).into_iter();
        let Some(reason) = reasons.next() else {
            return Ok(changes);
        };
        let own = changes.len();
        for reason in core::iter::once(reason).chain(reasons) {
            match Change::after(&reason, &pod.pod) {
                Some(change)
                    if changes.len() < MOST
                        && !changes.iter().any(|known| known.is_alike(&change)) =>
                {
                    changes.push(change);
                }
                None if own == 1 => return Err((changes.into_iter().next(), reason)),
                _ => return Err((None, reason)),
            }
        }
    }
}

/// Adds changes to those found; of changes that differ only in amounts, those that take the least stay.
fn merge(found: &mut Vec<Vec<Change>>, changes: Vec<Change>) {
    let is_alike = |known: &&mut Vec<Change>| {
        let mut known = known.iter();
        known.len() == changes.len() && known.all(|a| changes.iter().any(|b| a.is_alike(b)))
    };
    match found.iter_mut().find(is_alike) {
        Some(known) => {
            let left = |changes: &[Change]| -> i64 { changes.iter().map(Change::taken).sum() };
            if left(&changes) < left(known) {
                *known = changes;
            }
        }
        None => found.push(changes),
    }
}

fn changed(pod: &Pod, changes: &[Change]) -> PodInfo {
    let mut pod = pod.clone();
    for change in changes {
        change.apply(&mut pod);
    }
    PodInfo::new(pod.into())
}

/// More changes than this are not worth proposing.
const MOST: usize = 3;
/// So many suggestions at most.
const SHOWN: usize = 2;
