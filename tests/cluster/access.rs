//! Whose pods are whose, who may do what, and what is served to whom.

use core::time::Duration;
use std::process::Command;

use berth_tests::binary::berth;
use berth_tests::cluster::{Api, ControlPlane, Scheduler};
use berth_tests::root;
use serde_json::{Value, json};

use crate::common::{check_bindings, node, pod};

#[test]
fn two_schedulers_side_by_side_leave_each_others_pods_alone() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let ours = Scheduler::configuration(&plane, "profiles: [{schedulerName: berth}]\n");
    let berth = Scheduler::berth(&plane, "berth", &["--config", &ours]);
    // Named by nobody that runs: it must stay as it is.
    let mut foreign = pod(0);
    foreign["metadata"]["name"] = json!("foreign");
    foreign["spec"]["schedulerName"] = json!("somebody-else");
    api.create(&foreign);
    let before = api.get("/api/v1/namespaces/default/pods/foreign");
    let owned = |number: usize| {
        let mut pod = pod(number);
        if number.is_multiple_of(2) {
            pod["spec"]["schedulerName"] = json!("berth");
        }
        pod
    };
    api.create_all((1..=PODS).map(owned).collect());
    let real_kubeconfig = plane.kubeconfig("scheduler").display().to_string();
    let real = Scheduler::real(
        &plane,
        &["--kubeconfig", &real_kubeconfig, "--leader-elect=false"],
    );
    api.wait("all pods but one are bound", LIMIT, |api| {
        api.bound("default") == PODS
    });
    assert_eq!(
        api.get("/api/v1/namespaces/default/pods/foreign"),
        before,
        "it was touched"
    );
    api.call(
        "DELETE",
        "/api/v1/namespaces/default/pods/foreign",
        &Value::Null,
    );
    check_bindings(&api, PODS);
    for event in api.list("/apis/events.k8s.io/v1/namespaces/default/events") {
        let name = event["regarding"]["name"].as_str().unwrap_or_default();
        assert_ne!(name, "foreign");
        let Some(number) = name
            .strip_prefix("pod-")
            .and_then(|number| number.parse::<usize>().ok())
        else {
            continue;
        };
        let by = if number.is_multiple_of(2) {
            "berth"
        } else {
            "default-scheduler"
        };
        assert_eq!(
            event["reportingController"], by,
            "{name} was scheduled by the wrong one"
        );
    }
    drop((berth, real));
}

#[test]
fn a_missing_right_is_named() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let kubeconfig = plane.kubeconfig("nobody").display().to_string();
    let mut nobody = Scheduler::berth(
        &plane,
        "nobody",
        &["--kubeconfig", &kubeconfig, "--leader-elect=false"],
    );
    api.wait("it complains", LIMIT, |_| {
        nobody
            .log()
            .contains("missing right: verb \"list\" on resource \"pods\"")
    });
    assert!(
        nobody
            .log()
            .contains("resource \"storageclasses\" of API group storage.k8s.io"),
        "{}",
        nobody.log()
    );
    assert!(nobody.is_running(), "rights may yet be given");
    drop(nobody);

    // May read everything, may bind nothing.
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "reader"},
        "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]}],
    });
    api.create(&role);
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "reader"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reader"},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "berth"}],
    });
    api.create(&binding);
    api.create(&pod(0));
    let kubeconfig = plane.kubeconfig("berth").display().to_string();
    let reader = Scheduler::berth(
        &plane,
        "reader",
        &["--kubeconfig", &kubeconfig, "--leader-elect=false"],
    );
    api.wait("it complains", LIMIT, |_| {
        reader.log().contains(
            "missing right: verb \"create\" on resource \"pods/binding\" of the core API group",
        )
    });
    assert_eq!(api.bound("default"), 0);
}

