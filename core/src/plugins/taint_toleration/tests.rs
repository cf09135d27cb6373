use super::*;
use crate::make::{node, pod};
use crate::plugins::tests::{World, built};

#[test]
fn the_first_taint_that_keeps_the_pod_off_is_told() {
    let tainted = node("n")
        .taint("soft", "", "PreferNoSchedule")
        .taint("put-up-with", "", "NoSchedule")
        .taint("gpu", "a100", "NoExecute")
        .taint("other", "", "NoSchedule");
    let world = World::new(&[tainted.build()], &[]);
    let pod = PodInfo::new(pod("p").tolerates("put-up-with", "", "").build());
    let status = world.filter(&*built("TaintToleration"), &pod, "n");
    assert_eq!(status.message(), "node(s) had untolerated taint(s)");
    let taint = Arc::from("gpu=a100:NoExecute");
    assert_eq!(status, rejection(taint));
}

#[test]
fn a_taint_without_value_has_no_equals_sign() {
    assert_eq!(&*text(&Taint::new("gpu", "NoSchedule")), "gpu:NoSchedule");
}
