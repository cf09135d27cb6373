//! That the small sort is a sort.

use super::*;
use alloc::collections::{BTreeMap, BTreeSet};
use proptest::prelude::*;

proptest! {
    #[test]
    fn it_sorts_as_the_standard_library_does(items: Vec<(u8, u16)>) {
        let mut expected = items.clone();
        expected.sort_by_key(|(key, _)| *key);
        let mut sorted = items;
        sort_by_key(&mut sorted, |(key, _)| *key);
        prop_assert_eq!(sorted, expected);
    }

    #[test]
    fn a_later_item_with_the_same_key_wins(items: Vec<(u8, u16)>) {
        let expected: BTreeMap<u8, u16> = items.iter().copied().collect();
        prop_assert_eq!(collect::<BTreeMap<u8, u16>, _>(items), expected);
    }
}

#[test]
fn nothing_is_sorted_into_nothing() {
    let mut nothing: [u8; 0] = [];
    sort_by(&mut nothing, Ord::cmp);
    let set: BTreeSet<u8> = collect(nothing);
    assert!(set.is_empty());
}
