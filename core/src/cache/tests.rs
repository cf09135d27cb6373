//! Tests of the cache: the state machine of pods, nodes and ghosts.

mod compare;
mod random;
mod snapshot;

use alloc::string::{String, ToString};

use crate::make::{PodBuilder, node, pod};

use super::*;

fn info(pod: &PodBuilder) -> Arc<PodInfo> {
    Arc::new(PodInfo::new(pod.clone().build()))
}

/// The state of the pod `a` before an operation of the table.
#[derive(Clone, Copy, Debug)]
enum Before {
    Absent,
    Assumed,
    Added,
}

/// A cache in which the pod `a`, which asks for 100m, is on the node `n1` if it is anywhere.
fn cache(before: Before) -> SchedulerCache {
    let mut cache = SchedulerCache::new(None);
    cache.add_node(node("n1").cpu("4").build());
    cache.add_node(node("n2").cpu("4").build());
    let a = pod("a").cpu("100m").node("n1");
    match before {
        Before::Absent => {}
        Before::Assumed => cache.assume_pod(info(&a)).unwrap(),
        Before::Added => cache.add_pod(a.build()).unwrap(),
    }
    cache
}

/// What the cache says of the pod `a`: its standing, its node and the CPU that node has given away.
fn standing(cache: &SchedulerCache) -> String {
    let Some(pod) = cache.get_pod("default/a") else {
        let used: i64 = ["n1", "n2"]
            .iter()
            .filter_map(|name| cache.node(name))
            .map(|node| node.requested.milli_cpu)
            .sum();
        return ["absent ", &used.to_string()].concat();
    };
    let standing = if cache.is_assumed_pod("default/a") {
        "assumed"
    } else {
        "added"
    };
    let node = &pod.pod.spec.node_name;
    let used = cache.node(node).unwrap().requested.milli_cpu.to_string();
    [standing, " ", node, " ", &used].concat()
}

/// One row of the table: the operation's answer and the state afterwards.
fn check(
    before: Before,
    operation: impl FnOnce(&mut SchedulerCache) -> Result<(), CacheError>,
    answer: &str,
    after: &str,
) {
    let mut cache = cache(before);
    let result = operation(&mut cache);
    let said = result
        .err()
        .map_or_else(|| "ok".into(), |error| error.to_string());
    assert_eq!(said, answer, "from {before:?}");
    assert_eq!(standing(&cache), after, "from {before:?}");
    random::check_totals(&cache);
}

fn on(name: &str) -> PodBuilder {
    pod("a").cpu("200m").node(name)
}

#[test]
fn assuming_counts_the_pod_once() {
    let assume = |cache: &mut SchedulerCache| cache.assume_pod(info(&on("n1")));
    check(Before::Absent, assume, "ok", "assumed n1 200");
    let refusal = "pod default/a(default/a) is in the cache, so can't be assumed";
    check(Before::Assumed, assume, refusal, "assumed n1 100");
    check(Before::Added, assume, refusal, "added n1 100");
}

#[test]
fn assuming_on_an_unknown_node_makes_a_ghost() {
    let mut cache = cache(Before::Absent);
    cache.assume_pod(info(&on("n9"))).unwrap();
    let ghost = cache.node("n9").unwrap();
    assert!(ghost.node.is_none());
    assert_eq!(ghost.requested.milli_cpu, 200);
    assert_eq!(cache.sizes().nodes, 3);
}

#[test]
fn forgetting_takes_an_assumed_pod_off_its_node() {
    let forget =
        |name: &'static str| move |cache: &mut SchedulerCache| cache.forget_pod(&on(name).build());
    check(Before::Absent, forget("n1"), "ok", "absent 0");
    check(Before::Assumed, forget("n1"), "ok", "absent 0");
    let other = "pod default/a(default/a) was assumed on n2 but assigned to n1";
    check(Before::Assumed, forget("n2"), other, "assumed n1 100");
    check(Before::Added, forget("n2"), other, "added n1 100");
    let not_assumed = "pod default/a(default/a) wasn't assumed so cannot be forgotten";
    check(Before::Added, forget("n1"), not_assumed, "added n1 100");
}

