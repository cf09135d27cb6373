use super::*;
use crate::make::pod;
use crate::snapshot::Listers;
use crate::time::Timestamp;

#[test]
fn the_host_is_asked_to_bind_the_pod_that_was_seen() {
    let listers = Listers::default();
    let cx = BindContext {
        now: Timestamp::ZERO,
        listers: &listers,
    };
    let pod = PodInfo::new(pod("a").uid("7").build());
    let work = DefaultBinder.bind(&cx, &CycleState::default(), &pod, "n1");
    let Some(Work::Bind { pod, node }) = work else {
        panic!("{work:?}");
    };
    assert_eq!((&*pod.name, &*pod.uid, &*node), ("a", "7", "n1"));
}
