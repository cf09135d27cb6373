//! From the end of the serial part to the bound pod: preflight, the wait for Permit, PreBind, Bind.
//!
//! One task a pod. A task never touches the snapshot. Each of its steps either goes on at once or leaves an effect
//! whose ticket brings it back.
//!
//! Source: spec, scheduling cycle 9.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Object;
use crate::config::{ExtensionPoint, Gate};
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::extender::ExtenderCall;
use crate::framework::extension::NominatingInfo;
use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{MetricValue, Observer, Record};
use crate::framework::work::Outcome;
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::snapshot::PodInfo;
use crate::time::Timestamp;

use super::attempt::Attempt;
use super::cycle::{ONE, framework};
use super::effect::{Effect, EventType, PodEvent, Ticket};
use super::known::Io;
use super::permit::PermitWait;
use super::pre_bind::PRE_FLIGHT;
use super::reserve::{one_node_fit_error, refusal};
use super::{Awaited, Scheduler};

/// The binding of one pod.
#[derive(Clone, Debug)]
pub(super) struct BindingTask {
    /// The attempt that chose the node.
    pub(super) attempt: Attempt,
    /// The pod as it counts on the node.
    pub(super) assumed: Arc<PodInfo>,
    /// The node.
    pub(super) node: Arc<str>,
    /// The wait for Permit, while there is one.
    pub(super) permit: Option<PermitWait>,
    /// How far it has come.
    pub(super) stage: BindingStage,
    /// Whether a plugin has work before binding: only then may the pod still be called back.
    pub(super) has_pre_bind: bool,
    /// When PreBind or Bind began, whichever came last.
    pub(super) since: Timestamp,
}

/// How far a binding has come.
#[derive(Clone, Debug)]
pub(super) enum BindingStage {
    /// It waits for Permit.
    Permit,
    /// A group of PreBind plugins is at work.
    PreBind {
        /// Groups that have not begun.
        rest: Vec<Vec<PluginName>>,
        /// Plugins whose work is out.
        working: SortedMap<Ticket, PluginName>,
        /// Plugins that ask again at an instant.
        polling: Vec<(PluginName, Timestamp)>,
    },
    /// An extender was asked to bind.
    Extender {
        /// Its place in the order of asking.
        asked: usize,
    },
    /// A plugin's binding is out.
    Bind {
        /// The plugin.
        plugin: PluginName,
    },
}

impl BindingTask {
    /// A binding that begins with the end of the serial part.
    ///
    /// What the search found ends with it: in a large cluster it is much, and many pods are being bound at once.
    pub(super) fn new(mut attempt: Attempt, assumed: Arc<PodInfo>, node: Arc<str>) -> Self {
        attempt.forget_nodes();
        Self {
            attempt,
            assumed,
            node,
            permit: None,
            stage: BindingStage::Permit,
            has_pre_bind: false,
            since: Timestamp::ZERO,
        }
    }

    /// The node.
    pub(super) const fn node(&self) -> &Arc<str> {
        &self.node
    }

    /// Holds the pod back until these plugins let it go; no plugin, no wait.
    pub(super) fn wait(&mut self, plugins: Vec<(PluginName, Timestamp)>, since: Timestamp) {
        self.permit = (!plugins.is_empty()).then(|| PermitWait::new(plugins, since));
    }

    /// Whether it waits for Permit.
    pub(super) const fn waits_for_permit(&self) -> bool {
        self.permit.is_some()
    }

    /// When the task must be looked at again without an effect coming back.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        let waits = self.permit.as_ref().and_then(PermitWait::next_deadline);
        let polls = match &self.stage {
            BindingStage::PreBind { polling, .. } => polling.iter().map(|(_, at)| *at).min(),
            _ => None,
        };
        [waits, polls].into_iter().flatten().min()
    }

    /// Whether PreBind is under way and may still be called off.
    pub(super) const fn may_be_called_off(&self) -> bool {
        self.has_pre_bind && matches!(self.stage, BindingStage::PreBind { .. })
    }
}

impl Scheduler {
    /// Begins the binding of a pod that Reserve and Permit let through.
    pub(super) fn start_binding<O: Observer>(&mut self, mut task: BindingTask, io: &mut Io<'_, O>) {
        let uid = task.assumed.reference.uid.clone();
        match self.pre_flight(&mut task, io) {
            Err(status) => return self.binding_failed(task, PRE_FLIGHT, status, io),
            Ok(has_work) => {
                task.has_pre_bind = has_work;
                let expects = self
                    .config
                    .gates
                    .enabled(Gate::NominatedNodeNameForExpectation);
                if expects && (has_work || task.waits_for_permit()) {
                    self.nominate_expected(&task, io);
                }
            }
        }
        let waits = task.waits_for_permit();
        self.bindings.insert(uid.clone(), task);
        if !waits {
            self.wait_ended(&uid, Status::success(), io);
        }
    }

