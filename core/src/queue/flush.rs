//! What time alone moves: ended backoffs, and pods that nothing has helped for too long.

use alloc::sync::Arc;

use crate::framework::cluster_event::ClusterEvent;
use crate::framework::trace::{MoveCause, Observer, Place};
use crate::time::{Span, Timestamp};

use super::SchedulingQueue;
use super::call::QueueCall;
use super::entries::SlotId;
use super::events::Trigger;
use super::moves::{Origin, Step};
use super::options::QueueOptions;
use super::queued_pod::QueuedPodInfo;

/// Up to which instant each flush has run, or had nothing to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flushed {
    backoff: Timestamp,
    unschedulable: Timestamp,
}

impl Flushed {
    /// A queue that starts empty: both flushes have nothing to do yet.
    pub(super) fn at_start(options: &QueueOptions) -> Self {
        Self {
            backoff: Beat::of_backoff(options).last_at(options.started_at),
            unschedulable: options.started_at,
        }
    }
}

/// The instants at which a flush runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat {
    /// One of them.
    pub(super) origin: Timestamp,
    /// From one to the next.
    pub(super) period: Span,
}

impl Beat {
    /// Whole seconds of the host's clock where backoffs end at whole seconds, else seconds from the start.
    const fn of_backoff(options: &QueueOptions) -> Self {
        Self {
            origin: if options.pop_from_backoff_q {
                Timestamp::ZERO
            } else {
                options.started_at
            },
            period: Span::SECOND,
        }
    }

    const fn of_unschedulable(options: &QueueOptions) -> Self {
        Self {
            origin: options.started_at,
            period: Span::from_secs(30),
        }
    }

    /// The last beat that is not after `instant`.
    pub(super) fn last_at(self, instant: Timestamp) -> Timestamp {
        let into = instant
            .since(self.origin)
            .as_micros()
            .rem_euclid(self.period.as_micros());
        instant - Span::from_micros(into)
    }

    /// The first beat after `instant`.
    pub(super) fn after(self, instant: Timestamp) -> Timestamp {
        self.last_at(instant) + self.period
    }
}

impl SchedulingQueue {
    /// Starts the timers at this instant instead of the one in the options: kube-scheduler's `Run`. The queue is empty.
    pub fn run(&mut self, now: Timestamp) {
        self.options.started_at = now;
        self.flushed = Flushed::at_start(&self.options);
    }

