//! What the API server refuses, rule by rule.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::check;
use crate::api::Object;
use crate::config::Gates;
use crate::sim::defaults;

/// The paths of what is wrong with an object.
fn faults(value: Value) -> Vec<String> {
    let mut object = Object::from_value(&value).unwrap();
    defaults::apply(&mut object);
    let faults = check(&object, Gates::default());
    faults.iter().map(|fault| fault.path.to_string()).collect()
}

fn pod(spec: Value) -> Value {
    let mut spec = spec;
    if spec.get("containers").is_none() {
        spec["containers"] = json!([{"name": "c", "image": "i"}]);
    }
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec})
}

fn container(fields: Value) -> Value {
    let mut container = json!({"name": "c", "image": "i"});
    for (name, value) in fields.as_object().unwrap() {
        container[name] = value.clone();
    }
    pod(json!({"containers": [container]}))
}

#[track_caller]
fn check_pod(spec: Value, expected: &[&str]) {
    assert_eq!(faults(pod(spec.clone())), expected, "{spec}");
}

#[test]
fn a_plain_pod_is_right() {
    check_pod(json!({}), &[]);
}

#[test]
fn names_and_labels_have_their_forms() {
    let named = |metadata: Value| {
        let mut value = pod(json!({}));
        value["metadata"] = metadata;
        faults(value)
    };
    assert_eq!(named(json!({})), ["metadata.name"]);
    assert_eq!(named(json!({"generateName": "p-"})), [""; 0]);
    assert_eq!(named(json!({"name": "Upper"})), ["metadata.name"]);
    assert_eq!(
        named(json!({"name": "p", "namespace": "a.b"})),
        ["metadata.namespace"]
    );
    assert_eq!(
        named(json!({"name": "p", "labels": {"zone": "zürich"}})),
        ["metadata.labels.zone"]
    );
    assert_eq!(
        named(json!({"name": "p", "labels": {"-": ""}})),
        ["metadata.labels.-"]
    );
    assert_eq!(
        named(json!({"name": "p", "annotations": {"note": "🚀", "Example.com/x": ""}})),
        [""; 0]
    );
    assert_eq!(
        named(json!({"name": "p", "annotations": {"n": "x".repeat(300_000)}})),
        ["metadata.annotations"]
    );
}

