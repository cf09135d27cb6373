use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use crate::framework::trace::{Place, Record};
use crate::make::pod;
use crate::time::Span;

use super::host::{Host, scripted};

fn pair(pod: &str, node: &str) -> (String, String) {
    (pod.to_string(), node.to_string())
}

#[test]
fn a_plain_pod_costs_one_binding_and_nothing_else() {
    let mut host = Host::new(crate::config::Configuration::default()).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
    assert_eq!(host.out.len(), 1, "{:?}", host.out);
    host.settle_all();
    assert_eq!(host.events[0].note, "Successfully assigned default/p to n1");
}

#[test]
fn searches_start_where_the_last_one_stopped() {
    let names: Vec<String> = (0..6).map(|i| i.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut config = super::host::scripted_configuration(&[("A", json!({"score": {}}))]);
    // With nothing to score by, one feasible node is enough: the search stops at once.
    config.profiles[0].plugins.score.disabled = ["*".to_string()].to_vec();
    let mut host = Host::new(config).with_nodes(&names);
    for name in ["p", "q", "r"] {
        host.add_pod(name);
    }
    host.schedule();
    assert_eq!(
        host.bindings(),
        [pair("p", "0"), pair("q", "1"), pair("r", "2")]
    );
}

#[test]
fn a_rejected_node_counts_for_the_rotation() {
    let mut config =
        super::host::scripted_configuration(&[("A", json!({"filter": {"0": "Unschedulable"}}))]);
    config.profiles[0].plugins.score.disabled = ["*".to_string()].to_vec();
    let mut host = Host::new(config).with_nodes(&["0", "1", "2"]);
    host.add_pod("p");
    host.add_pod("q");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "1"), pair("q", "2")]);
}

#[test]
fn one_feasible_node_is_taken_without_being_scored() {
    let says = json!({"filter": {"n2": "Unschedulable"}, "score": "nobody asks"});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
}

#[test]
fn the_highest_weighted_sum_wins() {
    let mut config = super::host::scripted_configuration(&[
        ("A", json!({"score": {"n1": 10, "n2": 60}})),
        ("B", json!({"score": {"n1": 40, "n2": 10}})),
    ]);
    let heavy = config.profiles[0]
        .plugins
        .multi_point
        .enabled
        .iter_mut()
        .find(|entry| entry.name == "B");
    heavy.unwrap().weight = 2;
    let mut host = Host::new(config).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
}

#[test]
fn a_score_outside_its_range_is_an_error() {
    let mut host = scripted(&[("A", json!({"score": {"n1": 101}}))]).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    let expected = "applying score defaultWeights on Score plugins: plugin \"A\" returns an invalid score 101, it \
                    should in the range of [0, 100] after normalizing";
    assert_eq!(host.last_failure(), pair(expected, "SchedulerError"));
}

#[test]
fn a_failing_score_names_its_plugin() {
    let mut host = scripted(&[("A", json!({"score": "no scale"}))]).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    let expected = "running Score plugins: plugin \"A\" failed with: no scale";
    assert_eq!(host.last_failure(), pair(expected, "SchedulerError"));
}

#[test]
fn pre_score_may_turn_a_plugins_score_off() {
    let says = json!({"preScore": "Skip", "score": "nobody asks"});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
}

#[test]
fn an_unresolvable_pre_filter_stops_at_once_and_hides_the_nodes() {
    let mut host = scripted(&[
        (
            "A",
            json!({"preFilter": {"code": "UnschedulableAndUnresolvable", "reason": "never"}}),
        ),
        ("B", json!({"preFilter": "Error"})),
    ])
    .with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    let (message, reason) = host.last_failure();
    assert_eq!(
        message,
        "0/2 nodes are available: never. nothing to do, nothing to do"
    );
    assert_eq!(reason, "Unschedulable");
}

#[test]
fn an_unschedulable_pre_filter_lets_the_others_run_and_the_last_one_counts() {
    let mut host = scripted(&[
        (
            "A",
            json!({"preFilter": {"code": "Unschedulable", "reason": "first"}}),
        ),
        (
            "B",
            json!({"preFilter": {"code": "Unschedulable", "reason": "second"}}),
        ),
    ])
    .with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: second. nothing to do, nothing to do"
    );
}

