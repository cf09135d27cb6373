//! The queues: who waits where, folded to the room there is.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::{MoveCause, Place, Record};
use crate::order::{self, SortedMap};
use crate::picture::px::Px;
use crate::picture::sentences::{Arg, Key};
use crate::picture::timeline::PodNow;

use super::stage::Stage;

/// One of the four queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::picture) enum Lane {
    /// activeQ.
    Active,
    /// backoffQ, after a rejection or an error.
    Backoff,
    /// unschedulablePods.
    Unschedulable,
    /// Held by a gate.
    Gated,
}

impl Lane {
    /// All lanes from top to bottom.
    pub(in crate::picture) const ALL: [Self; 4] = [
        Self::Active,
        Self::Backoff,
        Self::Unschedulable,
        Self::Gated,
    ];

    /// The lane of a place.
    #[must_use]
    pub(in crate::picture) const fn of(place: Place) -> Option<Self> {
        match place {
            Place::Active => Some(Self::Active),
            Place::Backoff | Place::ErrorBackoff => Some(Self::Backoff),
            Place::Unschedulable => Some(Self::Unschedulable),
            Place::Gated => Some(Self::Gated),
            Place::Nowhere | Place::InFlight => None,
        }
    }

    /// A part of ids.
    #[must_use]
    pub(in crate::picture) const fn id(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Backoff => "backoff",
            Self::Unschedulable => "unschedulable",
            Self::Gated => "gated",
        }
    }

    /// Its name, what it says of itself, and what it says when it is empty.
    #[must_use]
    pub(in crate::picture) const fn keys(self) -> (Key, Key, Key) {
        match self {
            Self::Active => (Key::ActiveQ, Key::ActiveSays, Key::ActiveEmpty),
            Self::Backoff => (Key::BackoffQ, Key::BackoffSays, Key::BackoffEmpty),
            Self::Unschedulable => (
                Key::Unschedulable,
                Key::UnschedulableSays,
                Key::UnschedulableEmpty,
            ),
            Self::Gated => (Key::GatedQ, Key::GatedSays, Key::GatedEmpty),
        }
    }
}

/// A queue's name for a place.
#[must_use]
pub(in crate::picture) fn place_name(stage: &Stage<'_>, place: Place) -> String {
    match Lane::of(place) {
        Some(lane) => stage.label(lane.keys().0),
        None => stage.label(Key::QNowhere),
    }
}

/// Alike pods of a lane: one, or several drawn as a stack.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Entry {
    /// The pods, first in line first.
    pub(in crate::picture) pods: Vec<Arc<PodNow>>,
}

impl Entry {
    /// The first pod.
    #[must_use]
    pub(in crate::picture) fn first(&self) -> Option<&Arc<PodNow>> {
        self.pods.first()
    }

    /// Its name: a pod's, or a workload's with a count.
    #[must_use]
    pub(in crate::picture) fn name(&self) -> String {
        match self.pods.as_slice() {
            [one] => one.facts.short_name(),
            [first, ..] => format!("{} ×{}", first.facts.workload.name, self.pods.len()),
            [] => String::new(),
        }
    }
}

/// Entries under one heading.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Section {
    /// The heading, if the lane has headings.
    pub(in crate::picture) heading: Option<String>,
    /// The entries.
    pub(in crate::picture) entries: Vec<Entry>,
}

/// A lane with all that is in it.
#[derive(Clone, Debug)]
pub(in crate::picture) struct LaneNow {
    /// Which.
    pub(in crate::picture) lane: Lane,
    /// How many pods.
    pub(in crate::picture) count: usize,
    /// Who, under headings.
    pub(in crate::picture) sections: Vec<Section>,
}

/// The lanes at a moment. `alike` pods or more of a workload are one entry.
pub(in crate::picture) fn lanes(stage: &Stage<'_>, alike: usize) -> Vec<LaneNow> {
    let mut pods: SortedMap<Lane, Vec<Arc<PodNow>>> = SortedMap::new();
    for pod in stage.still.pods() {
        if let Some(lane) = Lane::of(pod.place) {
            pods.entry(lane).or_default().push(pod.clone());
        }
    }
    Lane::ALL
        .into_iter()
        .map(|lane| {
            let waiting = pods.remove(&lane).unwrap_or_default();
            LaneNow {
                lane,
                count: waiting.len(),
                sections: sections(stage, lane, waiting, alike),
            }
        })
        .collect()
}

