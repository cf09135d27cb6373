//! Where validation stands, without putting text together until something is wrong.

use alloc::string::String;
use core::fmt;

use crate::api::FieldPath;

use super::super::error::{Fault, Faults, InputError};

/// A field, an element or a key below another place.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    parent: Option<&'a Self>,
    part: Part<'a>,
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Root,
    Field(&'a str),
    Index(usize),
    Key(&'a str),
}

impl<'a> At<'a> {
    /// The object itself.
    pub(super) const ROOT: At<'static> = At {
        parent: None,
        part: Part::Root,
    };

    /// A field of what is here; may be a chain such as `spec.template`.
    pub(super) const fn field(&'a self, name: &'a str) -> Self {
        Self {
            parent: Some(self),
            part: Part::Field(name),
        }
    }

    /// An element of the list here.
    pub(super) const fn index(&'a self, index: usize) -> Self {
        Self {
            parent: Some(self),
            part: Part::Index(index),
        }
    }

    /// An entry of the map here.
    pub(super) const fn key(&'a self, key: &'a str) -> Self {
        Self {
            parent: Some(self),
            part: Part::Key(key),
        }
    }

    /// The whole path.
    fn path(&self) -> FieldPath {
        let path = self.parent.map_or_else(FieldPath::root, At::path);
        match self.part {
            Part::Root => path,
            Part::Field(names) => names.split('.').fold(path, FieldPath::field),
            Part::Index(index) => path.index(index),
            Part::Key(key) => path.field(key),
        }
    }

    /// Notes that something is wrong here.
    pub(super) fn fault(&self, faults: &mut Faults, error: InputError) {
        faults.push(Fault::new(self.path(), error));
    }

    /// Notes a value that cannot stand here.
    pub(super) fn invalid(
        &self,
        faults: &mut Faults,
        found: impl fmt::Display,
        expected: impl Into<alloc::borrow::Cow<'static, str>>,
    ) {
        self.fault(faults, InputError::invalid(found, expected));
    }

    /// Notes a value that is none of `allowed`, and says whether it is one.
    pub(super) fn one_of(
        &self,
        faults: &mut Faults,
        found: &str,
        allowed: &'static [&'static str],
    ) -> bool {
        if allowed.contains(&found) {
            return true;
        }
        self.fault(
            faults,
            InputError::NotOneOf {
                found: String::from(found),
                allowed,
            },
        );
        false
    }
}
