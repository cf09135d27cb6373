//! Whose pods are whose, and who may do what.

use core::time::Duration;

use berth_tests::binary::berth;
use berth_tests::cluster::{Api, ControlPlane, Scheduler};
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
    if !plane.has_user("nobody") || !plane.has_user("berth") {
        return;
    }
    let kubeconfig = plane.kubeconfig("nobody").display().to_string();
    let mut nobody = Scheduler::berth(
        &plane,
        "nobody",
        &["--kubeconfig", &kubeconfig, "--leader-elect=false"],
    );
    // Each kind is asked for on its own, and refused in its own time.
    for right in [
        "missing right: verb \"list\" on resource \"pods\" of the core API group",
        "missing right: verb \"list\" on resource \"nodes\" of the core API group",
        "missing right: verb \"list\" on resource \"storageclasses\" of API group storage.k8s.io",
        "missing right: verb \"list\" on resource \"poddisruptionbudgets\" of API group policy",
    ] {
        api.wait(right, LIMIT, |_| nobody.log().contains(right));
    }
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
    assert_eq!(nowhere.code, 1, "{}", nowhere.stderr);
    if !plane.has_user("nobody") {
        return;
    }
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

const PODS: usize = 100;
const LIMIT: Duration = Duration::from_secs(60);