#[test]
fn containers_have_names_images_and_ports() {
    check_pod(json!({"containers": []}), &["spec.containers"]);
    let containers =
        json!([{"name": "a", "image": "i"}, {"name": "a", "image": ""}, {"image": "i"}]);
    check_pod(
        json!({"containers": containers}),
        &[
            "spec.containers[1].image",
            "spec.containers[1].name",
            "spec.containers[2].name",
        ],
    );
    let port = |port: Value| faults(container(json!({"ports": [port]})));
    assert_eq!(
        port(json!({"containerPort": 0})),
        ["spec.containers[0].ports[0].containerPort"]
    );
    assert_eq!(
        port(json!({"containerPort": 80, "hostPort": 70_000})),
        ["spec.containers[0].ports[0].hostPort"]
    );
    assert_eq!(
        port(json!({"containerPort": 80, "protocol": "ICMP"})),
        ["spec.containers[0].ports[0].protocol"]
    );
    let twice = json!({"ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}]});
    assert_eq!(
        faults(container(twice)),
        ["spec.containers[0].ports[1].hostPort"]
    );
}

#[test]
fn the_nodes_network_takes_the_containers_port() {
    let spec = |port: Value| json!({"hostNetwork": true, "containers": [{"name": "c", "image": "i", "ports": [port]}]});
    check_pod(spec(json!({"containerPort": 80})), &[]);
    check_pod(
        spec(json!({"containerPort": 80, "hostPort": 81})),
        &["spec.containers[0].ports[0].hostPort"],
    );
}

#[test]
fn amounts_are_not_negative_and_not_above_their_limit() {
    let resources = |requests: Value, limits: Value| {
        faults(container(
            json!({"resources": {"requests": requests, "limits": limits}}),
        ))
    };
    let at = |rest: &str| [format!("spec.containers[0].resources.{rest}")];
    assert_eq!(
        resources(json!({"cpu": "-1"}), json!({})),
        at("requests.cpu")
    );
    assert_eq!(
        resources(json!({"cpu": "2"}), json!({"cpu": "1"})),
        at("requests.cpu")
    );
    assert_eq!(resources(json!({"cpu": "1"}), json!({"cpu": "2"})), [""; 0]);
    assert_eq!(
        resources(json!({"storage": "1"}), json!({})),
        at("requests.storage")
    );
    assert_eq!(
        resources(json!({"example.com/gpu": "1"}), json!({})),
        at("requests[example.com/gpu]")
    );
    let half = json!({"example.com/gpu": "500m"});
    assert_eq!(
        resources(half.clone(), half),
        [
            at("limits[example.com/gpu]"),
            at("requests[example.com/gpu]")
        ]
        .concat()
    );
    let pages = json!({"hugepages-2Mi": "2Mi"});
    assert_eq!(
        resources(json!({}), pages),
        ["spec.containers[0].resources"]
    );
}

#[test]
fn tolerations_have_an_operator_that_goes_with_the_rest() {
    let toleration = |toleration: Value| faults(pod(json!({"tolerations": [toleration]})));
    assert_eq!(toleration(json!({"operator": "Exists"})), [""; 0]);
    assert_eq!(
        toleration(json!({"value": "x"})),
        ["spec.tolerations[0].operator"]
    );
    assert_eq!(
        toleration(json!({"key": "k", "operator": "Exists", "value": "x"})),
        ["spec.tolerations[0].value"]
    );
    assert_eq!(
        toleration(json!({"key": "k", "operator": "Gt", "value": "1"})),
        ["spec.tolerations[0].operator"]
    );
    assert_eq!(
        toleration(json!({"key": "k", "effect": "Never"})),
        ["spec.tolerations[0].effect"]
    );
    assert_eq!(
        toleration(json!({"key": "k", "tolerationSeconds": 3})),
        ["spec.tolerations[0].effect"]
    );
}

#[test]
fn node_affinity_compares_one_name_and_known_operators() {
    let term = |term: Value| {
        let selector = json!({"nodeSelectorTerms": [term]});
        faults(pod(
            json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": selector}}}),
        ))
    };
    let at = |rest: &str| {
        [format!(
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].{rest}"
        )]
    };
    let field = |operator: &str, values: Value| {
        term(
            json!({"matchFields": [{"key": "metadata.name", "operator": operator, "values": values}]}),
        )
    };
    assert_eq!(field("In", json!(["a"])), [""; 0]);
    assert_eq!(field("In", json!(["a", "b"])), at("matchFields[0].values"));
    assert_eq!(field("Exists", json!([])), at("matchFields[0].operator"));
    let label = |operator: &str, values: Value| {
        term(json!({"matchExpressions": [{"key": "k", "operator": operator, "values": values}]}))
    };
    assert_eq!(
        label("Exists", json!(["x"])),
        at("matchExpressions[0].values")
    );
    assert_eq!(label("In", json!([])), at("matchExpressions[0].values"));
    assert_eq!(
        label("Near", json!(["x"])),
        at("matchExpressions[0].operator")
    );
    assert_eq!(term(json!({})), [""; 0]);
}

#[test]
fn pod_affinity_has_a_key_and_a_weight() {
    let affinity = |value: Value| faults(pod(json!({"affinity": {"podAffinity": value}})));
    let required =
        json!({"requiredDuringSchedulingIgnoredDuringExecution": [{"labelSelector": {}}]});
    assert_eq!(
        affinity(required),
        ["spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey"]
    );
    let preferred = json!({"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 101, "podAffinityTerm": {"topologyKey": "zone", "matchLabelKeys": ["x"]}}]});
    let at = "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]";
    assert_eq!(
        affinity(preferred),
        [
            format!("{at}.weight"),
            format!("{at}.podAffinityTerm.matchLabelKeys")
        ]
    );
}

#[test]
fn spread_constraints_differ_in_key_or_action() {
    let spread =
        |constraints: Value| faults(pod(json!({"topologySpreadConstraints": constraints})));
    let hard = json!({"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"});
    let soft = json!({"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"});
    assert_eq!(spread(json!([hard, soft])), [""; 0]);
    assert_eq!(
        spread(json!([hard, soft, hard])),
        ["spec.topologySpreadConstraints[2]"]
    );
    let wrong = json!({"maxSkew": 0, "topologyKey": "", "whenUnsatisfiable": "Maybe", "minDomains": 2, "nodeTaintsPolicy": "x"});
    let at = |field: &str| format!("spec.topologySpreadConstraints[0].{field}");
    assert_eq!(
        spread(json!([wrong])),
        [
            "maxSkew",
            "topologyKey",
            "whenUnsatisfiable",
            "minDomains",
            "nodeTaintsPolicy"
        ]
        .map(at)
    );
}

#[test]
fn a_gated_pod_has_no_node() {
    check_pod(
        json!({"nodeName": "n", "schedulingGates": [{"name": "a"}, {"name": "a"}]}),
        &["spec.schedulingGates[1]", "spec.nodeName"],
    );
}

#[test]
fn nodes_have_taints_that_differ() {
    let node = |spec: Value, status: Value| {
        faults(
            json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": spec, "status": status}),
        )
    };
    let taint = json!({"key": "k", "effect": "NoSchedule"});
    assert_eq!(
        node(json!({"taints": [taint, taint]}), json!({})),
        ["spec.taints[1]"]
    );
    assert_eq!(
        node(json!({"taints": [{"key": "k"}]}), json!({})),
        ["spec.taints[0].effect"]
    );
    assert_eq!(
        node(json!({}), json!({"capacity": {"cpu": "-1"}})),
        ["status.capacity.cpu", "status.allocatable.cpu"]
    );
}

#[test]
fn workloads_select_their_own_pods() {
    let set = |selector: Value, labels: Value| {
        faults(
            json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "s"}, "spec": {"selector": selector,
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}),
        )
    };
    let app = json!({"app": "a"});
    assert_eq!(set(json!({"matchLabels": app}), app.clone()), [""; 0]);
    assert_eq!(
        set(json!({"matchLabels": app}), json!({})),
        ["spec.template.metadata.labels"]
    );
    assert_eq!(set(Value::Null, app.clone()), ["spec.selector"]);
    let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"parallelism": -1,
        "template": {"spec": {"restartPolicy": "Always", "containers": [{"name": "c", "image": "i"}]}}}});
    assert_eq!(
        faults(job),
        ["spec.parallelism", "spec.template.spec.restartPolicy"]
    );
}

