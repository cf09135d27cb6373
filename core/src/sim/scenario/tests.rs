//! What documents say, and how they are written down.

#[cfg(feature = "yaml")]
mod yaml;

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use serde_json::json;

use super::{Action, Content, Scenario};
use crate::framework::trace::TieRule;
use crate::sim::testing::read;
use crate::sim::{SourceText, load};
use crate::time::{Span, Timestamp};

#[test]
fn a_document_says_everything_it_can() {
    let loaded = read(
        r#"{"apiVersion":"berth/v1","kind":"Scenario","metadata":{"name":"n","title":"t","description":"d"},"spec":{
            "seed":18446744073709551615,"until":"1m30s","featureGates":{"GangScheduling":true},
            "schedulerConfiguration":{"percentageOfNodesToScore":50},
            "objects":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}},
                       {"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}]},
                       {"group":{"count":2,"name":"c-{i}"},"template":{"apiVersion":"v1","kind":"Node"}}],
            "timeline":[{"at":2.5,"delete":{"kind":"node","name":"a"}},
                        {"at":"1s","apply":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"d"}}]}],
            "simulation":{"podStartDelay":"1s","bindLatency":0.02,"ties":"seeded","ephemeralClaims":true,
                "faults":[{"effect":"bind","outcome":"lostAnswer","percent":5,"times":3,"from":1,"until":"1m","delay":"1s","pod":"a-*"}]}}}"#,
    );
    let Scenario {
        name,
        title,
        seed,
        until,
        gates,
        objects,
        timeline,
        settings,
        ..
    } = loaded.scenario;
    assert_eq!(
        (name.as_str(), title.as_str(), seed.0),
        ("n", "t", u64::MAX)
    );
    assert_eq!(until, Some(Span::from_secs(90)));
    assert_eq!(gates, [("GangScheduling".to_string(), true)]);
    assert_eq!(objects.len(), 3);
    assert!(matches!(&objects[2].content, Content::Group(group) if group.count == 2));
    let instants: Vec<_> = timeline.iter().map(|entry| entry.at).collect();
    assert_eq!(
        instants,
        [Timestamp::from_secs(1), Timestamp::from_millis(2_500)]
    );
    assert!(
        matches!(&timeline[1].action, Action::Delete { key, grace_seconds: None } if key.to_string() == "Node a")
    );
    assert_eq!(settings.bind_latency, Span::from_millis(20));
    assert_eq!(settings.ties, TieRule::Seeded);
    assert_eq!(settings.faults[0].times, Some(3));
}

#[test]
fn what_is_written_reads_back_as_the_same() {
    let value = json!({
        "apiVersion": "berth/v1", "kind": "Scenario", "metadata": {"name": "n"},
        "spec": {
            "seed": 3, "until": "1m0s",
            "objects": [{"group": {"count": 2, "name": "c-{i}", "zones": ["a"]}, "template": {"kind": "Node", "apiVersion": "v1"}},
                        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}],
            "timeline": [{"at": "1.5s", "patch": {"kind": "Node", "name": "c-0", "subresource": "status", "patch": {"status": {"capacity": null}}}},
                         {"at": "2s", "delete": {"kind": "Pod", "namespace": "default", "name": "p", "gracePeriodSeconds": 0}}],
            "simulation": {"podStartDelay": "2s", "ephemeralClaims": true, "faults": [{"effect": "status", "delay": "1s"}]},
        },
    });
    assert_eq!(read(&value.to_string()).scenario.to_json(), value);
}

#[test]
fn defaults_are_left_out() {
    let empty = json!({"apiVersion": "berth/v1", "kind": "Scenario", "spec": {}});
    let spelled_out = r#"{"apiVersion":"berth/v1","kind":"Scenario","metadata":{},"spec":{"seed":0,"featureGates":{},"objects":[],
        "timeline":[],"simulation":{"podStartDelay":"0s","bindLatency":0,"ties":"search-order","faults":[],"ephemeralClaims":false}}}"#;
    assert_eq!(read(spelled_out).scenario.to_json(), empty);
}

#[test]
fn a_fraction_of_a_second_is_exact() {
    let at = |text: &str| {
        let document =
            format!(r#"{{"apiVersion":"berth/v1","kind":"Scenario","spec":{{"until":{text}}}}}"#);
        read(&document).scenario.until.map(Span::as_micros)
    };
    assert_eq!(at("1.2"), Some(1_200_000));
    assert_eq!(at("0.000001"), Some(1));
    assert_eq!(at("\"2.5\""), Some(2_500_000));
    assert_eq!(at("\"250ms\""), Some(250_000));
}

#[test]
fn a_run_ends_within_a_year() {
    let errors = |until: &str| {
        let document = format!(
            r#"{{"apiVersion":"berth/v1","kind":"Scenario","spec":{{"until":"{until}"}}}}"#
        );
        let loaded = load(&[SourceText {
            name: "f",
            bytes: document.as_bytes(),
        }]);
        let errors = loaded.errors.iter().map(ToString::to_string);
        errors.collect::<Vec<_>>()
    };
    assert!(errors("8760h").is_empty());
    let expected =
        r#"f:1:60: spec.until: "8760h0m1s" cannot be used; expected at most 8760h, a year"#;
    assert_eq!(errors("8760h0m1s"), [expected]);
}
