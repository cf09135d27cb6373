use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::api::{NodeSelector, NodeSelectorRequirement};
use crate::config::NodeAffinityArgs;
use crate::framework::status::Code;
use crate::make::{node, pod};
use crate::plugins::tests::World;

fn requirement(key: &str, operator: &str, values: &[&str]) -> NodeSelectorRequirement {
    NodeSelectorRequirement {
        key: key.into(),
        operator: operator.into(),
        values: values.iter().map(|value| (*value).into()).collect(),
    }
}

fn named(values: &[&str]) -> NodeSelectorTerm {
    NodeSelectorTerm {
        match_fields: vec![requirement(NAME_FIELD, "In", values)],
        ..NodeSelectorTerm::default()
    }
}

#[test]
fn a_search_is_narrowed_only_when_every_term_names_nodes() {
    let check = |terms: &[NodeSelectorTerm], expected: Option<&[&str]>| {
        let found = named_nodes(terms);
        let expected = expected.map(|names| names.iter().map(|name| Arc::from(*name)).collect());
        assert_eq!(found, expected, "{terms:?}");
    };
    let mut none = named(&["a"]);
    none.match_fields
        .push(requirement(NAME_FIELD, "In", &["b"]));
    check(&[], None);
    check(&[named(&["a"]), named(&["b"])], Some(&["a", "b"]));
    check(&[named(&["a", "b"])], Some(&["a", "b"]));
    check(&[named(&["a"]), NodeSelectorTerm::default()], None);
    check(&[none.clone()], Some(&[]));
    check(&[none, named(&["c"])], Some(&["c"]));
}

fn with_added(operator: &str) -> Result<Arc<dyn Plugin>, ConfigError> {
    let term = NodeSelectorTerm {
        match_expressions: vec![requirement("zone", operator, &["z1"])],
        ..NodeSelectorTerm::default()
    };
    let added = Affinity {
        required_during_scheduling_ignored_during_execution: Some(NodeSelector {
            node_selector_terms: vec![term],
        }),
        ..Affinity::default()
    };
    let args = PluginArgs::NodeAffinity(NodeAffinityArgs {
        added_affinity: Some(added),
    });
    NodeAffinity::build(&args, &Gates::default())
}

#[test]
fn what_the_profile_adds_is_checked_before_what_the_pod_wants() {
    let nodes = ["z1", "z2"].map(|zone| node(zone).label("zone", zone).build());
    let world = World::new(&nodes, &[]);
    let plugin = with_added("In").expect("it can be read");
    let fussy = PodInfo::new(pod("p").node_selector("zone", "z3").build());
    let codes: Vec<_> = ["z1", "z2"]
        .map(|node| world.filter(&*plugin, &fussy, node).message())
        .into();
    assert_eq!(
        codes[0],
        "node(s) didn't match Pod's node affinity/selector"
    );
    assert_eq!(
        codes[1],
        "node(s) didn't match scheduler-enforced node affinity"
    );
    let easy = PodInfo::new(pod("p").build());
    assert!(world.filter(&*plugin, &easy, "z1").is_success());
}

#[test]
fn an_added_affinity_that_cannot_be_read_is_refused() {
    let error = with_added("Like").err().expect("there is no such operator");
    assert!(
        error.to_string().contains("addedAffinity.required"),
        "{error}"
    );
}

#[test]
fn a_preference_that_cannot_be_read_fails_the_attempt() {
    let world = World::new(&[node("n").build()], &[]);
    let pod = pod("p").prefers_node(5, "zone", "Like", &["z1"]).build();
    let plugin = NodeAffinity::default();
    let mut state = CycleState::default();
    let status = plugin.pre_score(&world.cycle(), &mut state, &PodInfo::new(pod), &[]);
    assert_eq!(status.code, Code::Error);
}
