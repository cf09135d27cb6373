//! A value → an object's field, keeping track of where it is.
//!
//! Null stands for a type's own nothing, as in Go: an empty text, list or map, 0, false. What a type does not read is noted.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::error::DecodeError;
use super::tree::{Data, Tree, Value};
use super::words::{describe, nearest};
use crate::api::schema::Wire;
use crate::api::{FieldPath, Segment};

/// What came of reading a value into its place.
pub(crate) type Read<T = ()> = Result<T, Box<TypedError>>;

/// What is wrong and where.
#[derive(Debug)]
pub(crate) struct TypedError {
    pub(super) error: DecodeError,
    pub(super) place: Place,
}

/// Where a value stands.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) path: FieldPath,
}

/// A field that the type does not read.
pub(super) struct Ignored {
    pub(super) place: Place,
    pub(super) message: String,
}

/// What becomes of a field that the type does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldUse {
    /// It decides nothing; nobody needs to know.
    Harmless,
    /// It could decide something.
    Unsupported,
    /// Nobody knows it.
    Unknown,
}

/// What was noted while reading one value.
pub(super) struct Notes<'n> {
    /// What a field means, by its path without item numbers.
    pub(super) classify: &'n dyn Fn(&str) -> FieldUse,
    pub(super) ignored: Vec<Ignored>,
    pattern: String,
}

impl<'n> Notes<'n> {
    pub(super) fn new(classify: &'n dyn Fn(&str) -> FieldUse) -> Self {
        Self {
            classify,
            ignored: Vec::new(),
            pattern: String::new(),
        }
    }

    fn note(&mut self, value: Value<'_>, path: Path<'_>, known: &[&str]) {
        self.pattern.clear();
        path.write_pattern(&mut self.pattern);
        let message = match (self.classify)(&self.pattern) {
            FieldUse::Harmless => return,
            FieldUse::Unsupported => "not supported: ignored".to_owned(),
            FieldUse::Unknown => match path.name().and_then(|name| nearest(name, known)) {
                Some(meant) => format!("unknown field: ignored; is {meant:?} meant?"),
                None => "unknown field: ignored".to_owned(),
            },
        };
        self.ignored.push(Ignored {
            place: path.place(value),
            message,
        });
    }
}

/// Reads a value that stands alone, such as one that serde brings. What the type does not read is left out.
pub(crate) fn read_json(value: &serde_json::Value, into: &mut dyn Wire) -> Result<(), DecodeError> {
    let tree = Tree::from_json(value);
    let mut notes = Notes::new(&|_| FieldUse::Harmless);
    for value in tree.documents().filter(|value| !value.is_null()) {
        into.read(Typed::new(value, &mut notes))
            .map_err(|error| error.error)?;
    }
    Ok(())
}

/// A value at its place.
pub(crate) struct Typed<'a, 'p, 'n> {
    value: Value<'a>,
    path: Path<'p>,
    notes: &'p mut Notes<'n>,
}

/// Where a value stands, as a chain of callers.
#[derive(Clone, Copy)]
enum Path<'p> {
    Root,
    Field(&'p Self, &'p str),
    Index(&'p Self, usize),
}

impl Path<'_> {
    fn place(&self, value: Value<'_>) -> Place {
        let mut segments = Vec::new();
        let mut path = self;
        loop {
            path = match path {
                Path::Root => break,
                Path::Field(outer, name) => {
                    segments.push(Segment::Field((*name).to_owned()));
                    outer
                }
                Path::Index(outer, index) => {
                    segments.push(Segment::Index(*index));
                    outer
                }
            };
        }
        Place {
            line: value.line(),
            column: value.column(),
            path: segments.into_iter().rev().collect(),
        }
    }

    /// The path without item numbers: `spec.containers[].env`.
    fn write_pattern(&self, out: &mut String) {
        match self {
            Path::Root => {}
            Path::Field(outer, name) => {
                outer.write_pattern(out);
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            Path::Index(outer, _) => {
                outer.write_pattern(out);
                out.push_str("[]");
            }
        }
    }

    const fn name(&self) -> Option<&str> {
        match self {
            Path::Field(_, name) => Some(name),
            _ => None,
        }
    }
}

impl<'a, 'p, 'n> Typed<'a, 'p, 'n> {
    pub(super) const fn new(value: Value<'a>, notes: &'p mut Notes<'n>) -> Self {
        Self {
            value,
            path: Path::Root,
            notes,
        }
    }

