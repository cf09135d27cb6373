//! What documents that people write say, and where in them what is wrong stands.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::sim::scenario::{SourceText, load, load_events};
use crate::sim::testing::read;
use crate::time::Timestamp;

fn errors(text: &str) -> Vec<String> {
    let loaded = load(&[SourceText {
        name: "f",
        bytes: text.as_bytes(),
    }]);
    loaded.errors.iter().map(ToString::to_string).collect()
}

#[test]
fn plain_files_are_scenarios() {
    let text = "kind: Pod\napiVersion: v1\nmetadata: {name: a}\n---\nkind: PodList\napiVersion: v1\nitems:\n- metadata: {name: b}\n";
    let loaded = read(text);
    let lines: Vec<_> = loaded
        .scenario
        .objects
        .iter()
        .map(|entry| entry.origin.line)
        .collect();
    assert_eq!(lines, [1, 8]);
}

#[test]
fn every_wrong_field_is_said_with_its_place() {
    let text = "apiVersion: berth/v1\nkind: Scenario\nspec:\n  sead: 1\n  until: soon\n  simulation: {ties: random}\n  timeline:\n  \
                - {at: 1s}\n  - {apply: []}\n  - {at: 1s, patch: {kind: Pdo, name: x, patch: {}}}\n  - {at: 1s, delete: {kind: Pod}}\n";
    assert_eq!(
        errors(text),
        [
            "f:4:3: spec.sead: unknown field \"sead\"; expected one of seed, until, schedulerConfiguration, featureGates, objects, timeline, simulation",
            "f:5:10: spec.until: \"soon\" cannot be used; expected a duration such as 1m30s, or a number of seconds, 0 or more",
            "f:6:22: spec.simulation.ties: \"random\" is not known; expected search-order or seeded",
            "f:8:5: spec.timeline[0]: nothing is given; expected exactly one of apply, patch and delete",
            "f:9:5: spec.timeline[1]: nothing is given; expected at: when it happens",
            "f:10:28: spec.timeline[2].patch.kind: \"Pdo\" is not a kind that is known here; expected a kind such as Pod, Node or Deployment",
            "f:11:22: spec.timeline[3].delete: nothing is given; expected the name of an object",
        ]
    );
}

#[test]
fn another_version_is_refused() {
    let found = errors("apiVersion: berth/v2\nkind: Scenario\nspec: {}\n");
    assert_eq!(
        found,
        ["f:1:13: apiVersion: \"berth/v2\" is not known; expected berth/v1"]
    );
}

#[test]
fn a_kind_of_somebody_else_is_noted_and_a_slip_is_refused() {
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: node}\n---\n";
    let widget = format!("{node}apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: w}}\n");
    let loaded = read(&widget);
    assert_eq!(loaded.warnings[0].message, "unknown kind: ignored");
    assert_eq!(loaded.warnings[0].path, "Widget w");
    let slip = format!("{node}apiVersion: v1\nkind: Pdo\nmetadata: {{name: p}}\n");
    assert_eq!(errors(&slip).len(), 1);
}

#[test]
fn what_is_left_out_is_counted_by_kind() {
    let secrets: String = (0..5)
        .map(|i| format!("---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s{i}}}\n"))
        .collect();
    let role = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\n";
    let loaded = read(&[secrets.as_str(), role].concat());
    let told: Vec<(&str, &str)> = loaded
        .warnings
        .iter()
        .map(|warning| (warning.path.as_str(), warning.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("Secret s0 and 4 more", "decides nothing here: ignored"),
            ("Role r", "decides nothing here: ignored")
        ]
    );
    assert_eq!(loaded.warnings[0].source, "test:3:7");
}

#[test]
fn the_first_of_two_definitions_stands() {
    let text = "kind: Pod\napiVersion: v1\nmetadata: {name: a, labels: {x: first}}\n---\nkind: Pod\napiVersion: v1\nmetadata: {name: a, namespace: default}\n";
    let loaded = load(&[SourceText {
        name: "f",
        bytes: text.as_bytes(),
    }]);
    assert_eq!(loaded.errors.len(), 1);
    assert_eq!(
        (loaded.errors[0].line, loaded.scenario.objects.len()),
        (5, 1)
    );
    assert!(
        loaded.errors[0]
            .to_string()
            .contains("already defined at f:1")
    );
}

#[test]
fn events_are_a_timeline() {
    let mut loaded = read("kind: Pod\napiVersion: v1\nmetadata: {name: a}\n");
    let events = "- at: 3\n  delete: {kind: Pod, name: a}\n- at: 1\n  apply: {group: {count: 2, name: 'n-{i}'}, template: {apiVersion: v1, kind: Node}}\n";
    load_events(
        &mut loaded,
        SourceText {
            name: "e",
            bytes: events.as_bytes(),
        },
    );
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let instants: Vec<_> = loaded
        .scenario
        .timeline
        .iter()
        .map(|entry| entry.at)
        .collect();
    assert_eq!(instants, [Timestamp::from_secs(1), Timestamp::from_secs(3)]);
    assert_eq!(&*loaded.scenario.timeline[0].origin.source, "e");
}
