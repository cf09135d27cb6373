//! A value → any type that serde can read, keeping track of where it is.
//!
//! Null stands for a type's own nothing, as in Go: an empty text, list or map, 0, false. What a type does not read is noted.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, Error as _, Visitor};

use super::error::DecodeError;
use super::tree::{Data, Items, Pairs, Value};
use super::words::{describe, in_words, nearest, range};
use crate::api::{FieldPath, Segment};

/// What is wrong and where; the place is added by the innermost reader that knows it.
#[derive(Debug)]
pub(super) struct TypedError {
    pub(super) error: DecodeError,
    pub(super) place: Option<Place>,
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

/// Reads a value as a type.
pub(super) fn read<'a, T: de::Deserialize<'a>>(
    value: Value<'a>,
    notes: &mut Notes<'_>,
) -> Result<T, TypedError> {
    T::deserialize(Typed {
        value,
        path: Path::Root,
        notes,
    })
}

/// A value at its place.
pub(super) struct Typed<'a, 'p, 'n> {
    value: Value<'a>,
    path: Path<'p>,
    notes: &'p mut Notes<'n>,
}

impl<'a, 'p, 'n> Typed<'a, 'p, 'n> {
    pub(super) const fn new(value: Value<'a>, notes: &'p mut Notes<'n>) -> Self {
        Self {
            value,
            path: Path::Root,
            notes,
        }
    }
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

impl TypedError {
    fn new(error: DecodeError) -> Self {
        Self { error, place: None }
    }

    /// Says where it is, unless somebody further in has said so, and what was found there.
    fn at(mut self, value: Value<'_>, path: Path<'_>) -> Self {
        if self.place.is_none() {
            self.place = Some(path.place(value));
            if let DecodeError::Type { found, .. } = &mut self.error {
                *found = describe(value);
            }
        }
        self
    }
}

impl core::error::Error for TypedError {}

impl fmt::Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl de::Error for TypedError {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::new(DecodeError::Value {
            problem: problem.to_string(),
        })
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(DecodeError::Type {
            found: found.to_string(),
            expected: in_words(&expected.to_string()),
        })
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = match found {
            de::Unexpected::Signed(number) => number.to_string(),
            de::Unexpected::Unsigned(number) => number.to_string(),
            de::Unexpected::Float(number) => number.to_string(),
            other => other.to_string(),
        };
        let problem = match range(&expected.to_string()) {
            Some(range) => format!("{found} is out of range; expected a whole number {range}"),
            None => format!(
                "{found} cannot stand here; expected {}",
                in_words(&expected.to_string())
            ),
        };
        Self::new(DecodeError::Value { problem })
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(DecodeError::Unlisted {
            found: found.to_owned(),
            expected: expected.join(", "),
        })
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(DecodeError::Missing {
            field: field.to_owned(),
        })
    }
}

impl<'a> Typed<'a, '_, '_> {
    /// Reads a number, whole where it has no fraction.
    fn number<V: Visitor<'a>>(&self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Int(number) => visitor.visit_i64(number),
            Data::Uint(number) => visitor.visit_u64(number),
            // `1e3` and `2.0` are whole, and so is their shortest text.
            Data::Float(number) => match number.to_string().parse() {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => visitor.visit_f64(number),
            },
            Data::Null => visitor.visit_i64(0),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn float<V: Visitor<'a>>(&self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Float(number) => visitor.visit_f64(number),
            _ => self.number(visitor),
        }
    }

    fn text<V: Visitor<'a>>(&self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Text(text) => visitor.visit_borrowed_str(text),
            Data::Null => visitor.visit_borrowed_str(""),
            Data::Bool(_) | Data::Int(_) | Data::Uint(_) | Data::Float(_) => {
                let expected = format!(
                    "{} in quotes",
                    in_words(&format!("{}", &visitor as &dyn de::Expected))
                );
                Err(TypedError::new(DecodeError::Type {
                    found: String::new(),
                    expected,
                }))
            }
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn boolean<V: Visitor<'a>>(&self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Bool(value) => visitor.visit_bool(value),
            Data::Null => visitor.visit_bool(false),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn wrong_type<V: Visitor<'a>>(&self, visitor: &V) -> TypedError {
        TypedError::invalid_type(de::Unexpected::Other(""), visitor)
    }

    fn any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Null => visitor.visit_unit(),
            Data::Bool(value) => visitor.visit_bool(value),
            Data::Int(number) => visitor.visit_i64(number),
            Data::Uint(number) => visitor.visit_u64(number),
            Data::Float(number) => visitor.visit_f64(number),
            Data::Text(text) => visitor.visit_borrowed_str(text),
            Data::List(_) => self.list(visitor),
            Data::Map(_) => self.map(visitor, None),
        }
    }

    fn list<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::List(_) | Data::Null => visitor.visit_seq(ListReader {
                items: self.value.items(),
                index: 0,
                path: &self.path,
                notes: self.notes,
            }),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    /// Reads a map; `fields` are those that a struct has.
    fn map<V: Visitor<'a>>(
        self,
        visitor: V,
        fields: Option<&'static [&'static str]>,
    ) -> Result<V::Value, TypedError> {
        match self.value.data() {
            Data::Map(_) | Data::Null => visitor.visit_map(MapReader {
                pairs: self.value.pairs(),
                current: None,
                fields,
                path: &self.path,
                notes: self.notes,
            }),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    /// Runs a reader and says where its error is.
    fn located<T>(self, read: impl FnOnce(Self) -> Result<T, TypedError>) -> Result<T, TypedError> {
        let (value, path) = (self.value, self.path);
        read(self).map_err(|error| error.at(value, path))
    }
}

/// Forwards methods of a kind to one reader each.
macro_rules! forward {
    ($($reader:ident: $($method:ident)*;)*) => { $($(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
            self.located(|this| this.$reader(visitor))
        }
    )*)* };
}