    /// Runs the flushes that are due: backoff each second, unschedulablePods each 30 s.
    ///
    /// A host that comes late gets what the last beat would have done, at its own instant.
    /// Source: spec, queue and cache 3.3.
    pub fn on_tick<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) {
        if self.is_closed {
            return;
        }
        let beat = Beat::of_backoff(&self.options).last_at(call.now);
        if beat > self.flushed.backoff {
            self.flushed.backoff = beat;
            self.flush_backoff_q(call, beat);
        }
        let beat = Beat::of_unschedulable(&self.options).last_at(call.now);
        if beat > self.flushed.unschedulable {
            self.flushed.unschedulable = beat;
            self.flush_unschedulable_pods(call, beat);
        }
    }

    /// Moves every pod whose backoff is over to activeQ: first those that plugins rejected, then those after an error.
    pub fn flush_backoff_q_completed<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) {
        self.flush_backoff_q(call, call.now);
    }

    fn flush_backoff_q<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, beat: Timestamp) {
        for place in [Place::Backoff, Place::ErrorBackoff] {
            while let Some(slot) = self.ended_backoff(place, beat) {
                let info = self.entries.at(slot).info.clone();
                let step = Step {
                    event: ClusterEvent::BACKOFF_COMPLETE,
                    origin: Origin::Backoff,
                    cause: MoveCause::BackoffComplete,
                };
                self.move_to_active_q(call, slot, info, step);
            }
        }
    }

    /// Offers every pod that has been in unschedulablePods for too long to the wildcard.
    ///
    /// QUIRK: a gated pod stays, but counts as flushed when it is scheduled one day; and once there is one, each flush
    /// counts as a reason to retry for the pods that are in flight at that instant.
    pub fn flush_unschedulable_pods_leftover<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) {
        self.flush_unschedulable_pods(call, call.now);
    }

    fn flush_unschedulable_pods<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        beat: Timestamp,
    ) {
        let limit = beat - self.options.max_in_unschedulable;
        let late = self.unschedulable.older_than(limit);
        if late.is_empty() && !self.unschedulable.has_overdue() {
            return;
        }
        for slot in &late {
            self.mark_flushed(call, *slot);
        }
        let trigger = Trigger {
            event: ClusterEvent::UNSCHEDULABLE_TIMEOUT,
            old: None,
            new: None,
        };
        self.move_pods(call, &late, &trigger);
    }

    /// When [`SchedulingQueue::on_tick`] has something to do next.
    ///
    /// Instants at which a flush would find nothing are left out, so a queue in which nothing can change asks for none.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        if self.is_closed {
            return None;
        }
        let deadlines = [self.backoff_deadline(), self.unschedulable_deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// When the flush of backoffQ lets go of a pod there, unless it is popped, activated or deleted before: the first beat
    /// after its backoff is over.
    #[must_use]
    pub fn backoff_release(&self, info: &QueuedPodInfo) -> Timestamp {
        let beat = Beat::of_backoff(&self.options);
        let next = beat.after(self.flushed.backoff);
        info.backoff_expiration
            .map_or(next, |expiry| next.max(beat.after(expiry)))
    }

    /// Takes flushes that moved nothing until now as run. Without this a pod that enters a long idle queue would be
    /// flushed by a beat that was over before it came.
    pub(super) fn catch_up(&mut self, now: Timestamp) {
        if self.backoff_deadline().is_none_or(|due| due > now) {
            let beat = Beat::of_backoff(&self.options).last_at(now);
            self.flushed.backoff = self.flushed.backoff.max(beat);
        }
        let beat = Beat::of_unschedulable(&self.options).last_at(now);
        let is_idle = self.unschedulable_deadline().is_none_or(|due| due > now);
        if is_idle && beat > self.flushed.unschedulable {
            self.flushed.unschedulable = beat;
            // Such a flush finds pods that are late, moves none, and is a request to move pods all the same.
            if self.unschedulable.has_overdue() {
                self.move_request_cycle = self.scheduling_cycle;
            }
        }
    }

    fn backoff_deadline(&self) -> Option<Timestamp> {
        let heads = [self.backoff.peek(), self.error_backoff.peek()];
        let heads = heads.into_iter().flatten();
        heads
            .map(|slot| self.backoff_release(self.entries.info(slot)))
            .min()
    }

    fn unschedulable_deadline(&self) -> Option<Timestamp> {
        let beat = Beat::of_unschedulable(&self.options);
        let next = beat.after(self.flushed.unschedulable);
        if self.unschedulable.has_overdue() && !self.in_flight.is_empty() {
            return Some(next);
        }
        self.unschedulable
            .oldest()
            .map(|oldest| next.max(beat.after(oldest + self.options.max_in_unschedulable)))
    }

    /// The head of a backoff heap if its backoff is over.
    fn ended_backoff(&self, place: Place, now: Timestamp) -> Option<SlotId> {
        let heap = match place {
            Place::Backoff => &self.backoff,
            _ => &self.error_backoff,
        };
        heap.peek()
            .filter(|slot| !self.options.is_backing_off(self.entries.info(*slot), now))
    }

    fn mark_flushed<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, slot: SlotId) {
        let entry = self.entries.at(slot);
        let place = entry.place;
        let mut info = entry.info.clone();
        Arc::make_mut(&mut info).was_flushed_from_unschedulable = true;
        let event = ClusterEvent::UNSCHEDULABLE_TIMEOUT;
        self.settle(
            call,
            slot,
            info,
            place,
            &event,
            MoveCause::UnschedulableTimeout,
        );
    }
}
