//! How a pod gets from one place to another.
//!
//! [`SchedulingQueue::settle`] is the one function that changes a place; the others decide which place it is.

use alloc::sync::Arc;
use core::cmp::Ordering;

use crate::framework::cluster_event::ClusterEvent;
use crate::framework::extension::{QueuePlace, QueueSort};
use crate::framework::status::{Code, PluginName};
use crate::framework::trace::{MoveCause, Observer, Place, Record};
use crate::snapshot::PodRef;

use super::SchedulingQueue;
use super::call::QueueCall;
use super::entries::{Entries, Entry, SlotId};
use super::heap::{Heap, Less};
use super::hints::Strategy;
use super::queued_pod::QueuedPodInfo;

/// Why a pod moves, and how it comes.
#[derive(Debug)]
pub(super) struct Step {
    /// The event whose label the metrics get.
    pub(super) event: ClusterEvent,
    /// Where it comes from, as far as PreEnqueue cares.
    pub(super) origin: Origin,
    /// What the record says unless the pod is gated.
    pub(super) cause: MoveCause,
}

/// What matters of where a pod comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was taken out of backoffQ: it passed PreEnqueue on its way in if backoffQ can be popped from.
    Backoff,
    /// Any other place.
    Elsewhere,
}

impl SchedulingQueue {
    /// Runs PreEnqueue and notes who holds the pod; whether anybody does.
    ///
    /// Source: spec, queue and cache 5.1.
    fn run_pre_enqueue<O: Observer>(
        call: &mut QueueCall<'_, O>,
        info: &mut Arc<QueuedPodInfo>,
    ) -> bool {
        let context = call.context();
        let refusal = call.framework(&info.pod).and_then(|framework| {
            let status = framework.run_pre_enqueue(&context, &info.pod, info.gating_plugin);
            status.plugin.map(|plugin| (plugin, status))
        });
        call.pre_enqueue_metric(&info.pod);
        let Some((plugin, status)) = refusal else {
            if info.is_gated() {
                Arc::make_mut(info).gating_plugin = None;
            }
            return false;
        };
        if status.code == Code::Error {
            call.trouble(&["PreEnqueue of ", plugin.0, " failed: ", &status.message()]);
        }
        Self::gate(call, info, plugin);
        true
    }

    fn gate<O: Observer>(
        call: &mut QueueCall<'_, O>,
        info: &mut Arc<QueuedPodInfo>,
        plugin: PluginName,
    ) {
        if !info.unschedulable_plugins.contains(&plugin) && !info.pending_plugins.contains(&plugin)
        {
            call.unschedulable_pod(info, plugin, 1);
        }
        if info.gating_plugin != Some(plugin) || !info.unschedulable_plugins.contains(&plugin) {
            let gated = Arc::make_mut(info);
            gated.gating_plugin = Some(plugin);
            gated.unschedulable_plugins.insert(plugin);
        }
    }

