//! Which pod is tried next, and what makes a waiting pod worth another try.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, Pod};
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::extension::NominatingInfo;
use crate::framework::handle::NominatedPods;
use crate::framework::runtime::Profiles;
use crate::framework::trace::{Observer, Place};
use crate::snapshot::{Listers, PluginMemory, PodInfo, PodRef};
use crate::time::{Span, Timestamp};

mod queued_pod;

pub use queued_pod::QueuedPodInfo;

/// What one call to the queue works with.
#[derive(Debug)]
pub struct QueueCall<'a, O: Observer> {
    /// The instant of the call; never before that of an earlier call.
    pub now: Timestamp,
    /// The profiles: the first one's QueueSort plugin orders the queue, each one's plugins gate and judge its own pods.
    pub profiles: &'a Profiles,
    /// Objects by name, for plugins and for the nominator.
    pub listers: &'a Listers,
    /// What plugins remember between cycles.
    pub memory: &'a PluginMemory,
    /// Who is told.
    pub observer: &'a mut O,
}

/// How a queue behaves. Read once, when it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueOptions {
    /// The instant from which the periodic flushes count.
    pub started_at: Timestamp,
    /// The wait after a first failed attempt.
    pub initial_backoff: Span,
    /// The longest wait; zero turns backoff off.
    pub max_backoff: Span,
    /// How long a pod may stay in unschedulablePods until it is tried without a reason.
    pub max_in_unschedulable: Span,
    /// Whether an empty activeQ takes from backoffQ; also aligns backoffs to whole seconds.
    pub pop_from_backoff_q: bool,
    /// Whether plugins judge events, and events during an attempt count for it.
    pub queueing_hints: bool,
    /// Whether members of a pod group always come back through backoff.
    pub generic_workload: bool,
    /// Whether extenders reject pods, too, and wait for every event.
    pub has_extenders: bool,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self {
            started_at: Timestamp::ZERO,
            initial_backoff: Span::SECOND,
            max_backoff: Span::from_secs(10),
            max_in_unschedulable: Span::from_secs(5 * 60),
            pop_from_backoff_q: true,
            queueing_hints: true,
            generic_workload: false,
            has_extenders: false,
        }
    }
}

/// A pod came back from an attempt although it was waiting already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Pod {pod} is already present in {place}")]
pub struct AlreadyQueued {
    /// The pod.
    pub pod: PodRef,
    /// Where it was.
    pub place: &'static str,
}

/// Pods that have no node: kube-scheduler's `SchedulingQueue` (its `PriorityQueue`).
#[derive(Clone, Debug)]
pub struct SchedulingQueue {
    options: QueueOptions,
}

impl SchedulingQueue {
    /// An empty queue for these profiles.
    #[must_use]
    pub fn new(options: QueueOptions, _profiles: &Profiles) -> Self {
        Self { options }
    }