impl<'a> Deserializer<'a> for Typed<'a, '_, '_> {
    type Error = TypedError;

    forward! {
        any: deserialize_any deserialize_unit;
        number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128;
        float: deserialize_f32 deserialize_f64;
        text: deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
            deserialize_identifier;
        boolean: deserialize_bool;
        list: deserialize_seq;
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
        self.located(|this| this.map(visitor, None))
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.located(|this| this.map(visitor, Some(fields)))
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
        if self.value.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.located(|this| visitor.visit_newtype_struct(this))
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'a>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.deserialize_seq(visitor)
    }

    /// One of several: its name, or a map from its name to what is in it.
    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypedError> {
        self.located(|this| match this.value.data() {
            Data::Text(name) => visitor.visit_enum(de::value::StrDeserializer::new(name)),
            Data::Map(1) => visitor.visit_enum(de::value::MapAccessDeserializer::new(MapReader {
                pairs: this.value.pairs(),
                current: None,
                fields: None,
                path: &this.path,
                notes: this.notes,
            })),
            _ => Err(TypedError::new(DecodeError::Type {
                found: String::new(),
                expected: "one of several by name".to_owned(),
            })),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, TypedError> {
        self.notes.note(self.value, self.path, &[]);
        visitor.visit_unit()
    }
}

struct ListReader<'a, 'p, 'n> {
    items: Items<'a>,
    index: usize,
    path: &'p Path<'p>,
    notes: &'p mut Notes<'n>,
}

impl<'a> de::SeqAccess<'a> for ListReader<'a, '_, '_> {
    type Error = TypedError;

    fn next_element_seed<T: DeserializeSeed<'a>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TypedError> {
        let Some(value) = self.items.next() else {
            return Ok(None);
        };
        let path = Path::Index(self.path, self.index);
        self.index += 1;
        seed.deserialize(Typed {
            value,
            path,
            notes: self.notes,
        })
        .map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct MapReader<'a, 'p, 'n> {
    pairs: Pairs<'a>,
    current: Option<(&'a str, Value<'a>)>,
    /// The fields of the struct that is read; none for a map.
    fields: Option<&'static [&'static str]>,
    path: &'p Path<'p>,
    notes: &'p mut Notes<'n>,
}

impl<'a> de::MapAccess<'a> for MapReader<'a, '_, '_> {
    type Error = TypedError;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, TypedError> {
        loop {
            let Some((key, value)) = self.pairs.next() else {
                return Ok(None);
            };
            let name = key.as_str().unwrap_or("");
            if let Some(fields) = self.fields {
                if value.is_null() {
                    continue;
                }
                if !fields.contains(&name) {
                    self.notes.note(value, Path::Field(self.path, name), fields);
                    continue;
                }
            }
            self.current = Some((name, value));
            let path = Path::Field(self.path, name);
            let result = seed.deserialize(de::value::BorrowedStrDeserializer::new(name));
            return result
                .map(Some)
                .map_err(|error: TypedError| error.at(key, path));
        }
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value, TypedError> {
        let Some((name, value)) = self.current.take() else {
            return Err(TypedError::custom("a value was asked for before its key"));
        };
        let path = Path::Field(self.path, name);
        seed.deserialize(Typed {
            value,
            path,
            notes: self.notes,
        })
    }
}
