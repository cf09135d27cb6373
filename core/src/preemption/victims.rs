//! Which pods would have to leave one node.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::Victims;
use crate::framework::handle::Handle;
use crate::framework::reason::Reason;
use crate::framework::status::Status;
use crate::framework::trace::DryRun;
use crate::node_set::NodeIndex;
use crate::snapshot::{NodeInfo, PodInfo, PodRef};

use super::disruption::Budgets;

/// What a dry run on one node found.
#[derive(Clone, Debug)]
pub(super) struct TrialOutcome {
    /// The node.
    pub(super) node: Arc<str>,
    /// Who would have to go, or why that would not help.
    pub(super) result: Result<Victims, Status>,
    lower: Vec<Arc<PodInfo>>,
    reprieved: Vec<Arc<PodInfo>>,
}

impl TrialOutcome {
    /// The record of it.
    pub(super) fn dry_run(&self) -> DryRun {
        let (victims, pdb_violations, rejected) = match &self.result {
            Ok(victims) => (references(&victims.pods), victims.pdb_violations, None),
            Err(status) => (Vec::new(), 0, Some(status.clone())),
        };
        DryRun {
            node: self.node.clone(),
            lower: references(&self.lower),
            reprieved: references(&self.reprieved),
            victims,
            pdb_violations,
            rejected,
        }
    }
}

/// One node on trial: a copy of it, and of the attempt's state, on which pods are taken off and put back.
pub(super) struct Trial<'t, 'h> {
    handle: &'t mut Handle<'h>,
    pod: &'t PodInfo,
    row: NodeIndex,
    info: Arc<NodeInfo>,
    state: CycleState,
}

impl<'t, 'h> Trial<'t, 'h> {
    /// Finds the pods that would have to leave the node in a row so that `pod` fits there.
    ///
    /// All pods of lower priority are taken off. If `pod` fits then, they are put back one by one, those whose departure
    /// would violate a budget first, the more important ones earlier, as long as `pod` still fits beside them.
    ///
    /// Source: spec, scheduling cycle 12.4. Affinity of `pod` to those who would go is not considered: such a pod does
    /// not fit without them, so the node is no candidate.
    pub(super) fn run(
        handle: &'t mut Handle<'h>,
        state: &CycleState,
        pod: &'t PodInfo,
        row: NodeIndex,
        budgets: &Budgets,
    ) -> TrialOutcome {
        let node = handle.snapshot.name(row).clone();
        let info = handle.snapshot.node(row).clone();
        let there = info.pods.iter();
        let lower: Vec<Arc<PodInfo>> = there
            .filter(|other| other.priority() < pod.priority())
            .cloned()
            .collect();
        let mut reprieved = Vec::new();
        let result = if lower.is_empty() {
            Err(Status::unresolvable(Reason::NoVictims))
        } else {
            let state = state.clone();
            let mut trial = Self {
                handle,
                pod,
                row,
                info,
                state,
            };
            let found = trial.select(lower.clone(), budgets, &mut reprieved);
            found.and_then(|victims| check_not_empty(victims, &node))
        };
        TrialOutcome {
            node,
            result,
            lower,
            reprieved,
        }
    }

    fn select(
        &mut self,
        mut lower: Vec<Arc<PodInfo>>,
        budgets: &Budgets,
        reprieved: &mut Vec<Arc<PodInfo>>,
    ) -> Result<Victims, Status> {
        for victim in &lower {
            self.remove(victim)?;
        }
        let without = self.filter();
        if !without.is_success() {
            return Err(without);
        }
        sort_by_importance(&mut lower);
        let (violating, others) = budgets.split(lower);
        let is_mixed = !violating.is_empty() && !others.is_empty();
        let mut pods = Vec::new();
        self.reprieve(violating, &mut pods, reprieved)?;
        let pdb_violations = pods.len();
        self.reprieve(others, &mut pods, reprieved)?;
        if is_mixed {
            sort_by_importance(&mut pods);
        }
        Ok(Victims {
            pods,
            pdb_violations,
        })
    }

    /// Puts pods back in order; those beside which the pod does not fit become victims.
    fn reprieve(
        &mut self,
        pods: Vec<Arc<PodInfo>>,
        victims: &mut Vec<Arc<PodInfo>>,
        reprieved: &mut Vec<Arc<PodInfo>>,
    ) -> Result<(), Status> {
        for pod in pods {
            self.add(&pod)?;
            if self.filter().is_success() {
                reprieved.push(pod);
            } else {
                self.remove(&pod)?;
                victims.push(pod);
            }
        }
        Ok(())
    }

    fn remove(&mut self, victim: &PodInfo) -> Result<(), Status> {
        // The copy is shared only with the snapshot, and only until it is first changed.
        Arc::make_mut(&mut self.info).remove_pod(&victim.reference.uid);
        let cx = self.handle.context();
        let framework = self.handle.framework;
        let status = framework.run_remove_pod(&cx, &mut self.state, self.pod, victim, &self.info);
        success_or(status)
    }

    fn add(&mut self, pod: &Arc<PodInfo>) -> Result<(), Status> {
        Arc::make_mut(&mut self.info).add_pod(pod.clone());
        let cx = self.handle.context();
        let framework = self.handle.framework;
        let status = framework.run_add_pod(&cx, &mut self.state, self.pod, pod, &self.info);
        success_or(status)
    }

    fn filter(&mut self) -> Status {
        let (status, _) =
            self.handle
                .filter_info_with_nominated(&self.state, self.pod, self.row, &self.info);
        status
    }
}

fn success_or(status: Status) -> Result<(), Status> {
    if status.is_success() {
        Ok(())
    } else {
        Err(Status::error(status.message()))
    }
}

/// A node that fits the pod as it is should not have been rejected.
fn check_not_empty(victims: Victims, node: &str) -> Result<Victims, Status> {
    if victims.pods.is_empty() {
        let text = ["expected at least one victim pod on node \"", node, "\""];
        return Err(Status::error(text.concat()));
    }
    Ok(victims)
}

/// Sorts pods, the most important first: higher priority, then earlier start. Pods that have not started count as
/// started just now, after all others.
///
/// QUIRK: kube-scheduler reads the clock once for each pod of a comparison, so of two pods that have not started the one
/// that stands later in the list counts as the earlier one. It is the one that stays.
pub(super) fn sort_by_importance(pods: &mut Vec<Arc<PodInfo>>) {
    let mut keyed: Vec<_> = pods.drain(..).enumerate().collect();
    keyed.sort_by_cached_key(|(place, pod)| {
        let start = pod.pod.status.start_time;
        let unstarted = start.is_none().then_some(Reverse(*place));
        (Reverse(pod.priority()), unstarted, start, *place)
    });
    pods.extend(keyed.into_iter().map(|(_, pod)| pod));
}

fn references(pods: &[Arc<PodInfo>]) -> Vec<PodRef> {
    pods.iter().map(|pod| pod.reference.clone()).collect()
}

#[cfg(test)]
mod tests;
