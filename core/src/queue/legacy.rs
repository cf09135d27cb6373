//! The scheduling queue as it was in Kubernetes 1.21: what happens wakes every parked pod.
//!
//! No plugin registers anything, none gates a pod, and nothing is known of pods in flight: a request to move pods, of the
//! cycle in which a pod was tried or a later one, sends that pod to backoffQ when it comes back. Backoff counts attempts,
//! is over at the instant itself and is always waited for.
//!
//! Source: spec, queue and cache 11.2.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Pod;
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::events_of;
use crate::framework::trace::{MoveCause, Observer, Place};
use crate::snapshot::PodInfo;
use crate::time::{Span, Timestamp};

use super::AlreadyQueued;
use super::call::QueueCall;
use super::entries::{Entries, Entry, SlotId};
use super::flush::Beat;
use super::heap::{Heap, Less};
use super::moves::{backoff_goes_first, goes_first};
use super::nominator::Nominator;
use super::options::QueueOptions;
use super::queued_pod::QueuedPodInfo;

/// The scheduling queue of Kubernetes 1.21.
///
/// Of its options the backoffs and the start are read; a pod may wait in unschedulableQ for 60 s.
#[derive(Clone, Debug)]
pub struct LegacyQueue {
    options: QueueOptions,
    entries: Entries,
    active: Heap,
    backoff: Heap,
    /// Pods in unschedulableQ by the order in which they came.
    unschedulable: BTreeMap<u64, SlotId>,
    parked: u64,
    nominator: Nominator,
    scheduling_cycle: i64,
    move_request_cycle: i64,
    backoff_flushed: Timestamp,
    unschedulable_flushed: Timestamp,
    sequence: u64,
    is_closed: bool,
}

impl LegacyQueue {
    /// An empty queue.
    #[must_use]
    pub fn new(options: QueueOptions) -> Self {
        Self {
            options,
            entries: Entries::default(),
            active: Heap::default(),
            backoff: Heap::default(),
            unschedulable: BTreeMap::new(),
            parked: 0,
            nominator: Nominator::default(),
            scheduling_cycle: 0,
            move_request_cycle: -1,
            backoff_flushed: options.started_at,
            unschedulable_flushed: options.started_at,
            sequence: 0,
            is_closed: false,
        }
    }