    /// Moves a pod to activeQ, or to unschedulablePods when a plugin gates it. Returns where it is now.
    ///
    /// `info` is the pod as it should be; what stands in the slot may be an older pod of the same name.
    /// Source: spec, queue and cache 5.2.
    pub(super) fn move_to_active_q<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        mut info: Arc<QueuedPodInfo>,
        step: Step,
    ) -> Place {
        let is_checked = step.origin == Origin::Backoff && self.options.pop_from_backoff_q;
        if !is_checked && Self::run_pre_enqueue(call, &mut info) {
            return self.hold(call, slot, info, &step);
        }
        if info.initial_attempt_timestamp.is_none() {
            Arc::make_mut(&mut info).initial_attempt_timestamp = Some(call.now);
        }
        let pod = info.pod.clone();
        self.settle(call, slot, info, Place::Active, &step.event, step.cause);
        let is_about_the_pod = step.event == ClusterEvent::UNSCHEDULABLE_POD_ADD
            || step.event == ClusterEvent::UNSCHEDULABLE_POD_UPDATE;
        if is_about_the_pod {
            self.nominator.add(call.listers, &pod, None);
        }
        Place::Active
    }

    /// Moves a pod to backoffQ, or to unschedulablePods when a plugin gates it. Returns where it is now.
    ///
    /// Source: spec, queue and cache 5.3.
    pub(super) fn move_to_backoff_q<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        mut info: Arc<QueuedPodInfo>,
        step: Step,
    ) -> Place {
        if self.options.pop_from_backoff_q && Self::run_pre_enqueue(call, &mut info) {
            return self.hold(call, slot, info, &step);
        }
        let place = if info.has_no_rejector() {
            Place::ErrorBackoff
        } else {
            Place::Backoff
        };
        self.settle(call, slot, info, place, &step.event, step.cause);
        place
    }

    /// Applies a strategy. Returns where the pod is now.
    ///
    /// Source: spec, queue and cache 6.2.
    pub(super) fn requeue<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        info: Arc<QueuedPodInfo>,
        strategy: Strategy,
        step: Step,
    ) -> Place {
        match strategy {
            Strategy::Skip => {
                let place = parked_place(&info);
                self.settle(call, slot, info, place, &step.event, step.cause);
                place
            }
            Strategy::AfterBackoff if self.options.is_backing_off(&info, call.now) => {
                self.move_to_backoff_q(call, slot, info, step)
            }
            Strategy::AfterBackoff | Strategy::Immediately => {
                self.move_to_active_q(call, slot, info, step)
            }
        }
    }

    /// Puts a gated pod into unschedulablePods, unless a pod of its name is in activeQ or backoffQ already.
    fn hold<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        info: Arc<QueuedPodInfo>,
        step: &Step,
    ) -> Place {
        let place = self.entries.at(slot).place;
        let is_queued = matches!(place, Place::Active | Place::Backoff | Place::ErrorBackoff);
        if is_queued && step.origin != Origin::Backoff {
            return place;
        }
        let cause = info
            .gating_plugin
            .map_or_else(|| step.cause.clone(), |plugin| MoveCause::Gated { plugin });
        self.settle(call, slot, info, Place::Gated, &step.event, cause);
        Place::Gated
    }

    /// Puts a pod into a place: out of the structure where it was, into the one where it goes, counted and told.
    pub(super) fn settle<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
        info: Arc<QueuedPodInfo>,
        to: Place,
        event: &ClusterEvent,
        cause: MoveCause,
    ) {
        self.catch_up(call.now);
        let Entry {
            info: old,
            place: from,
            parked,
        } = self.entries.at(slot).clone();
        let stays = structure(from) == structure(to);
        let mut number = parked;
        if is_parked(from) {
            let has_profile = self.has_profile(&old);
            self.unschedulable.remove(parked, &old, has_profile);
        } else if !stays {
            self.in_heap(call, from, |heap, less| heap.remove(slot, less));
        }
        if is_parked(to) {
            if !stays {
                number = self.unschedulable.number();
            }
            let has_profile = self.has_profile(&info);
            self.unschedulable.insert(number, slot, &info, has_profile);
        }
        *self.entries.at_mut(slot) = Entry {
            info: info.clone(),
            place: to,
            parked: number,
        };
        self.in_heap(call, to, |heap, less| {
            if stays {
                heap.fix(slot, less);
            } else {
                heap.push(slot, less);
            }
        });
        if from != to {
            call.pending_pods(from, -1);
            call.pending_pods(to, 1);
        }
        if !stays && !is_backoff_swap(from, to) {
            call.incoming(to, event);
        }
        tell(call, (&old, from), (&info, to), cause);
    }

    /// Takes a pod out of wherever it is and returns what was known of it. The caller tells where it went.
    pub(super) fn take<O: Observer>(
        &mut self,
        call: &mut QueueCall<'_, O>,
        slot: SlotId,
    ) -> (Arc<QueuedPodInfo>, Place) {
        let Entry { place, parked, .. } = *self.entries.at(slot);
        if is_parked(place) {
            let info = &self.entries.at(slot).info;
            let has_profile = self.has_profile(info);
            self.unschedulable.remove(parked, info, has_profile);
        } else {
            self.in_heap(call, place, |heap, less| heap.remove(slot, less));
        }
        call.pending_pods(place, -1);
        (self.entries.remove(slot).info, place)
    }

    /// Works on the heap of a place, if it has one, with the order that rules there.
    fn in_heap<O: Observer, R>(
        &mut self,
        call: &QueueCall<'_, O>,
        place: Place,
        work: impl FnOnce(&mut Heap, Less<'_>) -> R,
    ) -> Option<R> {
        let entries = &self.entries;
        let sort = call.profiles.first().queue_sort();
        let windows = self.options.pop_from_backoff_q;
        match place {
            Place::Active => Some(work(&mut self.active, &|one, two| {
                goes_first(entries, sort, one, two)
            })),
            Place::Backoff => Some(work(&mut self.backoff, &|one, two| {
                backoff_goes_first(entries, windows, sort, one, two)
            })),
            Place::ErrorBackoff => Some(work(&mut self.error_backoff, &|one, two| {
                backoff_goes_first(entries, false, sort, one, two)
            })),
            Place::Nowhere | Place::Unschedulable | Place::Gated | Place::InFlight => None,
        }
    }

    fn has_profile(&self, info: &QueuedPodInfo) -> bool {
        self.hints.knows(&info.pod.pod.spec.scheduler_name)
    }
}

