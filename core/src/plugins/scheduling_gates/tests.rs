use super::*;
use crate::framework::status::Code;
use crate::make::pod;
use crate::plugins::tests::World;

#[test]
fn gates_are_named_in_the_order_of_the_pod() {
    let world = World::new(&[], &[]);
    let gated = PodInfo::new(pod("a").gate("b").gate("a").build());
    let status = SchedulingGates.pre_enqueue(&world.queue(), &gated);
    assert_eq!(status.code, Code::UnschedulableAndUnresolvable);
    assert_eq!(status.message(), "waiting for scheduling gates: [b a]");
    let free = PodInfo::new(pod("a").build());
    let status = SchedulingGates.pre_enqueue(&world.queue(), &free);
    assert!(status.is_success());
}
