//! Why not this node: from the pod's field through the rule to the node's field, with the numbers.
//!
//! The numbers come from the reason that the plugin gave. The fields beside them are quoted from the objects, so that a
//! person sees what to change; nothing is decided here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use crate::api::{Node, Pod};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginName, Status};

use super::matrix::Row;

/// One link: a rule that stands between a pod and a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The plugin that holds the rule.
    pub plugin: Option<PluginName>,
    /// The reason with its numbers.
    pub reason: Reason,
    /// What the pod says.
    pub pod: Vec<Fact>,
    /// What the node, or what is on it, says.
    pub node: Vec<Fact>,
    /// Whether the scheduler saw it; otherwise it was found in addition.
    pub was_seen: bool,
}

/// Something that pod or node say, and the value as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: FactName,
    /// What it says; empty if it is absent.
    pub value: String,
}

/// What a fact is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FactName {
    /// A field, `spec.nodeSelector`.
    Field(String),
    /// How many pods are on the node.
    PodsOnNode,
    /// How much pods on the node ask for.
    RequestedByPods,
    /// How many matching pods the node's domain would have.
    MatchingInDomain,
    /// How many matching pods the emptiest domain has.
    MatchingInEmptiest,
}

/// Everything that stands between a pod and a node, in the order in which the plugins are asked.
#[must_use]
pub fn chain(pod: &Pod, node: Option<&Node>, row: &Row) -> Vec<Link> {
    let mut links = Vec::new();
    for (status, was_seen) in row.rejections() {
        links.extend(links_of(pod, node, status, was_seen));
    }
    links
}

fn links_of(
    pod: &Pod,
    node: Option<&Node>,
    status: &Status,
    was_seen: bool,
) -> impl Iterator<Item = Link> {
    status.reasons.iter().map(move |reason| Link {
        plugin: status.plugin,
        reason: reason.clone(),
        pod: pod_facts(pod, reason),
        node: node.map_or_else(Vec::new, |node| node_facts(node, reason)),
        was_seen,
    })
}

/// The pod's fields that a reason is about.
fn pod_facts(pod: &Pod, reason: &Reason) -> Vec<Fact> {
    match reason {
        Reason::NodeUnschedulable | Reason::UntoleratedTaint { .. } => {
            [fact("spec.tolerations", &pod.spec.tolerations)].into()
        }
        Reason::NodeAffinityMismatch | Reason::NodeAffinityConflict => node_affinity(pod).into(),
        Reason::PortsTaken => [host_ports(pod)].into(),
        Reason::Insufficient {
            resource,
            requested,
            ..
        } => [text_fact(
            &format!("spec.containers[].resources.requests.{resource}"),
            amount(resource, *requested),
        )]
        .into(),
        Reason::TopologySpread {
            topology_key,
            max_skew,
            ..
        } => [
            text_fact(
                "spec.topologySpreadConstraints[].topologyKey",
                topology_key.to_string(),
            ),
            text_fact(
                "spec.topologySpreadConstraints[].maxSkew",
                max_skew.to_string(),
            ),
        ]
        .into(),
        Reason::TopologySpreadMissingLabel { topology_key } => [text_fact(
            "spec.topologySpreadConstraints[].topologyKey",
            topology_key.to_string(),
        )]
        .into(),
        Reason::PodAffinity { topology_key } => [text_fact(
            "spec.affinity.podAffinity.required[].topologyKey",
            topology_key.to_string(),
        )]
        .into(),
        Reason::PodAntiAffinity { topology_key } => [text_fact(
            "spec.affinity.podAntiAffinity.required[].topologyKey",
            topology_key.to_string(),
        )]
        .into(),
        Reason::ExistingPodAntiAffinity { .. } => {
            [fact("metadata.labels", &pod.metadata.labels)].into()
        }
        Reason::ReadWriteOncePodConflict
        | Reason::UnboundImmediateClaims
        | Reason::VolumeNodeAffinity
        | Reason::NoMatchingVolume
        | Reason::NotEnoughStorage
        | Reason::VolumeNotFound
        | Reason::VolumeZoneMismatch
        | Reason::MaxVolumeCount
        | Reason::DiskConflict => [text_fact("spec.volumes", claims(pod))].into(),
        _ => Vec::new(),
    }
}

