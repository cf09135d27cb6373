//! From the chosen node to the end of the serial part: assume, Reserve, Permit.
//!
//! Source: spec, scheduling cycle 8.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::ExtensionPoint;
use crate::framework::extension::NominatingInfo;
use crate::framework::fit_error::{Diagnosis, FitError};
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{Observer, Record};
use crate::node_set::NodeIndex;
use crate::snapshot::PodInfo;
use crate::time::{Span, Timestamp};

use super::attempt::Attempt;
use super::binding::BindingTask;
use super::cycle::framework;
use super::effect::Effect;
use super::known::Io;
use super::{Awaited, Scheduler};

impl Scheduler {
    /// Counts the pod on its node and asks Reserve and Permit.
    pub(super) fn reserve<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        row: NodeIndex,
        node: Arc<str>,
        io: &mut Io<'_, O>,
    ) {
        let assumed = assumed_on(&attempt.queued.pod, &node);
        if let Err(error) = self.cache.assume_pod(assumed.clone()) {
            return self.fail(attempt, Status::error(error.to_string()), io);
        }
        self.queue
            .delete_nominated_pod_if_exists(&mut self.known.queue_call(io), &assumed.reference);
        io.note(|| Record::Assumed {
            pod: assumed.reference.clone(),
            node: node.clone(),
        });
        let mut task = BindingTask::new(*attempt, assumed, node);
        if let Err(status) = self.run_reserve(&mut task, io) {
            return self.refused(task, row, ExtensionPoint::Reserve, status, io);
        }
        match self.run_permit(&mut task, io) {
            Err(status) => self.refused(task, row, ExtensionPoint::Permit, status, io),
            Ok(()) => {
                self.activate_kept(&mut task.attempt, io);
                self.start_binding(task, io);
            }
        }
    }

    fn run_reserve<O: Observer>(
        &mut self,
        task: &mut BindingTask,
        io: &mut Io<'_, O>,
    ) -> Result<(), Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let pod = task.assumed.clone();
        let mut outcome = Ok(());
        for plugin in framework.reserve() {
            let cx = crate::framework::extension::BindContext {
                now: io.now,
                listers: &self.known.listers,
            };
            let status = plugin.reserve(
                &cx,
                &mut self.known.memory,
                &mut task.attempt.state,
                &pod,
                &task.node,
            );
            if !status.is_success() {
                outcome = Err(refusal("Reserve", plugin.name(), status));
                break;
            }
        }
        let code = outcome
            .as_ref()
            .map_or_else(|status| status.code, |()| Code::Success);
        io.point(ExtensionPoint::Reserve.name(), code, framework.name());
        outcome
    }

    fn run_permit<O: Observer>(
        &mut self,
        task: &mut BindingTask,
        io: &mut Io<'_, O>,
    ) -> Result<(), Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let pod = task.assumed.clone();
        let mut waits: Vec<(PluginName, Timestamp)> = Vec::new();
        for plugin in framework.permit() {
            let cx = self.known.bind_context(io.now);
            let answer = plugin.permit(&cx, &mut task.attempt.state, &pod, &task.node);
            task.attempt.state.pods_to_activate.extend(answer.activate);
            for uid in answer.allow {
                self.allow_waiting_pod(&uid, plugin.name(), io);
            }
            match answer.status.code {
                Code::Success => {}
                Code::Wait => {
                    waits.push((plugin.name(), io.now + answer.timeout.min(LONGEST_WAIT)))
                }
                _ => {
                    let status = refusal("Permit", plugin.name(), answer.status);
                    io.point(ExtensionPoint::Permit.name(), status.code, framework.name());
                    return Err(status);
                }
            }
        }
        let code = if waits.is_empty() {
            Code::Success
        } else {
            Code::Wait
        };
        io.point(ExtensionPoint::Permit.name(), code, framework.name());
        if !waits.is_empty() {
            io.note(|| Record::PermitWait {
                pod: pod.reference.clone(),
                node: task.node.clone(),
                plugins: waits.clone(),
            });
        }
        task.wait(waits, io.now);
        Ok(())
    }

    /// Reserve or Permit refused: everything is undone, and the pod is unschedulable on this one node.
    fn refused<O: Observer>(
        &mut self,
        mut task: BindingTask,
        row: NodeIndex,
        point: ExtensionPoint,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        io.note(|| Record::Refused {
            pod: task.assumed.reference.clone(),
            point: point.name(),
            status: status.clone(),
        });
        self.unreserve(&mut task, io);
        let attempt = Box::new(task.attempt);
        if status.is_rejected() {
            let code = status.code;
            let fit = one_node_fit_error(row, status);
            self.pod_unschedulable(
                attempt,
                code,
                fit,
                NominatingInfo::Override(Arc::from("")),
                io,
            );
        } else {
            self.fail(attempt, status, io);
        }
    }

    /// Undoes Reserve in reverse order and takes the pod off its node. False when the cache would not forget it.
    pub(super) fn unreserve<O: Observer>(
        &mut self,
        task: &mut BindingTask,
        io: &mut Io<'_, O>,
    ) -> bool {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let pod = task.assumed.clone();
        for plugin in framework.reserve().rev() {
            let cx = crate::framework::extension::BindContext {
                now: io.now,
                listers: &self.known.listers,
            };
            let undo = plugin.unreserve(
                &cx,
                &mut self.known.memory,
                &mut task.attempt.state,
                &pod,
                &task.node,
            );
            for work in undo {
                let ticket = self.ticket(Awaited::Undoing);
                io.effects.push(Effect::of(ticket, work));
            }
        }
        io.point(UNRESERVE, Code::Success, framework.name());
        match self.cache.forget_pod(&pod.pod) {
            Err(error) => {
                io.trouble(|| error.to_string());
                false
            }
            Ok(()) => {
                io.note(|| Record::Forgotten {
                    pod: pod.reference.clone(),
                    node: task.node.clone(),
                });
                true
            }
        }
    }
}

/// What undoes Reserve: no plugin is configured for it.
const UNRESERVE: &str = "Unreserve";

/// The longest that a Permit plugin may hold a pod.
const LONGEST_WAIT: Span = Span::from_secs(15 * 60);

/// The pod as it counts on its node.
fn assumed_on(pod: &PodInfo, node: &str) -> Arc<PodInfo> {
    let mut assigned = (*pod.pod).clone();
    assigned.spec.node_name = node.to_string();
    Arc::new(pod.with_pod(Arc::new(assigned)))
}

/// A rejection keeps its code; anything else becomes an error that names point and plugin.
pub(super) fn refusal(point: &str, plugin: PluginName, status: Status) -> Status {
    if status.is_rejected() {
        return status.by(plugin);
    }
    let message = [
        "running ",
        point,
        " plugin \"",
        plugin.0,
        "\": ",
        &status.message(),
    ]
    .concat();
    Status::error(message).by(plugin)
}

/// The error of a pod that one node refused after it was chosen.
pub(super) fn one_node_fit_error(row: NodeIndex, status: Status) -> FitError {
    let mut diagnosis = Diagnosis::default();
    diagnosis.add_plugin(&status);
    diagnosis.statuses.set(row, status);
    FitError {
        nodes: 1,
        diagnosis,
    }
}
