//! A set as a sorted vector.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::fmt;
use core::slice;

use serde::{Serialize, Serializer};

use super::settle;

/// Items in order, each once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

impl<T> SortedSet<T> {
    /// Without items.
    #[must_use]
    pub const fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// How many items there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All items, in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The smallest item.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }

    /// The largest item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    /// Keeps the items for which `keep` says so.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<T: Ord> SortedSet<T> {
    /// Adds an item; says whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        let found = self.items.binary_search(&item);
        if let Err(at) = found {
            self.items.insert(at, item);
        }
        found.is_err()
    }

    /// Removes an item; says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let found = self.find(item);
        if let Ok(at) = found {
            self.items.remove(at);
        }
        found.is_ok()
    }

    /// Whether an item is there.
    #[must_use]
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(item).is_ok()
    }

    /// Whether no item is in the other set, too.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.items.iter().any(|item| other.contains(item))
    }

    /// The items that are in the other set, too.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.items.iter().filter(|item| other.contains(*item))
    }

    /// Whether all items are in the other set, too.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.items.iter().all(|item| other.contains(item))
    }

    fn find<Q: Ord + ?Sized>(&self, item: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.items
            .binary_search_by(|other| other.borrow().cmp(item))
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let before = self.items.len();
        self.items.extend(items);
        settle(&mut self.items, before, Ord::cmp);
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<T: Serialize> Serialize for SortedSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}
