//! What the API server fills in: Kubernetes 1.36's defaults for the fields that it is asked about here.
//!
//! Filling in twice changes nothing, so objects that a server printed can be read again.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{
    Container, DaemonSet, Deployment, IntOrString, Job, LabelSelectorRequirement, Node, Object,
    PersistentVolume, PersistentVolumeClaim, Pod, PodAffinityTerm, PodSpec, PriorityClass,
    ReplicaSet, ReplicationController, RequestOptions, ResourceList, RollingUpdateDeployment,
    StatefulSet, StorageClass, is_hugepages, is_pod_level_resource, pod_requests,
};
use crate::config::{DEFAULT_SCHEDULER_NAME, Gate, Gates};
use crate::order;

/// Fills in what an object leaves open.
pub(super) fn apply(object: &mut Object) {
    let namespaced = object.kind().is_namespaced();
    let metadata = object.metadata_mut();
    if namespaced && metadata.namespace.is_empty() {
        metadata.namespace = "default".to_string();
    } else if !namespaced {
        metadata.namespace.clear();
    }
    match object {
        Object::Pod(pod) => default_pod(alloc::sync::Arc::make_mut(pod)),
        Object::Node(node) => default_node(alloc::sync::Arc::make_mut(node)),
        Object::Namespace(namespace) => {
            let namespace = alloc::sync::Arc::make_mut(namespace);
            let name = namespace.metadata.name.clone();
            namespace
                .metadata
                .labels
                .insert("kubernetes.io/metadata.name".to_string(), name);
            set_if_empty(&mut namespace.status.phase, "Active");
        }
        Object::PersistentVolume(volume) => default_volume(alloc::sync::Arc::make_mut(volume)),
        Object::PersistentVolumeClaim(claim) => default_claim(alloc::sync::Arc::make_mut(claim)),
        Object::StorageClass(class) => default_class(alloc::sync::Arc::make_mut(class)),
        Object::PriorityClass(class) => default_priority(alloc::sync::Arc::make_mut(class)),
        Object::ReplicaSet(set) => default_replica_set(alloc::sync::Arc::make_mut(set)),
        Object::ReplicationController(set) => default_controller(alloc::sync::Arc::make_mut(set)),
        Object::Deployment(set) => default_deployment(alloc::sync::Arc::make_mut(set)),
        Object::StatefulSet(set) => default_stateful_set(alloc::sync::Arc::make_mut(set)),
        Object::DaemonSet(set) => default_daemon_set(alloc::sync::Arc::make_mut(set)),
        Object::Job(job) => default_job(alloc::sync::Arc::make_mut(job)),
        _ => {}
    }
}

/// Fills in a pod's spec, whether it stands in a pod or in a template.
fn default_spec(spec: &mut PodSpec) {
    set_if_empty(&mut spec.restart_policy, "Always");
    set_if_empty(&mut spec.scheduler_name, DEFAULT_SCHEDULER_NAME);
    spec.termination_grace_period_seconds.get_or_insert(30);
    for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
        for port in &mut container.ports {
            set_if_empty(&mut port.protocol, "TCP");
        }
    }
}

fn default_pod(pod: &mut Pod) {
    default_spec(&mut pod.spec);
    for container in containers_mut(&mut pod.spec) {
        let resources = &mut container.resources;
        fill_requests(&mut resources.requests, &resources.limits);
    }
    default_pod_level(pod);
    if pod.spec.host_network {
        for container in containers_mut(&mut pod.spec) {
            for port in &mut container.ports {
                if port.host_port == 0 {
                    port.host_port = port.container_port;
                }
            }
        }
    }
    set_if_empty(&mut pod.status.phase, "Pending");
}

/// Limits of the pod as a whole stand in for requests of the pod as a whole: what the containers ask for together, or else
/// the limit.
fn default_pod_level(pod: &mut Pod) {
    let containers = pod_requests(pod, RequestOptions::default());
    let Some(resources) = &mut pod.spec.resources else {
        return;
    };
    for (name, amount) in resources.requests.clone() {
        if is_hugepages(&name) {
            resources.limits.entry(name).or_insert(amount);
        }
    }
    if resources.limits.is_empty() {
        return;
    }
    for (name, amount) in containers {
        if is_pod_level_resource(&name) && !is_hugepages(&name) {
            resources.requests.entry(name).or_insert(amount);
        }
    }
    for (name, amount) in &resources.limits {
        if is_pod_level_resource(name) {
            resources.requests.entry(name.clone()).or_insert(*amount);
        }
    }
}

