//! A text as a tree of values, each with its line and column.
//!
//! A dump of a cluster has millions of values, so the tree is one list in the order of the text: a list or map is
//! followed by all that is in it and says how much that is. Text that needs no decoding is not copied.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{FieldPath, Segment};

/// The documents of a text.
#[derive(Clone, Debug, Default)]
pub struct Tree<'t> {
    text: &'t str,
    /// What had to be decoded.
    scratch: String,
    entries: Vec<Entry>,
    roots: Vec<usize>,
}

/// One value, or the key before a value of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) content: Content,
}

/// What a value is. Lengths are in bytes and entries.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Null,
    Bool(bool),
    /// In two halves, so that an entry stays small.
    Int([u32; 2]),
    Uint([u32; 2]),
    Float([u32; 2]),
    Text {
        start: u32,
        len: u32,
    },
    Decoded {
        start: u32,
        len: u32,
    },
    List {
        items: u32,
        below: u32,
    },
    Map {
        pairs: u32,
        below: u32,
    },
}

/// A value in a tree. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    tree: &'a Tree<'a>,
    index: usize,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data<'a> {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number beyond `i64`.
    Uint(u64),
    /// A number with a fraction, or beyond `u64`.
    Float(f64),
    /// Text.
    Text(&'a str),
    /// A list of so many items.
    List(usize),
    /// A map of so many pairs.
    Map(usize),
}

impl<'t> Tree<'t> {
    /// A tree without documents over a text.
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            text,
            scratch: String::new(),
            entries: Vec::new(),
            roots: Vec::new(),
        }
    }

    /// A value as a tree with one document and without places.
    #[must_use]
    pub fn from_json(value: &serde_json::Value) -> Self {
        let mut tree = Self::new("");
        tree.add_json(value);
        tree.roots.push(0);
        tree
    }

    fn add_json(&mut self, value: &serde_json::Value) {
        let index = self.entries.len();
        let content = match value {
            serde_json::Value::Null => Content::Null,
            serde_json::Value::Bool(value) => Content::Bool(*value),
            serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Content::Int(split(number.cast_unsigned())),
                (None, Some(number)) => Content::Uint(split(number)),
                (None, None) => {
                    Content::Float(split(number.as_f64().unwrap_or_default().to_bits()))
                }
            },
            serde_json::Value::String(text) => self.intern(text),
            serde_json::Value::Array(_) | serde_json::Value::Object(_) => Content::Null,
        };
        self.entries.push(Entry {
            line: 0,
            column: 0,
            content,
        });
        let below = |tree: &Self| narrow(tree.entries.len() - index - 1);
        let content = match value {
            serde_json::Value::Array(items) => {
                items.iter().for_each(|item| self.add_json(item));
                Content::List {
                    items: narrow(items.len()),
                    below: below(self),
                }
            }
            serde_json::Value::Object(pairs) => {
                for (key, value) in pairs {
                    let content = self.intern(key);
                    self.entries.push(Entry {
                        line: 0,
                        column: 0,
                        content,
                    });
                    self.add_json(value);
                }
                Content::Map {
                    pairs: narrow(pairs.len()),
                    below: below(self),
                }
            }
            _ => return,
        };
        if let Some(entry) = self.entries.get_mut(index) {
            entry.content = content;
        }
    }

    /// The documents in the order of the text.
    pub fn documents(&self) -> impl Iterator<Item = Value<'_>> {
        self.roots.iter().map(|&index| Value { tree: self, index })
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) const fn entries_mut(&mut self) -> &mut Vec<Entry> {
        &mut self.entries
    }

    pub(super) fn roots(&self) -> &[usize] {
        &self.roots
    }

    pub(super) const fn roots_mut(&mut self) -> &mut Vec<usize> {
        &mut self.roots
    }

    /// Text as content: where it stands in the text if it does, else kept aside.
    pub(super) fn intern(&mut self, text: &str) -> Content {
        let offset = (text.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if self
            .text
            .get(offset..offset.wrapping_add(text.len()))
            .is_some_and(|found| found.as_ptr() == text.as_ptr())
        {
            return Content::Text {
                start: narrow(offset),
                len: narrow(text.len()),
            };
        }
        let start = narrow(self.scratch.len());
        self.scratch.push_str(text);
        Content::Decoded {
            start,
            len: narrow(text.len()),
        }
    }

    /// The text of an entry that is text.
    pub(super) fn text_of(&self, entry: &Entry) -> Option<&str> {
        let (buffer, start, len) = match entry.content {
            Content::Text { start, len } => (self.text, start, len),
            Content::Decoded { start, len } => (self.scratch.as_str(), start, len),
            _ => return None,
        };
        let start = widen(start);
        buffer.get(start..start + widen(len))
    }
}

