//! What would have to change in a pod for a node to take it: the fewest fields, each changed only as far as the nearest
//! node asks.
//!
//! A change is what a plugin's own reason asks for; every Filter plugin is then asked about the changed pod, on the nodes
//! of the attempt. What a change means for other pods is not looked at, and neither are changes of nodes or other pods.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, PodAffinityTerm, PodSpec, Quantity, Toleration, WeightedPodAffinityTerm};
use crate::framework::extension::CycleContext;
use crate::framework::reason::Reason;
use crate::framework::runtime::Framework;
use crate::node_set::NodeIndex;
use crate::order;
use crate::snapshot::PodInfo;

use super::chain::amount;
use super::truth::Asked;

/// A change of a pod's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It puts up with taints of this key.
    Tolerate {
        /// The taint's key.
        key: String,
    },
    /// It asks for less.
    Ask {
        /// The resource's name.
        resource: String,
        /// What it asks for in all, in the resource's unit (milli-cores for CPU).
        from: i64,
        /// What it is to ask for in all.
        to: i64,
    },
    /// It neither selects nodes by their labels nor demands an affinity to them.
    AnyNode,
    /// It takes no port of its node.
    NoHostPorts,
    /// It prefers to be spread over a topology, in place of demanding it.
    PreferSpread {
        /// The constraint's topology key.
        key: String,
    },
    /// It prefers to be away from other pods, in place of demanding it.
    PreferApart {
        /// The terms' topology key.
        key: String,
    },
    /// It prefers to be near other pods, in place of demanding it.
    PreferNear {
        /// The terms' topology key.
        key: String,
    },
}

/// Changes of which none can be left out, and where the pod then fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The changes.
    pub changes: Vec<Change>,
    /// The nodes that every Filter plugin then lets pass, in the order of the list.
    pub nodes: Vec<Arc<str>>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// The smallest changes, those with the most nodes first; a few at most.
    pub suggestions: Vec<Suggestion>,
    /// Changes that were tried and do not do, with a reason that then stands and that no field of the pod can lift.
    pub dropped: Vec<(Change, Reason)>,
}

/// Looks for the smallest changes with which a pod fits; finds none if it fits as it is.
///
/// Cost: for each node a few times what it costs to prepare all plugins for a pod and to ask them about a node.
#[must_use]
pub fn suggest(framework: &Framework, cx: &CycleContext<'_>, pod: &Pod) -> Advice {
    let mut advice = Advice::default();
    let mut found: Vec<Vec<Change>> = Vec::new();
    for (row, _) in cx.snapshot.iter() {
        match changes_for(framework, cx, pod, row) {
            Ok(changes) if changes.is_empty() => return Advice::default(),
            Ok(changes) => merge(&mut found, changes),
            Err((Some(tried), reason)) => {
                if !advice.dropped.iter().any(|(known, _)| *known == tried) {
                    advice.dropped.push((tried, reason));
                }
            }
            Err(_) => {}
        }
    }
    let fewest = found.iter().map(Vec::len).min().unwrap_or(0);
    found.retain(|changes| changes.len() == fewest);
    for changes in found {
        let pod = changed(pod, &changes);
        let asked = Asked::new(framework, cx, &pod);
        let nodes = cx.snapshot.iter().map(|(row, _)| row);
        let nodes = nodes.filter(|row| asked.reasons(*row).is_empty());
        let nodes: Vec<_> = nodes.map(|row| cx.snapshot.name(row).clone()).collect();
        if !nodes.is_empty() {
            advice.suggestions.push(Suggestion { changes, nodes });
        }
    }
    order::sort_by_key(&mut advice.suggestions, |suggestion| {
        core::cmp::Reverse(suggestion.nodes.len())
    });
    advice.dropped.retain(|(tried, _)| {
        let suggested = &advice.suggestions;
        !suggested.iter().any(|one| one.changes.contains(tried))
    });
    advice.suggestions.truncate(SHOWN);
    advice.dropped.truncate(SHOWN);
    advice
}

