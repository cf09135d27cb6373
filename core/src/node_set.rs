//! Which rows of a snapshot are meant.
//!
//! A [`NodeIndex`] is a row of one snapshot and means nothing in another; a [`NodeSet`] is a set of such rows. Both are
//! plain data: a plugin narrows a set instead of being asked about one node at a time.

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

/// A row of one snapshot: the position of a node in its list.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    /// The row at `position` of a list.
    ///
    /// # Panics
    ///
    /// Past four thousand million nodes, which no list in memory holds.
    #[must_use]
    pub fn new(position: usize) -> Self {
        Self(u32::try_from(position).expect("a cluster has fewer than 2^32 nodes"))
    }

    /// The row as a position in a column.
    #[must_use]
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }
}

/// A set of rows: one bit for each row of the snapshot it was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSet {
    bits: FixedBitSet,
}

impl NodeSet {
    /// No row out of `rows`.
    #[must_use]
    pub fn empty(rows: usize) -> Self {
        Self {
            bits: FixedBitSet::with_capacity(rows),
        }
    }

    /// Every row out of `rows`.
    #[must_use]
    pub fn full(rows: usize) -> Self {
        let mut bits = FixedBitSet::with_capacity(rows);
        bits.insert_range(..);
        Self { bits }
    }

    /// Adds a row. A row past the end enlarges the set.
    pub fn insert(&mut self, node: NodeIndex) {
        if node.as_usize() >= self.bits.len() {
            self.bits.grow(node.as_usize() + 1);
        }
        self.bits.insert(node.as_usize());
    }

    /// Takes a row out; a row that is not in the set is left out.
    pub fn remove(&mut self, node: NodeIndex) {
        if node.as_usize() < self.bits.len() {
            self.bits.remove(node.as_usize());
        }
    }

    /// Adds the row or takes it out.
    pub fn set(&mut self, node: NodeIndex, is_in: bool) {
        if is_in {
            self.insert(node);
        } else {
            self.remove(node);
        }
    }

    /// Keeps the rows for which `keep` says so, asked in ascending order.
    pub fn retain(&mut self, mut keep: impl FnMut(NodeIndex) -> bool) {
        let mut first = 0;
        for block in self.bits.as_mut_slice() {
            let mut rest = *block;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !keep(NodeIndex::new(first + bit as usize)) {
                    *block &= !(1 << bit);
                }
            }
            first += fixedbitset::Block::BITS as usize;
        }
    }

    /// Keeps the rows that are also in `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.bits.intersect_with(&other.bits);
    }

    /// Whether the row is in the set.
    #[must_use]
    pub fn contains(&self, node: NodeIndex) -> bool {
        self.bits.contains(node.as_usize())
    }

    /// How many rows are in the set.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// Whether no row is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// The rows that are also in `other`, in ascending order.
    pub fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = NodeIndex> + 'a {
        self.bits.intersection(&other.bits).map(NodeIndex::new)
    }

    /// The rows in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.bits.ones().map(NodeIndex::new)
    }
}

impl FromIterator<NodeIndex> for NodeSet {
    fn from_iter<I: IntoIterator<Item = NodeIndex>>(rows: I) -> Self {
        let mut set = Self::default();
        for row in rows {
            set.insert(row);
        }
        set
    }
}

#[cfg(test)]
mod tests;
