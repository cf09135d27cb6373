//! Sorting and collecting that costs little code.
//!
//! The standard library makes its sort anew for every type and order, about 4 kB each, and sorts before it builds a
//! map or a set. The page loads all of that before it can do anything. What is sorted once a run, or a few items at a
//! time, is sorted here: one sort of numbers for all, then a walk along the order.

use alloc::vec::Vec;
use core::cmp::Ordering;

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
