use alloc::string::ToString;

use serde_json::json;

use crate::api::{AllocationResult, ObjectMeta, PodResourceClaim, ResourceClaim};
use crate::config::{Configuration, PluginEntry};
use crate::framework::trace::{Place, Record};
use crate::framework::work::Outcome;
use crate::make::pod;
use crate::scheduler::Effect;
use crate::snapshot::PodRef;
use crate::time::Span;

use super::host::{Host, failed, is_bind, plain_node, scripted};

#[test]
fn a_refused_binding_is_undone_and_retried_by_error_backoff() {
    let mut host = scripted(&[("A", json!({}))]).with_nodes(&["n1"]);
    let pod = host.add_pod("p");
    host.schedule();
    host.settle_only(is_bind, failed("the server said no"));
    assert_eq!(
        host.last_failure(),
        (
            "running Bind plugin \"DefaultBinder\": the server said no".into(),
            "SchedulerError".into()
        )
    );
    assert_eq!(host.place(&pod), Place::ErrorBackoff);
    assert_eq!(host.scheduler.cache().sizes().pods, 0);
    host.wait(Span::from_secs(3));
    host.schedule();
    assert_eq!(host.bindings().len(), 1);
}

#[test]
fn a_binding_that_somebody_else_won_is_not_retried() {
    let mut host = scripted(&[("A", json!({}))]).with_nodes(&["n1", "n2"]);
    let reference = host.add_pod("p");
    host.schedule();
    host.apply(pod("p").node("n2").build());
    host.settle_only(is_bind, failed("pod p is already assigned to node n2"));
    assert_eq!(host.place(&reference), Place::Nowhere);
    assert!(
        host.out.is_empty() && host.events.is_empty(),
        "nothing is said of a pod that has its node"
    );
    host.wait(Span::from_secs(60));
    assert!(!host.scheduler.has_work());
}

