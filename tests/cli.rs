//! The command line as other programs see it: exit codes, the form of errors, what is printed where.

use std::env;
use std::fs;
use std::path::PathBuf;

use berth_tests::binary::{Run, berth, berth_with_input};
use serde_json::Value;

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '2', memory: 4Gi, pods: '10'}}\n";

/// A pod that asks for so much CPU, as a document of its own.
fn pod(name: &str, cpu: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n  containers:\n  - name: c\n    image: i\n    \
         resources: {{requests: {{cpu: {cpu}}}}}\n"
    )
}

/// A file of this test's own, below the folder for temporary files.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "cli"].iter().collect();
    fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join(name);
    fs::write(&path, content).expect("the file can be written");
    path.to_str().expect("its path is text").to_owned()
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
}

/// Wrong input: exit code 1, nothing printed, and one line `FILE:LINE:COL: …` that has all of `parts`.
#[track_caller]
fn refused(name: &str, content: impl AsRef<[u8]>, line: u32, parts: &[&str]) {
    let path = file(name, content);
    let run = berth(&["simulate", &path]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    let [message] = run.stderr.lines().collect::<Vec<_>>()[..] else {
        panic!("one message: {}", run.stderr)
    };
    let start = format!("{path}:{line}:");
    assert!(message.starts_with(&start), "{message} starts with {start}");
    for part in parts {
        assert!(message.contains(part), "{message} has {part:?}");
    }
}

#[test]
fn an_empty_file_is_refused() {
    refused("empty.yaml", "", 1, &["expected at least one object"]);
}

#[test]
fn a_binary_file_is_refused() {
    let bytes = [0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0xff, 0xfe];
    refused(
        "binary.yaml",
        bytes,
        1,
        &["is not text", "expected YAML or JSON"],
    );
}

#[test]
fn cut_yaml_is_refused() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a\n";
    refused("cut.yaml", text, 3, &["metadata", "is the text cut?"]);
}

#[test]
fn tabs_are_refused() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata:\n\tname: a\n";
    refused(
        "tab.yaml",
        text,
        4,
        &["metadata", "a tab cannot indent", "expected spaces"],
    );
}

#[test]
fn a_pod_without_containers_is_refused() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}\n";
    refused(
        "containers.yaml",
        text,
        4,
        &[
            "spec.containers: ",
            "expected at least one container",
            "Pod default/a",
        ],
    );
}

#[test]
fn a_wrong_quantity_is_refused() {
    let path = "spec.containers[0].resources.requests.cpu: ";
    refused(
        "quantity.yaml",
        pod("a", "1x"),
        9,
        &[
            path,
            "\"1x\" is not a quantity",
            "expected a number",
            "Pod a",
        ],
    );
}

#[test]
fn a_negative_request_is_refused() {
    let path = "spec.containers[0].resources.requests.cpu: ";
    refused(
        "negative.yaml",
        pod("a", "-1"),
        9,
        &[path, "\"-1\"", "expected 0 or more"],
    );
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let text = pod("a", "1") + &pod("a", "2");
    refused(
        "twice.yaml",
        text,
        11,
        &[
            "metadata.name: ",
            "already defined",
            "twice.yaml:2",
            "expected each name once",
        ],
    );
}

#[test]
fn an_unknown_kind_is_refused() {
    let text = "apiVersion: v1\nkind: Pdo\nmetadata: {name: a}\n";
    refused(
        "kind.yaml",
        text,
        2,
        &["kind: ", "\"Pdo\"", "expected a kind such as Pod"],
    );
}

#[test]
fn deep_nesting_is_refused() {
    for (name, open) in [("deep.yaml", "["), ("deep.json", "{\"a\":")] {
        let text = ["a: ", &open.repeat(100_000)].concat();
        let text = if open == "[" {
            text
        } else {
            open.repeat(100_000)
        };
        refused(
            name,
            text,
            1,
            &["too many lists and maps", "expected at most"],
        );
    }
}