#[test]
fn forgetting_twice_is_harmless() {
    let mut cache = cache(Before::Assumed);
    cache.forget_pod(&on("n1").build()).unwrap();
    cache.forget_pod(&on("n1").build()).unwrap();
    assert_eq!(standing(&cache), "absent 0");
}

#[test]
fn adding_confirms_an_assumed_pod_wherever_it_is() {
    let add =
        |name: &'static str| move |cache: &mut SchedulerCache| cache.add_pod(on(name).build());
    check(Before::Absent, add("n1"), "ok", "added n1 200");
    // The newer object counts: 200m in place of 100m.
    check(Before::Assumed, add("n1"), "ok", "added n1 200");
    check(Before::Assumed, add("n2"), "ok", "added n2 200");
    let twice = "pod default/a(default/a) was already in added state";
    check(Before::Added, add("n1"), twice, "added n1 100");
}

#[test]
fn a_pod_added_on_another_node_leaves_the_assumed_one() {
    let mut cache = cache(Before::Assumed);
    cache.add_pod(on("n2").build()).unwrap();
    assert_eq!(cache.node("n1").unwrap().requested.milli_cpu, 0);
    assert!(cache.node("n1").unwrap().pods.is_empty());
    assert!(!cache.is_assumed_pod("default/a"));
}

#[test]
fn updating_replaces_an_added_pod() {
    let update = |name: &'static str| {
        move |cache: &mut SchedulerCache| {
            let old = pod("a").cpu("100m").node("n1").build();
            cache.update_pod(&old, on(name).build())
        }
    };
    check(Before::Added, update("n1"), "ok", "added n1 200");
    let corrupted = "pod default/a(default/a) is on node n2 but was added to n1: scheduler cache is corrupted and can \
                     badly affect scheduling decisions";
    check(Before::Added, update("n2"), corrupted, "added n1 100");
    let assumed = "assumed pod default/a(default/a) should not be updated";
    check(Before::Assumed, update("n1"), assumed, "assumed n1 100");
    let absent = "pod default/a(default/a) is not added to scheduler cache, so cannot be updated";
    check(Before::Absent, update("n1"), absent, "absent 0");
}

#[test]
fn updating_from_a_node_that_does_not_hold_the_pod_changes_nothing() {
    let update = |cache: &mut SchedulerCache| cache.update_pod(&on("n2").build(), on("n1").build());
    let refusal = "no corresponding pod a in pods of node n2";
    check(Before::Added, update, refusal, "added n1 100");
}

#[test]
fn removing_uses_the_stored_object() {
    let remove =
        |name: &'static str| move |cache: &mut SchedulerCache| cache.remove_pod(&on(name).build());
    // The pod that is removed says 200m, the stored one 100m.
    check(Before::Added, remove("n1"), "ok", "absent 0");
    check(Before::Assumed, remove("n1"), "ok", "absent 0");
    check(Before::Added, remove(""), "ok", "absent 0");
    check(Before::Assumed, remove(""), "ok", "absent 0");
    let corrupted = "pod default/a(default/a) is on node n2 but was added to n1: scheduler cache is corrupted and can \
                     badly affect scheduling decisions";
    check(Before::Added, remove("n2"), corrupted, "added n1 100");
    check(Before::Assumed, remove("n2"), corrupted, "assumed n1 100");
    let absent =
        "pod default/a(default/a) is not found in scheduler cache, so cannot be removed from it";
    check(Before::Absent, remove("n1"), absent, "absent 0");
}

#[test]
fn only_corruption_is_called_so() {
    let mut cache = cache(Before::Added);
    let elsewhere = cache.remove_pod(&on("n2").build()).unwrap_err();
    assert!(elsewhere.is_corruption());
    let twice = cache.add_pod(on("n1").build()).unwrap_err();
    assert!(!twice.is_corruption());
}

