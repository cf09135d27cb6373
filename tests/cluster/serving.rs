//! What is served, to whom, and that it is what kube-scheduler serves.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};

use berth_tests::cluster::{Api, ControlPlane, Scheduler, pass, tell};
use serde_json::{Value, json};

use crate::asker::{Asker, free_port};
use crate::common::{node, pod, served_at};
use crate::families::{Family, families};

#[test]
fn health_and_metrics_are_served_as_by_the_real_scheduler() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    if !plane.has_user("nobody") {
        return;
    }
    let kubeconfig = plane.kubeconfig("scheduler").display().to_string();
    let (secure, plain) = (free_port(), free_port());
    let plain_port = format!("--plain-port={plain}");
    let flags = served_at(&kubeconfig, &secure);
    let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
    arguments.push(&plain_port);
    let scheduler = Scheduler::berth_serving(&plane, "berth", &arguments);
    let ask = |user: &str, path: &str| {
        Asker::user(&plane, user).get(&format!("https://127.0.0.1:{secure}{path}"))
    };
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
    check_access(&ask);
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
    let configz = format!("http://127.0.0.1:{plain}/configz");
    assert_eq!(Asker::nobody().get(&configz).0, 200, "plain and open");
}

/// Who gets an answer, and who another one.
fn check_access(ask: &dyn Fn(&str, &str) -> (u16, String)) {
    assert_eq!(ask("", "/metrics").0, 403, "nobody in particular");
    assert_eq!(ask("", "/no/such/path").0, 403, "rights come before paths");
    assert_eq!(
        ask("nobody", "/metrics").0,
        403,
        "somebody without the right"
    );
    assert_eq!(ask("wrong", "/metrics").0, 401, "a token that is none");
    assert_eq!(ask("admin", "/no/such/path").0, 404);
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

/// What both schedulers serve after the same has happened to them.
struct Pages {
    metrics: BTreeMap<String, Family>,
    statusz: Value,
    flagz: Value,
    configz: Value,
    /// In which form metrics are served to whoever wants no form, and to whoever wants OpenMetrics.
    forms: [String; 2],
}

#[test]
fn every_metric_and_page_of_the_real_scheduler_is_there_with_its_labels_and_values() {
    let Some(ours) = pages("berth") else { return };
    let Some(theirs) = pages("kube-scheduler") else {
        return;
    };
    let mut differences = Vec::new();
    let mut left_out = Vec::new();
    for (name, real) in &theirs.metrics {
        if NOT_HERE.iter().any(|prefix| name.starts_with(prefix)) {
            left_out.push(&**name);
            continue;
        }
        match ours.metrics.get(name) {
            None if name == SAMPLED => {}
            None => differences.push(format!("{name} is missing")),
            Some(ours) => differences.extend(ours.differences(name, real)),
        }
    }
    for name in ours.metrics.keys() {
        // Which of them is sampled at all is chance.
        if !theirs.metrics.contains_key(name) && name != SAMPLED {
            differences.push(format!("{name} is not one of the real one's"));
        }
    }
    tell(&format!(
        "not served: {} metrics that begin with {}",
        left_out.len(),
        NOT_HERE.join(", ")
    ));
    assert!(differences.is_empty(), "{}", differences.join("\n"));

    assert_eq!(ours.forms, theirs.forms);
    assert_eq!(ours.configz, theirs.configz);
    let keys = |object: &Value| -> BTreeSet<String> {
        let fields = object.as_object().expect("an object");
        fields.keys().cloned().collect()
    };
    let mut expected = keys(&theirs.statusz);
    expected.remove("goVersion");
    assert_eq!(keys(&ours.statusz), expected);
    for field in [
        "kind",
        "apiVersion",
        "metadata",
        "binaryVersion",
        "emulationVersion",
    ] {
        assert_eq!(ours.statusz[field], theirs.statusz[field], "{field}");
    }
    let same = |name: &String| !["secure-port"].contains(&&**name);
    for (name, value) in theirs.flagz["flags"].as_object().expect("flags") {
        let found = &ours.flagz["flags"][name];
        if same(name) {
            assert_eq!(found, value, "--{name}");
        }
    }
}

/// Metrics that are not served: Go's runtime, libraries that are not here, and what is known of the network's counters.
const NOT_HERE: &[&str] = &[
    "aggregator_",
    "apiserver_",
    "authenticated_user_requests",
    "authentication_attempts",
    "authentication_duration_seconds",
    "authentication_token_cache_",
    "authorization_",
    "cardinality_enforcement_",
    "go_",
    "process_network_",
    "process_virtual_memory_max_bytes",
    "registered_metrics_total",
    "rest_client_exec_plugin_",
    "rest_client_transport_",
    "workqueue_",
];
/// Observed in one cycle in ten.
const SAMPLED: &str = "scheduler_plugin_execution_duration_seconds";

/// The same small story for both: two pods fit, one never will, one is gated, and an important one takes the place of
/// another.
fn pages(which: &str) -> Option<Pages> {
    let plane = ControlPlane::start().filter(ControlPlane::is_ours)?;
    let api = Api::new(&plane.kubeconfig("admin"));
    // The same paths for both, as they are told in flags and configuration.
    let kubeconfig = plane.folder().join("../berth-cluster-scheduler.kubeconfig");
    std::fs::copy(plane.kubeconfig("scheduler"), &kubeconfig).expect("a file can be copied");
    let kubeconfig = std::env::temp_dir()
        .join("berth-cluster-scheduler.kubeconfig")
        .display()
        .to_string();
    api.create_all((0..2).map(node).collect());
    // The controller manager writes on each node once: before a scheduler sees it, so that both see the same.
    api.wait("nodes are as they stay", LIMIT, |api| {
        let nodes = api.list("/api/v1/nodes");
        let mut annotations = nodes.iter().map(|node| &node["metadata"]["annotations"]);
        annotations.all(|annotations| annotations["node.alpha.kubernetes.io/ttl"].is_string())
    });
    api.create(&json!({
        "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000,
    }));
    let port = free_port();
    let flags = served_at(&kubeconfig, &port);
    let arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
    let scheduler = if which == "berth" {
        Scheduler::berth_serving(&plane, which, &arguments)
    } else {
        Scheduler::real(&plane, &arguments)
    };
    let asker = Asker::user(&plane, "admin");
    let at = |path: &str| format!("https://127.0.0.1:{port}{path}");
    api.wait("it leads", LIMIT, |_| {
        let (_, metrics) = asker.get(&at("/metrics"));
        metrics.contains("leader_election_master_status{name=\"kube-scheduler\"} 1")
    });
    tell_story(&api);
    // Gauges are set now and then, what was measured is handed in later.
    pass(Duration::from_secs(3));
    let (_, metrics) = asker.get(&at("/metrics"));
    let structured = |path: &str, kind: &str| {
        let accept = format!("Accept: application/json;v=v1beta1;g=config.k8s.io;as={kind}");
        let (code, body) = asker.clone().with_header(&accept).get(&at(path));
        assert_eq!(code, 200, "{which}: {path}: {body}");
        serde_json::from_str(&body).expect("it is JSON")
    };
    let pages = Pages {
        metrics: families(&metrics),
        statusz: structured("/statusz", "Statusz"),
        flagz: structured("/flagz", "Flagz"),
        configz: serde_json::from_str(&asker.get(&at("/configz")).1).expect("it is JSON"),
        forms: [
            "*/*",
            "application/openmetrics-text;version=1.0.0;charset=utf-8",
        ]
        .map(|form| {
            let asker = asker.clone().with_header(&format!("Accept: {form}"));
            asker.content_type(&at("/metrics"))
        }),
    };
    let _ = std::fs::remove_file(&kubeconfig);
    drop(scheduler);
    Some(pages)
}

fn tell_story(api: &Api) {
    let of = |name: &str, cpu: &str| {
        let mut pod = pod(0);
        pod["metadata"]["name"] = json!(name);
        pod["spec"]["containers"][0]["resources"]["requests"]["cpu"] = json!(cpu);
        pod
    };
    let path = |name: &str| format!("/api/v1/namespaces/default/pods/{name}");
    let is_bound = |api: &Api, name: &str| api.get(&path(name))["spec"]["nodeName"].is_string();
    for name in ["a", "b"] {
        api.create(&of(name, "3"));
        api.wait("it is bound", LIMIT, |api| is_bound(api, name));
    }
    let says_no = |api: &Api, name: &str| {
        let status = api.get(&path(name))["status"].to_string();
        status.contains("PodScheduled") && status.contains("\"False\"")
    };
    api.create(&of("large", "64"));
    api.wait("it is not bound", LIMIT, |api| says_no(api, "large"));
    let mut gated = of("gated", "1");
    gated["spec"]["schedulingGates"] = json!([{"name": "example.com/not-yet"}]);
    api.create(&gated);
    pass(Duration::from_secs(1));
    let mut high = of("high", "3");
    high["spec"]["priorityClassName"] = json!("high");
    api.create(&high);
    let mut victim = String::new();
    api.wait("somebody has to go", LIMIT, |api| {
        let gone = api
            .pods("default")
            .into_values()
            .find(|pod| pod["metadata"]["deletionTimestamp"].is_string());
        victim = gone.map_or_else(String::new, |pod| {
            pod["metadata"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        });
        !victim.is_empty()
    });
    // Nobody is in backoff any more when there is room.
    pass(Duration::from_secs(6));
    let now = format!("{}?gracePeriodSeconds=0", path(&victim));
    api.call("DELETE", &now, &Value::Null);
    api.wait("it is bound", LIMIT, |api| is_bound(api, "high"));
}

fn cluster() -> Option<(ControlPlane, Api)> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..30).map(node).collect());
    Some((plane, api))
}

const LIMIT: Duration = Duration::from_secs(60);
