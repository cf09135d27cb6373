//! Where each row of a list of nodes came from when the list is replaced by another.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::{NodeIndex, NodeSet};

use super::node_info::NodeInfo;

/// For each row of the new list, a row of the same node in the old one.
///
/// Nodes are the same when they have the same name. No old row is the origin of two new ones, even where a name is listed
/// twice: then one of the new rows may pass for a new node.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    from: Vec<Option<NodeIndex>>,
}

impl Moves {
    /// Compares two lists; `by_name` finds rows of the old one.
    ///
    /// Cost: one comparison for each row that moved less than [`REACH`] beside its neighbours, a lookup for others. When
    /// a node comes or goes, the order by zones moves the rest by about as many rows as there are zones.
    pub(super) fn between(
        before: &[Arc<NodeInfo>],
        after: &[Arc<NodeInfo>],
        by_name: &BTreeMap<Arc<str>, NodeIndex>,
    ) -> Self {
        let mut expected = 0;
        let mut free = NodeSet::full(before.len());
        let from = after
            .iter()
            .map(|info| {
                let near = near(before, &free, expected, info);
                let found = near.or_else(|| by_name.get(info.name()).copied());
                let found = found.filter(|row| free.contains(*row))?;
                free.remove(found);
                expected = found.as_usize() + 1;
                Some(found)
            })
            .collect();
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

/// The row of the node close to the one expected. Only the very same object counts, which is quick to see.
fn near(
    before: &[Arc<NodeInfo>],
    free: &NodeSet,
    expected: usize,
    info: &NodeInfo,
) -> Option<NodeIndex> {
    let node = info.node.as_ref()?;
    let is_it = |row: &NodeIndex| {
        let old = before.get(row.as_usize()).and_then(|old| old.node.as_ref());
        free.contains(*row) && old.is_some_and(|old| Arc::ptr_eq(old, node))
    };
    let rows = (0..=REACH).flat_map(|step| {
        let below = (step > 0).then(|| expected.checked_sub(step)).flatten();
        [Some(expected + step), below].into_iter().flatten()
    });
    rows.map(NodeIndex::new).find(is_it)
}

/// How far a row is looked for before its name is.
const REACH: usize = 8;