#[test]
fn everything_wrong_is_said_at_once() {
    let text = pod("a", "1x") + &pod("b", "-1") + &pod("c", "1");
    let path = file("several.yaml", text);
    let run = berth(&["simulate", &path]);
    assert_eq!(run.code, 1);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
}

#[test]
fn exit_codes_tell_input_usage_and_files_apart() {
    let good = file("good.yaml", [NODE, &pod("a", "1")].concat());
    assert_eq!(berth(&["simulate", &good]).code, 0);
    assert_eq!(berth(&["simulate"]).code, 2);
    assert_eq!(berth(&["simulate", "--until", "soon", &good]).code, 2);
    assert_eq!(berth(&["simulate", "-", "-"]).code, 2);
    assert_eq!(berth(&["schedule", &good]).code, 2);
    assert_eq!(berth(&["explain", "nobody", &good]).code, 2);
    let missing = berth(&["simulate", "there-is-no-such-file.yaml"]);
    assert_eq!(missing.code, 3);
    assert!(
        missing.stderr.starts_with("there-is-no-such-file.yaml: "),
        "{}",
        missing.stderr
    );
    let unwritable = [
        "simulate",
        "--trace",
        "no/such/folder/t.jsonl",
        good.as_str(),
    ];
    assert_eq!(berth(&unwritable).code, 3);
    assert_eq!(berth(&["explain", "a", &good]).code, 0);
    let pending = file("pending.yaml", [NODE, &pod("a", "9")].concat());
    assert_eq!(berth(&["explain", "a", &pending]).code, 4);
    assert_eq!(
        berth(&["simulate", &pending]).code,
        0,
        "a pending pod is no wrong input"
    );
    assert_eq!(berth(&["--help"]).code, 0);
    assert_eq!(berth(&["--version"]).code, 0);
}

#[test]
fn a_wrong_configuration_names_its_field() {
    let good = file("good-config.yaml", [NODE, &pod("a", "1")].concat());
    let config = file(
        "config.yaml",
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 101\n",
    );
    let run = berth(&["simulate", "--config", &config, &good]);
    assert_eq!(run.code, 1);
    let start = format!("{config}:3:1: percentageOfNodesToScore: ");
    assert!(run.stderr.starts_with(&start), "{}", run.stderr);
}

#[test]
fn what_is_refused_later_is_wrong_input_too() {
    let good = file("good-later.yaml", [NODE, &pod("a", "1")].concat());
    let events = file(
        "later.yaml",
        "- at: 1\n  patch: {kind: Pod, name: a, patch: {spec: {priority: 7}}}\n",
    );
    let run = berth(&["simulate", "--events", &events, &good]);
    assert_eq!(run.code, 1);
    let message = format!("{events}:2:56: spec.priority: the field differs");
    assert!(run.stderr.starts_with(&message), "{}", run.stderr);
    assert!(
        run.stdout.contains("1 pod on a node"),
        "the rest was run: {}",
        run.stdout
    );
}

#[test]
fn the_report_has_the_promised_fields() {
    let text = [NODE, &pod("a", "1"), &pod("b", "9")].concat();
    let run = berth_with_input(&["simulate", "-o", "json", "--seed", "7", "-"], &text);
    let report = json(&run);
    assert_eq!(report["apiVersion"], "berth/v1");
    assert_eq!(report["kind"], "Report");
    assert_eq!(report["kubernetes"], "1.36");
    assert_eq!(report["seed"], 7);
    assert_eq!(report["digest"].as_str().map(str::len), Some(16));
    let a = &report["pods"][0];
    assert_eq!(
        (a["name"].as_str(), a["state"].as_str(), a["node"].as_str()),
        (Some("a"), Some("Bound"), Some("n1"))
    );
    assert_eq!((&a["attempts"], &a["boundAt"]), (&1.into(), &0.0.into()));
    let b = &report["pods"][1];
    assert_eq!(
        (b["state"].as_str(), &b["node"]),
        (Some("Unschedulable"), &Value::Null)
    );
    assert_eq!(b["rejectedBy"], serde_json::json!(["NodeResourcesFit"]));
    assert!(
        b["message"]
            .as_str()
            .is_some_and(|m| m.starts_with("0/1 nodes are available: 1 Insufficient cpu."))
    );
    let node = &report["nodes"][0];
    assert_eq!(node["pods"], 1);
    assert_eq!(
        node["requested"],
        serde_json::json!({"cpu": "1", "memory": "0"})
    );
    let events = report["events"].as_array().expect("there are events");
    assert_eq!(events.len(), 2, "{events:?}");
}

