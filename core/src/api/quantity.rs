//! How much of a resource: exact decimal numbers with a suffix, as Kubernetes writes them.
//!
//! A quantity is a whole number of nano-units, so sums are exact and rounding happens once, when an integer view is taken.
//! It remembers the family of suffixes it was written with, for printing only: two quantities are equal when their values
//! are.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};

use alloc::string::{String, ToString};

use super::decode::{Data, Read, Typed};
use super::schema::{Wire, through_json};

/// An exact amount, a multiple of 10⁻⁹.
///
/// Values beyond about ±1.7 × 10²⁹ saturate; they do not survive validation anyway.
/// Source: spec, plugins 2.1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quantity {
    nanos: i128,
    format: Format,
}

/// The family of suffixes that a quantity is printed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`: powers of ten.
    #[default]
    DecimalSi,
    /// `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`: powers of two.
    BinarySi,
    /// `e` and a power of ten.
    DecimalExponent,
}

impl Quantity {
    /// Nothing.
    pub const ZERO: Self = Self::from_nanos(0, Format::DecimalSi);

    /// `units` whole units: bytes, cores, pods.
    #[must_use]
    pub const fn from_units(units: i64, format: Format) -> Self {
        Self::from_nanos(units as i128 * NANOS_PER_UNIT, format)
    }

    /// `millis` thousandths, as CPU is counted.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self::from_nanos(millis as i128 * NANOS_PER_MILLI, Format::DecimalSi)
    }

    const fn from_nanos(nanos: i128, format: Format) -> Self {
        Self { nanos, format }
    }

    /// Reads a quantity: an optional sign, digits with at most one dot, an optional suffix.
    ///
    /// Units: what is finer than 10⁻⁹ is rounded away from zero; with a binary suffix the value ends at 2⁶³−1.
    /// Errors: any other text, also an empty one. White space is not trimmed here.
    pub fn parse(text: &str) -> Result<Self, ParseQuantityError> {
        parse::quantity(text).ok_or_else(|| ParseQuantityError {
            text: text.to_string(),
        })
    }

    /// The value in whole units, rounded up in magnitude, saturating.
    #[must_use]
    pub const fn value(&self) -> i64 {
        saturate(div_away(self.nanos, NANOS_PER_UNIT))
    }

    /// The value in thousandths, rounded up in magnitude, saturating.
    #[must_use]
    pub const fn milli_value(&self) -> i64 {
        saturate(div_away(self.nanos, NANOS_PER_MILLI))
    }

    /// The value in nano-units, exact.
    #[must_use]
    pub const fn nanos(&self) -> i128 {
        self.nanos
    }

    /// The family of suffixes it was written with.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Whether it is nothing.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.nanos == 0
    }

    /// Whether it is less than nothing.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.nanos < 0
    }

    /// Whether it is a whole number of units.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.nanos % NANOS_PER_UNIT == 0
    }
}

/// Zero takes over the suffixes of what is added to it, so that a sum prints like its parts.
impl AddAssign for Quantity {
    fn add_assign(&mut self, other: Self) {
        if self.is_zero() {
            self.format = other.format;
        }
        self.nanos = self.nanos.saturating_add(other.nanos);
    }
}

impl Add for Quantity {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl SubAssign for Quantity {
    fn sub_assign(&mut self, other: Self) {
        if self.is_zero() {
            self.format = other.format;
        }
        self.nanos = self.nanos.saturating_sub(other.nanos);
    }
}

impl Sub for Quantity {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl core::str::FromStr for Quantity {
    type Err = ParseQuantityError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// Canonical text: no precision lost, no fraction, the largest suffix of the family that fits.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let units = self.nanos / NANOS_PER_UNIT;
        match self.format {
            Format::BinarySi if self.is_whole() && units.unsigned_abs() >= 1024 => {
                let (mantissa, steps) = strip(units, 1024, BINARY_SUFFIXES.len() - 1);
                write!(f, "{mantissa}{}", BINARY_SUFFIXES.get(steps).unwrap_or(&""))
            }
            Format::BinarySi | Format::DecimalSi => {
                let (mantissa, steps) = strip(self.nanos, 1000, DECIMAL_SUFFIXES.len() - 1);
                write!(
                    f,
                    "{mantissa}{}",
                    DECIMAL_SUFFIXES.get(steps).unwrap_or(&"")
                )
            }
            Format::DecimalExponent => {
                let (mantissa, steps) = strip(self.nanos, 1000, usize::MAX);
                match steps {
                    3 => write!(f, "{mantissa}"),
                    0..3 => write!(f, "{mantissa}e-{}", 9 - 3 * steps),
                    _ => write!(f, "{mantissa}e{}", 3 * steps - 9),
                }
            }
        }
    }
}

/// Text, or a number like the text of the same digits.
impl Wire for Quantity {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        let parse =
            |text: &str| Self::parse(text.trim()).map_err(|error| from.problem(error.to_string()));
        *self = match from.value().data() {
            Data::Text(text) => parse(text)?,
            Data::Int(units) => Self::from_units(units, Format::DecimalSi),
            Data::Uint(units) => {
                Self::from_nanos(i128::from(units) * NANOS_PER_UNIT, Format::DecimalSi)
            }
            Data::Float(number) => parse(&number.to_string())?,
            _ => return Err(from.wrong_type("a quantity such as 500m or 2")),
        };
        Ok(())
    }

    fn is_absent(&self) -> bool {
        self.is_zero()
    }

    fn write(&self) -> serde_json::Value {
        self.to_string().into()
    }
}

through_json!(Quantity);

/// Text that is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a quantity; expected a number with an optional suffix such as 500m or 2")]
pub struct ParseQuantityError {
    /// What was found.
    pub text: String,
}

/// Divides, rounding away from zero.
const fn div_away(dividend: i128, divisor: i128) -> i128 {
    let quotient = dividend / divisor;
    if dividend % divisor == 0 {
        quotient
    } else {
        quotient + dividend.signum()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked first"
)]
const fn saturate(value: i128) -> i64 {
    if value > i64::MAX as i128 {
        i64::MAX
    } else if value < i64::MIN as i128 {
        i64::MIN
    } else {
        value as i64
    }
}

/// Divides by `base` as long as nothing is lost, at most `limit` times; also says how often.
fn strip(mut number: i128, base: i128, limit: usize) -> (i128, usize) {
    let mut steps = 0;
    while steps < limit && number % base == 0 {
        number /= base;
        steps += 1;
    }
    (number, steps)
}

const NANOS_PER_UNIT: i128 = 1_000_000_000;
const NANOS_PER_MILLI: i128 = 1_000_000;
const DECIMAL_SUFFIXES: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

mod parse;
#[cfg(test)]
mod tests;
