//! The manifests: a server takes them, and what they give is enough to schedule, and all that is needed.

use core::time::Duration;
use std::process::Command;

use berth_tests::cluster::{Api, ControlPlane, Scheduler};
use berth_tests::root;
use serde_json::{Value, json};

use crate::asker::{Asker, free_port};
use crate::common::{node, pod};

#[test]
fn with_the_manifests_alone_a_second_scheduler_binds_its_pods() {
    deploy("second-scheduler", "berth", "berth");
}

#[test]
fn with_the_manifests_alone_a_replacement_binds_all_pods_and_its_own_first() {
    deploy("replacement", "default-scheduler", "kube-scheduler");
}

/// Applies a folder of manifests and runs what they describe, with the service account that they make.
fn deploy(folder: &str, scheduler_name: &str, lease: &str) {
    let Some(plane) = ControlPlane::start().filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    let said = apply(&plane, folder, &["--dry-run=server"]);
    assert_eq!(
        said.matches("created (server dry run)").count(),
        OBJECTS,
        "{said}"
    );
    let said = apply(&plane, folder, &[]);
    assert_eq!(said.matches(" created").count(), OBJECTS, "{said}");
    api.create_all((0..3).map(node).collect());

    let deployment = api.get("/apis/apps/v1/namespaces/kube-system/deployments/berth");
    let container = &deployment["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(
        container["args"],
        json!(["run", "--config=/etc/berth/config.yaml"])
    );
    let maps = api.list("/api/v1/namespaces/kube-system/configmaps");
    let is_ours = |map: &&Value| {
        let name = map["metadata"]["name"].as_str().unwrap_or_default();
        name.starts_with("berth-config-")
    };
    let text = maps.iter().find(is_ours).expect("it has a configuration")["data"]["config.yaml"]
        .as_str()
        .expect("it is a text");
    let config = plane.folder().join("config.yaml");
    std::fs::write(&config, text).expect("a file can be written");
    let config = format!("--config={}", config.display());
    let request = json!({
        "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600},
    });
    let path = "/api/v1/namespaces/kube-system/serviceaccounts/berth/token";
    let token = api.call("POST", path, &request)["status"]["token"].clone();
    let token = token.as_str().expect("the account has a token");

    // Ports are the machine's here; in a pod they would be its own.
    let port = free_port();
    let at = format!("--secure-port={port}");
    let arguments = ["run", &config, &at, "--bind-address=127.0.0.1"];
    let scheduler = Scheduler::berth_in_pod(&plane, "berth", token, &arguments);
    let mut mine = pod(0);
    mine["spec"]["schedulerName"] = json!(scheduler_name);
    api.create(&mine);
    api.wait("the pod is bound", LIMIT, |api| api.bound("default") == 1);
    let holder = api.get(&format!(
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/{lease}"
    ));
    assert!(holder["spec"]["holderIdentity"].is_string(), "{holder}");
    let url = |path: &str| format!("https://127.0.0.1:{port}{path}");
    // The paths of the probes.
    for path in ["/livez", "/readyz"] {
        assert_eq!(Asker::nobody().get(&url(path)), (200, "ok".to_owned()));
    }
    // The account may have others' tokens and rights looked up.
    let admin = Asker::user(&plane, "admin");
    assert_eq!(admin.get(&url("/metrics")).0, 200, "{}", scheduler.log());
    assert_eq!(Asker::user(&plane, "nobody").get(&url("/metrics")).0, 403);
    if folder == "replacement" {
        // Nobody else could place the scheduler itself.
        api.wait("both replicas are bound", LIMIT, |api| {
            api.bound("kube-system") == 2
        });
    }
    let events = "/apis/events.k8s.io/v1/namespaces/default/events";
    api.wait("it is said", LIMIT, |api| {
        api.list(events)
            .iter()
            .any(|event| event["reason"] == "Scheduled")
    });
    let log = scheduler.log();
    for word in ["missing right", "forbidden", "ERROR"] {
        assert!(!log.contains(word), "{log}");
    }
}

fn apply(plane: &ControlPlane, folder: &str, more: &[&str]) -> String {
    let output = Command::new(plane.program("kubectl"))
        .arg("--kubeconfig")
        .arg(plane.kubeconfig("admin"))
        // Not in the home of whoever runs the tests.
        .arg("--cache-dir")
        .arg(plane.folder().join("kubectl"))
        .arg("apply")
        .args(more)
        .arg("-k")
        .arg(root().join("native/deploy").join(folder))
        .output()
        .expect("kubectl starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{folder}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A service account, two cluster role bindings, a role with its binding, a binding for reading who signs certificates, a
/// configuration, a deployment and a disruption budget.
const OBJECTS: usize = 9;
const LIMIT: Duration = Duration::from_secs(60);
