//! Which nodes are tried for preemption, and where the trying ends.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::config::DefaultPreemptionArgs;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::Candidate;
use crate::framework::handle::Handle;
use crate::framework::status::{Code, NodeStatuses, Status};
use crate::framework::trace::DryRun;
use crate::snapshot::PodInfo;

use super::disruption::Budgets;
use super::victims::{Trial, TrialOutcome};

/// What dry runs over some nodes came to.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// Nodes that could be made to fit: those without violations first, each part in the order tried.
    pub(super) candidates: Vec<Candidate>,
    /// Why the others cannot.
    pub(super) statuses: NodeStatuses,
    /// Where in the list of potential nodes the dry runs began.
    pub(super) offset: usize,
    /// How many candidates were looked for.
    pub(super) wanted: usize,
    /// Every dry run in order, when somebody listens.
    pub(super) dry_runs: Vec<DryRun>,
}

impl Search {
    /// Tries the nodes that were rejected in a way that a departure could mend, from a random one on, until enough
    /// candidates are found of which one at least violates no budget.
    ///
    /// Source: spec, scheduling cycle 12.3.
    pub(super) fn run(
        args: &DefaultPreemptionArgs,
        handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        statuses: &NodeStatuses,
    ) -> Self {
        let potential = statuses.with_code(Code::Unschedulable, handle.snapshot.len());
        let mut search = Self::default();
        if potential.is_empty() {
            return search;
        }
        search.wanted = wanted(args, potential.len());
        let drawn = handle.draw("preemption offset", potential.len() as u64);
        search.offset = usize::try_from(drawn).unwrap_or(0);
        let budgets = Budgets::of(handle.listers);
        let (mut good, mut violating) = (Vec::new(), Vec::new());
        let (first, last) = potential.split_at(search.offset.min(potential.len()));
        for row in last.iter().chain(first) {
            let outcome = Trial::run(handle, state, pod, *row, &budgets);
            if handle.records.is_some() {
                search.dry_runs.push(outcome.dry_run());
            }
            match outcome {
                TrialOutcome {
                    node,
                    result: Ok(victims),
                    ..
                } => {
                    let list = match victims.pdb_violations {
                        0 => &mut good,
                        _ => &mut violating,
                    };
                    if list.len() < search.wanted {
                        list.push(Candidate { node, victims });
                    }
                }
                TrialOutcome {
                    result: Err(status),
                    ..
                } => {
                    search.statuses.set(*row, status);
                    continue;
                }
            }
            if !good.is_empty() && good.len() + violating.len() >= search.wanted {
                break;
            }
        }
        good.append(&mut violating);
        search.candidates = good;
        search
    }

    /// The errors of all dry runs together, if there were any.
    ///
    /// They count only where there is no candidate.
    pub(super) fn error(&self) -> Option<Status> {
        let failed = self.statuses.iter();
        let failed = failed.filter(|(_, status)| status.code == Code::Error);
        let mut texts: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for (_, status) in failed {
            let text = status.message();
            if seen.insert(text.clone()) {
                texts.push(text);
            }
        }
        match texts.as_slice() {
            [] => None,
            [one] => Some(Status::error(one.as_str())),
            many => Some(Status::error(["[", &many.join(", "), "]"].concat())),
        }
    }
}

/// How many candidates are looked for among `nodes` potential ones.
fn wanted(args: &DefaultPreemptionArgs, nodes: usize) -> usize {
    let setting = |value: i32| usize::try_from(value).unwrap_or(0);
    let share = nodes.saturating_mul(setting(args.min_candidate_nodes_percentage)) / 100;
    share
        .max(setting(args.min_candidate_nodes_absolute))
        .min(nodes)
}

#[cfg(test)]
mod tests;
