use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::make::{node, pod, resources};
use crate::plugins::tests::World;

#[test]
fn a_resource_is_left_out_where_the_node_has_none_or_the_pod_wants_none() {
    let names = [
        "cpu",
        "memory",
        "example.com/gpu",
        "example.com/fpga",
        "pods",
        "storage",
    ];
    let specs: Vec<_> = names
        .iter()
        .map(|name| ResourceSpec::new(*name, 1))
        .collect();
    let scored = ScoredResources::new(&specs, Basis::NonZero);
    let has = node("n")
        .cpu("2")
        .resource("example.com/gpu", "4")
        .resource("example.com/fpga", "4");
    let used = pod("used")
        .request("example.com/gpu", "1")
        .node("n")
        .build();
    let world = World::new(&[has.build()], &[used]);
    let incoming = scored.incoming(&resources(&[("cpu", "100m"), ("example.com/gpu", "2")]));
    let row = NodeIndex(0);
    let fills: Vec<Fill> = scored.on_row(&world.snapshot, row, &incoming).collect();
    let expected = |used, incoming, capacity| Fill {
        used,
        incoming,
        capacity,
        weight: 1,
    };
    // The pod that is there names no CPU and counts for 100m.
    assert_eq!(fills, vec![expected(100, 100, 2000), expected(1, 2, 4)]);
    let plain: Vec<Fill> = scored
        .on_node(world.snapshot.node(row), &incoming)
        .collect();
    assert_eq!(fills, plain);
}