    /// Tells the cluster which node is meant while the binding takes its time.
    fn nominate_expected<O: Observer>(&mut self, task: &BindingTask, io: &mut Io<'_, O>) {
        if *task.assumed.pod.status.nominated_node_name == *task.node {
            return;
        }
        io.note(|| Record::Nominated {
            pod: task.assumed.reference.clone(),
            node: Some(task.node.clone()),
        });
        let ticket = self.ticket(Awaited::StatusPatch);
        io.effects.push(Effect::PatchPodStatus {
            ticket,
            pod: task.assumed.reference.clone(),
            condition: None,
            nominated_node_name: Some(task.node.clone()),
        });
    }

    /// The wait for Permit is over, or there was none.
    pub(super) fn wait_ended<O: Observer>(
        &mut self,
        uid: &str,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        let Some(mut task) = self.bindings.remove(uid) else {
            return;
        };
        if !status.is_success() {
            return self.binding_failed(task, ExtensionPoint::Permit.name(), status, io);
        }
        self.queue.done(&mut self.known.queue_call(io), uid);
        let groups = self.pre_bind_groups(&task);
        task.since = io.now;
        task.stage = BindingStage::PreBind {
            rest: groups,
            working: SortedMap::new(),
            polling: Vec::new(),
        };
        self.run_pre_bind(task, io);
    }

    fn bind_failed<O: Observer>(&mut self, task: BindingTask, status: Status, io: &mut Io<'_, O>) {
        self.binding_failed(task, ExtensionPoint::Bind.name(), status, io);
    }

    /// Asks the first extender that binds, from `asked` on, else the Bind plugins.
    pub(super) fn bind<O: Observer>(
        &mut self,
        mut task: BindingTask,
        asked: usize,
        io: &mut Io<'_, O>,
    ) {
        io.note(|| Record::Binding {
            pod: task.assumed.reference.clone(),
            node: task.node.clone(),
        });
        task.since = io.now;
        let uid = task.assumed.reference.uid.clone();
        if let Some((place, extender)) = self.bind_extender(&task.assumed, asked) {
            let ticket = self.ticket(Awaited::Binding(uid.clone()));
            io.effects.push(Effect::AskExtender {
                ticket,
                extender,
                call: ExtenderCall::Bind {
                    pod: task.assumed.reference.clone(),
                    node: task.node.clone(),
                },
            });
            task.stage = BindingStage::Extender { asked: place };
            self.bindings.insert(uid, task);
            return;
        }
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        let cx = self.known.bind_context(io.now);
        let work = framework.bind().find_map(|plugin| {
            let work = plugin.bind(&cx, &task.attempt.state, &task.assumed, &task.node)?;
            Some((plugin.name(), work))
        });
        let Some((plugin, work)) = work else {
            io.point(ExtensionPoint::Bind.name(), Code::Skip, framework.name());
            return self.bind_failed(task, Status::skip(), io);
        };
        let ticket = self.ticket(Awaited::Binding(uid.clone()));
        io.effects.push(Effect::of(ticket, work));
        task.stage = BindingStage::Bind { plugin };
        self.bindings.insert(uid, task);
    }

    /// A step of a binding came back.
    pub(super) fn settle_binding<O: Observer>(
        &mut self,
        uid: &str,
        ticket: Ticket,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        // A binding that failed meanwhile has no use for what was still out.
        let Some(mut task) = self.bindings.remove(uid) else {
            return;
        };
        match &mut task.stage {
            BindingStage::Permit => {
                self.bindings
                    .insert(task.assumed.reference.uid.clone(), task);
            }
            BindingStage::PreBind { working, .. } => {
                let Some(name) = working.remove(&ticket) else {
                    self.bindings
                        .insert(task.assumed.reference.uid.clone(), task);
                    return;
                };
                self.pre_bind_came_back(task, name, outcome, io);
            }
            BindingStage::Extender { asked } => {
                let asked = *asked;
                match outcome {
                    Outcome::Failed(_) if self.is_ignorable(asked) => {
                        self.bind(task, asked + 1, io)
                    }
                    Outcome::Failed(failure) => {
                        let status = Status::error(failure.message.as_str());
                        self.bind_failed(task, status, io);
                    }
                    _ => self.bound(task, io),
                }
            }
            BindingStage::Bind { plugin } => {
                let plugin = *plugin;
                let point = ExtensionPoint::Bind.name();
                match outcome {
                    Outcome::Failed(failure) => {
                        let status = Status::error(failure.message.as_str());
                        io.point_since(task.since, point, Code::Error, &task.attempt.profile);
                        self.bind_failed(task, refusal("Bind", plugin, status), io);
                    }
                    _ => {
                        io.point_since(task.since, point, Code::Success, &task.attempt.profile);
                        self.bound(task, io);
                    }
                }
            }
        }
    }

