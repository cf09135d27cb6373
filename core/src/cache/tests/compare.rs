//! Tests of what the comparer finds.

use crate::api::ObjectMeta;
use crate::make::{node, pod};
use crate::snapshot::Listers;

use super::*;

fn observe_pod(listers: &mut Listers, pod: &Arc<Pod>) {
    listers.pods.insert(pod.clone());
}

fn observe_node(listers: &mut Listers, node: &Arc<Node>) {
    listers.nodes.insert(node.clone());
}

#[test]
fn a_cache_that_was_told_everything_differs_in_nothing() {
    let mut cache = SchedulerCache::new(None);
    let mut listers = Listers::default();
    let (n1, a) = (node("n1").build(), pod("a").node("n1").build());
    observe_node(&mut listers, &n1);
    observe_pod(&mut listers, &a);
    observe_pod(&mut listers, &pod("waiting").build());
    observe_pod(
        &mut listers,
        &pod("over").node("n1").phase("Succeeded").build(),
    );
    cache.add_node(n1);
    cache.add_pod(a).unwrap();
    cache.assume_pod(info(&pod("waiting").node("n1"))).unwrap();
    assert_eq!(cache.compare(&listers), []);
}

#[test]
fn every_kind_of_difference_is_found() {
    let mut cache = SchedulerCache::new(None);
    let mut listers = Listers::default();
    observe_node(&mut listers, &node("missing").build());
    observe_node(&mut listers, &node("stale").cpu("2").build());
    cache.add_node(node("stale").cpu("1").build());
    cache.add_node(node("redundant").build());
    observe_pod(&mut listers, &pod("missing").node("stale").build());
    observe_pod(&mut listers, &pod("moved").node("stale").build());
    observe_pod(
        &mut listers,
        &pod("old").label("v", "2").node("stale").build(),
    );
    observe_pod(&mut listers, &pod("again").uid("2").node("stale").build());
    cache
        .add_pod(pod("moved").node("redundant").build())
        .unwrap();
    cache
        .add_pod(pod("old").label("v", "1").node("stale").build())
        .unwrap();
    cache
        .add_pod(pod("again").uid("1").node("stale").build())
        .unwrap();
    cache.add_pod(pod("gone").node("ghost").build()).unwrap();
    let name = |name: &str| Arc::<str>::from(name);
    let of = |pod_name: &str, uid: &str| {
        let mut pod = Pod {
            metadata: ObjectMeta::namespaced("default", pod_name),
            ..Pod::default()
        };
        pod.metadata.uid = uid.into();
        PodRef::of(&pod)
    };
    let expected = [
        Difference::MissingNode {
            node: name("missing"),
        },
        Difference::StaleNode {
            node: name("stale"),
        },
        Difference::RedundantNode {
            node: name("redundant"),
        },
        Difference::MissingPod {
            pod: of("again", "2"),
            node: name("stale"),
        },
        Difference::MissingPod {
            pod: of("missing", "default/missing"),
            node: name("stale"),
        },
        Difference::MisplacedPod {
            pod: of("moved", "default/moved"),
            observed: name("stale"),
            cached: name("redundant"),
        },
        Difference::StalePod {
            pod: of("old", "default/old"),
        },
        Difference::RedundantPod {
            pod: of("again", "1"),
            node: name("stale"),
        },
        Difference::RedundantPod {
            pod: of("gone", "default/gone"),
            node: name("ghost"),
        },
    ];
    assert_eq!(cache.compare(&listers), expected);
}
