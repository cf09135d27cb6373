//! PreBind: plugins say whether they will have work, do it in groups, and are asked again when it is due.
//!
//! Source: spec, scheduling cycle 9.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::{ExtensionPoint, Gate};
use crate::framework::extension::{BindContext, PreBindStep};
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::Observer;
use crate::framework::work::Outcome;
use crate::time::Timestamp;

use super::binding::{BindingStage, BindingTask};
use super::cycle::framework;
use super::effect::Effect;
use super::known::Io;
use super::reserve::refusal;
use super::{Awaited, Scheduler};

impl Scheduler {
    /// Asks the PreBind plugins whether they will have work.
    pub(super) fn pre_flight<O: Observer>(
        &self,
        task: &mut BindingTask,
        io: &mut Io<'_, O>,
    ) -> Result<bool, Status> {
        let gate = Gate::NominatedNodeNameForExpectation;
        if !self.config.gates.enabled(gate) {
            return Ok(true);
        }
        let result = self.run_pre_flight(task, io.now);
        let code = match &result {
            Ok(true) => Code::Success,
            Ok(false) => Code::Skip,
            Err(status) => status.code,
        };
        io.point(PRE_FLIGHT, code, &task.attempt.profile);
        result
    }

    fn run_pre_flight(&self, task: &mut BindingTask, now: Timestamp) -> Result<bool, Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let mut has_work = false;
        for plugin in framework.pre_bind() {
            let cx = self.known.bind_context(now);
            let answer = plugin.pre_flight(&cx, &task.attempt.state, &task.assumed, &task.node);
            let name = plugin.name();
            match answer.status.code {
                Code::Success => {
                    has_work = true;
                    if answer.allow_parallel {
                        task.attempt.state.parallel_pre_bind.push(name);
                    }
                }
                Code::Skip => task.attempt.state.skip_pre_bind.push(name),
                Code::Error => {
                    let message = [
                        "running PreBindPreFlight \"",
                        name.0,
                        "\": ",
                        &answer.status.message(),
                    ]
                    .concat();
                    return Err(Status::error(message).by(name));
                }
                other => {
                    let message = [
                        "PreBindPreFlight ",
                        name.0,
                        " returned \"",
                        other.name(),
                        "\", which is unsupported. It is supposed to return Success, Skip, or Error status",
                    ]
                    .concat();
                    return Err(Status::error(message).by(name));
                }
            }
        }
        Ok(has_work)
    }

    /// Consecutive plugins that may run beside each other form a group; every other plugin is a group of its own.
    pub(super) fn pre_bind_groups(&self, task: &BindingTask) -> Vec<Vec<PluginName>> {
        let profiles = self.known.profiles.clone();
        let state = &task.attempt.state;
        let mut groups: Vec<Vec<PluginName>> = Vec::new();
        let mut is_open = false;
        for plugin in framework(&profiles, &task.attempt).pre_bind() {
            let name = plugin.name();
            let is_parallel = state.parallel_pre_bind.contains(&name);
            match groups.last_mut() {
                Some(group) if is_open && is_parallel => group.push(name),
                _ => groups.push(alloc::vec![name]),
            }
            is_open = is_parallel;
        }
        for group in &mut groups {
            group.retain(|name| !state.skip_pre_bind.contains(name));
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Begins groups of PreBind plugins until one has work out, or all are through.
    pub(super) fn run_pre_bind<O: Observer>(&mut self, mut task: BindingTask, io: &mut Io<'_, O>) {
        loop {
            let BindingStage::PreBind {
                rest,
                working,
                polling,
            } = &mut task.stage
            else {
                return self.bind(task, 0, io);
            };
            if !working.is_empty() || !polling.is_empty() {
                self.bindings
                    .insert(task.assumed.reference.uid.clone(), task);
                return;
            }
            if rest.is_empty() {
                let point = ExtensionPoint::PreBind.name();
                io.point_since(task.since, point, Code::Success, &task.attempt.profile);
                return self.bind(task, 0, io);
            }
            for name in rest.remove(0) {
                if let Err(status) = self.pre_bind_step(&mut task, name, PreBindInput::Begin, io) {
                    return self.pre_bind_failed(task, refusal("PreBind", name, status), io);
                }
            }
        }
    }

    fn pre_bind_failed<O: Observer>(
        &mut self,
        task: BindingTask,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        let point = ExtensionPoint::PreBind.name();
        io.point_since(task.since, point, status.code, &task.attempt.profile);
        self.binding_failed(task, point, status, io);
    }

    /// The work of a PreBind plugin came back.
    pub(super) fn pre_bind_came_back<O: Observer>(
        &mut self,
        mut task: BindingTask,
        name: PluginName,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        match self.pre_bind_step(&mut task, name, PreBindInput::Outcome(outcome), io) {
            Err(status) => self.pre_bind_failed(task, refusal("PreBind", name, status), io),
            Ok(()) => self.run_pre_bind(task, io),
        }
    }

    /// Runs one step of one PreBind plugin.
    fn pre_bind_step<O: Observer>(
        &mut self,
        task: &mut BindingTask,
        name: PluginName,
        input: PreBindInput<'_>,
        io: &mut Io<'_, O>,
    ) -> Result<(), Status> {
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let Some(plugin) = framework.pre_bind().find(|plugin| plugin.name() == name) else {
            return Ok(());
        };
        let cx = BindContext {
            now: io.now,
            listers: &self.known.listers,
        };
        let (memory, state) = (&mut self.known.memory, &mut task.attempt.state);
        let step = match input {
            PreBindInput::Begin => plugin.pre_bind(&cx, memory, state, &task.assumed, &task.node),
            PreBindInput::Outcome(outcome) => {
                plugin.resume(&cx, memory, state, &task.assumed, &task.node, Some(outcome))
            }
            PreBindInput::Poll => {
                plugin.resume(&cx, memory, state, &task.assumed, &task.node, None)
            }
        };
        let awaited = Awaited::Binding(task.assumed.reference.uid.clone());
        let BindingStage::PreBind {
            working, polling, ..
        } = &mut task.stage
        else {
            return Ok(());
        };
        match step {
            PreBindStep::Done(status) if status.is_success() => {}
            PreBindStep::Done(status) => return Err(status),
            PreBindStep::Work(work) => {
                let ticket = self.ticket(awaited);
                working.insert(ticket, name);
                io.effects.push(Effect::of(ticket, work));
            }
            PreBindStep::WaitUntil(at) => polling.push((name, at)),
        }
        Ok(())
    }

    /// Calls a binding off that has not got past PreBind, because the pod must leave room. True when it was in time.
    pub(super) fn call_off_pre_bind<O: Observer>(
        &mut self,
        uid: &str,
        plugin: PluginName,
        io: &mut Io<'_, O>,
    ) -> bool {
        if !self
            .bindings
            .get(uid)
            .is_some_and(BindingTask::may_be_called_off)
        {
            return false;
        }
        let Some(task) = self.bindings.remove(uid) else {
            return false;
        };
        let status = Status::error(["preempted by ", plugin.0].concat());
        self.pre_bind_failed(task, status, io);
        true
    }

    /// An object changed that a polling PreBind plugin may wait for.
    pub(super) fn objects_changed<O: Observer>(&mut self, io: &mut Io<'_, O>) {
        self.poll_bindings(|_| true, io);
    }

    /// Asks plugins again whose instant is due.
    pub(super) fn poll_bindings<O: Observer>(
        &mut self,
        is_due: impl Fn(Timestamp) -> bool,
        io: &mut Io<'_, O>,
    ) {
        let uids: Vec<Arc<str>> = self
            .bindings
            .iter()
            .filter(|(_, task)| match &task.stage {
                BindingStage::PreBind { polling, .. } => polling.iter().any(|(_, at)| is_due(*at)),
                _ => false,
            })
            .map(|(uid, _)| uid.clone())
            .collect();
        for uid in uids {
            let Some(mut task) = self.bindings.remove(&uid) else {
                continue;
            };
            let BindingStage::PreBind { polling, .. } = &mut task.stage else {
                continue;
            };
            let (due, later): (Vec<_>, Vec<_>) = polling.drain(..).partition(|(_, at)| is_due(*at));
            *polling = later;
            let failed = due.into_iter().find_map(|(name, _)| {
                let step = self.pre_bind_step(&mut task, name, PreBindInput::Poll, io);
                step.err().map(|status| refusal("PreBind", name, status))
            });
            match failed {
                Some(status) => self.pre_bind_failed(task, status, io),
                None => self.run_pre_bind(task, io),
            }
        }
    }
}

/// Where PreBind plugins say whether they will have work: no plugin is configured for it.
pub(super) const PRE_FLIGHT: &str = "PreBindPreFlight";

/// Why a PreBind plugin is asked.
#[derive(Clone, Copy)]
enum PreBindInput<'a> {
    /// Its turn came.
    Begin,
    /// Its work came back.
    Outcome(&'a Outcome),
    /// The instant it asked for came, or an object changed.
    Poll,
}