fn sections(
    stage: &Stage<'_>,
    lane: Lane,
    mut pods: Vec<Arc<PodNow>>,
    alike: usize,
) -> Vec<Section> {
    match lane {
        Lane::Active => {
            order::sort_by_key(&mut pods, |pod| {
                (-i64::from(pod.facts.pod().priority()), pod.order)
            });
            alloc::vec![plain(folded(pods, alike, true))]
        }
        Lane::Backoff => {
            order::sort_by_key(&mut pods, |pod| (pod.backoff_until, pod.order));
            let entries = pods.into_iter().map(|pod| Entry {
                pods: alloc::vec![pod],
            });
            alloc::vec![plain(entries.collect())]
        }
        Lane::Gated => {
            order::sort_by_key(&mut pods, |pod| pod.order);
            alloc::vec![plain(folded(pods, alike, false))]
        }
        Lane::Unschedulable => {
            order::sort_by_key(&mut pods, |pod| pod.order);
            let mut by_rule: Vec<(String, Vec<Arc<PodNow>>)> = Vec::new();
            for pod in pods {
                let rule = main_rejector(&pod).to_string();
                match by_rule.iter_mut().find(|(known, _)| *known == rule) {
                    Some((_, pods)) => pods.push(pod),
                    None => by_rule.push((rule, alloc::vec![pod])),
                }
            }
            by_rule
                .into_iter()
                .map(|(rule, pods)| Section {
                    heading: Some(if rule.is_empty() {
                        stage.label(Key::AnError)
                    } else {
                        stage.text(Key::RejectedBy, &[("plugin", rule.into())])
                    }),
                    entries: folded(pods, alike, false),
                })
                .collect()
        }
    }
}

const fn plain(entries: Vec<Entry>) -> Section {
    Section {
        heading: None,
        entries,
    }
}

/// Pods as entries: `alike` or more of one workload together. In activeQ only neighbours of one priority are.
fn folded(pods: Vec<Arc<PodNow>>, alike: usize, is_ordered: bool) -> Vec<Entry> {
    let key = |pod: &PodNow| (pod.facts.workload.key.clone(), pod.facts.pod().priority());
    let mut groups: Vec<Vec<Arc<PodNow>>> = Vec::new();
    for pod in pods {
        let is_alike =
            |group: &Vec<Arc<PodNow>>| group.first().is_some_and(|first| key(first) == key(&pod));
        let known = if is_ordered {
            groups.last_mut().filter(|group| is_alike(group))
        } else {
            groups.iter_mut().find(|group| is_alike(group))
        };
        match known {
            Some(group) => group.push(pod),
            None => groups.push(alloc::vec![pod]),
        }
    }
    groups
        .into_iter()
        .flat_map(|group| {
            if group.len() >= alike {
                alloc::vec![Entry { pods: group }]
            } else {
                let single = |pod| Entry {
                    pods: alloc::vec![pod],
                };
                group.into_iter().map(single).collect()
            }
        })
        .collect()
}

/// The rejection that says most: of several rejectors, the one that nodes meet last.
#[must_use]
pub(in crate::picture) fn main_rejector(pod: &PodNow) -> &'static str {
    let place = |name: &str| {
        ORDER
            .iter()
            .position(|known| *known == name)
            .unwrap_or(ORDER.len())
    };
    let rejectors = pod.rejectors.iter().map(|name| name.0);
    rejectors.max_by_key(|name| place(name)).unwrap_or_default()
}

/// The order in which nodes meet the rules of the default profile.
const ORDER: [&str; 13] = [
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
];

/// What woke a pod in backoffQ or activeQ, if an event did.
#[must_use]
pub(in crate::picture) fn woken_by(stage: &Stage<'_>, pod: &PodNow) -> Option<String> {
    let moment = stage.film.moment(pod.moved_by)?;
    let Record::Moved { cause, .. } = &moment.record else {
        return None;
    };
    let event = match cause {
        MoveCause::Event { event, .. } | MoveCause::Updated { event, .. } => event.label(),
        _ => return None,
    };
    Some(stage.text(Key::WokenBy, &[("event", Arg::Text(event))]))
}

/// How much of its backoff a pod still has, and in thousandths of the whole.
#[must_use]
pub(in crate::picture) fn backoff_left(
    stage: &Stage<'_>,
    pod: &PodNow,
) -> Option<(crate::time::Span, u16)> {
    let until = pod.backoff_until?;
    let left = until.since(stage.still.at);
    if left.is_negative() {
        return Some((crate::time::Span::ZERO, 0));
    }
    let doublings = pod.attempts.saturating_sub(1).min(10);
    let whole = (1_000_000_i64 << doublings).min(10_000_000);
    let whole = whole.max(left.as_micros()).max(1);
    let share = u16::try_from(left.as_micros().saturating_mul(1000) / whole).unwrap_or(1000);
    Some((left, share))
}

/// How long until a pod in unschedulablePods is tried anyway, and in thousandths of the whole.
#[must_use]
pub(in crate::picture) fn flush_left(stage: &Stage<'_>, pod: &PodNow) -> (crate::time::Span, u16) {
    let whole = crate::time::Span::from_secs(300);
    let passed = stage.still.at.since(pod.since);
    let left = (whole - passed).max(crate::time::Span::ZERO);
    let share = u16::try_from(left.as_micros() / 300_000).unwrap_or(1000);
    (left, share.min(1000))
}

/// Where the entry of a pod ended up, for arrows to and from it.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Anchor {
    /// The pods' UIDs.
    pub(in crate::picture) uids: Vec<Arc<str>>,
    /// The middle of the entry.
    pub(in crate::picture) y: Px,
}
