//! Pods whose attempt is under way, and what happened meanwhile.
//!
//! One list holds both in the order of arrival: a pod that comes back looks at the events behind its own marker.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Object;
use crate::framework::cluster_event::ClusterEvent;
use crate::snapshot::PodInfo;

/// A pod in flight.
#[derive(Clone, Debug)]
pub(super) struct InFlightPod {
    /// The pod as it was popped.
    pub(super) pod: Arc<PodInfo>,
    /// Which attempt of it.
    pub(super) attempts: u32,
}

/// Something that happened while pods were in flight.
#[derive(Clone, Debug)]
pub(super) struct InFlightEvent {
    /// What.
    pub(super) event: ClusterEvent,
    /// The object before.
    pub(super) old: Option<Object>,
    /// The object after.
    pub(super) new: Option<Object>,
}

/// Markers of pods and events, mixed.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight {
    markers: BTreeMap<Arc<str>, u64>,
    list: BTreeMap<u64, Item>,
    next: u64,
}

#[derive(Clone, Debug)]
enum Item {
    Pod(InFlightPod),
    Event(InFlightEvent),
}

/// What the end of an attempt leaves.
#[derive(Debug)]
pub(super) struct Ended {
    /// The pod.
    pub(super) pod: InFlightPod,
    /// Events that nobody in flight needs any more.
    pub(super) forgotten: Vec<ClusterEvent>,
}

impl InFlight {
    /// The attempt of a pod begins. The pod is not in flight yet.
    pub(super) fn start(&mut self, pod: InFlightPod) {
        self.markers
            .insert(pod.pod.reference.uid.clone(), self.next);
        self.append(Item::Pod(pod));
    }

    /// Keeps an event for the pods in flight; whether there are any.
    pub(super) fn keep(&mut self, event: InFlightEvent) -> bool {
        if self.markers.is_empty() {
            return false;
        }
        self.append(Item::Event(event));
        true
    }

    /// The attempt of a pod is over: forgets it, and events at the front that no pod is waiting behind.
    pub(super) fn end(&mut self, uid: &str) -> Option<Ended> {
        let marker = self.markers.remove(uid)?;
        let Some(Item::Pod(pod)) = self.list.remove(&marker) else {
            unreachable!("a marker's number is that of its pod");
        };
        let mut forgotten = Vec::new();
        while let Some(first) = self.list.first_entry() {
            let Item::Event(stale) = first.get() else {
                break;
            };
            forgotten.push(stale.event);
            first.remove();
        }
        Some(Ended { pod, forgotten })
    }

    /// A pod in flight.
    pub(super) fn get(&self, uid: &str) -> Option<&InFlightPod> {
        match self.list.get(self.markers.get(uid)?) {
            Some(Item::Pod(pod)) => Some(pod),
            _ => None,
        }
    }

    /// What happened since the attempt of a pod began; `None` when it is not in flight.
    pub(super) fn events_since(&self, uid: &str) -> Option<impl Iterator<Item = &InFlightEvent>> {
        let marker = self.markers.get(uid)?;
        let behind = self.list.range(marker..).map(|(_, item)| item);
        Some(behind.filter_map(|item| match item {
            Item::Event(event) => Some(event),
            Item::Pod(_) => None,
        }))
    }

    /// Pods in flight in the order in which they were popped.
    pub(super) fn pods(&self) -> impl Iterator<Item = &InFlightPod> {
        self.list.values().filter_map(|item| match item {
            Item::Pod(pod) => Some(pod),
            Item::Event(_) => None,
        })
    }

    /// Whether no pod is in flight.
    pub(super) fn is_empty(&self) -> bool {
        self.markers.is_empty()
    }

    fn append(&mut self, item: Item) {
        self.list.insert(self.next, item);
        self.next += 1;
    }
}
