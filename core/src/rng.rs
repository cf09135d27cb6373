//! Which random number comes next: one generator named by algorithm, whose state can be saved.
//!
//! The scheduler owns one. It is drawn from only where kube-scheduler is random too (ties that its configuration leaves
//! to chance, preemption's first node) and where the simulation makes faults; each draw is a trace record.

use rand_core::Rng as _;
use rand_core::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// What a run's randomness starts from; 0 unless a scenario says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

/// PCG XSL 64/128 (MCG), seeded by one number. A clone draws the same numbers as its original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: Pcg64Mcg,
}

impl Rng {
    /// The generator that starts from `seed`.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        Self {
            state: Pcg64Mcg::seed_from_u64(seed.0),
        }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state.next_u64()
    }

    /// A number in `0..bound`, every one equally likely.
    ///
    /// The draw is ours so that it never changes with a library: bits below the largest multiple of `bound` are reduced
    /// by remainder, others are drawn again.
    ///
    /// # Panics
    ///
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a draw needs at least one outcome");
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.next_u64();
            if bits < limit {
                return bits % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests;
