//! The nodes by name, and in the order in which they last changed.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::NodeIndex;
use crate::snapshot::NodeInfo;

use super::keyed::Keyed;

/// The place of a node in [`NodeList`], for as long as the node is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// A node of the cache; one whose object is absent is a ghost.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its name, which a ghost has too.
    pub(super) name: Arc<str>,
    /// Its state, shared with snapshots until it changes.
    pub(super) info: Arc<NodeInfo>,
    /// The count of changes of images at which its own counts were brought up to date.
    pub(super) images_seen: u64,
    /// The row in which a snapshot had it last: where to look first.
    pub(super) row: NodeIndex,
    newer: Option<Slot>,
    older: Option<Slot>,
}

/// Nodes by name, linked from the one that changed last to the one that has not changed for longest.
///
/// Whoever knows up to which generation he is informed walks from the head to there, so it costs him what changed.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeList {
    entries: Vec<Option<Entry>>,
    free: Vec<Slot>,
    by_name: Arc<Keyed<Slot>>,
    head: Option<Slot>,
    generation: u64,
}

impl NodeList {
    /// The place of a node; one that is not there is made, as a ghost.
    pub(super) fn slot_or_ghost(&mut self, name: &str) -> Slot {
        if let Some(slot) = self.slot(name) {
            return slot;
        }
        let name: Arc<str> = Arc::from(name);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            Slot(self.entries.len() - 1)
        });
        Arc::make_mut(&mut self.by_name).insert(name.clone(), slot);
        if let Some(place) = self.entries.get_mut(slot.0) {
            *place = Some(Entry {
                name,
                info: Arc::default(),
                images_seen: 0,
                row: NodeIndex::default(),
                newer: None,
                older: None,
            });
        }
        self.link(slot);
        slot
    }

    /// Changes a node: it gets the next generation and goes to the head.
    pub(super) fn change<R>(&mut self, slot: Slot, change: impl FnOnce(&mut NodeInfo) -> R) -> R {
        self.unlink(slot);
        self.link(slot);
        self.generation += 1;
        let generation = self.generation;
        let info = Arc::make_mut(&mut self.entry_mut(slot).info);
        info.generation = generation;
        change(info)
    }

    /// Forgets a node.
    pub(super) fn remove(&mut self, slot: Slot) {
        self.unlink(slot);
        if let Some(entry) = self.entries.get_mut(slot.0).and_then(Option::take) {
            Arc::make_mut(&mut self.by_name).swap_remove(&entry.name);
            self.free.push(slot);
        }
    }

    fn link(&mut self, slot: Slot) {
        let older = self.head.replace(slot);
        self.entry_mut(slot).older = older;
        if let Some(older) = older {
            self.entry_mut(older).newer = Some(slot);
        }
    }

    fn unlink(&mut self, slot: Slot) {
        let entry = self.entry_mut(slot);
        let (newer, older) = (entry.newer.take(), entry.older.take());
        match newer {
            Some(newer) => self.entry_mut(newer).older = older,
            None => self.head = older,
        }
        if let Some(older) = older {
            self.entry_mut(older).newer = newer;
        }
    }

    /// A node, to be changed in ways that nobody needs to be told of.
    pub(super) fn entry_mut(&mut self, slot: Slot) -> &mut Entry {
        self.entries
            .get_mut(slot.0)
            .and_then(Option::as_mut)
            .expect("a slot is used only while its node is there")
    }

    /// A node, to be read.
    pub(super) fn entry(&self, slot: Slot) -> &Entry {
        self.entries
            .get(slot.0)
            .and_then(Option::as_ref)
            .expect("a slot is used only while its node is there")
    }

    /// The place of a node.
    pub(super) fn slot(&self, name: &str) -> Option<Slot> {
        self.by_name.get(name).copied()
    }

    /// A node by name.
    pub(super) fn get(&self, name: &str) -> Option<&Arc<NodeInfo>> {
        Some(&self.entry(self.slot(name)?).info)
    }

    /// The node that changed last.
    pub(super) const fn head(&self) -> Option<Slot> {
        self.head
    }

    /// The node that changed before this one.
    pub(super) fn older(&self, slot: Slot) -> Option<Slot> {
        self.entry(slot).older
    }

    /// How many nodes there are, ghosts included.
    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// All nodes, ghosts included, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }
}
