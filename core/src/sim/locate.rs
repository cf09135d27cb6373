//! Where in the text a fault stands that was found long after the text was read.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::decode::{Origin, Text};
use crate::api::{FieldPath, Located};
use crate::order;

use super::error::{Fault, InputError};
use super::scenario::SourceText;

/// An object, or a change of one, that the simulated API server refuses.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Where the object or its template stands.
    pub origin: Origin,
    /// The object, `Pod default/web`.
    pub object: String,
    /// What is wrong with which field.
    pub fault: Fault,
}

impl Refusal {
    /// The fault at the place of its object, for whoever no longer has the text.
    #[must_use]
    pub fn roughly(&self) -> Located<InputError> {
        Located {
            source: self.origin.source.clone(),
            line: self.origin.line,
            column: self.origin.column,
            path: self.fault.path.clone(),
            object: self.object.as_str().into(),
            error: self.fault.error.clone(),
        }
    }
}

/// The faults at the places of their fields, or of what comes nearest to them, in the order of the texts.
///
/// Cost: each text with a fault is read once more, because nobody keeps it for the sake of an error.
#[must_use]
#[inline(never)]
pub fn locate(refusals: &[Refusal], sources: &[SourceText<'_>]) -> Vec<Located<InputError>> {
    let mut located: Vec<Located<InputError>> = refusals.iter().map(Refusal::roughly).collect();
    for source in sources {
        let is_here = |refusal: &&Refusal| *refusal.origin.source == *source.name;
        if !refusals.iter().any(|refusal| is_here(&refusal)) {
            continue;
        }
        let text = Text::read(source.name, source.bytes);
        let documents: Vec<_> = text.documents().collect();
        for (refusal, place) in refusals.iter().zip(&mut located) {
            let document = documents
                .iter()
                .find(|(number, _)| is_here(&refusal) && *number == refusal.origin.document);
            if let Some((_, document)) = document {
                let object = document.nearest(&refusal.origin.path);
                let value = object.nearest(&refusal.fault.path);
                (place.line, place.column) = (value.line(), value.column());
            }
        }
    }
    order::sort_by(&mut located, |one, two| {
        let place = |fault: &Located<InputError>| (fault.source.clone(), fault.line, fault.column);
        place(one).cmp(&place(two))
    });
    located
}

/// A path as configurations write it, `profiles[0].plugins`, step by step.
pub(super) fn parse_path(text: &str) -> FieldPath {
    let mut path = FieldPath::root();
    for part in text.split('.').filter(|part| !part.is_empty()) {
        let mut pieces = part.split('[');
        if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
            path = path.field(name);
        }
        for piece in pieces {
            let inner = piece.trim_end_matches(']');
            path = match inner.parse() {
                Ok(index) => path.index(index),
                Err(_) => path.field(inner),
            };
        }
    }
    path
}
