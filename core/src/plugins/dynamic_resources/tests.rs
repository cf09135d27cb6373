use super::*;
use crate::framework::status::Code;
use crate::make::{node, pod};
use crate::plugins::tests::World;

#[test]
fn a_pod_without_claims_is_skipped_and_has_none_to_deallocate() {
    let world = World::new(&[node("n").build()], &[]);
    let pod = PodInfo::new(pod("a").build());
    assert!(world.filter(&DynamicResources, &pod, "n").is_skip());
    let mut state = CycleState::default();
    DynamicResources.pre_filter(&world.cycle(), &mut state, &pod);
    let status = after_filter(&state, &pod);
    assert_eq!(status.code, Code::Unschedulable);
    assert_eq!(status.message(), "no new claims to deallocate");
}

#[test]
fn an_attempt_that_ended_before_it_leaves_not_found() {
    let pod = PodInfo::new(pod("a").build());
    let status = after_filter(&CycleState::default(), &pod);
    assert_eq!(
        (status.code, &*status.message()),
        (Code::Error, "not found")
    );
}

#[test]
fn a_pod_with_claims_is_not_placed_as_if_it_had_none() {
    let world = World::new(&[node("n").build()], &[]);
    let claim = crate::api::PodResourceClaim::default();
    let pod = pod("a")
        .with(|pod| pod.spec.resource_claims.push(claim))
        .build();
    let status = world.filter(&DynamicResources, &PodInfo::new(pod), "n");
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
}
