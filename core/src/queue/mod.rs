//! Which pod is tried next, and what makes a waiting pod worth another try.
//!
//! A pod without a node waits in one of four places: activeQ (to be tried), backoffQ (left alone for a while; pods after
//! an error in a heap of their own), unschedulablePods (until something happens that could help), and there also when a
//! plugin gates it. While it is tried it is in flight, and what happens meanwhile is kept for its return.
//!
//! | File | Answers |
//! |---|---|
//! | `options` | how the queue behaves; how long a backoff is |
//! | `call` | what each operation is given, and how it tells |
//! | `attempt` | popped, in flight, back again |
//! | `events` | what happened, and which pods it moves |
//! | `hints` | whether what happened could help a pod |
//! | `flush` | what time alone moves, and when |
//! | `moves` | how a pod gets from one place to another |
//! | `view` | what the queue looks like from outside |
//! | `entries`, `heap`, `unschedulable`, `in_flight` | how it is kept |
//! | `nominator` | which node is promised to which pod |
//! | `legacy` | how all this was before plugins judged events |
//!
//! Invariants: a name waits in one place at most; each change of place is told once, with its cause; order never
//! depends on where something lies in memory. One thread owns the queue, so there are no locks, and popping an empty
//! queue is not waiting but `None`.
//!
//! It deliberately does not know why an attempt failed beyond the names of the plugins that rejected the pod, nor what a
//! node is.

mod attempt;
mod call;
mod entries;
mod events;
mod flush;
mod heap;
mod hints;
mod in_flight;
mod legacy;
mod moves;
mod nominator;
mod options;
mod queued_pod;
mod unschedulable;
mod view;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Object, Pod};
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::events_of;
use crate::framework::profiles::Profiles;
use crate::framework::status::PluginName;
use crate::framework::trace::{MoveCause, Observer, Place};
use crate::snapshot::{PodInfo, PodRef};

use entries::{Entries, SlotId};
use events::Trigger;
use flush::Flushed;
use heap::Heap;
use hints::{HintMap, Strategy};
use in_flight::InFlight;
use moves::{Origin, Step};
use nominator::Nominator;
use unschedulable::UnschedulablePods;

pub use call::QueueCall;
pub use legacy::{LegacyQueue, QueueClosed};
pub use options::QueueOptions;
pub use queued_pod::QueuedPodInfo;

/// Pods that have no node: kube-scheduler's `SchedulingQueue` (its `PriorityQueue`).
///
/// A clone shares pods and copies only the order they stand in.
#[derive(Clone, Debug)]
pub struct SchedulingQueue {
    options: QueueOptions,
    hints: Arc<HintMap>,
    entries: Entries,
    active: Heap,
    backoff: Heap,
    error_backoff: Heap,
    unschedulable: UnschedulablePods,
    in_flight: InFlight,
    nominator: Nominator,
    scheduling_cycle: i64,
    /// The cycle of the last request to move pods; read only with hints off.
    move_request_cycle: i64,
    flushed: Flushed,
    sequence: u64,
    is_closed: bool,
}

impl SchedulingQueue {
    /// An empty queue for these profiles.
    #[must_use]
    pub fn new(options: QueueOptions, profiles: &Profiles) -> Self {
        Self {
            options,
            hints: Arc::new(HintMap::new(&options, profiles)),
            entries: Entries::default(),
            active: Heap::default(),
            backoff: Heap::default(),
            error_backoff: Heap::default(),
            unschedulable: UnschedulablePods::default(),
            in_flight: InFlight::default(),
            nominator: Nominator::default(),
            scheduling_cycle: 0,
            move_request_cycle: -1,
            flushed: Flushed::at_start(&options),
            sequence: 0,
            is_closed: false,
        }
    }

