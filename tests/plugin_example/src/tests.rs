//! The plugin by itself, on a snapshot made by hand, and as a part of a scheduler.

use std::sync::Arc;

use berth_core::api::Object;
use berth_core::config::{Configuration, Gates, PluginArgs, PluginConfig, PluginEntry};
use berth_core::framework::cluster_event::QueueingHint;
use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{
    CycleContext, Filter, Plugin, QueueContext, Score, Verdicts,
};
use berth_core::framework::status::{Code, Status};
use berth_core::make::{NodeBuilder, node, pod};
use berth_core::node_set::NodeIndex;
use berth_core::plugins;
use berth_core::rng::Seed;
use berth_core::scheduler::Scheduler;
use berth_core::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use berth_core::time::Timestamp;
use serde_json::{Value, json};

use super::{RACK, RackAware, register};

fn plugin(args: &Value) -> RackAware {
    RackAware::with_args(args).expect("these arguments are fine")
}

fn in_racks() -> RackAware {
    plugin(&json!({"racks": ["r1", "r2"], "preferLabel": "example.com/free-slots"}))
}

fn snapshot(nodes: Vec<NodeBuilder>) -> Snapshot {
    let rows = nodes.into_iter();
    let mut snapshot = Snapshot::default();
    snapshot.set_rows(
        rows.map(|node| Arc::new(NodeInfo::new(node.build())))
            .collect(),
    );
    snapshot
}

fn racks() -> Snapshot {
    snapshot(vec![
        node("a")
            .label(RACK, "r1")
            .label("example.com/free-slots", "8"),
        node("b")
            .label(RACK, "r3")
            .label("example.com/free-slots", "9"),
        node("c")
            .label(RACK, "r2")
            .label("example.com/free-slots", "2"),
        node("d").label("example.com/free-slots", "many"),
    ])
}

/// Asks with a context over `snapshot`.
fn with_context<R>(snapshot: &Snapshot, ask: impl FnOnce(&CycleContext<'_>) -> R) -> R {
    ask(&CycleContext {
        now: Timestamp::default(),
        snapshot,
        listers: &Listers::default(),
        memory: &PluginMemory::default(),
    })
}

#[test]
fn arguments_are_checked_when_the_plugin_is_built() {
    let error = |args: Value| RackAware::with_args(&args).unwrap_err().to_string();
    assert_eq!(
        error(json!({})),
        "racks: Required value: at least one rack is needed"
    );
    assert_eq!(
        error(json!({"racks": ["r1", 2]})),
        "racks[1]: Invalid value: 2: must be a text"
    );
    assert_eq!(
        error(json!({"racks": ["r1"], "preferLabel": 3})),
        "preferLabel: Invalid value: 3: must be a text"
    );
}

#[test]
fn only_nodes_in_the_named_racks_pass_and_both_twins_agree() {
    let (plugin, snapshot) = (in_racks(), racks());
    let pod = PodInfo::new(pod("p").build());
    let state = CycleState::default();
    let refused = Status::unresolvable("node(s) were not in an allowed rack".into());
    let expected = [
        Status::success(),
        refused.clone(),
        Status::success(),
        refused,
    ];
    with_context(&snapshot, |cx| {
        let mut nodes = snapshot.all();
        let mut verdicts = Verdicts::default();
        plugin.filter(cx, &state, &pod, &mut nodes, &mut verdicts);
        for (row, _) in snapshot.iter() {
            let alone = plugin.filter_node(cx, &state, &pod, row);
            assert_eq!(alone, expected[row.as_usize()]);
            assert_eq!(nodes.contains(row), alone.is_success());
        }
        let rejected: Vec<Code> = verdicts.rejected().map(|(_, s)| s.code).collect();
        assert_eq!(rejected, [Code::UnschedulableAndUnresolvable; 2]);
    });
}

#[test]
fn the_node_with_the_greatest_number_gets_100() {
    let snapshot = racks();
    let rows: Vec<NodeIndex> = snapshot.iter().map(|(row, _)| row).collect();
    let scores = |plugin: &RackAware| {
        let pod = PodInfo::new(pod("p").build());
        let state = CycleState::default();
        let mut column = vec![0; rows.len()];
        with_context(&snapshot, |cx| {
            plugin
                .score(cx, &state, &pod, &rows, &mut column)
                .and_then(|()| plugin.normalize(cx, &state, &pod, &rows, &mut column))
        })
        .expect("scores");
        column
    };
    assert_eq!(scores(&in_racks()), [88, 100, 22, 0]);
    assert_eq!(scores(&plugin(&json!({"racks": ["r1"]}))), [0; 4]);
}

#[test]
fn a_waiting_pod_is_woken_by_nodes_that_it_could_use() {
    let plugin = in_racks();
    let pod = PodInfo::new(pod("p").build());
    let [event] = plugin.events().expect("a list") else {
        panic!("one registration")
    };
    let hint = |old: Option<NodeBuilder>, new: Option<NodeBuilder>| {
        let object = |node: NodeBuilder| Object::Node(node.build());
        let cx = QueueContext {
            now: Timestamp::default(),
            listers: &Listers::default(),
            memory: &PluginMemory::default(),
        };
        let (old, new) = (old.map(object), new.map(object));
        plugin
            .queueing_hint(&cx, &event.event, &pod, old.as_ref(), new.as_ref())
            .expect("an answer")
    };
    let inside = || Some(node("n").label(RACK, "r1"));
    let outside = || Some(node("n").label(RACK, "r3"));
    assert_eq!(hint(None, inside()), QueueingHint::Queue);
    assert_eq!(hint(outside(), inside()), QueueingHint::Queue);
    assert_eq!(hint(inside(), inside()), QueueingHint::QueueSkip);
    assert_eq!(hint(None, outside()), QueueingHint::QueueSkip);
}

#[test]
fn a_registered_plugin_can_be_named_in_a_profile() {
    let mut registry = plugins::in_tree();
    let configuration = |args: Value| {
        let mut configuration = Configuration::for_gates(Gates::default());
        let profile = &mut configuration.profiles[0];
        let enabled = &mut profile.plugins.multi_point.enabled;
        enabled.push(PluginEntry::weighted("RackAware", 5));
        profile.plugin_config.push(PluginConfig {
            name: "RackAware".to_owned(),
            args: PluginArgs::Other(args),
        });
        configuration
    };
    register(&mut registry).expect("the name is free");
    let scheduler = Scheduler::new(configuration(json!({"racks": ["r1"]})), &registry, Seed(0));
    let scheduler = scheduler.expect("this configuration is fine");
    let profile = scheduler.profiles().first();
    assert_eq!(profile.score_weight(RackAware::NAME), 5);
    let refused = Scheduler::new(configuration(json!({})), &registry, Seed(0));
    let error = refused.expect_err("there are no racks").to_string();
    assert!(
        error.ends_with(
            "initializing plugin \"RackAware\": racks: Required value: at least one rack is needed"
        ),
        "{error}"
    );
    let twice = register(&mut registry).unwrap_err().to_string();
    assert_eq!(twice, "a plugin named RackAware already exists");
}