#[test]
fn pending_from_pre_filter_is_an_error() {
    let mut host = scripted(&[("A", json!({"preFilter": "Pending"}))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure(),
        pair("running PreFilter plugin \"A\": because", "SchedulerError")
    );
}

#[test]
fn a_skipped_pre_filter_turns_its_filter_off() {
    let says = json!({"preFilter": "Skip", "filter": {"*": "Unschedulable"}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
}

#[test]
fn pre_filter_sets_without_a_common_node_are_told_apart_by_how_many_gave_one() {
    let one = ("A", json!({"preFilter": {"nodes": []}}));
    let mut host = scripted(&[one]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: node(s) didn't satisfy plugin A. nothing to do"
    );
    let mut host = scripted(&[
        ("A", json!({"preFilter": {"nodes": ["n1"]}})),
        ("B", json!({"preFilter": {"nodes": ["n2"]}})),
    ])
    .with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "0/2 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously. nothing to do, nothing to do"
    );
}

#[test]
fn nodes_outside_a_pre_filter_set_are_counted_with_their_own_reason() {
    let says = json!({"preFilter": {"nodes": ["n1"]}, "filter": {"n1": {"code": "Unschedulable", "reason": "full"}}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2", "n3"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "0/3 nodes are available: 1 full, 2 node(s) didn't satisfy plugin(s) [A]. nothing to do"
    );
}

#[test]
fn a_failing_filter_ends_the_attempt() {
    let mut host = scripted(&[("A", json!({"filter": {"n2": "Error"}}))]).with_nodes(&["n1", "n2"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure(),
        pair("running \"A\" filter plugin: broken", "SchedulerError")
    );
}

#[test]
fn without_nodes_the_pod_is_unschedulable_and_comes_back_by_error_backoff() {
    let mut host = scripted(&[("A", json!({}))]);
    let pod = host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure(),
        pair("no nodes available to schedule pods", "Unschedulable")
    );
    assert_eq!(host.place(&pod), Place::ErrorBackoff);
    assert!(
        !host
            .records
            .iter()
            .any(|(_, record)| matches!(record, Record::PostFiltered { .. }))
    );
}

#[test]
fn a_nominated_node_is_asked_first_and_does_not_move_the_rotation() {
    let mut config = super::host::scripted_configuration(&[("A", json!({}))]);
    config.profiles[0].plugins.score.disabled = ["*".to_string()].to_vec();
    let mut host = Host::new(config).with_nodes(&["n1", "n2", "n3"]);
    host.apply(pod("p").nominated("n3").build());
    host.add_pod("q");
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n3"), pair("q", "n1")]);
}

#[test]
fn a_nominated_node_that_refuses_leaves_the_search_to_all_nodes() {
    let says = json!({"filter": {"n3": "Unschedulable"}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2", "n3"]);
    host.apply(pod("p").nominated("n3").build());
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n1")]);
}

#[test]
fn post_filter_success_ends_the_text_and_sets_the_nomination() {
    let mut host = scripted(&[
        ("A", json!({"filter": {"*": "Unschedulable"}, "postFilter": {"code": "Success", "nominate": "n1"}})),
        ("B", json!({"postFilter": "Error"})),
    ])
    .with_nodes(&["n1"]);
    let pod = host.add_pod("p");
    host.schedule();
    assert_eq!(host.last_failure().0, "0/1 nodes are available: 1 because.");
    assert_eq!(
        host.scheduler
            .queue()
            .nominated_node(&pod.uid)
            .map(|node| &**node),
        Some("n1")
    );
}

#[test]
fn a_failing_post_filter_ends_the_rest_and_only_its_text_is_shown() {
    let mut host = scripted(&[
        (
            "A",
            json!({"filter": {"*": "Unschedulable"}, "postFilter": "Error"}),
        ),
        (
            "B",
            json!({"postFilter": {"code": "Success", "nominate": "n1"}}),
        ),
    ])
    .with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "0/1 nodes are available: 1 because. broken"
    );
}

#[test]
fn a_pod_that_is_being_deleted_is_skipped_with_an_event() {
    let mut host = scripted(&[("A", json!({}))]).with_nodes(&["n1"]);
    let reference = host.add_pod("p");
    host.apply(pod("p").terminating(30).build());
    host.schedule();
    assert_eq!(host.events[0].note, "skip schedule deleting pod: default/p");
    assert!(host.out.is_empty());
    host.wait(Span::from_secs(60));
    assert_eq!(host.place(&reference), Place::Nowhere);
}

#[test]
fn a_nominated_node_is_asked_although_pre_filter_named_only_nodes_that_are_gone() {
    let says = json!({"preFilter": {"nodes": ["gone"]}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2"]);
    host.apply(pod("p").nominated("n2").build());
    host.schedule();
    assert_eq!(host.bindings(), [pair("p", "n2")]);
}

#[test]
fn every_call_of_a_plugin_is_counted() {
    let says = json!({
        "preFilter": "Skip", "filter": {"*": "Unschedulable"}, "score": {"n1": 7},
    });
    let others = json!({"filter": {"n3": "Unschedulable"}});
    let mut host = scripted(&[("A", says), ("B", others.clone()), ("C", others)])
        .with_nodes(&["n1", "n2", "n3"]);
    host.add_pod("p");
    host.schedule();
    let mut counts: Vec<(String, i64)> = Vec::new();
    for (_, record) in &host.records {
        if let Record::Metric(metric) = record
            && metric.name == "plugin_evaluation_total"
            && let crate::framework::trace::MetricValue::Add(count) = metric.value
        {
            let label = |place: usize| metric.labels[place].1.to_string();
            counts.push(([label(1), label(0)].join(" "), count));
        }
    }
    counts.sort();
    let expected = [
        // A is skipped; C is not asked about the node that B rejected.
        ("Filter B", 3),
        ("Filter C", 2),
        ("PreFilter B", 1),
        ("PreFilter C", 1),
        ("PreScore A", 1),
        ("PreScore B", 1),
        ("PreScore C", 1),
        ("Score A", 2),
        ("Score B", 2),
        ("Score C", 2),
    ];
    let expected: Vec<(String, i64)> = expected
        .iter()
        .map(|(name, count)| (name.to_string(), *count))
        .collect();
    assert_eq!(counts, expected);
}
