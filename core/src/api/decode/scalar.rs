//! What a word without quotes means: in JSON, and in YAML as Kubernetes reads it.
//!
//! Kubernetes' reader is of YAML 1.1: `010` is eight, `0x10` sixteen, `0b11` three, `1_000` a thousand, `yes` and `on` are
//! true. It turns the value into JSON before a field sees it, so a quantity written `010` is eight too.

use super::tree::{Content, split};

/// A value that is neither text, list nor map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
}

impl Scalar {
    pub(super) fn content(self) -> Content {
        match self {
            Self::Null => Content::Null,
            Self::Bool(value) => Content::Bool(value),
            Self::Int(value) => Content::Int(split(value.cast_unsigned())),
            Self::Uint(value) => Content::Uint(split(value)),
            Self::Float(value) => Content::Float(split(value.to_bits())),
        }
    }
}

/// A number as JSON writes it.
pub(super) fn json_number(word: &str) -> Option<Scalar> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let has_form = match digits.as_bytes() {
        [b'0', next, ..] => matches!(next, b'.' | b'e' | b'E'),
        [first, ..] => first.is_ascii_digit(),
        [] => false,
    };
    if !has_form || digits.ends_with('.') || digits.contains(".e") || digits.contains(".E") {
        return None;
    }
    number(word)
}

/// A plain word as Kubernetes reads it; none if it is text.
#[cfg(feature = "yaml")]
pub(super) fn yaml_plain(word: &str) -> Option<Scalar> {
    match word.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            yaml_word(word)
        }
        // `.nan` and `.inf` cannot be said in JSON, so Kubernetes takes them nowhere; they stay text here.
        Some(b'.') => decimal_float(word),
        Some(b'0'..=b'9' | b'+' | b'-') => yaml_number(word),
        Some(_) => None,
    }
}

#[cfg(feature = "yaml")]
fn yaml_word(word: &str) -> Option<Scalar> {
    Some(match word {
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        _ => return None,
    })
}

#[cfg(feature = "yaml")]
fn yaml_number(word: &str) -> Option<Scalar> {
    use alloc::borrow::Cow;
    let plain = if word.contains('_') {
        Cow::Owned(word.replace('_', ""))
    } else {
        Cow::Borrowed(word)
    };
    let (sign, digits) = match plain.as_bytes().first() {
        Some(b'-') => ("-", plain.get(1..)?),
        Some(b'+') => ("", plain.get(1..)?),
        _ => ("", plain.as_ref()),
    };
    let prefixed = |prefixes: [&str; 2]| {
        prefixes
            .iter()
            .find_map(|prefix| digits.strip_prefix(prefix))
    };
    if let Some(digits) = prefixed(["0x", "0X"]) {
        return integer(sign, digits, 16);
    }
    if let Some(digits) = prefixed(["0b", "0B"]) {
        return integer(sign, digits, 2);
    }
    if let Some(digits) = prefixed(["0o", "0O"]) {
        return integer(sign, digits, 8);
    }
    // `08` is no octal number and so reads as a decimal fraction without a fraction.
    let octal = if digits.len() > 1 {
        digits.strip_prefix('0')
    } else {
        None
    };
    octal
        .and_then(|digits| integer(sign, digits, 8))
        .or_else(|| {
            let is_decimal =
                octal.is_none() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if is_decimal {
                number(plain.strip_prefix('+').unwrap_or(&plain))
            } else {
                decimal_float(&plain)
            }
        })
}

#[cfg(feature = "yaml")]
fn integer(sign: &str, digits: &str, radix: u32) -> Option<Scalar> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if sign.is_empty() {
        return Some(i64::try_from(magnitude).map_or(Scalar::Uint(magnitude), Scalar::Int));
    }
    0i64.checked_sub_unsigned(magnitude).map(Scalar::Int)
}

/// Digits with an optional fraction and exponent. Rust also reads words such as `inf`, which are not meant.
#[cfg(feature = "yaml")]
fn decimal_float(word: &str) -> Option<Scalar> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let starts_well = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let has_form = all_digits(exponent) && mantissa.bytes().filter(|&b| b == b'.').count() <= 1;
    if !starts_well || !has_form || !mantissa.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let value: f64 = word.parse().ok()?;
    value.is_finite().then_some(Scalar::Float(value))
}

/// A number of known form in the smallest type that holds it.
fn number(word: &str) -> Option<Scalar> {
    if let Ok(value) = word.parse() {
        return Some(Scalar::Int(value));
    }
    if let Ok(value) = word.parse() {
        return Some(Scalar::Uint(value));
    }
    let value: f64 = word.parse().ok()?;
    value.is_finite().then_some(Scalar::Float(value))
}
