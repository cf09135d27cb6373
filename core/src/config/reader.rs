//! Takes typed values out of a document and collects everything that is wrong with it.
//!
//! Field names are case sensitive and every field must be known, as in upstream's strict decoding. Null is the same as
//! absent. The reader knows paths; where a path stands in a text is added afterwards, because the same document may
//! come as a value inside another one.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::time::Span;

use super::{ConfigError, DecodeProblem, FieldError, FieldErrorKind, Note};

#[cfg(test)]
mod tests;

/// What was found out so far.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// What cannot be understood.
    problems: Vec<ConfigError>,
    /// The fields among them whose names nobody knows: what stands beside them is understood.
    unknown: Vec<String>,
    /// What is understood and breaks a rule that the result's type has no room for.
    violations: Vec<ConfigError>,
    /// What is accepted with a remark.
    pub(super) notes: Vec<Note>,
}

/// A value and its path.
#[derive(Clone, Debug)]
pub(super) struct At<'v> {
    pub(super) value: &'v Value,
    pub(super) path: String,
}

/// An object whose fields are taken one after another.
#[derive(Debug)]
pub(super) struct Fields<'v> {
    path: String,
    map: Option<&'v Map<String, Value>>,
    known: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    /// The value of a field, unless it is absent or null. The name counts as known from now on.
    pub(super) fn take(&mut self, name: &'static str) -> Option<At<'v>> {
        self.known.push(name);
        let value = self.map?.get(name).filter(|value| !value.is_null())?;
        let path = child(&self.path, name);
        Some(At { value, path })
    }

    /// The object's own path.
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

impl Reader {
    /// Notes that the document cannot be understood at `path`.
    pub(super) fn problem(&mut self, path: &str, what: impl Into<String>) {
        self.problems.push(ConfigError::Decode(DecodeProblem {
            place: None,
            path: path.to_owned(),
            what: what.into(),
        }));
    }

    /// Notes that a rule is broken.
    pub(super) fn violation(&mut self, error: ConfigError) {
        self.violations.push(error);
    }

    /// Notes something a reader should know.
    pub(super) fn note(&mut self, path: &str, text: impl Into<String>) {
        self.notes.push(Note::new(path, text));
    }

    /// The fields of an object; no fields, and a problem, when it is something else.
    pub(super) fn fields<'v>(&mut self, at: &At<'v>) -> Fields<'v> {
        let map = match at.value {
            Value::Object(map) => Some(map),
            Value::Null => None,
            _ => {
                self.mismatch(at, "an object");
                None
            }
        };
        Fields {
            path: at.path.clone(),
            map,
            known: Vec::new(),
        }
    }

    /// Reports the fields that nobody took.
    pub(super) fn finish(&mut self, fields: Fields<'_>) {
        let Some(map) = fields.map else { return };
        for name in map.keys() {
            if fields.known.iter().any(|known| known == name) {
                continue;
            }
            let path = child(&fields.path, name);
            let advice = match nearest(name, &fields.known) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("expected one of {}", fields.known.join(", ")),
            };
            self.problem(&path, format!("unknown field \"{name}\"; {advice}"));
            self.unknown.push(path);
        }
    }

    /// The entries of an object whose keys are free; none, and a problem, when it is something else.
    pub(super) fn map<'v>(&mut self, at: &At<'v>) -> Vec<(&'v str, At<'v>)> {
        let fields = self.fields(at);
        let entry = |(name, value): (&'v String, &'v Value)| {
            let path = child(&fields.path, name);
            (name.as_str(), At { value, path })
        };
        fields.map.into_iter().flatten().map(entry).collect()
    }

    /// The elements of a list; none, and a problem, when it is something else.
    pub(super) fn list<'v>(&mut self, at: Option<At<'v>>) -> Vec<At<'v>> {
        let Some(at) = at else { return Vec::new() };
        let Value::Array(values) = at.value else {
            self.mismatch(&at, "a list");
            return Vec::new();
        };
        let element = |(i, value)| At {
            value,
            path: index(&at.path, i),
        };
        values.iter().enumerate().map(element).collect()
    }

    /// A text.
    pub(super) fn string(&mut self, at: Option<At<'_>>) -> Option<String> {
        let at = at?;
        match at.value {
            Value::String(text) => Some(text.clone()),
            _ => {
                self.mismatch(&at, "a text; put it in quotes");
                None
            }
        }
    }

    /// A list of texts.
    pub(super) fn strings(&mut self, at: Option<At<'_>>) -> Vec<String> {
        let list = self.list(at);
        let texts = list.into_iter().map(|at| self.string(Some(at)));
        texts.map(Option::unwrap_or_default).collect()
    }

    /// True or false.
    pub(super) fn bool(&mut self, at: Option<At<'_>>) -> Option<bool> {
        let at = at?;
        if !at.value.is_boolean() {
            self.mismatch(&at, "true or false");
        }
        at.value.as_bool()
    }

    /// A whole number of 64 bits.
    pub(super) fn i64(&mut self, at: Option<At<'_>>) -> Option<i64> {
        let at = at?;
        let number = at.value.as_i64();
        if number.is_none() {
            self.mismatch(&at, "a whole number");
        }
        number
    }

    /// A whole number of 32 bits.
    pub(super) fn i32(&mut self, at: Option<At<'_>>) -> Option<i32> {
        let at = at?;
        let number = at.value.as_i64().and_then(|n| i32::try_from(n).ok());
        if number.is_none() {
            self.mismatch(&at, "a whole number of at most 32 bits");
        }
        number
    }

    /// A length of time as Go writes it; a bare number is none.
    pub(super) fn span(&mut self, at: Option<At<'_>>) -> Option<Span> {
        let at = at?;
        let span = at.value.as_str().and_then(|text| Span::parse(text).ok());
        if span.is_none() {
            self.mismatch(&at, "a duration such as 15s or 1h30m");
        }
        span
    }

    /// Everything found out: what cannot be understood with what breaks a rule, or else the notes.
    ///
    /// Of broken rules those are left out that may be broken only because a value was not understood.
    pub(super) fn close(self, more: Vec<ConfigError>) -> (Vec<Note>, Vec<ConfigError>) {
        let mut violations = self.violations;
        violations.extend(more);
        violations.retain(|violation| !is_spoiled(violation, &self.problems, &self.unknown));
        let mut errors = self.problems;
        errors.extend(violations);
        (self.notes, errors)
    }

    /// Whether nothing has been found that cannot be understood.
    pub(super) fn is_understood(&self) -> bool {
        self.problems.is_empty()
    }

    fn mismatch(&mut self, at: &At<'_>, expected: &str) {
        let found = brief(at.value);
        self.problem(&at.path, format!("{found} was found; expected {expected}"));
    }
}