impl Entry {
    /// How many entries the value takes, itself included.
    pub(super) const fn span(&self) -> usize {
        match self.content {
            Content::List { below, .. } | Content::Map { below, .. } => 1 + widen(below),
            _ => 1,
        }
    }
}

impl<'a> Value<'a> {
    fn entry(&self) -> Option<&'a Entry> {
        self.tree.entries.get(self.index)
    }

    /// What it is.
    #[must_use]
    pub fn data(&self) -> Data<'a> {
        let Some(entry) = self.entry() else {
            return Data::Null;
        };
        match entry.content {
            Content::Null => Data::Null,
            Content::Bool(value) => Data::Bool(value),
            Content::Int(halves) => Data::Int(join(halves).cast_signed()),
            Content::Uint(halves) => Data::Uint(join(halves)),
            Content::Float(halves) => Data::Float(f64::from_bits(join(halves))),
            Content::Text { .. } | Content::Decoded { .. } => {
                Data::Text(self.tree.text_of(entry).unwrap_or(""))
            }
            Content::List { items, .. } => Data::List(widen(items)),
            Content::Map { pairs, .. } => Data::Map(widen(pairs)),
        }
    }

    /// Its line, counted from 1; 0 if there is no text.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.entry().map_or(0, |entry| entry.line)
    }

    /// Its column, counted from 1; 0 if there is no text.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.entry().map_or(0, |entry| entry.column)
    }

    /// The text, if it is text.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        self.tree.text_of(self.entry()?)
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.data() == Data::Null
    }

    /// Its items, if it is a list.
    #[must_use]
    pub fn items(&self) -> Items<'a> {
        let left = if let Data::List(items) = self.data() {
            items
        } else {
            0
        };
        Items {
            next: Self {
                tree: self.tree,
                index: self.index + 1,
            },
            left,
        }
    }

    /// Its keys and values in the order of the text, if it is a map.
    #[must_use]
    pub fn pairs(&self) -> Pairs<'a> {
        let left = if let Data::Map(pairs) = self.data() {
            pairs
        } else {
            0
        };
        Pairs {
            next: Self {
                tree: self.tree,
                index: self.index + 1,
            },
            left,
        }
    }

    /// The value of a key, if it is a map that has it. Null counts as absent.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        self.pairs()
            .find(|(found, _)| found.as_str() == Some(key))
            .map(|(_, value)| value)
            .filter(|value| !value.is_null())
    }

    /// The deepest value on a path that is there.
    #[must_use]
    pub fn nearest(&self, path: &FieldPath) -> Self {
        let mut value = *self;
        for segment in path.segments() {
            let next = match segment {
                Segment::Field(name) => value.get(name),
                Segment::Index(index) => value.items().nth(*index),
            };
            let Some(next) = next else { break };
            value = next;
        }
        value
    }

    /// The value without its places.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self.data() {
            Data::Null => serde_json::Value::Null,
            Data::Bool(value) => value.into(),
            Data::Int(value) => value.into(),
            Data::Uint(value) => value.into(),
            Data::Float(value) => value.into(),
            Data::Text(text) => text.into(),
            Data::List(_) => self.items().map(|item| item.to_json()).collect(),
            Data::Map(_) => {
                let mut map = serde_json::Map::new();
                for (key, value) in self.pairs() {
                    map.insert(key.as_str().unwrap_or("").to_string(), value.to_json());
                }
                serde_json::Value::Object(map)
            }
        }
    }

    /// The value after this one.
    fn after(&self) -> Self {
        let span = self.entry().map_or(1, Entry::span);
        Self {
            tree: self.tree,
            index: self.index + span,
        }
    }
}

/// The items of a list.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    next: Value<'a>,
    left: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;
    fn next(&mut self) -> Option<Value<'a>> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = item.after();
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The keys and values of a map.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    next: Value<'a>,
    left: usize,
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (Value<'a>, Value<'a>);
    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        self.left = self.left.checked_sub(1)?;
        let key = self.next;
        let value = key.after();
        self.next = value.after();
        Some((key, value))
    }
}

/// A number as two halves.
pub(super) fn split(bits: u64) -> [u32; 2] {
    [narrow_half(bits >> 32), narrow_half(bits & 0xffff_ffff)]
}

fn join([high, low]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn narrow_half(bits: u64) -> u32 {
    u32::try_from(bits).expect("half of a u64 was cut out")
}

/// Offsets fit because texts of 4 GiB are refused before they are read.
pub(super) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).expect("the text is smaller than 4 GiB")
}

pub(super) const fn widen(offset: u32) -> usize {
    offset as usize
}
