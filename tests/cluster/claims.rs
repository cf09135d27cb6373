//! Pods with resource claims: where allocated devices can be used, and who is entered among their users.

use core::time::Duration;
use std::collections::BTreeSet;

use berth_tests::cluster::{Api, Asked, ControlPlane, Fault, Proxy, Scheduler};
use serde_json::{Value, json};

use crate::common::{node, pod};

#[test]
fn pods_follow_allocated_claims_and_are_entered_among_their_users_as_by_the_real_scheduler() {
    for which in ["berth", "kube-scheduler"] {
        // The controller of claims would enter pods that have a node, whoever forgot to.
        let Some(plane) = ControlPlane::start_with(Some(CONTROLLERS)) else {
            return;
        };
        let api = Api::new(&plane.kubeconfig("admin"));
        api.create_all((0..5).map(node).collect());
        let configuration = Scheduler::configuration(&plane, "");
        let arguments = ["--config", &*configuration];
        let scheduler = if which == "berth" {
            Scheduler::berth(&plane, which, &arguments)
        } else {
            Scheduler::real(&plane, &arguments)
        };
        for name in ["shared", "elsewhere"] {
            api.create(&claim(name));
        }
        allocate(&api, "shared", "node-0003");
        allocate(&api, "elsewhere", "no-such-node");
        // In use: kube-scheduler takes devices away that nobody uses, to give the claim others.
        let used = json!({"status": {"reservedFor": [{"resource": "pods", "name": "gone", "uid": "1-2-3"}]}});
        api.call("PATCH", &format!("{}/status", path("elsewhere")), &used);
        // Many at once: each must be entered, whoever else is at the same moment.
        let sharing: Vec<String> = (0..PODS)
            .map(|number| format!("sharing-{number}"))
            .collect();
        let pods = sharing.iter().map(|name| with_claim(name, "shared"));
        api.create_all(pods.collect());
        api.create(&with_claim("stranded", "elsewhere"));
        api.create(&with_claim("early", "late"));
        api.wait("the pods that share a claim are bound", LIMIT, |api| {
            api.bound("default") == PODS
        });
        let pods = api.pods("default");
        for name in &sharing {
            let pod = &pods[name];
            assert_eq!(pod["spec"]["nodeName"], "node-0003", "{which}: {name}");
        }
        let expected: BTreeSet<String> = sharing
            .iter()
            .map(|name| text(&pods[name]["metadata"]["uid"]))
            .collect();
        let shared = api.get(&path("shared"));
        assert_eq!(users(&shared), expected, "{which}: {shared}");
        assert_eq!(
            shared["status"]["allocation"],
            allocation("node-0003"),
            "{which}: what was given is as it was"
        );

        api.wait("it is said where the claim is", LIMIT, |api| {
            !message(api, "stranded").is_empty()
        });
        assert_eq!(
            message(&api, "stranded"),
            "0/5 nodes are available: 5 resourceclaim not available on the node. still not schedulable, preemption: 0/5 nodes \
             are available: 5 Preemption is not helpful for scheduling.",
            "{which}"
        );
        // What is not there yet is waited for without a word.
        assert_eq!(message(&api, "early"), "", "{which}");
        api.create(&claim("late"));
        allocate(&api, "late", "node-0001");
        api.wait("its claim has come", LIMIT, |api| {
            api.get("/api/v1/namespaces/default/pods/early")["spec"]["nodeName"] == "node-0001"
        });
        let early = api.get("/api/v1/namespaces/default/pods/early");
        let only: BTreeSet<String> = [text(&early["metadata"]["uid"])].into();
        assert_eq!(users(&api.get(&path("late"))), only, "{which}");
        drop(scheduler);
    }
}

