use berth_core::rng::Seed;

use super::{answer, digest};

#[test]
fn the_digest_repeats_and_depends_on_the_seed() {
    assert_eq!(digest(Seed(1), 100), digest(Seed(1), 100));
    assert_ne!(digest(Seed(1), 100), digest(Seed(2), 100));
    assert_eq!(answer("1 100"), format!("{:016x}", digest(Seed(1), 100)));
}

#[test]
fn the_digest_is_what_it_was_on_every_host() {
    assert_eq!(answer("36 100000"), "657e1047f08591d2");
}
