//! The scene as text.

use alloc::string::String;

use super::draw::stage::Stage;
use super::scene::{Sentence, Twin};
use super::sentences::plain;

/// The twin of a stage.
pub(in crate::picture) fn twin(_stage: &Stage<'_>, said: &Sentence) -> Twin {
    Twin {
        sentence: plain(&said.pieces),
        sections: alloc::vec::Vec::new(),
    }
}

/// A twin as lines.
#[must_use]
pub fn alt(twin: &Twin) -> String {
    let mut text = twin.sentence.clone();
    text.push('\n');
    for section in &twin.sections {
        text.push('\n');
        text.push_str(&section.heading);
        text.push('\n');
        for item in &section.items {
            text.push_str("- ");
            text.push_str(item);
            text.push('\n');
        }
    }
    text
}