/// What the registry of pods adds when a pod is made: its state, the condition of a gated pod, merged selectors.
pub(super) fn prepare_new_pod(pod: &mut Pod, gates: Gates) {
    drop_disabled(pod, gates);
    merge_affinity_keys(pod);
    if gates.enabled(Gate::MatchLabelKeysInPodTopologySpreadSelectorMerge) {
        merge_spread_keys(pod);
    }
    if pod.status.qos_class.is_empty() {
        pod.status.qos_class = qos_class(pod).to_string();
    }
}

/// Fields that a server does not know while their gate is off.
fn drop_disabled(pod: &mut Pod, gates: Gates) {
    if !gates.enabled(Gate::PodLevelResources) {
        pod.spec.resources = None;
    }
    if !gates.enabled(Gate::GenericWorkload) {
        pod.spec.scheduling_group = None;
    }
    if !gates.enabled(Gate::MatchLabelKeysInPodTopologySpread) {
        for constraint in &mut pod.spec.topology_spread_constraints {
            constraint.match_label_keys.clear();
        }
    }
}

/// What a server with these gates leaves out of a pod, for whoever wrote it.
pub(super) fn dropped(pod: &Pod, gates: Gates) -> Vec<String> {
    let mut dropped = Vec::new();
    let mut say = |field: &str, gate: Gate| {
        dropped.push(alloc::format!(
            "{field} is left out, as by a server on which the feature gate {gate} is off"
        ));
    };
    let gate = Gate::PodLevelResources;
    if !gates.enabled(gate) && pod.spec.resources.is_some() {
        say("spec.resources", gate);
    }
    let gate = Gate::GenericWorkload;
    if !gates.enabled(gate) && pod.spec.scheduling_group.is_some() {
        say("spec.schedulingGroup", gate);
    }
    let gate = Gate::MatchLabelKeysInPodTopologySpread;
    let mut constraints = pod.spec.topology_spread_constraints.iter();
    if !gates.enabled(gate) && constraints.any(|one| !one.match_label_keys.is_empty()) {
        say("spec.topologySpreadConstraints[].matchLabelKeys", gate);
    }
    dropped
}

/// The keys of `matchLabelKeys` and `mismatchLabelKeys` become requirements of the term's own selector.
fn merge_affinity_keys(pod: &mut Pod) {
    let labels = pod.metadata.labels.clone();
    let Some(affinity) = &mut pod.spec.affinity else {
        return;
    };
    let merge = |term: &mut PodAffinityTerm| {
        let Some(selector) = &mut term.label_selector else {
            return;
        };
        let keys = [
            (&term.match_label_keys, "In"),
            (&term.mismatch_label_keys, "NotIn"),
        ];
        for (keys, operator) in keys {
            for key in keys {
                let Some(value) = labels.get(key) else {
                    continue;
                };
                add_requirement(&mut selector.match_expressions, key, operator, value);
            }
        }
    };
    if let Some(near) = &mut affinity.pod_affinity {
        near.required_during_scheduling_ignored_during_execution
            .iter_mut()
            .for_each(merge);
        let soft = &mut near.preferred_during_scheduling_ignored_during_execution;
        soft.iter_mut()
            .map(|term| &mut term.pod_affinity_term)
            .for_each(merge);
    }
    if let Some(away) = &mut affinity.pod_anti_affinity {
        away.required_during_scheduling_ignored_during_execution
            .iter_mut()
            .for_each(merge);
        let soft = &mut away.preferred_during_scheduling_ignored_during_execution;
        soft.iter_mut()
            .map(|term| &mut term.pod_affinity_term)
            .for_each(merge);
    }
}

fn merge_spread_keys(pod: &mut Pod) {
    let labels = &pod.metadata.labels;
    for constraint in &mut pod.spec.topology_spread_constraints {
        let Some(selector) = &mut constraint.label_selector else {
            continue;
        };
        for key in &constraint.match_label_keys {
            if let Some(value) = labels.get(key) {
                add_requirement(&mut selector.match_expressions, key, "In", value);
            }
        }
    }
}

/// Adds a requirement unless it is there: an object that a server printed has it already.
fn add_requirement(
    expressions: &mut Vec<LabelSelectorRequirement>,
    key: &str,
    operator: &str,
    value: &str,
) {
    let requirement = LabelSelectorRequirement {
        key: key.to_string(),
        operator: operator.to_string(),
        values: [value.to_string()].into(),
    };
    if !expressions.contains(&requirement) {
        expressions.push(requirement);
    }
}

