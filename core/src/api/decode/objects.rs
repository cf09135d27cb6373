//! Documents → objects: what kind each is, lists taken apart, what is not read noted.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::error::{DecodeError, UnknownKind, Unsupported};
use super::fields::{field_use, is_built_in, kind_meaning};
use super::text::Text;
use super::tree::{Data, Value};
use super::typed::{Notes, Typed, TypedError};
use super::words::describe;
use crate::api::{FieldPath, Kind, Located, Object};

/// What was found in one or several texts, each list in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    /// The objects that could be read.
    pub objects: Vec<DecodedObject>,
    /// Objects of kinds that are not read.
    pub unknown_kinds: Vec<UnknownKind>,
    /// Fields that were given and are not read.
    pub unsupported: Vec<Unsupported>,
    /// What could not be read.
    pub errors: Vec<Located<DecodeError>>,
}

/// An object and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedObject {
    /// The object.
    pub object: Object,
    /// Where it stands.
    pub origin: Origin,
}

/// Where an object stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file, or whatever the text came from.
    pub source: Arc<str>,
    /// The document, counted from 0.
    pub document: usize,
    /// Where in the document: root, or an item of a list.
    pub path: FieldPath,
    /// The line, counted from 1; 0 if there is no text.
    pub line: u32,
    /// The column, counted from 1; 0 if there is no text.
    pub column: u32,
}

impl Origin {
    /// An error about a field of the object, at the place of the field or of what comes nearest to it.
    ///
    /// Cost: reads the text again, because nobody keeps it for the sake of an error.
    #[must_use]
    pub fn locate<E>(
        &self,
        bytes: &[u8],
        object: &Object,
        path: FieldPath,
        error: E,
    ) -> Located<E> {
        let text = Text::read(&self.source, bytes);
        let document = text
            .documents()
            .find(|(number, _)| *number == self.document);
        let place = document.map(|(_, document)| {
            let value = document.nearest(&self.path).nearest(&path);
            (value.line(), value.column())
        });
        let (line, column) = place.unwrap_or((self.line, self.column));
        Located {
            source: self.source.clone(),
            line,
            column,
            path,
            object: object.key().to_string().into(),
            error,
        }
    }
}

/// Reads the objects of a text: documents, lists, and lists in lists.
#[must_use]
pub fn read_objects(source: &str, bytes: &[u8]) -> Decoded {
    let text = Text::read(source, bytes);
    let mut decoded = Decoded::default();
    decoded.errors.extend(text.errors());
    for (document, value) in text.documents() {
        decoded.add(text.source(), document, value);
    }
    decoded
}

impl Decoded {
    /// Adds the objects of one document, or of any value that stands for objects: an object, or a list of them.
    pub fn add(&mut self, source: &Arc<str>, document: usize, value: Value<'_>) {
        let origin = Origin {
            source: source.clone(),
            document,
            path: FieldPath::root(),
            line: value.line(),
            column: value.column(),
        };
        self.add_at(origin, value, None);
    }

    /// Whether the only thing found was of kinds that nobody knows.
    #[must_use]
    pub fn is_only_unknown(&self) -> bool {
        self.objects.is_empty() && !self.unknown_kinds.is_empty()
    }

    fn add_at(&mut self, origin: Origin, value: Value<'_>, default: Option<(&str, &str)>) {
        match value.data() {
            Data::List(_) => self.add_items(&origin, value, None),
            Data::Map(_) => {
                let text = |field| value.get(field).and_then(|value| value.as_str());
                let kind = text("kind").or_else(|| default.map(|(_, kind)| kind));
                let api_version = text("apiVersion")
                    .or_else(|| default.map(|(version, _)| version))
                    .unwrap_or("");
                match kind {
                    None => self.error_at(&origin, DecodeError::NoKind),
                    Some(kind) => match (kind.strip_suffix("List"), value.get("items")) {
                        (Some(""), items) => self.add_list(&origin, items, None),
                        (Some(item), Some(items)) => {
                            self.add_list(&origin, Some(items), Some((api_version, item)))
                        }
                        _ => self.add_object(origin, value, api_version, kind),
                    },
                }
            }
            _ => self.error_at(
                &origin,
                DecodeError::NotAnObject {
                    found: describe(value),
                },
            ),
        }
    }

    fn add_list(
        &mut self,
        origin: &Origin,
        items: Option<Value<'_>>,
        default: Option<(&str, &str)>,
    ) {
        let Some(items) = items else { return };
        let origin = Origin {
            path: origin.path.clone().field("items"),
            ..origin.clone()
        };
        self.add_items(&origin, items, default);
    }

