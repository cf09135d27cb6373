//! What the simulated API server keeps, refuses and tells.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::{Subresource, World};
use crate::api::{Kind, Object, ObjectKey, Pod, Time};
use crate::config::Gates;
use crate::framework::work::{FailureKind, Outcome};
use crate::scheduler::{Change, Effect, Ticket};
use crate::sim::error::{Fault, Faults};
use crate::snapshot::PodRef;
use crate::time::{Span, Timestamp};

fn world() -> World {
    World::new(
        Gates::default(),
        Time::parse("2026-01-01T00:00:00Z").unwrap(),
    )
}

fn object(value: Value) -> Object {
    Object::from_value(&value).unwrap()
}

fn pod(name: &str, spec: Value) -> Object {
    let mut spec = spec;
    if spec.get("containers").is_none() {
        spec["containers"] = json!([{"name": "c", "image": "i"}]);
    }
    object(json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}))
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new(Kind::Pod, "default", name)
}

fn get(world: &World, name: &str) -> Arc<Pod> {
    world.pod("default", name).cloned().unwrap()
}

fn decode(_: Kind, value: &Value) -> Result<Object, Faults> {
    Object::from_value(value).map_err(|error| [Fault::new(error.path, error.error.into())].into())
}

fn paths(result: Result<(), Faults>) -> Vec<String> {
    let faults = result.unwrap_err();
    faults.iter().map(|fault| fault.path.to_string()).collect()
}

fn bind(world: &World, name: &str, node: &str) -> Effect {
    Effect::Bind {
        ticket: Ticket(1),
        pod: PodRef::of(&get(world, name)),
        node: Arc::from(node),
    }
}

#[test]
fn a_new_object_gets_what_the_server_gives() {
    let mut world = world();
    world.create(pod("a", json!({}))).unwrap();
    let pod = get(&world, "a");
    assert_eq!(pod.metadata.namespace, "default");
    assert_eq!(pod.metadata.uid.len(), 36);
    assert_eq!(pod.metadata.generation, 1);
    assert_eq!(pod.metadata.creation_timestamp, Some(world.epoch()));
    assert_eq!(pod.spec.scheduler_name, "default-scheduler");
    assert_eq!(
        (pod.spec.priority, pod.status.phase.as_str()),
        (Some(0), "Pending")
    );
    let namespace = world
        .get(&ObjectKey::new(Kind::Namespace, "", "default"))
        .unwrap();
    assert_eq!(
        namespace.metadata().labels["kubernetes.io/metadata.name"],
        "default"
    );
}

#[test]
fn identities_follow_from_names_and_from_how_often_one_was_given_away() {
    let uid = |world: &World| get(world, "a").metadata.uid.clone();
    let (mut one, mut two) = (world(), world());
    one.create(pod("b", json!({}))).unwrap();
    for world in [&mut one, &mut two] {
        world.create(pod("a", json!({}))).unwrap();
    }
    assert_eq!(uid(&one), uid(&two), "other objects do not matter");
    let first = uid(&one);
    one.delete(&key("a"), None).unwrap();
    one.create(pod("a", json!({}))).unwrap();
    assert_ne!(uid(&one), first);
}

#[test]
fn a_name_is_taken_once() {
    let mut world = world();
    world.create(pod("a", json!({}))).unwrap();
    assert_eq!(paths(world.create(pod("a", json!({})))), ["metadata.name"]);
}

#[test]
fn importance_comes_from_the_class() {
    let mut world = world();
    let class = |name: &str, value: i32, is_default: bool| {
        object(
            json!({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name},
            "value": value, "globalDefault": is_default, "preemptionPolicy": "Never"}),
        )
    };
    world.create(class("high", 1000, false)).unwrap();
    world.create(class("usual", 10, true)).unwrap();
    world
        .create(pod("a", json!({"priorityClassName": "high"})))
        .unwrap();
    world.create(pod("b", json!({}))).unwrap();
    world
        .create(pod(
            "c",
            json!({"priorityClassName": "system-node-critical"}),
        ))
        .unwrap();
    let priority = |name: &str| get(&world, name).spec.priority;
    assert_eq!(
        [priority("a"), priority("b"), priority("c")],
        [Some(1000), Some(10), Some(2_000_001_000)]
    );
    assert_eq!(
        get(&world, "b").spec.preemption_policy.as_deref(),
        Some("Never")
    );
    let mut refused = |spec| paths(world.create(pod("d", spec)));
    assert_eq!(
        refused(json!({"priorityClassName": "ghost"})),
        ["spec.priorityClassName"]
    );
    assert_eq!(refused(json!({"priority": 7})), ["spec.priority"]);
    assert_eq!(
        paths(world.create(class("other", 5, true))),
        ["globalDefault"]
    );
}