    /// A pod without a node came: it goes to activeQ, wherever a pod of its name was.
    pub fn add<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Arc<Pod>) {
        self.enter(
            call,
            pod,
            ClusterEvent::UNSCHEDULABLE_POD_ADD,
            MoveCause::Created,
        );
    }

    /// The pod to try now; `None` while activeQ is empty.
    ///
    /// # Errors
    ///
    /// activeQ is empty, and the queue is closed.
    pub fn pop<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
    ) -> Result<Option<QueuedPodInfo>, QueueClosed> {
        let Some(slot) = self.active.peek() else {
            return if self.is_closed {
                Err(QueueClosed)
            } else {
                Ok(None)
            };
        };
        let info = self.take(call, slot);
        let mut info = Arc::unwrap_or_clone(info);
        info.attempts = info.attempts.saturating_add(1);
        self.scheduling_cycle += 1;
        call.moved(&info, Place::Active, Place::InFlight, MoveCause::Popped);
        Ok(Some(info))
    }

    /// How many pods have been popped.
    #[must_use]
    pub const fn scheduling_cycle(&self) -> i64 {
        self.scheduling_cycle
    }

    /// A pod comes back from an attempt that was made in `cycle`: to backoffQ if pods were asked to move since, else to
    /// unschedulableQ.
    ///
    /// # Errors
    ///
    /// A pod of its name waits already; that one stays where it is.
    pub fn add_unschedulable_if_not_present<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        mut info: QueuedPodInfo,
        cycle: i64,
    ) -> Result<(), AlreadyQueued> {
        let reference = &info.pod.reference;
        if let Some(slot) = self.entries.find(&reference.namespace, &reference.name) {
            let place = match self.entries.at(slot).place {
                Place::Active => "the active queue",
                Place::Backoff => "the backoff queue",
                _ => "unschedulable queue",
            };
            let pod = reference.clone();
            return Err(AlreadyQueued { pod, place });
        }
        self.sequence += 1;
        info.timestamp = call.now;
        info.sequence = self.sequence;
        info.backoff_expiration = Some(call.now + self.backoff_duration(info.attempts));
        let info = Arc::new(info);
        let slot = self.entries.find_or_insert(&info, Place::InFlight);
        let to = if self.move_request_cycle >= cycle {
            Place::Backoff
        } else {
            Place::Unschedulable
        };
        let event = ClusterEvent::SCHEDULE_ATTEMPT_FAILURE;
        self.nominator.add(call.listers, &info.pod, None);
        self.settle(call, slot, info, to, event, MoveCause::AttemptFailed);
        Ok(())
    }

    /// A pod without a node changed.
    ///
    /// In activeQ and backoffQ it stays. In unschedulableQ a change of more than its status moves it: to backoffQ while it
    /// backs off, else to activeQ.
    pub fn update<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        old: Option<&Arc<Pod>>,
        new: &Arc<Pod>,
    ) {
        let event = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
        let cause = MoveCause::Updated {
            event,
            plugin: None,
        };
        let metadata = &new.metadata;
        let Some(slot) = self.entries.find(&metadata.namespace, &metadata.name) else {
            return self.enter(call, new, event, cause);
        };
        let Entry { info, place, .. } = self.entries.at(slot).clone();
        let mut info = info;
        let pod = Arc::new(info.pod.with_pod(new.clone()));
        Arc::make_mut(&mut info).pod = pod.clone();
        let has_changed = old.is_none_or(|old| events_of::is_pod_updated(old, new));
        let to = match place {
            Place::Unschedulable if has_changed => self.awaited(&info, call.now),
            stays => stays,
        };
        self.settle(call, slot, info, to, event, cause);
        self.nominator
            .update(call.listers, old.map(AsRef::as_ref), &pod);
    }

    /// A pod went, or got a node from somebody else.
    pub fn delete<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Pod) {
        self.nominator.delete(&pod.metadata.uid);
        let metadata = &pod.metadata;
        if let Some(slot) = self.entries.find(&metadata.namespace, &metadata.name) {
            let from = self.entries.at(slot).place;
            let info = self.take(call, slot);
            call.moved(&info, from, Place::Nowhere, MoveCause::Deleted);
        }
    }

    /// Something happened: every pod in unschedulableQ moves, to backoffQ while it backs off, else to activeQ.
    pub fn move_all_to_active_or_backoff_queue<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        event: ClusterEvent,
    ) {
        let slots = self.unschedulable.values().copied().collect();
        self.move_pods(call, slots, event);
    }

    /// A pod got a node: those that want to be near it move.
    pub fn assigned_pod_added<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Pod) {
        self.move_near(call, pod, ClusterEvent::ASSIGNED_POD_ADD);
    }

    /// A pod that has a node changed: those that want to be near it move.
    pub fn assigned_pod_updated<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Pod) {
        self.move_near(call, pod, ClusterEvent::ASSIGNED_POD_UPDATE);
    }

    /// Every waiting pod: activeQ, backoffQ, unschedulableQ.
    #[must_use]
    pub fn pending_pods(&self) -> Vec<Arc<PodInfo>> {
        let slots = self.active.iter().chain(self.backoff.iter());
        slots
            .chain(self.unschedulable.values().copied())
            .map(|slot| self.entries.info(slot).pod.clone())
            .collect()
    }

    /// How many pods wait in unschedulableQ.
    #[must_use]
    pub fn num_unschedulable_pods(&self) -> usize {
        self.unschedulable.len()
    }

    /// The node that is promised to a pod.
    #[must_use]
    pub fn nominated_node(&self, uid: &str) -> Option<&Arc<str>> {
        self.nominator.node_of(uid)
    }

    /// A waiting pod and where it is, by namespace and name.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<(&QueuedPodInfo, Place)> {
        let entry = self.entries.at(self.entries.find(namespace, name)?);
        Some((&entry.info, entry.place))
    }

    /// Runs the flushes that are due: what the two timers behind `Run` do, each second and each 30 s from the start.
    pub fn on_tick<O: Observer>(&mut self, call: &mut QueueCall<'_, O>) {
        if self.is_closed {
            return;
        }
        let beat = self.beat(Span::SECOND).last_at(call.now);
        if beat > self.backoff_flushed {
            self.backoff_flushed = beat;
            while let Some(slot) = self.ended_backoff(beat) {
                let info = self.entries.at(slot).info.clone();
                let event = ClusterEvent::BACKOFF_COMPLETE;
                let cause = MoveCause::BackoffComplete;
                self.settle(call, slot, info, Place::Active, event, cause);
            }
        }
        let beat = self.beat(UNSCHEDULABLE_PERIOD).last_at(call.now);
        if beat > self.unschedulable_flushed {
            self.unschedulable_flushed = beat;
            let is_late = |slot: &SlotId| {
                let timestamp = self.entries.info(*slot).timestamp;
                beat.since(timestamp) > MAX_IN_UNSCHEDULABLE
            };
            let slots: Vec<SlotId> = self
                .unschedulable
                .values()
                .copied()
                .filter(is_late)
                .collect();
            if !slots.is_empty() {
                self.move_pods(call, slots, ClusterEvent::UNSCHEDULABLE_TIMEOUT);
            }
        }
    }

    /// When [`LegacyQueue::on_tick`] is due next; `None` while nothing waits in backoffQ or unschedulableQ.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        if self.is_closed {
            return None;
        }
        let next = self.beat(Span::SECOND).after(self.backoff_flushed);
        let backoff = (!self.backoff.is_empty()).then_some(next);
        let next = self
            .beat(UNSCHEDULABLE_PERIOD)
            .after(self.unschedulable_flushed);
        let unschedulable = (!self.unschedulable.is_empty()).then_some(next);
        backoff.into_iter().chain(unschedulable).min()
    }

    /// Stops the timers; [`LegacyQueue::pop`] fails once activeQ is empty.
    pub const fn close(&mut self) {
        self.is_closed = true;
    }

    fn enter<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &Arc<Pod>,
        event: ClusterEvent,
        cause: MoveCause,
    ) {
        self.sequence += 1;
        let pod = Arc::new(PodInfo::new(pod.clone()));
        let mut info = QueuedPodInfo::new(pod.clone(), call.now, self.sequence);
        info.initial_attempt_timestamp = Some(call.now);
        let info = Arc::new(info);
        let slot = self.entries.find_or_insert(&info, Place::Nowhere);
        if matches!(
            self.entries.at(slot).place,
            Place::Backoff | Place::Unschedulable
        ) {
            let name = &pod.reference;
            call.trouble(&[
                "pod ",
                &name.namespace,
                "/",
                &name.name,
                " waits elsewhere already",
            ]);
        }
        self.settle(call, slot, info, Place::Active, event, cause);
        self.nominator.add(call.listers, &pod, None);
    }

    fn move_near<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &Pod,
        event: ClusterEvent,
    ) {
        let labels = call.listers.namespace_labels(&pod.metadata.namespace);
        let wants = |slot: &SlotId| {
            let mut near = self.entries.info(*slot).pod.affinity.required.iter();
            near.any(|term| term.matches(pod, labels))
        };
        let slots = self.unschedulable.values().copied().filter(wants).collect();
        self.move_pods(call, slots, event);
    }

    fn move_pods<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slots: Vec<SlotId>,
        event: ClusterEvent,
    ) {
        for slot in slots {
            let info = self.entries.at(slot).info.clone();
            let to = self.awaited(&info, call.now);
            let cause = if event == ClusterEvent::UNSCHEDULABLE_TIMEOUT {
                MoveCause::UnschedulableTimeout
            } else {
                MoveCause::Event {
                    event,
                    plugin: None,
                    was_in_flight: false,
                }
            };
            self.settle(call, slot, info, to, event, cause);
        }
        self.move_request_cycle = self.scheduling_cycle;
    }

    /// Where a pod that is to be tried again waits: its backoff is over at the instant itself.
    fn awaited(&self, info: &QueuedPodInfo, now: Timestamp) -> Place {
        match info.backoff_expiration {
            Some(expiry) if expiry > now => Place::Backoff,
            _ => Place::Active,
        }
    }

    /// QUIRK: the maximum is looked at only when the wait is doubled, so a larger initial wait is kept for one attempt.
    fn backoff_duration(&self, attempts: u32) -> Span {
        let mut duration = self.options.initial_backoff;
        for _ in 1..attempts {
            duration += duration;
            if duration > self.options.max_backoff {
                return self.options.max_backoff;
            }
        }
        duration
    }

    fn ended_backoff(&self, beat: Timestamp) -> Option<SlotId> {
        self.backoff.peek().filter(|slot| {
            let expiry = self.entries.info(*slot).backoff_expiration;
            expiry.is_none_or(|expiry| expiry <= beat)
        })
    }

    /// A beat that was over before anybody waited for it is none that is missed.
    fn catch_up(&mut self, now: Timestamp) {
        if self.backoff.is_empty() {
            self.backoff_flushed = self.beat(Span::SECOND).last_at(now);
        }
        if self.unschedulable.is_empty() {
            self.unschedulable_flushed = self.beat(UNSCHEDULABLE_PERIOD).last_at(now);
        }
    }

    const fn beat(&self, period: Span) -> Beat {
        Beat {
            origin: self.options.started_at,
            period,
        }
    }

    /// Puts a pod where it goes: out of the queue where it was, counted and told.
    fn settle<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        info: Arc<QueuedPodInfo>,
        to: Place,
        event: ClusterEvent,
        cause: MoveCause,
    ) {
        let Entry {
            place: from,
            mut parked,
            ..
        } = *self.entries.at(slot);
        let stays = from == to;
        self.catch_up(call.now);
        if !stays {
            self.leave(call, slot, from, parked);
            if to == Place::Unschedulable {
                self.parked += 1;
                parked = self.parked;
                self.unschedulable.insert(parked, slot);
            }
        }
        *self.entries.at_mut(slot) = Entry {
            info: info.clone(),
            place: to,
            parked,
        };
        self.in_heap(call, to, |heap, less| {
            if stays {
                heap.fix(slot, less);
            } else {
                heap.push(slot, less);
            }
        });
        if !stays {
            call.pending_pods(to, 1);
            call.incoming(to, &event);
            call.moved(&info, from, to, cause);
        }
    }

    fn take<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
    ) -> Arc<QueuedPodInfo> {
        let Entry { place, parked, .. } = *self.entries.at(slot);
        self.leave(call, slot, place, parked);
        self.entries.remove(slot).info
    }

    fn leave<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        from: Place,
        parked: u64,
    ) {
        if from == Place::Unschedulable {
            self.unschedulable.remove(&parked);
        }
        self.in_heap(call, from, |heap, less| heap.remove(slot, less));
        call.pending_pods(from, -1);
    }

    fn in_heap<O: Observer, R>(
        &mut self,
        call: &QueueCall<'_, O>,
        place: Place,
        work: impl FnOnce(&mut Heap, Less<'_>) -> R,
    ) -> Option<R> {
        let entries = &self.entries;
        let sort = call.profiles.first().queue_sort();
        match place {
            Place::Active => Some(work(&mut self.active, &|one, two| {
                goes_first(entries, sort, one, two)
            })),
            Place::Backoff => Some(work(&mut self.backoff, &|one, two| {
                backoff_goes_first(entries, false, sort, one, two)
            })),
            _ => None,
        }
    }
}

/// Nothing more comes out of a queue that is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("scheduling queue is closed")]
pub struct QueueClosed;

/// How long a pod may wait in unschedulableQ.
const MAX_IN_UNSCHEDULABLE: Span = Span::from_secs(60);
/// From one look at unschedulableQ to the next.
const UNSCHEDULABLE_PERIOD: Span = Span::from_secs(30);
