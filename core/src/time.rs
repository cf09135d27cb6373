//! What an instant and a length of time are. There is no clock.
//!
//! Both count whole microseconds in an `i64`, enough for 292,000 years, so arithmetic saturates instead of wrapping and
//! nobody has to think about it. Text is Go's (`1m30s`, `1.5s`, `100ms`), because Kubernetes writes durations that way.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant: microseconds since the host's epoch, which is the start of a simulation or the Unix epoch.
///
/// The core never asks what the epoch is. It is told the instant with every input, and instants never decrease.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The epoch itself.
    pub const ZERO: Self = Self(0);
    /// The last instant there is; also "never".
    pub const MAX: Self = Self(i64::MAX);

    /// The instant `micros` microseconds after the epoch.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The instant `millis` milliseconds after the epoch, saturating.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// The instant `secs` seconds after the epoch, saturating.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(Span::SECOND.0))
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// How long after `earlier` this is, negative if it is before it; saturating.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// The last whole second that is not after this instant, also before the epoch.
    #[must_use]
    pub const fn floor_to_second(self) -> Self {
        let into = self.0.rem_euclid(Span::SECOND.0);
        Self(self.0.saturating_sub(into))
    }
}

impl Add<Span> for Timestamp {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Timestamp {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Timestamp {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Sub for Timestamp {
    type Output = Span;
    fn sub(self, earlier: Self) -> Span {
        self.since(earlier)
    }
}

/// A length of time in microseconds; may be negative.
///
/// Serialised as Go writes a duration: `"5m0s"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One microsecond.
    pub const MICROSECOND: Self = Self(1);
    /// One millisecond.
    pub const MILLISECOND: Self = Self(1_000);
    /// One second.
    pub const SECOND: Self = Self(1_000_000);
    /// One minute.
    pub const MINUTE: Self = Self(60_000_000);
    /// One hour.
    pub const HOUR: Self = Self(3_600_000_000);
    /// The longest span there is.
    pub const MAX: Self = Self(i64::MAX);

    /// `micros` microseconds.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// `millis` milliseconds, saturating.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// `secs` seconds, saturating.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// Microseconds.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds, cut towards zero.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0 / 1_000
    }

    /// Whole seconds, cut towards zero.
    #[must_use]
    pub const fn as_secs(self) -> i64 {
        self.0 / 1_000_000
    }

    /// Whether this is less than no time.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// This span `factor` times, saturating.
    #[must_use]
    pub const fn saturating_mul(self, factor: i64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// Reads a duration as Go writes it: numbers with optional fractions, each with a unit of `ns`, `us`, `µs`, `ms`,
    /// `s`, `m` or `h`, after an optional sign. `0` needs no unit.
    ///
    /// Units: what is finer than a microsecond is cut off.
    /// Errors: text of another form, or a span beyond `i64` microseconds.
    pub fn parse(text: &str) -> Result<Self, ParseSpanError> {
        let error = || ParseSpanError { text: text.into() };
        let (negative, body) = match text.as_bytes().first() {
            Some(b'-') => (true, text.get(1..)),
            Some(b'+') => (false, text.get(1..)),
            _ => (false, Some(text)),
        };
        let mut rest = body.ok_or_else(error)?;
        if rest == "0" {
            return Ok(Self::ZERO);
        }
        if rest.is_empty() {
            return Err(error());
        }
        let mut nanos: i128 = 0;
        while !rest.is_empty() {
            let (part, tail) = parse_part(rest).ok_or_else(error)?;
            nanos = nanos.saturating_add(part);
            rest = tail;
        }
        let micros = i64::try_from(nanos / 1_000).map_err(|_| error())?;
        Ok(Self(if negative { -micros } else { micros }))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Span {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// Go's text: `0s`, `100ms`, `1.5s`, `5m0s`, `1h0m0s`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        match micros {
            0 => f.write_str("0s"),
            1..=999 => write!(f, "{micros}µs"),
            1_000..=999_999 => write_fraction(f, micros / 1_000, micros % 1_000, 3, "ms"),
            _ => {
                let seconds = micros / 1_000_000;
                let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
                if hours > 0 {
                    write!(f, "{hours}h")?;
                }
                if seconds >= 60 {
                    write!(f, "{minutes}m")?;
                }
                write_fraction(f, seconds % 60, micros % 1_000_000, 6, "s")
            }
        }
    }
}

/// Instants as all documents for other programs have them, numbers of seconds since the epoch; for `serialize_with`.
pub(crate) mod in_seconds {
    use super::{Serialize, Serializer, Span, Timestamp};
    use crate::num::seconds;

    /// An instant.
    pub(crate) fn one<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        seconds(Span(at.0)).serialize(serializer)
    }

    /// An instant that there may not be.
    pub(crate) fn maybe<S: Serializer>(
        at: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        at.map(|at| seconds(Span(at.0))).serialize(serializer)
    }

    /// Instants of things.
    pub(crate) fn each<T: Serialize, S: Serializer>(
        instants: &[(T, Timestamp)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(instants.iter().map(|(of, at)| (of, seconds(Span(at.0)))))
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a duration such as 1m30s or 500ms")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                Span::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// Text that is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a duration; expected numbers with units such as 1m30s or 500ms")]
pub struct ParseSpanError {
    /// What was found.
    pub text: String,
}

/// One number with its unit, in nanoseconds, and what follows it.
fn parse_part(text: &str) -> Option<(i128, &str)> {
    let digits_end = |s: &str| s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
    let (whole, rest) = text.split_at_checked(digits_end(text))?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(tail) => tail.split_at_checked(digits_end(tail))?,
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_end = rest
        .find(|c: char| c.is_ascii_digit() || c == '.')
        .unwrap_or(rest.len());
    let (unit, rest) = rest.split_at_checked(unit_end)?;
    let mut scale: i128 = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let whole: i64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let mut nanos = i128::from(whole) * scale;
    for digit in fraction.bytes() {
        // Past a nanosecond the scale is zero and the digits count for nothing.
        scale /= 10;
        nanos += scale * i128::from(digit - b'0');
    }
    Some((nanos, rest))
}

/// `whole.fraction` with trailing zeros of the fraction left out, then the unit.
fn write_fraction(
    f: &mut fmt::Formatter<'_>,
    whole: u64,
    fraction: u64,
    width: usize,
    unit: &str,
) -> fmt::Result {
    write!(f, "{whole}")?;
    if fraction > 0 {
        let (mut fraction, mut width) = (fraction, width);
        while fraction.is_multiple_of(10) {
            fraction /= 10;
            width -= 1;
        }
        write!(f, ".{fraction:0width$}")?;
    }
    f.write_str(unit)
}

#[cfg(test)]
mod tests;