#[test]
fn a_run_repeats_and_so_does_its_digest() {
    let arguments = ["simulate", "-o", "json", "tests/real/mixed-25/cluster.yaml"];
    let (first, second) = (berth(&arguments), berth(&arguments));
    assert_eq!(first.stdout, second.stdout);
    let yaml = berth(&["simulate", "-o", "yaml", "tests/real/mixed-25/cluster.yaml"]);
    let digest = json(&first)["digest"].as_str().map(str::to_owned);
    assert!(yaml.stdout.contains(&digest.expect("a digest")));
}

#[test]
fn a_link_leads_back_to_the_same_run() {
    let cluster = "tests/real/timeline-303/cluster.yaml";
    let shared = berth(&["share", cluster]);
    assert_eq!(shared.code, 0, "{}", shared.stderr);
    let link = shared.stdout.trim();
    assert!(link.contains("/#s1=") && link.ends_with(|c: char| c.is_ascii_alphanumeric()));
    let opened = berth(&["open", link]);
    assert_eq!(opened.code, 0, "{}", opened.stderr);
    let again = berth_with_input(&["simulate", "-o", "json", "-"], &opened.stdout);
    let original = berth(&["simulate", "-o", "json", cluster]);
    assert_eq!(json(&again)["digest"], json(&original)["digest"]);
}

#[test]
fn a_link_that_cannot_be_opened_says_why() {
    let good = file("good-link.yaml", [NODE, &pod("a", "1")].concat());
    let link = berth(&["share", &good]).stdout.trim().to_owned();
    let says = |link: &str, what: &str| {
        let run = berth(&["open", link]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""));
        assert!(run.stderr.contains(what), "{link}: {}", run.stderr);
    };
    says(&link[..link.len() - 3], "cut");
    says(&link[..link.len() - 9], "cut");
    let changed = link.replacen("s1=", "s1=A", 1);
    says(&changed, "broken");
    says(&link.replacen("#s1=", "#s2=", 1), "too new");
    says("https://example.com/", "no link to a scenario");
}

