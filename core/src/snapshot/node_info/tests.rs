//! Tests of what a node counts of its pods.

use crate::make::{PodBuilder, affinity_term, node, pod};

use super::*;

fn with(pods: &[PodBuilder]) -> NodeInfo {
    let mut info = NodeInfo::new(node("n").cpu("4").memory("8Gi").build());
    for pod in pods {
        info.add_pod(Arc::new(PodInfo::new(pod.clone().build())));
    }
    info
}

fn names(pods: &[Arc<PodInfo>]) -> Vec<&str> {
    pods.iter().map(|pod| &*pod.reference.name).collect()
}

#[test]
fn removal_moves_the_last_pod_into_the_gap() {
    let mut info = with(&[pod("a"), pod("b"), pod("c"), pod("d")]);
    let gone = info.remove_pod("default/b").unwrap();
    assert_eq!(&*gone.reference.name, "b");
    assert_eq!(names(&info.pods), ["a", "d", "c"]);
    assert_eq!(info.remove_pod("default/b"), None);
}

#[test]
fn what_was_added_is_taken_off_again() {
    let full = pod("a")
        .cpu("100m")
        .memory("1Gi")
        .request("ephemeral-storage", "1Gi")
        .request("example.com/gpu", "2");
    let mut info = with(&[full]);
    assert_eq!(info.requested.milli_cpu, 100);
    assert_eq!(info.requested.memory, 1 << 30);
    assert_eq!(info.requested.ephemeral_storage, 1 << 30);
    assert_eq!(info.requested.scalar("example.com/gpu"), 2);
    info.remove_pod("default/a");
    let scalars = core::mem::take(&mut info.requested.scalars);
    assert_eq!(info.requested, Resource::default());
    assert_eq!(info.non_zero_requested, NonZeroRequest::default());
    // A resource that nobody uses any more stays listed.
    assert_eq!(scalars.get("example.com/gpu"), Some(&0));
}

#[test]
fn a_pod_that_asks_for_nothing_counts_for_scores() {
    let info = with(&[pod("a"), pod("b").cpu("0")]);
    assert_eq!(info.requested.milli_cpu, 0);
    assert_eq!(info.non_zero_requested.milli_cpu, 100);
    assert_eq!(info.non_zero_requested.memory, 2 * 209_715_200);
}

#[test]
fn pods_with_affinity_are_those_with_a_stanza() {
    let term = || affinity_term("kubernetes.io/hostname", "app", "x");
    let mut info = with(&[
        pod("plain"),
        pod("node affinity").needs_node("zone", "In", &["a"]),
        pod("empty").with(|pod| {
            let affinity = pod.spec.affinity.get_or_insert_default();
            affinity.pod_affinity = Some(Default::default());
        }),
        pod("near").prefers_pods(1, term()),
        pod("rather apart").dislikes_pods(1, term()),
        pod("apart").avoids_pods(term()),
    ]);
    let expected = ["empty", "near", "rather apart", "apart"];
    assert_eq!(names(&info.pods_with_affinity), expected);
    assert_eq!(names(&info.pods_with_required_anti_affinity), ["apart"]);
    info.remove_pod("default/apart");
    info.remove_pod("default/empty");
    assert_eq!(names(&info.pods_with_affinity), ["rather apart", "near"]);
    assert!(info.pods_with_required_anti_affinity.is_empty());
}

#[test]
fn two_pods_with_one_port_lose_it_together() {
    let mut info = with(&[pod("a").host_port(80), pod("b").host_port(80)]);
    assert_eq!(info.used_ports.len(), 1);
    info.remove_pod("default/a");
    assert!(info.used_ports.is_empty());
}

#[test]
fn claims_are_counted_by_volume() {
    let mut info = with(&[
        pod("a").claim("data"),
        pod("b").claim("data").claim("logs"),
        pod("c").namespace("other").claim("data"),
    ]);
    let users = |info: &NodeInfo, claim: &str| info.claim_users.get(claim).copied();
    assert_eq!(users(&info, "default/data"), Some(2));
    assert_eq!(users(&info, "default/logs"), Some(1));
    assert_eq!(users(&info, "other/data"), Some(1));
    info.remove_pod("default/b");
    assert_eq!(users(&info, "default/data"), Some(1));
    assert_eq!(users(&info, "default/logs"), None);
}

#[test]
fn only_allocatable_counts_and_only_known_features() {
    let node = node("n")
        .cpu("4")
        .pods(7)
        .feature("InPlacePodVerticalScalingInitContainers")
        .feature("SomethingElse")
        .with(|node| {
            node.status.allocatable.remove("cpu");
        });
    let info = NodeInfo::new(node.build());
    assert_eq!(info.allocatable.milli_cpu, 0);
    assert_eq!(info.allocatable.allowed_pods, 7);
    let features: Vec<&String> = info.declared_features.iter().collect();
    assert_eq!(features, ["InPlacePodVerticalScalingInitContainers"]);
}

#[test]
fn a_newer_node_keeps_the_pods() {
    let mut info = with(&[pod("a").cpu("1")]);
    info.set_node(node("n").cpu("8").build());
    assert_eq!(info.allocatable.milli_cpu, 8000);
    assert_eq!(info.requested.milli_cpu, 1000);
    assert_eq!(info.pods.len(), 1);
}
