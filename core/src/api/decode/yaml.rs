//! YAML text → tree, as kubectl reads it.
//!
//! The events are serde-saphyr's parser's; what they mean is decided here. Going through serde would cost the places of
//! single values, and its readings of plain words and of merge keys are not quite those of Kubernetes.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_saphyr::granit_parser::{
    ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, Tag,
};

use super::alias::MERGE_KEY;
use super::build::{Builder, MAX_DEPTH, Position};
use super::error::DecodeError;
use super::json::Stop;
use super::scalar::{Scalar, yaml_plain};

/// Everything that is chosen about the parser.
fn options() -> Options {
    serde_saphyr::granit_parser::options! {
        emit_comments: false,
        // Long keys are legal in JSON, which is YAML too.
        simple_key_max_lookahead: 64 * 1024,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    }
}

/// Reads documents one after another until the text ends. `line` is how many lines stand before the text.
pub(super) fn read(text: &str, line: u32, builder: &mut Builder<'_>) -> Result<(), Stop> {
    let mut reader = Reader {
        line,
        anchors: Vec::new(),
        builder,
    };
    for event in Parser::new_from_str_with_options(text, options()) {
        let (event, span) = event.map_err(|error| reader.scan_error(&error))?;
        let position = reader.position(&span);
        reader
            .event(event, position)
            .map_err(|error| (position, error))?;
    }
    Ok(())
}

struct Reader<'b, 't> {
    line: u32,
    /// Where the value with each anchor of the document stands.
    anchors: Vec<(usize, usize)>,
    builder: &'b mut Builder<'t>,
}

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, position: Position) -> Result<(), DecodeError> {
        match event {
            Event::DocumentStart(..) => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                self.note_anchor(anchor);
                self.scalar(position, &text, style, tag.as_deref());
            }
            Event::SequenceStart(_, anchor, _) => self.begin(position, anchor, false)?,
            Event::MappingStart(_, anchor, _) => self.begin(position, anchor, true)?,
            Event::SequenceEnd | Event::MappingEnd => self.builder.end(),
            Event::Alias(anchor) => self.alias(position, anchor)?,
            _ => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        position: Position,
        anchor: usize,
        is_map: bool,
    ) -> Result<(), DecodeError> {
        if self.builder.expects_key() {
            return Err(DecodeError::Syntax {
                problem:
                    "a list or map cannot be a key; is this a template that was not filled in?"
                        .to_string(),
            });
        }
        self.note_anchor(anchor);
        self.builder.begin(position, is_map)
    }

    fn note_anchor(&mut self, anchor: usize) {
        if anchor != 0 {
            self.anchors.push((anchor, self.builder.next_index()));
        }
    }

    fn alias(&mut self, position: Position, anchor: usize) -> Result<(), DecodeError> {
        let found = self
            .anchors
            .iter()
            .rev()
            .find(|(known, _)| *known == anchor);
        let Some(&(_, index)) = found else {
            return Err(DecodeError::Syntax {
                problem: "an alias repeats nothing that is named before".to_string(),
            });
        };
        if self.builder.expects_key() && !self.builder.is_text(index) {
            self.builder.fault(
                position,
                DecodeError::Syntax {
                    problem: "a key must be text".to_string(),
                },
            );
        }
        self.builder.repeat(index)
    }

    fn scalar(&mut self, position: Position, text: &str, style: ScalarStyle, tag: Option<&Tag>) {
        let is_plain = style == ScalarStyle::Plain;
        let is_key = self.builder.expects_key();
        if is_key && is_plain && tag.is_none() && text == MERGE_KEY {
            self.builder.mark_merge();
        }
        let meaning = match tag.map(|tag| tag.core_suffix()) {
            None => is_plain.then(|| yaml_plain(text)).flatten(),
            Some(Some("int" | "float" | "bool" | "null")) => yaml_plain(text),
            Some(_) => None,
        };
        match meaning {
            None => self.builder.text(position, text),
            Some(scalar) if is_key => self.key(position, text, scalar),
            Some(scalar) => self.builder.scalar(position, scalar.content()),
        }
    }

    /// Keys are text in JSON: what the word means, written down again.
    fn key(&mut self, position: Position, text: &str, scalar: Scalar) {
        match scalar {
            Scalar::Null => self.builder.text(position, "null"),
            Scalar::Bool(true) if text != "true" => self.builder.text(position, "true"),
            Scalar::Bool(false) if text != "false" => self.builder.text(position, "false"),
            Scalar::Int(value) => self.builder.text(position, &value.to_string()),
            Scalar::Uint(value) => self.builder.text(position, &value.to_string()),
            Scalar::Bool(_) | Scalar::Float(_) => self.builder.text(position, text),
        }
    }

    fn position(&self, span: &Span) -> Position {
        self.place(span.start.line(), span.start.col())
    }

    fn place(&self, line: usize, column: usize) -> Position {
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position {
            line: self.line.saturating_add(narrow(line)),
            column: narrow(column).saturating_add(1),
        }
    }

    #[inline(never)]
    fn scan_error(&self, error: &ScanError) -> Stop {
        let marker = error.marker();
        (self.place(marker.line(), marker.col()), explain(error))
    }
}

/// What the parser found, in words that say what to do where there is something to do.
fn explain(error: &ScanError) -> DecodeError {
    let problem = match error.kind() {
        ErrorKind::RecursionLimitExceeded => {
            return DecodeError::TooDeep { limit: MAX_DEPTH };
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation => "a tab cannot indent; expected spaces".to_string(),
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnclosedQuotedScalar => {
            "the text ends in the middle of a value; is a quote or bracket missing, or is it cut?"
                .to_string()
        }
        ErrorKind::MappingValueNotAllowed | ErrorKind::MappingKeyNotAllowed => {
            "a key cannot stand here; expected one key on a line, in line with its neighbours, and quotes around a value \
             that has a colon"
                .to_string()
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::ExpectedBlockMappingKey => {
            "this is not in line with what stands above; expected a key with a colon after it".to_string()
        }
        ErrorKind::BlockEntryInFlowCollection => {
            "a dash cannot stand in brackets; is this a template that was not filled in?".to_string()
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            format!("{open:?} is not closed; is its other half missing, or is the text cut?")
        }
        ErrorKind::UnknownAnchor => "an alias repeats nothing that is named before".to_string(),
        _ => match error.info() {
            info if info.is_empty() => "this is not YAML".to_string(),
            info => info,
        },
    };
    DecodeError::Syntax { problem }
}