#[test]
fn a_pod_without_a_uid_has_no_key() {
    let mut cache = cache(Before::Absent);
    let nameless = on("n1").with(|pod| pod.metadata.uid.clear());
    let mut pod = Pod::clone(&nameless.build());
    pod.metadata.uid.clear();
    let text = "cannot get cache key for pod with empty UID";
    let pod = Arc::new(pod);
    let errors = [
        cache.assume_pod(Arc::new(PodInfo::new(pod.clone()))),
        cache.forget_pod(&pod),
        cache.add_pod(pod.clone()),
        cache.update_pod(&pod, pod.clone()),
        cache.remove_pod(&pod),
    ];
    for error in errors {
        assert_eq!(error.unwrap_err().to_string(), text);
    }
    assert_eq!(cache.sizes().pods, 0);
}

#[test]
fn an_assumed_pod_never_expires_by_itself() {
    let mut cache = cache(Before::Assumed);
    cache.finish_binding("default/a", Timestamp::ZERO);
    assert_eq!(cache.next_expiry(), None);
    assert!(cache.expire(Timestamp::MAX).is_empty());
    assert_eq!(standing(&cache), "assumed n1 100");
}

#[test]
fn with_a_limit_an_assumed_pod_expires_after_its_binding() {
    let limit = Span::from_secs(30);
    let mut cache = SchedulerCache::new(Some(limit));
    cache.add_node(node("n1").build());
    for name in ["late", "early", "unfinished", "confirmed"] {
        cache.assume_pod(info(&pod(name).node("n1"))).unwrap();
    }
    let at = Timestamp::from_secs;
    cache.finish_binding("default/late", at(2));
    cache.finish_binding("default/early", at(1));
    cache.finish_binding("default/confirmed", at(1));
    cache.add_pod(pod("confirmed").node("n1").build()).unwrap();
    assert_eq!(cache.next_expiry(), Some(at(31) + Span::MICROSECOND));
    assert!(
        cache.expire(at(31)).is_empty(),
        "the deadline itself is not past"
    );
    let expired = cache.expire(at(60));
    let names: Vec<&str> = expired.iter().map(|pod| &*pod.reference.name).collect();
    assert_eq!(names, ["early", "late"]);
    assert_eq!(cache.next_expiry(), None);
    assert_eq!(cache.sizes().pods, 2);
    assert_eq!(cache.sizes().assumed_pods, 1);
    // A confirmation that comes too late adds the pod again.
    cache.add_pod(pod("late").node("n1").build()).unwrap();
    assert_eq!(cache.node("n1").unwrap().pods.len(), 3);
}

#[test]
fn a_removed_node_stays_as_a_ghost_until_its_last_pod_goes() {
    let mut cache = cache(Before::Added);
    cache.assume_pod(info(&pod("b").node("n1"))).unwrap();
    cache.remove_node(&node("n1").build()).unwrap();
    let ghost = cache.node("n1").unwrap();
    assert!(ghost.node.is_none());
    assert_eq!(ghost.pods.len(), 2);
    // Pods of a ghost come, change and go like others.
    cache.add_pod(pod("c").node("n1").build()).unwrap();
    cache.remove_pod(&on("n1").build()).unwrap();
    cache.forget_pod(&pod("b").node("n1").build()).unwrap();
    assert!(cache.node("n1").is_some());
    cache.remove_pod(&pod("c").node("n1").build()).unwrap();
    assert!(cache.node("n1").is_none());
    assert_eq!(cache.sizes().nodes, 1);
}

#[test]
fn a_node_that_comes_back_finds_its_pods() {
    let mut cache = cache(Before::Added);
    cache.remove_node(&node("n1").cpu("4").build()).unwrap();
    let back = cache.add_node(node("n1").cpu("8").build());
    assert_eq!(back.pods.len(), 1);
    assert_eq!(back.requested.milli_cpu, 100);
    assert_eq!(back.allocatable.milli_cpu, 8000);
    random::check_totals(&cache);
}

