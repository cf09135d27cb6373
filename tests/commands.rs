//! What the commands say to somebody who gives them something odd: nothing is left out in silence, and every message says
//! where, what and what instead.

use std::env;
use std::fs;
use std::path::Path;

use berth_tests::binary::{Run, berth, berth_with_input};
use serde_json::Value;

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '2', memory: 4Gi, pods: '10'}}\n";

/// A pod with these fields beside its containers, as a document of its own.
fn pod(name: &str, fields: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n  containers: [{{name: c, image: i}}]\n{fields}"
    )
}

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join(name);
    fs::write(&path, content).expect("the file can be written");
    path.to_str().expect("its path is text").to_owned()
}

fn report(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
}

/// The warnings of a report, `path: message`.
fn warnings(run: &Run) -> Vec<String> {
    let report = report(run);
    let warnings = report["warnings"]
        .as_array()
        .expect("a report has warnings");
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap_or_default().to_owned();
    warnings
        .iter()
        .map(|warning| format!("{}: {}", text(warning, "path"), text(warning, "message")))
        .collect()
}

#[test]
fn entries_after_the_end_are_named() {
    let scenario = file("late.yaml", NODE);
    let events = file(
        "late-events.yaml",
        "- {at: 1s, delete: {kind: Node, name: n1}}\n- {at: 2h, delete: {kind: Node, name: n1}}\n- {at: 3h, delete: {kind: Node, name: n1}}\n",
    );
    let run = berth(&["simulate", "-o", "json", &scenario, "--events", &events]);
    assert_eq!(
        warnings(&run),
        [
            "timeline at 2h0m0s: after the end of the run at 1h0m0s, with 1 more: they do not happen; `until` sets the end"
        ]
    );
    let source = report(&run)["warnings"][0]["source"].clone();
    assert_eq!(source, format!("{events}:2:3"));
    let longer = [
        "simulate", "-o", "json", &scenario, "--events", &events, "--until", "3h",
    ];
    assert!(
        warnings(&berth(&longer))
            .iter()
            .all(|warning| !warning.contains("timeline")),
        "the end itself is not too late"
    );
    let help = berth(&["simulate", "--help"]).stdout;
    assert!(help.contains("after 1h at the latest"), "{help}");
}