/// Whether the pod in one slot is popped from activeQ before that in another.
///
/// Pods that the QueueSort plugin does not tell apart go by sequence: see [`QueuedPodInfo::sequence`].
pub(super) fn goes_first(
    entries: &Entries,
    sort: Option<&dyn QueueSort>,
    one: SlotId,
    two: SlotId,
) -> bool {
    let (one, two) = (entries.info(one), entries.info(two));
    let place = |info| {
        let QueuedPodInfo { pod, timestamp, .. }: &QueuedPodInfo = info;
        QueuePlace {
            pod,
            timestamp: *timestamp,
        }
    };
    sort.map_or(Ordering::Equal, |sort| sort.compare(place(one), place(two)))
        .then(one.sequence.cmp(&two.sequence))
        .is_lt()
}

/// Whether the pod in one slot leaves backoffQ before that in another: by the end of the backoff, within one window as
/// in activeQ.
///
/// In the error heap, and where nobody pops from backoffQ, kube-scheduler does not order the pods of one instant; here
/// it is their sequence.
pub(super) fn backoff_goes_first(
    entries: &Entries,
    windows: bool,
    sort: Option<&dyn QueueSort>,
    one: SlotId,
    two: SlotId,
) -> bool {
    let ends = |slot| entries.info(slot).backoff_expiration;
    let sequence = |slot| entries.info(slot).sequence;
    match ends(one).cmp(&ends(two)) {
        Ordering::Equal if windows => goes_first(entries, sort, one, two),
        Ordering::Equal => sequence(one) < sequence(two),
        order => order.is_lt(),
    }
}

/// The structure behind a place: both halves of unschedulablePods are one.
const fn structure(place: Place) -> Place {
    match place {
        Place::Gated => Place::Unschedulable,
        other => other,
    }
}

const fn is_parked(place: Place) -> bool {
    matches!(place, Place::Unschedulable | Place::Gated)
}

/// A pod that changes heaps within backoffQ does not count as incoming.
const fn is_backoff_swap(from: Place, to: Place) -> bool {
    matches!(from, Place::Backoff | Place::ErrorBackoff)
        && matches!(to, Place::Backoff | Place::ErrorBackoff)
}

/// Where a pod of unschedulablePods counts.
pub(super) const fn parked_place(info: &QueuedPodInfo) -> Place {
    if info.is_gated() {
        Place::Gated
    } else {
        Place::Unschedulable
    }
}

/// Tells that a pod is in another place, or held by another plugin. A pod that took the place of an older one of its
/// name is told as the end of that one.
fn tell<O: Observer>(
    call: &mut QueueCall<'_, O>,
    (old, mut from): (&QueuedPodInfo, Place),
    (new, to): (&QueuedPodInfo, Place),
    cause: MoveCause,
) {
    if old.pod.reference.uid != new.pod.reference.uid {
        call.moved(old, from, Place::Nowhere, MoveCause::Deleted);
        from = Place::Nowhere;
    }
    if from != to || old.gating_plugin != new.gating_plugin {
        call.moved(new, from, to, cause);
    }
}

impl<O: Observer> QueueCall<'_, O> {
    /// Tells that a pod moved.
    pub(super) fn moved(&mut self, info: &QueuedPodInfo, from: Place, to: Place, cause: MoveCause) {
        let reference: &PodRef = &info.pod.reference;
        self.note(|| Record::Moved {
            pod: reference.clone(),
            from,
            to,
            cause,
            attempts: info.attempts,
            backoff_until: info.backoff_expiration,
        });
    }
}
