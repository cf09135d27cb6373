//! Which pods would have to leave for this one.
//!
//! The [`Evaluator`] looks for a node that pods of lower priority could be taken off so that a pod fits there, and among
//! such nodes for the one where that costs least. It only says which pods; removing them is the scheduler's.
//!
//! | File | Answers |
//! |---|---|
//! | this one | whether a pod may preempt at all, and what comes of it |
//! | `candidates` | which nodes are tried, and where it ends |
//! | `victims` | which pods would have to leave one node |
//! | `disruption` | which of them a PodDisruptionBudget would not let go |
//! | `choice` | which node it is |
//!
//! Invariant: asking leaves the snapshot, its pods and the attempt's state as they were.
//!
//! Source: spec, scheduling cycle 12.2 to 12.6; Kubernetes v1.36 `framework/preemption/preemption.go` and
//! `plugins/defaultpreemption/default_preemption.go`.

mod candidates;
mod choice;
mod disruption;
mod victims;

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Pod;
use crate::config::DefaultPreemptionArgs;
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{Candidate, NominatingInfo, PostFilterStep, PostFiltered};
use crate::framework::fit_error::{Diagnosis, FitError};
use crate::framework::handle::Handle;
use crate::framework::reason::Reason;
use crate::framework::status::{Code, NodeStatuses, Status};
use crate::framework::trace::{Criterion, Record};
use crate::snapshot::PodInfo;

use candidates::Search;

/// Looks for victims on behalf of a PostFilter plugin: kube-scheduler's `Evaluator`.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    args: DefaultPreemptionArgs,
}

impl Evaluator {
    /// An evaluator that tries as many nodes as `args` say.
    #[must_use]
    pub const fn new(args: DefaultPreemptionArgs) -> Self {
        Self { args }
    }

    /// Looks for a node on which `pod` would fit if pods of lower priority left.
    ///
    /// Success comes with a nomination and victims. Unschedulable without a nomination leaves the pod's nomination as it
    /// is; with one, it clears it.
    pub fn preempt(
        &self,
        handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        statuses: &NodeStatuses,
    ) -> PostFilterStep {
        let pod = match observed(handle, pod) {
            Ok(pod) => pod,
            Err(status) => return done(status),
        };
        if let Err(reason) = check_eligible(handle, &pod.pod, statuses) {
            return done(Status::unschedulable(Reason::from(reason)));
        }
        if handle.snapshot.is_empty() {
            return done(Status::error("no nodes available"));
        }
        let search = Search::run(&self.args, handle, state, &pod, statuses);
        if search.candidates.is_empty() {
            let status = search.error().unwrap_or_else(|| no_help(handle, &search));
            note(handle, &pod, &search, Vec::new(), None);
            let nominating =
                (status.code != Code::Error).then(|| NominatingInfo::Override(Arc::from("")));
            return PostFilterStep::Done(PostFiltered {
                status,
                nominating,
                evict: None,
            });
        }
        if handle.consults_extenders {
            note(handle, &pod, &search, Vec::new(), None);
            return PostFilterStep::Consult(search.candidates);
        }
        let (criteria, chosen) = choice::choose(search.candidates.clone());
        note(handle, &pod, &search, criteria, chosen.as_ref());
        PostFilterStep::Done(nominate(chosen))
    }

    /// Goes on with the candidates that extenders left.
    pub fn choose(
        &self,
        handle: &mut Handle<'_>,
        pod: &PodInfo,
        candidates: Vec<Candidate>,
    ) -> PostFilterStep {
        let (criteria, chosen) = choice::choose(candidates);
        note(handle, pod, &Search::default(), criteria, chosen.as_ref());
        PostFilterStep::Done(nominate(chosen))
    }
}

/// The newest observed version of the pod.
fn observed(handle: &Handle<'_>, pod: &PodInfo) -> Result<PodInfo, Status> {
    let reference = &pod.reference;
    let pods = &handle.listers.pods;
    let Some(newest) = pods.get(&reference.namespace, &reference.name) else {
        let text = ["pod \"", &*reference.name, "\" not found"].concat();
        return Err(Status::error(text));
    };
    Ok(pod.with_pod(newest.clone()))
}

/// Whether the pod may preempt now; otherwise why not.
fn check_eligible(
    handle: &Handle<'_>,
    pod: &Pod,
    statuses: &NodeStatuses,
) -> Result<(), &'static str> {
    if pod.spec.preemption_policy.as_deref() == Some("Never") {
        return Err("not eligible due to preemptionPolicy=Never.");
    }
    let nominated = pod.status.nominated_node_name.as_str();
    if nominated.is_empty() {
        return Ok(());
    }
    let row = handle.snapshot.row(nominated);
    let code = row.map_or_else(|| statuses.absent_code(), |row| statuses.code(row));
    if code == Code::UnschedulableAndUnresolvable {
        return Ok(());
    }
    let Some(row) = row else { return Ok(()) };
    let mut there = handle.snapshot.node(row).pods.iter();
    if there.any(|other| other.priority() < pod.priority() && is_leaving(&other.pod)) {
        return Err("not eligible due to a terminating pod on the nominated node.");
    }
    Ok(())
}

/// Whether the pod is being deleted because it was preempted.
fn is_leaving(pod: &Pod) -> bool {
    let condition = pod.condition("DisruptionTarget");
    pod.is_terminating()
        && condition.is_some_and(|condition| {
            condition.status == "True" && condition.reason == "PreemptionByScheduler"
        })
}

/// What is said when no node can be made to fit: the text of a failed search over the dry runs.
fn no_help(handle: &Handle<'_>, search: &Search) -> Status {
    let mut statuses = search.statuses.clone();
    statuses.absent = Some(Status::unresolvable(Reason::PreemptionNotHelpful));
    let error = FitError {
        nodes: handle.snapshot.len(),
        diagnosis: Diagnosis {
            statuses,
            ..Diagnosis::default()
        },
    };
    Status::unschedulable(Reason::from(error.to_string()))
}

fn nominate(chosen: Option<Candidate>) -> PostFiltered {
    let Some(chosen) = chosen else {
        return PostFiltered {
            status: Status::unschedulable(Reason::from("no candidate node for preemption")),
            ..PostFiltered::default()
        };
    };
    PostFiltered {
        status: Status::success(),
        nominating: Some(NominatingInfo::Override(chosen.node.clone())),
        evict: Some(chosen),
    }
}

fn done(status: Status) -> PostFilterStep {
    PostFilterStep::Done(PostFiltered {
        status,
        ..PostFiltered::default()
    })
}

/// Tells what was looked at and what came of it.
fn note(
    handle: &mut Handle<'_>,
    pod: &PodInfo,
    search: &Search,
    criteria: Vec<Criterion>,
    chosen: Option<&Candidate>,
) {
    handle.note(|| {
        let victims = chosen.iter().flat_map(|chosen| &chosen.victims.pods);
        Record::Preempted {
            pod: pod.reference.clone(),
            offset: search.offset,
            wanted: search.wanted,
            dry_runs: search.dry_runs.clone(),
            criteria,
            chosen: chosen.map(|chosen| chosen.node.clone()),
            victims: victims.map(|victim| victim.reference.clone()).collect(),
        }
    });
}

#[cfg(test)]
mod tests;
