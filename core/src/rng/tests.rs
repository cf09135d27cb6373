use alloc::vec;
use alloc::vec::Vec;

use super::{Rng, Seed};

#[test]
fn the_first_numbers_of_a_seed_never_change() {
    let mut rng = Rng::new(Seed(7));
    let drawn: Vec<u64> = (0..4).map(|_| rng.below(1000)).collect();
    assert_eq!(drawn, vec![830, 458, 819, 668]);
}

#[test]
fn a_clone_draws_what_its_original_draws() {
    let mut one = Rng::new(Seed(1));
    one.next_u64();
    let mut two = one.clone();
    assert_eq!(one.next_u64(), two.next_u64());
}

#[test]
fn every_outcome_is_reached() {
    let mut rng = Rng::new(Seed(3));
    let mut seen = [0_u32; 6];
    for _ in 0..6000 {
        seen[usize::try_from(rng.below(6)).unwrap()] += 1;
    }
    assert!(
        seen.iter().all(|&times| (800..1200).contains(&times)),
        "{seen:?}"
    );
}
