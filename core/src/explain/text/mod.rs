//! Sentences in English and Chinese: templates over records, never a second computation.
//!
//! A key has its template in every language, because the tables are exhaustive; a test holds the templates of one key to
//! the same blanks.

mod en;
mod preemption;
mod zh;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::framework::reason::Reason;
use crate::framework::trace::{MoveCause, Place};

use super::chain::{Fact, FactName, Link};
use super::matrix::NotRun;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// Declares the keys, and the list of them.
macro_rules! keys {
    ($($key:ident,)*) => {
        /// What can be said. The blanks of a template stand in braces.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is the sentence that its templates are")]
        pub enum Key { $($key,)* }

        impl Key {
            /// Every key.
            pub const ALL: &[Self] = &[$(Self::$key,)*];
        }
    };
}

keys! {
    // Rules between a pod and a node.
    Text,
    NodeUnschedulable,
    NodeNameMismatch,
    UntoleratedTaint,
    NodeAffinityMismatch,
    EnforcedNodeAffinityMismatch,
    NodeAffinityConflict,
    PortsTaken,
    TooManyPods,
    Insufficient,
    NeverEnough,
    DiskConflict,
    ReadWriteOncePodConflict,
    MaxVolumeCount,
    UnboundImmediateClaims,
    VolumeNodeAffinity,
    NoMatchingVolume,
    NotEnoughStorage,
    VolumeNotFound,
    VolumeZoneMismatch,
    TopologySpread,
    TopologySpreadMissingLabel,
    PodAffinity,
    PodAntiAffinity,
    ExistingPodAntiAffinity,
    MissingFeatures,
    NodeLabelPresence,
    ServiceAffinity,
    NotInPreFilterSet,
    EmptyPreFilterSet,
    SchedulingGates,
    NoVictims,
    PreemptionNotHelpful,
    NoClaimsToDeallocate,
    NoNodes,
    // Why a plugin was not asked.
    RejectedBefore,
    EnoughFound,
    OutsideOfPreFilter,
    PodRejected,
    OnlyNominated,
    NoSearch,
    // Places of the queue.
    Nowhere,
    Active,
    Backoff,
    ErrorBackoff,
    Unschedulable,
    Gated,
    InFlight,
    // Why a pod moved.
    Created,
    Updated,
    Deleted,
    Popped,
    PoppedFromBackoff,
    AttemptFailed,
    GatedBy,
    Event,
    EventOf,
    EventInFlight,
    EventOfInFlight,
    AttemptErred,
    UpdatedOf,
    BackoffComplete,
    UnschedulableTimeout,
    Activated,
    Done,
    // Headings and verdicts.
    Passed,
    Rejected,
    Skipped,
    NotRunWord,
    WouldPass,
    WouldReject,
    NoAttempt,
    AttemptAt,
    BoundTo,
    FailedWith,
    ScoresHeading,
    ChosenOf,
    ChosenAlone,
    PreemptionIn,
    PreemptionChosen,
    PreemptionNone,
    CandidatesHeading,
    CandidateVictims,
    CandidateSpared,
    CandidateViolations,
    CandidateNot,
    CriteriaHeading,
    OnlyCandidate,
    ByViolations,
    ByHighestPriority,
    ByPrioritySum,
    ByVictimCount,
    ByStartTime,
    ByOrder,
    Decides,
    Leaves,
    SumOver,
    NotStarted,
    Terminating,
    PodDeleted,
    PodPreempted,
    PodUnmanaged,
    NodeNotAsked,
    BackoffUntil,
    WhyNot,
    NothingAgainst,
    FoundInAddition,
    MovesHeading,
    NodesHeading,
    Total,
    PodSays,
    NodeSays,
    NotSet,
    PodsOnNode,
    RequestedByPods,
    MatchingInDomain,
    MatchingInEmptiest,
    StillPending,
    Legend,
}

