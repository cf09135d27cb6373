//! Tests of what a snapshot gets from the cache.

use alloc::string::ToString;

use crate::make::{affinity_term, node, pod};
use crate::node_set::NodeIndex;
use crate::snapshot::Snapshot;

use super::*;

fn names(snapshot: &Snapshot) -> Vec<&str> {
    let rows = snapshot.iter();
    rows.map(|(row, _)| &**snapshot.name(row)).collect()
}

fn cache_of(nodes: &[(&str, &str)]) -> (SchedulerCache, Snapshot) {
    let mut cache = SchedulerCache::new(None);
    for (name, zone) in nodes {
        cache.add_node(node(name).zone(zone).cpu("4").build());
    }
    let mut snapshot = Snapshot::default();
    cache.update_snapshot(&mut snapshot).unwrap();
    (cache, snapshot)
}

#[test]
fn nodes_are_listed_in_tree_order() {
    let (_, snapshot) = cache_of(&[("a1", "a"), ("a2", "a"), ("b1", "b")]);
    assert_eq!(names(&snapshot), ["a1", "b1", "a2"]);
}

#[test]
fn what_did_not_change_is_the_same_instance_in_the_same_row() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("b1", "b"), ("c1", "c")]);
    let before: Vec<Arc<NodeInfo>> = snapshot.iter().map(|(_, info)| info.clone()).collect();
    cache.add_pod(pod("p").cpu("1").node("b1").build()).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    for (row, info) in snapshot.iter() {
        let is_same = Arc::ptr_eq(info, &before[row.as_usize()]);
        assert_eq!(is_same, &**snapshot.name(row) != "b1");
    }
    let row = snapshot.row("b1").unwrap();
    assert_eq!(row, NodeIndex::new(1));
    assert_eq!(snapshot.columns().room(row).requested_milli_cpu, 1000);
    // Nothing changed: nothing is new.
    let before: Vec<Arc<NodeInfo>> = snapshot.iter().map(|(_, info)| info.clone()).collect();
    cache.update_snapshot(&mut snapshot).unwrap();
    let is_same =
        |(row, info): (NodeIndex, &Arc<NodeInfo>)| Arc::ptr_eq(info, &before[row.as_usize()]);
    assert!(snapshot.iter().all(is_same));
}

#[test]
fn the_snapshot_keeps_what_it_saw_while_the_cache_goes_on() {
    let (mut cache, snapshot) = cache_of(&[("a1", "a")]);
    cache.add_pod(pod("p").cpu("1").node("a1").build()).unwrap();
    let row = snapshot.row("a1").unwrap();
    assert_eq!(snapshot.node(row).requested.milli_cpu, 0);
}

#[test]
fn ghosts_are_not_listed() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("b1", "b")]);
    cache.add_pod(pod("p").node("a1").build()).unwrap();
    cache.add_pod(pod("q").node("c1").build()).unwrap();
    cache.remove_node(&node("a1").zone("a").build()).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    assert_eq!(names(&snapshot), ["b1"]);
    assert_eq!(snapshot.row("a1"), None);
}

#[test]
fn a_cache_that_lost_its_last_node_empties_the_snapshot() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a")]);
    cache.remove_node(&node("a1").zone("a").build()).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    assert!(snapshot.is_empty());
}

#[test]
fn one_node_for_another_gives_the_new_list() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("b1", "b")]);
    cache.remove_node(&node("a1").zone("a").build()).unwrap();
    cache.add_node(node("c1").zone("c").build());
    cache.update_snapshot(&mut snapshot).unwrap();
    assert_eq!(names(&snapshot), ["b1", "c1"]);
}

#[test]
fn a_zone_change_alone_does_not_move_a_row() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("a2", "a"), ("b1", "b")]);
    cache.update_node(&node("a1").zone("a").build(), node("a1").zone("c").build());
    cache.update_snapshot(&mut snapshot).unwrap();
    // The tree says a2, b1, a1 by now.
    assert_eq!(names(&snapshot), ["a1", "b1", "a2"]);
    assert_eq!(
        snapshot
            .node(NodeIndex::new(0))
            .label("topology.kubernetes.io/zone"),
        Some("c")
    );
    cache.add_node(node("b2").zone("b").build());
    cache.update_snapshot(&mut snapshot).unwrap();
    assert_eq!(names(&snapshot), ["a2", "b1", "a1", "b2"]);
}

