//! What a node must offer a parked pod before an event of that node moves the pod, where plugins are not asked about
//! events.
//!
//! Kubernetes 1.33 was the last release that could run this way. Source: spec, queue and cache 11.1.

use crate::api::{
    ComparisonOperators, RequestOptions, RequiredNodeAffinity, pod_requests, untolerated_hard_taint,
};
use crate::snapshot::{NodeInfo, PodInfo, Resource};

/// Whether the node could take the pod as it is: resources, required node affinity, name, host ports, hard taints.
pub(super) fn is_admitted(pod: &PodInfo, info: &NodeInfo) -> bool {
    let Some(node) = &info.node else {
        return false;
    };
    let spec = &pod.pod.spec;
    let is_named = spec.node_name.is_empty() || spec.node_name == node.metadata.name;
    let takes_port = |wanted| {
        info.used_ports
            .iter()
            .any(|used| used.conflicts_with(wanted))
    };
    let operators = ComparisonOperators::Off;
    fits(pod, info)
        && RequiredNodeAffinity::of(&pod.pod).matches(node)
        && is_named
        && !pod.host_ports.iter().any(takes_port)
        && untolerated_hard_taint(&node.spec.taints, &spec.tolerations, operators).is_none()
}

fn fits(pod: &PodInfo, info: &NodeInfo) -> bool {
    let wanted = Resource::from_list(&pod_requests(&pod.pod, RequestOptions::INCOMING));
    let (used, has) = (&info.requested, &info.allocatable);
    let is_free =
        |wanted: i64, used: i64, has: i64| wanted == 0 || wanted <= has.saturating_sub(used);
    let pods = i64::try_from(info.pods.len()).unwrap_or(i64::MAX);
    pods < has.allowed_pods
        && is_free(wanted.milli_cpu, used.milli_cpu, has.milli_cpu)
        && is_free(wanted.memory, used.memory, has.memory)
        && is_free(
            wanted.ephemeral_storage,
            used.ephemeral_storage,
            has.ephemeral_storage,
        )
        && wanted
            .scalars
            .iter()
            .all(|(name, amount)| is_free(*amount, used.scalar(name), has.scalar(name)))
}
