use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use crate::config::{
    Configuration, DefaultingType, Gate, Gates, PluginArgs, PluginConfig, PodTopologySpreadArgs,
};
use crate::framework::trace::Record;
use crate::make::{node, pod};
use crate::time::Span;

use super::host::{Host, scripted};

fn batching(sign: bool) -> Host {
    let says = json!({"sign": sign, "room": 1, "score": {"n1": 10, "n2": 30, "n3": 20}});
    scripted(&[("A", says)]).with_nodes(&["n1", "n2", "n3"])
}

fn nodes(host: &Host) -> Vec<String> {
    host.bindings().into_iter().map(|(_, node)| node).collect()
}

fn rankings(host: &Host) -> usize {
    host.records
        .iter()
        .filter(|(_, record)| matches!(record, Record::Scored { .. }))
        .count()
}

#[test]
fn a_pod_like_the_one_before_takes_the_next_best_node_without_a_ranking_of_its_own() {
    let mut host = batching(true);
    for name in ["p", "q", "r"] {
        host.add_pod(name);
    }
    host.schedule();
    assert_eq!(nodes(&host), ["n2", "n3", "n1"]);
    assert_eq!(rankings(&host), 1);
}

#[test]
fn the_choice_is_the_same_without_batching() {
    let mut host = batching(false);
    for name in ["p", "q", "r"] {
        host.add_pod(name);
    }
    host.schedule();
    assert_eq!(nodes(&host), ["n2", "n3", "n1"]);
    assert_eq!(
        rankings(&host),
        2,
        "the last pod has one node left and is not ranked"
    );
}

#[test]
fn another_signature_or_too_long_a_wait_drops_the_ranking() {
    let mut host = batching(true);
    host.add_pod("p");
    host.apply(pod("q").label("app", "other").build());
    host.schedule();
    assert_eq!(rankings(&host), 2);
    let mut host = batching(true);
    host.add_pod("p");
    host.schedule();
    host.now += Span::from_millis(501);
    host.add_pod("q");
    host.schedule();
    assert_eq!(rankings(&host), 2);
}

#[test]
fn a_cycle_in_between_drops_the_ranking() {
    let mut host = batching(true);
    host.add_pod("p");
    host.apply(
        pod("q")
            .scheduler("default-scheduler")
            .label("app", "other")
            .build(),
    );
    host.add_pod("r");
    host.schedule();
    assert_eq!(nodes(&host), ["n2", "n3", "n1"]);
    assert_eq!(rankings(&host), 2);
}

#[test]
fn a_node_that_is_not_full_keeps_the_ranking_unused() {
    let says = json!({"sign": true, "room": 2, "score": {"n1": 10, "n2": 30, "n3": 20}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2", "n3"]);
    host.add_pod("p");
    host.add_pod("q");
    host.schedule();
    assert_eq!(nodes(&host), ["n2", "n2"]);
    assert_eq!(rankings(&host), 2);
}

/// The default plugins, with and without the gate for it, where no pod is spread that does not say so.
fn default_plugins(is_on: bool) -> Host {
    let gates = Gates::default().with(Gate::OpportunisticBatching, is_on);
    let mut config = Configuration::for_gates(gates);
    let args = PodTopologySpreadArgs {
        default_constraints: Vec::new(),
        defaulting_type: DefaultingType::List,
    };
    let plugin_config = &mut config.profiles[0].plugin_config;
    plugin_config.retain(|entry| entry.name != "PodTopologySpread");
    plugin_config.push(PluginConfig {
        name: String::from("PodTopologySpread"),
        args: PluginArgs::PodTopologySpread(args),
    });
    Host::new(config)
}

#[test]
fn pods_that_each_fill_a_node_go_where_they_would_go_without_batching() {
    let run = |is_on| {
        let mut host = default_plugins(is_on);
        // The more CPU, the better; one pod fills a node, and no two nodes are equally good.
        for i in 0..8_i64 {
            let cpu = alloc::format!("{}m", 1050 + 100 * (i * 3 % 8));
            host.apply(
                node(&alloc::format!("n{i}"))
                    .cpu(&cpu)
                    .memory("4Gi")
                    .build(),
            );
        }
        for i in 0..8 {
            let name = alloc::format!("p{i}");
            host.apply(pod(&name).cpu("1").memory("2Gi").label("app", "x").build());
        }
        host.schedule();
        (host.bindings(), rankings(&host))
    };
    let (with, rankings_with) = run(true);
    let (without, rankings_without) = run(false);
    assert_eq!(with.len(), 8);
    assert_eq!(with, without);
    assert_eq!((rankings_with, rankings_without), (1, 7));
}

#[test]
fn every_attempt_says_whether_it_got_a_hint() {
    let mut host = batching(true);
    for name in ["p", "q"] {
        host.add_pod(name);
    }
    host.schedule();
    assert_eq!(
        host.metric_labels("get_node_hint_duration_seconds", "hinted", None),
        ["no_hint", "hint"]
    );
    assert_eq!(
        host.metric_labels("batch_attempts_total", "result", None),
        ["no_hint", "hint_used"]
    );
    assert!(
        host.metric_labels("batch_cache_flushed_total", "reason", None)
            .is_empty(),
        "there was nothing to flush"
    );
}
