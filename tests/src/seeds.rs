//! A scenario drawn from one seed: nodes, pods, what changes later, and what goes wrong on the way.
//!
//! Everything is drawn from the core's own generator, so a seed that failed once fails everywhere.

use berth_core::config::{Configuration, Extender, ExtenderManagedResource};
use berth_core::rng::{Rng, Seed};
use serde_json::{Value, json};

/// When the last change and the last fault happen, in simulated seconds.
pub const QUIET_AFTER: u64 = 60;

/// Until when a run goes on: long enough for every backoff and for two flushes of unschedulable pods.
pub const UNTIL: u64 = 900;

/// The scenario of a seed, as a document.
#[must_use]
pub fn scenario(seed: u64) -> Value {
    let mut draw = Draw(Rng::new(Seed(seed)));
    let nodes = draw.between(1, 8);
    let mut objects: Vec<Value> = ["low", "high"]
        .iter()
        .map(|name| priority_class(name))
        .collect();
    objects.extend((0..nodes).map(|i| node(&mut draw, i)));
    objects.extend((0..draw.between(3, 25)).map(|i| pod(&mut draw, &format!("p{i}"))));
    let timeline: Vec<Value> = (0..draw.between(0, 25))
        .map(|i| change(&mut draw, i, nodes))
        .collect();
    let faults: Vec<Value> = (0..draw.between(0, 4)).map(|_| fault(&mut draw)).collect();
    json!({
        "apiVersion": "berth/v1",
        "kind": "Scenario",
        "metadata": {"name": format!("seed-{seed}")},
        "spec": {
            "seed": seed,
            "until": format!("{UNTIL}s"),
            "objects": objects,
            "timeline": timeline,
            "simulation": {
                "bindLatency": format!("{}ms", [0, 0, 50, 2500][draw.index(4)]),
                "ties": if draw.one_in(3) { "seeded" } else { "search-order" },
                "faults": faults,
            },
        },
    })
}

/// The configuration of a seed: a third have extenders, which may filter, score, bind, or have a say in preemption.
#[must_use]
pub fn configuration(seed: u64) -> Configuration {
    // Another stream than the scenario's.
    let mut draw = Draw(Rng::new(Seed(seed ^ 0x0065_7874_656e_6465)));
    let mut config = Configuration::default();
    if draw.one_in(3) {
        let extenders = draw.between(1, 2);
        config.extenders = (0..extenders)
            .map(|number| extender(&mut draw, number))
            .collect();
    }
    config
}

fn extender(draw: &mut Draw, number: u64) -> Extender {
    let mut verb = |name: &str, one_in| {
        let has = draw.one_in(one_in);
        if has { name.to_owned() } else { String::new() }
    };
    let (filter_verb, prioritize_verb) = (verb("filter", 2), verb("prioritize", 2));
    let preempt_verb = verb("preempt", 2);
    // Only one of several extenders may bind.
    let bind_verb = if number == 0 {
        verb("bind", 3)
    } else {
        String::new()
    };
    let managed_resources = if draw.one_in(4) {
        vec![ExtenderManagedResource {
            name: DEVICE.to_owned(),
            ignored_by_scheduler: true,
        }]
    } else {
        Vec::new()
    };
    Extender {
        url_prefix: format!("http://extender-{number}"),
        filter_verb,
        prioritize_verb,
        preempt_verb,
        bind_verb,
        weight: 1,
        ignorable: draw.one_in(3),
        managed_resources,
        ..Extender::default()
    }
}

/// What some extenders look after and no node has.
const DEVICE: &str = "example.com/device";

/// Draws of whatever a scenario needs.
struct Draw(Rng);

impl Draw {
    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.0.below(most - least + 1)
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.0.below(times) == 0
    }

    fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.0.below(len as u64)).expect("an index fits")
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }
}

fn priority_class(name: &str) -> Value {
    let value = if name == "high" { 1000 } else { -5 };
    json!({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value})
}

fn node(draw: &mut Draw, number: u64) -> Value {
    let zone = draw.of(&["a", "b", "c"]);
    let cpu = draw.between(1, 6).to_string();
    let resources = json!({"cpu": cpu, "memory": format!("{}Gi", draw.between(1, 8)), "pods": draw.between(2, 12).to_string()});
    let mut node = json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": format!("n{number}"),
            "labels": {"kubernetes.io/hostname": format!("n{number}"), "topology.kubernetes.io/zone": zone},
        },
        "spec": {},
        "status": {"capacity": resources, "allocatable": resources},
    });
    if draw.one_in(5) {
        let effect = draw.of(&["NoSchedule", "PreferNoSchedule", "NoExecute"]);
        node["spec"]["taints"] = json!([{"key": "dedicated", "value": "batch", "effect": effect}]);
    }
    if draw.one_in(10) {
        node["spec"]["unschedulable"] = json!(true);
    }
    node
}