    /// A pod without a node came.
    ///
    /// Source: spec, queue and cache 5.5.
    pub fn add<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Arc<Pod>) {
        let event = ClusterEvent::UNSCHEDULABLE_POD_ADD;
        self.enter(call, pod, event, MoveCause::Created);
    }

    /// A pod without a node changed.
    ///
    /// In activeQ and backoffQ it stays, in its new order. In unschedulablePods its change is an event like others, asked
    /// of its rejectors. While it is tried, the change is kept for its return. Source: spec, queue and cache 5.6.
    pub fn update<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        old: Option<&Arc<Pod>>,
        new: &Arc<Pod>,
    ) {
        if self.options.queueing_hints && self.in_flight.get(&new.metadata.uid).is_some() {
            self.keep_update(call, old, new);
            return;
        }
        let metadata = &new.metadata;
        let slot = self.entries.find(&metadata.namespace, &metadata.name);
        let place = slot.map(|slot| self.entries.at(slot).place);
        match (slot, place) {
            (Some(slot), Some(Place::Active | Place::Backoff | Place::ErrorBackoff))
                if old.is_some() =>
            {
                self.refresh(call, slot, old, new);
            }
            (Some(slot), Some(Place::Unschedulable | Place::Gated)) => {
                self.update_parked(call, slot, old, new);
            }
            _ => {
                let event = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
                let cause = MoveCause::Updated {
                    event,
                    plugin: None,
                };
                self.enter(call, new, event, cause);
            }
        }
    }

    /// A pod went, or got a node from somebody else. That it is in flight is not changed by it.
    ///
    /// Source: spec, queue and cache 5.7.
    pub fn delete<O: Observer>(&mut self, call: &mut QueueCall<'_, O>, pod: &Pod) {
        self.nominator.delete(&pod.metadata.uid);
        let metadata = &pod.metadata;
        let Some(slot) = self.entries.find(&metadata.namespace, &metadata.name) else {
            return;
        };
        let (info, from) = self.take(call, slot);
        if matches!(from, Place::Unschedulable | Place::Gated) {
            call.unschedulable_pods(&info, -1);
        }
        call.moved(&info, from, Place::Nowhere, MoveCause::Deleted);
    }

    /// A pod that waits nowhere comes in.
    fn enter<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        pod: &Arc<Pod>,
        event: ClusterEvent,
        cause: MoveCause,
    ) {
        let sequence = self.next_sequence();
        let pod = Arc::new(PodInfo::new(pod.clone()));
        let info = Arc::new(QueuedPodInfo::new(pod, call.now, sequence));
        let slot = self.entries.find_or_insert(&info, Place::Nowhere);
        let step = Step {
            event,
            origin: Origin::Elsewhere,
            cause,
        };
        self.move_to_active_q(call, slot, info, step);
    }

    /// Puts the new version of a waiting pod in the place of the old one.
    fn refresh<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        old: Option<&Arc<Pod>>,
        new: &Arc<Pod>,
    ) -> Arc<QueuedPodInfo> {
        let entry = self.entries.at(slot);
        let place = entry.place;
        let mut info = entry.info.clone();
        let pod = Arc::new(info.pod.with_pod(new.clone()));
        Arc::make_mut(&mut info).pod = pod.clone();
        let event = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
        let cause = MoveCause::Updated {
            event,
            plugin: None,
        };
        self.settle(call, slot, info.clone(), place, &event, cause);
        self.nominator
            .update(call.listers, old.map(AsRef::as_ref), &pod);
        info
    }

    fn update_parked<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        old: Option<&Arc<Pod>>,
        new: &Arc<Pod>,
    ) {
        let info = self.refresh(call, slot, old, new);
        if !self.options.queueing_hints {
            if old.is_none_or(|old| events_of::is_pod_updated(old, new)) {
                let event = ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
                let step = updated(event, None);
                self.requeue(call, slot, info, Strategy::AfterBackoff, step);
            }
            return;
        }
        let before = old.map(|old| Object::Pod(old.clone()));
        let after = Object::Pod(new.clone());
        for event in update_events(old, new) {
            let trigger = Trigger {
                event,
                old: before.as_ref(),
                new: Some(&after),
            };
            let info = self.entries.at(slot).info.clone();
            let verdict = self.hints.is_pod_worth_requeuing(call, &info, &trigger);
            if verdict.strategy == Strategy::Skip {
                continue;
            }
            let step = updated(event, verdict.plugin);
            let place = self.requeue(call, slot, info, verdict.strategy, step);
            let is_settled = match place {
                Place::Active => true,
                Place::Backoff | Place::ErrorBackoff => self.options.pop_from_backoff_q,
                _ => false,
            };
            if is_settled {
                break;
            }
        }
    }

    fn keep_update<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        old: Option<&Arc<Pod>>,
        new: &Arc<Pod>,
    ) {
        let before = old.map(|old| Object::Pod(old.clone()));
        let after = Object::Pod(new.clone());
        for event in update_events(old, new) {
            let trigger = Trigger {
                event,
                old: before.as_ref(),
                new: Some(&after),
            };
            self.keep_for_in_flight(call, &trigger);
        }
    }

    const fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
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

/// The step of a pod whose own change moved it.
const fn updated(event: ClusterEvent, plugin: Option<PluginName>) -> Step {
    Step {
        event,
        origin: Origin::Elsewhere,
        cause: MoveCause::Updated { event, plugin },
    }
}

fn update_events(old: Option<&Arc<Pod>>, new: &Pod) -> Vec<ClusterEvent> {
    old.map_or_else(
        || alloc::vec![ClusterEvent::UNSCHEDULABLE_POD_UPDATE],
        |old| events_of::pod_update(old, new),
    )
}

#[cfg(test)]
mod tests;