    /// The value as it came.
    pub(crate) const fn value(&self) -> Value<'a> {
        self.value
    }

    /// Reads a map into the fields of a struct, each under its name.
    pub(crate) fn fields(self, names: &[&str], fields: &mut [&mut dyn Wire]) -> Read {
        self.check_map()?;
        let Self { value, path, notes } = self;
        for (key, value) in value.pairs() {
            if value.is_null() {
                continue;
            }
            let name = key.as_str().unwrap_or("");
            let path = Path::Field(&path, name);
            let index = names.iter().position(|known| *known == name);
            match index.and_then(|index| fields.get_mut(index)) {
                Some(field) => field.read(Typed {
                    value,
                    path,
                    notes: &mut *notes,
                })?,
                None => notes.note(value, path, names),
            }
        }
        Ok(())
    }

    /// Gives each item of a list to `add`, none for null.
    pub(crate) fn items(self, add: &mut dyn FnMut(Option<Typed<'_, '_, '_>>) -> Read) -> Read {
        if !matches!(self.value.data(), Data::List(_)) {
            return Err(self.wrong_type("a list"));
        }
        let Self { value, path, notes } = self;
        for (index, value) in value.items().enumerate() {
            let item = Typed {
                value,
                path: Path::Index(&path, index),
                notes: &mut *notes,
            };
            add((!value.is_null()).then_some(item))?;
        }
        Ok(())
    }

    /// Gives each key and value of a map to `add`, none for null.
    pub(crate) fn pairs(
        self,
        add: &mut dyn FnMut(&str, Option<Typed<'_, '_, '_>>) -> Read,
    ) -> Read {
        self.check_map()?;
        let Self { value, path, notes } = self;
        for (key, value) in value.pairs() {
            let name = key.as_str().unwrap_or("");
            let item = Typed {
                value,
                path: Path::Field(&path, name),
                notes: &mut *notes,
            };
            add(name, (!value.is_null()).then_some(item))?;
        }
        Ok(())
    }

    fn check_map(&self) -> Read {
        match self.value.data() {
            Data::Map(_) => Ok(()),
            _ => Err(self.wrong_type("a map")),
        }
    }

    /// The text. A number or boolean is not text, as Kubernetes has it.
    pub(crate) fn text(&self, expected: &str) -> Read<&'a str> {
        match self.value.data() {
            Data::Text(text) => Ok(text),
            Data::List(_) | Data::Map(_) | Data::Null => Err(self.wrong_type(expected)),
            _ => Err(self.wrong_type(&format!("{expected} in quotes"))),
        }
    }

    pub(crate) fn boolean(&self) -> Read<bool> {
        match self.value.data() {
            Data::Bool(value) => Ok(value),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    /// A whole number in a range, which `words` describes.
    pub(crate) fn whole(&self, range: RangeInclusive<i64>, words: &str) -> Read<i64> {
        let number = match self.value.data() {
            Data::Int(number) => Ok(number),
            Data::Uint(number) => Err(number.to_string()),
            // `1e3` and `2.0` are whole, and so is their shortest text.
            Data::Float(number) => match number.to_string().parse() {
                Ok(number) => Ok(number),
                Err(_) => return Err(self.wrong_type("a whole number")),
            },
            _ => return Err(self.wrong_type("a whole number")),
        };
        match number {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) => Err(self.out_of_range(&number.to_string(), words)),
            Err(number) => Err(self.out_of_range(&number, words)),
        }
    }

    fn out_of_range(&self, found: &str, words: &str) -> Box<TypedError> {
        self.problem(format!(
            "{found} is out of range; expected a whole number {words}"
        ))
    }

    /// A value of the right type that cannot stand here.
    pub(crate) fn refuse(&self, found: &str, expected: &str) -> Read {
        Err(self.problem(format!("{found} cannot stand here; expected {expected}")))
    }

    /// An error in words of its own.
    pub(crate) fn problem(&self, problem: String) -> Box<TypedError> {
        self.error(DecodeError::Value { problem })
    }

    pub(crate) fn wrong_type(&self, expected: &str) -> Box<TypedError> {
        self.error(DecodeError::Type {
            found: describe(self.value),
            expected: expected.to_owned(),
        })
    }

    fn error(&self, error: DecodeError) -> Box<TypedError> {
        Box::new(TypedError {
            error,
            place: self.path.place(self.value),
        })
    }
}
