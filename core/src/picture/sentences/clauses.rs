//! Reasons in words: as a clause about some nodes, as a label of one node, and with their numbers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{CPU, MEMORY};
use crate::framework::reason::Reason;
use crate::picture::scene::{Lang, Piece, Underline};
use crate::picture::timeline::NodeFacts;
use crate::picture::verdicts::{Row, Sift};

use super::key::Key;
use super::words::{memory, milli_cpu};
use super::{Arg, Marking, say, text};

/// Who speaks: the language, and how zones are called here.
#[derive(Clone, Debug, Default)]
pub struct Voice {
    /// The language.
    pub lang: Lang,
    /// What all zones begin with.
    prefix: usize,
}

/// A clause about the nodes that one rule rejected for one reason.
#[derive(Clone, Debug)]
pub struct Clause {
    /// How many nodes.
    pub count: usize,
    /// The clause without its count.
    pub pieces: Vec<Piece>,
    /// The gate.
    pub gate: usize,
}

impl Voice {
    /// A voice for a cluster with these zones.
    #[must_use]
    pub fn new(lang: Lang, zones: &[String]) -> Self {
        Self {
            lang,
            prefix: common_prefix(zones),
        }
    }

    /// A zone's name without what all zones begin with: `c`.
    #[must_use]
    pub fn short_zone<'a>(&self, zone: &'a str) -> &'a str {
        match zone.get(self.prefix..) {
            Some(rest) if !rest.is_empty() && self.prefix > 0 => rest,
            _ => zone.rsplit('-').next().unwrap_or(zone),
        }
    }

    /// A zone by name: `zone c`.
    #[must_use]
    pub fn zone(&self, zone: &str) -> String {
        let name = self.short_zone(zone);
        text(self.lang, Key::ZoneName, &[("name", name.into())])
    }

    /// The topology domain of a node for a key: `zone c`, the node itself, `rack 7`.
    #[must_use]
    pub fn domain(&self, key: &str, node: &NodeFacts) -> String {
        let value = node.label(key).unwrap_or("?");
        match key {
            ZONE => self.zone(value),
            "kubernetes.io/hostname" => String::from(value),
            _ => {
                let key = key.rsplit('/').next().unwrap_or(key);
                let args = [("key", key.into()), ("value", value.into())];
                text(self.lang, Key::DomainOf, &args)
            }
        }
    }

    /// `a, b and c`.
    #[must_use]
    pub fn list(&self, names: &[String]) -> String {
        let (and, comma) = match self.lang {
            Lang::En => (" and ", ", "),
            Lang::Zh => ("、", "、"),
        };
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => {
                [rest.join(comma).as_str(), and, last].concat()
            }
            Some((last, _)) => last.clone(),
            None => String::new(),
        }
    }

    /// The clauses of a search in the order of the gates; together they count every rejected node once.
    #[must_use]
    pub fn clauses(&self, sift: &Sift) -> Vec<Clause> {
        let mut clauses = Vec::new();
        for (gate, info) in sift.cuts() {
            let mut groups: Vec<Vec<&Row>> = Vec::new();
            for row in sift.rejected_at(gate) {
                let group = groups.iter_mut().find(|group| {
                    let reason = group.first().and_then(|first| first.verdict.reason());
                    match (reason, row.verdict.reason()) {
                        (Some(one), Some(two)) => one.reads_like(two),
                        (one, two) => one.is_none() && two.is_none(),
                    }
                });
                match group {
                    Some(group) => group.push(row),
                    None => groups.push(alloc::vec![row]),
                }
            }
            for group in groups {
                clauses.push(Clause {
                    count: group.len(),
                    pieces: self.clause(&info.name, &group),
                    gate,
                });
            }
        }
        clauses
    }

    fn clause(&self, plugin: &str, group: &[&Row]) -> Vec<Piece> {
        let reason = group.first().and_then(|row| row.verdict.reason());
        let marking = Marking {
            underline: match reason {
                Some(Reason::UntoleratedTaint { .. }) => Underline::Taint,
                _ => Underline::Rejected,
            },
            link: gate_link(plugin),
        };
        let mut args = alloc::vec![("n", Arg::Count(group.len())), ("plugin", plugin.into())];
        let key = match reason {
            Some(Reason::Insufficient {
                resource,
                requested,
                ..
            }) => {
                args.push(("resource", short_resource(resource).into()));
                args.push(("amount", amount(resource, *requested).into()));
                if **resource == *CPU && requested % 1000 == 0 {
                    Key::CInsufficientCores
                } else if amount(resource, *requested) == requested.to_string() {
                    Key::CInsufficientCount
                } else {
                    Key::CInsufficient
                }
            }
            Some(Reason::TopologySpread {
                topology_key,
                count,
                minimum,
                ..
            }) => {
                let mut domains: Vec<String> = group
                    .iter()
                    .map(|row| self.domain(topology_key, &row.node))
                    .collect();
                domains.sort_unstable();
                domains.dedup();
                if domains.len() <= 3 {
                    args.push(("domain", self.list(&domains).into()));
                    args.push(("skew", Arg::Number(count - minimum)));
                    Key::CSpread
                } else {
                    Key::CSpreadMany
                }
            }
            Some(
                reason @ (Reason::PodAntiAffinity { .. } | Reason::ExistingPodAntiAffinity { .. }),
            ) => match one_workload(group) {
                Some(name) => {
                    args.push(("name", name.into()));
                    match reason {
                        Reason::PodAntiAffinity { .. } => Key::CPodAntiOf,
                        _ => Key::CExistingAntiOf,
                    }
                }
                None => keys_of(reason).0,
            },
            Some(reason) => keys_of(reason).0,
            None => Key::COther,
        };
        say(self.lang, key, &args, Some(&marking))
    }

    /// Why a node was rejected, in a few words.
    #[must_use]
    pub fn label(&self, row: &Row) -> String {
        let Some(reason) = row.verdict.reason() else {
            return String::new();
        };
        let (key, args): (Key, Vec<(&str, Arg)>) = match reason {
            Reason::Text(words) => return first_words(words),
            Reason::UntoleratedTaint { taint } => (
                Key::LTaint,
                alloc::vec![("taint", short_taint(taint).into())],
            ),
            Reason::TooManyPods { pods, allowed } => (
                Key::LPods,
                alloc::vec![("n", Arg::Number(*pods)), ("m", Arg::Number(*allowed))],
            ),
            Reason::Insufficient { resource, .. } => {
                let short = amount(resource, shortage(reason).unwrap_or(0));
                (
                    Key::LInsufficient,
                    alloc::vec![
                        ("resource", short_resource(resource).into()),
                        ("short", short.into()),
                    ],
                )
            }
            Reason::TopologySpread {
                topology_key,
                count,
                minimum,
                ..
            } => (
                Key::LSpread,
                alloc::vec![
                    ("domain", self.domain(topology_key, &row.node).into()),
                    ("n", Arg::Number(*count)),
                    ("min", Arg::Number(*minimum)),
                ],
            ),
            Reason::PodAntiAffinity { .. } | Reason::ExistingPodAntiAffinity { .. }
                if row.neighbour.is_some() =>
            {
                let neighbour = row.neighbour.as_ref();
                let name = neighbour.map_or_else(String::new, |pod| pod.facts.short_name());
                (Key::LNeighbour, alloc::vec![("name", name.into())])
            }
            Reason::TopologySpreadMissingLabel { topology_key } => (
                Key::LSpreadLabel,
                alloc::vec![("key", topology_key.to_string().into())],
            ),
            other => (keys_of(other).1, Vec::new()),
        };
        text(self.lang, key, &args)
    }

    /// Why a node was rejected, where there is little room.
    #[must_use]
    pub fn short(&self, row: &Row) -> String {
        match row.verdict.reason() {
            Some(Reason::UntoleratedTaint { taint }) => {
                let key = taint.split([':', '=']).next().unwrap_or(taint);
                let key = key.rsplit('/').next().unwrap_or(key);
                if key.len() > 9 {
                    return String::from(key);
                }
                text(self.lang, Key::STaint, &[("taint", key.into())])
            }
            Some(Reason::TopologySpread {
                count,
                minimum,
                max_skew,
                ..
            }) => {
                let args = [
                    ("skew", Arg::Number(count - minimum)),
                    ("max", Arg::Number(*max_skew)),
                ];
                text(self.lang, Key::SSpread, &args)
            }
            Some(reason @ Reason::Insufficient { resource, .. }) => {
                let short = amount(resource, shortage(reason).unwrap_or(0));
                text(self.lang, Key::DShort, &[("short", short.into())])
            }
            Some(Reason::NodeAffinityMismatch) => text(self.lang, Key::SLabels, &[]),
            Some(Reason::PodAntiAffinity { .. } | Reason::ExistingPodAntiAffinity { .. }) => {
                let neighbour = row.neighbour.as_ref();
                neighbour.map_or_else(
                    || self.label(row),
                    |pod| {
                        let name = pod.facts.last_name();
                        text(self.lang, Key::LNeighbour, &[("name", name.into())])
                    },
                )
            }
            _ => self.label(row),
        }
    }

    /// Why a node was rejected, with the numbers.
    #[must_use]
    pub fn detail(&self, row: &Row) -> String {
        let Some(reason) = row.verdict.reason() else {
            return String::new();
        };
        let (key, args): (Key, Vec<(&str, Arg)>) = match reason {
            Reason::UntoleratedTaint { taint } => (
                Key::DTaint,
                alloc::vec![(
                    "taint",
                    tail_of(taint.split(':').next().unwrap_or(taint), 26).into()
                )],
            ),
            Reason::TooManyPods { pods, allowed } => (
                Key::DPods,
                alloc::vec![("n", Arg::Number(*pods)), ("m", Arg::Number(*allowed))],
            ),
            Reason::Insufficient {
                resource,
                requested,
                used,
                allocatable,
            } => (
                Key::DInsufficient,
                alloc::vec![
                    ("want", amount(resource, *requested).into()),
                    ("have", amount(resource, allocatable - used).into()),
                    ("resource", short_resource(resource).into()),
                ],
            ),
            Reason::TopologySpread {
                topology_key,
                count,
                minimum,
                max_skew,
            } => (
                Key::DSpread,
                alloc::vec![
                    ("domain", self.domain(topology_key, &row.node).into()),
                    ("n", Arg::Number(*count)),
                    ("min", Arg::Number(*minimum)),
                    ("skew", Arg::Number(count - minimum)),
                    ("max", Arg::Number(*max_skew)),
                ],
            ),
            _ => return self.label(row),
        };
        text(self.lang, key, &args)
    }
}

