use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{DeviceClass, ObjectMeta};
use crate::config::UtilizationShapePoint;
use crate::make::{NodeBuilder, PodBuilder, node, pod};
use crate::plugins::tests::{World, built};
use strategy::Curve;

fn check(node: NodeBuilder, placed: &[PodBuilder], incoming: PodBuilder) -> Status {
    let placed: Vec<_> = placed
        .iter()
        .map(|pod| pod.clone().node("n").build())
        .collect();
    let world = World::new(&[node.build()], &placed);
    let plugin = built("NodeResourcesFit");
    world.filter(&*plugin, &PodInfo::new(incoming.build()), "n")
}

#[test]
fn every_shortage_is_told_with_its_numbers() {
    let room = node("n").cpu("1").memory("1Gi").pods(1);
    let status = check(
        room,
        &[pod("there").cpu("800m")],
        pod("p").cpu("300m").memory("2Gi"),
    );
    let reasons = vec![
        Reason::TooManyPods {
            pods: 1,
            allowed: 1,
        },
        Reason::Insufficient {
            resource: Arc::from("cpu"),
            requested: 300,
            used: 800,
            allocatable: 1000,
        },
        Reason::Insufficient {
            resource: Arc::from("memory"),
            requested: 2 << 30,
            used: 0,
            allocatable: 1 << 30,
        },
    ];
    assert_eq!(status.reasons.to_vec(), reasons);
    // Memory alone would not fit into the empty node: no eviction helps.
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
}

#[test]
fn a_pod_that_asks_for_nothing_fits_on_an_overcommitted_node() {
    let crowded = [pod("there").cpu("2")];
    let status = check(
        node("n").cpu("1"),
        &crowded,
        pod("p").request("example.com/gpu", "0"),
    );
    assert!(status.is_success(), "{status:?}");
    let status = check(node("n").cpu("1"), &crowded, pod("p").cpu("1m"));
    assert_eq!(status.code, Code::Unschedulable);
}

#[test]
fn a_resource_that_devices_stand_for_is_left_to_them_where_the_node_has_none() {
    let mut world = World::new(
        &[
            node("n").build(),
            node("m").resource("example.com/gpu", "1").build(),
        ],
        &[],
    );
    let pod = PodInfo::new(pod("p").request("example.com/gpu", "2").build());
    let plugin = built("NodeResourcesFit");
    assert!(world.filter(&*plugin, &pod, "n").is_rejected());
    let class = DeviceClass {
        metadata: ObjectMeta::named("gpu"),
        spec: crate::api::DeviceClassSpec {
            extended_resource_name: Some("example.com/gpu".into()),
            ..Default::default()
        },
    };
    world.listers.device_classes.insert(Arc::new(class));
    assert!(world.filter(&*plugin, &pod, "n").is_success());
    assert!(world.filter(&*plugin, &pod, "m").is_rejected());
}

#[test]
fn a_curve_is_flat_outside_its_points_and_truncates_between_them() {
    let point = |utilization, score| UtilizationShapePoint { utilization, score };
    let curve = Curve::new(&[point(10, 2), point(70, 10), point(100, 3)]);
    let check = |at, expected| assert_eq!(curve.at(at), expected, "at {at}");
    check(0, 20);
    check(10, 20);
    check(11, 21);
    check(70, 100);
    // Falling: 100 − 70·1/30 is truncated towards zero before it is added.
    check(71, 98);
    check(100, 30);
}
