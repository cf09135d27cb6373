//! Takes typed values out of a map and notes what is wrong, also the fields that nobody took.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::decode::{Data, Origin, Value};
use crate::api::{FieldPath, Located};
use crate::num::span_of_seconds;
use crate::time::Span;

use super::super::error::InputError;

/// Notes what is wrong with a document.
pub(super) struct Reader<'d> {
    /// Where the document's root stands.
    pub(super) root: &'d Origin,
    pub(super) errors: Vec<Located<InputError>>,
}

/// A value and its path in the document.
#[derive(Clone)]
pub(super) struct At<'v> {
    pub(super) value: Value<'v>,
    pub(super) path: FieldPath,
}

/// A map whose fields are taken one after another.
pub(super) struct Fields<'v> {
    at: At<'v>,
    known: Vec<&'static str>,
}

impl<'v> At<'v> {
    pub(super) const fn new(value: Value<'v>, path: FieldPath) -> Self {
        Self { value, path }
    }

    fn child(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name)?;
        Some(Self::new(value, self.path.clone().field(name)))
    }

    /// The items of a list.
    fn items(&self) -> impl Iterator<Item = Self> + '_ {
        let items = self.value.items().enumerate();
        items.map(|(index, value)| Self::new(value, self.path.clone().index(index)))
    }

    /// Where it stands, as objects say it.
    pub(super) fn origin(&self, root: &Origin) -> Origin {
        Origin {
            path: self.path.clone(),
            line: self.value.line(),
            column: self.value.column(),
            ..root.clone()
        }
    }
}

impl<'v> Fields<'v> {
    /// The value of a field, unless it is absent or null. The name counts as known from now on.
    pub(super) fn take(&mut self, name: &'static str) -> Option<At<'v>> {
        self.known.push(name);
        self.at.child(name)
    }

    /// The map itself.
    pub(super) const fn at(&self) -> &At<'v> {
        &self.at
    }
}

