use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::{Kind, ObjectKey, Pod};
use crate::framework::extension::NominatingInfo;
use crate::framework::handle::NominatedPods;
use crate::make;
use crate::snapshot::{PodInfo, PodRef};

use super::world::{FIT, World, call};

fn nominate(world: &mut World, pod: &Arc<Pod>, node: Option<&str>) {
    let info = PodInfo::new(pod.clone());
    let nominating = node.map_or(NominatingInfo::Noop, |node| {
        NominatingInfo::Override(Arc::from(node))
    });
    call!(world, add_nominated_pod, &info, &nominating);
}

fn names(world: &World, node: &str) -> Vec<Arc<str>> {
    let pods = world.queue.nominated_pods_for_node(node);
    pods.iter().map(|pod| pod.reference.name.clone()).collect()
}

fn node_of(world: &World, pod: &Pod) -> Option<Arc<str>> {
    world.queue.nominated_node(&pod.metadata.uid).cloned()
}

#[test]
fn a_pod_that_comes_with_a_nomination_is_nominated() {
    let mut world = World::new();
    world.add(&make::pod("p").nominated("n").build());
    assert_eq!(names(&world, "n"), [Arc::from("p")]);
    assert!(!NominatedPods::is_empty(&world.queue));
}

#[test]
fn nominated_pods_are_listed_in_the_order_in_which_they_were_nominated() {
    let mut world = World::new();
    for name in ["c", "a", "b"] {
        world.add(&make::pod(name).nominated("n").build());
    }
    assert_eq!(names(&world, "n"), ["c", "a", "b"].map(Arc::from));
}

#[test]
fn an_override_goes_before_the_status() {
    let mut world = World::new();
    let pod = make::pod("p").nominated("status").build();
    world.add(&pod);
    nominate(&mut world, &pod, Some("override"));
    assert_eq!(node_of(&world, &pod), Some(Arc::from("override")));
    assert_eq!(names(&world, "status"), vec![]);
}

#[test]
fn without_an_override_the_status_decides() {
    let mut world = World::new();
    let pod = make::pod("p").nominated("status").build();
    world.add(&pod);
    nominate(&mut world, &pod, Some("override"));
    nominate(&mut world, &pod, None);
    assert_eq!(node_of(&world, &pod), Some(Arc::from("status")));
    let silent = make::pod("p").build();
    nominate(&mut world, &silent, None);
    assert_eq!(node_of(&world, &pod), None);
}

#[test]
fn a_pod_that_is_gone_or_placed_gets_no_nomination() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    world
        .listers
        .remove(&ObjectKey::new(Kind::Pod, "default", "p"));
    nominate(&mut world, &pod, Some("n"));
    assert_eq!(node_of(&world, &pod), None);
    world.add(&make::pod("p").node("n").build());
    nominate(&mut world, &pod, Some("n"));
    assert_eq!(node_of(&world, &pod), None);
}

#[test]
fn an_update_without_a_nomination_keeps_the_one_in_memory() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.add(&pod);
    nominate(&mut world, &pod, Some("n"));
    world.update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(node_of(&world, &pod), Some(Arc::from("n")));
}

#[test]
fn an_update_with_a_nomination_replaces_the_one_in_memory() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    let nominated = make::pod("p").nominated("status").build();
    world.add(&pod);
    nominate(&mut world, &pod, Some("n"));
    world.update(&pod, &nominated);
    assert_eq!(node_of(&world, &pod), Some(Arc::from("status")));
    world.update(&nominated, &pod);
    assert_eq!(node_of(&world, &pod), None, "the status was cleared");
}

#[test]
fn an_override_with_no_name_clears_and_outlives_updates() {
    let mut world = World::new();
    let pod = make::pod("p").build();
    world.park(&pod, &[FIT]);
    nominate(&mut world, &pod, Some("n"));
    nominate(&mut world, &pod, Some(""));
    assert_eq!(node_of(&world, &pod), Some(Arc::from("")));
    assert!(NominatedPods::is_empty(&world.queue));
    assert_eq!(world.queue.nominations().count(), 0);
    world.update(&pod, &make::pod("p").label("a", "b").build());
    assert_eq!(node_of(&world, &pod), Some(Arc::from("")));
}

#[test]
fn a_nomination_ends_with_the_pod_or_when_it_is_placed() {
    let mut world = World::new();
    let pods = ["p", "q"].map(|name| make::pod(name).nominated("n").build());
    for pod in &pods {
        world.add(pod);
    }
    world.delete(&pods[0]);
    assert_eq!(names(&world, "n"), [Arc::from("q")]);
    call!(
        &mut world,
        delete_nominated_pod_if_exists,
        &PodRef::of(&pods[1])
    );
    call!(
        &mut world,
        delete_nominated_pod_if_exists,
        &PodRef::of(&pods[1])
    );
    assert_eq!(names(&world, "n"), vec![]);
}

#[test]
fn a_nominated_pod_that_waits_is_listed_as_it_waits() {
    let mut world = World::new();
    let pod = make::pod("p").nominated("n").priority(7).cpu("2").build();
    world.add(&pod);
    let listed = world.queue.nominated_pods_for_node("n").remove(0);
    assert_eq!((listed.priority(), listed.requests.milli_cpu), (7, 2_000));
}

#[test]
fn a_nominated_pod_in_flight_counts_as_a_stub() {
    let mut world = World::new();
    let pod = make::pod("p").nominated("n").priority(7).cpu("2").build();
    world.add(&pod);
    world.pop_the("p");
    let listed = world.queue.nominated_pods_for_node("n").remove(0);
    assert_eq!(listed.reference, PodRef::of(&pod));
    assert_eq!((listed.priority(), listed.requests.milli_cpu), (0, 0));
}

#[test]
fn nominations_are_listed_by_node() {
    let mut world = World::new();
    for (name, node) in [("p", "n2"), ("q", "n1"), ("r", "n2")] {
        world.add(&make::pod(name).nominated(node).build());
    }
    let all: Vec<_> = (world.queue.nominations())
        .map(|(node, pod)| [&**node, "/", &pod.name].concat())
        .collect();
    assert_eq!(all, ["n1/q", "n2/p", "n2/r"]);
}
