//! Numbers, amounts and times as people write them.

use alloc::format;
use alloc::string::{String, ToString};

use crate::picture::scene::{Lang, Piece};
use crate::time::Span;

/// A small count in words, a larger one in digits with separators.
#[must_use]
pub fn number_word(lang: Lang, count: usize) -> String {
    let words = match lang {
        Lang::En => [
            "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        ],
        Lang::Zh => [
            "0", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十", "11", "12",
        ],
    };
    words
        .get(count)
        .map_or_else(|| grouped(count), |word| String::from(*word))
}

/// A count in digits, with separators from ten thousand on.
#[must_use]
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a real minus sign.
#[must_use]
pub fn signed(number: i64) -> String {
    if number < 0 {
        format!("−{}", number.unsigned_abs())
    } else {
        number.to_string()
    }
}

/// Milli-cores as cores: `1.85`.
#[must_use]
pub fn cpu(milli: i64) -> String {
    decimal(milli, 1000, 2)
}

/// Milli-cores as Kubernetes writes a request: `500m`, `2`.
#[must_use]
pub fn milli_cpu(milli: i64) -> String {
    if milli % 1000 == 0 {
        (milli / 1000).to_string()
    } else {
        format!("{milli}m")
    }
}

/// Bytes with a binary unit: `512 Mi`, `3.6 Gi`.
#[must_use]
pub fn memory(bytes: i64) -> String {
    let (amount, unit) = memory_parts(bytes);
    format!("{amount} {unit}")
}

/// Bytes as an amount and a unit.
#[must_use]
fn memory_parts(bytes: i64) -> (String, &'static str) {
    if bytes >= GIB * 1024 {
        (decimal(bytes, GIB * 1024, 1), "Ti")
    } else if bytes >= GIB {
        (decimal(bytes, GIB, 1), "Gi")
    } else if bytes >= 1024 * 1024 {
        (decimal(bytes, 1024 * 1024, 0), "Mi")
    } else {
        (decimal(bytes, 1024, 0), "Ki")
    }
}

/// Bytes in Gi, for a pair of which the other is in Gi: `0.1`.
#[must_use]
pub fn gib(bytes: i64) -> String {
    decimal(bytes, GIB, 1)
}

/// `value / unit`, rounded to at most `places` places, without trailing zeros.
fn decimal(value: i64, unit: i64, places: u32) -> String {
    let scale = 10_i64.pow(places);
    let scaled = i128::from(value) * i128::from(scale);
    let unit = i128::from(unit);
    let rounded = (scaled + scaled.signum() * unit / 2) / unit;
    let sign = if rounded < 0 { "−" } else { "" };
    let (whole, rest) = (
        rounded.unsigned_abs() / scale.unsigned_abs() as u128,
        rounded.unsigned_abs() % scale.unsigned_abs() as u128,
    );
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let width = usize::try_from(places).unwrap_or(0);
    let text = format!("{sign}{whole}.{rest:0width$}");
    String::from(text.trim_end_matches('0'))
}

/// A length of time in seconds with one digit: `0.6 s`; minutes as `4:59`.
#[must_use]
pub fn seconds(span: Span) -> String {
    if span.as_secs() >= 60 {
        return clock_text(span);
    }
    format!("{} s", decimal(span.as_micros(), 1_000_000, 1))
}

/// Minutes and seconds left, as a clock shows them: `4:59`.
#[must_use]
pub fn clock_text(span: Span) -> String {
    let seconds = (span.as_micros().max(0) + 999_999) / 1_000_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// An instant of the run: `1.184 s`, `2 min 5 s`.
#[must_use]
pub fn moment_text(micros: i64) -> String {
    if micros >= 60_000_000 {
        let seconds = micros / 1_000_000;
        return match seconds % 60 {
            0 => format!("{} min", seconds / 60),
            rest => format!("{} min {rest} s", seconds / 60),
        };
    }
    format!("{} s", decimal(micros, 1_000_000, 3))
}

/// Which time: `third`.
#[must_use]
pub fn ordinal(lang: Lang, number: u32) -> String {
    if lang == Lang::Zh {
        return number.to_string();
    }
    let words = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    ];
    let place = usize::try_from(number).unwrap_or(0);
    if let Some(word) = place.checked_sub(1).and_then(|place| words.get(place)) {
        return String::from(*word);
    }
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Puts a space between Chinese characters and Latin letters or digits where there is none.
pub(super) fn set_apart(pieces: &mut [Piece]) {
    let mut before = ' ';
    for piece in pieces {
        let words = match piece {
            Piece::Text { text } | Piece::Strong { text } | Piece::Marked { text, .. } => text,
            Piece::Chip { .. } => continue,
        };
        let mut spaced = String::new();
        for c in words.chars() {
            let is_latin = |c: char| c.is_ascii_alphanumeric();
            let is_han = |c: char| matches!(c, '\u{4E00}'..='\u{9FFF}');
            if (is_latin(before) && is_han(c)) || (is_han(before) && is_latin(c)) {
                spaced.push(' ');
            }
            spaced.push(c);
            before = c;
        }
        *words = spaced;
    }
}

/// A plugin's name where there is little room.
#[must_use]
pub fn short_plugin(name: &str) -> &str {
    match name {
        "NodeUnschedulable" => "Cordon",
        "NodeName" => "Name",
        "TaintToleration" => "Taint",
        "NodeAffinity" => "Affinity",
        "NodePorts" => "Ports",
        "NodeResourcesFit" => "Fit",
        "NodeResourcesBalancedAllocation" => "Balance",
        "VolumeRestrictions" => "Volumes",
        "NodeVolumeLimits" => "Limits",
        "VolumeBinding" => "Binding",
        "VolumeZone" => "Zone",
        "PodTopologySpread" => "Spread",
        "InterPodAffinity" => "Pods",
        "ImageLocality" => "Images",
        "DynamicResources" => "Devices",
        "NodeDeclaredFeatures" => "Features",
        other => other,
    }
}

/// Pieces as plain text.
#[must_use]
pub fn plain(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text { text } | Piece::Strong { text } | Piece::Marked { text, .. } => {
                Some(text.as_str())
            }
            Piece::Chip { .. } => None,
        })
        .collect()
}

const GIB: i64 = 1024 * 1024 * 1024;
