//! Pods that wait for Permit: who holds them, until when, and how the wait ends.
//!
//! Source: spec, scheduling cycle 8.1.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::reason::Reason;
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{MetricValue, Observer, Record};
use crate::time::Timestamp;

use super::Scheduler;
use super::known::Io;

/// One pod's wait. It ends once, by the first decisive signal.
#[derive(Clone, Debug, Default)]
pub(super) struct PermitWait {
    /// Plugins that have not let the pod go yet, each with the end of its patience.
    plugins: Vec<(PluginName, Timestamp)>,
    /// When the wait began.
    since: Timestamp,
}

impl PermitWait {
    /// A wait for these plugins.
    pub(super) const fn new(plugins: Vec<(PluginName, Timestamp)>, since: Timestamp) -> Self {
        Self { plugins, since }
    }

    /// When the next plugin's patience ends.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        self.plugins.iter().map(|(_, until)| *until).min()
    }

    /// Lets the pod go as far as one plugin is concerned; true when none holds it any more.
    fn allow(&mut self, plugin: PluginName) -> bool {
        self.plugins.retain(|(waiting, _)| *waiting != plugin);
        self.plugins.is_empty()
    }

    /// The plugin whose patience has ended at `now`, if one has: the one whose ended first.
    fn expired(&self, now: Timestamp) -> Option<(PluginName, Timestamp)> {
        self.plugins
            .iter()
            .filter(|(_, until)| *until <= now)
            .min_by_key(|(_, until)| *until)
            .copied()
    }
}

impl Scheduler {
    /// A plugin lets a waiting pod go. Pods that do not wait are left alone.
    pub(super) fn allow_waiting_pod<O: Observer>(
        &mut self,
        uid: &str,
        plugin: PluginName,
        io: &mut Io<'_, O>,
    ) {
        let is_released = self
            .bindings
            .get_mut(uid)
            .and_then(|task| task.permit.as_mut())
            .is_some_and(|wait| wait.allow(plugin));
        if is_released {
            self.end_wait(uid, Status::success(), io);
        }
    }

    /// A waiting pod is deleted. True when it was waiting.
    ///
    /// QUIRK: the rejector has no name, so no event helps the pod, and it is not tried again while it goes.
    pub(super) fn reject_waiting_pod<O: Observer>(
        &mut self,
        uid: &str,
        io: &mut Io<'_, O>,
    ) -> bool {
        let status = Status::unschedulable(Reason::from("removed"));
        self.end_wait(uid, status.by(NOBODY), io)
    }

    /// A waiting pod must leave room. True when it was waiting.
    pub(super) fn preempt_waiting_pod<O: Observer>(
        &mut self,
        uid: &str,
        plugin: PluginName,
        io: &mut Io<'_, O>,
    ) -> bool {
        self.end_wait(uid, Status::error("preempted").by(plugin), io)
    }

    /// Rejects pods whose plugins ran out of patience.
    pub(super) fn expire_waits<O: Observer>(&mut self, io: &mut Io<'_, O>) {
        let expired: Vec<(Arc<str>, PluginName, Timestamp, Timestamp)> = self
            .bindings
            .iter()
            .filter_map(|(uid, task)| {
                let wait = task.permit.as_ref()?;
                let (plugin, until) = wait.expired(io.now)?;
                Some((uid.clone(), plugin, until, wait.since))
            })
            .collect();
        for (uid, plugin, until, since) in expired {
            let waited = until.since(since);
            let text = alloc::string::ToString::to_string(&waited);
            let message = [
                "rejected due to timeout after waiting ",
                &text,
                " at plugin ",
                plugin.0,
            ]
            .concat();
            let status = Status::unschedulable(Reason::from(message)).by(plugin);
            self.end_wait(&uid, status, io);
        }
    }

    fn end_wait<O: Observer>(&mut self, uid: &str, status: Status, io: &mut Io<'_, O>) -> bool {
        let Some(task) = self.bindings.get_mut(uid) else {
            return false;
        };
        let Some(wait) = task.permit.take() else {
            return false;
        };
        let pod = task.assumed.reference.clone();
        io.note(|| Record::PermitDone {
            pod,
            status: status.clone(),
        });
        let waited = MetricValue::Time(io.now.since(wait.since));
        io.metric(
            "permit_wait_duration_seconds",
            &[("result", status.code.name())],
            waited,
        );
        let status = match status.code {
            Code::Error => {
                let message = ["waiting on permit for pod: ", &status.message()].concat();
                Status {
                    plugin: status.plugin,
                    ..Status::error(message)
                }
            }
            _ => status,
        };
        self.wait_ended(uid, status, io);
        true
    }
}

/// The rejector of a pod that is deleted.
const NOBODY: PluginName = PluginName("");
