//! Pods and templates of pods.

use alloc::format;

use crate::api::names::{
    dns_label_faults, dns_subdomain_faults, label_value_faults, qualified_name_faults,
};
use crate::api::{Container, HostPort, Pod, PodSpec, Volume};
use crate::config::Gates;
use crate::order::SortedSet;

use super::super::error::{Faults, InputError};
use super::at::At;
use super::meta::{check_labels, check_text};
use super::{PREEMPTION_POLICIES, Rules, affinity, resources};

pub(super) fn check_pod(faults: &mut Faults, pod: &Pod, gates: Gates) {
    let root = At::ROOT;
    check_spec(faults, &root.field("spec"), &pod.spec, gates.into());
    if !pod.spec.node_name.is_empty() && !pod.spec.scheduling_gates.is_empty() {
        root.field("spec.nodeName").fault(
            faults,
            InputError::forbidden(
                "a node for a gated pod",
                "no schedulingGates beside it, or no node",
            ),
        );
    }
}

/// The spec of a pod or of a template.
pub(super) fn check_spec(faults: &mut Faults, at: &At<'_>, spec: &PodSpec, rules: Rules) {
    check_containers(faults, at, spec);
    check_volumes(faults, at, &spec.volumes);
    check_labels(faults, &at.field("nodeSelector"), &spec.node_selector);
    if let Some(wanted) = &spec.affinity {
        affinity::check(faults, &at.field("affinity"), wanted);
    }
    affinity::check_tolerations(faults, &at.field("tolerations"), &spec.tolerations, rules);
    affinity::check_spread(
        faults,
        &at.field("topologySpreadConstraints"),
        &spec.topology_spread_constraints,
    );
    let mut names = SortedSet::new();
    for (index, gate) in spec.scheduling_gates.iter().enumerate() {
        let list = at.field("schedulingGates");
        let at = list.index(index);
        check_text(faults, &at.field("name"), &gate.name, qualified_name_faults);
        check_unique(faults, &at, &mut names, &gate.name);
    }
    check_scalars(faults, at, spec);
    resources::check_list(faults, &at.field("overhead"), &spec.overhead);
    if let Some(whole) = &spec.resources {
        resources::check_pod_level(faults, &at.field("resources"), whole);
    }
}

fn check_scalars(faults: &mut Faults, at: &At<'_>, spec: &PodSpec) {
    at.field("restartPolicy")
        .one_of(faults, &spec.restart_policy, RESTART_POLICIES);
    if let Some(policy) = &spec.preemption_policy {
        at.field("preemptionPolicy")
            .one_of(faults, policy, PREEMPTION_POLICIES);
    }
    if let Some(seconds) = spec.termination_grace_period_seconds.filter(|s| *s < 0) {
        at.field("terminationGracePeriodSeconds")
            .invalid(faults, seconds, "0 or more");
    }
    if let Some(seconds) = spec.active_deadline_seconds.filter(|s| *s < 1) {
        at.field("activeDeadlineSeconds")
            .invalid(faults, seconds, "1 or more");
    }
    if !spec.node_name.is_empty() {
        let at = at.field("nodeName");
        check_text(faults, &at, &spec.node_name, dns_subdomain_faults);
    }
    check_text(
        faults,
        &at.field("schedulerName"),
        &spec.scheduler_name,
        label_value_faults,
    );
    if let Some(os) = &spec.os {
        at.field("os.name")
            .one_of(faults, &os.name, &["linux", "windows"]);
    }
}

fn check_containers(faults: &mut Faults, at: &At<'_>, spec: &PodSpec) {
    if spec.containers.is_empty() {
        at.field("containers")
            .fault(faults, InputError::missing("at least one container"));
    }
    let mut names = SortedSet::new();
    let mut host_ports = SortedSet::new();
    let lists = [
        ("containers", &spec.containers),
        ("initContainers", &spec.init_containers),
    ];
    for (field, containers) in lists {
        for (index, container) in containers.iter().enumerate() {
            let list = at.field(field);
            let at = list.index(index);
            check_container(faults, &at, container);
            check_unique(faults, &at.field("name"), &mut names, &container.name);
            check_ports(faults, &at, container, spec.host_network);
            if field == "containers" {
                check_host_ports(faults, &at, container, &mut host_ports);
            }
        }
    }
}

fn check_container(faults: &mut Faults, at: &At<'_>, container: &Container) {
    if container.name.is_empty() {
        at.field("name")
            .fault(faults, InputError::missing("a name for the container"));
    } else {
        check_text(faults, &at.field("name"), &container.name, dns_label_faults);
    }
    if container.image.trim().is_empty() {
        at.field("image")
            .fault(faults, InputError::missing("the image to run"));
    }
    if let Some(policy) = &container.restart_policy {
        at.field("restartPolicy")
            .one_of(faults, policy, RESTART_POLICIES);
    }
    resources::check_container(faults, &at.field("resources"), &container.resources);
}

fn check_ports(faults: &mut Faults, at: &At<'_>, container: &Container, host_network: bool) {
    for (index, port) in container.ports.iter().enumerate() {
        let list = at.field("ports");
        let at = list.index(index);
        if !(1..=65_535).contains(&port.container_port) {
            at.field("containerPort").invalid(
                faults,
                port.container_port,
                "a number from 1 to 65535",
            );
        }
        if !(0..=65_535).contains(&port.host_port) {
            at.field("hostPort")
                .invalid(faults, port.host_port, "a number from 1 to 65535");
        } else if host_network && port.host_port != port.container_port {
            at.field("hostPort").invalid(
                faults,
                port.host_port,
                format!(
                    "{}, the containerPort, as the pod uses its node's network",
                    port.container_port
                ),
            );
        }
        at.field("protocol")
            .one_of(faults, &port.protocol, &["TCP", "UDP", "SCTP"]);
    }
}

fn check_host_ports(
    faults: &mut Faults,
    at: &At<'_>,
    container: &Container,
    seen: &mut SortedSet<HostPort>,
) {
    for (index, port) in container.ports.iter().enumerate() {
        let Some(host) = HostPort::of(port) else {
            continue;
        };
        if !seen.insert(host.clone()) {
            let list = at.field("ports");
            list.index(index).field("hostPort").fault(
                faults,
                InputError::Duplicate {
                    found: format!("{}/{}/{}", host.protocol, host.ip, host.port),
                },
            );
        }
    }
}

fn check_volumes(faults: &mut Faults, at: &At<'_>, volumes: &[Volume]) {
    let mut names = SortedSet::new();
    for (index, volume) in volumes.iter().enumerate() {
        let list = at.field("volumes");
        let at = list.index(index);
        check_text(faults, &at.field("name"), &volume.name, dns_label_faults);
        check_unique(faults, &at.field("name"), &mut names, &volume.name);
        if let Some(claim) = &volume.persistent_volume_claim
            && claim.claim_name.is_empty()
        {
            at.field("persistentVolumeClaim.claimName")
                .fault(faults, InputError::missing("the name of a claim"));
        }
        if let Some(ephemeral) = &volume.ephemeral
            && ephemeral.volume_claim_template.is_none()
        {
            at.field("ephemeral.volumeClaimTemplate")
                .fault(faults, InputError::missing("how the claim is made"));
        }
    }
}

fn check_unique<'a>(
    faults: &mut Faults,
    at: &At<'_>,
    seen: &mut SortedSet<&'a str>,
    name: &'a str,
) {
    if !name.is_empty() && !seen.insert(name) {
        at.fault(faults, InputError::Duplicate { found: name.into() });
    }
}

const RESTART_POLICIES: &[&str] = &["Always", "OnFailure", "Never"];
