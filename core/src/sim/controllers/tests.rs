//! What controllers make of their objects.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey};
use crate::sim::Simulation;
use crate::sim::testing::{NODE, finished, placements, pods};

fn workload(kind: &str, name: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"apps/v1","kind":"{kind}","metadata":{{"name":"{name}"}},"spec":{{"selector":{{"matchLabels":{{"app":"{name}"}}}},
            "template":{{"metadata":{{"labels":{{"app":"{name}"}}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}{spec}}}}}"#
    )
}

fn with_timeline(objects: &[&str], timeline: &str) -> Simulation {
    let scenario = format!(
        r#"{{"apiVersion":"berth/v1","kind":"Scenario","spec":{{"timeline":[{timeline}]}}}}"#
    );
    let mut documents: Vec<&str> = objects.to_vec();
    documents.push(&scenario);
    finished(&documents.join("\n---\n"))
}

fn names(simulation: &Simulation) -> Vec<String> {
    pods(simulation)
        .into_iter()
        .map(|pod| pod.metadata.name)
        .collect()
}

#[test]
fn a_deployment_makes_its_pods_through_a_replica_set() {
    let text = [NODE, &workload("Deployment", "web", r#","replicas":3"#)].join("\n---\n");
    let simulation = finished(&text);
    let pods = pods(&simulation);
    assert_eq!(pods.len(), 3);
    for pod in &pods {
        assert!(
            pod.metadata.name.starts_with("web-"),
            "{}",
            pod.metadata.name
        );
        assert_eq!(pod.spec.node_name, "n1");
        assert!(pod.metadata.labels.contains_key("pod-template-hash"));
        let owner = pod.metadata.controller_owner().unwrap();
        assert_eq!(owner.kind, "ReplicaSet");
    }
    assert_eq!(names(&simulation), names(&finished(&text)), "names repeat");
}

#[test]
fn a_new_template_replaces_pods_step_by_step() {
    let patch = r#"{"at":5,"patch":{"kind":"Deployment","name":"web","patch":{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"new"}]}}}}}}"#;
    let simulation = with_timeline(
        &[NODE, &workload("Deployment", "web", r#","replicas":3"#)],
        patch,
    );
    let pods = pods(&simulation);
    assert_eq!(pods.len(), 3, "{:?}", names(&simulation));
    assert!(pods.iter().all(|pod| pod.spec.containers[0].image == "new"));
    assert_eq!(simulation.world().gone().len(), 3);
}

#[test]
fn scaling_down_takes_pending_pods_first() {
    let node = NODE.replace(r#""pods":"10""#, r#""pods":"2""#);
    let patch =
        r#"{"at":5,"patch":{"kind":"ReplicaSet","name":"web","patch":{"spec":{"replicas":2}}}}"#;
    let simulation = with_timeline(
        &[&node, &workload("ReplicaSet", "web", r#","replicas":4"#)],
        patch,
    );
    let placed = placements(&simulation);
    assert_eq!(placed.len(), 2);
    assert!(placed.iter().all(|(_, node)| node == "n1"), "{placed:?}");
}

#[test]
fn a_lost_pod_is_replaced() {
    let text = [NODE, &workload("ReplicaSet", "web", "")].join("\n---\n");
    let name = names(&finished(&text)).remove(0);
    let delete =
        format!(r#"{{"at":5,"delete":{{"kind":"Pod","name":"{name}","gracePeriodSeconds":0}}}}"#);
    let simulation = with_timeline(&[NODE, &workload("ReplicaSet", "web", "")], &delete);
    let after = names(&simulation);
    assert_eq!(after.len(), 1);
    assert_ne!(after[0], name);
}

#[test]
fn an_owner_that_is_deleted_takes_its_pods_along() {
    let delete = r#"{"at":5,"delete":{"kind":"Deployment","name":"web"}}"#;
    let simulation = with_timeline(&[NODE, &workload("Deployment", "web", "")], delete);
    assert_eq!(names(&simulation), [""; 0]);
    assert_eq!(simulation.world().list(Kind::ReplicaSet).count(), 0);
}

#[test]
fn pods_of_an_owner_that_a_dump_leaves_out_stay() {
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"old","uid":"u1","ownerReferences":[
        {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"gone","uid":"u2","controller":true}]},
        "spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    assert_eq!(names(&finished(&[NODE, pod].join("\n---\n"))), ["old"]);
}

#[test]
fn pods_that_are_there_already_are_not_made_again() {
    let set = workload("ReplicaSet", "web", r#","replicas":1"#).replace(
        r#""metadata":{"name":"web"}"#,
        r#""metadata":{"name":"web","uid":"u2"}"#,
    );
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-abc","uid":"u1","ownerReferences":[
        {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u2","controller":true}]},
        "spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    assert_eq!(
        names(&finished(&[NODE, pod, &set].join("\n---\n"))),
        ["web-abc"]
    );
}

#[test]
fn a_stateful_set_makes_one_pod_after_another_each_with_its_claim() {
    let class = r#"{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast"},
        "provisioner":"csi.example.com","volumeBindingMode":"WaitForFirstConsumer"}"#;
    let spec = r#","replicas":2,"serviceName":"db","volumeClaimTemplates":[{"metadata":{"name":"data"},
        "spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"fast","resources":{"requests":{"storage":"1Gi"}}}}]"#;
    let text = [NODE, class, &workload("StatefulSet", "db", spec)].join("\n---\n");
    let simulation = finished(&text);
    let expected = [("db-0", "n1"), ("db-1", "n1")].map(|(a, b)| (a.to_string(), b.to_string()));
    assert_eq!(placements(&simulation), expected);
    for name in ["data-db-0", "data-db-1"] {
        let key = ObjectKey::new(Kind::PersistentVolumeClaim, "default", name);
        let Some(Object::PersistentVolumeClaim(claim)) = simulation.world().get(&key) else {
            panic!("{name}")
        };
        assert_eq!(claim.status.phase, "Bound");
    }
    let order: Vec<_> = simulation
        .events()
        .iter()
        .filter(|event| event.reason == "Scheduled")
        .map(|event| event.regarding.as_str())
        .collect();
    assert_eq!(order, ["default/db-0", "default/db-1"]);
}

/// Source: upstream's DaemonSet controller; a template with a node's name is for that node alone.
#[test]
fn a_daemon_set_whose_template_names_a_node_makes_one_pod() {
    let set = workload("DaemonSet", "log", "")
        .replace(r#""containers""#, r#""nodeName":"n1","containers""#);
    let text = [NODE, &NODE.replace("n1", "n2"), &set].join("\n---\n");
    let nodes: Vec<String> = placements(&finished(&text))
        .into_iter()
        .map(|(_, node)| node)
        .collect();
    assert_eq!(nodes, ["n1"]);
}

#[test]
fn a_daemon_set_pins_a_pod_to_every_node_it_may_run_on() {
    let second = NODE.replace("n1", "n2");
    let tainted = NODE.replace("n1", "n3").replace(
        r#""status""#,
        r#""spec":{"taints":[{"key":"gpu","effect":"NoSchedule"}]},"status""#,
    );
    let cordoned = NODE
        .replace("n1", "n4")
        .replace(r#""status""#, r#""spec":{"unschedulable":true},"status""#);
    let text = [
        NODE,
        &second,
        &tainted,
        &cordoned,
        &workload("DaemonSet", "log", ""),
    ]
    .join("\n---\n");
    let mut nodes: Vec<String> = placements(&finished(&text))
        .into_iter()
        .map(|(_, node)| node)
        .collect();
    nodes.sort();
    assert_eq!(nodes, ["n1", "n2", "n4"]);
}

#[test]
fn a_job_runs_as_many_pods_as_are_missing() {
    let job = r#"{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"sum"},"spec":{"parallelism":2,"completions":3,
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}"#;
    let first = names(&finished(&[NODE, job].join("\n---\n")));
    assert_eq!(first.len(), 2);
    let done = first.iter().map(|name| {
        format!(r#"{{"at":5,"patch":{{"kind":"Pod","name":"{name}","subresource":"status","patch":{{"status":{{"phase":"Succeeded"}}}}}}}}"#)
    });
    let done: Vec<String> = done.collect();
    let simulation = with_timeline(&[NODE, job], &done.join(","));
    let running = pods(&simulation)
        .into_iter()
        .filter(|pod| pod.status.phase == "Running");
    assert_eq!(running.count(), 1, "two of three are done");
}

#[test]
fn what_the_server_refuses_is_said() {
    let class = workload("Deployment", "web", "").replace(
        r#""containers""#,
        r#""priorityClassName":"ghost","containers""#,
    );
    let simulation = finished(&[NODE, &class].join("\n---\n"));
    let troubles = simulation.world().troubles();
    assert_eq!(troubles.len(), 1, "{troubles:?}");
    assert!(
        troubles[0]
            .what
            .contains("no PriorityClass with name ghost"),
        "{troubles:?}"
    );
}

#[test]
fn an_immediate_claim_gets_the_smallest_volume_that_will_do() {
    let class = r#"{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"static"},"provisioner":"kubernetes.io/no-provisioner"}"#;
    let volume = |name: &str, size: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"PersistentVolume","metadata":{{"name":"{name}"}},"spec":{{"capacity":{{"storage":"{size}"}},
            "accessModes":["ReadWriteOnce"],"storageClassName":"static","hostPath":{{"path":"/x"}}}}}}"#
        )
    };
    let claim = r#"{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],
        "storageClassName":"static","resources":{"requests":{"storage":"5Gi"}}}}"#;
    let text = [
        class,
        &volume("a", "1Gi"),
        &volume("b", "20Gi"),
        &volume("c", "10Gi"),
        claim,
    ]
    .join("\n---\n");
    let simulation = finished(&text);
    let key = ObjectKey::new(Kind::PersistentVolumeClaim, "default", "c");
    let Some(Object::PersistentVolumeClaim(claim)) = simulation.world().get(&key) else {
        panic!("the claim is there")
    };
    assert_eq!(claim.spec.volume_name, "c");
}
