//! What happens when, and when a run ends.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey};
use crate::scheduler::InputKind;
use crate::sim::testing::{NODE, finished, placements, pods, simulation};
use crate::sim::{PodState, Report, ReportInput, Simulation};
use crate::time::Timestamp;

fn pod(name: &str, cpu: &str) -> String {
    format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"spec":{{"containers":[
            {{"name":"c","image":"i","resources":{{"requests":{{"cpu":"{cpu}"}}}}}}]}}}}"#
    )
}

fn scenario(spec: &str, documents: &[&str]) -> String {
    let mut parts: Vec<&str> = documents.to_vec();
    let scenario = format!(r#"{{"apiVersion":"berth/v1","kind":"Scenario","spec":{spec}}}"#);
    parts.push(&scenario);
    parts.join("\n---\n")
}

fn report(simulation: &Simulation) -> Report {
    Report::of(simulation, ReportInput::default())
}

fn state(simulation: &Simulation, name: &str) -> PodState {
    report(simulation).pod("default", name).unwrap().state
}

#[test]
fn everything_is_observed_before_the_first_cycle() {
    let text = [pod("a", "1"), String::from(NODE), pod("b", "1")].join("\n---\n");
    let mut simulation = simulation(&text);
    let mut kinds = Vec::new();
    while let Some(step) = simulation.step(&mut ()) {
        kinds.push(step.input);
    }
    let first = kinds
        .iter()
        .position(|kind| *kind == InputKind::ScheduleOne);
    // A namespace, a node and two pods.
    assert_eq!(first, Some(4));
}

#[test]
fn a_run_ends_when_only_periodic_tries_could_follow() {
    let simulation = finished(&[NODE, &pod("a", "9")].join("\n---\n"));
    assert_eq!(simulation.now(), Timestamp::ZERO);
    assert_eq!(state(&simulation, "a"), PodState::Unschedulable);
}

#[test]
fn a_run_with_an_end_goes_to_it() {
    let simulation = finished(&scenario(r#"{"until":"400s"}"#, &[NODE, &pod("a", "9")]));
    assert_eq!(simulation.now(), Timestamp::from_secs(400));
    let attempts = report(&simulation).pod("default", "a").unwrap().attempts;
    assert_eq!(attempts, 2, "the periodic flush has tried it again");
}

#[test]
fn a_run_without_nodes_tries_for_an_hour_at_most() {
    let simulation = finished(&pod("a", "1"));
    assert!(simulation.now() <= Timestamp::from_secs(3_600));
    assert_eq!(state(&simulation, "a"), PodState::Backoff);
}

#[test]
fn a_binding_takes_its_time_and_counts_meanwhile() {
    let text = scenario(
        r#"{"simulation":{"bindLatency":"2s"}}"#,
        &[NODE, &pod("a", "3"), &pod("b", "3")],
    );
    let mut simulation = simulation(&text);
    while simulation
        .step_until(Timestamp::from_secs(1), &mut ())
        .is_some()
    {}
    assert_eq!(state(&simulation, "a"), PodState::Binding);
    assert_eq!(state(&simulation, "b"), PodState::Unschedulable);
    simulation.run(&mut ());
    let at = report(&simulation).pod("default", "a").unwrap().bound_at;
    assert_eq!(at.map(|at| at.0.as_secs()), Some(2));
}

#[test]
fn a_pod_starts_after_its_delay() {
    let text = scenario(
        r#"{"simulation":{"podStartDelay":"3s"}}"#,
        &[NODE, &pod("a", "1")],
    );
    let mut simulation = simulation(&text);
    while simulation
        .step_until(Timestamp::from_secs(2), &mut ())
        .is_some()
    {}
    assert_eq!(pods(&simulation)[0].status.phase, "Pending");
    simulation.run(&mut ());
    let pod = pods(&simulation).remove(0);
    assert_eq!(pod.status.phase, "Running");
    let started = pod.status.start_time.unwrap().as_micros();
    assert_eq!(started - simulation.world().epoch().as_micros(), 3_000_000);
}

#[test]
fn a_failed_binding_is_tried_again() {
    let faults = r#"{"simulation":{"faults":[{"effect":"bind","outcome":"conflict","times":2}]}}"#;
    let simulation = finished(&scenario(faults, &[NODE, &pod("a", "1")]));
    let report = report(&simulation);
    let a = report.pod("default", "a").unwrap();
    assert_eq!((a.state, a.attempts), (PodState::Bound, 3));
}

#[test]
fn a_pod_whose_binding_fails_leaves_its_claims_users_until_it_is_bound() {
    let spec = |times: u32, until: &str| {
        format!(
            r#"{{"until":"{until}","simulation":{{"faults":[{{"effect":"bind","outcome":"refused","times":{times}}}]}}}}"#
        )
    };
    let wanting = pod("a", "1").replace(
        r#""containers""#,
        r#""resourceClaims":[{"name":"g","resourceClaimName":"g"}],"containers""#,
    );
    let other = r#"{"resource":"pods","name":"other","uid":"u"}"#;
    let claim = format!(
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"name":"g"}},
            "spec":{{"devices":{{"requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu"}}}}]}}}},
            "status":{{"allocation":{{"devices":{{"results":[
                {{"request":"r","driver":"d","pool":"p","device":"0"}}]}}}},"reservedFor":[{other}]}}}}"#
    );
    let users = |times: u32, until: &str| {
        let simulation = finished(&scenario(&spec(times, until), &[NODE, &claim, &wanting]));
        let key = ObjectKey::new(Kind::ResourceClaim, "default", "g");
        let Some(Object::ResourceClaim(claim)) = simulation.world().get(&key).cloned() else {
            panic!("the claim is gone");
        };
        let users = claim.status.reserved_for.iter();
        users.map(|user| user.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(users(99, "0.5s"), ["other"], "its first binding has failed");
    assert_eq!(users(2, "60s"), ["other", "a"], "the third came about");
}

#[test]
fn a_lost_answer_leaves_the_pod_bound() {
    let faults = r#"{"simulation":{"faults":[{"effect":"bind","outcome":"lostAnswer"}]}}"#;
    let simulation = finished(&scenario(faults, &[NODE, &pod("a", "1")]));
    assert_eq!(placements(&simulation)[0].1, "n1");
    assert_eq!(state(&simulation, "a"), PodState::Bound);
}

#[test]
fn faults_are_drawn_from_the_seed_and_leave_the_schedulers_draws_alone() {
    let run = |seed: u64| {
        let spec = format!(
            r#"{{"seed":{seed},"simulation":{{"faults":[{{"effect":"bind","outcome":"unreachable","percent":50}}]}}}}"#
        );
        let documents: Vec<String> = (0..20).map(|i| pod(&format!("p{i}"), "100m")).collect();
        let mut all = Vec::from([NODE.replace(r#""pods":"10""#, r#""pods":"99""#)]);
        all.extend(documents);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        finished(&scenario(&spec, &all)).digest()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_pod_of_another_scheduler_is_nobodys_business() {
    let other = pod("a", "1").replace(r#""containers""#, r#""schedulerName":"other","containers""#);
    let simulation = finished(&[NODE, &other].join("\n---\n"));
    assert_eq!(state(&simulation, "a"), PodState::Unmanaged);
}

#[test]
fn what_is_refused_at_the_start_leaves_the_rest_alone() {
    let wrong = pod("b", "1").replace(r#""image":"i","#, "");
    let mut simulation = simulation(&[NODE, &pod("a", "1"), &wrong].join("\n---\n"));
    assert_eq!(simulation.refused().len(), 1);
    simulation.run(&mut ());
    assert_eq!(placements(&simulation).len(), 1);
}

#[test]
fn a_deleted_and_a_preempted_pod_are_told_apart() {
    let class = r#"{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"high"},"value":9}"#;
    let high = pod("high", "4").replace(
        r#""containers""#,
        r#""priorityClassName":"high","containers""#,
    );
    let spec = format!(
        r#"{{"timeline":[{{"at":1,"apply":{high}}},{{"at":60,"delete":{{"kind":"Pod","name":"high"}}}}]}}"#
    );
    let simulation = finished(&scenario(&spec, &[NODE, class, &pod("low", "4")]));
    assert_eq!(state(&simulation, "low"), PodState::Preempted);
    assert_eq!(state(&simulation, "high"), PodState::Deleted);
    let report = report(&simulation);
    assert_eq!(report.preempted.len(), 1);
    assert_eq!(report.preempted[0].by, "default/high");
    assert_eq!(report.pod("default", "low").unwrap().node, None);
}

/// What a report warns of, place and message.
fn warned(text: &str, place: &str, part: &str) -> bool {
    let report = report(&finished(text));
    let mut warnings = report.warnings.iter();
    warnings.any(|warning| warning.path.contains(place) && warning.message.contains(part))
}

#[test]
fn a_patch_of_the_object_that_means_its_status_is_said_to_do_nothing() {
    let patch = |more: &str| {
        scenario(
            &format!(
                r#"{{"timeline":[{{"at":"1s","patch":{{"kind":"Node","name":"n1"{more},"patch":{{"status":{{"allocatable":{{"cpu":"16"}}}}}}}}}}]}}"#
            ),
            &[NODE, &pod("big", "8")],
        )
    };
    assert!(warned(&patch(""), "Node n1", "subresource: status"));
    let with_status = patch(r#","subresource":"status""#);
    assert!(!warned(&with_status, "Node n1", "subresource"));
    assert_eq!(
        state(&finished(&with_status), "big"),
        PodState::Bound,
        "the node has grown"
    );
}

#[test]
fn a_claim_whose_class_was_left_out_of_the_dump_is_named() {
    let claim = |class: &str| {
        let claim = format!(
            r#"{{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{{"name":"data"}},"spec":{{"storageClassName":"{class}",
                "accessModes":["ReadWriteOnce"],"resources":{{"requests":{{"storage":"1Gi"}}}}}}}}"#
        );
        [NODE, &claim].join("\n---\n")
    };
    assert!(warned(
        &claim("local"),
        "default/data",
        "StorageClass local"
    ));
    assert!(!warned(&claim(""), "default/data", "StorageClass"));
}

#[test]
fn two_objects_with_one_uid_are_refused() {
    let with_uid =
        |name: &str| pod(name, "1").replace(r#""metadata":{"#, r#""metadata":{"uid":"u1","#);
    let text = [with_uid("a"), with_uid("b")].join("\n---\n");
    let loaded = crate::sim::load(&[crate::sim::SourceText {
        name: "test",
        bytes: text.as_bytes(),
    }]);
    let errors: Vec<String> = loaded
        .errors
        .iter()
        .map(|error| format!("{error}"))
        .collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("metadata.uid") && errors[0].contains("Pod default/a"),
        "{errors:?}"
    );
}
