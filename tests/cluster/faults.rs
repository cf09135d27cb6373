//! What happens to a cluster in bad days. In each test every pod that fits is bound exactly once.

use core::time::Duration;

use berth_tests::cluster::{Api, Asked, ControlPlane, Fault, Proxy, Scheduler, pass, tell};
use serde_json::{Value, json};

use crate::common::{check_bindings, check_level, level, node, pod, wait_until_bound};

#[test]
fn nothing_is_lost_when_the_api_server_is_killed_and_comes_back() {
    let Some(mut plane) = ControlPlane::start().filter(ControlPlane::is_ours) else {
        return;
    };
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..NODES).map(node).collect());
    let configuration = limited(&plane.kubeconfig("scheduler"), &plane, 40);
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    // A good day first, so that there is something to compare with.
    api.create_all((0..2 * PODS).map(pod).collect());
    wait_until_bound(&api, "default", LIMIT);
    let before = level(&api, &scheduler);
    api.create_all((0..PODS).map(pod).collect());
    api.wait("some pods are bound", LIMIT, |api| {
        api.bound("default") > 20
    });
    plane.kill("kube-apiserver");
    pass(Duration::from_secs(2));
    plane.start_again("kube-apiserver");
    // Connections of before are gone, and so is the client that had them.
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((PODS..2 * PODS).map(pod).collect());
    wait_until_bound(&api, "default", LIMIT);
    check_bindings(&api, 2 * PODS);
    check_level(before, level(&api, &scheduler));
}

#[test]
fn watches_that_end_every_200_ms_lose_nothing_and_keep_no_memory() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let proxy = Proxy::start(&plane.kubeconfig("scheduler"), |asked| {
        if asked.path.contains("watch=true") {
            Fault::CutAfter(Duration::from_millis(200))
        } else {
            Fault::None
        }
    });
    let configuration = limited(proxy.kubeconfig(), &plane, 200);
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    let mut levels = Vec::new();
    for wave in 0..4 {
        api.create_all((wave * PODS..(wave + 1) * PODS).map(pod).collect());
        wait_until_bound(&api, "default", LIMIT);
        check_bindings(&api, PODS);
        assert_eq!(
            proxy.bound(),
            (wave + 1) * PODS,
            "the server said yes that often"
        );
        levels.push(level(&api, &scheduler));
    }
    tell(&format!(
        "memory after each of four waves of {PODS} pods: {levels:.1?} MiB"
    ));
    check_level(levels[1], levels[3]);
}

#[test]
fn refused_and_lost_requests_are_made_up_for() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let proxy = Proxy::start(&plane.kubeconfig("scheduler"), misfortune);
    let configuration = limited(proxy.kubeconfig(), &plane, 200);
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    let mut levels = Vec::new();
    for wave in 1..=3 {
        api.create_all((0..PODS).map(pod).collect());
        wait_until_bound(&api, "default", LIMIT);
        check_bindings(&api, PODS);
        let (asked, bound) = (proxy.bindings(), proxy.bound());
        assert_eq!(bound, wave * PODS, "the server said yes to each pod once");
        assert!(asked > bound, "some bindings failed");
        tell(&format!(
            "{asked} bindings were asked for, {bound} came about"
        ));
        levels.push(level(&api, &scheduler));
    }
    check_level(levels[1], levels[2]);
}

/// Every other binding goes wrong, each time in another way; of other writes, every fifth.
fn misfortune(asked: Asked<'_>) -> Fault {
    if !asked.is_binding() {
        let is_write = asked.method != "GET";
        return if is_write && asked.before.is_multiple_of(5) {
            Fault::Status(500)
        } else {
            Fault::None
        };
    }
    match asked.before % 12 {
        1 => Fault::Status(409),
        3 => Fault::Status(404),
        5 => Fault::Status(429),
        7 => Fault::Status(500),
        9 => Fault::AnswerLost,
        11 => Fault::Late(Duration::from_secs(2)),
        _ => Fault::None,
    }
}

#[test]
fn a_pod_that_is_deleted_before_its_binding_arrives_harms_nobody() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let proxy = Proxy::start(&plane.kubeconfig("scheduler"), |asked| {
        if asked.is_binding() && asked.path.contains("/doomed-") {
            Fault::Late(Duration::from_secs(3))
        } else {
            Fault::None
        }
    });
    let configuration = limited(proxy.kubeconfig(), &plane, 200);
    let scheduler = Scheduler::berth(&plane, "berth", &["--config", &configuration]);
    let doomed = |number: usize| {
        let mut pod = pod(number);
        pod["metadata"]["name"] = json!(format!("doomed-{number}"));
        pod
    };
    let mut levels = Vec::new();
    for wave in 0..3 {
        let (asked, bound) = (proxy.bindings(), proxy.bound());
        assert_eq!(bound, wave * PODS);
        api.create_all((0..10).map(doomed).collect());
        api.wait("they are to be bound", LIMIT, |_| {
            proxy.bindings() == asked + 10
        });
        for number in 0..10 {
            let path =
                format!("/api/v1/namespaces/default/pods/doomed-{number}?gracePeriodSeconds=0");
            api.call("DELETE", &path, &Value::Null);
            // The name comes back as another pod.
            api.create(&doomed(number));
        }
        api.create_all((0..PODS - 10).map(pod).collect());
        wait_until_bound(&api, "default", LIMIT);
        check_bindings(&api, PODS);
        let came_about = proxy.bound() - bound;
        assert_eq!(came_about, PODS, "no pod of the first ten was bound");
        levels.push(level(&api, &scheduler));
    }
    check_level(levels[1], levels[2]);
}

fn cluster() -> Option<(ControlPlane, Api)> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..NODES).map(node).collect());
    Some((plane, api))
}

/// A configuration that goes by way of this kubeconfig, at this rate.
fn limited(kubeconfig: &std::path::Path, plane: &ControlPlane, qps: u32) -> String {
    let path = plane.folder().join("limited.yaml");
    let text = format!(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n\
         leaderElection: {{leaderElect: false}}\n\
         clientConnection: {{kubeconfig: {}, qps: {qps}, burst: {qps}}}\n",
        kubeconfig.display()
    );
    std::fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

const NODES: usize = 30;
const PODS: usize = 200;
const LIMIT: Duration = Duration::from_secs(120);
