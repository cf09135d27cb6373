//! Links made and opened.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{LinkView, ShareError, check_of, decode_link, encode_link};
use crate::sim::testing::read;
use crate::sim::{Scenario, SourceText, load};

const BASE: &str = "https://berth.example";

fn scenario(value: &Value) -> Scenario {
    read(&value.to_string()).scenario
}

fn link(scenario: &Scenario) -> String {
    encode_link(BASE, scenario, &LinkView::default()).unwrap()
}

fn small() -> Scenario {
    scenario(&json!({
        "apiVersion": "berth/v1", "kind": "Scenario", "metadata": {"name": "small"},
        "spec": {
            "seed": 7, "until": "1m0s", "featureGates": {"OpportunisticBatching": false},
            "schedulerConfiguration": {"percentageOfNodesToScore": 50},
            "objects": [
                {"group": {"count": 3, "name": "n-{i}", "zones": ["a", "b"]}, "template": {"kind": "Node", "apiVersion": "v1"}},
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "x"},
                 "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m"}}}]}},
            ],
            "timeline": [
                {"at": "1s", "patch": {"kind": "Node", "name": "n-1", "patch": {"spec": {"unschedulable": true}}}},
                {"at": "2.5s", "delete": {"kind": "Pod", "namespace": "x", "name": "p", "gracePeriodSeconds": 3}},
                {"at": "3s", "apply": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "y"}}},
            ],
            "simulation": {"bindLatency": "20ms", "ties": "seeded", "faults": [{"effect": "bind", "outcome": "conflict", "percent": 10}]},
        },
    }))
}

/// Scenarios are equal when they are written in the same way; places in the text do not matter.
#[test]
fn a_link_leads_back_to_what_was_shared() {
    let view = LinkView {
        time: Some("4.2".to_string()),
        event: Some("17".to_string()),
        selection: Some("pod/x/p".to_string()),
        view: Some("queue".to_string()),
    };
    let link = encode_link(BASE, &small(), &view).unwrap();
    assert!(link.starts_with("https://berth.example/#s1="), "{link}");
    let (opened, seen) = decode_link(&link).unwrap();
    assert_eq!(opened.to_json(), small().to_json());
    assert_eq!(seen, view);
    let fragment = link.split_once('#').unwrap().1;
    assert_eq!(
        decode_link(fragment).unwrap().0.to_json(),
        small().to_json()
    );
}

#[test]
fn white_space_in_a_link_is_not_part_of_it() {
    let scenario = small();
    let link = link(&scenario);
    let (head, tail) = link.split_at(link.len() - 40);
    for gap in [" ", "\r\n", "%20", "%0D%0A "] {
        let (read, _) = decode_link(&format!("{head}{gap}{tail}")).expect(gap);
        assert_eq!(read.to_json(), scenario.to_json());
    }
}

#[test]
fn a_cut_link_is_not_a_broken_one() {
    let link = link(&small());
    let start = link.find("s1=").unwrap() + 4;
    for end in start..link.len() {
        assert_eq!(decode_link(&link[..end]), Err(ShareError::Cut), "{end}");
    }
}

#[test]
fn a_changed_character_breaks_a_link() {
    let link = link(&small());
    let start = link.find("s1=").unwrap() + 3;
    let check = link.rfind('.').unwrap();
    for place in (start..check).step_by(7) {
        let mut bytes = link.clone().into_bytes();
        bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        assert_eq!(decode_link(&changed), Err(ShareError::Broken), "{place}");
    }
}

#[test]
fn what_is_no_link_and_what_is_too_new_are_told_apart() {
    let new = decode_link("https://berth.example/#s2=abc.def");
    assert_eq!(
        new,
        Err(ShareError::TooNew {
            form: "s2".to_string()
        })
    );
    for text in ["", "hello", "https://berth.example/", "#x1=abc", "#s=abc"] {
        assert_eq!(decode_link(text), Err(ShareError::NotALink), "{text}");
    }
}

