//! Tests of what is read of a pod once.

use crate::make::pod;

use super::*;

#[test]
fn a_newer_version_of_a_pod_keeps_what_was_read_of_the_first() {
    let info = PodInfo::new(pod("a").cpu("1").build());
    let newer = info.with_pod(pod("a").cpu("2").label("v", "2").priority(7).build());
    assert_eq!(newer.requests.milli_cpu, 1000);
    assert_eq!(newer.pod.metadata.labels.len(), 1);
    assert_eq!(newer.priority(), 7);
}

#[test]
fn another_pod_of_that_name_is_read_anew() {
    let info = PodInfo::new(pod("a").cpu("1").build());
    let other = info.with_pod(pod("a").uid("other").cpu("2").build());
    assert_eq!(other.requests.milli_cpu, 2000);
    assert_eq!(&*other.reference.uid, "other");
}

#[test]
fn a_pod_counts_with_its_largest_moment() {
    let info = PodInfo::new(
        pod("a")
            .cpu("1")
            .container(&[("cpu", "500m")])
            .sidecar(&[("cpu", "200m")])
            .init_container(&[("cpu", "3")])
            .overhead(&[("cpu", "10m")])
            .build(),
    );
    assert_eq!(info.requests.milli_cpu, 3210);
}

#[test]
fn only_claims_named_by_the_pod_itself_count() {
    let info = PodInfo::new(pod("a").claim("data").build());
    assert_eq!(info.claims, ["default/data"]);
    assert_eq!(PodRef::of(&info.pod), info.reference);
    assert_eq!(alloc::format!("{}", info.reference), "default/a");
}