#[test]
fn health_and_metrics_are_served_as_by_the_real_scheduler() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let kubeconfig = plane.kubeconfig("scheduler").display().to_string();
    let (secure, plain) = (free_port(), free_port());
    let arguments = [
        "--kubeconfig",
        &kubeconfig,
        "--authentication-kubeconfig",
        &kubeconfig,
        "--authorization-kubeconfig",
        &kubeconfig,
        "--bind-address",
        "127.0.0.1",
        "--secure-port",
        &secure,
        "--plain-port",
        &plain,
    ];
    let scheduler = Scheduler::berth_serving(&plane, "berth", &arguments);
    let ask =
        |user: &str, path: &str| get(&plane, user, &format!("https://127.0.0.1:{secure}{path}"));
    api.wait("it is ready", LIMIT, |_| ask("", "/readyz").0 == 200);
    api.create_all((0..20).map(pod).collect());
    let mut large = pod(99);
    large["metadata"]["name"] = json!("large");
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!("64");
    api.create(&large);
    api.wait("20 pods are bound", LIMIT, |api| api.bound("default") == 20);

    assert_eq!(
        ask("", "/healthz"),
        (200, "ok".to_owned()),
        "{}",
        scheduler.log()
    );
    assert_eq!(ask("", "/livez").0, 200);
    assert_eq!(
        ask("", "/readyz?verbose").1,
        "[+]leaderElection ok\n[+]shutdown ok\n[+]sched-handler-sync ok\nreadyz check passed\n"
    );
    assert_eq!(ask("", "/metrics").0, 403, "nobody in particular");
    assert_eq!(ask("", "/no/such/path").0, 403, "rights come before paths");
    assert_eq!(
        ask("nobody", "/metrics").0,
        403,
        "somebody without the right"
    );
    assert_eq!(ask("wrong", "/metrics").0, 401, "a token that is none");
    assert_eq!(ask("admin", "/no/such/path").0, 404);
    let (code, metrics) = ask("admin", "/metrics");
    assert_eq!(code, 200);
    for line in METRICS {
        assert!(
            metrics.lines().any(|found| found.starts_with(line)),
            "{line} is not in:\n{metrics}"
        );
    }
    let (_, resources) = ask("admin", "/metrics/resources");
    let pod = "kube_pod_resource_request{namespace=\"default\",pod=\"large\",node=\"\",\
               scheduler=\"default-scheduler\",priority=\"0\",resource=\"cpu\",unit=\"cores\"} 64\n";
    assert!(resources.contains(pod), "{resources}");
    scheduler.signal("USR2");
    api.wait("what it holds is in the log", LIMIT, |_| {
        let log = scheduler.log();
        log.contains("Node name: node-0000")
            && log.contains("activeQ:0; backoffQ:0; unschedulablePods:1")
    });
    assert!(!scheduler.log().contains("Cache mismatch"));
    check_configz(&get(&plane, "", &format!("http://127.0.0.1:{plain}/configz")).1);
}

/// The configuration as it is served.
fn check_configz(configz: &str) {
    let configz: Value = serde_json::from_str(configz).expect("it is JSON");
    assert_eq!(
        configz["componentconfig"]["kind"],
        "KubeSchedulerConfiguration"
    );
    assert_eq!(
        configz["componentconfig"]["profiles"][0]["schedulerName"],
        "default-scheduler"
    );
}

/// Beginnings of lines that must be there after twenty pods were bound and one was not.
const METRICS: &[&str] = &[
    "# HELP scheduler_schedule_attempts_total [STABLE] ",
    "# TYPE scheduler_schedule_attempts_total counter",
    "scheduler_schedule_attempts_total{result=\"scheduled\",profile=\"default-scheduler\"} 20",
    "scheduler_schedule_attempts_total{result=\"unschedulable\",profile=\"default-scheduler\"} ",
    "scheduler_scheduling_attempt_duration_seconds_bucket{result=\"scheduled\",profile=\"default-scheduler\",le=\"0.001\"} ",
    "scheduler_scheduling_attempt_duration_seconds_bucket{result=\"scheduled\",profile=\"default-scheduler\",le=\"16.384\"} ",
    "scheduler_scheduling_attempt_duration_seconds_count{result=\"scheduled\",profile=\"default-scheduler\"} 20",
    "scheduler_scheduling_algorithm_duration_seconds_count ",
    "scheduler_event_handling_duration_seconds_count{event=\"NodeAdd\"} ",
    "scheduler_pending_pods{queue=\"active\"} 0",
    "scheduler_pending_pods{queue=\"unschedulable\"} 1",
    "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"1\"} 20",
    "scheduler_pod_scheduling_attempts_count 20",
    "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"Filter\",status=\"Success\",profile=\"default-scheduler\"} ",
    "scheduler_framework_extension_point_duration_seconds_bucket{extension_point=\"Bind\",status=\"Success\",profile=\"default-scheduler\",le=\"0.2048\"} ",
    "scheduler_queue_incoming_pods_total{queue=\"active\",event=\"UnschedulablePodAdd\"} 21",
    "scheduler_goroutines{operation=\"binding\"} 0",
    "scheduler_cache_size{type=\"nodes\"} 30",
    "scheduler_cache_size{type=\"assumed_pods\"} 0",
    "scheduler_unschedulable_pods{plugin=\"NodeResourcesFit\",profile=\"default-scheduler\"} 1",
    "scheduler_plugin_evaluation_total{plugin=\"NodeResourcesFit\",extension_point=\"PreFilter\",profile=\"default-scheduler\"} ",
    "leader_election_master_status{name=\"kube-scheduler\"} 1",
    "process_cpu_seconds_total ",
];