impl Lang {
    /// The language of that code, `en` or `zh`.
    #[must_use]
    pub fn by_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::En),
            "zh" => Some(Self::Zh),
            _ => None,
        }
    }

    /// The template of a key.
    #[must_use]
    pub const fn template(self, key: Key) -> &'static str {
        match self {
            Self::En => en::template(key),
            Self::Zh => zh::template(key),
        }
    }

    /// A sentence: the template with its blanks filled in.
    #[must_use]
    pub fn say(self, key: Key, blanks: &[(&str, &str)]) -> String {
        let mut sentence = String::new();
        let mut rest = self.template(key);
        while let Some((before, after)) = rest.split_once('{') {
            sentence.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            let value = blanks.iter().find(|(blank, _)| *blank == name);
            sentence.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        sentence.push_str(rest);
        sentence
    }

    /// What stands between the pod and the node.
    #[must_use]
    pub fn link(self, link: &Link) -> String {
        self.reason(&link.reason)
    }

    /// A reason, with its numbers.
    #[must_use]
    pub fn reason(self, reason: &Reason) -> String {
        let (key, blanks) = reason_blanks(reason);
        let blanks: Vec<(&str, &str)> = blanks
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.say(key, &blanks)
    }

    /// A field with its value.
    #[must_use]
    pub fn fact(self, fact: &Fact) -> String {
        let value = if fact.value.is_empty() {
            self.template(Key::NotSet)
        } else {
            fact.value.as_str()
        };
        let name = match &fact.name {
            FactName::Field(path) => path.as_str(),
            FactName::PodsOnNode => self.template(Key::PodsOnNode),
            FactName::RequestedByPods => self.template(Key::RequestedByPods),
            FactName::MatchingInDomain => self.template(Key::MatchingInDomain),
            FactName::MatchingInEmptiest => self.template(Key::MatchingInEmptiest),
        };
        [name, ": ", value].concat()
    }

    /// Why a plugin was not asked.
    #[must_use]
    pub fn not_run(self, why: &NotRun) -> String {
        match why {
            NotRun::RejectedBefore { plugin } => {
                self.say(Key::RejectedBefore, &[("plugin", plugin.0)])
            }
            NotRun::EnoughFound => self.say(Key::EnoughFound, &[]),
            NotRun::OutsideOfPreFilter { plugins } => {
                let names: Vec<&str> = plugins.iter().map(|plugin| plugin.0).collect();
                self.say(Key::OutsideOfPreFilter, &[("plugins", &names.join(", "))])
            }
            NotRun::PodRejected { plugin } => self.say(Key::PodRejected, &[("plugin", plugin.0)]),
            NotRun::OnlyNominated => self.say(Key::OnlyNominated, &[]),
            NotRun::NoSearch => self.say(Key::NoSearch, &[]),
        }
    }

    /// A place of the queue.
    #[must_use]
    pub fn place(self, place: Place) -> &'static str {
        self.template(match place {
            Place::Nowhere => Key::Nowhere,
            Place::Active => Key::Active,
            Place::Backoff => Key::Backoff,
            Place::ErrorBackoff => Key::ErrorBackoff,
            Place::Unschedulable => Key::Unschedulable,
            Place::Gated => Key::Gated,
            Place::InFlight => Key::InFlight,
        })
    }

    /// Why a pod moved to a place.
    #[must_use]
    pub fn cause(self, cause: &MoveCause, to: Place) -> String {
        match cause {
            MoveCause::Created => self.say(Key::Created, &[]),
            MoveCause::Updated { event, plugin } => {
                let key = match plugin {
                    Some(_) => Key::UpdatedOf,
                    None => Key::Updated,
                };
                let plugin = plugin.map_or("", |plugin| plugin.0);
                self.say(key, &[("event", &event.to_string()), ("plugin", plugin)])
            }
            MoveCause::Deleted => self.say(Key::Deleted, &[]),
            MoveCause::Popped => self.say(Key::Popped, &[]),
            MoveCause::PoppedFromBackoff => self.say(Key::PoppedFromBackoff, &[]),
            MoveCause::AttemptFailed if to == Place::ErrorBackoff => {
                self.say(Key::AttemptErred, &[])
            }
            MoveCause::AttemptFailed => self.say(Key::AttemptFailed, &[]),
            MoveCause::Gated { plugin } => self.say(Key::GatedBy, &[("plugin", plugin.0)]),
            MoveCause::Event {
                event,
                plugin,
                was_in_flight,
            } => {
                let key = match (was_in_flight, plugin) {
                    (true, Some(_)) => Key::EventOfInFlight,
                    (true, None) => Key::EventInFlight,
                    (false, Some(_)) => Key::EventOf,
                    (false, None) => Key::Event,
                };
                let plugin = plugin.map_or("", |plugin| plugin.0);
                self.say(key, &[("event", &event.to_string()), ("plugin", plugin)])
            }
            MoveCause::BackoffComplete => self.say(Key::BackoffComplete, &[]),
            MoveCause::UnschedulableTimeout => self.say(Key::UnschedulableTimeout, &[]),
            MoveCause::Activated => self.say(Key::Activated, &[]),
            MoveCause::Done => self.say(Key::Done, &[]),
        }
    }
}

