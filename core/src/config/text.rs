//! From text to configuration, with the line and column of everything that is wrong or remarked on.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::Located;
use crate::api::decode::{DecodeError, Text, Value};
use crate::order;

use super::any::{FindPolicy, read_any};
use super::faults::Implements;
use super::legacy::Policy;
use super::{
    ConfigError, DecodeProblem, FieldError, Place, PolicyError, ReadConfiguration, ReadOptions,
    read_value,
};

#[cfg(all(test, feature = "yaml"))]
mod tests;

/// Reads a configuration from a text with one document: YAML with the feature `yaml`, JSON always.
///
/// Errors: everything wrong with it, each with its place, in the order of the text.
pub fn read_text(
    source: &str,
    text: &[u8],
    options: ReadOptions,
) -> Result<ReadConfiguration, ConfigError> {
    let text = Text::read(source, text);
    let document = only_document(&text)?;
    read_document(source, document, "", options)
}

/// Reads a configuration, or a Policy as one, as [`read_any`](super::read_any) does.
///
/// Errors: as there, each with its place, in the order of the text.
pub fn check_text(
    source: &str,
    text: &[u8],
    options: ReadOptions,
    find: FindPolicy<'_>,
    implements: Implements<'_>,
) -> Result<ReadConfiguration, ConfigError> {
    let text = Text::read(source, text);
    let value = only_document(&text)?;
    let places = Places { source, value };
    let read = read_any(&value.to_json(), options, find, Some(implements));
    let mut read = read.map_err(|error| places.put_into(error, ""))?;
    for note in &mut read.notes {
        note.place = places.nearest(&note.path);
    }
    Ok(read)
}

/// Reads a configuration that is a part of a document; `path` says which part, and errors begin with it.
///
/// Errors: as of [`read_text`].
pub fn read_document(
    source: &str,
    value: Value<'_>,
    path: &str,
    options: ReadOptions,
) -> Result<ReadConfiguration, ConfigError> {
    let places = Places { source, value };
    match read_value(&value.to_json(), options) {
        Ok(mut read) => {
            for note in &mut read.notes {
                note.place = places.nearest(&note.path);
                note.path = joined(path, &note.path);
            }
            Ok(read)
        }
        Err(error) => Err(places.put_into(error, path)),
    }
}

impl Policy {
    /// Reads a Policy from a text with one document: YAML with the feature `yaml`, JSON always.
    ///
    /// Errors: everything that cannot be understood, each with its place, as an invalid policy.
    pub fn read_text(source: &str, text: &[u8]) -> Result<Self, ConfigError> {
        let text = Text::read(source, text);
        let read = only_document(&text).and_then(|document| {
            let places = Places {
                source,
                value: document,
            };
            Self::read_value(&document.to_json()).map_err(|error| places.put_into(error, ""))
        });
        read.map_err(|error| {
            let error = Box::new(error);
            ConfigError::Policy(PolicyError::Invalid { error })
        })
    }
}

/// The document of a text that must have exactly one.
fn only_document<'t>(text: &'t Text<'_>) -> Result<Value<'t>, ConfigError> {
    ConfigError::check(text.errors().map(problem).collect())?;
    let mut documents = text.documents();
    let (Some((_, document)), second) = (documents.next(), documents.next()) else {
        unreachable!("a text without documents has an error");
    };
    if let Some((_, second)) = second {
        return Err(ConfigError::Decode(DecodeProblem {
            place: place(text.source(), second.line(), second.column()),
            path: String::new(),
            what: "a second document was found; expected one".to_owned(),
        }));
    }
    Ok(document)
}

/// A problem with the text itself.
fn problem(located: Located<DecodeError>) -> ConfigError {
    let path = located.path.to_string();
    let what = match &located.error {
        DecodeError::DuplicateKey { first_line } => {
            let key = path.rsplit('.').next().unwrap_or_default();
            format!("key \"{key}\" already set in line {first_line}; expected each key once")
        }
        other => other.to_string(),
    };
    ConfigError::Decode(DecodeProblem {
        place: place(&located.source, located.line, located.column),
        path,
        what,
    })
}

/// Where the paths of a document stand.
#[derive(Clone, Copy, Debug)]
struct Places<'a> {
    source: &'a str,
    value: Value<'a>,
}

impl Places<'_> {
    /// The error with its places, in the order of the text, and `prefix` before its paths.
    fn put_into(self, mut error: ConfigError, prefix: &str) -> ConfigError {
        error.locate(&|path| self.find(path));
        let mut errors = error.into_list();
        // Stable, so that several rules broken in one place stay in upstream's order; what has no place comes last.
        order::sort_by_key(&mut errors, |error| {
            position(error).unwrap_or((u32::MAX, u32::MAX))
        });
        for error in &mut errors {
            prepend(error, prefix);
        }
        ConfigError::many(errors)
    }

    /// The place of a path or of the closest thing around it.
    fn nearest(self, path: &str) -> Option<Place> {
        super::error::nearest_place(path, &|path| self.find(path))
    }

    /// The place of a path that exists: that of the key where there is one, because it is there that people look.
    fn find(self, path: &str) -> Option<Place> {
        let mut value = self.value;
        let (mut line, mut column) = (value.line(), value.column());
        for step in steps(path) {
            match step {
                Step::Field(name) => {
                    let mut pairs = value.pairs();
                    let (key, next) = pairs.find(|(key, _)| key.as_str() == Some(name))?;
                    (line, column) = (key.line(), key.column());
                    value = next;
                }
                Step::Index(i) => {
                    value = value.items().nth(i)?;
                    (line, column) = (value.line(), value.column());
                }
            }
        }
        place(self.source, line, column)
    }
}

/// One step of a path.
#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Field(&'p str),
    Index(usize),
}

/// The steps of a path as error messages write it.
fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    let pieces = path.split(['.', '[']).filter(|piece| !piece.is_empty());
    pieces.map(|piece| match piece.strip_suffix(']') {
        Some(number) => number.parse().map_or(Step::Field(piece), Step::Index),
        None => Step::Field(piece),
    })
}

/// Line 0 is no text at all.
fn place(source: &str, line: u32, column: u32) -> Option<Place> {
    (line > 0 || !source.is_empty()).then(|| Place {
        source: source.to_owned(),
        line: line.max(1),
        column: column.max(1),
    })
}

/// Where an error stands, if that is known.
fn position(error: &ConfigError) -> Option<(u32, u32)> {
    let place = match error {
        ConfigError::Field(FieldError { place, .. }) => place,
        ConfigError::Decode(DecodeProblem { place, .. }) | ConfigError::At { place, .. } => place,
        _ => return None,
    };
    place.as_ref().map(|place| (place.line, place.column))
}

/// Puts a path before that of an error.
fn prepend(error: &mut ConfigError, prefix: &str) {
    if let ConfigError::Field(FieldError { path, .. })
    | ConfigError::Decode(DecodeProblem { path, .. })
    | ConfigError::At { path, .. } = error
    {
        *path = joined(prefix, path);
    }
}

fn joined(prefix: &str, path: &str) -> String {
    let parts: Vec<&str> = [prefix, path]
        .into_iter()
        .filter(|p| !p.is_empty())
        .collect();
    parts.join(".")
}