#[test]
fn pods_that_come_before_their_node_are_on_it_when_it_comes() {
    let mut cache = SchedulerCache::new(None);
    cache.add_pod(on("n1").build()).unwrap();
    assert_eq!(cache.sizes().nodes, 1);
    let info = cache.add_node(node("n1").build());
    assert_eq!(info.pods.len(), 1);
    assert_eq!(cache.sizes().nodes, 1);
}

#[test]
fn removing_an_unknown_node_is_refused() {
    let mut cache = cache(Before::Absent);
    let error = cache.remove_node(&node("n9").build()).unwrap_err();
    assert_eq!(error.to_string(), "node n9 is not found");
}

#[test]
fn removing_a_ghost_again_is_refused_and_leaves_images_alone() {
    let mut cache = cache(Before::Added);
    let with_image = |name: &str| node(name).image("app", 10).zone("a").build();
    cache.update_node(&node("n1").build(), with_image("n1"));
    cache.update_node(&node("n2").build(), with_image("n2"));
    cache.remove_node(&with_image("n1")).unwrap();
    assert_eq!(cache.images.get("app").unwrap().nodes, 1);
    let error = cache.remove_node(&with_image("n1")).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"node "n1" in group ":\x00:a" was not found"#
    );
    assert_eq!(cache.images.get("app").unwrap().nodes, 1);
    assert!(cache.node("n1").is_some());
}

#[test]
fn updating_an_unknown_node_adds_it() {
    let mut cache = cache(Before::Absent);
    let new = node("n9").zone("z").build();
    cache.update_node(&node("n9").zone("y").build(), new);
    assert_eq!(cache.tree.list().len(), 3);
    assert!(cache.node("n9").unwrap().node.is_some());
}

#[test]
fn the_first_node_that_has_an_image_says_how_large_it_is() {
    let mut cache = SchedulerCache::new(None);
    cache.add_node(node("n1").image("app", 10).build());
    let second = cache.add_node(node("n2").image("app", 99).image("app", 7).build());
    let state = second.image_states.get("app").unwrap();
    assert_eq!((state.size_bytes, state.nodes), (10, 2));
    // The size stays while some node has the image, and is forgotten with the last.
    cache.remove_node(&node("n1").build()).unwrap();
    assert_eq!(cache.images.get("app").unwrap().size_bytes, 10);
    cache.remove_node(&node("n2").build()).unwrap();
    assert_eq!(cache.images.get("app"), None);
    cache.add_node(node("n3").image("app", 99).build());
    assert_eq!(cache.images.get("app").unwrap().size_bytes, 99);
}

#[test]
fn a_node_that_is_added_twice_counts_its_images_once() {
    let mut cache = SchedulerCache::new(None);
    cache.add_node(node("n1").image("app", 10).image("old", 1).build());
    cache.add_node(node("n1").image("app", 10).build());
    assert_eq!(cache.images.get("app").unwrap().nodes, 1);
    assert_eq!(cache.images.get("old"), None);
    assert_eq!(cache.tree.len(), 1);
}

#[test]
fn sizes_count_assumed_pods_and_ghosts() {
    let mut cache = cache(Before::Assumed);
    cache.add_pod(pod("b").node("n9").build()).unwrap();
    let expected = CacheSizes {
        assumed_pods: 1,
        pods: 2,
        nodes: 3,
    };
    assert_eq!(cache.sizes(), expected);
    let assumed: Vec<_> = cache
        .assumed_pods()
        .map(|pod| &pod.reference.name)
        .collect();
    assert_eq!(assumed, [&Arc::from("a")]);
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut one = cache(Before::Assumed);
    let mut two = one.clone();
    one.forget_pod(&on("n1").build()).unwrap();
    two.add_pod(pod("b").cpu("1").node("n1").build()).unwrap();
    assert_eq!(one.node("n1").unwrap().requested.milli_cpu, 0);
    assert_eq!(two.node("n1").unwrap().requested.milli_cpu, 1100);
    assert_eq!((one.sizes().pods, two.sizes().pods), (0, 2));
}
