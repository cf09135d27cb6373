use super::{CycleState, StateKey};

const COUNT: StateKey = StateKey("PreFilterCounter");
const COLUMN: StateKey = StateKey("PreFilterColumn");

#[test]
fn a_change_in_a_clone_does_not_reach_the_original() {
    let mut state = CycleState::default();
    state.write(COUNT, 1_u32);
    let mut copy = state.clone();
    *copy.change::<u32>(COUNT).unwrap() += 1;
    assert_eq!(state.read::<u32>(COUNT), Some(&1));
    assert_eq!(copy.read::<u32>(COUNT), Some(&2));
}

#[test]
fn a_value_of_another_type_is_not_found() {
    let mut state = CycleState::default();
    state.write(COUNT, 1_u32);
    assert_eq!(state.read::<u64>(COUNT), None);
    state.write(COUNT, 2_u64);
    assert_eq!(state.read::<u64>(COUNT), Some(&2));
}

#[test]
fn what_is_kept_until_a_node_is_chosen_is_gone_then() {
    let mut state = CycleState::default();
    state.write(COUNT, 1_u32);
    state.write_until_chosen(COLUMN, alloc::vec![1_u32, 2]);
    assert!(state.read::<alloc::vec::Vec<u32>>(COLUMN).is_some());
    state.chosen();
    assert!(state.read::<alloc::vec::Vec<u32>>(COLUMN).is_none());
    assert_eq!(state.read::<u32>(COUNT), Some(&1));
}
