use super::*;
use crate::framework::status::Code;
use crate::make::{node, pod};
use crate::plugins::tests::World;

const PLUGIN: DynamicResources = DynamicResources {
    has_extended_resources: true,
};

#[test]
fn a_pod_without_claims_is_skipped_and_has_none_to_deallocate() {
    let world = World::new(&[node("n").build()], &[]);
    let pod = PodInfo::new(pod("a").build());
    assert!(world.filter(&PLUGIN, &pod, "n").is_skip());
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &pod);
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
    let status = world.filter(&PLUGIN, &PodInfo::new(pod), "n");
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
}

#[test]
fn a_resource_that_only_devices_could_give_is_not_given_silently() {
    let mut world = World::new(
        &[
            node("listed").resource("example.com/gpu", "2").build(),
            node("devices").build(),
        ],
        &[],
    );
    let wanting = PodInfo::new(pod("a").request("example.com/gpu", "1").build());
    let check = |world: &World, pod: &PodInfo, node: &str| world.filter(&PLUGIN, pod, node);
    assert!(check(&world, &wanting, "devices").is_skip());
    let class = crate::api::DeviceClass {
        metadata: crate::api::ObjectMeta::named("gpu"),
        spec: crate::api::DeviceClassSpec {
            extended_resource_name: Some("example.com/gpu".into()),
            ..Default::default()
        },
    };
    world.listers.insert(&class.into());
    assert!(check(&world, &wanting, "listed").is_success());
    let status = check(&world, &wanting, "devices");
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
    assert_eq!(
        status.message(),
        "devices for example.com/gpu are not allocated by this scheduler yet"
    );
    let other = PodInfo::new(pod("b").request("example.com/disk", "1").build());
    assert!(check(&world, &other, "devices").is_skip());
    let mut state = CycleState::default();
    PLUGIN.pre_filter(&world.cycle(), &mut state, &wanting);
    assert_eq!(
        after_filter(&state, &wanting).message(),
        "still not schedulable"
    );
}
