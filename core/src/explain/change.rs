//! A change of a pod's fields, as a plugin's reason asks for it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Pod, PodAffinityTerm, Toleration, WeightedPodAffinityTerm};
use crate::framework::reason::Reason;

use super::ask::{Cut, cuts};
use super::chain::amount;

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
        /// Whose requests bring that about.
        cuts: Vec<Cut>,
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

impl Change {
    /// The change that a reason asks for, if a field of the pod can lift it.
    pub(super) fn after(reason: &Reason, pod: &Pod) -> Option<Self> {
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
            } => {
                let to = allocatable - used;
                Self::Ask {
                    resource: text(resource),
                    from: *requested,
                    to,
                    cuts: cuts(&pod.spec, resource, to)?,
                }
            }
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
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ask { resource, .. }, Self::Ask { resource: two, .. }) => resource == two,
            _ => self == other,
        }
    }

    /// How much of a resource it takes from the pod.
    pub(super) const fn taken(&self) -> i64 {
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
            Self::Ask { resource, cuts, .. } => {
                for cut in cuts {
                    cut.apply(spec, resource);
                }
            }
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
                    for port in &mut container.ports {
                        port.host_port = 0;
                        port.host_ip.clear();
                    }
                }
            }
            Self::PreferSpread { key } => {
                for constraint in &mut spec.topology_spread_constraints {
                    if constraint.topology_key == *key {
                        constraint.when_unsatisfiable = "ScheduleAnyway".to_string();
                    }
                }
            }
            Self::PreferApart { key } => prefer(
                spec.affinity
                    .as_mut()
                    .and_then(|all| all.pod_anti_affinity.as_mut())
                    .map(|pods| {
                        (
                            &mut pods.required_during_scheduling_ignored_during_execution,
                            &mut pods.preferred_during_scheduling_ignored_during_execution,
                        )
                    }),
                key,
            ),
            Self::PreferNear { key } => prefer(
                spec.affinity
                    .as_mut()
                    .and_then(|all| all.pod_affinity.as_mut())
                    .map(|pods| {
                        (
                            &mut pods.required_during_scheduling_ignored_during_execution,
                            &mut pods.preferred_during_scheduling_ignored_during_execution,
                        )
                    }),
                key,
            ),
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
            Self::Ask { resource, cuts, .. } => cuts
                .iter()
                .flat_map(|cut| {
                    let request = |value| {
                        let whose = cut.whose.path();
                        format!(
                            "{whose}requests: {{{resource}: {}}}",
                            amount(resource, value)
                        )
                    };
                    [(false, request(cut.from)), (true, request(cut.to))]
                })
                .collect(),
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

/// Makes preferences of the demands over a topology.
fn prefer(
    terms: Option<(&mut Vec<PodAffinityTerm>, &mut Vec<WeightedPodAffinityTerm>)>,
    key: &str,
) {
    let Some((required, preferred)) = terms else {
        return;
    };
    let (lifted, kept): (Vec<_>, Vec<_>) = core::mem::take(required)
        .into_iter()
        .partition(|term| term.topology_key == key);
    *required = kept;
    preferred.extend(lifted.into_iter().map(|term| WeightedPodAffinityTerm {
        weight: 100,
        pod_affinity_term: term,
    }));
}