/// The link of a gate's marks and of the words about it.
#[must_use]
pub fn gate_link(plugin: &str) -> String {
    ["gate/", plugin].concat()
}

/// The link of a node's marks and of the words about it.
#[must_use]
pub fn node_link(node: &str) -> String {
    ["node/", node].concat()
}

/// How much is missing of a resource; `None` where nothing is counted.
#[must_use]
pub fn shortage(reason: &Reason) -> Option<i64> {
    match reason {
        Reason::Insufficient {
            requested,
            used,
            allocatable,
            ..
        } => Some(requested.saturating_sub(allocatable.saturating_sub(*used))),
        Reason::TooManyPods { pods, allowed } => Some(pods.saturating_sub(*allowed) + 1),
        Reason::TopologySpread {
            count,
            minimum,
            max_skew,
            ..
        } => Some(count - minimum - max_skew),
        _ => None,
    }
}

/// An amount of a resource as people write it.
#[must_use]
pub fn amount(resource: &str, amount: i64) -> String {
    match resource {
        CPU => milli_cpu(amount),
        _ if resource == MEMORY
            || resource == "ephemeral-storage"
            || resource.starts_with("hugepages-") =>
        {
            memory(amount)
        }
        _ => amount.to_string(),
    }
}

/// What a shortage comes down to in numbers, where a reason is one: `3 + 1 > 3`. `show` writes an amount of a resource.
#[must_use]
pub fn sum(reason: &Reason, show: fn(&str, i64) -> String) -> Option<String> {
    Some(match reason {
        Reason::Insufficient {
            resource,
            requested,
            used,
            allocatable,
        } => {
            let [used, asked, all] = [used, requested, allocatable].map(|n| show(resource, *n));
            format!("{used} + {asked} > {all}")
        }
        Reason::TooManyPods { pods, allowed } => format!("{pods} + 1 > {allowed}"),
        _ => return None,
    })
}

