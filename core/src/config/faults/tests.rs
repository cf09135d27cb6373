use alloc::string::{String, ToString};

use serde_json::json;

use crate::config::{ConfigError, ExtensionPoint, ReadOptions, read_value};

use super::plugin_faults;

/// `A` sorts the queue, binds and filters, `B` scores; nobody else exists, but those of the default profile.
fn implements(name: &str, point: ExtensionPoint) -> Option<bool> {
    match name {
        "A" => Some(matches!(
            point,
            ExtensionPoint::QueueSort | ExtensionPoint::Bind | ExtensionPoint::Filter
        )),
        "B" => Some(point == ExtensionPoint::Score),
        _ => None,
    }
}

#[track_caller]
fn check(plugins: serde_json::Value, expected: &[&str]) {
    let document = json!({
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "s", "plugins": plugins}],
    });
    let read = read_value(&document, ReadOptions::default()).unwrap();
    let faults = plugin_faults(&read, &implements);
    let texts: alloc::vec::Vec<String> = faults.iter().map(ConfigError::to_string).collect();
    assert_eq!(texts, expected);
}

#[test]
fn every_wrong_entry_is_found_where_it_was_written() {
    check(
        json!({
            "multiPoint": {"enabled": [{"name": "A"}, {"name": "X"}, {"name": "A"}], "disabled": [{"name": "*"}]},
            "filter": {"enabled": [{"name": "A"}, {"name": "B"}, {"name": "Y"}]},
            "score": {"enabled": [{"name": "B", "weight": -1}, {"name": "B"}]},
        }),
        &[
            "profiles[0].plugins.filter.enabled[1].name: plugin \"B\" does not extend FilterPlugin plugin",
            "profiles[0].plugins.filter.enabled[2].name: FilterPlugin \"Y\" does not exist",
            "profiles[0].plugins.score.enabled[1].name: plugin \"B\" already registered as \"ScorePlugin\"",
            "profiles[0].plugins.score.enabled[0].weight: score plugin \"B\" has weight -1; expected a positive number",
            "profiles[0].plugins.multiPoint.enabled[1].name: PreFilterPlugin \"X\" does not exist",
            "profiles[0].plugins.multiPoint.enabled[2].name: plugin \"A\" already registered as \"PreFilterPlugin\"",
        ],
    );
}

#[test]
fn what_no_single_entry_is_to_blame_for_is_said_of_the_list() {
    let all = json!([{"name": "*"}]);
    check(
        json!({"multiPoint": {"enabled": [{"name": "B"}], "disabled": all}}),
        &[
            "profiles[0].plugins.queueSort: only one queue sort plugin required for profile with scheduler name \"s\", but \
             got 0",
            "profiles[0].plugins.bind: at least one bind plugin is needed for profile with scheduler name \"s\"",
        ],
    );
    check(
        json!({
            "multiPoint": {"enabled": [{"name": "A"}], "disabled": all},
            "bind": {"disabled": all},
        }),
        &[
            "profiles[0].plugins.bind: at least one bind plugin is needed for profile with scheduler name \"s\"",
        ],
    );
    check(
        json!({"multiPoint": {"enabled": [{"name": "A"}, {"name": "B"}], "disabled": all}}),
        &[],
    );
}