fn pod(draw: &mut Draw, name: &str) -> Value {
    let app = draw.of(&["web", "api", "db"]);
    let mut spec = json!({
        "containers": [{
            "name": "main",
            "image": "registry.example/app:1",
            "resources": {"requests": {"cpu": format!("{}m", 100 * draw.between(1, 20)), "memory": format!("{}Mi", 64 * draw.between(1, 20))}},
        }],
        "terminationGracePeriodSeconds": draw.between(0, 5),
    });
    if draw.one_in(3) {
        spec["priorityClassName"] = json!(draw.of(&["low", "high"]));
    }
    if draw.one_in(6) {
        spec["nodeSelector"] = json!({"topology.kubernetes.io/zone": draw.of(&["a", "b", "c"])});
    }
    if draw.one_in(5) {
        spec["tolerations"] = json!([{"key": "dedicated", "operator": "Exists"}]);
    }
    if draw.one_in(8) {
        spec["containers"][0]["ports"] = json!([{"containerPort": 80, "hostPort": 8080}]);
    }
    if draw.one_in(10) {
        spec["schedulingGates"] = json!([{"name": "example.com/wait"}]);
    }
    if draw.one_in(12) {
        let resources = &mut spec["containers"][0]["resources"];
        resources["requests"][DEVICE] = json!("1");
        resources["limits"] = json!({DEVICE: "1"});
    }
    if draw.one_in(6) {
        let when = draw.of(&["DoNotSchedule", "ScheduleAnyway"]);
        let key = draw.of(&["topology.kubernetes.io/zone", "kubernetes.io/hostname"]);
        spec["topologySpreadConstraints"] = json!([{
            "maxSkew": draw.between(1, 2), "topologyKey": key, "whenUnsatisfiable": when,
            "labelSelector": {"matchLabels": {"app": app}},
        }]);
    }
    if draw.one_in(8) {
        let kind = draw.of(&["podAffinity", "podAntiAffinity"]);
        let term = json!({
            "topologyKey": draw.of(&["topology.kubernetes.io/zone", "kubernetes.io/hostname"]),
            "labelSelector": {"matchLabels": {"app": draw.of(&["web", "api", "db"])}},
        });
        spec["affinity"] =
            json!({kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}});
    }
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": app}},
        "spec": spec,
    })
}

fn change(draw: &mut Draw, number: u64, nodes: u64) -> Value {
    let at = draw.between(0, QUIET_AFTER * 10);
    let at = format!("{}ms", at * 100);
    let name = format!("n{}", draw.between(0, nodes - 1));
    let pod_name = format!("p{}", draw.between(0, 24));
    let patch_node =
        |patch: Value| json!({"at": at, "patch": {"kind": "Node", "name": name, "patch": patch}});
    let patch_pod = |subresource: &str, patch: Value| {
        json!({"at": at, "patch": {
        "kind": "Pod", "namespace": "default", "name": pod_name, "subresource": subresource, "patch": patch}})
    };
    match draw.index(13) {
        10 => patch_pod(
            "",
            json!({"metadata": {"labels": {"app": draw.of(&["web", "api", "db"])}}}),
        ),
        11 => {
            let cpu = format!("{}m", 100 * draw.between(1, 20));
            let container = json!({"name": "main", "resources": {"requests": {"cpu": cpu}}});
            patch_pod("resize", json!({"spec": {"containers": [container]}}))
        }
        12 => {
            let cpu = draw.between(1, 8).to_string();
            json!({"at": at, "patch": {"kind": "Node", "name": name, "subresource": "status",
                "patch": {"status": {"capacity": {"cpu": cpu}, "allocatable": {"cpu": cpu}}}}})
        }
        0..=2 => json!({"at": at, "apply": pod(draw, &format!("late{number}"))}),
        3 => {
            let fresh = 100 + number;
            json!({"at": at, "apply": node(draw, fresh)})
        }
        4 => patch_node(json!({"spec": {"unschedulable": draw.one_in(2)}})),
        5 => {
            let zone = draw.of(&["a", "b", "c"]);
            patch_node(json!({"metadata": {"labels": {"topology.kubernetes.io/zone": zone}}}))
        }
        6 => patch_node(json!({"spec": {"taints": null}})),
        7 => json!({"at": at, "delete": {"kind": "Node", "name": name}}),
        8 => json!({"at": at, "patch": {"kind": "Pod", "namespace": "default", "name": pod_name,
                    "patch": {"spec": {"schedulingGates": [{"$patch": "delete", "name": "example.com/wait"}]}}}}),
        _ => json!({"at": at, "delete": {"kind": "Pod", "namespace": "default", "name": pod_name,
                    "gracePeriodSeconds": draw.between(0, 4)}}),
    }
}

fn fault(draw: &mut Draw) -> Value {
    let mut fault = json!({
        "effect": draw.of(&["any", "bind", "status", "delete", "extender"]),
        "outcome": draw.of(&["slow", "conflict", "refused", "unreachable", "lostAnswer"]),
        "percent": draw.between(10, 60),
        "until": format!("{QUIET_AFTER}s"),
    });
    if draw.one_in(2) {
        fault["delay"] = json!(format!("{}ms", draw.between(1, 40) * 100));
    }
    fault
}