    /// A pod without a node came.
    pub fn add<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>, _pod: &Arc<Pod>) {}

    /// A pod without a node changed.
    pub fn update<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _old: Option<&Arc<Pod>>,
        _new: &Arc<Pod>,
    ) {
    }

    /// A pod went, or got a node from somebody else.
    pub fn delete<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>, _pod: &Pod) {}

    /// The pod to try now, which is in flight from here on; `None` when no pod is poppable.
    pub fn pop<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>) -> Option<QueuedPodInfo> {
        None
    }

    /// That pod, wherever it waits, as if its turn had come; `None` when it is gated, in flight or unknown.
    pub fn pop_specific_pod<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _pod: &PodRef,
    ) -> Option<QueuedPodInfo> {
        None
    }

    /// A pod comes back from a failed attempt; its rejectors are those of that attempt. Ends its being in flight.
    ///
    /// # Errors
    ///
    /// It waits already; it stays where it is.
    pub fn add_unschedulable_if_not_present<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _pod: QueuedPodInfo,
        _cycle: i64,
    ) -> Result<(), AlreadyQueued> {
        Ok(())
    }

    /// Something happened: moves the pods that it could help. `pre_check` narrows them further.
    pub fn move_all_to_active_or_backoff_queue<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _event: ClusterEvent,
        _old: Option<&Object>,
        _new: Option<&Object>,
        _pre_check: Option<&dyn Fn(&PodInfo) -> bool>,
    ) {
    }

    /// Somebody asks for these pods to be tried at once.
    pub fn activate<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>, _pods: &[PodRef]) {}

    /// The attempt of a pod is over and will not come back.
    pub fn done<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>, _uid: &str) {}

    /// Runs the flushes that are due.
    pub fn on_tick<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>) {}

    /// Moves every pod whose backoff is over to activeQ.
    pub fn flush_backoff_q_completed<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>) {}

    /// Moves every pod that has been in unschedulablePods for too long.
    pub fn flush_unschedulable_pods_leftover<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>) {
    }

    /// Stops: nothing is in flight any more.
    pub fn close<O: Observer>(&mut self, _call: &mut QueueCall<'_, O>) {}

    /// How many pods have been popped.
    #[must_use]
    pub const fn scheduling_cycle(&self) -> i64 {
        0
    }

    /// When [`SchedulingQueue::on_tick`] has something to do next.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        None
    }

    /// Whether [`SchedulingQueue::pop`] would return a pod.
    #[must_use]
    pub fn has_poppable(&self) -> bool {
        false
    }

    /// Every waiting pod, and the sizes in kube-scheduler's words.
    #[must_use]
    pub fn pending_pods(&self) -> (Vec<Arc<PodInfo>>, String) {
        (Vec::new(), String::new())
    }

    /// Where a pod is.
    #[must_use]
    pub fn place_of(&self, _pod: &PodRef) -> Place {
        Place::Nowhere
    }

    /// A waiting pod, by namespace and name.
    #[must_use]
    pub fn get(&self, _namespace: &str, _name: &str) -> Option<&QueuedPodInfo> {
        None
    }

    /// Pods in activeQ in the order in which they would be popped.
    #[must_use]
    pub fn active_q(&self, _profiles: &Profiles) -> Vec<&QueuedPodInfo> {
        Vec::new()
    }

    /// Pods in backoffQ that plugins rejected, in the order in which they would be popped.
    #[must_use]
    pub fn backoff_q(&self, _profiles: &Profiles) -> Vec<&QueuedPodInfo> {
        Vec::new()
    }

    /// Pods in backoffQ after an error, by the end of their backoff.
    #[must_use]
    pub fn error_backoff_q(&self) -> Vec<&QueuedPodInfo> {
        Vec::new()
    }

    /// Pods in unschedulablePods, gated ones included, in the order in which they came there.
    pub fn unschedulable_pods(&self) -> impl Iterator<Item = &QueuedPodInfo> {
        core::iter::empty()
    }

    /// Pods in flight, in the order in which they were popped.
    pub fn in_flight_pods(&self) -> impl Iterator<Item = &PodRef> {
        core::iter::empty()
    }

    /// Promises a node to a pod, or takes the promise back.
    pub fn add_nominated_pod<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _pod: &Arc<PodInfo>,
        _nominating: &NominatingInfo,
    ) {
    }

    /// Forgets the promise to a pod.
    pub fn delete_nominated_pod_if_exists<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _pod: &PodRef,
    ) {
    }

    /// A pod that may have a promise changed.
    pub fn update_nominated_pod<O: Observer>(
        &mut self,
        _call: &mut QueueCall<'_, O>,
        _old: &Pod,
        _new: &Arc<PodInfo>,
    ) {
    }

    /// The node that is promised to a pod; `Some("")` when a promise was taken back in memory.
    #[must_use]
    pub fn nominated_node(&self, _uid: &str) -> Option<&Arc<str>> {
        None
    }
}

impl NominatedPods for SchedulingQueue {
    fn is_empty(&self) -> bool {
        true
    }

    fn nominated_pods_for_node(&self, _node: &str) -> Vec<Arc<PodInfo>> {
        Vec::new()
    }
}
