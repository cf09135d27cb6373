//! `/metrics/resources`: what each pod asks for and may use.
//!
//! Source: spec, E.4.

use core::fmt::Write as _;
use std::sync::Arc;

use berth_core::api::{Pod, Quantity, RequestOptions, ResourceList, pod_requests};

/// A gauge: its name, its help text, and the pod as it is looked at.
type Gauge = (&'static str, &'static str, fn(&Pod) -> Pod);

/// The gauges of all pods.
pub(super) fn to_text(pods: &[Arc<Pod>]) -> String {
    let mut text = String::new();
    let options = RequestOptions {
        use_status: true,
        pod_level: true,
        ..RequestOptions::default()
    };
    let gauges: [Gauge; 2] = [
        (
            "kube_pod_resource_request",
            "Resources requested by workloads on the cluster, broken down by pod. This shows the resource usage the \
             scheduler and kubelet expect per pod for resources along with the unit for the resource if any.",
            Pod::clone,
        ),
        (
            "kube_pod_resource_limit",
            "Resources limit for workloads on the cluster, broken down by pod. This shows the resource usage the \
             scheduler and kubelet expect per pod for resources along with the unit for the resource if any.",
            with_limits,
        ),
    ];
    for (name, help, seen) in gauges {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "# HELP {name} [STABLE] {help}\n# TYPE {name} gauge");
        for pod in pods
            .iter()
            .filter(|pod| !(pod.is_assigned() && pod.is_finished()))
        {
            write_pod(&mut text, name, pod, &pod_requests(&seen(pod), options));
        }
    }
    text
}

/// The pod with its limits in the place of its requests: both are added up in the same way.
fn with_limits(pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    let spec = &mut pod.spec;
    for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
        container.resources.requests = container.resources.limits.clone();
    }
    if let Some(resources) = &mut spec.resources {
        resources.requests = resources.limits.clone();
    }
    pod.status.container_statuses.clear();
    pod.status.init_container_statuses.clear();
    pod
}

fn write_pod(text: &mut String, name: &str, pod: &Pod, resources: &ResourceList) {
    let priority = pod
        .spec
        .priority
        .map_or_else(String::new, |priority| priority.to_string());
    for (resource, quantity) in resources {
        let value = value(quantity);
        if value == 0.0 {
            continue;
        }
        let _ = writeln!(
            text,
            "{name}{{namespace=\"{}\",pod=\"{}\",node=\"{}\",scheduler=\"{}\",priority=\"{priority}\",\
             resource=\"{resource}\",unit=\"{}\"}} {value}",
            pod.metadata.namespace,
            pod.metadata.name,
            pod.spec.node_name,
            pod.spec.scheduler_name,
            unit(resource),
        );
    }
}

fn value(quantity: &Quantity) -> f64 {
    quantity.milli_value() as f64 / 1000.0
}

fn unit(resource: &str) -> &'static str {
    match resource {
        "cpu" => "cores",
        "memory" | "storage" | "ephemeral-storage" => "bytes",
        other if other.starts_with("hugepages-") => "bytes",
        other if other.starts_with("attachable-volumes-") => "integer",
        _ => "",
    }
}
