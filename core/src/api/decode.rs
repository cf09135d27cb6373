//! Text → objects: YAML and JSON as Kubernetes reads them, with the place of whatever is wrong.
//!
//! A text becomes a tree that knows the line and column of each value, the tree becomes objects. Nothing is lost in
//! silence: a field that is given and not read is listed unless it is known to decide nothing, and so is an object of a
//! kind that is not read. An error leaves the rest of the text alone. Whether an object is valid is not asked here.
//!
//! | File | Answers |
//! |---|---|
//! | `text` | which parts of the bytes are documents, and in which language |
//! | `json`, `yaml`, `scalar` | what they say |
//! | `build`, `alias`, `tree` | how it is kept, and what is there more than once |
//! | `typed` | how a value becomes a field of an object |
//! | `objects` | which objects there are |
//! | `words` | how a value or a slip is put into words |
//! | `fields` | which fields and kinds decide nothing |
//! | `error` | what can be wrong |

use alloc::sync::Arc;

use super::{Located, Object};

#[cfg(feature = "yaml")]
mod alias;
mod build;
mod error;
mod fields;
mod json;
mod objects;
mod scalar;
mod text;
mod tree;
mod typed;
mod words;
#[cfg(feature = "yaml")]
mod yaml;

pub use error::{DecodeError, KindMeaning, UnknownKind, Unsupported};
pub use objects::{Decoded, DecodedObject, Origin, read_objects};
pub use text::Text;
pub use tree::{Data, Items, Pairs, Tree, Value};
pub(crate) use typed::{Read, Typed, read_json};

impl Object {
    /// Reads an object that has no text of its own, as a patch or a watch gives it.
    ///
    /// Errors: a kind that is not read, or a value that is not what its field needs.
    pub fn from_value(value: &serde_json::Value) -> Result<Self, Located<DecodeError>> {
        let tree = Tree::from_json(value);
        let mut decoded = Decoded::default();
        let source: Arc<str> = Arc::from("");
        for value in tree.documents() {
            decoded.add(&source, 0, value);
        }
        if let Some(error) = decoded.errors.pop() {
            return Err(error);
        }
        match (decoded.objects.pop(), decoded.unknown_kinds.pop()) {
            (Some(found), _) => Ok(found.object),
            (None, Some(unknown)) => Err(Located::in_source(
                source,
                DecodeError::UnknownKind { kind: unknown.kind },
            )),
            (None, None) => Err(Located::in_source(source, DecodeError::Empty)),
        }
    }
}

#[cfg(test)]
mod tests;