/// Which nodes a pod asks for.
fn node_affinity(pod: &Pod) -> [Fact; 2] {
    let affinity = pod.spec.affinity.as_ref();
    let nodes = affinity.and_then(|affinity| affinity.node_affinity.as_ref());
    let required = nodes.and_then(|nodes| {
        nodes
            .required_during_scheduling_ignored_during_execution
            .as_ref()
    });
    [
        fact("spec.nodeSelector", &pod.spec.node_selector),
        fact("spec.affinity.nodeAffinity.required", &required),
    ]
}

/// Which ports of its node a pod asks for.
fn host_ports(pod: &Pod) -> Fact {
    let ports: Vec<String> = pod
        .host_ports()
        .iter()
        .map(|port| format!("{}:{}/{}", port.ip, port.port, port.protocol))
        .collect();
    text_fact("spec.containers[].ports[].hostPort", ports.join(", "))
}

/// The node's fields that a reason is about.
fn node_facts(node: &Node, reason: &Reason) -> Vec<Fact> {
    match reason {
        Reason::NodeUnschedulable => [text_fact(
            "spec.unschedulable",
            node.spec.unschedulable.to_string(),
        )]
        .into(),
        Reason::UntoleratedTaint { taint } => {
            [text_fact("spec.taints[]", taint.to_string())].into()
        }
        Reason::NodeAffinityMismatch
        | Reason::NodeAffinityConflict
        | Reason::EnforcedNodeAffinityMismatch
        | Reason::VolumeNodeAffinity
        | Reason::VolumeZoneMismatch => [fact("metadata.labels", &node.metadata.labels)].into(),
        Reason::NodeNameMismatch => [text_fact("metadata.name", node.metadata.name.clone())].into(),
        Reason::TooManyPods { pods, allowed } => [
            text_fact("status.allocatable.pods", allowed.to_string()),
            named(FactName::PodsOnNode, pods.to_string()),
        ]
        .into(),
        Reason::Insufficient {
            resource,
            used,
            allocatable,
            ..
        } => [
            text_fact(
                &format!("status.allocatable.{resource}"),
                amount(resource, *allocatable),
            ),
            named(FactName::RequestedByPods, amount(resource, *used)),
        ]
        .into(),
        Reason::TopologySpread {
            topology_key,
            count,
            minimum,
            ..
        } => [
            label_fact(node, topology_key),
            named(FactName::MatchingInDomain, count.to_string()),
            named(FactName::MatchingInEmptiest, minimum.to_string()),
        ]
        .into(),
        Reason::TopologySpreadMissingLabel { topology_key }
        | Reason::PodAffinity { topology_key }
        | Reason::PodAntiAffinity { topology_key }
        | Reason::ExistingPodAntiAffinity { topology_key } => {
            [label_fact(node, topology_key)].into()
        }
        _ => Vec::new(),
    }
}

fn label_fact(node: &Node, key: &str) -> Fact {
    let value = node.metadata.labels.get(key).cloned().unwrap_or_default();
    text_fact(&format!("metadata.labels[{key}]"), value)
}

fn claims(pod: &Pod) -> String {
    let names: Vec<&str> = pod
        .spec
        .volumes
        .iter()
        .filter_map(|volume| {
            let claim = volume.persistent_volume_claim.as_ref()?;
            Some(claim.claim_name.as_str())
        })
        .collect();
    names.join(", ")
}

/// An amount in the unit that people use: milli-cores for CPU, whole units elsewhere.
pub(super) fn amount(resource: &str, value: i64) -> String {
    use crate::api::{Format, Quantity};
    match resource {
        "cpu" => Quantity::from_millis(value).to_string(),
        "memory" | "ephemeral-storage" => Quantity::from_units(value, Format::BinarySi).to_string(),
        _ => value.to_string(),
    }
}

fn fact(path: &str, value: &impl Serialize) -> Fact {
    let json = serde_json::to_string(value).unwrap_or_default();
    let is_empty = matches!(json.as_str(), "null" | "[]" | "{}");
    text_fact(path, if is_empty { String::new() } else { json })
}

fn text_fact(path: &str, value: String) -> Fact {
    named(FactName::Field(path.to_string()), value)
}

const fn named(name: FactName, value: String) -> Fact {
    Fact { name, value }
}

#[cfg(test)]
mod tests;