#[test]
fn classes_of_importance_leave_the_top_to_the_system() {
    let class = |name: &str, value: i64| {
        faults(
            json!({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}),
        )
    };
    assert_eq!(class("high", 1_000_000_000), [""; 0]);
    assert_eq!(class("high", 1_000_000_001), ["value"]);
    assert_eq!(class("system-mine", 5), ["metadata.name"]);
    assert_eq!(class("system-node-critical", 2_000_001_000), [""; 0]);
    assert_eq!(class("system-node-critical", 5), ["value"]);
}

#[test]
fn volumes_and_claims_say_how_large_they_are() {
    let claim = json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": {}});
    assert_eq!(
        faults(claim),
        ["spec.accessModes", "spec.resources.requests.storage"]
    );
    let volume = json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"},
        "spec": {"accessModes": ["Sometimes"], "capacity": {"storage": "1Gi"}}});
    assert_eq!(faults(volume), ["spec.accessModes[0]"]);
    let class = json!({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "s"}, "volumeBindingMode": "Later"});
    assert_eq!(faults(class), ["provisioner", "volumeBindingMode"]);
}

#[test]
fn a_message_says_what_was_found_and_what_was_expected() {
    let mut object = Object::from_value(&pod(json!({"restartPolicy": "Sometimes"}))).unwrap();
    defaults::apply(&mut object);
    let faults = check(&object, Gates::default());
    assert_eq!(
        faults[0].error.to_string(),
        "\"Sometimes\" is not known; expected Always, OnFailure or Never"
    );
}