/// A resource's name without its domain: `gpu` of `nvidia.com/gpu`.
#[must_use]
pub fn short_resource(resource: &str) -> &str {
    resource.rsplit('/').next().unwrap_or(resource)
}

/// A taint without value and effect, its domain shortened: `…/control-plane`.
#[must_use]
pub fn short_taint(taint: &str) -> String {
    let key = taint.split([':', '=']).next().unwrap_or(taint);
    tail_of(key, 22)
}

/// The end of a long name, from a slash if there is one.
fn tail_of(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return String::from(name);
    }
    match name.rsplit_once('/') {
        Some((_, tail)) => format!("…/{tail}"),
        None => String::from(name),
    }
}

fn first_words(words: &str) -> String {
    let mut short: String = words.chars().take(36).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    short
}

/// The workload that all neighbours of a group are of.
fn one_workload(group: &[&Row]) -> Option<String> {
    let mut names = group.iter().map(|row| {
        let neighbour = row.neighbour.as_ref();
        neighbour.map(|pod| pod.facts.workload.name.as_str())
    });
    let first = names.next()??;
    names
        .all(|name| name == Some(first))
        .then(|| first.to_string())
}

/// The templates of a reason: as a clause, and as a label.
fn keys_of(reason: &Reason) -> (Key, Key) {
    match reason {
        Reason::NodeUnschedulable => (Key::CUnschedulable, Key::LUnschedulable),
        Reason::NodeNameMismatch => (Key::CNodeName, Key::LNodeName),
        Reason::UntoleratedTaint { .. } => (Key::CTaint, Key::LTaint),
        Reason::NodeAffinityMismatch
        | Reason::EnforcedNodeAffinityMismatch
        | Reason::NodeAffinityConflict => (Key::CAffinity, Key::LAffinity),
        Reason::PortsTaken => (Key::CPorts, Key::LPorts),
        Reason::TooManyPods { .. } => (Key::CPods, Key::LPods),
        Reason::Insufficient { .. } => (Key::CInsufficient, Key::LInsufficient),
        Reason::DiskConflict => (Key::CDisk, Key::LDisk),
        Reason::ReadWriteOncePodConflict => (Key::CRwop, Key::LRwop),
        Reason::MaxVolumeCount => (Key::CVolumeLimit, Key::LVolumeLimit),
        Reason::UnboundImmediateClaims => (Key::CUnbound, Key::LUnbound),
        Reason::VolumeNodeAffinity => (Key::CVolumeNode, Key::LVolumeNode),
        Reason::NoMatchingVolume => (Key::CNoVolume, Key::LNoVolume),
        Reason::NotEnoughStorage => (Key::CNoStorage, Key::LNoStorage),
        Reason::VolumeNotFound => (Key::CVolumeGone, Key::LVolumeGone),
        Reason::VolumeZoneMismatch => (Key::CVolumeZone, Key::LVolumeZone),
        Reason::TopologySpread { .. } => (Key::CSpreadMany, Key::LSpread),
        Reason::TopologySpreadMissingLabel { .. } => (Key::CSpreadLabel, Key::LSpreadLabel),
        Reason::PodAffinity { .. } => (Key::CPodAffinity, Key::LPodAffinity),
        Reason::PodAntiAffinity { .. } => (Key::CPodAnti, Key::LPodAnti),
        Reason::ExistingPodAntiAffinity { .. } => (Key::CExistingAnti, Key::LExistingAnti),
        Reason::MissingFeatures => (Key::CFeatures, Key::LFeatures),
        Reason::NotInPreFilterSet { .. } | Reason::EmptyPreFilterSet { .. } => {
            (Key::CPreFilterSet, Key::LPreFilterSet)
        }
        _ => (Key::COther, Key::LPreFilterSet),
    }
}

fn common_prefix(zones: &[String]) -> usize {
    let Some((first, rest)) = zones.split_first() else {
        return 0;
    };
    if rest.is_empty() {
        return 0;
    }
    let mut end = first.len();
    for zone in rest {
        let same = first
            .bytes()
            .zip(zone.bytes())
            .take_while(|(one, two)| one == two)
            .count();
        end = end.min(same);
    }
    let is_whole = zones.iter().any(|zone| zone.len() == end);
    if is_whole || !first.is_char_boundary(end) {
        return 0;
    }
    end
}

/// The label of a node's zone.
const ZONE: &str = "topology.kubernetes.io/zone";
