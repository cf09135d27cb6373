//! How wide a text is, about: a small table in place of a font, so that layout needs no browser.
//!
//! Widths are those of Inter, P052 and Liberation Mono, rounded up a little, because the reader's fonts are others of
//! their kind. A character of East Asian scripts is one em wide.

use alloc::string::String;
use alloc::vec::Vec;

use super::px::Px;
use super::scene::{Family, TextStyle, Weight};

/// The width of a text in a style.
#[must_use]
pub fn width(text: &str, style: &TextStyle) -> Px {
    let thousandths: i32 = text.chars().map(|c| advance(c, style)).sum();
    // Tenths of a pixel, rounded up.
    Px((thousandths * i32::from(style.size) + 99) / 100)
}

/// The text, shortened in the middle until it is at most `most` wide; names are told apart by both of their ends.
#[must_use]
pub fn shortened(text: &str, style: &TextStyle, most: Px) -> String {
    shortened_at(text, style, most, 2)
}

/// The same, keeping more of the end, by which nodes and pods are told apart.
#[must_use]
pub fn ending(text: &str, style: &TextStyle, most: Px) -> String {
    shortened_at(text, style, most, 4)
}

/// The text without its middle: of what is kept, one part in `head` is its beginning.
fn shortened_at(text: &str, style: &TextStyle, most: Px, head: usize) -> String {
    if width(text, style) <= most {
        return String::from(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let mut kept = chars.len().saturating_sub(1);
    while kept > 2 {
        // A letter or two alone would tell nothing.
        let start = if kept / head > 1 { kept / head } else { 0 };
        let end = chars.len() - (kept - start);
        let short: String = chars
            .iter()
            .take(start)
            .chain(core::iter::once(&'…'))
            .chain(chars.iter().skip(end))
            .collect();
        if width(&short, style) <= most {
            return short;
        }
        kept -= 1;
    }
    String::from("…")
}

/// The text in lines of at most `most`, broken at spaces and between East Asian characters.
#[must_use]
pub fn wrapped(text: &str, style: &TextStyle, most: Px) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        let mut longer = line.clone();
        longer.push_str(word);
        if !line.is_empty() && width(longer.trim_end(), style) > most {
            lines.push(String::from(line.trim_end()));
            line = String::from(word.trim_start());
        } else {
            line = longer;
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(String::from(line.trim_end()));
    }
    lines
}

/// The pieces of a text between which a line may be broken; each ends with its spaces.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = word_end(rest);
        let (word, tail) = rest.split_at(end);
        rest = tail;
        Some(word)
    })
}

fn word_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let Some((next_at, next)) = chars.peek().copied() else {
            break;
        };
        let breaks_after_space = c == ' ' && next != ' ';
        let breaks_in_script =
            (is_wide(c) || is_wide(next)) && !closes(next) && !opens(c) && next != ' ' && c != ' ';
        if breaks_after_space || (breaks_in_script && at + c.len_utf8() == next_at) {
            return next_at;
        }
    }
    text.len()
}

/// Punctuation that may not begin a line.
const fn closes(c: char) -> bool {
    matches!(
        c,
        '，' | '。'
            | '；'
            | '：'
            | '、'
            | '？'
            | '！'
            | '）'
            | '”'
            | '》'
            | ','
            | '.'
            | ';'
            | ':'
            | ')'
            | '?'
    )
}

/// Punctuation that may not end a line.
const fn opens(c: char) -> bool {
    matches!(c, '（' | '“' | '《' | '(')
}

/// Whether a character is one em wide.
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FF60}')
}

/// The advance of one character in thousandths of an em.
fn advance(c: char, style: &TextStyle) -> i32 {
    if is_wide(c) {
        return 1000;
    }
    if style.family == Family::Mono {
        return 602;
    }
    let is_bold = style.weight == Weight::Bold;
    if c.is_ascii_digit() {
        return match (style.family, is_bold) {
            (Family::Serif, _) => 510,
            (_, true) => 660,
            (_, false) => 640,
        };
    }
    let table = match (style.family, is_bold) {
        (Family::Serif, false) => &SERIF,
        (Family::Serif, true) => &SERIF_BOLD,
        (_, false) => &SANS,
        (_, true) => &SANS_BOLD,
    };
    let place = usize::try_from(u32::from(c)).ok();
    let known = place
        .and_then(|place| place.checked_sub(32))
        .and_then(|place| table.get(place));
    match (known, c) {
        (Some(width), _) => i32::from(*width),
        (None, '·' | '’' | '‘') => 300,
        (None, '…' | '→' | '←' | '≥' | '≤') => 1000,
        (None, _) => 680,
    }
}

/// From the space to the tilde.
type Widths = [u16; 95];

const SANS: Widths = [
    281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 625, 464, 605,
    636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
    587, 743, 740, 264, 543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
    665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
    237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659,
];
const SANS_BOLD: Widths = [
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466, 290, 379, 667, 481, 621,
    652, 666, 632, 648, 587, 646, 648, 290, 295, 673, 673, 673, 544, 999, 724, 657, 744, 724, 608,
    586, 755, 744, 275, 561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690,
    705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261, 569,
    261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 562, 576, 562, 393, 358, 393, 673,
];
const SERIF: Widths = [
    250, 278, 371, 500, 500, 840, 778, 208, 333, 333, 389, 606, 250, 333, 250, 606, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 250, 250, 606, 606, 606, 444, 747, 778, 611, 709, 774, 611,
    556, 763, 832, 337, 333, 726, 611, 946, 831, 786, 604, 786, 668, 525, 613, 778, 722, 1000, 667,
    667, 667, 333, 606, 333, 606, 500, 333, 500, 553, 444, 611, 479, 333, 556, 582, 291, 234, 556,
    291, 883, 582, 546, 601, 560, 395, 424, 326, 603, 565, 834, 516, 556, 500, 333, 606, 333, 606,
];
const SERIF_BOLD: Widths = [
    250, 278, 402, 500, 500, 889, 833, 227, 333, 333, 444, 606, 250, 333, 250, 296, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 250, 250, 606, 606, 606, 444, 747, 778, 667, 722, 833, 611,
    556, 833, 833, 389, 389, 778, 611, 1000, 833, 833, 611, 833, 722, 611, 667, 778, 778, 1000,
    667, 667, 667, 333, 606, 333, 606, 500, 333, 500, 611, 444, 611, 500, 389, 556, 611, 333, 333,
    611, 333, 889, 611, 556, 611, 611, 389, 444, 333, 611, 556, 833, 500, 556, 500, 310, 606, 310,
    606,
];

#[cfg(test)]
mod tests;