/// What the plugins ask of the pod, one after another, until the node takes it; or a reason that no change lifts, with the
/// one change that led to it, if it was one.
fn changes_for(
    framework: &Framework,
    cx: &CycleContext<'_>,
    pod: &Pod,
    row: NodeIndex,
) -> Result<Vec<Change>, (Option<Change>, Reason)> {
    let mut changes: Vec<Change> = Vec::new();
    loop {
        let pod = changed(pod, &changes);
        let mut reasons = Asked::new(framework, cx, &pod).reasons(row).into_iter();
        let Some(reason) = reasons.next() else {
            return Ok(changes);
        };
        let own = changes.len();
        for reason in core::iter::once(reason).chain(reasons) {
            match Change::after(&reason) {
                Some(change)
                    if changes.len() < MOST
                        && !changes.iter().any(|known| known.is_alike(&change)) =>
                {
                    changes.push(change);
                }
                None if own == 1 => return Err((changes.into_iter().next(), reason)),
                _ => return Err((None, reason)),
            }
        }
    }
}

/// Adds changes to those found; of changes that differ only in amounts, those that take the least stay.
fn merge(found: &mut Vec<Vec<Change>>, changes: Vec<Change>) {
    let is_alike = |known: &&mut Vec<Change>| {
        let mut known = known.iter();
        known.len() == changes.len() && known.all(|a| changes.iter().any(|b| a.is_alike(b)))
    };
    match found.iter_mut().find(is_alike) {
        Some(known) => {
            let left = |changes: &[Change]| -> i64 { changes.iter().map(Change::taken).sum() };
            if left(&changes) < left(known) {
                *known = changes;
            }
        }
        None => found.push(changes),
    }
}

fn changed(pod: &Pod, changes: &[Change]) -> PodInfo {
    let mut pod = pod.clone();
    for change in changes {
        change.apply(&mut pod);
    }
    PodInfo::new(pod.into())
}

impl Change {
    /// The change that a reason asks for, if a field of the pod can lift it.
    fn after(reason: &Reason) -> Option<Self> {
        let text = |key: &Arc<str>| key.to_string();
        Some(match reason {
            Reason::UntoleratedTaint { taint } => {
                let end = taint.find('=').or_else(|| taint.rfind(':'));
                let key = taint.get(..end?)?.to_string();
                Self::Tolerate { key }
            }
            Reason::Insufficient {
                resource,
                requested,
                used,
                allocatable,
            } if allocatable > used => Self::Ask {
                resource: text(resource),
                from: *requested,
                to: allocatable - used,
            },
            Reason::NodeAffinityMismatch => Self::AnyNode,
            Reason::PortsTaken => Self::NoHostPorts,
            Reason::TopologySpread { topology_key, .. }
            | Reason::TopologySpreadMissingLabel { topology_key } => Self::PreferSpread {
                key: text(topology_key),
            },
            Reason::PodAntiAffinity { topology_key } => Self::PreferApart {
                key: text(topology_key),
            },
            Reason::PodAffinity { topology_key } => Self::PreferNear {
                key: text(topology_key),
            },
            _ => return None,
        })
    }