#[test]
fn rows_with_affinity_follow_the_first_and_the_last_such_pod() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("b1", "b"), ("c1", "c")]);
    let near = |name: &str, node: &str| {
        let term = affinity_term("kubernetes.io/hostname", "app", "x");
        pod(name).node(node).prefers_pods(1, term).build()
    };
    let apart = |name: &str, node: &str| {
        let term = affinity_term("kubernetes.io/hostname", "app", "x");
        pod(name).node(node).avoids_pods(term).build()
    };
    cache.add_pod(near("p", "c1")).unwrap();
    cache.add_pod(near("q", "c1")).unwrap();
    cache.add_pod(apart("r", "a1")).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    let (first, last) = (NodeIndex::new(0), NodeIndex::new(2));
    assert_eq!(snapshot.with_affinity(), [first, last]);
    assert_eq!(snapshot.with_required_anti_affinity(), [first]);
    cache.remove_pod(&near("p", "c1")).unwrap();
    cache.remove_pod(&apart("r", "a1")).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    assert_eq!(snapshot.with_affinity(), [last]);
    assert!(snapshot.with_required_anti_affinity().is_empty());
    cache.remove_pod(&near("q", "c1")).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    assert!(snapshot.with_affinity().is_empty());
}

#[test]
fn a_claim_is_used_while_a_pod_on_any_listed_node_names_it() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a"), ("b1", "b")]);
    let user = |name: &str, node: &str| pod(name).node(node).claim("data").build();
    for (name, node) in [("p", "a1"), ("q", "b1"), ("r", "b1")] {
        cache.add_pod(user(name, node)).unwrap();
    }
    let mut is_used = |cache: &mut SchedulerCache| {
        cache.update_snapshot(&mut snapshot).unwrap();
        snapshot.is_claim_used("default/data")
    };
    assert!(is_used(&mut cache));
    cache.remove_pod(&user("p", "a1")).unwrap();
    assert!(is_used(&mut cache));
    cache.remove_pod(&user("q", "b1")).unwrap();
    assert!(is_used(&mut cache));
    cache.remove_node(&node("b1").zone("b").build()).unwrap();
    assert!(!is_used(&mut cache), "a ghost's claims do not count");
    cache.add_node(node("b1").zone("b").build());
    assert!(is_used(&mut cache));
    cache.remove_pod(&user("r", "b1")).unwrap();
    assert!(!is_used(&mut cache));
}

#[test]
fn a_node_keeps_the_image_counts_of_its_last_change() {
    let mut cache = SchedulerCache::new(None);
    let mut snapshot = Snapshot::default();
    let mut counts = |cache: &mut SchedulerCache| {
        cache.update_snapshot(&mut snapshot).unwrap();
        let count = |name: &str| {
            let row = snapshot.row(name)?;
            Some(snapshot.node(row).image_states.get("app")?.nodes)
        };
        (count("n1"), count("n2"))
    };
    cache.add_node(node("n1").image("app", 10).build());
    assert_eq!(counts(&mut cache), (Some(1), None));
    cache.add_node(node("n2").image("app", 10).build());
    assert_eq!(counts(&mut cache), (Some(1), Some(2)));
    // Any change of the node brings its counts up to date.
    cache.add_pod(pod("p").node("n1").build()).unwrap();
    assert_eq!(counts(&mut cache), (Some(2), Some(2)));
    cache.update_node(&node("n2").build(), node("n2").build());
    assert_eq!(counts(&mut cache), (Some(2), None));
}

#[test]
fn a_list_that_disagrees_with_the_tree_fails_one_attempt() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a")]);
    // The same node once more with another zone: the tree has it twice.
    cache.add_node(node("a1").zone("b").build());
    let error = cache.update_snapshot(&mut snapshot).unwrap_err();
    assert_eq!(
        error.to_string(),
        "snapshot state is not consistent, length of NodeInfoList=1 not equal to length of nodes in tree=2 , length \
         of NodeInfoMap=1, length of nodes in cache=1, trying to recover"
    );
    cache.update_snapshot(&mut snapshot).unwrap();
    assert_eq!(names(&snapshot), ["a1", "a1"]);
    // Both rows follow the node.
    cache.add_pod(pod("p").cpu("1").node("a1").build()).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    let used: Vec<i64> = snapshot
        .iter()
        .map(|(row, _)| snapshot.columns().room(row).requested_milli_cpu)
        .collect();
    assert_eq!(used, [1000, 1000]);
}

#[test]
fn asking_with_another_row_changes_nothing_for_good() {
    let (mut cache, mut snapshot) = cache_of(&[("a1", "a")]);
    cache.add_pod(pod("p").cpu("1").node("a1").build()).unwrap();
    cache.update_snapshot(&mut snapshot).unwrap();
    let row = snapshot.row("a1").unwrap();
    let mut without = NodeInfo::clone(snapshot.node(row));
    without.remove_pod("default/p").unwrap();
    let used = snapshot.with_row(row, Arc::new(without), |snapshot| {
        snapshot.columns().room(row).requested_milli_cpu
    });
    assert_eq!(used, 0);
    assert_eq!(snapshot.columns().room(row).requested_milli_cpu, 1000);
    assert_eq!(snapshot.node(row).pods.len(), 1);
}