#[test]
fn a_pod_that_a_server_printed_keeps_its_importance() {
    let mut world = world();
    let mut printed = pod(
        "a",
        json!({"priorityClassName": "elsewhere", "priority": 77}),
    );
    printed.metadata_mut().uid = "u1".to_string();
    world.create(printed).unwrap();
    assert_eq!(get(&world, "a").spec.priority, Some(77));
}

#[test]
fn a_gated_pod_says_that_it_is() {
    let mut world = world();
    world
        .create(pod("a", json!({"schedulingGates": [{"name": "x/y"}]})))
        .unwrap();
    let pod = get(&world, "a");
    let condition = pod.condition("PodScheduled").unwrap();
    assert_eq!(
        (condition.status.as_str(), condition.reason.as_str()),
        ("False", "SchedulingGated")
    );
    assert_eq!(
        condition.message,
        "Scheduling is blocked due to non-empty scheduling gates"
    );
}

#[test]
fn a_pod_on_a_node_stops_for_its_grace_period() {
    let mut world = world();
    world
        .create(pod(
            "a",
            json!({"nodeName": "n", "terminationGracePeriodSeconds": 4}),
        ))
        .unwrap();
    world.delete(&key("a"), None).unwrap();
    assert!(get(&world, "a").is_terminating());
    let end = Timestamp::from_secs(4);
    assert_eq!(world.next_event(), Some(end));
    world.set_now(end);
    let (due, uid) = world.take_due_end().unwrap();
    world.stop(&due, &uid);
    assert!(world.get(&key("a")).is_none());
    assert!(!world.gone()[&key("a")].was_preempted);
}

#[test]
fn a_shorter_grace_period_wins_and_zero_is_at_once() {
    let mut world = world();
    world.create(pod("a", json!({"nodeName": "n"}))).unwrap();
    world.delete(&key("a"), None).unwrap();
    assert_eq!(world.next_event(), Some(Timestamp::from_secs(30)));
    world.delete(&key("a"), Some(60)).unwrap();
    assert_eq!(world.next_event(), Some(Timestamp::from_secs(30)));
    world.delete(&key("a"), Some(5)).unwrap();
    assert_eq!(world.next_event(), Some(Timestamp::from_secs(5)));
    world.delete(&key("a"), Some(0)).unwrap();
    assert!(world.get(&key("a")).is_none());
    assert_eq!(world.next_event(), None);
}

#[test]
fn a_finalizer_holds_what_is_deleted() {
    let mut world = world();
    let mut held = pod("a", json!({}));
    held.metadata_mut().finalizers = [String::from("x/y")].into();
    world.create(held).unwrap();
    world.delete(&key("a"), None).unwrap();
    assert!(get(&world, "a").is_terminating());
    let patch = json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["x/y"]}});
    world
        .patch(&key("a"), Subresource::None, &patch, decode)
        .unwrap();
    assert!(world.get(&key("a")).is_none());
}

#[test]
fn a_binding_assigns_and_says_so_once() {
    let mut world = world();
    world.create(pod("a", json!({}))).unwrap();
    let effect = bind(&world, "a", "n1");
    assert_eq!(world.perform(&effect), Outcome::Done);
    let pod = get(&world, "a");
    assert_eq!(pod.spec.node_name, "n1");
    assert_eq!(pod.condition("PodScheduled").unwrap().status, "True");
    let Outcome::Failed(failure) = world.perform(&effect) else {
        panic!("it is bound already")
    };
    assert_eq!(failure.kind, FailureKind::Conflict);
    assert!(
        failure
            .message
            .ends_with("pod a is already assigned to node \"n1\""),
        "{failure}"
    );
}

#[test]
fn a_binding_is_for_the_pod_that_was_meant() {
    let mut world = world();
    world.create(pod("a", json!({}))).unwrap();
    let effect = bind(&world, "a", "n1");
    world.delete(&key("a"), None).unwrap();
    let kind = |outcome: Outcome| match outcome {
        Outcome::Failed(failure) => failure.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(world.perform(&effect)), FailureKind::NotFound);
    world.create(pod("a", json!({}))).unwrap();
    assert_eq!(kind(world.perform(&effect)), FailureKind::Conflict);
}

#[test]
fn the_watch_hears_of_pods_that_have_not_ended() {
    let mut world = world();
    world.create(pod("a", json!({"nodeName": "n"}))).unwrap();
    world.take_changes();
    let patch = |phase: &str| json!({"status": {"phase": phase}});
    world
        .patch(&key("a"), Subresource::Status, &patch("Succeeded"), decode)
        .unwrap();
    assert_eq!(world.take_changes(), [Change::Deleted(key("a"))]);
    world
        .patch(&key("a"), Subresource::Status, &patch("Failed"), decode)
        .unwrap();
    assert_eq!(world.take_changes(), []);
}