/// Whether a rule may be broken only because a value was not understood: the value itself, something inside it, or a
/// missing field beside one whose name nobody knows.
fn is_spoiled(violation: &ConfigError, problems: &[ConfigError], unknown: &[String]) -> bool {
    let ConfigError::Field(FieldError { path, kind, .. }) = violation else {
        return false;
    };
    let is_missing = matches!(kind, FieldErrorKind::Required { .. });
    problems.iter().any(|problem| match problem {
        ConfigError::Decode(problem) if unknown.contains(&problem.path) => {
            is_missing && parent(path) == parent(&problem.path)
        }
        ConfigError::Decode(problem) => {
            let rest = path.strip_prefix(problem.path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        }
        _ => false,
    })
}

/// The path of what a field stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// The first element of a list that a path leads into, `predicates[3]`; empty when it leads into none.
pub(super) fn entry(path: &str) -> &str {
    let end = path.find(']').map_or(0, |end| end + 1);
    path.get(..end).unwrap_or_default()
}

/// The path of a field.
pub(super) fn child(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The path of an element.
pub(super) fn index(path: &str, i: usize) -> String {
    format!("{path}[{i}]")
}

/// A value as an error message shows it: whole when it is short, its kind otherwise.
fn brief(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    }
}

/// The name most like `name`, if one is alike enough to be what was meant.
fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let distance = |candidate: &&&'static str| edits(&lower, &candidate.to_lowercase());
    let near = known.iter().min_by_key(distance)?;
    (distance(&near) * 4 <= name.len().max(4)).then_some(*near)
}

/// How many characters must be put in, taken out or replaced to get from `a` to `b`.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for ((y, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or_default();
            let replaced = diagonal + usize::from(x != *y);
            next.push(replaced.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