/// The quality of service that the pod's requests and limits for CPU and memory give it.
fn qos_class(pod: &Pod) -> &'static str {
    let counted = |list: &ResourceList| -> ResourceList {
        let kept = list.iter().filter(|(name, amount)| {
            matches!(name.as_str(), "cpu" | "memory") && !amount.is_zero()
        });
        order::collect(kept.map(|(name, amount)| (name.clone(), *amount)))
    };
    let parts: Vec<_> = match &pod.spec.resources {
        Some(resources) => [resources].into(),
        None => pod
            .spec
            .all_containers()
            .map(|container| &container.resources)
            .collect(),
    };
    let mut is_empty = true;
    let mut is_guaranteed = !parts.is_empty();
    for part in parts {
        let (requests, limits) = (counted(&part.requests), counted(&part.limits));
        is_empty &= requests.is_empty() && limits.is_empty();
        is_guaranteed &= limits.len() == 2 && requests == limits;
    }
    match (is_empty, is_guaranteed) {
        (true, _) => "BestEffort",
        (false, true) => "Guaranteed",
        (false, false) => "Burstable",
    }
}

fn default_node(node: &mut Node) {
    if node.status.allocatable.is_empty() {
        node.status.allocatable = node.status.capacity.clone();
    }
}

fn default_volume(volume: &mut PersistentVolume) {
    set_if_empty(&mut volume.status.phase, "Pending");
    set_if_empty(&mut volume.spec.persistent_volume_reclaim_policy, "Retain");
    volume
        .spec
        .volume_mode
        .get_or_insert_with(|| "Filesystem".to_string());
}

fn default_claim(claim: &mut PersistentVolumeClaim) {
    set_if_empty(&mut claim.status.phase, "Pending");
    claim
        .spec
        .volume_mode
        .get_or_insert_with(|| "Filesystem".to_string());
    fill_requests(
        &mut claim.spec.resources.requests,
        &claim.spec.resources.limits,
    );
}

fn default_class(class: &mut StorageClass) {
    class
        .reclaim_policy
        .get_or_insert_with(|| "Delete".to_string());
    class
        .volume_binding_mode
        .get_or_insert_with(|| "Immediate".to_string());
}

fn default_priority(class: &mut PriorityClass) {
    class
        .preemption_policy
        .get_or_insert_with(|| "PreemptLowerPriority".to_string());
}

fn default_replica_set(set: &mut ReplicaSet) {
    set.spec.replicas.get_or_insert(1);
    default_spec(&mut set.spec.template.spec);
}

fn default_controller(set: &mut ReplicationController) {
    set.spec.replicas.get_or_insert(1);
    let Some(template) = &mut set.spec.template else {
        return;
    };
    default_spec(&mut template.spec);
    if set.spec.selector.is_none() {
        set.spec.selector = Some(template.metadata.labels.clone());
    }
}

fn default_deployment(set: &mut Deployment) {
    set.spec.replicas.get_or_insert(1);
    set.spec.progress_deadline_seconds.get_or_insert(600);
    set.spec.revision_history_limit.get_or_insert(10);
    let strategy = &mut set.spec.strategy;
    set_if_empty(&mut strategy.type_, "RollingUpdate");
    if strategy.type_ == "RollingUpdate" {
        let rolling = strategy
            .rolling_update
            .get_or_insert_with(RollingUpdateDeployment::default);
        let quarter = || IntOrString::String("25%".to_string());
        rolling.max_unavailable.get_or_insert_with(quarter);
        rolling.max_surge.get_or_insert_with(quarter);
    }
    default_spec(&mut set.spec.template.spec);
}

fn default_stateful_set(set: &mut StatefulSet) {
    set.spec.replicas.get_or_insert(1);
    set_if_empty(&mut set.spec.pod_management_policy, "OrderedReady");
    default_spec(&mut set.spec.template.spec);
    for claim in &mut set.spec.volume_claim_templates {
        default_claim(claim);
    }
}

fn default_daemon_set(set: &mut DaemonSet) {
    default_spec(&mut set.spec.template.spec);
}

fn default_job(job: &mut Job) {
    if job.spec.parallelism.is_none() && job.spec.completions.is_none() {
        job.spec.completions = Some(1);
    }
    job.spec.parallelism.get_or_insert(1);
    job.spec.backoff_limit.get_or_insert(6);
    job.spec
        .completion_mode
        .get_or_insert_with(|| "NonIndexed".to_string());
    job.spec.suspend.get_or_insert(false);
    default_spec(&mut job.spec.template.spec);
}

/// Where no amount is asked for, what may be used at most is asked for.
fn fill_requests(requests: &mut ResourceList, limits: &ResourceList) {
    for (name, amount) in limits {
        requests.entry(name.clone()).or_insert(*amount);
    }
}

fn containers_mut(spec: &mut PodSpec) -> impl Iterator<Item = &mut Container> {
    spec.containers.iter_mut().chain(&mut spec.init_containers)
}

fn set_if_empty(text: &mut String, default: &str) {
    if text.is_empty() {
        *text = default.to_string();
    }
}

/// The name of the claim that is made for an ephemeral volume of a pod.
pub(super) fn ephemeral_claim_name(pod: &Pod, volume: &str) -> String {
    format!("{}-{volume}", pod.metadata.name)
}
