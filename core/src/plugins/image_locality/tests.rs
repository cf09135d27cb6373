use super::*;
use crate::make::{node, pod};
use crate::plugins::tests::World;

#[test]
fn only_a_missing_tag_is_added_to_a_name() {
    let check = |image: &str, expected: &str| assert_eq!(canonical_name(image), expected);
    check("app", "app:latest");
    check("app:1", "app:1");
    check("registry:5000/app", "registry:5000/app:latest");
    check("registry:5000/app:1", "registry:5000/app:1");
    check("app@sha256:00", "app@sha256:00");
    check("", ":latest");
}

#[test]
fn every_node_counts_in_the_spread_of_an_image() {
    const GIB: i64 = 1024 * 1024 * 1024;
    let with = node("a").image("app:latest", GIB).build();
    let pod = PodInfo::new(pod("p").image("app").build());
    let alone = World::new(core::slice::from_ref(&with), &[]);
    assert_eq!(alone.score(&ImageLocality, &pod), [100]);
    // Half of the nodes have it: half of its bytes count.
    let two = World::new(&[with, node("b").build()], &[]);
    let half = 100 * (GIB / 2 - MIN_BYTES) / (MAX_BYTES_A_CONTAINER - MIN_BYTES);
    assert_eq!(two.score(&ImageLocality, &pod), [half, 0]);
}

#[test]
fn a_pod_without_containers_divides_by_no_zero() {
    assert_eq!(score_of(0, 0), 0);
    assert_eq!(score_of(MIN_BYTES + 1, 0), 100);
}