    /// Source: spec, scheduling cycle 9.3, step 6.
    fn bound<O: Observer>(&mut self, mut task: BindingTask, io: &mut Io<'_, O>) {
        let pod = &task.assumed;
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, &task.attempt);
        io.note(|| Record::Bound {
            pod: pod.reference.clone(),
            node: task.node.clone(),
        });
        self.bound_metrics(&task, io);
        self.cache.finish_binding(&pod.reference.uid, io.now);
        io.event(PodEvent {
            regarding: pod.reference.clone(),
            related: None,
            type_: EventType::Normal,
            reason: "Scheduled",
            action: "Binding",
            note: [
                "Successfully assigned ",
                &pod.pod.full_name(),
                " to ",
                &task.node,
            ]
            .concat(),
            reporting_controller: task.attempt.profile.clone(),
        });
        let cx = self.known.bind_context(io.now);
        for plugin in framework.post_bind() {
            plugin.post_bind(&cx, &task.attempt.state, pod, &task.node);
        }
        let point = ExtensionPoint::PostBind.name();
        io.point(point, Code::Success, framework.name());
        self.activate_kept(&mut task.attempt, io);
    }

    /// Has the pods tried that plugins asked for in this attempt.
    pub(super) fn activate_kept<O: Observer>(&mut self, attempt: &mut Attempt, io: &mut Io<'_, O>) {
        let pods = core::mem::take(&mut attempt.state.pods_to_activate);
        self.queue.activate(&mut self.known.queue_call(io), &pods);
    }

    fn bound_metrics<O: Observer>(&self, task: &BindingTask, io: &mut Io<'_, O>) {
        let queued = &task.attempt.queued;
        let labels = [("result", "scheduled"), ("profile", &*task.attempt.profile)];
        io.metric("schedule_attempts_total", &labels, ONE);
        let time = MetricValue::Time(io.now.since(task.attempt.started));
        io.metric("scheduling_attempt_duration_seconds", &labels, time);
        if let Some(first) = queued.initial_attempt_timestamp {
            let attempts = match queued.attempts {
                0..15 => alloc::string::ToString::to_string(&queued.attempts),
                _ => alloc::string::String::from("15+"),
            };
            let time = MetricValue::Time(io.now.since(first));
            io.metric(
                "pod_scheduling_sli_duration_seconds",
                &[("attempts", &attempts)],
                time,
            );
        }
        io.metric(
            "pod_scheduling_attempts",
            &[],
            MetricValue::Count(u64::from(queued.attempts)),
        );
        if queued.was_flushed_from_unschedulable {
            io.metric("pod_scheduled_after_flush_total", &[], ONE);
        }
    }

    /// Undoes a binding that failed at `point`.
    ///
    /// Until the wait for Permit is over the attempt is still in flight, so events during it count for it.
    ///
    /// Source: spec, scheduling cycle 9.4.
    pub(super) fn binding_failed<O: Observer>(
        &mut self,
        mut task: BindingTask,
        point: &'static str,
        status: Status,
        io: &mut Io<'_, O>,
    ) {
        io.note(|| Record::Refused {
            pod: task.assumed.reference.clone(),
            point,
            status: status.clone(),
        });
        let before_done = matches!(task.stage, BindingStage::Permit);
        let is_forgotten = self.unreserve(&mut task, io);
        let assumed = Object::Pod(task.assumed.pod.clone());
        let uid = task.assumed.reference.uid.clone();
        let attempt = Box::new(task.attempt);
        if status.is_rejected() {
            if before_done {
                let code = status.code;
                let fit = one_node_fit_error(NodeIndex(0), status);
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
            if is_forgotten {
                let is_other = |pod: &PodInfo| pod.reference.uid != uid;
                self.queue.move_all_to_active_or_backoff_queue(
                    &mut self.known.queue_call(io),
                    ClusterEvent::ASSIGNED_POD_DELETE,
                    Some(&assumed),
                    None,
                    Some(&is_other),
                );
            }
        } else {
            if is_forgotten {
                let event = ClusterEvent::ASSIGNED_POD_DELETE;
                self.move_pods(event, Some(&assumed), None, io);
            }
            self.fail(attempt, status, io);
        }
    }

    /// Ends waits that are over and asks polling plugins again.
    pub(super) fn tick_bindings<O: Observer>(&mut self, io: &mut Io<'_, O>) {
        self.expire_waits(io);
        let now = io.now;
        self.poll_bindings(|at| at <= now, io);
    }
}