    /// Whether two changes differ in amounts at most.
    fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ask { resource, .. }, Self::Ask { resource: two, .. }) => resource == two,
            _ => self == other,
        }
    }

    /// How much of a resource it takes from the pod.
    const fn taken(&self) -> i64 {
        match self {
            Self::Ask { from, to, .. } => from.saturating_sub(*to),
            _ => 0,
        }
    }

    /// Changes a pod.
    pub fn apply(&self, pod: &mut Pod) {
        let spec = &mut pod.spec;
        match self {
            Self::Tolerate { key } => spec.tolerations.push(Toleration {
                key: key.clone(),
                operator: "Exists".to_string(),
                ..Toleration::default()
            }),
            Self::Ask { resource, .. } => ask_less(spec, resource, self.taken()),
            Self::AnyNode => {
                spec.node_selector.clear();
                if let Some(nodes) = spec
                    .affinity
                    .as_mut()
                    .and_then(|all| all.node_affinity.as_mut())
                {
                    nodes.required_during_scheduling_ignored_during_execution = None;
                }
            }
            Self::NoHostPorts => {
                for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
                    container.ports.retain(|port| port.host_port == 0);
                }
            }
            Self::PreferSpread { key } => {
                for constraint in &mut spec.topology_spread_constraints {
                    if constraint.topology_key == *key {
                        constraint.when_unsatisfiable = "ScheduleAnyway".to_string();
                    }
                }
            }
            Self::PreferApart { key } => {
                if let Some(pods) = spec
                    .affinity
                    .as_mut()
                    .and_then(|all| all.pod_anti_affinity.as_mut())
                {
                    prefer(
                        &mut pods.required_during_scheduling_ignored_during_execution,
                        &mut pods.preferred_during_scheduling_ignored_during_execution,
                        key,
                    );
                }
            }
            Self::PreferNear { key } => {
                if let Some(pods) = spec
                    .affinity
                    .as_mut()
                    .and_then(|all| all.pod_affinity.as_mut())
                {
                    prefer(
                        &mut pods.required_during_scheduling_ignored_during_execution,
                        &mut pods.preferred_during_scheduling_ignored_during_execution,
                        key,
                    );
                }
            }
        }
    }

    /// The change as lines of the pod's text: whether each is added, and what it says.
    #[must_use]
    pub fn lines(&self) -> Vec<(bool, String)> {
        let line = |is_added: bool, text: &str| (is_added, text.to_string());
        match self {
            Self::Tolerate { key } => [
                line(true, "tolerations:"),
                (true, format!("- {{key: {key}, operator: Exists}}")),
            ]
            .into(),
            Self::Ask { resource, from, to } => [(false, from), (true, to)]
                .map(|(is_added, value)| {
                    let value = amount(resource, *value);
                    (is_added, format!("requests: {{{resource}: {value}}}"))
                })
                .into(),
            Self::AnyNode => [line(false, "nodeSelector, nodeAffinity.required")].into(),
            Self::NoHostPorts => [line(false, "hostPort")].into(),
            Self::PreferSpread { .. } => [
                line(false, "whenUnsatisfiable: DoNotSchedule"),
                line(true, "whenUnsatisfiable: ScheduleAnyway"),
            ]
            .into(),
            Self::PreferApart { .. } | Self::PreferNear { .. } => [
                line(false, "requiredDuringSchedulingIgnoredDuringExecution"),
                line(true, "preferredDuringSchedulingIgnoredDuringExecution"),
            ]
            .into(),
        }
    }
}

/// Takes some of a resource from what a pod asks for; of several containers, the one that asks for most asks for less, down
/// to nothing.
fn ask_less(spec: &mut PodSpec, resource: &str, taken: i64) {
    let own = spec.resources.iter_mut().map(|own| &mut own.requests);
    let containers = spec.containers.iter_mut();
    let requests = own.chain(containers.map(|one| &mut one.resources.requests));
    let most = requests
        .filter_map(|requests| requests.get_mut(resource))
        .max_by_key(|quantity| quantity.nanos());
    if let Some(quantity) = most {
        *quantity = if resource == "cpu" {
            Quantity::from_millis((quantity.milli_value() - taken).max(0))
        } else {
            Quantity::from_units((quantity.value() - taken).max(0), quantity.format())
        };
    }
}

/// Makes preferences of demands over a topology.
fn prefer(
    required: &mut Vec<PodAffinityTerm>,
    preferred: &mut Vec<WeightedPodAffinityTerm>,
    key: &str,
) {
    let (lifted, kept) = core::mem::take(required)
        .into_iter()
        .partition(|term: &PodAffinityTerm| term.topology_key == key);
    *required = kept;
    let lifted: Vec<PodAffinityTerm> = lifted;
    preferred.extend(lifted.into_iter().map(|term| WeightedPodAffinityTerm {
        weight: 100,
        pod_affinity_term: term,
    }));
}

/// More changes than this are not worth proposing.
const MOST: usize = 3;
/// So many suggestions at most.
const SHOWN: usize = 2;
