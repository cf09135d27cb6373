//! How an object is written down: Kubernetes' field names, nothing empty, null as absent.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value as Json};

use super::decode::{Data, Read, Typed};

use crate::order::SortedMap;

/// Declares structs of Kubernetes' API and how they are written: the fields in camel case unless `#[name = ...]` says
/// otherwise.
///
/// Each field is left out of the text when it has its default, and null reads like absent, as Go does both. A struct is
/// read in place by one table of fields, not by code of its own as serde's derive would make it: that code would be a
/// quarter of the whole module in a browser.
macro_rules! objects {
    ($( $(#[doc = $doc:expr])* pub struct $struct:ident {
        $( $(#[doc = $field_doc:expr])* $(#[name = $name:literal])? pub $field:ident: $type:ty, )*
    } )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $struct { $( $(#[doc = $field_doc])* pub $field: $type, )* }

        impl $struct {
            const FIELDS: &[&str] = &[$( $crate::api::schema::wire_name!($field $($name)?), )*];
        }

        impl $crate::api::schema::Wire for $struct {
            fn read(
                &mut self,
                from: $crate::api::decode::Typed<'_, '_, '_>,
            ) -> $crate::api::decode::Read {
                from.fields(Self::FIELDS, &mut [$( &mut self.$field, )*])
            }

            fn is_absent(&self) -> bool {
                $crate::api::schema::are_absent(&[$( &self.$field, )*])
            }

            fn write(&self) -> serde_json::Value {
                $crate::api::schema::write_fields(Self::FIELDS, &[$( &self.$field, )*])
            }
        }

        $crate::api::schema::through_json!($struct);
    )* };
}
pub(crate) use objects;

/// Serde's traits for a type that is [`Wire`].
macro_rules! through_json {
    ($type:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$crate::api::schema::Wire::write(self), serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = serde_json::Value::deserialize(deserializer)?;
                let mut read = Self::default();
                $crate::api::decode::read_json(&value, &mut read)
                    .map_err(serde::de::Error::custom)?;
                Ok(read)
            }
        }
    };
}
pub(crate) use through_json;

/// A field's name as Kubernetes writes it.
macro_rules! wire_name {
    ($field:ident $name:literal) => {
        $name
    };
    ($field:ident) => {{
        const SNAKE: &str = stringify!($field);
        const CAMEL: [u8; $crate::api::schema::camel_len(SNAKE)] =
            $crate::api::schema::camel(SNAKE);
        match core::str::from_utf8(&CAMEL) {
            Ok(name) => name,
            Err(_) => panic!("a field's name is ASCII"),
        }
    }};
}
pub(crate) use wire_name;

/// How many bytes [`camel`] gives.
pub(crate) const fn camel_len(snake: &str) -> usize {
    let (mut bytes, mut len) = (snake.as_bytes(), 0);
    while let [first, rest @ ..] = bytes {
        if *first != b'_' {
            len += 1;
        }
        bytes = rest;
    }
    len
}

/// `nodeName` for `node_name`, while compiling.
#[expect(
    clippy::indexing_slicing,
    reason = "it runs while compiling, where an index out of bounds is an error"
)]
pub(crate) const fn camel<const LEN: usize>(snake: &str) -> [u8; LEN] {
    let (mut bytes, mut len, mut is_start) = (snake.as_bytes(), 0, false);
    let mut camel = [0; LEN];
    while let [first, rest @ ..] = bytes {
        if *first == b'_' {
            is_start = true;
        } else {
            camel[len] = if is_start {
                first.to_ascii_uppercase()
            } else {
                *first
            };
            len += 1;
            is_start = false;
        }
        bytes = rest;
    }
    camel
}

/// A type with a form in Kubernetes' text.
pub(crate) trait Wire {
    /// Reads a value that is not null into the type's default.
    ///
    /// Errors: the first value that is not what the type needs.
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read;

    /// Whether the value says nothing that its absence would not say.
    fn is_absent(&self) -> bool;

    /// The value as it is written.
    fn write(&self) -> Json;
}

/// Whether no field says anything.
pub(crate) fn are_absent(fields: &[&dyn Wire]) -> bool {
    fields.iter().all(|field| field.is_absent())
}

