//! What a YAML text says once and means several times: aliases, and merge keys (`<<`).

use alloc::string::ToString;
use alloc::vec::Vec;

use super::build::{Builder, Position};
use super::error::DecodeError;
use super::tree::{Content, Entry, narrow};
use crate::order::{self, SortedSet};

impl Builder<'_> {
    /// Whether the next value is the key of a pair.
    pub(super) fn expects_key(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| open.is_map && open.count.is_multiple_of(2))
    }

    /// Whether the value that stands at `index` is text.
    pub(super) fn is_text(&self, index: usize) -> bool {
        self.key(index).is_some()
    }

    /// Says that the key just added is not a key but asks for another map to be taken in.
    pub(super) fn mark_merge(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.has_merge = true;
        }
    }

    /// Adds a copy of a value that stands at `index`.
    pub(super) fn repeat(&mut self, index: usize) -> Result<(), DecodeError> {
        if self.open.iter().any(|open| open.index == index) {
            return Err(DecodeError::Syntax {
                problem: "an alias stands inside of what it repeats".to_string(),
            });
        }
        let span = self.tree.entries().get(index).map_or(0, Entry::span);
        self.repeated += span;
        if self.repeated > MAX_REPEATED {
            return Err(DecodeError::TooManyRepetitions {
                limit: MAX_REPEATED,
            });
        }
        self.note_value();
        self.tree
            .entries_mut()
            .extend_from_within(index..index + span);
        self.end_document_after_root();
        Ok(())
    }

    /// Takes other maps in where a map asks for it. What the map says itself wins, then what stands first.
    #[inline(never)]
    pub(super) fn merge(&mut self, index: usize) {
        let pairs = self.pairs(index + 1, self.next_index());
        let (merges, mut kept): (Vec<_>, Vec<_>) = pairs
            .into_iter()
            .partition(|&(key, _)| self.key(key) == Some(MERGE_KEY));
        let mut known: SortedSet<Option<&str>> =
            order::collect(kept.iter().map(|&(key, _)| self.key(key)));
        let mut faults = Vec::new();
        for (_, value) in merges {
            for map in self.maps_to_merge(value, &mut faults) {
                let end = map + self.tree.entries().get(map).map_or(1, Entry::span);
                kept.extend(
                    self.pairs(map + 1, end)
                        .into_iter()
                        .filter(|&(key, _)| known.insert(self.key(key))),
                );
            }
        }
        let mut merged = Vec::new();
        for &(key, value) in &kept {
            let end = value + self.tree.entries().get(value).map_or(1, Entry::span);
            merged.extend_from_slice(self.tree.entries().get(key..end).unwrap_or_default());
        }
        let entries = self.tree.entries_mut();
        entries.truncate(index + 1);
        entries.extend(merged);
        self.set(
            index,
            Content::Map {
                pairs: narrow(kept.len()),
                below: narrow(self.next_index() - index - 1),
            },
        );
        for position in faults {
            self.fault(
                position,
                DecodeError::Syntax {
                    problem: "<< takes in a map or a list of maps only".to_string(),
                },
            );
        }
    }

    /// The maps that a merge key names.
    fn maps_to_merge(&self, value: usize, faults: &mut Vec<Position>) -> Vec<usize> {
        let entry = self.tree.entries().get(value).copied();
        let mut maps = Vec::new();
        match entry.map(|entry| entry.content) {
            Some(Content::Map { .. }) => maps.push(value),
            Some(Content::List { items, .. }) => {
                let mut item = value + 1;
                for _ in 0..items {
                    let Some(found) = self.tree.entries().get(item) else {
                        break;
                    };
                    if matches!(found.content, Content::Map { .. }) {
                        maps.push(item);
                    } else {
                        faults.push(Position {
                            line: found.line,
                            column: found.column,
                        });
                    }
                    item += found.span();
                }
            }
            Some(Content::Null) | None => {}
            Some(_) => faults.extend(entry.map(|entry| Position {
                line: entry.line,
                column: entry.column,
            })),
        }
        maps
    }

    /// Keys and values between two places.
    fn pairs(&self, start: usize, end: usize) -> Vec<(usize, usize)> {
        let entries = self.tree.entries();
        let mut pairs = Vec::new();
        let mut key = start;
        while key < end {
            let value = key + entries.get(key).map_or(1, Entry::span);
            pairs.push((key, value));
            key = value + entries.get(value).map_or(1, Entry::span);
        }
        pairs
    }
}

/// The key that asks for another map to be taken in.
pub(super) const MERGE_KEY: &str = "<<";
/// How many values aliases may add to a text. Kilobytes of text can otherwise ask for terabytes.
const MAX_REPEATED: usize = 1_000_000;
