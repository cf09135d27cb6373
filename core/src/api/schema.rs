//! How an object is written down: Kubernetes' field names, nothing empty, null as absent.

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// Declares structs of Kubernetes' API.
///
/// Each field is left out of the text when it has its default, and null reads like absent, as Go does both. Serde has no
/// attribute for that on a whole struct, and the same two attributes on five hundred fields would hide the fields.
macro_rules! objects {
    ($( $(#[$attribute:meta])* pub struct $name:ident {
        $( $(#[$field_attribute:meta])* pub $field:ident: $type:ty, )*
    } )*) => { $(
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub struct $name { $(
            $(#[$field_attribute])*
            #[serde(
                skip_serializing_if = "crate::api::schema::is_default",
                deserialize_with = "crate::api::schema::null_as_default"
            )]
            pub $field: $type,
        )* }
    )* };
}
pub(crate) use objects;

/// Whether `value` says nothing that its absence would not say.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a value, null as its default.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A part of an object that decides nothing and is kept as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Opaque(pub serde_json::Value);

/// A number, or a percentage or name as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum IntOrString {
    /// A plain number.
    Int(i32),
    /// A percentage such as `25%`, or a name.
    String(alloc::string::String),
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

impl<'de> Deserialize<'de> for IntOrString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = IntOrString;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a percentage such as 25%")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<IntOrString, E> {
                Ok(IntOrString::String(text.into()))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<IntOrString, E> {
                let number = i32::try_from(number);
                let unexpected = serde::de::Unexpected::Other("a number beyond 32 bits");
                number
                    .map(IntOrString::Int)
                    .map_err(|_| E::invalid_value(unexpected, &self))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<IntOrString, E> {
                self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// Which way a percentage of a count is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards more.
    Up,
    /// Towards less.
    Down,
}
