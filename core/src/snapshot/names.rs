//! Which row has which name.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::NodeIndex;
use crate::order;

use super::moves::Moves;

/// The names of the rows, and the rows in the order of their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    of_row: Vec<Arc<str>>,
    sorted: Vec<NodeIndex>,
    different: usize,
}

impl Names {
    /// Names of rows that come from anywhere.
    pub(super) fn new(of_row: Vec<Arc<str>>) -> Self {
        let rows = (0..of_row.len()).map(NodeIndex::new).collect();
        Self::sorted(of_row, rows)
    }

    /// The names of another list, some of whose rows come from this one.
    ///
    /// Cost: one pass over numbers; a search and a move of what follows for each name that is new.
    pub(super) fn rearranged(&self, of_row: Vec<Arc<str>>, moves: &Moves) -> Self {
        let to = moves.targets(self.of_row.len());
        let known = self.sorted.iter();
        let known = known.filter_map(|row| to.get(row.as_usize()).copied().flatten());
        let mut rows: Vec<NodeIndex> = known.collect();
        let new = (0..of_row.len()).map(NodeIndex::new);
        let new = new.zip(moves.origins()).filter(|(_, from)| from.is_none());
        let new: Vec<NodeIndex> = new.map(|(row, _)| row).collect();
        if self.different < self.of_row.len() || new.len() > FEW {
            rows.extend(new);
            return Self::sorted(of_row, rows);
        }
        let mut different = rows.len();
        for row in new {
            let name = of_row.get(row.as_usize());
            let place = rows.binary_search_by(|other| of_row.get(other.as_usize()).cmp(&name));
            different += usize::from(place.is_err());
            rows.insert(place.unwrap_or_else(|place| place), row);
        }
        Self {
            of_row,
            sorted: rows,
            different,
        }
    }

    /// `rows` are all rows in any order.
    #[inline(never)]
    fn sorted(of_row: Vec<Arc<str>>, mut rows: Vec<NodeIndex>) -> Self {
        order::sort_by(&mut rows, |one, two| {
            of_row.get(one.as_usize()).cmp(&of_row.get(two.as_usize()))
        });
        let doubles = rows.windows(2).filter(|pair| {
            let [one, two] = pair else { return false };
            of_row.get(one.as_usize()) == of_row.get(two.as_usize())
        });
        let different = rows.len() - doubles.count();
        Self {
            of_row,
            sorted: rows,
            different,
        }
    }

    /// The names by row.
    pub(super) fn as_slice(&self) -> &[Arc<str>] {
        &self.of_row
    }

    /// A row with this name.
    pub(super) fn row(&self, name: &str) -> Option<NodeIndex> {
        let name_of = |row: &NodeIndex| self.of_row.get(row.as_usize()).map(AsRef::as_ref);
        let place = self
            .sorted
            .binary_search_by(|row| name_of(row).cmp(&Some(name)))
            .ok()?;
        self.sorted.get(place).copied()
    }

    /// The name of a row.
    pub(super) fn get(&self, row: NodeIndex) -> Option<&Arc<str>> {
        self.of_row.get(row.as_usize())
    }

    /// How many different names there are.
    pub(super) const fn different(&self) -> usize {
        self.different
    }
}

/// Up to so many new names are put in one by one; more are sorted together with all others.
const FEW: usize = 16;
