//! Two replicas: one schedules, the other takes over.

use core::time::Duration;
use std::process::Command;
use std::time::Instant;

use berth_tests::cluster::{Api, ControlPlane, Scheduler, pass, tell};
use berth_tests::root;
use serde_json::Value;

use crate::common::{check_bindings, check_level, level, node, pod, wait_until_bound};

#[test]
fn a_standby_takes_over_from_a_leader_that_stands_still() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let configuration = elected(&plane);
    let mut first = Scheduler::berth(&plane, "first", &["--config", &configuration]);
    api.wait("the first leads", LIMIT, |api| !holder(api).is_empty());
    let before = holder(&api);
    let second = Scheduler::berth(&plane, "second", &["--config", &configuration]);
    api.create_all((0..PODS).map(pod).collect());
    wait_until_bound(&api, "default", LIMIT);

    let before_it_leads = level(&api, &second);
    api.create_all((0..PODS).map(pod).collect());
    wait_until_bound(&api, "default", LIMIT);
    first.signal("STOP");
    let began = Instant::now();
    api.create_all((PODS..2 * PODS).map(pod).collect());
    api.wait("the second leads", Duration::from_secs(40), |api| {
        holder(api) != before
    });
    wait_until_bound(&api, "default", LIMIT);
    tell(&format!(
        "the standby had bound everything {:.1} s after the leader stood still",
        began.elapsed().as_secs_f64()
    ));
    let after = holder(&api);

    // The one that slept finds out and leaves.
    first.signal("CONT");
    assert_eq!(
        first.wait(Duration::from_secs(20)),
        Some(1),
        "{}",
        first.log()
    );
    assert_eq!(holder(&api), after, "the lease is the second one's");
    check_bindings(&api, 2 * PODS);
    // It has begun to schedule meanwhile, which takes some memory of its own.
    let after = level(&api, &second);
    check_level(before_it_leads + LEADING_MIB, after);
}

#[test]
fn a_leader_that_is_asked_to_end_lets_go_at_once() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let configuration = elected(&plane);
    let mut first = Scheduler::berth(&plane, "first", &["--config", &configuration]);
    api.wait("the first leads", LIMIT, |api| !holder(api).is_empty());
    let second = Scheduler::berth(&plane, "second", &["--config", &configuration]);
    api.create_all((0..PODS).map(pod).collect());
    api.wait("some pods are bound", LIMIT, |api| {
        api.bound("default") > 20
    });
    first.signal("TERM");
    let began = Instant::now();
    assert_eq!(
        first.wait(Duration::from_secs(10)),
        Some(0),
        "{}",
        first.log()
    );
    let ended = began.elapsed().as_secs_f64();
    tell(&format!(
        "the leader had let go and ended after {ended:.1} s"
    ));
    assert!(
        ended < 2.0,
        "with bindings on their way it took {ended:.1} s"
    );
    let began = Instant::now();
    api.wait("the second leads", Duration::from_secs(5), |api| {
        !holder(api).is_empty()
    });
    tell(&format!(
        "the standby led {:.1} s after the leader had ended",
        began.elapsed().as_secs_f64()
    ));
    wait_until_bound(&api, "default", LIMIT);
    check_bindings(&api, PODS);
    drop(second);
}

#[test]
fn a_clock_that_jumps_changes_nothing() {
    let Some((plane, api)) = cluster() else {
        return;
    };
    let library = plane.folder().join("clock.so");
    let source = root().join("tests/cluster/clock.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status();
    assert!(
        built.expect("there is a C compiler").success(),
        "the clock is built"
    );
    let clock = plane.folder().join("clock");
    let jump =
        |seconds: i64| std::fs::write(&clock, seconds.to_string()).expect("a file can be written");
    jump(0);
    let configuration = elected(&plane);
    let environment = [
        ("LD_PRELOAD", library.display().to_string()),
        ("BERTH_TEST_CLOCK", clock.display().to_string()),
    ];
    let mut scheduler =
        Scheduler::berth_in(&plane, "berth", &environment, &["--config", &configuration]);
    api.wait("it leads", LIMIT, |api| !holder(api).is_empty());
    let leader = holder(&api);
    let mut levels = Vec::new();
    for (wave, seconds) in [3_600, -7_200, 0].into_iter().enumerate() {
        api.create_all((wave * PODS..(wave + 1) * PODS).map(pod).collect());
        jump(seconds);
        wait_until_bound(&api, "default", LIMIT);
        check_bindings(&api, PODS);
        // Long enough for a lease to be renewed, or lost.
        pass(Duration::from_secs(5));
        let renewed = lease(&api)["spec"]["renewTime"].to_string();
        tell(&format!("{seconds} s off, the lease says {renewed}"));
        levels.push(level(&api, &scheduler));
    }
    check_level(levels[1], levels[2]);
    assert!(scheduler.is_running(), "{}", scheduler.log());
    assert_eq!(holder(&api), leader, "it led all the time");
}

fn cluster() -> Option<(ControlPlane, Api)> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..30).map(node).collect());
    Some((plane, api))
}

/// kube-scheduler's defaults with the user `scheduler`.
fn elected(plane: &ControlPlane) -> String {
    let path = plane.folder().join("elected.yaml");
    let text = format!(
        "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n\
         clientConnection: {{kubeconfig: {}}}\n",
        plane.kubeconfig("scheduler").display()
    );
    std::fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

/// The lease; null while there is none.
fn lease(api: &Api) -> Value {
    let path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler";
    api.try_call("GET", path, &Value::Null).unwrap_or_default()
}

/// Who holds the lease; empty for nobody.
fn holder(api: &Api) -> String {
    let holder = &lease(api)["spec"]["holderIdentity"];
    holder.as_str().unwrap_or_default().to_owned()
}

/// What a leader holds beyond a standby: queues, and calls under way.
const LEADING_MIB: f64 = 4.0;
const PODS: usize = 100;
const LIMIT: Duration = Duration::from_secs(60);
