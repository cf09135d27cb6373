//! Sorting and collecting that costs little code.
//!
//! The standard library makes its sort anew for every type and order, about 4 kB each, and sorts before it builds a
//! map or a set. The page loads all of that before it can do anything. What is sorted once a run, or a few items at a
//! time, is sorted here: one sort of numbers for all, then a walk along the order.
//!
//! It makes its trees anew for every type of key and value, too, about 5 kB each. A sorted vector has the same order and
//! nearly the same interface in a tenth of that, and is as fast while it is small. Adding in the middle moves everything
//! behind it: what grows with the cluster one by one, such as pods by name, belongs into a tree.

use alloc::vec::Vec;
use core::cmp::Ordering;

mod map;
mod set;

pub use map::{Entry, Iter, SortedMap};
pub use set::SortedSet;

/// Sorts stably, in O(n log n) comparisons.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_numbers(
        &mut order,
        &mut |one, two| match (items.get(one), items.get(two)) {
            (Some(one), Some(two)) => compare(one, two),
            _ => Ordering::Equal,
        },
    );
    follow(&mut order, &mut |one, two| items.swap(one, two));
}

/// Sorts stably by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |one, two| key(one).cmp(&key(two)));
}

/// Builds a collection by adding one item after another.
pub fn collect<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut collection = C::default();
    collection.extend(items);
    collection
}

/// Sorts what was added to a sorted vector into it. Of what is equal the last stays.
fn settle<T>(items: &mut Vec<T>, sorted: usize, compare: impl Fn(&T, &T) -> Ordering) {
    let tail = items.get(sorted.saturating_sub(1)..).unwrap_or_default();
    if tail.is_sorted_by(|one, two| compare(one, two).is_lt()) {
        return;
    }
    sort_by(items, &compare);
    // `dedup_by` keeps the first of each run; the last is swapped to it before the others go.
    items.dedup_by(|later, earlier| {
        let is_same = compare(earlier, later).is_eq();
        if is_same {
            core::mem::swap(earlier, later);
        }
        is_same
    });
}

fn sort_numbers(numbers: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    numbers.sort_by(|&one, &two| compare(one, two));
}

/// Brings what stands at `order[i]` to `i` for every `i`, by swaps along the cycles.
fn follow(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while let Some(slot) = order.get_mut(at) {
            let from = core::mem::replace(slot, at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests;
