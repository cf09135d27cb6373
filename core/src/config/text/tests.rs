use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{read_document, read_text};
use crate::api::decode::Text;
use crate::config::legacy::Policy;
use crate::config::{Configuration, ExtensionPoint, Header, ReadOptions, expand};

macro_rules! case {
    ($name:literal, [$($words:literal),*]) => {
        (
            $name,
            include_bytes!(concat!("../../../../tests/cases/", $name, "/config.yaml")).as_slice(),
            &[$($words),*],
        )
    };
}

const HEADER: &str =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

/// What is wrong with a text below the header, one error a line.
fn wrong(body: &str) -> String {
    let text = alloc::format!("{HEADER}{body}");
    let error = read_text("cfg.yaml", text.as_bytes(), ReadOptions::default());
    lines(error.expect_err("this is refused"))
}

fn lines(error: crate::config::ConfigError) -> String {
    let errors = error.into_list();
    errors
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_header_alone_is_the_default() {
    let read = read_text("", HEADER.as_bytes(), ReadOptions::default()).unwrap();
    assert_eq!(read.configuration, Configuration::default());
    assert_eq!(read.notes, []);
}

#[test]
fn json_is_read_too() {
    let text = br#"{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","parallelism":7}"#;
    let read = read_text("", text, ReadOptions::default()).unwrap();
    assert_eq!(read.configuration.parallelism, 7);
}

#[test]
fn errors_say_where_in_the_order_of_the_text() {
    assert_eq!(
        wrong("zzz: 1\nprofiles:\n- schedulerName: a\n  Plugins: {}\nparallelism: x\n"),
        "cfg.yaml:3:1: zzz: unknown field \"zzz\"; expected one of kind, apiVersion, parallelism, \
         percentageOfNodesToScore, podInitialBackoffSeconds, podMaxBackoffSeconds, enableProfiling, \
         enableContentionProfiling, delayCacheUntilActive, leaderElection, clientConnection, extenders, profiles\n\
         cfg.yaml:6:3: profiles[0].Plugins: unknown field \"Plugins\"; did you mean \"plugins\"?\n\
         cfg.yaml:7:1: parallelism: \"x\" was found; expected a whole number of at most 32 bits"
    );
}

#[test]
fn broken_rules_say_where() {
    assert_eq!(
        wrong("profiles:\n- percentageOfNodesToScore: 101\n- {}\nparallelism: 0\n"),
        "cfg.yaml:4:3: profiles[0].schedulerName: Required value\n\
         cfg.yaml:4:3: profiles[0].percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]\n\
         cfg.yaml:5:3: profiles[1].schedulerName: Required value\n\
         cfg.yaml:5:3: profiles[1].schedulerName: Duplicate value: \"profiles[0].schedulerName\"\n\
         cfg.yaml:6:1: parallelism: Invalid value: 0: should be an integer value greater than zero"
    );
}

#[test]
fn a_key_is_there_once() {
    assert_eq!(
        wrong("leaderElection:\n  leaderElect: true\n  leaderElect: false\n"),
        "cfg.yaml:5:3: leaderElection.leaderElect: key \"leaderElect\" already set in line 4; expected each key once"
    );
}

#[test]
fn there_is_one_document() {
    assert_eq!(
        wrong("---\na: 1\n"),
        "cfg.yaml:4:1: a second document was found; expected one"
    );
    let error = read_text("cfg.yaml", b"# nothing\n", ReadOptions::default());
    assert_eq!(
        lines(error.unwrap_err()),
        "cfg.yaml:1:1: there is nothing in it; expected at least one object"
    );
}

#[test]
fn notes_say_where() {
    let text = "apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n\
                healthzBindAddress: 0.0.0.0:10251\n";
    let read = read_text("old.yaml", text.as_bytes(), ReadOptions::default()).unwrap();
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "old.yaml:1:1: apiVersion: Kubernetes 1.36 no longer reads v1beta1; it is read with the default plugins and \
             weights of its time, which know nothing of resource claims",
            "old.yaml:3:1: healthzBindAddress: there is no insecure port since 1.23; ignored",
        ]
    );
}

#[test]
fn a_part_of_a_document_has_paths_from_its_root() {
    let text = Text::read(
        "s.yaml",
        b"spec:\n  schedulerConfiguration:\n    paralelism: 1\n",
    );
    let (_, document) = text.documents().next().unwrap();
    let part = document
        .get("spec")
        .and_then(|spec| spec.get("schedulerConfiguration"))
        .unwrap();
    let options = ReadOptions {
        header: Header::Optional,
        ..ReadOptions::default()
    };
    let error = read_document("s.yaml", part, "spec.schedulerConfiguration", options);
    assert_eq!(
        lines(error.unwrap_err()),
        "s.yaml:3:5: spec.schedulerConfiguration.paralelism: unknown field \"paralelism\"; did you mean \
         \"parallelism\"?"
    );
}

#[test]
fn a_policy_has_places_too() {
    let text = b"kind: Policy\napiVersion: v1\npredicates:\n- nam: x\n";
    assert_eq!(
        Policy::read_text("policy.cfg", text)
            .unwrap_err()
            .to_string(),
        "invalid policy: policy.cfg:4:3: predicates[0].nam: unknown field \"nam\"; did you mean \"name\"?"
    );
    let json = br#"{"kind": "Policy", "apiVersion": "v1"}"#;
    assert_eq!(Policy::read_text("", json), Ok(Policy::default()));
}

/// The cases about configuration: their text, and what the refusal must mention if they are refused.
const CASES: [(&str, &[u8], &[&str]); 12] = [
    case!("cfg-args-unknown-strategy", ["MostRequested"]),
    case!("cfg-default-constraints", []),
    case!("cfg-disable-filter", []),
    case!("cfg-extender-fatal", []),
    case!("cfg-no-queuesort", ["queue sort"]),
    case!("cfg-percentage-range", ["percentageOfNodesToScore", "101"]),
    case!("cfg-percentage-small-cluster", []),
    case!("cfg-queuesort-mismatch", ["profiles[1].plugins.queueSort"]),
    case!("cfg-ratio-shape", []),
    case!("cfg-two-profiles", []),
    case!("cfg-unknown-field", ["percentageOfNodeToScore"]),
    case!("cfg-unknown-plugin", ["NodeResourcesLeastAllocated"]),
];

/// As far as it matters here: who sorts the queue and who binds.
fn implements(plugin: &str, point: ExtensionPoint) -> Option<bool> {
    Some(match point {
        ExtensionPoint::QueueSort => plugin == "PrioritySort",
        ExtensionPoint::Bind => plugin == "DefaultBinder",
        ExtensionPoint::PlacementGenerate => false,
        _ => true,
    })
}

#[test]
fn the_cases_are_refused_and_accepted_as_by_the_real_scheduler() {
    for (name, text, must_mention) in CASES {
        let read = read_text(name, text, ReadOptions::default());
        let expanded = read.and_then(|read| {
            let mut profiles = read.configuration.profiles.iter();
            profiles.try_for_each(|profile| expand(profile, implements).map(|_| ()))
        });
        match expanded {
            Ok(()) => assert!(must_mention.is_empty(), "{name} is accepted"),
            Err(error) => {
                let text = error.to_string();
                assert!(!must_mention.is_empty(), "{name}: {text}");
                for words in must_mention {
                    assert!(text.contains(words), "{name}: {text}");
                }
            }
        }
    }
}
