//! Every waiting pod once: what is known of it and where it is.
//!
//! The structures of the queue hold [`SlotId`]s; the pods themselves stand here. A name is taken by one pod at a time,
//! as in kube-scheduler, whose structures are keyed by namespace and name.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::Place;
use crate::snapshot::PodRef;

use super::queued_pod::QueuedPodInfo;

/// Where a waiting pod stands. Free numbers are given out again, so they say nothing about order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SlotId(pub(super) u32);

impl SlotId {
    pub(super) const fn as_usize(self) -> usize {
        self.0 as usize
    }
}

/// One waiting pod.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// What is known of it.
    pub(super) info: Arc<QueuedPodInfo>,
    /// Where it is. A pod on its way in has the place it comes from.
    pub(super) place: Place,
    /// Its number in unschedulablePods; it means nothing elsewhere.
    pub(super) parked: u64,
}

/// Waiting pods by slot, and slots by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    slots: Vec<Option<Entry>>,
    free: Vec<SlotId>,
    names: BTreeMap<Arc<str>, BTreeMap<Arc<str>, SlotId>>,
}

impl Entries {
    /// The slot of the pod with this name.
    pub(super) fn find(&self, namespace: &str, name: &str) -> Option<SlotId> {
        self.names.get(namespace)?.get(name).copied()
    }

    /// The slot of a pod with the same name, or a new one in which the pod comes from `from`.
    pub(super) fn find_or_insert(&mut self, info: &Arc<QueuedPodInfo>, from: Place) -> SlotId {
        let PodRef {
            namespace, name, ..
        } = &info.pod.reference;
        if let Some(slot) = self.find(namespace, name) {
            return slot;
        }
        let entry = Entry {
            info: info.clone(),
            place: from,
            parked: 0,
        };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            let last = self.slots.len() - 1;
            SlotId(u32::try_from(last).expect("fewer than four billion pods wait"))
        });
        if let Some(place) = self.slots.get_mut(slot.as_usize()) {
            *place = Some(entry);
        }
        self.names
            .entry(namespace.clone())
            .or_default()
            .insert(name.clone(), slot);
        slot
    }

    /// Frees a slot and returns what stood there.
    pub(super) fn remove(&mut self, slot: SlotId) -> Entry {
        let entry = self
            .slots
            .get_mut(slot.as_usize())
            .and_then(Option::take)
            .expect("a slot is freed once");
        self.free.push(slot);
        let PodRef {
            namespace, name, ..
        } = &entry.info.pod.reference;
        if let Some(names) = self.names.get_mut(namespace) {
            names.remove(name);
            if names.is_empty() {
                self.names.remove(namespace);
            }
        }
        entry
    }

    /// What stands in a slot that some structure of the queue holds.
    pub(super) fn at(&self, slot: SlotId) -> &Entry {
        self.slots
            .get(slot.as_usize())
            .and_then(Option::as_ref)
            .expect("structures hold taken slots only")
    }

    /// The same, to be changed. The pod keeps its name.
    pub(super) fn at_mut(&mut self, slot: SlotId) -> &mut Entry {
        self.slots
            .get_mut(slot.as_usize())
            .and_then(Option::as_mut)
            .expect("structures hold taken slots only")
    }

    /// The pod in a slot.
    pub(super) fn info(&self, slot: SlotId) -> &QueuedPodInfo {
        &self.at(slot).info
    }
}
