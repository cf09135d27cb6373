//! Tests of the order of nodes.

use crate::make::{NodeBuilder, node};

use super::*;

fn tree(nodes: &[NodeBuilder]) -> NodeTree {
    let mut tree = NodeTree::default();
    for node in nodes {
        add(&mut tree, node);
    }
    tree
}

fn add(tree: &mut NodeTree, node: &NodeBuilder) {
    let node = node.clone().build();
    tree.add(&node, &Arc::from(node.metadata.name.as_str()));
}

fn in_zone(name: &str, zone: &str) -> NodeBuilder {
    node(name).zone(zone)
}

fn check(tree: &NodeTree, expected: &[&str]) {
    let names = tree.list();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    assert_eq!(names, expected);
    assert_eq!(tree.len(), expected.len());
}

#[test]
fn nodes_are_listed_one_from_each_zone_in_turn() {
    let tree = tree(&[
        in_zone("a1", "a"),
        in_zone("b1", "b"),
        in_zone("b2", "b"),
        in_zone("c1", "c"),
        in_zone("c2", "c"),
        in_zone("c3", "c"),
    ]);
    check(&tree, &["a1", "b1", "c1", "b2", "c2", "c3"]);
}

#[test]
fn zones_stand_in_the_order_in_which_they_came() {
    let tree = tree(&[in_zone("z1", "z"), in_zone("a1", "a"), in_zone("z2", "z")]);
    check(&tree, &["z1", "a1", "z2"]);
}

#[test]
fn a_zone_that_was_empty_comes_back_at_the_end() {
    let mut tree = tree(&[in_zone("a1", "a"), in_zone("b1", "b")]);
    tree.remove(&in_zone("a1", "a").build()).unwrap();
    add(&mut tree, &in_zone("a1", "a"));
    check(&tree, &["b1", "a1"]);
}

#[test]
fn removal_keeps_the_order_of_the_rest() {
    let mut tree = tree(&[in_zone("1", "a"), in_zone("2", "a"), in_zone("3", "a")]);
    tree.remove(&in_zone("2", "a").build()).unwrap();
    check(&tree, &["1", "3"]);
}

#[test]
fn a_node_is_in_a_zone_only_once() {
    let tree = tree(&[in_zone("1", "a"), in_zone("1", "a")]);
    check(&tree, &["1"]);
}

#[test]
fn an_update_moves_a_node_only_when_its_zone_differs() {
    let mut tree = tree(&[in_zone("1", "a"), in_zone("2", "a"), in_zone("3", "b")]);
    let name: Arc<str> = Arc::from("1");
    let old = in_zone("1", "a").build();
    tree.update(&old, &in_zone("1", "a").label("x", "y").build(), &name);
    check(&tree, &["1", "3", "2"]);
    tree.update(&old, &in_zone("1", "b").build(), &name);
    check(&tree, &["2", "3", "1"]);
}

#[test]
fn an_update_adds_the_new_node_even_when_the_old_one_is_not_there() {
    let mut tree = tree(&[in_zone("1", "a")]);
    let (old, new) = (in_zone("9", "x").build(), in_zone("9", "y").build());
    tree.update(&old, &new, &Arc::from("9"));
    check(&tree, &["1", "9"]);
}

#[test]
fn removing_a_node_from_another_zone_is_refused() {
    let mut tree = tree(&[in_zone("1", "a")]);
    let error = tree.remove(&in_zone("1", "b").build()).unwrap_err();
    let expected = CacheError::NotInZone {
        node: "1".into(),
        zone: ":\0:b".into(),
    };
    assert_eq!(error, expected);
    check(&tree, &["1"]);
}

#[test]
fn region_and_zone_make_the_key_and_older_labels_come_first() {
    let key = |node: NodeBuilder| node.build().zone_key();
    assert_eq!(key(node("n")), "");
    assert_eq!(key(node("n").region("r")), "r:\0:");
    assert_eq!(key(node("n").zone("z")), ":\0:z");
    assert_eq!(key(node("n").region("r").zone("z")), "r:\0:z");
    let both = node("n")
        .zone("new")
        .region("new")
        .label("failure-domain.beta.kubernetes.io/zone", "old")
        .label("failure-domain.beta.kubernetes.io/region", "old");
    assert_eq!(key(both), "old:\0:old");
}
