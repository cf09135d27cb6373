//! What integer arithmetic does when it overflows, and the only float arithmetic.
//!
//! kube-scheduler uses 64-bit floats in a few formulas. They live here, through `libm`, so that a page and a binary
//! get the same bits. `+ - * /` on `f64` are exact IEEE 754 on every host; only the functions need one implementation.

#![expect(
    clippy::float_arithmetic,
    clippy::cast_possible_truncation,
    reason = "the one place where kube-scheduler's float formulas live; each cast says how it truncates"
)]

use crate::time::Span;

/// `100 * score / most`, or `100` minus that when `is_reversed`, in place: kube-scheduler's `DefaultNormalizeScore`.
///
/// All zeros become 100 when reversed and stay 0 otherwise.
pub fn default_normalize(scores: &mut [i64], is_reversed: bool) {
    let most = scores.iter().copied().fold(0, i64::max);
    for score in scores {
        *score = match (most, is_reversed) {
            (0, true) => 100,
            (0, false) => *score,
            (_, false) => 100 * *score / most,
            (_, true) => 100 - 100 * *score / most,
        };
    }
}

/// `100 · part / whole`, truncated; `whole` is above 0. Exact where the product does not fit into 64 bits, too.
#[must_use]
pub fn percent_of(part: i64, whole: i64) -> i64 {
    if let Some(product) = part.checked_mul(100) {
        return product / whole;
    }
    let percent = i128::from(part) * 100 / i128::from(whole);
    i64::try_from(percent).unwrap_or(i64::MAX)
}

/// Natural logarithm of a count.
#[must_use]
pub fn ln(count: u64) -> f64 {
    libm::log(count as f64)
}

/// `value` as the nearest integer, halves away from zero.
#[must_use]
pub fn round(value: f64) -> i64 {
    libm::round(value) as i64
}

/// `part / whole` of `size`, truncated: image spread, `size * (part / whole)` in this order.
#[must_use]
pub fn scaled(size: i64, part: u64, whole: u64) -> i64 {
    if whole == 0 {
        return 0;
    }
    (size as f64 * (part as f64 / whole as f64)) as i64
}

/// Σ value·weight / Σ weight, rounded half away from zero; 0 when nothing has weight.
#[must_use]
pub fn rounded_mean(weighted_sum: i64, weights: i64) -> i64 {
    if weights == 0 {
        return 0;
    }
    round(weighted_sum as f64 / weights as f64)
}

/// How evenly `used` fills `capacity`, from 0 to 100: 100 · (1 − σ) truncated, σ over the used fractions.
///
/// Shapes: pairs of (used, capacity), each capacity above 0. Two fractions deviate by half their distance.
/// Source: spec, NodeResourcesBalancedAllocation.
#[must_use]
pub fn balance(used_of_capacity: &[(i64, i64)]) -> i64 {
    let fraction = |&(used, capacity): &(i64, i64)| (used as f64 / capacity as f64).min(1.0);
    let deviation = match used_of_capacity {
        [] | [_] => 0.0,
        [one, two] => (fraction(one) - fraction(two)).abs() / 2.0,
        many => {
            let count = many.len() as f64;
            let mean = many.iter().map(fraction).fold(0.0, |sum, f| sum + f) / count;
            let squares = many
                .iter()
                .map(|pair| (fraction(pair) - mean) * (fraction(pair) - mean))
                .fold(0.0, |sum, f| sum + f);
            libm::sqrt(squares / count)
        }
    };
    ((1.0 - deviation) * 100.0) as i64
}

/// `Σ count·weight` plus `skew`, added one after another as kube-scheduler does.
#[must_use]
pub fn spread_score(parts: impl Iterator<Item = (i64, f64, i64)>) -> i64 {
    let sum = parts.fold(0.0, |sum, (count, weight, max_skew)| {
        sum + (count as f64 * weight + (max_skew - 1) as f64)
    });
    round(sum)
}

/// `100 · (value − least) / (most − least)` in floats, truncated; `most` is above `least`.
#[must_use]
pub fn percent_between(value: i64, least: i64, most: i64) -> i64 {
    (100.0 * ((value - least) as f64 / (most - least) as f64)) as i64
}

/// A span in seconds, for documents: the nearest number, which prints as the decimal it stands for.
#[must_use]
pub fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}

/// What is left of 100 when `count` out of `most` are there; all of it when there are none at all.
fn left_over((count, most): (i64, i64)) -> f64 {
    if most > 0 {
        100.0 * ((most - count) as f64 / most as f64)
    } else {
        100.0
    }
}

/// The score of SelectorSpread: a node's share and, where it has a zone, the zone's share, two thirds of the whole;
/// truncated.
///
/// Shapes: pairs of (matching pods, the most that any other has).
#[must_use]
pub fn selector_spread(on_node: (i64, i64), in_zone: Option<(i64, i64)>) -> i64 {
    const ZONE: f64 = 2.0 / 3.0;
    let of_node = left_over(on_node);
    let score = in_zone.map_or(of_node, |in_zone| {
        of_node * (1.0 - ZONE) + ZONE * left_over(in_zone)
    });
    score as i64
}

/// The score of ServiceAffinity: the mean of what is left over for each label; truncated.
///
/// Shapes: one entry a label, a pair of (pods in the node's domain, pods in all), or nothing where the node lacks it.
#[must_use]
pub fn service_spread(by_label: &[Option<(i64, i64)>]) -> i64 {
    let labels = by_label.len() as f64;
    let shares = by_label.iter().flatten();
    shares.fold(0.0, |sum, share| sum + left_over(*share) / labels) as i64
}

/// The span of so many seconds, to the nearest microsecond; none if it does not fit.
#[must_use]
pub fn span_of_seconds(seconds: f64) -> Option<Span> {
    let micros = libm::round(seconds * 1e6);
    // Every number below 2⁶³ is an `i64`; what is not a number compares false.
    (micros.abs() < 9.2e18).then(|| Span::from_micros(micros as i64))
}

#[cfg(test)]
mod tests;
