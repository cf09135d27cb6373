//! What the queue looks like from outside.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::Write;

use crate::framework::profiles::Profiles;
use crate::framework::trace::Place;
use crate::order;
use crate::snapshot::{PodInfo, PodRef};

use super::SchedulingQueue;
use super::entries::SlotId;
use super::heap::Heap;
use super::moves::{backoff_goes_first, goes_first};
use super::queued_pod::QueuedPodInfo;

impl SchedulingQueue {
    /// How many pods have been popped.
    #[must_use]
    pub const fn scheduling_cycle(&self) -> i64 {
        self.scheduling_cycle
    }

    /// Whether [`SchedulingQueue::pop`] would return a pod.
    #[must_use]
    pub fn has_poppable(&self) -> bool {
        !self.active.is_empty() || (self.options.pop_from_backoff_q && !self.backoff.is_empty())
    }

    /// Where a pod is. A pod of the same name but of another UID is another pod.
    #[must_use]
    pub fn place_of(&self, pod: &PodRef) -> Place {
        let waiting = self
            .entries
            .find(&pod.namespace, &pod.name)
            .map(|slot| self.entries.at(slot))
            .filter(|entry| entry.info.pod.reference.uid == pod.uid);
        match waiting {
            Some(entry) => entry.place,
            None if self.in_flight.get(&pod.uid).is_some() => Place::InFlight,
            None => Place::Nowhere,
        }
    }

    /// A waiting pod, by namespace and name.
    #[must_use]
    pub fn get(&self, namespace: &str, name: &str) -> Option<&QueuedPodInfo> {
        let slot = self.entries.find(namespace, name)?;
        Some(self.entries.info(slot))
    }

    /// Every waiting pod (activeQ, backoffQ, unschedulablePods), and the sizes in kube-scheduler's words.
    #[must_use]
    pub fn pending_pods(&self) -> (Vec<Arc<PodInfo>>, String) {
        let slots = self
            .active
            .iter()
            .chain(self.backoff.iter())
            .chain(self.error_backoff.iter())
            .chain(self.unschedulable.iter());
        let pods = slots
            .map(|slot| self.entries.info(slot).pod.clone())
            .collect();
        let mut summary = String::new();
        // A string takes every write.
        let _ = write!(
            summary,
            "activeQ:{}; backoffQ:{}; unschedulablePods:{}",
            self.active.len(),
            self.backoff.len() + self.error_backoff.len(),
            self.unschedulable.len(),
        );
        (pods, summary)
    }

    /// Pods in activeQ in the order in which they would be popped. Cost: O(n log n).
    #[must_use]
    pub fn active_q(&self, profiles: &Profiles) -> Vec<&QueuedPodInfo> {
        let sort = profiles.first().queue_sort();
        self.sorted(&self.active, |one, two| {
            goes_first(&self.entries, sort, one, two)
        })
    }

    /// Pods in backoffQ that plugins rejected, in the order in which they would be popped. Cost: O(n log n).
    #[must_use]
    pub fn backoff_q(&self, profiles: &Profiles) -> Vec<&QueuedPodInfo> {
        let sort = profiles.first().queue_sort();
        let windows = self.options.pop_from_backoff_q;
        self.sorted(&self.backoff, |one, two| {
            backoff_goes_first(&self.entries, windows, sort, one, two)
        })
    }

    /// Pods in backoffQ after an error, by the end of their backoff. Cost: O(n log n).
    #[must_use]
    pub fn error_backoff_q(&self) -> Vec<&QueuedPodInfo> {
        self.sorted(&self.error_backoff, |one, two| {
            backoff_goes_first(&self.entries, false, None, one, two)
        })
    }

    /// Pods in unschedulablePods, gated ones included, in the order in which they came there.
    pub fn unschedulable_pods(&self) -> impl Iterator<Item = &QueuedPodInfo> {
        let slots = self.unschedulable.iter();
        slots.map(|slot| self.entries.info(slot))
    }

    /// Pods in flight, in the order in which they were popped. With hints off the queue does not know them.
    pub fn in_flight_pods(&self) -> impl Iterator<Item = &PodRef> {
        self.in_flight.pods().map(|flying| &flying.pod.reference)
    }

    fn sorted(&self, heap: &Heap, less: impl Fn(SlotId, SlotId) -> bool) -> Vec<&QueuedPodInfo> {
        let mut slots: Vec<SlotId> = heap.iter().collect();
        order::sort_by(&mut slots, |one, two| {
            match (less(*one, *two), less(*two, *one)) {
                (true, _) => Ordering::Less,
                (_, true) => Ordering::Greater,
                _ => Ordering::Equal,
            }
        });
        slots
            .into_iter()
            .map(|slot| self.entries.info(slot))
            .collect()
    }
}
