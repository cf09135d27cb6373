use super::*;
use crate::framework::status::Code;
use crate::make::{node, pod};
use crate::plugins::tests::World;

#[test]
fn with_its_gate_off_nothing_is_asked_of_a_node() {
    let world = World::new(&[node("n").build()], &[]);
    let pod = pod("p").with(|pod| {
        pod.spec.host_network = true;
        pod.spec.host_users = Some(false);
    });
    let pod = PodInfo::new(pod.build());
    let filter = |is_on| world.filter(&NodeDeclaredFeatures { is_on }, &pod, "n");
    assert_eq!(filter(true).code, Code::UnschedulableAndUnresolvable);
    assert!(filter(false).is_skip());
}