impl Reader<'_> {
    pub(super) fn error(&mut self, at: &At<'_>, error: InputError) {
        self.errors.push(Located {
            source: self.root.source.clone(),
            line: at.value.line(),
            column: at.value.column(),
            path: at.path.clone(),
            object: Box::default(),
            error,
        });
    }

    pub(super) fn mismatch(&mut self, at: &At<'_>, expected: &'static str) {
        self.error(at, InputError::invalid(brief(at.value), expected));
    }

    /// The fields of a map; no fields, and an error, when it is something else.
    pub(super) fn fields<'v>(&mut self, at: At<'v>) -> Fields<'v> {
        if !matches!(at.value.data(), Data::Map(_) | Data::Null) {
            self.mismatch(&at, "a map");
        }
        Fields {
            at,
            known: Vec::new(),
        }
    }

    /// Reports the fields that nobody took.
    pub(super) fn finish(&mut self, fields: Fields<'_>) {
        for (key, value) in fields.at.value.pairs() {
            let name = key.as_str().unwrap_or_default();
            if fields.known.contains(&name) {
                continue;
            }
            let at = At::new(value, fields.at.path.clone().field(name));
            let advice = match nearest(name, &fields.known) {
                Some(meant) => format!("perhaps {meant}"),
                None => format!("one of {}", fields.known.join(", ")),
            };
            self.error(
                &At { value: key, ..at },
                InputError::UnknownField {
                    field: name.to_string(),
                    advice,
                },
            );
        }
    }

    /// The items of a list; none, and an error, when it is something else.
    pub(super) fn list<'v>(&mut self, at: Option<At<'v>>) -> Vec<At<'v>> {
        let Some(at) = at else { return Vec::new() };
        if !matches!(at.value.data(), Data::List(_)) {
            self.mismatch(&at, "a list");
            return Vec::new();
        }
        let items = at.value.items().enumerate();
        items
            .map(|(index, value)| At::new(value, at.path.clone().index(index)))
            .collect()
    }

    pub(super) fn text(&mut self, at: Option<At<'_>>) -> String {
        let Some(at) = at else { return String::new() };
        match at.value.as_str() {
            Some(text) => text.to_string(),
            None => {
                self.mismatch(&at, "a text; put it in quotes");
                String::new()
            }
        }
    }

    pub(super) fn texts(&mut self, at: Option<At<'_>>) -> Vec<String> {
        let list = self.list(at);
        list.into_iter().map(|at| self.text(Some(at))).collect()
    }

    pub(super) fn bool(&mut self, at: Option<At<'_>>) -> Option<bool> {
        let at = at?;
        match at.value.data() {
            Data::Bool(value) => Some(value),
            _ => {
                self.mismatch(&at, "true or false");
                None
            }
        }
    }

    /// A whole number that is not negative.
    pub(super) fn count(&mut self, at: Option<At<'_>>) -> Option<u64> {
        let at = at?;
        match at.value.data() {
            Data::Int(value) if value >= 0 => Some(value.cast_unsigned()),
            Data::Uint(value) => Some(value),
            _ => {
                self.mismatch(&at, "a whole number, 0 or more");
                None
            }
        }
    }

    /// A length of time: a duration as Go writes it, or a number of seconds.
    pub(super) fn span(&mut self, at: Option<At<'_>>) -> Option<Span> {
        let at = at?;
        let span = match at.value.data() {
            Data::Text(text) => Span::parse(text).ok().or_else(|| seconds(text)),
            Data::Int(number) => Some(Span::from_secs(number)),
            Data::Float(number) => span_of_seconds(number),
            _ => None,
        };
        match span {
            Some(span) if !span.is_negative() => Some(span),
            _ => {
                self.mismatch(
                    &at,
                    "a duration such as 1m30s, or a number of seconds, 0 or more",
                );
                None
            }
        }
    }

    /// One of several names.
    pub(super) fn choice<T>(
        &mut self,
        at: Option<At<'_>>,
        allowed: &'static [&'static str],
        by_name: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let at = at?;
        let found = at.value.as_str().unwrap_or_default();
        let choice = by_name(found);
        if choice.is_none() {
            let found = match at.value.as_str() {
                Some(text) => text.to_string(),
                None => brief(at.value),
            };
            self.error(&at, InputError::NotOneOf { found, allowed });
        }
        choice
    }
}

/// A decimal number of seconds, exact to the microsecond.
fn seconds(text: &str) -> Option<Span> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let mut micros: i64 = whole.parse::<i64>().ok()?.checked_mul(1_000_000)?;
    let mut scale = 100_000;
    for digit in fraction.bytes() {
        micros = micros.checked_add(i64::from(digit - b'0') * scale)?;
        scale /= 10;
    }
    Some(Span::from_micros(micros))
}

/// A value as a message shows it: whole when it is short, its kind otherwise.
fn brief(value: Value<'_>) -> String {
    match value.data() {
        Data::Null => "nothing".to_string(),
        Data::List(_) => "a list".to_string(),
        Data::Map(_) => "a map".to_string(),
        Data::Text(text) => text.to_string(),
        _ => value.to_json().to_string(),
    }
}

/// The name that was probably meant: one that differs in the case of letters, or in few of them.
#[inline(never)]
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let is_near = |candidate: &&&'static str| {
        let candidate = candidate.to_lowercase();
        let shared = candidate
            .chars()
            .zip(lower.chars())
            .take_while(|(one, two)| one == two)
            .count();
        candidate == lower || (shared >= 4 && shared * 2 >= candidate.len())
    };
    known.iter().find(is_near).copied()
}

/// The items of a list, or the value itself if it is none.
pub(super) fn one_or_more<'v>(at: At<'v>) -> Vec<At<'v>> {
    match at.value.data() {
        Data::List(_) => at.items().collect(),
        _ => alloc::vec![at],
    }
}