#[test]
fn limits_hold_before_memory_is_taken() {
    let too_large = |result: Result<_, ShareError>| match result {
        Err(ShareError::TooLarge { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    let long = ["s1=", &"A".repeat(200_000)].concat();
    assert_eq!(too_large(decode_link(&long)), "characters");
    let pack = |json: &[u8]| {
        let payload = base64::Engine::encode(
            &base64::engine::general_purpose::URL_SAFE_NO_PAD,
            miniz_oxide::deflate::compress_to_vec(json, 9),
        );
        format!("s1={payload}.{}", check_of(&payload))
    };
    let bomb = Vec::from_iter(core::iter::repeat_n(b' ', 3 * 1024 * 1024));
    assert_eq!(too_large(decode_link(&pack(&bomb))), "bytes");
    let deep = ["[".repeat(33), "]".repeat(33)].concat();
    assert_eq!(too_large(decode_link(&pack(deep.as_bytes()))), "levels");
    let text = json!(["x".repeat(4097)]).to_string();
    assert_eq!(
        too_large(decode_link(&pack(text.as_bytes()))),
        "characters in one text"
    );
    let mut many = small().to_json();
    many["spec"]["objects"][0]["group"]["count"] = 5_001.into();
    assert_eq!(
        too_large(decode_link(&pack(many.to_string().as_bytes()))),
        "nodes"
    );
    let refused = encode_link(BASE, &scenario(&many), &LinkView::default());
    assert_eq!(
        too_large(refused.map(|_| (small(), LinkView::default()))),
        "nodes"
    );
}

#[test]
fn a_scenario_that_is_wrong_is_named() {
    let mut wrong = small().to_json();
    wrong["spec"]["objects"] = json!([{"kind": "Pod", "spec": {"containers": 1}}]);
    let payload = base64::Engine::encode(
        &base64::engine::general_purpose::URL_SAFE_NO_PAD,
        miniz_oxide::deflate::compress_to_vec(wrong.to_string().as_bytes(), 9),
    );
    let error = decode_link(&format!("s1={payload}.{}", check_of(&payload))).unwrap_err();
    assert!(error.to_string().contains("spec.containers"), "{error}");
}

#[test]
fn what_kubectl_notes_for_itself_stays_out() {
    let key = "kubectl.kubernetes.io/last-applied-configuration";
    let noisy = scenario(&json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "p", "resourceVersion": "12", "annotations": {key: "x".repeat(5000)}},
    }));
    let (opened, _) = decode_link(&link(&noisy)).unwrap();
    let text = opened.to_json().to_string();
    assert!(
        !text.contains(key) && !text.contains("resourceVersion"),
        "{text}"
    );
}

fn any_scenario() -> impl Strategy<Value = Value> {
    let name = "[a-z][a-z0-9]{0,8}";
    let pod = (name, 1_u32..4000, prop::option::of(0_i32..100)).prop_map(|(name, cpu, priority)| {
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"t": "π"}},
               "spec": {"priority": priority, "containers": [
                   {"name": "c", "image": "i", "resources": {"requests": {"cpu": format!("{cpu}m")}}}]}})
    });
    let group = (0_u64..50, name).prop_map(|(count, name)| {
        json!({"group": {"count": count, "name": format!("{name}-{{i}}"), "zones": ["a"]},
               "template": {"apiVersion": "v1", "kind": "Node"}})
    });
    let delete = (0_u32..100, name).prop_map(|(at, name)| {
        json!({"at": at, "delete": {"kind": "Pod", "namespace": "default", "name": name}})
    });
    (
        any::<u64>(),
        prop::collection::vec(prop_oneof![pod, group], 0..6),
        prop::collection::vec(delete, 0..4),
    )
        .prop_map(|(seed, objects, timeline)| {
            json!({"apiVersion": "berth/v1", "kind": "Scenario",
                   "spec": {"seed": seed, "objects": objects, "timeline": timeline}})
        })
}

proptest! {
    #[test]
    fn any_scenario_comes_back(value in any_scenario()) {
        let text = value.to_string();
        let loaded = load(&[SourceText { name: "t", bytes: text.as_bytes() }]);
        // Names may be there twice, which is refused elsewhere; what is left is shared.
        let link = link(&loaded.scenario);
        prop_assert!(link.ends_with(|c: char| c.is_ascii_alphanumeric()));
        let (opened, _) = decode_link(&link).unwrap();
        prop_assert_eq!(opened.to_json(), loaded.scenario.to_json());
        prop_assert_eq!(encode_link(BASE, &opened, &LinkView::default()).unwrap(), link);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,64}") {
        let _ = decode_link(&text);
        let _ = decode_link(&format!("#s1={text}"));
        let _ = decode_link(&format!("#s1={text}.{}", check_of(&text)));
    }
}