#[test]
fn a_pod_whose_binding_is_refused_is_no_user_of_its_claim_until_it_is_bound() {
    let Some(plane) = ControlPlane::start_with(Some(CONTROLLERS)) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..5).map(node).collect());
    api.create(&claim("shared"));
    allocate(&api, "shared", "node-0003");
    let proxy = Proxy::start(&plane.kubeconfig("scheduler"), misfortune);
    let configuration = plane.folder().join("refused.yaml");
    let text = format!(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n\
         leaderElection: {{leaderElect: false}}\nclientConnection: {{kubeconfig: {}}}\n",
        proxy.kubeconfig().display()
    );
    std::fs::write(&configuration, text).expect("a file can be written");
    let configuration = configuration.display().to_string();
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    for name in ["lucky", "unlucky"] {
        api.create(&with_claim(name, "shared"));
    }
    api.wait("the unlucky one was refused", LIMIT, |api| {
        message(api, "unlucky").contains("the proxy says 500")
    });
    api.wait("it is no user any more", LIMIT, |api| {
        users(&api.get(&path("shared"))) == uids(api, &["lucky"])
    });
    // A pod that goes while its binding is on its way was entered and must not stay.
    api.create(&with_claim("doomed", "shared"));
    api.wait("it is a user before it is bound", LIMIT, |api| {
        users(&api.get(&path("shared"))).is_superset(&uids(api, &["lucky", "doomed"]))
    });
    for name in ["unlucky", "doomed"] {
        let path = format!("/api/v1/namespaces/default/pods/{name}?gracePeriodSeconds=0");
        api.call("DELETE", &path, &Value::Null);
    }
    api.create(&with_claim("next", "shared"));
    api.wait("it is a user and they are not", LIMIT, |api| {
        users(&api.get(&path("shared"))) == uids(api, &["lucky", "next"])
    });
    api.wait("the next one is bound", LIMIT, |api| {
        api.get("/api/v1/namespaces/default/pods/next")["spec"]["nodeName"] == "node-0003"
    });
    let shared = api.get(&path("shared"));
    assert_eq!(users(&shared), uids(&api, &["lucky", "next"]), "{shared}");
    assert_eq!(shared["status"]["allocation"], allocation("node-0003"));
    drop(scheduler);
}

fn misfortune(asked: Asked<'_>) -> Fault {
    let is_for = |name: &str| asked.is_binding() && asked.path.contains(name);
    if is_for("/unlucky/") {
        Fault::Status(500)
    } else if is_for("/doomed/") {
        Fault::Late(Duration::from_secs(4))
    } else {
        Fault::None
    }
}

/// The UIDs of these pods.
fn uids(api: &Api, names: &[&str]) -> BTreeSet<String> {
    let pods = api.pods("default");
    let uid = |name: &&str| text(&pods[*name]["metadata"]["uid"]);
    names.iter().map(uid).collect()
}

#[test]
fn a_pod_whose_claim_would_have_to_be_allocated_waits_and_is_told_so() {
    let Some(plane) = ControlPlane::start() else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..5).map(node).collect());
    let configuration = Scheduler::configuration(&plane, "");
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    api.create(&claim("wanted"));
    api.create(&with_claim("waiting", "wanted"));
    api.wait("it is told so", LIMIT, |api| {
        message(api, "waiting").contains("resource claims are not allocated by this scheduler yet")
    });
    // Somebody else may allocate it.
    allocate(&api, "wanted", "node-0002");
    api.wait("it follows its claim", LIMIT, |api| {
        api.get("/api/v1/namespaces/default/pods/waiting")["spec"]["nodeName"] == "node-0002"
    });
    drop(scheduler);
}

fn claim(name: &str) -> Value {
    json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "one", "exactly": {
            "deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 1,
        }}]}},
    })
}

/// Gives a claim a device that can be used from one node, as a scheduler that allocates would.
fn allocate(api: &Api, name: &str, node: &str) {
    let status = json!({"status": {"allocation": allocation(node)}});
    api.call("PATCH", &format!("{}/status", path(name)), &status);
}

/// Without an instant kube-scheduler would write one, which is refused: what was given never changes.
fn allocation(node: &str) -> Value {
    json!({
        "allocationTimestamp": "2026-01-01T00:00:00Z",
        "devices": {"results": [{"request": "one", "driver": "gpu.example.com", "pool": node, "device": "gpu-0"}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": [node]},
        ]}]},
    })
}

fn path(name: &str) -> String {
    format!("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/{name}")
}

fn with_claim(name: &str, claim: &str) -> Value {
    let mut pod = pod(0);
    pod["metadata"]["name"] = json!(name);
    pod["spec"]["resourceClaims"] = json!([{"name": "gpu", "resourceClaimName": claim}]);
    pod["spec"]["containers"][0]["resources"]["claims"] = json!([{"name": "gpu"}]);
    pod
}

/// The UIDs of a claim's users.
fn users(claim: &Value) -> BTreeSet<String> {
    let users = claim["status"]["reservedFor"]
        .as_array()
        .into_iter()
        .flatten();
    let pods = users.inspect(|user| assert_eq!(user["resource"], "pods", "{claim}"));
    pods.map(|user| text(&user["uid"])).collect()
}

/// Why a pod is not scheduled, as its condition says; empty where it says nothing.
fn message(api: &Api, name: &str) -> String {
    let pod = api.get(&format!("/api/v1/namespaces/default/pods/{name}"));
    let conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    let mut scheduled = conditions.filter(|condition| condition["type"] == "PodScheduled");
    scheduled
        .next()
        .map_or_else(String::new, |condition| text(&condition["message"]))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

const CONTROLLERS: &str =
    "*,-node-lifecycle-controller,-taint-eviction-controller,-resourceclaim-controller";
const PODS: usize = 12;
const LIMIT: Duration = Duration::from_secs(60);
