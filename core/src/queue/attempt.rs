//! The way of a pod through an attempt: popped, in flight, back again.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cluster_event::ClusterEvent;
use crate::framework::trace::{MoveCause, Observer, Place};
use crate::snapshot::{PodInfo, PodRef};

use super::call::QueueCall;
use super::entries::SlotId;
use super::hints::{Strategy, Verdict};
use super::in_flight::InFlightPod;
use super::moves::{Origin, Step};
use super::queued_pod::QueuedPodInfo;
use super::{AlreadyQueued, SchedulingQueue};

impl SchedulingQueue {
    /// The pod to try now, which is in flight from here on; `None` when no pod is poppable.
    ///
    /// kube-scheduler waits until there is one; a host of ours asks again after its next input.
    /// Source: spec, queue and cache 4.
    pub fn pop<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) -> Option<QueuedPodInfo> {
        loop {
            let slot = self.poppable()?;
            if let Some(info) = self.launch(call, slot) {
                return Some(info);
            }
        }
    }

    /// That pod, wherever it waits, as if its turn had come; `None` when it is gated, in flight or unknown.
    ///
    /// The members of a pod group are popped this way with the first of them.
    pub fn pop_specific_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &PodRef,
    ) -> Option<QueuedPodInfo> {
        self.activate_one(call, pod);
        let slot = self.entries.find(&pod.namespace, &pod.name)?;
        if self.entries.at(slot).place != Place::Active {
            return None;
        }
        self.launch(call, slot)
    }

    /// A pod comes back from a failed attempt; its rejectors are those of that attempt. It is in flight no longer.
    ///
    /// `cycle` counts only with hints off: a request to move pods in that cycle or later sends the pod to backoffQ.
    /// Source: spec, queue and cache 5.8, 11.1.
    ///
    /// # Errors
    ///
    /// A pod of its name waits already; that one stays where it is.
    pub fn add_unschedulable_if_not_present<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        info: QueuedPodInfo,
        cycle: i64,
    ) -> Result<(), AlreadyQueued> {
        let pod = info.pod.clone();
        let result = self.return_pod(call, info, cycle);
        match result {
            Ok(()) => drop(self.end_flight(call, &pod.reference.uid)),
            Err(_) => self.done(call, &pod.reference.uid),
        }
        result
    }

    /// The attempt of a pod is over, and it does not come back: it is bound, gone, or on its way.
    ///
    /// Nothing when it is not in flight, so it may be called twice. Source: spec, queue and cache 4, 8.2.
    pub fn done<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, uid: &str) {
        if let Some(ended) = self.end_flight(call, uid) {
            let reference = &ended.pod.reference;
            if self.place_of(reference) == Place::Nowhere {
                let mut info = QueuedPodInfo::new(ended.pod.clone(), call.now, 0);
                info.attempts = ended.attempts;
                call.moved(&info, Place::InFlight, Place::Nowhere, MoveCause::Done);
            }
        }
    }

    /// Stops: no flush runs any more, and nothing is in flight.
    pub fn close<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) {
        let uids: Vec<Arc<str>> = self
            .in_flight
            .pods()
            .map(|flying| flying.pod.reference.uid.clone())
            .collect();
        for uid in uids {
            self.done(call, &uid);
        }
        self.is_closed = true;
    }

    /// The head of activeQ, or of backoffQ when that is empty and may be popped from. After an error the backoff is
    /// always waited for.
    fn poppable(&self) -> Option<SlotId> {
        let early = self
            .backoff
            .peek()
            .filter(|_| self.options.pop_from_backoff_q);
        self.active.peek().or(early)
    }

    /// Takes a pod out for its attempt. `None` when a pod with its UID is in flight already: this one is dropped.
    fn launch<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
    ) -> Option<QueuedPodInfo> {
        self.catch_up(call.now);
        let (info, from) = self.take(call, slot);
        let cause = if from == Place::Active {
            MoveCause::Popped
        } else {
            call.incoming(Place::Active, &ClusterEvent::POP_FROM_BACKOFF_Q);
            MoveCause::PoppedFromBackoff
        };
        let mut info = Arc::unwrap_or_clone(info);
        info.attempts = info.attempts.saturating_add(1);
        call.moved(&info, from, Place::InFlight, cause);
        if self.options.queueing_hints {
            if self.in_flight.get(&info.pod.reference.uid).is_some() {
                call.trouble(&["the same pod is tracked in multiple places in the scheduler"]);
                return None;
            }
            self.in_flight.start(InFlightPod {
                pod: info.pod.clone(),
                attempts: info.attempts,
            });
            call.inflight_event(None, 1);
        }
        self.scheduling_cycle += 1;
        call.unschedulable_pods(&info, -1);
        Some(info)
    }

    fn return_pod<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        mut info: QueuedPodInfo,
        cycle: i64,
    ) -> Result<(), AlreadyQueued> {
        self.check_absent(&info.pod.reference)?;
        self.catch_up(call.now);
        if info.has_no_rejector() {
            info.consecutive_errors_count = info.consecutive_errors_count.saturating_add(1);
        } else {
            info.unschedulable_count = info.unschedulable_count.saturating_add(1);
            info.consecutive_errors_count = 0;
        }
        info.timestamp = call.now;
        info.sequence = self.next_sequence();
        info.backoff_expiration = self.options.backoff_expiration(&info);
        info.was_flushed_from_unschedulable = false;
        call.unschedulable_pods(&info, 1);
        let info = Arc::new(info);
        if self.options.queueing_hints {
            self.requeue_after_attempt(call, &info);
        } else {
            self.requeue_by_cycle(call, &info, cycle);
        }
        Ok(())
    }

    fn check_absent(&self, pod: &PodRef) -> Result<(), AlreadyQueued> {
        let Some(slot) = self.entries.find(&pod.namespace, &pod.name) else {
            return Ok(());
        };
        let place = match self.entries.at(slot).place {
            Place::Active => "the active queue",
            Place::Backoff | Place::ErrorBackoff => "the backoff queue",
            _ => "unschedulable queue",
        };
        Err(AlreadyQueued {
            pod: pod.clone(),
            place,
        })
    }

    fn requeue_after_attempt<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        info: &Arc<QueuedPodInfo>,
    ) {
        let is_flying = self.in_flight.get(&info.pod.reference.uid).is_some();
        let (verdict, event) = if info.has_no_rejector() || self.is_in_group(&info.pod) {
            (Verdict::of(Strategy::AfterBackoff), None)
        } else {
            let decided = self.hints.decide_in_flight(call, info, &self.in_flight);
            decided.unwrap_or_else(|| {
                call.trouble(&[
                    "the pod came back although it was not in flight: ",
                    &info.pod.reference.namespace,
                    "/",
                    &info.pod.reference.name,
                ]);
                (Verdict::of(Strategy::AfterBackoff), None)
            })
        };
        let cause = event.map_or(MoveCause::AttemptFailed, |event| MoveCause::Event {
            event,
            plugin: verdict.plugin,
            was_in_flight: true,
        });
        let from = if is_flying {
            Place::InFlight
        } else {
            Place::Nowhere
        };
        let slot = self.entries.find_or_insert(info, from);
        let step = failed(cause);
        self.requeue(call, slot, info.clone(), verdict.strategy, step);
    }

    /// Hints off: nobody knows what happened during the attempt, only whether anything did.
    fn requeue_by_cycle<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        info: &Arc<QueuedPodInfo>,
        cycle: i64,
    ) {
        let slot = self.entries.find_or_insert(info, Place::InFlight);
        let step = failed(MoveCause::AttemptFailed);
        if self.move_request_cycle >= cycle || info.has_no_rejector() {
            self.move_to_backoff_q(call, slot, info.clone(), step);
        } else {
            self.requeue(call, slot, info.clone(), Strategy::Skip, step);
        }
    }

    fn is_in_group(&self, pod: &PodInfo) -> bool {
        self.options.generic_workload && pod.pod.spec.scheduling_group.is_some()
    }

    fn end_flight<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        uid: &str,
    ) -> Option<InFlightPod> {
        let ended = self.in_flight.end(uid)?;
        call.inflight_event(None, -1);
        for event in &ended.forgotten {
            call.inflight_event(Some(event), -1);
        }
        Some(ended.pod)
    }
}

/// The step of a pod that comes back.
const fn failed(cause: MoveCause) -> Step {
    Step {
        event: ClusterEvent::SCHEDULE_ATTEMPT_FAILURE,
        origin: Origin::Elsewhere,
        cause,
    }
}
