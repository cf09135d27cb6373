//! Puts a tree together from what a reader finds, and holds it to what every text must keep to: keys once, a depth, a size.

use alloc::string::ToString;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::error::DecodeError;
use super::tree::{Content, Entry, Tree, narrow};
use crate::api::{FieldPath, Segment};

/// A place in the text, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// What is wrong, where in the text and where in the document.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) position: Position,
    pub(super) path: FieldPath,
    pub(super) error: DecodeError,
}

/// A tree that is being put together.
#[derive(Debug)]
pub(super) struct Builder<'t> {
    pub(super) tree: Tree<'t>,
    /// Lists and maps that have not ended, outermost first.
    pub(super) open: Vec<Open>,
    /// Where the current document starts.
    start: usize,
    faults: Vec<Fault>,
    /// Whether the current document must not be used.
    is_broken: bool,
    /// How many entries repetitions have made so far.
    #[cfg(feature = "yaml")]
    pub(super) repeated: usize,
}

/// A list or map that has not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) index: usize,
    pub(super) is_map: bool,
    /// Keys and values of a map, or items of a list, so far.
    pub(super) count: u32,
    /// Whether a key says that another map is to be taken in.
    #[cfg(feature = "yaml")]
    pub(super) has_merge: bool,
    /// Where the last key or item stands.
    last: usize,
}

impl<'t> Builder<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self {
            tree: Tree::new(text),
            open: Vec::new(),
            start: 0,
            faults: Vec::new(),
            is_broken: false,
            #[cfg(feature = "yaml")]
            repeated: 0,
        }
    }

    /// The tree, and what was wrong with documents that are not in it.
    pub(super) fn finish(self) -> (Tree<'t>, Vec<Fault>) {
        (self.tree, self.faults)
    }

    /// Where a reader can go back to, between documents.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            start: self.start,
            roots: self.tree.roots().len(),
            faults: self.faults.len(),
        }
    }

    /// Forgets what was found since the mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.start = mark.start;
        self.tree.roots_mut().truncate(mark.roots);
        self.faults.truncate(mark.faults);
        self.abandon();
    }

    /// Whether no list or map is open.
    pub(super) const fn is_between_documents(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether the innermost list or map is a map.
    pub(super) fn is_in_map(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_map)
    }

    /// How many values are there so far.
    pub(super) fn next_index(&self) -> usize {
        self.tree.entries().len()
    }

    /// Adds a value that is neither list nor map; a key is a text.
    pub(super) fn scalar(&mut self, position: Position, content: Content) {
        self.note_value();
        self.push(position, content);
        self.end_document_after_root();
    }

    /// Adds text.
    pub(super) fn text(&mut self, position: Position, text: &str) {
        let content = self.tree.intern(text);
        self.scalar(position, content);
    }

    /// Begins a list or a map.
    pub(super) fn begin(&mut self, position: Position, is_map: bool) -> Result<(), DecodeError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(DecodeError::TooDeep { limit: MAX_DEPTH });
        }
        self.note_value();
        let index = self.next_index();
        self.push(position, Content::Null);
        self.open.push(Open {
            index,
            is_map,
            count: 0,
            #[cfg(feature = "yaml")]
            has_merge: false,
            last: index,
        });
        Ok(())
    }

    /// Ends the innermost list or map.
    pub(super) fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let below = narrow(self.next_index() - open.index - 1);
        if open.is_map {
            self.set(
                open.index,
                Content::Map {
                    pairs: open.count / 2,
                    below,
                },
            );
            #[cfg(feature = "yaml")]
            if open.has_merge {
                self.merge(open.index);
            }
            self.check_keys(open.index);
        } else {
            self.set(
                open.index,
                Content::List {
                    items: open.count,
                    below,
                },
            );
        }
        self.end_document_after_root();
    }

    /// Notes what is wrong with the current document.
    pub(super) fn fault(&mut self, position: Position, error: DecodeError) {
        // A path of two hundred steps helps nobody.
        let path = match error {
            DecodeError::TooDeep { .. } => FieldPath::root(),
            _ => self.path(),
        };
        self.is_broken = true;
        self.faults.push(Fault {
            position,
            path,
            error,
        });
    }

    /// Drops the current document.
    pub(super) fn abandon(&mut self) {
        self.tree.entries_mut().truncate(self.start);
        self.open.clear();
        self.is_broken = false;
    }

    /// Where in the document the last value stands.
    fn path(&self) -> FieldPath {
        let segments = self.open.iter().filter(|open| open.count > 0).map(|open| {
            if open.is_map {
                let key = self
                    .tree
                    .entries()
                    .get(open.last)
                    .and_then(|entry| self.tree.text_of(entry));
                Segment::Field(key.unwrap_or("").to_string())
            } else {
                Segment::Index(usize::try_from(open.count - 1).unwrap_or(usize::MAX))
            }
        });
        segments.collect()
    }

    fn push(&mut self, Position { line, column }: Position, content: Content) {
        self.tree.entries_mut().push(Entry {
            line,
            column,
            content,
        });
    }

    pub(super) fn set(&mut self, index: usize, content: Content) {
        if let Some(entry) = self.tree.entries_mut().get_mut(index) {
            entry.content = content;
        }
    }

    /// Counts a key, value or item that is about to be added.
    pub(super) fn note_value(&mut self) {
        let index = self.next_index();
        if let Some(open) = self.open.last_mut() {
            if !open.is_map || open.count.is_multiple_of(2) {
                open.last = index;
            }
            open.count += 1;
        }
    }

    pub(super) fn end_document_after_root(&mut self) {
        if !self.open.is_empty() {
            return;
        }
        if self.is_broken {
            self.abandon();
        } else {
            self.tree.roots_mut().push(self.start);
            self.start = self.next_index();
        }
    }

    pub(super) fn key(&self, index: usize) -> Option<&str> {
        self.tree
            .entries()
            .get(index)
            .and_then(|entry| self.tree.text_of(entry))
    }

    /// Notes keys that a map has twice.
    fn check_keys(&mut self, index: usize) {
        let mut keys: SmallVec<[usize; 16]> = SmallVec::new();
        let (mut key, end) = (index + 1, self.next_index());
        while key < end {
            keys.push(key);
            let value = key + 1;
            key = value + self.tree.entries().get(value).map_or(1, Entry::span);
        }
        keys.sort_by(|&a, &b| self.key(a).cmp(&self.key(b)));
        let is_twice = |pair: &&[usize; 2]| self.key(pair[0]) == self.key(pair[1]);
        let twice: SmallVec<[[usize; 2]; 2]> =
            keys.array_windows().filter(is_twice).copied().collect();
        for [first, second] in twice {
            let entries = self.tree.entries();
            let (Some(first), Some(entry)) = (entries.get(first), entries.get(second)) else {
                continue;
            };
            let (first_line, position) = (
                first.line,
                Position {
                    line: entry.line,
                    column: entry.column,
                },
            );
            let path = self.path().field(self.key(second).unwrap_or(""));
            self.is_broken = true;
            self.faults.push(Fault {
                position,
                path,
                error: DecodeError::DuplicateKey { first_line },
            });
        }
    }
}

/// Where a reader can go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    start: usize,
    roots: usize,
    faults: usize,
}

/// How many lists and maps may stand in each other. Kubernetes' own objects need about thirty.
pub(super) const MAX_DEPTH: usize = 200;