#[test]
fn a_rejecting_pre_bind_reads_unschedulable_but_takes_the_error_backoff() {
    let says =
        json!({"preFlight": "Success", "preBind": {"code": "Unschedulable", "reason": "gone"}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    let pod = host.add_pod("p");
    host.schedule();
    assert_eq!(host.last_failure(), ("gone".into(), "Unschedulable".into()));
    assert_eq!(host.place(&pod), Place::ErrorBackoff);
}

#[test]
fn a_pre_flight_that_skips_turns_pre_bind_off() {
    let says = json!({"preFlight": "Skip", "preBind": "Error"});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(host.bindings().len(), 1);
    assert_eq!(host.out.len(), 1, "nothing is written before the binding");
}

#[test]
fn a_pre_flight_may_only_say_success_skip_or_error() {
    let mut host = scripted(&[("A", json!({"preFlight": "Unschedulable"}))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(
        host.last_failure().0,
        "PreBindPreFlight A returned \"Unschedulable\", which is unsupported. It is supposed to return Success, Skip, \
         or Error status"
    );
}

#[test]
fn pre_bind_work_goes_out_and_binding_follows_when_it_is_done() {
    let says = json!({"preFlight": "Success", "preBind": {"work": true}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert!(host.bindings().is_empty());
    host.settle_only(
        |effect| matches!(effect, Effect::UpdateVolumes { .. }),
        Outcome::Done,
    );
    assert_eq!(host.bindings().len(), 1);
}

#[test]
fn failed_pre_bind_work_names_the_plugin() {
    let says = json!({"preFlight": "Success", "preBind": {"work": true}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_only(
        |effect| matches!(effect, Effect::UpdateVolumes { .. }),
        failed("no space"),
    );
    assert_eq!(
        host.last_failure().0,
        "running PreBind plugin \"A\": no space"
    );
}

#[test]
fn plugins_that_may_run_beside_each_other_have_their_work_out_together() {
    let says =
        json!({"preFlight": {"code": "Success", "parallel": true}, "preBind": {"work": true}});
    let mut host = scripted(&[("A", says.clone()), ("B", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    let works = |host: &Host| {
        host.out
            .values()
            .filter(|effect| matches!(effect, Effect::UpdateVolumes { .. }))
            .count()
    };
    assert_eq!(works(&host), 2);
    let alone = json!({"preFlight": "Success", "preBind": {"work": true}});
    let mut host = scripted(&[("A", alone.clone()), ("B", alone)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    assert_eq!(works(&host), 1);
}

#[test]
fn a_polling_pre_bind_is_asked_again_at_its_instant() {
    let says = json!({"preFlight": "Success", "preBind": {"seconds": 3}});
    let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.wait(Span::from_secs(2));
    assert!(host.bindings().is_empty());
    host.wait(Span::from_secs(1));
    assert_eq!(host.bindings().len(), 1);
}

#[test]
fn a_binding_that_every_plugin_skips_fails_without_a_word() {
    let mut config = super::host::scripted_configuration(&[("A", json!({}))]);
    config.profiles[0]
        .plugins
        .multi_point
        .enabled
        .retain(|entry| entry.name != "DefaultBinder");
    let mut host = Host::new(config).with_nodes(&["n1"]);
    let pod = host.add_pod("p");
    host.schedule();
    assert!(host.out.is_empty() && host.events.is_empty());
    assert_eq!(host.place(&pod), Place::ErrorBackoff);
}

#[test]
fn a_bound_pod_stays_assumed_until_it_is_observed() {
    let mut host = scripted(&[("A", json!({}))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_all();
    assert_eq!(host.scheduler.cache().sizes().assumed_pods, 1);
    host.apply(pod("p").node("n1").build());
    assert_eq!(host.scheduler.cache().sizes().assumed_pods, 0);
    assert_eq!(
        host.events[0].note,
        "Successfully assigned default/p to n1".to_string()
    );
}

#[test]
fn a_freed_node_wakes_the_pods_that_waited_for_it_when_a_binding_fails() {
    let mut host = Host::new(Configuration::default());
    host.apply(
        crate::make::node("n1")
            .cpu("1")
            .memory("1Gi")
            .pods(110)
            .build(),
    );
    host.apply(pod("a").cpu("1").build());
    let other = PodRef::of(&pod("b").cpu("1").build());
    host.apply(pod("b").cpu("1").build());
    host.schedule();
    assert_eq!(host.place(&other), Place::Unschedulable);
    host.settle_only(is_bind, failed("no"));
    assert_ne!(host.place(&other), Place::Unschedulable);
}

#[test]
fn pods_that_a_plugin_wants_tried_are_tried_when_this_one_has_its_node_and_when_it_is_bound() {
    for (point, when_chosen) in [("permit", true), ("preBind", false)] {
        let mut host = scripted(&[
            ("A", json!({"filter": {"n2": "Unschedulable"}, "room": 1})),
            (
                "B",
                json!({"preFlight": "Success", point: {"code": "Success", "activate": "other"}}),
            ),
        ])
        .with_nodes(&["n1"]);
        host.apply(pod("holder").node("n1").build());
        let other = host.add_pod("other");
        host.schedule();
        assert_eq!(host.place(&other), Place::Unschedulable);
        host.delete(crate::api::ObjectKey::new(
            crate::api::Kind::Pod,
            "default",
            "holder",
        ));
        host.apply(plain_node("n3"));
        let parked = host.place(&other);
        assert_ne!(parked, Place::Active);
        host.apply(pod("p").priority(1).build());
        host.input(crate::scheduler::Input::ScheduleOne);
        assert_eq!(host.place(&other) == Place::Active, when_chosen, "{point}");
        host.settle_all();
        assert_eq!(host.place(&other), Place::Active, "{point}");
    }
}

#[test]
fn each_step_of_a_binding_is_measured() {
    let mut host = scripted(&[("A", json!({"preFlight": "Success"}))]).with_nodes(&["n1"]);
    host.add_pod("p");
    host.schedule();
    host.settle_all();
    let points = host.metric_labels(
        "framework_extension_point_duration_seconds",
        "extension_point",
        Some(("status", "Success")),
    );
    let expected = [
        "PreEnqueue",
        "PreFilter",
        "Sign",
        "Filter",
        "Reserve",
        "Permit",
        "PreBindPreFlight",
        "PreBind",
        "Bind",
        "PostBind",
    ];
    assert_eq!(points, expected);
}

#[test]
fn what_fails_is_measured_with_how_it_failed() {
    let failed_points = |says: serde_json::Value| {
        let mut host = scripted(&[("A", says)]).with_nodes(&["n1", "n2"]);
        host.add_pod("p");
        host.schedule();
        let name = "framework_extension_point_duration_seconds";
        let points = host.metric_labels(name, "extension_point", Some(("status", "Error")));
        let algorithm = host
            .records
            .iter()
            .filter(|(_, record)| {
                matches!(record, Record::Metric(metric)
                    if metric.name == "scheduling_algorithm_duration_seconds")
            })
            .count();
        assert_eq!(algorithm, 1, "once whatever comes of it");
        points
    };
    assert_eq!(failed_points(json!({"preFilter": "Error"})), ["PreFilter"]);
    assert_eq!(failed_points(json!({"filter": {"*": "Error"}})), ["Filter"]);
    assert_eq!(failed_points(json!({"preScore": "Error"})), ["PreScore"]);
    assert_eq!(failed_points(json!({"score": "broken"})), ["Score"]);
    assert_eq!(failed_points(json!({"reserve": "Error"})), ["Reserve"]);
    assert_eq!(failed_points(json!({"permit": "Error"})), ["Permit"]);
    assert_eq!(
        failed_points(json!({"preFlight": "Error"})),
        ["PreBindPreFlight"]
    );
    assert_eq!(
        failed_points(json!({"preFlight": "Success", "preBind": "Error"})),
        ["PreBind"]
    );
}

#[test]
fn a_refusal_is_told_with_the_point_at_which_it_came() {
    let point_of = |says: serde_json::Value| {
        let mut host = scripted(&[("A", says)]).with_nodes(&["n1"]);
        host.add_pod("p");
        host.schedule();
        host.records.iter().find_map(|(_, record)| match record {
            Record::Refused { point, .. } => Some(*point),
            _ => None,
        })
    };
    assert_eq!(point_of(json!({"reserve": "Error"})), Some("Reserve"));
    assert_eq!(
        point_of(json!({"preFlight": "Error"})),
        Some("PreBindPreFlight")
    );
    assert_eq!(
        point_of(json!({"preFlight": "Success", "preBind": "Error"})),
        Some("PreBind")
    );
}

#[test]
fn a_failed_binding_takes_the_pod_out_of_its_claims_users() {
    let mut host = with_claim();
    let pod = pod("p").with(|pod| pod.spec.resource_claims.push(claim_entry()));
    let pod = pod.build();
    let reference = PodRef::of(&pod);
    host.apply(pod);
    host.schedule();
    host.settle_only(is_entered, Outcome::Done);
    host.settle_only(is_bind, failed("the server said no"));
    assert_eq!(host.place(&reference), Place::ErrorBackoff);
    let left = host.out.values().find_map(|effect| match effect {
        Effect::UnreserveResourceClaim { claim, pod, .. } => {
            Some((claim.metadata.name.clone(), pod.clone()))
        }
        _ => None,
    });
    assert_eq!(left, Some(("g".to_string(), reference.clone())));
    // Whatever comes of that, the pod is tried again.
    host.settle_only(is_left, failed("not now"));
    let troubled = |record: &Record| {
        matches!(record, Record::Trouble { message }
            if message == "taking a pod out of its claim's users: not now")
    };
    assert!(host.records.iter().any(|(_, record)| troubled(record)));
    host.wait(Span::from_secs(3));
    host.schedule();
    host.settle_only(is_entered, Outcome::Done);
    host.settle_only(is_bind, Outcome::Done);
    assert!(!host.out.values().any(is_left), "it is a user");
}

#[test]
fn a_claims_user_that_could_not_be_entered_for_certain_is_taken_out() {
    let mut host = with_claim();
    let pod = pod("p").with(|pod| pod.spec.resource_claims.push(claim_entry()));
    host.apply(pod.build());
    host.schedule();
    host.settle_only(is_entered, failed("the answer was lost"));
    assert!(host.out.values().any(is_left));
    assert!(host.bindings().is_empty());
}

/// DynamicResources with one node and the claim `g`, which is allocated.
fn with_claim() -> Host {
    let mut config = Configuration::default();
    let names = ["PrioritySort", "DynamicResources", "DefaultBinder"];
    config.profiles[0].plugins.multi_point.enabled = names
        .map(|name| PluginEntry {
            name: name.to_string(),
            weight: 0,
        })
        .into();
    let mut host = Host::new(config).with_nodes(&["n1"]);
    let mut claim = ResourceClaim {
        metadata: ObjectMeta::namespaced("default", "g"),
        ..ResourceClaim::default()
    };
    claim.status.allocation = Some(AllocationResult::default());
    host.apply(claim);
    host
}

fn claim_entry() -> PodResourceClaim {
    PodResourceClaim {
        name: "g".into(),
        resource_claim_name: Some("g".into()),
        ..PodResourceClaim::default()
    }
}

fn is_entered(effect: &Effect) -> bool {
    matches!(effect, Effect::UpdateResourceClaim { .. })
}

fn is_left(effect: &Effect) -> bool {
    matches!(effect, Effect::UnreserveResourceClaim { .. })
}