/// The sentence of a reason, and what goes into its blanks.
fn reason_blanks(reason: &Reason) -> (Key, Vec<(&'static str, String)>) {
    let joined = |texts: &[alloc::sync::Arc<str>]| texts.join(", ");
    match reason {
        Reason::UntoleratedTaint { taint } => {
            (Key::UntoleratedTaint, [("taint", taint.to_string())].into())
        }
        Reason::TooManyPods { pods, allowed } => (
            Key::TooManyPods,
            [("pods", pods.to_string()), ("allowed", allowed.to_string())].into(),
        ),
        Reason::Insufficient {
            resource,
            requested,
            used,
            allocatable,
        } => insufficient(resource, *requested, *used, *allocatable),
        Reason::TopologySpread {
            topology_key,
            count,
            minimum,
            max_skew,
        } => (
            Key::TopologySpread,
            [
                ("key", topology_key.to_string()),
                ("count", count.to_string()),
                ("minimum", minimum.to_string()),
                ("skew", count.saturating_sub(*minimum).to_string()),
                ("max", max_skew.to_string()),
            ]
            .into(),
        ),
        Reason::TopologySpreadMissingLabel { topology_key } => {
            keyed(Key::TopologySpreadMissingLabel, topology_key)
        }
        Reason::PodAffinity { topology_key } => keyed(Key::PodAffinity, topology_key),
        Reason::PodAntiAffinity { topology_key } => keyed(Key::PodAntiAffinity, topology_key),
        Reason::ExistingPodAntiAffinity { topology_key } => {
            keyed(Key::ExistingPodAntiAffinity, topology_key)
        }
        Reason::NotInPreFilterSet { plugins } => (
            Key::NotInPreFilterSet,
            [("plugins", joined(plugins))].into(),
        ),
        Reason::EmptyPreFilterSet { plugins } => (
            Key::EmptyPreFilterSet,
            [("plugins", joined(plugins))].into(),
        ),
        Reason::SchedulingGates { gates } => {
            (Key::SchedulingGates, [("gates", joined(gates))].into())
        }
        Reason::Text(text) => (Key::Text, [("text", text.to_string())].into()),
        plain => (plain_key(plain), Vec::new()),
    }
}

/// The sentence of a resource that is short; another one where an empty node would be too small, too.
fn insufficient(
    resource: &str,
    requested: i64,
    used: i64,
    allocatable: i64,
) -> (Key, Vec<(&'static str, String)>) {
    let key = if requested > allocatable {
        Key::NeverEnough
    } else {
        Key::Insufficient
    };
    let amount = |value: i64| super::chain::amount(resource, value);
    let blanks = [
        ("resource", resource.to_string()),
        ("requested", amount(requested)),
        ("free", amount(allocatable.saturating_sub(used))),
        ("used", amount(used)),
        ("allocatable", amount(allocatable)),
    ];
    (key, blanks.into())
}

fn keyed(key: Key, topology_key: &str) -> (Key, Vec<(&'static str, String)>) {
    (key, [("key", topology_key.to_string())].into())
}

/// The sentence of a reason without numbers.
const fn plain_key(reason: &Reason) -> Key {
    match reason {
        Reason::NodeUnschedulable => Key::NodeUnschedulable,
        Reason::NodeNameMismatch => Key::NodeNameMismatch,
        Reason::NodeAffinityMismatch => Key::NodeAffinityMismatch,
        Reason::EnforcedNodeAffinityMismatch => Key::EnforcedNodeAffinityMismatch,
        Reason::NodeAffinityConflict => Key::NodeAffinityConflict,
        Reason::PortsTaken => Key::PortsTaken,
        Reason::DiskConflict => Key::DiskConflict,
        Reason::ReadWriteOncePodConflict => Key::ReadWriteOncePodConflict,
        Reason::MaxVolumeCount => Key::MaxVolumeCount,
        Reason::UnboundImmediateClaims => Key::UnboundImmediateClaims,
        Reason::VolumeNodeAffinity => Key::VolumeNodeAffinity,
        Reason::NoMatchingVolume => Key::NoMatchingVolume,
        Reason::NotEnoughStorage => Key::NotEnoughStorage,
        Reason::VolumeNotFound => Key::VolumeNotFound,
        Reason::VolumeZoneMismatch => Key::VolumeZoneMismatch,
        Reason::MissingFeatures => Key::MissingFeatures,
        Reason::NodeLabelPresence => Key::NodeLabelPresence,
        Reason::ServiceAffinity => Key::ServiceAffinity,
        Reason::NoVictims => Key::NoVictims,
        Reason::PreemptionNotHelpful => Key::PreemptionNotHelpful,
        Reason::NoClaimsToDeallocate => Key::NoClaimsToDeallocate,
        Reason::NoNodes => Key::NoNodes,
        Reason::Text(_)
        | Reason::UntoleratedTaint { .. }
        | Reason::TooManyPods { .. }
        | Reason::Insufficient { .. }
        | Reason::TopologySpread { .. }
        | Reason::TopologySpreadMissingLabel { .. }
        | Reason::PodAffinity { .. }
        | Reason::PodAntiAffinity { .. }
        | Reason::ExistingPodAntiAffinity { .. }
        | Reason::NotInPreFilterSet { .. }
        | Reason::EmptyPreFilterSet { .. }
        | Reason::SchedulingGates { .. } => Key::Text,
    }
}

#[cfg(test)]
mod tests;