#[test]
fn the_trace_has_one_record_a_line() {
    let good = file("good-trace.yaml", [NODE, &pod("a", "1")].concat());
    let trace = file("trace.jsonl", "");
    let run = berth(&["simulate", "--trace", &trace, &good]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(&trace).expect("the trace is there");
    let records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let has = |name: &str| records.iter().any(|record| record["record"] == name);
    assert!(
        has("observed") && has("cycleStarted") && has("bound"),
        "{text}"
    );
}

#[test]
fn people_see_pending_pods_first_and_no_colours_in_a_pipe() {
    let text = [NODE, &pod("a", "1"), &pod("b", "9")].concat();
    let run = berth_with_input(&["simulate", "-"], &text);
    assert_eq!(run.code, 0);
    let pending = run.stdout.find("1 pod pending").expect("it is said");
    let placed = run.stdout.find("1 pod on a node").expect("it is said");
    assert!(pending < placed);
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
}

#[test]
fn an_explanation_has_its_numbers_in_both_languages() {
    let text = [NODE, &pod("b", "9")].concat();
    let english = berth_with_input(&["explain", "b", "-"], &text);
    assert_eq!(english.code, 4);
    assert!(
        english
            .stdout
            .contains("the pod asks for 9 cpu, and the node has 2 in all"),
        "{}",
        english.stdout
    );
    let chinese = berth_with_input(&["explain", "default/b", "--lang", "zh", "-"], &text);
    assert!(
        chinese.stdout.contains("Pod 请求 9 cpu，而节点总共只有 2"),
        "{}",
        chinese.stdout
    );
    let run = berth_with_input(&["explain", "b", "-o", "json", "--node", "n1", "-"], &text);
    let value: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(value["kind"], "Explanation");
    let insufficient = &value["chains"][0]["links"][0]["reason"]["Insufficient"];
    assert_eq!(insufficient["requested"], 9_000);
    assert_eq!(
        berth_with_input(&["explain", "b", "--node", "n9", "-"], &text).code,
        2
    );
}

#[test]
fn every_help_text_has_an_example() {
    for command in ["simulate", "explain", "share", "open"] {
        let run = berth(&[command, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("Example"), "{}", run.stdout);
        assert!(
            run.stdout.contains(&format!("berth {command} ")),
            "{}",
            run.stdout
        );
    }
}

/// A scenario with a feature gate, a node and whatever else.
fn with_gate(gate: &str, on: bool, rest: &str) -> String {
    format!(
        "apiVersion: berth/v1\nkind: Scenario\nmetadata: {{name: gates}}\nspec:\n  featureGates: {{{gate}: {on}}}\n---\n{NODE}{rest}"
    )
}

fn warnings(run: &Run) -> Vec<String> {
    let report = json(run);
    let warnings = report["warnings"]
        .as_array()
        .expect("a report has warnings");
    warnings
        .iter()
        .map(|warning| {
            let text = |key: &str| warning[key].as_str().unwrap_or_default().to_owned();
            format!("{}: {}", text("path"), text("message"))
        })
        .collect()
}

#[test]
fn a_gate_that_changes_nothing_in_a_simulation_is_said_to() {
    let path = file("flagz.yaml", with_gate("ComponentFlagz", false, ""));
    let run = berth(&["simulate", "-o", "json", &path]);
    assert_eq!(
        warnings(&run),
        [
            "spec.featureGates.ComponentFlagz: changes nothing here: a simulated scheduler has no endpoints"
        ]
    );
}

#[test]
fn a_field_whose_gate_is_off_is_left_out_and_said_to_be() {
    let pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: whole}\nspec:\n  resources: {requests: {cpu: '4'}}\n  \
               containers: [{name: c, image: i}]\n";
    let state = |on: bool| {
        let path = file("whole.yaml", with_gate("PodLevelResources", on, pod));
        let run = berth(&["simulate", "-o", "json", &path]);
        let state = json(&run)["pods"][0]["state"].as_str().map(str::to_owned);
        (state.unwrap_or_default(), warnings(&run))
    };
    assert_eq!(state(true), ("Unschedulable".to_owned(), Vec::new()));
    let (state, warnings) = state(false);
    assert_eq!(state, "Bound");
    assert_eq!(
        warnings,
        [
            "Pod default/whole: spec.resources is left out, as by a server on which the feature gate PodLevelResources is off"
        ]
    );
}

#[test]
fn gates_of_pod_groups_are_refused_by_name() {
    for gate in [
        "GenericWorkload",
        "GangScheduling",
        "TopologyAwareWorkloadScheduling",
    ] {
        let path = file("gang.yaml", with_gate(gate, true, ""));
        let run = berth(&["simulate", &path]);
        assert_eq!(run.code, 1);
        let expected = format!(
            "spec.featureGates: cannot set feature gate {gate} to true: Berth has only the behaviour of {gate}=false"
        );
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
}

#[test]
fn pods_that_need_devices_stay_pending_with_a_warning_that_says_so() {
    let objects = "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {extendedResourceName: \
                   example.com/gpu}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: claims}\nspec:\n  resourceClaims: [{name: \
                   gpu, resourceClaimName: g}]\n  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]\n---\n\
                   apiVersion: v1\nkind: Pod\nmetadata: {name: extended}\nspec:\n  containers: [{name: c, image: i, resources: \
                   {requests: {example.com/gpu: '1'}, limits: {example.com/gpu: '1'}}}]\n---\napiVersion: resource.k8s.io/v1\n\
                   kind: ResourceClaim\nmetadata: {name: g}\nspec:\n  devices: {requests: [{name: one, exactly: \
                   {deviceClassName: gpu}}]}\n";
    let path = file("devices.yaml", format!("{NODE}{objects}"));
    let run = berth(&["simulate", "-o", "json", &path]);
    let report = json(&run);
    let message = |place: usize| {
        report["pods"][place]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        message(0),
        "0/1 nodes are available: resource claims are not allocated by this scheduler yet. still not schedulable, preemption: \
         0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    );
    assert_eq!(
        message(1),
        "0/1 nodes are available: 1 devices for example.com/gpu are not allocated by this scheduler yet. still not schedulable, \
         preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    );
    assert_eq!(
        warnings(&run),
        [
            "Pod default/extended: resources.requests.example.com/gpu: a DeviceClass stands for it, and DynamicResources \
             allocates no devices yet: only nodes with example.com/gpu in status.allocatable are used",
            "Pod default/claims: spec.resourceClaims: DynamicResources allocates no devices yet: the pod waits until each \
             claim is allocated"
        ]
    );
}

#[test]
fn pods_go_where_allocated_devices_can_be_used_and_wait_for_claims_that_are_not_there() {
    let claim = |name: &str, node: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {name}}}\nspec:\n  devices: {{requests: \
             [{{name: one, exactly: {{deviceClassName: gpu}}}}]}}\nstatus:\n  allocation:\n    devices: {{results: [{{request: one, \
             driver: gpu.example.com, pool: {node}, device: a}}]}}\n    nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: \
             metadata.name, operator: In, values: [{node}]}}]}}]}}\n"
        )
    };
    let pod = |name: &str, claim: &str| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n  resourceClaims: [{{name: gpu, \
             resourceClaimName: {claim}}}]\n  containers: [{{name: c, image: i, resources: {{claims: [{{name: gpu}}]}}}}]\n"
        )
    };
    let nodes: Vec<String> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            format!(
                "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\nstatus: {{allocatable: {{cpu: '4', memory: 8Gi, pods: \
                 '110'}}}}\n"
            )
        })
        .collect();
    let objects = [
        nodes.concat(),
        claim("here", "b"),
        claim("elsewhere", "z"),
        pod("first", "here"),
        pod("lonely", "missing"),
        pod("nowhere", "elsewhere"),
        pod("second", "here"),
    ];
    let path = file("claims.yaml", objects.concat());
    let run = berth(&["simulate", "-o", "json", &path]);
    let report = json(&run);
    let of = |name: &str| {
        let mut pods = report["pods"].as_array().expect("pods").iter();
        let found = pods.find(|pod| pod["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is not in {report}"))
    };
    for name in ["first", "second"] {
        assert_eq!(of(name)["node"], "b", "{report}");
    }
    let message = of("nowhere")["message"].as_str().unwrap_or_default();
    let expected = "0/3 nodes are available: 3 resourceclaim not available on the node. still not schedulable, preemption: 0/3 \
                    nodes are available: 3 Preemption is not helpful for scheduling.";
    assert_eq!(message, expected);
    assert!(of("lonely")["node"].is_null(), "{report}");
}