#[test]
fn a_live_cluster_is_captured_and_explained() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let mut large = pod(99);
    large["metadata"]["name"] = json!("large");
    large["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!("64");
    api.create(&large);
    api.create(&pod(1));
    let kubeconfig = plane.kubeconfig("admin").display().to_string();
    let captured = berth(&["capture", "--kubeconfig", &kubeconfig]);
    assert_eq!(captured.code, 0, "{}", captured.stderr);
    assert!(
        captured.stdout.contains("name: large"),
        "{}",
        captured.stdout
    );
    let redacted = berth(&["capture", "--kubeconfig", &kubeconfig, "--redact"]);
    assert!(
        !redacted.stdout.contains("large") && !redacted.stdout.contains("node-0000"),
        "{}",
        redacted.stdout
    );
    let explain = |pod: &str| {
        berth(&[
            "explain",
            pod,
            "--context",
            "test",
            "--kubeconfig",
            &kubeconfig,
        ])
    };
    let pending = explain("default/large");
    assert_eq!(pending.code, 4, "{}", pending.stderr);
    assert!(
        pending.stdout.contains("Insufficient cpu"),
        "{}",
        pending.stdout
    );
    assert_eq!(explain("pod-00001").code, 0);
    let nowhere = berth(&[
        "explain",
        "large",
        "--context",
        "nowhere",
        "--kubeconfig",
        &kubeconfig,
    ]);
    assert_eq!(nowhere.code, 3, "{}", nowhere.stderr);
    let nobody = plane.kubeconfig("nobody").display().to_string();
    let refused = berth(&["capture", "--kubeconfig", &nobody]);
    assert_eq!(refused.code, 3);
    assert!(
        refused
            .stderr
            .contains("missing right: verb \"list\" on resource"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_manifests_are_what_a_server_takes() {
    let Some((plane, _)) = cluster() else { return };
    for folder in ["second-scheduler", "replacement"] {
        let output = Command::new(plane.program("kubectl"))
            .arg("--kubeconfig")
            .arg(plane.kubeconfig("admin"))
            .args(["apply", "--dry-run=server", "-k"])
            .arg(root().join("native/deploy").join(folder))
            .output()
            .expect("kubectl starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{folder}: {complaint}");
        assert_eq!(
            said.matches("created (server dry run)").count(),
            8,
            "{said}"
        );
    }
}

#[test]
fn a_control_plane_whose_script_is_killed_leaves_nothing_running() {
    let Some(mut plane) = ControlPlane::start().filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    plane.kill_script();
    api.wait("nobody answers", LIMIT, |api| {
        api.try_call("GET", "/readyz", &Value::Null).is_err()
    });
    // Each program has the folder in its arguments.
    let folder = plane.folder().display().to_string();
    api.wait("nothing runs", LIMIT, |_| {
        let processes = std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .map_while(Result::ok);
        let mut arguments = processes.map(|process| std::fs::read(process.path().join("cmdline")));
        !arguments
            .any(|text| text.is_ok_and(|text| String::from_utf8_lossy(&text).contains(&folder)))
    });
}

fn cluster() -> Option<(ControlPlane, Api)> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..30).map(node).collect());
    Some((plane, api))
}

/// The status and the body of a GET as a user of the control plane, whose certificate is not looked at.
fn get(plane: &ControlPlane, user: &str, url: &str) -> (u16, String) {
    let mut curl = Command::new("curl");
    curl.args([
        "--silent",
        "--insecure",
        "--noproxy",
        "*",
        "--write-out",
        "\n%{http_code}",
        url,
    ]);
    let token = match user {
        "" => None,
        "wrong" => Some("wrong".to_owned()),
        _ => {
            let text = std::fs::read_to_string(plane.kubeconfig(user)).expect("the user is there");
            let (_, rest) = text.split_once("token: ").expect("it has a token");
            Some(rest.split('}').next().unwrap_or_default().to_owned())
        }
    };
    if let Some(token) = token {
        curl.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    let output = curl.output().expect("curl starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (body, code) = text.rsplit_once('\n').unwrap_or_default();
    (code.parse().unwrap_or_default(), body.to_owned())
}

fn free_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener
        .local_addr()
        .expect("it has an address")
        .port()
        .to_string()
}

const PODS: usize = 100;
const LIMIT: Duration = Duration::from_secs(60);
