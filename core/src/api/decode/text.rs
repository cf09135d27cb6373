//! Bytes → trees: which parts of a text are documents, and whether each is JSON or YAML.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::build::{Builder, Fault, Position};
use super::error::DecodeError;
use super::json;
use super::tree::{Tree, Value};
use crate::api::{FieldPath, Located};

/// A text that was read, and what was wrong with documents that could not be.
#[derive(Clone, Debug)]
pub struct Text<'t> {
    source: Arc<str>,
    tree: Tree<'t>,
    faults: Vec<Fault>,
}

impl<'t> Text<'t> {
    /// Reads YAML or JSON: any number of documents, parted by `---`.
    ///
    /// A document with an error is left out; the others are there. Without the feature `yaml`, JSON only.
    /// Cost: one pass, no copy of text that needs no decoding.
    #[must_use]
    pub fn read(source: &str, bytes: &'t [u8]) -> Self {
        let source = Arc::from(source);
        let text = match check(bytes) {
            Ok(text) => text,
            Err(error) => {
                let fault = Fault {
                    position: place_of(&error, bytes),
                    path: FieldPath::root(),
                    error,
                };
                return Self {
                    source,
                    tree: Tree::default(),
                    faults: [fault].into(),
                };
            }
        };
        let mut builder = Builder::new(text);
        for Chunk { text, line } in chunks(text) {
            if let Err((position, error)) = read_chunk(text, line, &mut builder) {
                builder.fault(position, error);
                builder.abandon();
            }
        }
        let (tree, mut faults) = builder.finish();
        if faults.is_empty() && tree.documents().all(|document| document.is_null()) {
            faults.push(Fault {
                position: Position::default(),
                path: FieldPath::root(),
                error: DecodeError::Empty,
            });
        }
        Self {
            source,
            tree,
            faults,
        }
    }

    /// Where the text comes from.
    #[must_use]
    pub const fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// The documents that could be read, with their numbers counted from 0; those without any content are left out.
    pub fn documents(&self) -> impl Iterator<Item = (usize, Value<'_>)> {
        self.tree
            .documents()
            .enumerate()
            .filter(|(_, document)| !document.is_null())
    }

    /// What was wrong with the others.
    pub fn errors(&self) -> impl Iterator<Item = Located<DecodeError>> {
        self.faults.iter().map(|fault| Located {
            source: self.source.clone(),
            line: fault.position.line,
            column: fault.position.column,
            path: fault.path.clone(),
            object: Default::default(),
            error: fault.error.clone(),
        })
    }
}

/// A part of a text that the parser sees on its own.
struct Chunk<'t> {
    text: &'t str,
    /// How many lines stand before it.
    line: u32,
}

/// Parts the text where a line starts with `---`, which ends a document whatever stands before it. So an error in one
/// document leaves the others alone.
fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let (mut start, mut start_line) = (0, 0);
    let mut at = 0;
    let mut is_directive = false;
    for (line, number) in text.split_inclusive('\n').zip(0..) {
        let rest = line.strip_prefix("---");
        // What a directive says is about the document after the marker.
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
            && !is_directive
        {
            chunks.push(Chunk {
                text: text.get(start..at).unwrap_or(""),
                line: start_line,
            });
            (start, start_line) = (at, number);
        }
        is_directive = line.starts_with('%') || (is_directive && is_blank(line));
        at += line.len();
    }
    chunks.push(Chunk {
        text: text.get(start..).unwrap_or(""),
        line: start_line,
    });
    chunks.retain(|chunk| !chunk.text.lines().all(is_blank));
    chunks
}

/// Whether a line says nothing.
fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// What looks like JSON is read as JSON, which is quicker and knows the escapes of JSON; if it is not, as YAML.
fn read_chunk(text: &str, line: u32, builder: &mut Builder<'_>) -> Result<(), json::Stop> {
    let after_marker = text.strip_prefix("---").unwrap_or(text);
    let may_be_json = after_marker.trim_start().starts_with(['{', '[']);
    if !may_be_json && cfg!(feature = "yaml") {
        return read_yaml(text, line, builder);
    }
    let mark = builder.mark();
    let first_line = line + 1;
    let Err(json_stop) = json::read(after_marker, first_line, builder) else {
        return Ok(());
    };
    if !cfg!(feature = "yaml") {
        return Err(json_stop);
    }
    builder.rewind(mark);
    read_yaml(text, line, builder).map_err(|yaml_stop| {
        builder.abandon();
        // Whichever reading got further is what the author meant.
        if (json_stop.0.line, json_stop.0.column) >= (yaml_stop.0.line, yaml_stop.0.column) {
            json_stop
        } else {
            yaml_stop
        }
    })
}

#[cfg(feature = "yaml")]
fn read_yaml(text: &str, line: u32, builder: &mut Builder<'_>) -> Result<(), json::Stop> {
    super::yaml::read(text, line, builder)
}

#[cfg(not(feature = "yaml"))]
fn read_yaml(_: &str, line: u32, _: &mut Builder<'_>) -> Result<(), json::Stop> {
    let problem = alloc::string::ToString::to_string("this is not JSON; YAML is not read here");
    Err((
        Position {
            line: line + 1,
            column: 1,
        },
        DecodeError::Syntax { problem },
    ))
}

/// Where the byte stands that is not text, if that is what is wrong.
#[inline(never)]
fn place_of(error: &DecodeError, bytes: &[u8]) -> Position {
    let DecodeError::NotText { offset } = *error else {
        return Position::default();
    };
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let before = bytes.get(..offset).unwrap_or(bytes);
    // Bytes that go on with a character are no columns of their own.
    let is_start = |byte: &&u8| **byte & 0xc0 != 0x80;
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or(before);
    Position {
        line: narrow(before.iter().filter(|byte| **byte == b'\n').count() + 1),
        column: narrow(line.iter().filter(is_start).count() + 1),
    }
}

/// The bytes as text.
fn check(bytes: &[u8]) -> Result<&str, DecodeError> {
    if bytes.len() > MAX_BYTES {
        return Err(DecodeError::TooLarge { limit: MAX_BYTES });
    }
    let text = core::str::from_utf8(bytes).map_err(|error| DecodeError::NotText {
        offset: error.valid_up_to(),
    })?;
    match text.find('\0') {
        Some(offset) => Err(DecodeError::NotText { offset }),
        None => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
    }
}

/// Places in a text are 32 bits wide, and decoding can make text longer by half.
const MAX_BYTES: usize = 1 << 30;
