//! What several texts say together.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::api::decode::{Decoded, KindMeaning, Origin, Text, UnknownKind, Unsupported, Value};
use crate::api::{FieldPath, Located, Object, ObjectKey};
use crate::order;

use super::super::error::InputError;
use super::fields::Reader;
use super::{API_VERSION, Content, Entry, KIND, Scenario, TimelineEntry, read};

/// A text and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'t> {
    /// The file, `-` for standard input.
    pub name: &'t str,
    /// Its bytes.
    pub bytes: &'t [u8],
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Everything that could be read.
    pub scenario: Scenario,
    /// What could not.
    pub errors: Vec<Located<InputError>>,
    /// What was given and is not used.
    pub warnings: Vec<Warning>,
}

/// Something that a person should know and that stops nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// `file.yaml:12:5`, as much of it as is known.
    pub source: String,
    /// The field; the object's name where the whole object is meant.
    pub path: String,
    /// What became of it.
    pub message: String,
}

/// Reads files: scenario documents, plain Kubernetes objects, or both.
///
/// Of settings that several scenario documents give, the last counts; objects and timelines are put one after another.
#[must_use]
pub fn load(files: &[SourceText<'_>]) -> Loaded {
    let mut loaded = Loaded::default();
    let mut decoded = Decoded::default();
    for file in files {
        let text = Text::read(file.name, file.bytes);
        loaded.take_text_errors(&text);
        for (number, root) in text.documents() {
            let origin = root_origin(&text, number, root);
            let mut reader = Reader {
                root: &origin,
                errors: Vec::new(),
            };
            load_document(&mut reader, root, &mut loaded.scenario, &mut decoded);
            loaded.errors.append(&mut reader.errors);
        }
    }
    loaded.take_decoded(decoded);
    loaded.refuse_duplicates();
    loaded.sort();
    loaded
}

/// Reads a file with a list in the form of `spec.timeline` and adds it to the scenario.
pub fn load_events(loaded: &mut Loaded, file: SourceText<'_>) {
    let text = Text::read(file.name, file.bytes);
    loaded.take_text_errors(&text);
    let mut decoded = Decoded::default();
    for (number, root) in text.documents() {
        let origin = root_origin(&text, number, root);
        let mut reader = Reader {
            root: &origin,
            errors: Vec::new(),
        };
        let entries = read::timeline(&mut reader, root, &mut decoded);
        loaded.scenario.timeline.extend(entries);
        loaded.errors.append(&mut reader.errors);
    }
    loaded.take_decoded(decoded);
    loaded.sort();
}

fn load_document(
    reader: &mut Reader<'_>,
    root: Value<'_>,
    scenario: &mut Scenario,
    decoded: &mut Decoded,
) {
    let text = |field| root.get(field).and_then(|value: Value<'_>| value.as_str());
    if root.get("group").is_some() && root.get("template").is_some() {
        scenario.objects.extend(read::plain_group(reader, root));
        return;
    }
    let version = text("apiVersion").unwrap_or_default();
    if text("kind") == Some(KIND) && (version.is_empty() || version.starts_with("berth/")) {
        if version != API_VERSION {
            let place = root.get("apiVersion").unwrap_or(root);
            reader.errors.push(Located {
                source: reader.root.source.clone(),
                line: place.line(),
                column: place.column(),
                path: FieldPath::of(&["apiVersion"]),
                object: Box::default(),
                error: InputError::NotOneOf {
                    found: version.to_string(),
                    allowed: &[API_VERSION],
                },
            });
            return;
        }
        read::document(reader, root, scenario, decoded);
        return;
    }
    let before = decoded.objects.len();
    decoded.add(&reader.root.source, reader.root.document, root);
    let found = decoded.objects.drain(before..);
    scenario.objects.extend(found.map(|found| Entry {
        content: Content::Object(found.object),
        origin: found.origin,
    }));
}

fn root_origin(text: &Text<'_>, document: usize, root: Value<'_>) -> Origin {
    Origin {
        source: text.source().clone(),
        document,
        path: FieldPath::root(),
        line: root.line(),
        column: root.column(),
    }
}

impl Loaded {
    fn take_text_errors(&mut self, text: &Text<'_>) {
        let errors = text.errors();
        self.errors
            .extend(errors.map(|error| error.map(InputError::Unreadable)));
    }

    /// What the reader of objects found besides objects.
    fn take_decoded(&mut self, decoded: Decoded) {
        let errors = decoded.errors.into_iter();
        self.errors
            .extend(errors.map(|error| error.map(InputError::Unreadable)));
        let is_only_unknown = self.scenario.objects.is_empty() && self.scenario.timeline.is_empty();
        let mut ignored: Vec<(UnknownKind, usize)> = Vec::new();
        for unknown in decoded.unknown_kinds {
            if unknown.meaning == KindMeaning::Unknown
                && (is_only_unknown || is_slip(&unknown.api_version))
            {
                self.errors.push(Located {
                    source: unknown.source,
                    line: unknown.line,
                    column: unknown.column,
                    path: FieldPath::of(&["kind"]),
                    object: format!("{} {}", unknown.kind, unknown.name).into(),
                    error: InputError::UnknownKind { kind: unknown.kind },
                });
            } else {
                let kind = |(one, _): &&mut (UnknownKind, usize)| {
                    (&one.kind, &one.api_version) == (&unknown.kind, &unknown.api_version)
                };
                match ignored.iter_mut().find(kind) {
                    Some((_, more)) => *more += 1,
                    None => ignored.push((unknown, 0)),
                }
            }
        }
        self.warnings
            .extend(ignored.into_iter().map(Warning::of_kind));
        self.warnings
            .extend(decoded.unsupported.into_iter().map(Warning::from));
    }

    /// An object that is there twice when the run begins, by its name or its UID: the first one stands.
    fn refuse_duplicates(&mut self) {
        let mut first: BTreeMap<ObjectKey, (Arc<str>, u32)> = BTreeMap::new();
        let mut uids: BTreeMap<String, String> = BTreeMap::new();
        let mut errors = Vec::new();
        self.scenario.objects.retain(|entry| {
            let Content::Object(object) = &entry.content else {
                return true;
            };
            let key = key_of(object);
            if key.name.is_empty() {
                return true;
            }
            let origin = &entry.origin;
            let uid = &object.metadata().uid;
            match first.get(&key) {
                None if !uid.is_empty() && uids.contains_key(uid) => {
                    let owner = uids.get(uid).cloned().unwrap_or_default();
                    errors.push(Located {
                        source: origin.source.clone(),
                        line: origin.line,
                        column: origin.column,
                        path: FieldPath::of(&["metadata", "uid"]),
                        object: key.to_string().into(),
                        error: InputError::invalid(
                            uid,
                            format!("a UID of its own; this one is {owner}'s"),
                        ),
                    });
                    false
                }
                None => {
                    uids.insert(uid.clone(), key.to_string());
                    first.insert(key, (origin.source.clone(), origin.line));
                    true
                }
                Some((source, line)) => {
                    errors.push(Located {
                        source: origin.source.clone(),
                        line: origin.line,
                        column: origin.column,
                        path: FieldPath::of(&["metadata", "name"]),
                        object: key.to_string().into(),
                        error: InputError::AlreadyExists {
                            first: format!("{source}:{line}"),
                        },
                    });
                    false
                }
            }
        });
        self.errors.append(&mut errors);
    }

    fn sort(&mut self) {
        // The sort is stable: what happens at one instant happens in the order of the document.
        order::sort_by_key(&mut self.scenario.timeline, |entry: &TimelineEntry| {
            entry.at
        });
        order::sort_by(&mut self.errors, |one, two| {
            (&one.source, one.line, one.column).cmp(&(&two.source, two.line, two.column))
        });
    }
}

/// The key of an object before its defaults are filled in.
pub(in crate::sim) fn key_of(object: &Object) -> ObjectKey {
    let mut key = object.key();
    if key.kind.is_namespaced() && key.namespace.is_empty() {
        key.namespace = "default".to_string();
    }
    key
}

/// Whether a kind that nobody knows claims to be Kubernetes' own.
fn is_slip(api_version: &str) -> bool {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// `file.yaml:12:5`, as much of it as is known.
pub(in crate::sim) fn place_of(source: &str, line: u32, column: u32) -> String {
    if line == 0 {
        source.to_string()
    } else {
        format!("{source}:{line}:{column}")
    }
}

impl Origin {
    /// `file.yaml:12:5`, as much of it as is known.
    pub(in crate::sim) fn place(&self) -> String {
        place_of(&self.source, self.line, self.column)
    }
}

impl From<Unsupported> for Warning {
    fn from(found: Unsupported) -> Self {
        let path = if found.object.is_empty() {
            found.path.to_string()
        } else {
            format!("{}: {}", found.object, found.path)
        };
        Self {
            source: place_of(&found.source, found.line, found.column),
            path,
            message: found.message,
        }
    }
}

impl Warning {
    /// A kind that is not read: its first object, and how many more there are.
    fn of_kind((found, more): (UnknownKind, usize)) -> Self {
        let message = match found.meaning {
            KindMeaning::Harmless => UNREAD,
            KindMeaning::Unsupported => "not supported: ignored",
            KindMeaning::Unknown => "unknown kind: ignored",
        };
        Self {
            source: place_of(&found.source, found.line, found.column),
            path: named(&found.kind, &found.name, more),
            message: message.to_string(),
        }
    }
}

/// `Secret a and 4 more`.
pub(in crate::sim) fn named(kind: &str, name: &str, more: usize) -> String {
    let first = format!("{kind} {name}");
    match more {
        0 => first.trim().to_string(),
        _ => format!("{} and {more} more", first.trim()),
    }
}

/// What becomes of an object that cannot change where pods go.
pub(in crate::sim) const UNREAD: &str = "decides nothing here: ignored";
