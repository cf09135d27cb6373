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

/// What a map of the standard library and a sorted one are made to do.
#[derive(Clone, Debug)]
enum Step {
    Insert(u8, u16),
    Remove(u8),
    Add(u8),
    Extend(Vec<(u8, u16)>),
    Retain(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let key = 0_u8..16;
    prop_oneof![
        (key.clone(), any::<u16>()).prop_map(|(key, value)| Step::Insert(key, value)),
        key.clone().prop_map(Step::Remove),
        key.clone().prop_map(Step::Add),
        proptest::collection::vec((key.clone(), any::<u16>()), 0..6).prop_map(Step::Extend),
        key.prop_map(Step::Retain),
    ]
}

proptest! {
    #[test]
    fn a_sorted_map_does_what_a_tree_does(steps in proptest::collection::vec(step(), 0..40)) {
        let (mut tree, mut map) = (BTreeMap::new(), SortedMap::new());
        for step in steps {
            match step {
                Step::Insert(key, value) => {
                    prop_assert_eq!(map.insert(key, value), tree.insert(key, value));
                }
                Step::Remove(key) => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                Step::Add(key) => {
                    let slots = (map.entry(key).or_default(), tree.entry(key).or_default());
                    *slots.0 ^= 1;
                    *slots.1 ^= 1;
                }
                Step::Extend(items) => {
                    map.extend(items.clone());
                    tree.extend(items);
                }
                Step::Retain(below) => {
                    map.retain(|key, _| *key < below);
                    tree.retain(|key, _| *key < below);
                }
            }
            prop_assert!(map.iter().eq(tree.iter()));
            prop_assert_eq!(map.first_key_value(), tree.first_key_value());
            for key in 0..16 {
                prop_assert_eq!(map.get(&key), tree.get(&key));
            }
        }
        let text = serde_json::to_string(&map).expect("numbers are data");
        prop_assert_eq!(&text, &serde_json::to_string(&tree).expect("numbers are data"));
        prop_assert_eq!(serde_json::from_str::<SortedMap<u8, u16>>(&text).ok(), Some(map));
    }

    #[test]
    fn a_sorted_set_does_what_a_tree_does(one: Vec<u8>, two: Vec<u8>, gone: u8) {
        let trees = [&one, &two].map(|items| items.iter().copied().collect::<BTreeSet<u8>>());
        let sets = [&one, &two].map(|items| items.iter().copied().collect::<SortedSet<u8>>());
        prop_assert!(sets[0].iter().eq(&trees[0]));
        prop_assert!(sets[0].intersection(&sets[1]).eq(trees[0].intersection(&trees[1])));
        prop_assert_eq!(sets[0].is_subset(&sets[1]), trees[0].is_subset(&trees[1]));
        prop_assert_eq!(sets[0].is_disjoint(&sets[1]), trees[0].is_disjoint(&trees[1]));
        let ([mut tree, _], [mut set, _]) = (trees, sets);
        prop_assert_eq!(set.remove(&gone), tree.remove(&gone));
        prop_assert_eq!(set.insert(gone), tree.insert(gone));
        tree.extend(two.iter().copied());
        set.extend(two);
        prop_assert!(set.iter().eq(&tree));
    }
}
