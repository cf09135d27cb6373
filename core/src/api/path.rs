//! Where something stands: in an object by its fields, in a text by line and column.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::{Serialize, Serializer};

/// A place in an object: `spec.containers[0].resources.requests.cpu`. Empty for the object itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath(Vec<Segment>);

/// One step into an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// To a field, or to an entry of a map by its key.
    Field(String),
    /// To an item of a list, counted from 0.
    Index(usize),
}

impl FieldPath {
    /// The object itself.
    #[must_use]
    pub const fn root() -> Self {
        Self(Vec::new())
    }

    /// The path through these fields: `FieldPath::of(&["spec", "containers"])`.
    #[must_use]
    pub fn of(fields: &[&str]) -> Self {
        Self(
            fields
                .iter()
                .map(|field| Segment::Field((*field).to_string()))
                .collect(),
        )
    }

    /// The path one field further.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.0.push(Segment::Field(name.into()));
        self
    }

    /// The path one item further.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// The path followed by all of another.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.0.extend_from_slice(&other.0);
        self
    }

    /// The steps.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether it is the object itself.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Segment> for FieldPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

/// Fields are parted by dots; a key that could be mistaken for several fields stands in brackets.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Field(name) if is_plain(name) => {
                    let dot = if position == 0 { "" } else { "." };
                    write!(f, "{dot}{name}")?;
                }
                Segment::Field(name) => write!(f, "[{name}]")?,
            }
        }
        Ok(())
    }
}

impl Serialize for FieldPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An error with the place where it is: `FILE:LINE:COL: path: what is wrong; what was expected (Pod default/web)`.
///
/// What is not known is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<E> {
    /// The file, or whatever the text came from.
    pub source: Arc<str>,
    /// The line, counted from 1; 0 if there is no text.
    pub line: u32,
    /// The column, counted from 1; 0 if there is no text.
    pub column: u32,
    /// The field in the object.
    pub path: FieldPath,
    /// The object, such as `Pod default/web`; empty if it is none or not known yet.
    pub object: Box<str>,
    /// What is wrong.
    pub error: E,
}

impl<E> Located<E> {
    /// An error about a text as a whole.
    pub fn in_source(source: Arc<str>, error: E) -> Self {
        Self {
            source,
            line: 0,
            column: 0,
            path: FieldPath::root(),
            object: Box::default(),
            error,
        }
    }

    /// The same place with another error.
    pub fn map<F>(self, change: impl FnOnce(E) -> F) -> Located<F> {
        let Self {
            source,
            line,
            column,
            path,
            object,
            error,
        } = self;
        Located {
            source,
            line,
            column,
            path,
            object,
            error: change(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for Located<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, &self.source, self.line, self.column)?;
        if !self.path.is_root() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.error)?;
        if !self.object.is_empty() {
            write!(f, " ({})", self.object)?;
        }
        Ok(())
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Located<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// `FILE:LINE:COL: `, as much of it as is known.
pub(super) fn write_place(
    f: &mut fmt::Formatter<'_>,
    source: &str,
    line: u32,
    column: u32,
) -> fmt::Result {
    match (source.is_empty(), line) {
        (true, 0) => Ok(()),
        (true, _) => write!(f, "{line}:{column}: "),
        (false, 0) => write!(f, "{source}: "),
        (false, _) => write!(f, "{source}:{line}:{column}: "),
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

#[cfg(test)]
mod tests;
