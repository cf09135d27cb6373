//! Text → nano-units, exactly, whatever the number of digits.

use super::{BINARY_SUFFIXES, DECIMAL_SUFFIXES, Format, NANOS_PER_UNIT, Quantity};

/// What comes after the digits.
enum Suffix {
    /// A power of ten.
    Decimal(i64, Format),
    /// A power of two.
    Binary(u32),
}

/// Reads the whole of `text`, or nothing.
pub(super) fn quantity(text: &str) -> Option<Quantity> {
    if text.is_empty() {
        return None;
    }
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, rest) = split_digits(rest);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    let (nanos, format) = match suffix(rest)? {
        Suffix::Decimal(power, format) => (decimal(whole, fraction, power), format),
        Suffix::Binary(power) => (binary(whole, fraction, power), Format::BinarySi),
    };
    Some(Quantity::from_nanos(
        if negative { -nanos } else { nanos },
        format,
    ))
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn suffix(text: &str) -> Option<Suffix> {
    let position = |table: &[&str]| table.iter().position(|known| *known == text);
    if let Some(steps) = position(&DECIMAL_SUFFIXES) {
        let steps = i64::try_from(steps).ok()?;
        return Some(Suffix::Decimal(steps * 3 - 9, Format::DecimalSi));
    }
    if let Some(steps) = position(&BINARY_SUFFIXES) {
        return Some(Suffix::Binary(u32::try_from(steps).ok()? * 10));
    }
    let exponent = text.strip_prefix(['e', 'E'])?;
    let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number {
        return None;
    }
    Some(Suffix::Decimal(
        exponent.parse().ok()?,
        Format::DecimalExponent,
    ))
}

/// `whole.fraction × 10^power` in nano-units.
///
/// The digits are one long row. Those that stand left of the nano place count; a digit right of it only rounds.
fn decimal(whole: &str, fraction: &str, power: i64) -> i128 {
    let mut nanos: i128 = 0;
    let mut is_inexact = false;
    // How many digits of the row, counted from its start, reach the nano place.
    let kept = i64::try_from(whole.len())
        .unwrap_or(i64::MAX)
        .saturating_add(power)
        .saturating_add(9);
    let mut place: i64 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = i128::from(digit - b'0');
        if place < kept {
            nanos = nanos.saturating_mul(10).saturating_add(digit);
        } else if digit != 0 {
            is_inexact = true;
        }
        place += 1;
    }
    while place < kept && nanos != 0 && nanos != i128::MAX {
        nanos = nanos.saturating_mul(10);
        place += 1;
    }
    nanos.saturating_add(i128::from(is_inexact))
}

/// `whole.fraction × 2^power` in nano-units, at most 2⁶³−1 units.
///
/// Past the eighteenth digit a fraction only rounds up; nobody writes such a number.
fn binary(whole: &str, fraction: &str, power: u32) -> i128 {
    let factor = 1i128 << power;
    let limit = i128::from(i64::MAX) * NANOS_PER_UNIT;
    let mut units: i128 = 0;
    for digit in whole.bytes() {
        units = units
            .saturating_mul(10)
            .saturating_add(i128::from(digit - b'0'));
    }
    // Both factors are below 2^64, so the sum in units of 10^-18 stays below 2^124.
    let mut scale = factor * NANOS_PER_UNIT * NANOS_PER_UNIT;
    let mut atto: i128 = 0;
    let mut is_inexact = false;
    for (place, digit) in fraction.bytes().enumerate() {
        let digit = i128::from(digit - b'0');
        if place < 18 {
            scale /= 10;
            atto += scale * digit;
        } else if digit != 0 {
            is_inexact = true;
        }
    }
    let part = atto / NANOS_PER_UNIT + i128::from(is_inexact || atto % NANOS_PER_UNIT != 0);
    units
        .saturating_mul(factor)
        .saturating_mul(NANOS_PER_UNIT)
        .saturating_add(part)
        .min(limit)
}
