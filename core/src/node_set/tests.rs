use alloc::vec;
use alloc::vec::Vec;

use super::{NodeIndex, NodeSet};

fn rows(set: &NodeSet) -> Vec<u32> {
    set.iter().map(|node| node.0).collect()
}

#[test]
fn a_full_set_holds_every_row_and_no_other() {
    let set = NodeSet::full(70);
    assert_eq!(set.count(), 70);
    assert!(set.contains(NodeIndex(69)));
    assert!(!set.contains(NodeIndex(70)));
}

#[test]
fn retain_asks_in_ascending_order_and_keeps_what_it_is_told_to() {
    let mut set = NodeSet::full(130);
    let mut asked = Vec::new();
    set.retain(|node| {
        asked.push(node.0);
        node.0 % 64 == 1
    });
    assert_eq!(asked, (0..130).collect::<Vec<_>>());
    assert_eq!(rows(&set), vec![1, 65, 129]);
}

#[test]
fn inserting_past_the_end_enlarges_the_set() {
    let mut set = NodeSet::empty(0);
    set.insert(NodeIndex(9));
    set.remove(NodeIndex(100));
    assert_eq!(rows(&set), vec![9]);
}

#[test]
fn common_rows_are_those_of_both_sets_whatever_their_sizes() {
    let one: NodeSet = [1, 64, 65].map(NodeIndex).into_iter().collect();
    let two: NodeSet = [1, 65, 300].map(NodeIndex).into_iter().collect();
    let common: Vec<u32> = one.common(&two).map(|node| node.0).collect();
    assert_eq!(common, vec![1, 65]);
}
