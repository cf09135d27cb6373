//! What is said of values and fields, in the words of people who write YAML.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::tree::{Data, Value};

/// What a value is, as the start of a sentence.
pub(super) fn describe(value: Value<'_>) -> String {
    match value.data() {
        Data::Null => "there is nothing here".to_owned(),
        Data::Bool(value) => format!("{value} is a boolean"),
        Data::Int(number) => format!("{number} is a number"),
        Data::Uint(number) => format!("{number} is a number"),
        Data::Float(number) => format!("{number} is a number"),
        Data::Text(text) => format!("{:?} is text", shorten(text)),
        Data::List(_) => "this is a list".to_owned(),
        Data::Map(_) => "this is a map".to_owned(),
    }
}

/// Text of a length that fits into a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

/// The known field that is probably meant: the same letters in another case, or one slip away.
pub(super) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let same = known.iter().find(|known| known.eq_ignore_ascii_case(name));
    same.or_else(|| {
        known
            .iter()
            .find(|known| name.len() > 3 && is_one_slip_apart(name, known))
    })
    .copied()
}

/// Whether one letter was added, left out or replaced, or two neighbours swapped.
fn is_one_slip_apart(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() {
        (a.as_bytes(), b.as_bytes())
    } else {
        (b.as_bytes(), a.as_bytes())
    };
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (
        short.get(start..).unwrap_or_default(),
        long.get(start..).unwrap_or_default(),
    );
    match (short, long) {
        (short, [_, rest @ ..]) if short == rest => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([a, b, c @ ..], [d, e, f @ ..]) => a == e && b == d && c == f,
        _ => false,
    }
}