/// The fields that say something, by their names.
pub(crate) fn write_fields(names: &[&str], fields: &[&dyn Wire]) -> Json {
    let mut map = Map::new();
    for (&name, field) in names.iter().zip(fields) {
        if !field.is_absent() {
            map.insert(name.into(), field.write());
        }
    }
    Json::Object(map)
}

impl Wire for String {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        *self = from.text("text")?.into();
        Ok(())
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }

    fn write(&self) -> Json {
        self.as_str().into()
    }
}

impl Wire for bool {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        *self = from.boolean()?;
        Ok(())
    }

    fn is_absent(&self) -> bool {
        !self
    }

    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Wire for i32 {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        let range = i64::from(Self::MIN)..=i64::from(Self::MAX);
        let number = from.whole(range, "from -2147483648 to 2147483647")?;
        *self = Self::try_from(number).unwrap_or_default();
        Ok(())
    }

    fn is_absent(&self) -> bool {
        *self == 0
    }

    fn write(&self) -> Json {
        (*self).into()
    }
}

impl Wire for i64 {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        let words = "from -9223372036854775808 to 9223372036854775807";
        *self = from.whole(Self::MIN..=Self::MAX, words)?;
        Ok(())
    }

    fn is_absent(&self) -> bool {
        *self == 0
    }

    fn write(&self) -> Json {
        (*self).into()
    }
}

/// An option that is there says something, whatever is in it.
impl<T: Wire + Default> Wire for Option<T> {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        self.insert(T::default()).read(from)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn write(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::write)
    }
}

impl<T: Wire + Default> Wire for Vec<T> {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        from.items(&mut |item| {
            self.push(T::default());
            match (item, self.last_mut()) {
                (Some(item), Some(value)) => value.read(item),
                _ => Ok(()),
            }
        })
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }

    fn write(&self) -> Json {
        self.iter().map(T::write).collect()
    }
}

impl<T: Wire + Default> Wire for SortedMap<String, T> {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        from.pairs(&mut |key, item| {
            let mut value = T::default();
            if let Some(item) = item {
                value.read(item)?;
            }
            self.insert(key.into(), value);
            Ok(())
        })
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }

    fn write(&self) -> Json {
        let mut map = Map::new();
        for (key, value) in self {
            map.insert(key.clone(), value.write());
        }
        Json::Object(map)
    }
}

/// A part of an object that decides nothing and is kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opaque(pub Json);

impl Wire for Opaque {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        self.0 = from.value().to_json();
        Ok(())
    }

    fn is_absent(&self) -> bool {
        self.0.is_null()
    }

    fn write(&self) -> Json {
        self.0.clone()
    }
}

through_json!(Opaque);

/// A number, or a percentage or name as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntOrString {
    /// A plain number.
    Int(i32),
    /// A percentage such as `25%`, or a name.
    String(String),
}

impl Default for IntOrString {
    fn default() -> Self {
        Self::Int(0)
    }
}

impl IntOrString {
    /// The number meant, a percentage being that of `total`, or none if it is neither.
    #[must_use]
    pub fn scaled(&self, total: i64, rounding: Rounding) -> Option<i64> {
        match self {
            Self::Int(number) => Some(i64::from(*number)),
            Self::String(text) => {
                let percent: i64 = text.strip_suffix('%')?.parse().ok()?;
                let product = percent.checked_mul(total)?;
                Some(match rounding {
                    Rounding::Up => product.checked_add(99)?.div_euclid(100),
                    Rounding::Down => product.div_euclid(100),
                })
            }
        }
    }
}

impl Wire for IntOrString {
    fn read(&mut self, from: Typed<'_, '_, '_>) -> Read {
        let expected = "a whole number or a percentage such as 25%";
        *self = match from.value().data() {
            Data::Text(text) => Self::String(text.into()),
            Data::Int(number) => match i32::try_from(number) {
                Ok(number) => Self::Int(number),
                Err(_) => return from.refuse("a number beyond 32 bits", expected),
            },
            Data::Uint(_) => return from.refuse("a number beyond 32 bits", expected),
            _ => return Err(from.wrong_type(expected)),
        };
        Ok(())
    }

    fn is_absent(&self) -> bool {
        *self == Self::Int(0)
    }

    fn write(&self) -> Json {
        match self {
            Self::Int(number) => (*number).into(),
            Self::String(text) => text.as_str().into(),
        }
    }
}

through_json!(IntOrString);

/// Which way a percentage of a count is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards more.
    Up,
    /// Towards less.
    Down,
}