#[test]
fn a_patch_changes_the_part_it_is_for() {
    let mut world = world();
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"capacity": {"cpu": "1"}}});
    world.create(object(node)).unwrap();
    let key = ObjectKey::new(Kind::Node, "", "n");
    let both = json!({"spec": {"unschedulable": true}, "status": {"capacity": {"cpu": "2"}}});
    let node = |world: &World| match world.get(&key) {
        Some(Object::Node(node)) => (node.spec.unschedulable, node.status.capacity["cpu"].value()),
        other => panic!("{other:?}"),
    };
    world.patch(&key, Subresource::None, &both, decode).unwrap();
    assert_eq!(node(&world), (true, 1));
    world
        .patch(&key, Subresource::Status, &both, decode)
        .unwrap();
    assert_eq!(node(&world), (true, 2));
}

#[test]
fn a_pods_spec_stays_but_for_what_may_change() {
    let mut world = world();
    world
        .create(pod("a", json!({"schedulingGates": [{"name": "x/y"}]})))
        .unwrap();
    let mut patch = |patch: Value| world.patch(&key("a"), Subresource::None, &patch, decode);
    patch(json!({"metadata": {"labels": {"a": "b"}}})).unwrap();
    patch(json!({"spec": {"nodeSelector": {"only": "while-gated"}}})).unwrap();
    patch(json!({"spec": {"containers": [{"name": "c", "image": "other"}]}})).unwrap();
    patch(json!({"spec": {"tolerations": [{"operator": "Exists"}]}})).unwrap();
    patch(json!({"spec": {"schedulingGates": null}})).unwrap();
    let refused = |result| paths(result);
    assert_eq!(
        refused(patch(
            json!({"spec": {"schedulingGates": [{"name": "new"}]}})
        )),
        ["spec.schedulingGates"]
    );
    assert_eq!(
        refused(patch(json!({"spec": {"nodeSelector": {"late": "x"}}}))),
        ["spec.nodeSelector"]
    );
    assert_eq!(
        refused(patch(json!({"spec": {"tolerations": []}}))),
        ["spec.tolerations"]
    );
    assert_eq!(
        refused(patch(json!({"spec": {"hostNetwork": true}}))),
        ["spec.hostNetwork"]
    );
    let resources =
        json!({"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}});
    assert_eq!(
        refused(patch(resources.clone())),
        ["spec.containers[0].resources"]
    );
    world
        .patch(&key("a"), Subresource::Resize, &resources, decode)
        .unwrap();
    assert_eq!(
        get(&world, "a").spec.containers[0].resources.requests["cpu"].value(),
        1
    );
}

#[test]
fn a_replacement_keeps_the_node_and_the_status() {
    let mut world = world();
    world.create(pod("a", json!({}))).unwrap();
    let effect = bind(&world, "a", "n1");
    assert_eq!(world.perform(&effect), Outcome::Done);
    let before = get(&world, "a");
    let mut again = pod("a", json!({}));
    again
        .metadata_mut()
        .labels
        .insert("new".to_string(), "yes".to_string());
    world.apply(again).unwrap();
    let after = get(&world, "a");
    assert_eq!(after.spec, before.spec);
    assert_eq!(after.status, before.status);
    assert_eq!(after.metadata.uid, before.metadata.uid);
    assert_eq!(after.metadata.labels["new"], "yes");
}

#[test]
fn keys_of_affinity_terms_become_requirements() {
    let mut world = world();
    let term = json!({"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}},
        "matchLabelKeys": ["rev", "absent"], "mismatchLabelKeys": ["tenant"]});
    let mut new = pod(
        "a",
        json!({"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}}),
    );
    let labels = [("rev", "2"), ("tenant", "t1")];
    new.metadata_mut().labels = labels
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .into();
    world.create(new).unwrap();
    let pod = get(&world, "a");
    let away = pod
        .spec
        .affinity
        .as_ref()
        .unwrap()
        .pod_anti_affinity
        .as_ref()
        .unwrap();
    let term = &away.required_during_scheduling_ignored_during_execution[0];
    let expressions = &term.label_selector.as_ref().unwrap().match_expressions;
    let found: Vec<_> = expressions
        .iter()
        .map(|e| [e.key.as_str(), e.operator.as_str(), e.values[0].as_str()])
        .collect();
    assert_eq!(found, [["rev", "In", "2"], ["tenant", "NotIn", "t1"]]);
}

#[test]
fn the_calendar_goes_with_the_clock() {
    let mut world = world();
    world.set_now(Timestamp::ZERO + Span::from_millis(61_500));
    assert_eq!(world.wall_clock().to_string(), "2026-01-01T00:01:01Z");
}
