//! One number for everything that the core computes in floats, so that two hosts can be compared.

use berth_core::num;
use berth_core::rng::Seed;

use crate::random::Draw;

/// FNV-1a over 64 bits.
#[derive(Clone, Copy, Debug)]
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn take(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn take_signed(&mut self, value: i64) {
        self.take(value.cast_unsigned());
    }
}

/// Computes every float formula on `inputs` random inputs and digests the results, floats by their bits.
#[must_use]
pub fn digest(seed: Seed, inputs: usize) -> u64 {
    let mut draw = Draw::new(seed);
    let mut fnv = Fnv::new();
    for _ in 0..inputs {
        let count = draw.bits() >> draw.below(64);
        fnv.take(num::ln(count.max(1)).to_bits());
        // Halves are where roundings differ.
        let half = amount(&mut draw) >> 12;
        fnv.take_signed(num::round(half as f64 / 2.0));
        let whole = draw.below(5_000) as u64;
        let part = draw.below(5_000) as u64;
        fnv.take_signed(num::scaled(amount(&mut draw), part.min(whole), whole));
        let weights = i64::try_from(draw.below(300)).expect("it is small");
        fnv.take_signed(num::rounded_mean(amount(&mut draw), weights));
        let filled: Vec<(i64, i64)> = (0..draw.below(6)).map(|_| filled(&mut draw)).collect();
        fnv.take_signed(num::balance(&filled));
        let parts: Vec<(i64, f64, i64)> = (0..draw.between(1, 4))
            .map(|_| part_of(&mut draw))
            .collect();
        fnv.take_signed(num::spread_score(parts.into_iter()));
        let (least, value, most) = ordered(&mut draw);
        fnv.take_signed(num::percent_between(value, least, most));
        let (on_node, in_zone) = (share(&mut draw), share(&mut draw));
        let in_zone = draw.chance(70).then_some(in_zone);
        fnv.take_signed(num::selector_spread(on_node, in_zone));
        let by_label: Vec<Option<(i64, i64)>> = (0..draw.between(1, 5))
            .map(|_| draw.chance(80).then(|| share(&mut draw)))
            .collect();
        fnv.take_signed(num::service_spread(&by_label));
    }
    fnv.0
}

/// The same with text in and out: `seed inputs` becomes the digest in hexadecimal.
///
/// # Panics
///
/// When the text is anything else.
#[must_use]
pub fn answer(argument: &str) -> String {
    let (seed, inputs) = argument
        .split_once(' ')
        .expect("the argument is a seed and a count");
    let seed = Seed(seed.parse().expect("the seed is a number"));
    format!(
        "{:016x}",
        digest(seed, inputs.parse().expect("the count is a number"))
    )
}

/// Anything from 0 to 2⁵⁰, every magnitude equally likely: bytes, milli-cores, sums of scores.
fn amount(draw: &mut Draw) -> i64 {
    let bits = draw.bits() >> 14 >> draw.below(50);
    i64::try_from(bits).expect("50 bits are left")
}

/// In use and in all, in use now and then more than in all.
fn filled(draw: &mut Draw) -> (i64, i64) {
    let (one, two) = (amount(draw), amount(draw).max(1));
    if draw.chance(80) {
        (one.min(two), two)
    } else {
        (one, two)
    }
}

/// A count, the weight of as many domains, a skew.
fn part_of(draw: &mut Draw) -> (i64, f64, i64) {
    let small = |draw: &mut Draw, most| i64::try_from(draw.between(1, most)).expect("it is small");
    let domains = draw.between(1, 5_000) as u64;
    (small(draw, 10_000), num::ln(domains + 2), small(draw, 10))
}

/// How many pods out of the most, or out of all; now and then out of none.
fn share(draw: &mut Draw) -> (i64, i64) {
    let small = |value: usize| i64::try_from(value).expect("it is small");
    let most = draw.below(2_000);
    (small(draw.below(most + 1)), small(most))
}

fn ordered(draw: &mut Draw) -> (i64, i64, i64) {
    let mut numbers = [amount(draw), amount(draw), amount(draw)];
    numbers.sort_unstable();
    let [least, value, most] = numbers;
    (least - 1, value, most)
}

#[cfg(test)]
mod tests;
