//! What becomes of a pod whose attempt failed: its place in the queue, its condition, its event.
//!
//! Source: spec, scheduling cycle 10.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, PodCondition};
use crate::framework::extension::NominatingInfo;
use crate::framework::fit_error::FitError;
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{MetricValue, Observer, Record};
use crate::queue::QueuedPodInfo;
use crate::snapshot::PodInfo;
use crate::time::Timestamp;

use super::attempt::Attempt;
use super::cycle::ONE;
use super::effect::Effect;
use super::known::{Io, failed_scheduling};
use super::{Awaited, Scheduler};

/// A failed attempt, as its failure handler sees it.
pub(super) struct FailedAttempt {
    /// The pod, as it was popped.
    pub(super) queued: QueuedPodInfo,
    /// The profile's name.
    pub(super) profile: Arc<str>,
    /// When the attempt began.
    pub(super) started: Timestamp,
    /// How it ended.
    pub(super) code: Code,
    /// The whole text; `None` for a Skip of all Bind plugins, which has none.
    pub(super) message: Option<String>,
    /// What becomes of the nomination.
    pub(super) nominating: NominatingInfo,
}

impl FailedAttempt {
    fn of(
        attempt: Attempt,
        code: Code,
        message: Option<String>,
        nominating: NominatingInfo,
    ) -> Self {
        Self {
            queued: attempt.queued,
            profile: attempt.profile,
            started: attempt.started,
            code,
            message,
            nominating,
        }
    }
}

impl Scheduler {
    /// An attempt ended with something else than a search without result: the error backoff, nomination cleared.
    pub(super) fn fail<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        attempt.queued.unschedulable_plugins.clear();
        attempt.queued.pending_plugins.clear();
        let message = (status.code != Code::Skip).then(|| status.message());
        let nominating = NominatingInfo::Override(Arc::from(""));
        self.handle_failure(
            FailedAttempt::of(*attempt, status.code, message, nominating),
            io,
        );
    }

    /// No node could take the pod, or the chosen one refused it.
    pub(super) fn pod_unschedulable<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        code: Code,
        fit: FitError,
        nominating: NominatingInfo,
        io: &mut Io<'_, O>,
    ) {
        let message = Some(fit.to_string());
        attempt.queued.unschedulable_plugins = fit.diagnosis.unschedulable_plugins;
        attempt.queued.pending_plugins = fit.diagnosis.pending_plugins;
        self.handle_failure(FailedAttempt::of(*attempt, code, message, nominating), io);
    }

    /// Source: spec, scheduling cycle 10.3.
    fn handle_failure<O: Observer>(&mut self, failed: FailedAttempt, io: &mut Io<'_, O>) {
        let result = if failed.code.is_rejection() {
            "unschedulable"
        } else {
            "error"
        };
        let labels = [("result", result), ("profile", &*failed.profile)];
        io.metric("schedule_attempts_total", &labels, ONE);
        let time = MetricValue::Time(io.now.since(failed.started));
        io.metric("scheduling_attempt_duration_seconds", &labels, time);
        note_failed(&failed, io);
        let uid = failed.queued.pod.reference.uid.clone();
        let observed = {
            let reference = &failed.queued.pod.reference;
            self.known
                .listers
                .pods
                .get(&reference.namespace, &reference.name)
                .cloned()
        };
        let pod = match observed {
            Some(pod) if *pod.metadata.uid != *uid => {
                return self.queue.done(&mut self.known.queue_call(io), &uid);
            }
            // QUIRK, not kept: kube-scheduler writes a FailedScheduling event and a condition on a pod that somebody else
            // has bound meanwhile. What this attempt came to is no longer true of it, so nothing is said here.
            Some(pod) if pod.is_assigned() => {
                return self.queue.done(&mut self.known.queue_call(io), &uid);
            }
            Some(pod) => self.requeue(&failed, &pod, io),
            None => {
                self.queue.done(&mut self.known.queue_call(io), &uid);
                failed.queued.pod.clone()
            }
        };
        self.queue
            .add_nominated_pod(&mut self.known.queue_call(io), &pod, &failed.nominating);
        let Some(message) = failed.message else {
            return;
        };
        io.event(failed_scheduling(
            pod.reference.clone(),
            message.clone(),
            failed.profile,
        ));
        let reason = if failed.code.is_rejection() {
            "Unschedulable"
        } else {
            "SchedulerError"
        };
        self.patch_failure(&pod, reason, message, &failed.nominating, io);
    }

    fn requeue<O: Observer>(
        &mut self,
        failed: &FailedAttempt,
        pod: &Arc<Pod>,
        io: &mut Io<'_, O>,
    ) -> Arc<PodInfo> {
        let info = Arc::new(PodInfo::new(pod.clone()));
        let mut queued = failed.queued.clone();
        queued.pod = info.clone();
        let cycle = self.queue.scheduling_cycle();
        let returned = self.queue.add_unschedulable_if_not_present(
            &mut self.known.queue_call(io),
            queued,
            cycle,
        );
        if let Err(error) = returned {
            io.trouble(|| error.to_string());
        }
        info
    }

    /// Writes condition and nomination, as far as they differ from what was observed.
    ///
    /// Source: spec, scheduling cycle 10.4.
    fn patch_failure<O: Observer>(
        &mut self,
        pod: &PodInfo,
        reason: &str,
        message: String,
        nominating: &NominatingInfo,
        io: &mut Io<'_, O>,
    ) {
        let before = pod.pod.condition("PodScheduled");
        let is_same = before.is_some_and(|condition| {
            condition.status == "False"
                && condition.reason == reason
                && condition.message == message
        });
        let condition = (!is_same).then(|| PodCondition {
            type_: "PodScheduled".to_string(),
            status: "False".to_string(),
            reason: reason.to_string(),
            message,
            observed_generation: pod.pod.metadata.generation,
            ..PodCondition::default()
        });
        let nominated_node_name = match nominating {
            NominatingInfo::Override(node) if **node != *pod.pod.status.nominated_node_name => {
                Some(node.clone())
            }
            _ => None,
        };
        if condition.is_none() && nominated_node_name.is_none() {
            return;
        }
        if let Some(node) = &nominated_node_name {
            io.note(|| Record::Nominated {
                pod: pod.reference.clone(),
                node: (!node.is_empty()).then(|| node.clone()),
            });
        }
        let ticket = self.ticket(Awaited::StatusPatch);
        io.effects.push(Effect::PatchPodStatus {
            ticket,
            pod: pod.reference.clone(),
            condition,
            nominated_node_name,
        });
    }
}

fn note_failed<O: Observer>(failed: &FailedAttempt, io: &mut Io<'_, O>) {
    io.note(|| Record::Failed {
        pod: failed.queued.pod.reference.clone(),
        attempt: failed.queued.attempts,
        code: failed.code,
        message: Arc::from(failed.message.as_deref().unwrap_or_default()),
        rejectors: failed
            .queued
            .rejector_plugins()
            .into_iter()
            .filter(|plugin| !plugin.0.is_empty())
            .collect::<Vec<PluginName>>(),
    });
}
