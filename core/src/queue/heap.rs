//! A binary heap of slots that knows where each slot is.
//!
//! It sifts as Go's `container/heap` documents it, so that pods which neither of two orders before the other leave it in
//! the order in which they leave kube-scheduler's.

use alloc::vec::Vec;

use super::entries::SlotId;

/// Whether the first slot goes before the second.
pub(super) type Less<'a> = &'a dyn Fn(SlotId, SlotId) -> bool;

/// Slots, the first at the top.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    order: Vec<SlotId>,
    /// By slot, where it is in `order`; [`ABSENT`] for slots that are not here.
    places: Vec<usize>,
}

impl Heap {
    /// Puts a slot in that is not here yet.
    pub(super) fn push(&mut self, slot: SlotId, less: Less<'_>) {
        let last = self.order.len();
        self.order.push(slot);
        if self.places.len() <= slot.as_usize() {
            self.places.resize(slot.as_usize() + 1, ABSENT);
        }
        self.set_place(slot, last);
        self.up(last, less);
    }

    /// Takes a slot out; whether it was here.
    ///
    /// Go's `Pop` is its `Remove` of the top; a sift up from there does nothing.
    pub(super) fn remove(&mut self, slot: SlotId, less: Less<'_>) -> bool {
        let Some(at) = self.place(slot) else {
            return false;
        };
        let last = self.order.len() - 1;
        if at != last {
            self.swap(at, last);
            if !self.down(at, last, less) {
                self.up(at, less);
            }
        }
        self.order.pop();
        self.set_place(slot, ABSENT);
        true
    }

    /// Puts a slot where it belongs after what it is ordered by has changed.
    pub(super) fn fix(&mut self, slot: SlotId, less: Less<'_>) {
        if let Some(at) = self.place(slot)
            && !self.down(at, self.order.len(), less)
        {
            self.up(at, less);
        }
    }

    /// The first slot.
    pub(super) fn peek(&self) -> Option<SlotId> {
        self.order.first().copied()
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Every slot in the order of the heap's layout.
    pub(super) fn iter(&self) -> impl Iterator<Item = SlotId> + '_ {
        self.order.iter().copied()
    }

    fn up(&mut self, mut at: usize, less: Less<'_>) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !less(self.slot(at), self.slot(parent)) {
                break;
            }
            self.swap(parent, at);
            at = parent;
        }
    }

    /// Sinks within the first `end` positions; whether it moved.
    fn down(&mut self, from: usize, end: usize, less: Less<'_>) -> bool {
        let mut at = from;
        loop {
            let left = 2 * at + 1;
            if left >= end {
                break;
            }
            let right = left + 1;
            let takes_right = right < end && less(self.slot(right), self.slot(left));
            let child = if takes_right { right } else { left };
            if !less(self.slot(child), self.slot(at)) {
                break;
            }
            self.swap(at, child);
            at = child;
        }
        at > from
    }

    fn swap(&mut self, one: usize, two: usize) {
        self.order.swap(one, two);
        self.set_place(self.slot(one), one);
        self.set_place(self.slot(two), two);
    }

    fn slot(&self, at: usize) -> SlotId {
        *self
            .order
            .get(at)
            .expect("sifting stays within the heap's length")
    }

    fn place(&self, slot: SlotId) -> Option<usize> {
        let place = self.places.get(slot.as_usize()).copied()?;
        (place != ABSENT).then_some(place)
    }

    fn set_place(&mut self, slot: SlotId, at: usize) {
        if let Some(place) = self.places.get_mut(slot.as_usize()) {
            *place = at;
        }
    }
}

const ABSENT: usize = usize::MAX;

#[cfg(test)]
mod tests;