    fn add_items(&mut self, origin: &Origin, items: Value<'_>, default: Option<(&str, &str)>) {
        if !matches!(items.data(), Data::List(_)) {
            let error = DecodeError::Type {
                found: describe(items),
                expected: "a list of objects".to_string(),
            };
            return self.error_at(
                &Origin {
                    line: items.line(),
                    column: items.column(),
                    ..origin.clone()
                },
                error,
            );
        }
        for (index, item) in items.items().enumerate() {
            let origin = Origin {
                path: origin.path.clone().index(index),
                line: item.line(),
                column: item.column(),
                ..origin.clone()
            };
            self.add_at(origin, item, default);
        }
    }

    fn add_object(&mut self, origin: Origin, value: Value<'_>, api_version: &str, name: &str) {
        let kind = match resolve(api_version, name) {
            Resolved::Known(kind) => kind,
            Resolved::OtherVersion(kind) => {
                let error = DecodeError::OtherVersion {
                    kind,
                    api_version: api_version.to_string(),
                };
                let place = value.get("apiVersion").unwrap_or(value);
                let origin = Origin {
                    path: origin.path.field("apiVersion"),
                    line: place.line(),
                    column: place.column(),
                    ..origin
                };
                return self.error_at(&origin, error);
            }
            Resolved::Unknown => {
                let place = value.get("kind").unwrap_or(value);
                self.unknown_kinds.push(UnknownKind {
                    source: origin.source,
                    line: place.line(),
                    column: place.column(),
                    api_version: api_version.to_string(),
                    kind: name.to_string(),
                    name: object_name(value),
                    meaning: kind_meaning(api_version, name),
                });
                return;
            }
        };
        let classify = |pattern: &str| field_use(kind, pattern);
        let mut notes = Notes::new(&classify);
        let result = Object::read(kind, Typed::new(value, &mut notes));
        let described = || describe_object(kind, value);
        for ignored in notes.ignored {
            self.unsupported.push(Unsupported {
                source: origin.source.clone(),
                line: ignored.place.line,
                column: ignored.place.column,
                path: ignored.place.path,
                object: described(),
                message: ignored.message,
            });
        }
        match result {
            Ok(object) => self.objects.push(DecodedObject { object, origin }),
            Err(error) => self
                .errors
                .push(locate(&origin.source, *error, described())),
        }
    }

    fn error_at(&mut self, origin: &Origin, error: DecodeError) {
        self.errors.push(Located {
            source: origin.source.clone(),
            line: origin.line,
            column: origin.column,
            path: origin.path.clone(),
            object: "".into(),
            error,
        });
    }
}

/// What a kind and version mean.
enum Resolved {
    Known(Kind),
    OtherVersion(Kind),
    Unknown,
}

/// Finds the kind. A version may be left out; versions of the same group that look the same will do.
fn resolve(api_version: &str, name: &str) -> Resolved {
    let Some(kind) = Kind::ALL.iter().copied().find(|kind| kind.as_str() == name) else {
        return Resolved::Unknown;
    };
    if api_version.is_empty() || api_version == kind.api_version() {
        return Resolved::Known(kind);
    }
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    match (group == kind.group(), kind.group()) {
        // Somebody else's kind may have the name of one of Kubernetes' own.
        (false, _) if !is_built_in(group) => Resolved::Unknown,
        (true, "resource.k8s.io") if version == "v1beta2" => Resolved::Known(kind),
        (false, _) | (true, "" | "resource.k8s.io") => Resolved::OtherVersion(kind),
        (true, _) => Resolved::Known(kind),
    }
}

fn object_name(value: Value<'_>) -> String {
    let metadata = value.get("metadata");
    let name = metadata.and_then(|metadata| {
        metadata
            .get("name")
            .or_else(|| metadata.get("generateName"))
    });
    name.and_then(|name| name.as_str())
        .unwrap_or("")
        .to_string()
}

/// `Pod default/web`, as far as it can be told before the object is read.
fn describe_object(kind: Kind, value: Value<'_>) -> String {
    let namespace = value
        .get("metadata")
        .and_then(|metadata| metadata.get("namespace"));
    let name = object_name(value);
    match (
        namespace.and_then(|namespace| namespace.as_str()),
        name.as_str(),
    ) {
        (_, "") => format!("{kind} without a name"),
        (Some(namespace), name) if kind.is_namespaced() => format!("{kind} {namespace}/{name}"),
        (_, name) => format!("{kind} {name}"),
    }
}

fn locate(source: &Arc<str>, error: TypedError, object: String) -> Located<DecodeError> {
    let TypedError { error, place } = error;
    Located {
        source: source.clone(),
        line: place.line,
        column: place.column,
        path: place.path,
        object: object.into(),
        error,
    }
}