#[test]
fn an_entry_of_the_timeline_happens_whole_or_not_at_all_and_is_said_once() {
    let scenario = file("whole.yaml", [NODE, &pod("a", "")].concat());
    let events = file(
        "whole-events.yaml",
        "- at: 1s\n  apply:\n  - {apiVersion: v1, kind: Pod, metadata: {name: good}, spec: {containers: [{name: c, image: i}]}}\n  \
         - {apiVersion: v1, kind: Pod, metadata: {name: bad}, spec: {containers: []}}\n  \
         - {apiVersion: v1, kind: Pod, metadata: {generateName: also-, namespace: new}, spec: {containers: [{name: c, image: i}]}}\n  \
         - {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {a: b}}, status: {allocatable: {cpu: '7', pods: '10'}}}\n\
         - at: 2s\n  patch: {kind: Pod, name: a, patch: {spec: {priority: 7}}}\n\
         - at: 3s\n  apply: {group: {count: 30, name: 'g-{i}'}, template: {kind: Pod, spec: {containers: []}}}\n",
    );
    let run = berth(&["simulate", &scenario, "--events", &events]);
    assert_eq!(run.code, 1);
    let starts = [
        "4:75: spec.containers: nothing is given",
        "8:56: spec.priority: the field differs",
        "10:",
    ];
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), starts.len(), "{}", run.stderr);
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(&format!("{events}:{start}")), "{line}");
    }
    assert!(!run.stdout.contains("refused"), "{}", run.stdout);
    assert!(run.stdout.contains("1 pod on a node"), "{}", run.stdout);
    let json = berth(&["simulate", "-o", "json", &scenario, "--events", &events]);
    let found = report(&json);
    assert_eq!(found["warnings"][0]["source"], format!("{events}:4:75"));
    assert_eq!(found["warnings"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["pods"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["nodes"][0]["allocatable"]["cpu"], "2");
}

#[test]
fn what_simulate_refuses_is_not_shared_and_what_it_warns_of_is_said() {
    let wrong = file("share-wrong.yaml", pod("a", "  restartPolicy: Sometimes\n"));
    let run = berth(&["share", &wrong]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("spec.restartPolicy"), "{}", run.stderr);
    let late = format!(
        "apiVersion: berth/v1\nkind: Scenario\nspec:\n  timeline:\n  - {{at: 1, patch: {{kind: Node, name: n1, patch: {{metadata: {{labels: {{x: '!'}}}}}}}}}}\n---\n{NODE}"
    );
    let late = file("share-late.yaml", late);
    assert_eq!(berth(&["share", &late]).code, 1);
    let odd = file(
        "share-odd.yaml",
        [NODE, &pod("a", "  colour: red\n")].concat(),
    );
    let run = berth(&["share", &odd]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("warning: ") && run.stderr.contains("spec.colour"),
        "{}",
        run.stderr
    );
}

/// Explains a pod of a cluster with one that is deleted, one that is gated and one of another scheduler.
fn explain_fate(arguments: &[&str]) -> Run {
    let pods = [
        NODE,
        &pod("big", "  nodeSelector: {a: b}\n"),
        &pod("gated", "  schedulingGates: [{name: example.com/g}]\n"),
        &pod("other", "  schedulerName: someone\n"),
    ];
    let timeline = "- {at: 5s, delete: {kind: Pod, name: big}}\n";
    // Tests run side by side, and each has files of its own.
    let name = arguments
        .concat()
        .replace(|c: char| !c.is_alphanumeric(), "");
    let scenario = file(&format!("fate-{name}.yaml"), pods.concat());
    let events = file(&format!("fate-{name}-events.yaml"), timeline);
    berth(&[&["explain"], arguments, &[&scenario, "--events", &events]].concat())
}

#[test]
fn a_pod_that_was_deleted_is_said_to_be_gone_with_its_last_result() {
    let deleted = explain_fate(&["big"]);
    assert_eq!(
        deleted.code, 0,
        "it does not wait any more: {}",
        deleted.stdout
    );
    assert!(
        deleted
            .stdout
            .starts_with("default/big was deleted at 5s\n"),
        "{}",
        deleted.stdout
    );
    assert!(
        deleted.stdout.contains("not placed: 0/1 nodes"),
        "{}",
        deleted.stdout
    );
    let chinese = explain_fate(&["big", "--lang", "zh"]);
    assert!(
        chinese.stdout.starts_with("default/big 已在 5s 被删除"),
        "{}",
        chinese.stdout
    );
    let json = report(&explain_fate(&["big", "-o", "json"]));
    assert_eq!(
        (&json["pod"]["state"], &json["gone"]["at"]),
        (&"Deleted".into(), &5.0.into())
    );
}

#[test]
fn a_gated_pod_and_a_pod_of_another_scheduler_say_why_they_are_not_tried() {
    let gated = explain_fate(&["gated", "--node", "n1"]);
    assert_eq!(gated.code, 4, "{}", gated.stderr);
    assert!(
        gated.stdout.contains("scheduling gates"),
        "{}",
        gated.stdout
    );
    let nowhere = explain_fate(&["gated", "--node", "n2"]);
    assert_eq!(nowhere.code, 2);
    assert_eq!(
        nowhere.stderr,
        "error: there is no node n2; expected one of n1\n"
    );
    let other = explain_fate(&["other"]);
    assert_eq!(other.code, 4);
    assert!(
        other.stdout.contains("someone") && other.stdout.contains("default-scheduler"),
        "{}",
        other.stdout
    );
    let foreign = [NODE, &pod("other", "  schedulerName: someone\n")].concat();
    let simulated = berth_with_input(&["simulate", "-"], &foreign);
    assert!(
        simulated
            .stdout
            .contains("no profile has the name in its spec.schedulerName")
    );
}

#[test]
fn a_pod_that_had_to_leave_is_said_to_have_made_room() {
    let run = berth(&["explain", "a", "tests/cases/pre-pick-fewest/manifests.yaml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .starts_with("default/a had to leave n1 for default/high at 0s\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_node_name_is_a_name_and_of_a_node_that_is_there() {
    let missing = file(
        "ghost.yaml",
        [NODE, &pod("ghost", "  nodeName: nope\n")].concat(),
    );
    let run = berth(&["simulate", "-o", "json", &missing]);
    assert_eq!(
        warnings(&run),
        ["Pod default/ghost: spec.nodeName: there is no node nope"]
    );
    let wrong = pod("ghost", "  nodeName: \"no\\e[31mpe\"\n");
    let run = berth(&["simulate", &file("escape.yaml", [NODE, &wrong].concat())]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains(":11:13: spec.nodeName: "),
        "{}",
        run.stderr
    );
}

#[test]
fn no_text_of_others_steers_the_terminal() {
    let odd = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  \"a\\e[2Jb\\u009bc\\u202ed\": 1\n  containers: [{name: c, image: i}]\n";
    let steers = |text: &str| text.contains(['\u{1b}', '\u{9b}', '\u{202e}']);
    for output in ["text", "json", "yaml"] {
        let run = berth_with_input(&["simulate", "-o", output, "-"], odd);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("[2Jb"), "{}", run.stdout);
        assert!(
            !steers(&run.stdout) && !steers(&run.stderr),
            "{output}: {}",
            run.stdout
        );
    }
    for arguments in [
        &["share", "-"],
        &["explain", "\u{1b}x"],
        &["config", "check"],
    ] {
        let run = match arguments {
            ["share", "-"] => berth_with_input(&["share", "-"], odd),
            [first, second] => berth_with_input(&[first, second, "-"], odd),
        };
        assert!(
            !steers(&run.stdout) && !steers(&run.stderr),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_configuration_file_says_what_it_is() {
    let good = file("header-good.yaml", NODE);
    let empty = file("empty.json", "{}");
    let list = file("list.yaml", "- at: 1s\n");
    for (path, expected) in [
        (&empty, "'Kind' is missing"),
        (&list, "a list was found; expected an object"),
    ] {
        for arguments in [
            &["config", "check", path][..],
            &["simulate", "--config", path, &good],
        ] {
            let run = berth(arguments);
            assert_eq!(run.code, 1, "{}", run.stdout);
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
            assert!(run.stderr.contains(expected), "{}", run.stderr);
        }
    }
}

#[test]
fn render_shows_what_the_scheduler_saw_alone_in_the_why_view() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/real/shop/cluster.yaml");
    let words = |more: &[&str]| {
        let mut arguments = vec!["render", "--alt", file];
        arguments.extend(more);
        berth(&arguments)
    };
    let whole = words(&["--view", "why"]);
    assert!(whole.stdout.contains("evaluated by Berth only"));
    let seen = words(&["--view", "why", "--scheduler-saw"]);
    assert!(seen.stdout.contains("every rule: Scheduler saw"));
    assert!(!seen.stdout.contains("evaluated by Berth only"));
    let story = words(&["--scheduler-saw"]);
    assert_eq!(story.code, 2);
    assert!(story.stderr.contains("--view why"), "{}", story.stderr);
}

#[test]
fn render_opens_only_what_is_there() {
    let good = file("open.yaml", [NODE, &pod("a", "")].concat());
    for (open, named) in [
        ("nope", "n1"),
        ("n1/NodeNope", "NodeUnschedulable"),
        ("n2/NodeName", "n1"),
    ] {
        let run = berth(&["render", "--alt", "--view", "why", "--open", open, &good]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(
            run.stderr.contains(open) && run.stderr.contains(named),
            "{}",
            run.stderr
        );
    }
    let run = berth(&[
        "render",
        "--alt",
        "--view",
        "why",
        "--open",
        "n1/NodeName",
        &good,
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_wrong_version_is_blamed_and_not_the_kind() {
    let text = "apiVersion: v2\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: extensions/v1beta1\nkind: Deployment\n\
                metadata: {name: b}\n---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: c}\n";
    // Somebody else's kind of the same name is not blamed where there is something to run.
    let text = [text, "---\n", NODE].concat();
    let path = file("versions.yaml", text);
    let run = berth(&["simulate", &path]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stderr,
        format!(
            "{path}:1:13: apiVersion: Pod of v2 is not supported; expected apiVersion v1\n\
             {path}:5:13: apiVersion: Deployment of extensions/v1beta1 is not supported; expected apiVersion apps/v1\n"
        )
    );
}

#[test]
fn a_byte_that_is_no_text_has_its_place() {
    let path = file("bytes.yaml", b"a: 1\nb: \xc3\xa9\xff".as_slice());
    let run = berth(&["simulate", &path]);
    assert!(
        run.stderr.starts_with(&format!("{path}:2:5: byte 10 ")),
        "{}",
        run.stderr
    );
}

#[test]
fn people_get_the_first_errors_and_programs_all() {
    let many: String = (0..30)
        .map(|n| format!("---\nkind: Pod\nmetadata: {{name: p{n}}}\nspec: {{containers: []}}\n"))
        .collect();
    let path = file("many.yaml", many);
    let run = berth(&["simulate", &path]);
    assert_eq!((run.code, run.stderr.lines().count()), (1, 21));
    assert!(
        run.stderr
            .ends_with("… and 10 more; berth simulate -o json prints all\n"),
        "{}",
        run.stderr
    );
    let run = berth(&["simulate", "-o", "json", &path]);
    assert_eq!((run.code, run.stderr.lines().count()), (1, 30));
}

#[test]
fn a_long_time_in_which_nothing_happens_costs_nothing() {
    let path = file("long.yaml", [NODE, &pod("a", "")].concat());
    let run = berth(&["simulate", "-o", "json", "--until", "8760h", &path]);
    assert_eq!(report(&run)["simulatedSeconds"], 31_536_000.0);
}

#[test]
fn no_run_is_given_more_than_a_year() {
    let pending = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: c, image: i, resources: {requests: {cpu: '3'}}}]\n";
    let scenario = |until: &str| {
        format!(
            "apiVersion: berth/v1\nkind: Scenario\nspec:\n  until: {until}\n---\n{NODE}{pending}"
        )
    };
    let long = file("too-long.yaml", scenario("200000h"));
    let run = berth(&["simulate", &long]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(
        run.stderr,
        format!(
            "{long}:4:10: spec.until: \"200000h\" cannot be used; expected at most 8760h, a year\n"
        )
    );
    let year = file("a-year.yaml", scenario("8760h").replace(pending, ""));
    for (until, code) in [("8760h", 0), ("8760h0m1s", 2), ("9223372036854775807ns", 2)] {
        let run = berth(&["simulate", "--until", until, &year]);
        assert_eq!(run.code, code, "{until}: {}", run.stderr);
        let is_told = run.stderr.contains(until) && run.stderr.contains("at most 8760h, a year");
        assert_eq!(is_told, code == 2, "{}", run.stderr);
    }
}

#[test]
fn spans_are_read_as_in_a_scenario_and_refused_by_their_own_words() {
    let path = file("spans.yaml", NODE);
    let run = berth(&["simulate", "-o", "json", "--until", "1.5", &path]);
    assert_eq!(report(&run)["simulatedSeconds"], 1.5);
    for arguments in [
        &["simulate", "--until", "-1s"][..],
        &["simulate", "--until", "-1"],
        &["simulate", "--until", "soon"],
        &["explain", "a", "--until", "-1s"],
        &["render", "--alt", "--at", "-1s"],
    ] {
        let run = berth(&[arguments, &[&path]].concat());
        let found = arguments.last().copied().unwrap_or_default();
        let is_told = run.stderr.contains(&format!("invalid value '{found}'"))
            && run.stderr.contains("expected a duration such as 1m30s");
        assert!(run.code == 2 && is_told, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_trace_is_not_written_over_what_was_read() {
    let text = [NODE, &pod("a", "")].concat();
    let scenario = file("self.yaml", &text);
    let events = file("self-events.yaml", "[]");
    let folder = Path::new(&scenario).parent().expect("it is in a folder");
    let (hard, soft) = (folder.join("self-hard.yaml"), folder.join("self-soft.yaml"));
    for link in [&hard, &soft] {
        // One of an earlier run may be there.
        let _ = fs::remove_file(link);
    }
    fs::hard_link(&scenario, &hard).expect("a link can be made");
    std::os::unix::fs::symlink(&scenario, &soft).expect("a link can be made");
    let round = folder.join("..").join("commands").join("self.yaml");
    let others = [&hard, &soft, &round].map(|path| path.to_str().expect("its path is text"));
    for trace in others.into_iter().chain([scenario.as_str(), &events]) {
        let run = berth(&["simulate", &scenario, "--events", &events, "--trace", trace]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{trace}");
        let start = format!("error: --trace {trace}: this file was read as ");
        assert!(run.stderr.starts_with(&start), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(&scenario).expect("it is there"), text);
    assert_eq!(fs::read_to_string(&events).expect("it is there"), "[]");
}

#[test]
fn an_entry_about_an_object_that_is_not_there_is_warned_of_by_every_command() {
    let path = file(
        "absent.yaml",
        format!(
            "apiVersion: berth/v1\nkind: Scenario\nspec:\n  timeline:\n  - {{at: 10s, patch: {{kind: Node, name: b, patch: {{spec: \
             {{unschedulable: true}}}}}}}}\n  - {{at: 11s, delete: {{kind: Pod, name: c}}}}\n---\n{NODE}{}",
            pod("a", "")
        ),
    );
    let expected = [
        format!("{path}:5:5: Node b: does not exist at 10s: nothing to patch"),
        format!("{path}:6:5: Pod default/c: does not exist at 11s: nothing to delete"),
    ];
    let simulated = berth(&["simulate", &path]);
    assert_eq!((simulated.code, simulated.stderr.as_str()), (0, ""));
    assert!(simulated.stdout.contains("2 warnings"));
    for warning in &expected {
        assert!(simulated.stdout.contains(warning), "{}", simulated.stdout);
    }
    for arguments in [
        &["explain", "a"][..],
        &["explain", "a", "-o", "json"],
        &["render", "--alt"],
        &["share"],
    ] {
        let run = berth(&[arguments, &[&path]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(!run.stdout.is_empty(), "{arguments:?}");
        let told = run.stderr.lines();
        let told: Vec<&str> = told
            .filter_map(|line| line.strip_prefix("warning: "))
            .collect();
        assert_eq!(told, expected, "{arguments:?}");
    }
}

#[test]
fn standard_input_is_read_once_whatever_for() {
    for arguments in [
        &["simulate", "-", "--events", "-"][..],
        &["simulate", "-", "--config", "-"],
        &["explain", "a", "-", "--events", "-"],
        &["render", "--alt", "-", "--config", "-"],
    ] {
        let run = berth_with_input(arguments, NODE);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert_eq!(
            run.stderr,
            "error: standard input can be read once only; expected one -\n"
        );
    }
}

#[test]
fn instants_are_seconds_and_amounts_name_their_unit() {
    let big = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: big}\nspec:\n  containers: [{name: c, image: i, resources: {requests: {cpu: '9', memory: 9Gi}}}]\n";
    let events = file(
        "units-events.yaml",
        "- {at: 1.5, patch: {kind: Node, name: n1, patch: {metadata: {labels: {a: b}}}}}\n",
    );
    let path = file("units.yaml", [NODE, big].concat());
    let run = berth(&[
        "explain", "big", "-o", "json", "--until", "400s", &path, "--events", &events,
    ]);
    let found = report(&run);
    assert_eq!(found["moves"][0]["at"], 0.0);
    let last = found["moves"]
        .as_array()
        .and_then(|moves| moves.last())
        .expect("it moved");
    assert!(
        last["at"].as_f64().is_some_and(|at| at > 1.0 && at < 401.0),
        "{last}"
    );
    assert_eq!(found["attempt"]["at"], last["at"]);
    let links = found["chains"][0]["links"]
        .as_array()
        .expect("there are links");
    let units: Vec<&Value> = links
        .iter()
        .map(|link| &link["reason"]["Insufficient"]["unit"])
        .collect();
    assert_eq!(units, ["milliCPU", "bytes"]);
    let trace = file("units.jsonl", "");
    assert_eq!(
        berth(&["simulate", "--trace", &trace, "--until", "400s", &path]).code,
        0
    );
    let text = fs::read_to_string(&trace).expect("the trace is there");
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("each line is JSON");
        for field in ["at", "backoffUntil"] {
            assert!(
                record[field].as_f64().unwrap_or_default() < 1000.0,
                "{line}"
            );
        }
    }
}

#[test]
fn what_asks_for_gang_scheduling_is_warned_of() {
    let group = "---\napiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\nspec: {schedulingPolicy: {gang: {minCount: 2}}}\n\
                 ---\napiVersion: scheduling.k8s.io/v1alpha1\nkind: Workload\nmetadata: {name: w}\nspec: {podGroups: []}\n";
    let member = pod("member", "  schedulingGroup: {podGroupName: g}\n");
    let older = pod("older", "  workloadRef: {name: w, podGroup: g}\n");
    let path = file("gang.yaml", [NODE, &member, &older, group].concat());
    let run = berth(&["simulate", "-o", "json", &path]);
    assert_eq!(
        warnings(&run),
        [
            "Workload w: not supported: ignored",
            "Pod older: spec.workloadRef: not supported: ignored",
            "Pod default/member: spec.schedulingGroup is left out, as by a server on which the feature gate GenericWorkload is off",
            "PodGroup default/g: gang scheduling is not built: pods of the group are placed one by one",
        ]
    );
}

#[test]
fn a_config_map_that_nothing_reads_is_listed() {
    let maps = ["a", "b", "policy"].map(|name| {
        format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: ns}}\ndata: {{policy.cfg: '{{\"kind\": \"Policy\", \"apiVersion\": \"v1\"}}'}}\n")
    });
    let path = file(
        "maps.yaml",
        [NODE, &pod("web", ""), &maps.concat()].concat(),
    );
    let run = berth(&["simulate", "-o", "json", &path]);
    assert_eq!(
        warnings(&run),
        ["ConfigMap a and 2 more: decides nothing here: ignored"]
    );
}

/// A configuration of today's version with these fields.
fn configuration(name: &str, fields: &str) -> String {
    let header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
    file(name, [header, fields].concat())
}

#[test]
fn a_configuration_that_no_scheduler_takes_is_refused_everywhere_in_the_same_words() {
    let good = file("config-good.yaml", NODE);
    let wrong = [
        (
            "profiles:\n- plugins: {multiPoint: {enabled: [{name: PrioritySort}, {name: PrioritySort}]}}\n",
            ":4:59: profiles[0].plugins.multiPoint.enabled[1].name: plugin \"PrioritySort\" already registered",
        ),
        (
            "profiles:\n- schedulerName: b\n  plugins: {multiPoint: {disabled: [{name: DefaultBinder}]}}\n",
            ":5:3: profiles[0].plugins.bind: at least one bind plugin is needed",
        ),
        (
            "profiles:\n- plugins: {score: {enabled: [{name: Nope}]}}\n",
            ":4:32: profiles[0].plugins.score.enabled[0].name: ScorePlugin \"Nope\" does not exist",
        ),
    ];
    for (index, (fields, start)) in wrong.into_iter().enumerate() {
        let path = configuration(&format!("refused-{index}.yaml"), fields);
        let commands = [
            &["config", "check", &path][..],
            &["config", "convert", &path],
            &["simulate", "--config", &path, &good],
        ];
        for command in commands {
            let run = berth(command);
            assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command:?}");
            let start = format!("{path}{start}");
            assert!(
                run.stderr.starts_with(&start),
                "{command:?}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn a_configuration_inside_a_scenario_is_refused_at_its_lines_too() {
    let path = file(
        "inside.yaml",
        "apiVersion: berth/v1\nkind: Scenario\nmetadata: {name: inside}\nspec:\n  schedulerConfiguration:\n    parallelism: 0\n    \
         profiles:\n    - plugins: {score: {enabled: [{name: Nope}, {name: NodePorts}]}}\n",
    );
    let run = berth(&["simulate", &path]);
    assert_eq!(run.code, 1);
    let at = "spec.schedulerConfiguration";
    let score = format!("{at}.profiles[0].plugins.score.enabled");
    let expected = format!(
        "{path}:6:5: {at}.parallelism: Invalid value: 0: should be an integer value greater than zero\n\
         {path}:8:36: {score}[0].name: ScorePlugin \"Nope\" does not exist\n\
         {path}:8:50: {score}[1].name: plugin \"NodePorts\" does not extend ScorePlugin plugin\n"
    );
    assert_eq!(run.stderr, expected);
}

#[test]
fn what_only_building_finds_stands_at_its_file() {
    let path = configuration(
        "managed.yaml",
        "profiles:\n- plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}\nextenders:\n- {urlPrefix: 'http://x/', \
         filterVerb: f, managedResources: [{name: example.com/x, ignoredByScheduler: true}]}\n",
    );
    for command in ["check", "convert"] {
        let run = berth(&["config", command, &path]);
        assert_eq!(run.code, 1, "{}", run.stdout);
        assert!(
            run.stderr.starts_with(&format!("{path}:1:1: ")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn what_convert_prints_passes_check() {
    let policy = file(
        "converted-policy.json",
        r#"{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"PodFitsResources"}],"priorities":[{"name":"LeastRequestedPriority","weight":2}]}"#,
    );
    let today = configuration(
        "converted-today.yaml",
        "profiles:\n- plugins: {score: {enabled: [{name: ImageLocality, weight: 7}]}}\n",
    );
    let older = file(
        "converted-older.yaml",
        "apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins: {queueSort: \
         {enabled: [{name: PrioritySort}]}}\n",
    );
    let sources = [
        &[policy.as_str()][..],
        &[today.as_str()],
        &[older.as_str()],
        &["--provider", "ClusterAutoscalerProvider"],
    ];
    for source in sources {
        let run = berth(&[&["config", "convert"], source].concat());
        assert_eq!(run.code, 0, "{source:?}: {}", run.stderr);
        let converted = file("converted.yaml", &run.stdout);
        let check = berth(&["config", "check", &converted]);
        assert_eq!(check.code, 0, "{source:?}: {}", check.stderr);
    }
}

/// A kubeconfig with this context as its current one and this server.
fn kubeconfig(name: &str, current: &str, server: &str) -> String {
    let text = format!(
        "apiVersion: v1\nkind: Config\n{current}\ncontexts:\n- {{name: here, context: {{cluster: c, user: u}}}}\n- {{name: there, \
         context: {{cluster: gone, user: u}}}}\nclusters:\n- name: c\n  cluster:\n    server: {server}\nusers: []\n"
    );
    file(name, text)
}

#[test]
fn what_a_kubeconfig_says_wrong_is_wrong_input_at_its_place() {
    let server = "https://127.0.0.1:1";
    let good = kubeconfig("kube-good.yaml", "current-context: here", server);
    let cases = [
        (file("kube-broken.yaml", "a: [1\nb: {"), None, ":"),
        (file("kube-list.yaml", "[1, 2]\n"), None, ":"),
        (
            file("kube-bytes.yaml", b"a: \xff\n".as_slice()),
            None,
            ":1:4: byte 3",
        ),
        (
            kubeconfig("kube-none.yaml", "", server),
            None,
            ":1:1: current-context: nothing is given; expected a context, here or as --context",
        ),
        (
            kubeconfig("kube-missing.yaml", "current-context: missing", server),
            None,
            ":3:18: current-context: \"missing\" cannot be used; expected a context that there is, such as here, there",
        ),
        (
            good.clone(),
            Some("nope"),
            ":1:1: \"nope\" cannot be used; expected a context that there is, such as here, there",
        ),
        (
            good.clone(),
            Some("there"),
            ":6:36: contexts[1].context.cluster: \"gone\" cannot be used; expected a cluster that there is, such as c",
        ),
        (
            kubeconfig("kube-url.yaml", "current-context: here", "not a url"),
            None,
            ":10:13: clusters[0].cluster.server: \"not a url\" cannot be used; expected a URL such as https://10.0.0.1:6443",
        ),
        (
            kubeconfig("kube-scheme.yaml", "current-context: here", "127.0.0.1:1"),
            None,
            ":10:13: clusters[0].cluster.server: \"127.0.0.1:1\" cannot be used; expected a URL",
        ),
    ];
    for (path, context, start) in cases {
        let context = context.map_or_else(Vec::new, |name| vec!["--context", name]);
        let run = berth(&[&["capture", "--kubeconfig", &path], context.as_slice()].concat());
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        let start = format!("{path}{start}");
        assert!(run.stderr.starts_with(&start), "{start}\n{}", run.stderr);
    }
    for path in [good.as_str(), "no-such-kubeconfig.yaml"] {
        let run = berth(&["capture", "--kubeconfig", path]);
        assert_eq!(run.code, 3, "{}", run.stderr);
    }
}

#[test]
fn capture_asks_no_cluster_for_what_it_would_refuse() {
    let good = kubeconfig(
        "kube-unasked.yaml",
        "current-context: here",
        "https://127.0.0.1:1",
    );
    for (arguments, expected) in [
        (["-l", "!!"], "expected labels as in app=web"),
        (
            ["-n", "BAD/ns"],
            "invalid value 'BAD/ns' for '--namespace <NAME>'",
        ),
    ] {
        let run = berth(&[&["capture", "--kubeconfig", &good][..], &arguments].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn a_link_needs_a_page_to_lead_to() {
    let path = file("base.yaml", NODE);
    for base in [
        "",
        "not a url",
        "http://x/#frag",
        "http://x/?a=b",
        "http://",
        "ftp://x/",
    ] {
        let run = berth(&["share", "--base", base, &path]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{base}");
        assert!(
            run.stderr.contains("expected a URL such as"),
            "{}",
            run.stderr
        );
    }
    let run = berth(&["share", "--base", "https://x:9/page/", &path]);
    assert!(
        run.stdout.starts_with("https://x:9/page/#s1="),
        "{}",
        run.stdout
    );
}

#[test]
fn help_says_what_exit_codes_mean_and_shows_no_empty_defaults() {
    let help = berth(&["--help"]).stdout;
    for line in [
        "0  done",
        "1  the input is wrong",
        "4  explain: the pod stays pending",
    ] {
        assert!(help.contains(line), "{help}");
    }
    for command in ["run", "capture", "explain"] {
        let help = berth(&[command, "--help"]).stdout;
        assert!(help.contains("--kubeconfig"), "{help}");
        assert!(
            !help.contains("[default: \"\"]") && !help.contains("[default: ]"),
            "{help}"
        );
    }
}

#[test]
fn who_asks_for_a_pod_that_is_not_there_is_told_which_there_are() {
    let path = file("which.yaml", [NODE, &pod("b", ""), &pod("a", "")].concat());
    for wanted in ["nope", "default/nope"] {
        let run = berth(&["explain", wanted, &path]);
        assert_eq!(run.code, 2);
        let expected =
            format!("error: there is no pod {wanted}; expected one of default/a, default/b\n");
        assert_eq!(run.stderr, expected);
    }
}

#[test]
fn an_argument_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"odd-\xff.yaml");
    let output = std::process::Command::new(berth_tests::binary::binary())
        .arg("simulate")
        .arg(odd)
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).expect("it prints text");
    assert!(
        told.starts_with("error: argument 2, \"odd-\\xFF.yaml\", is not UTF-8"),
        "{told}"
    );
}

#[test]
fn a_count_that_is_too_large_is_told_at_its_line() {
    let path = file(
        "count.yaml",
        "apiVersion: berth/v1\nkind: Scenario\nspec:\n  objects:\n  - group:\n      count: 999999999\n    template: \
         {apiVersion: v1, kind: Node}\n",
    );
    let run = berth(&["simulate", &path]);
    assert_eq!(run.code, 1);
    let expected = format!(
        "{path}:6:14: spec.objects[0].group.count: there are 999999999 nodes; expected at most 100000\n"
    );
    assert_eq!(run.stderr, expected);
}
