//! Where each row of a list of nodes came from when the list is replaced by another.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::{NodeIndex, NodeSet};

use super::names::Names;

/// For each row of the new list, a row of the same node in the old one.
///
/// Nodes are the same when they have the same name. No old row is the origin of two new ones, even where a name is listed
/// twice: then one of the new rows may pass for a new node.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    from: Vec<Option<NodeIndex>>,
}

impl Moves {
    /// Compares two lists by the names of their nodes.
    ///
    /// Cost: one comparison for each row that moved less than [`REACH`] beside its neighbours, a search for others. When
    /// a node comes or goes, the order by zones moves the rest by about as many rows as there are zones.
    pub(super) fn between<'n>(
        before: &Names,
        after: impl IntoIterator<Item = &'n Arc<str>>,
    ) -> Self {
        let mut expected = 0;
        let mut free = NodeSet::full(before.as_slice().len());
        let from = after
            .into_iter()
            .map(|name| {
                let near = near(before, &free, expected, name);
                let found = near.or_else(|| before.row(name));
                let found = found.filter(|row| free.contains(*row))?;
                free.remove(found);
                expected = found.as_usize() + 1;
                Some(found)
            })
            .collect();
        Self { from }
    }

    /// The moves of a list whose rows come from these.
    pub(super) const fn from(from: Vec<Option<NodeIndex>>) -> Self {
        Self { from }
    }

    /// The old row of each new one, in order; `None` for a node that is new.
    pub(super) fn origins(&self) -> impl ExactSizeIterator<Item = Option<NodeIndex>> + '_ {
        self.from.iter().copied()
    }

    /// The new row of each of `rows` old ones; `None` for a node that is gone.
    pub(super) fn targets(&self, rows: usize) -> Vec<Option<NodeIndex>> {
        let mut to = alloc::vec![None; rows];
        for (row, from) in self.from.iter().enumerate() {
            if let Some(slot) = from.and_then(|from| to.get_mut(from.as_usize())) {
                *slot = Some(NodeIndex::new(row));
            }
        }
        to
    }
}

/// The row of the node close to the one expected. Only the very same text in memory counts, which is quick to see.
fn near(before: &Names, free: &NodeSet, expected: usize, name: &Arc<str>) -> Option<NodeIndex> {
    let is_it = |row: &NodeIndex| {
        let known = before.get(*row);
        known.is_some_and(|known| Arc::ptr_eq(known, name)) && free.contains(*row)
    };
    let rows = (0..=REACH).flat_map(|step| {
        let below = (step > 0).then(|| expected.checked_sub(step)).flatten();
        [Some(expected + step), below].into_iter().flatten()
    });
    rows.map(NodeIndex::new).find(is_it)
}

/// How far a row is looked for before its name is.
const REACH: usize = 8;
