//! DefaultPreemption: what to do when no node is feasible.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Object;
use crate::config::{ConfigError, DefaultPreemptionArgs, Gate, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    Candidate, Plugin, PostFilter, PostFilterStep, PostFiltered, PreEnqueue, QueueContext,
};
use crate::framework::handle::Handle;
use crate::framework::reason::Reason;
use crate::framework::status::{NodeStatuses, PluginError, PluginName, Status};
use crate::framework::trace::{Metric, MetricValue};
use crate::preemption::Evaluator;
use crate::snapshot::PodInfo;

/// Makes room for a pod by removing pods of lower priority, and holds it back while they are being removed.
///
/// Source: spec, scheduling cycle 12 and plugins 13.1; Kubernetes v1.36
/// `plugins/defaultpreemption/default_preemption.go`.
#[derive(Clone, Debug)]
pub struct DefaultPreemption {
    evaluator: Evaluator,
    is_asynchronous: bool,
}

impl DefaultPreemption {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("DefaultPreemption");

    pub(super) fn build(args: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::DefaultPreemption(args) => args.clone(),
            _ => DefaultPreemptionArgs::default(),
        };
        Ok(Arc::new(Self {
            evaluator: Evaluator::new(args),
            is_asynchronous: gates.enabled(Gate::SchedulerAsyncPreemption),
        }))
    }
}

impl Plugin for DefaultPreemption {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    /// A deletion lets the queue ask PreEnqueue again. Without asynchronous preemption nothing is ever held.
    fn events(&self) -> Option<&[EventWithHint]> {
        Some(if self.is_asynchronous { &EVENTS } else { &[] })
    }

    /// Never queues: a pod that preempted is woken by the plugins that had rejected it.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        _pod: &PodInfo,
        _old: Option<&Object>,
        _new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        Ok(QueueingHint::QueueSkip)
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        Some(self)
    }

    fn as_post_filter(&self) -> Option<&dyn PostFilter> {
        Some(self)
    }
}

impl PreEnqueue for DefaultPreemption {
    /// Holds a pod while its victims are being removed, until the last one is on its way.
    ///
    /// The last victim may be seen to leave before its removal is reported. The pod must not be held then, or nothing
    /// would wake it.
    fn pre_enqueue(&self, cx: &QueueContext<'_>, pod: &PodInfo) -> Status {
        let Some(last) = cx.memory.preempting.get(&pod.reference.uid) else {
            return Status::success();
        };
        let is_going_on = last.as_ref().is_none_or(|last| {
            let observed = cx.listers.pods.get(&last.namespace, &last.name);
            observed
                .is_some_and(|victim| *victim.metadata.uid == *last.uid && !victim.is_terminating())
        });
        if self.is_asynchronous && is_going_on {
            return Status::unresolvable(Reason::from(
                "waiting for the preemption for this pod to be finished",
            ));
        }
        Status::success()
    }
}

impl PostFilter for DefaultPreemption {
    fn post_filter(
        &self,
        handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        statuses: &NodeStatuses,
    ) -> PostFilterStep {
        let step = self.evaluator.preempt(handle, state, pod, statuses);
        handle.count(|| Metric {
            name: "preemption_attempts_total",
            labels: Vec::new(),
            value: MetricValue::Add(1),
        });
        signed(step)
    }

    fn choose(
        &self,
        handle: &mut Handle<'_>,
        pod: &PodInfo,
        candidates: Vec<Candidate>,
    ) -> PostFilterStep {
        signed(self.evaluator.choose(handle, pod, candidates))
    }
}

/// The same step, with `preemption: ` before what it has to say.
fn signed(step: PostFilterStep) -> PostFilterStep {
    let PostFilterStep::Done(mut done) = step else {
        return step;
    };
    let message = done.status.message();
    if !message.is_empty() {
        let text = ["preemption: ", &message].concat();
        done.status = Status::with(done.status.code, Reason::from(text));
    }
    PostFilterStep::Done(PostFiltered { ..done })
}

const EVENTS: [EventWithHint; 1] = [EventWithHint::asked(EventResource::Pod, ActionType::DELETE)];

#[cfg(test)]
mod tests;
