//! Reads what a text twin says.

use berth_core::picture::scene::Twin;

/// The items below a heading.
pub(super) fn section(twin: &Twin, heading: &str) -> Option<Vec<String>> {
    let found = twin
        .sections
        .iter()
        .find(|section| section.heading == heading);
    found.map(|section| section.items.clone())
}

/// `X 10 to 7, …` and `X lets all 7 pass`: how many came and how many left.
pub(super) fn counts_of(item: &str) -> (usize, usize) {
    let words: Vec<&str> = item.split(' ').collect();
    let number = |place: usize| {
        let word = words.get(place).copied().unwrap_or_default();
        word.trim_end_matches(',').parse().unwrap_or(usize::MAX)
    };
    if words.get(1) == Some(&"lets") {
        (number(3), number(3))
    } else {
        (number(1), number(3))
    }
}

/// The whole numbers in a text that are words of their own.
pub(super) fn integers(text: &str) -> Vec<i64> {
    let words = text.split(|c: char| c.is_whitespace() || "()（）,，:：;；、。".contains(c));
    let words = words.map(|word| word.trim_end_matches('.').replace('−', "-"));
    words.filter_map(|word| word.parse().ok()).collect()
}
