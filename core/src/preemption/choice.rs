//! On which node preemption costs least.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::extension::{Candidate, Victims};
use crate::framework::trace::{Criterion, CriterionKind};

/// Chooses among candidates by one criterion after another, each among those that were best by the ones before, until
/// one is left. Says which criteria were needed.
///
/// The last criterion is the order of the candidates: the first one is taken.
/// Source: spec, scheduling cycle 12.6.
pub(super) fn choose(candidates: Vec<Candidate>) -> (Vec<Criterion>, Option<Candidate>) {
    let mut left = candidates;
    let mut criteria = Vec::new();
    for kind in KINDS {
        if left.len() < 2 {
            break;
        }
        let values: Vec<i64> = left
            .iter()
            .map(|candidate| value(kind, &candidate.victims))
            .collect();
        let best = match kind {
            CriterionKind::StartTime => values.iter().max(),
            _ => values.iter().min(),
        };
        let best = best.copied();
        let told = names(&left).into_iter().zip(values.iter().copied());
        let told = told.collect();
        let mut by_place = values.iter();
        left.retain(|_| by_place.next().copied() == best);
        criteria.push(Criterion {
            kind,
            values: told,
            kept: names(&left),
        });
    }
    if left.len() > 1 {
        left.truncate(1);
        criteria.push(Criterion {
            kind: CriterionKind::First,
            values: Vec::new(),
            kept: names(&left),
        });
    }
    (criteria, left.pop())
}

fn value(kind: CriterionKind, victims: &Victims) -> i64 {
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    match kind {
        CriterionKind::PdbViolations => count(victims.pdb_violations),
        CriterionKind::HighestPriority => victims
            .pods
            .first()
            .map_or(i64::MIN, |pod| i64::from(pod.priority())),
        // Shifted so that every victim costs something, those of negative priority too.
        CriterionKind::PrioritySum => {
            let shifted = victims
                .pods
                .iter()
                .map(|pod| i64::from(pod.priority()) + PRIORITY_SHIFT);
            shifted.fold(0, i64::saturating_add)
        }
        CriterionKind::VictimCount => count(victims.pods.len()),
        CriterionKind::StartTime => earliest_start(victims),
        CriterionKind::First => 0,
    }
}

/// When the first of the most important victims started, in microseconds; one that has not started counts as later than
/// every other.
fn earliest_start(victims: &Victims) -> i64 {
    let highest = victims.pods.iter().map(|pod| pod.priority()).max();
    let most_important = victims
        .pods
        .iter()
        .filter(|pod| Some(pod.priority()) == highest);
    let starts = most_important.map(|pod| {
        let start = pod.pod.status.start_time;
        start.map_or(i64::MAX, |start| start.as_micros())
    });
    starts.min().unwrap_or(i64::MAX)
}

fn names(candidates: &[Candidate]) -> Vec<Arc<str>> {
    candidates
        .iter()
        .map(|candidate| candidate.node.clone())
        .collect()
}

const KINDS: [CriterionKind; 5] = [
    CriterionKind::PdbViolations,
    CriterionKind::HighestPriority,
    CriterionKind::PrioritySum,
    CriterionKind::VictimCount,
    CriterionKind::StartTime,
];

/// 2³¹.
const PRIORITY_SHIFT: i64 = 1 << 31;

#[cfg(test)]
mod tests;
