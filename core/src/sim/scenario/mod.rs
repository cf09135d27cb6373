//! A scenario: a cluster, what happens to it, and how the scheduler is told to behave.
//!
//! | File | Answers |
//! |---|---|
//! | `load` | what several texts say together; plain Kubernetes files are scenarios, too |
//! | `read` | what one document of kind Scenario says |
//! | `fields` | how a map's fields are taken, so that none is overlooked |
//! | `write` | how a scenario is written down: canonical JSON |
//!
//! Groups stay groups here; `expand` makes objects of them when a run begins.

mod fields;
mod load;
mod read;
mod write;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use crate::api::decode::Origin;
use crate::api::{FieldPath, Object, ObjectKey};
use crate::config::legacy::Policy;
use crate::rng::Seed;
use crate::time::{Span, Timestamp};

use super::settings::Settings;
use super::world::Subresource;

pub use load::{Loaded, SourceText, Warning, load, load_events};
pub(super) use load::{UNREAD, key_of, named, place_of};

/// A cluster, what happens to it, and how the scheduler is told to behave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// A short name.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// Two short paragraphs at most.
    pub description: String,
    /// What randomness starts from.
    pub seed: Seed,
    /// When the run ends; without it when nothing more can change.
    pub until: Option<Span>,
    /// A KubeSchedulerConfiguration as it was written.
    pub configuration: Option<Written>,
    /// Feature gates as they were written, in the order of their names.
    pub gates: Vec<(String, bool)>,
    /// What is there when the run begins.
    pub objects: Vec<Entry>,
    /// What happens later, in the order of time and of the document.
    pub timeline: Vec<TimelineEntry>,
    /// How the simulated world behaves.
    pub settings: Settings,
    /// Where `spec.featureGates` stands, for messages.
    pub gates_place: Option<Origin>,
}

/// A part of a document that somebody else reads, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub origin: Origin,
    /// Line and column of each field and item in it, by path.
    pub places: Arc<BTreeMap<String, (u32, u32)>>,
    /// The Policy in the file that it points at, where somebody has read that.
    pub policy: Option<Policy>,
}

/// An object, or a group of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is.
    pub content: Content,
    /// Where it stands.
    pub origin: Origin,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// One object.
    Object(Object),
    /// Several objects after one template.
    Group(Group),
}

/// Several objects after one template: `{i}` in its texts is the number of the object.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How many.
    pub count: u64,
    /// What they are called; the template's name if empty.
    pub name: String,
    /// Zones that are dealt out in turn.
    pub zones: Vec<String>,
    /// The template as it was written.
    pub template: Arc<Value>,
    /// Where the count stands, if it is given.
    pub count_place: Option<Origin>,
}

/// Something that happens at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineEntry {
    /// When.
    pub at: Timestamp,
    /// What.
    pub action: Action,
    /// Where it stands.
    pub origin: Origin,
}

/// What happens to the cluster.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Objects come or are replaced.
    Apply(Vec<Entry>),
    /// An object is changed by a strategic merge patch.
    Patch {
        /// The object.
        key: ObjectKey,
        /// The part that is meant.
        subresource: Subresource,
        /// The patch.
        patch: Arc<Value>,
    },
    /// An object is deleted.
    Delete {
        /// The object.
        key: ObjectKey,
        /// How long it may take, in seconds; its own time if absent.
        grace_seconds: Option<i64>,
    },
}

/// How much a scenario may hold; checked before anything is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes after groups are expanded.
    pub nodes: u64,
    /// Pods after groups are expanded.
    pub pods: u64,
    /// Entries of the timeline, objects of groups counted each.
    pub timeline: u64,
}

impl Limits {
    /// What a page shows.
    pub const PAGE: Self = Self {
        nodes: 5_000,
        pods: 50_000,
        timeline: 20_000,
    };
    /// What the command line runs.
    pub const COMMAND_LINE: Self = Self {
        nodes: 100_000,
        pods: 1_000_000,
        timeline: 400_000,
    };
}

/// The place of something that has no text: a generated scenario, a link.
#[must_use]
pub fn nowhere() -> Origin {
    Origin {
        source: Arc::from(""),
        document: 0,
        path: FieldPath::root(),
        line: 0,
        column: 0,
    }
}

/// The API group and version of the document.
pub const API_VERSION: &str = "berth/v1";
/// The document's kind.
pub const KIND: &str = "Scenario";

#[cfg(test)]
mod tests;