#[test]
fn an_explanation_of_a_pod_that_made_room_shows_candidates_victims_and_what_decided() {
    let case = |name: &str| format!("tests/cases/{name}/manifests.yaml");
    let says = |name: &str, lines: &[&str]| {
        let run = berth(&["explain", "high", &case(name)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for line in lines {
            assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
        }
    };
    says(
        "pre-pick-fewest",
        &[
            "preemption in attempt 1 at 0s\n  room is made on n1: default/a must leave\n",
            "    n2: default/l1, default/l2 would have to leave\n",
            "    smallest sum of priorities, each victim counted too: n1 0 over 1, n2 0 over 2; this decides for n1\n",
        ],
    );
    says(
        "pre-pdb-avoid",
        &[
            "    fewest departures that a PodDisruptionBudget does not allow: n2 0, n1 1; this decides for n2\n",
        ],
    );
}

#[test]
fn a_policy_that_an_old_configuration_names_is_read() {
    let policy = file(
        "policy.json",
        r#"{"kind":"Policy","apiVersion":"v1","predicates":[{"name":"PodFitsResources"}],"priorities":[]}"#,
    );
    let old = |source: &str| {
        format!(
            "apiVersion: kubescheduler.config.k8s.io/v1alpha1\nkind: KubeSchedulerConfiguration\n\
             algorithmSource: {{policy: {{{source}}}}}\n"
        )
    };
    let config = file(
        "with-policy.yaml",
        old(&format!("file: {{path: {policy}}}")),
    );
    let run = berth(&["config", "convert", &config]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("NodeResourcesFit"), "{}", run.stdout);
    assert!(
        !run.stdout.contains("- name: InterPodAffinity"),
        "{}",
        run.stdout
    );
    let config = file(
        "with-map.yaml",
        old("configMap: {namespace: kube-system, name: p}"),
    );
    let run = berth(&["config", "check", &config]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("kube-system/p is in a cluster"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_policy_schedules_from_a_file_from_a_config_map_and_where_a_configuration_points_at_it() {
    let policy = r#"{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "HostName"}], "priorities": []}"#;
    // Nobody looks at resources, so a pod that asks for more than there is goes to the node.
    let objects = file("huge.yaml", [NODE, &pod("huge", "99")].concat());
    let map = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: p, namespace: kube-system}}\ndata:\n  policy.cfg: '{policy}'\n"
    );
    // A name of its own: tests run side by side.
    let policy = file("only-host.json", policy);
    let old = |source: &str| {
        format!(
            "apiVersion: kubescheduler.config.k8s.io/v1alpha1\nkind: KubeSchedulerConfiguration\nalgorithmSource: {{policy: \
             {{{source}}}}}\n"
        )
    };
    let by_file = file("by-file.yaml", old(&format!("file: {{path: {policy}}}")));
    let by_map = file(
        "by-map.yaml",
        old("configMap: {namespace: kube-system, name: p}"),
    );
    let map = file("map.yaml", map);
    let state = |config: &str, more: &[&str]| {
        let arguments = [
            &["simulate", "-o", "json", "--config", config, &objects],
            more,
        ]
        .concat();
        let report = json(&berth(&arguments));
        report["pods"][0]["state"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for config in [&policy, &map, &by_file] {
        assert_eq!(state(config, &[]), "Bound", "{config}");
        assert_eq!(berth(&["config", "check", config]).code, 0, "{config}");
        assert_eq!(berth(&["config", "convert", config]).code, 0, "{config}");
    }
    assert_eq!(state(&by_map, &[&map]), "Bound");
    let lost = berth(&["simulate", "--config", &by_map, &objects]);
    assert_eq!(lost.code, 1);
    let expected = "algorithmSource.policy: couldn't get policy config map kube-system/p: it is not among the objects";
    assert!(lost.stderr.contains(expected), "{}", lost.stderr);
}

#[test]
fn every_mistake_of_a_configuration_is_told_with_its_line() {
    let text = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nparallelism: 0\nfoo: 1\nprofiles:\n\
                - plugins:\n    score: {enabled: [{name: Foo}]}\n    filter: {enabled: [{name: PrioritySort}]}\n";
    let path = file("wrong.yaml", text);
    let run = berth(&["config", "check", &path]);
    assert_eq!(run.code, 1);
    let lines: Vec<&str> = run
        .stderr
        .lines()
        .map(|line| line.strip_prefix(&path).unwrap_or(line))
        .collect();
    assert_eq!(lines.len(), 4, "{}", run.stderr);
    for (line, expected) in lines.iter().zip([
        ":3:1: parallelism: Invalid value: 0",
        ":4:1: foo: unknown field",
        ":7:24: profiles[0].plugins.score.enabled[0].name: ScorePlugin \"Foo\" does not exist",
        ":8:25: profiles[0].plugins.filter.enabled[0].name: plugin \"PrioritySort\" does not extend FilterPlugin plugin",
    ]) {
        assert!(line.starts_with(expected), "{line} starts with {expected}");
    }
}
