//! Berth on a real control plane. `make test-cluster` builds one and switches these tests on.

use core::time::Duration;
use std::time::Instant;

mod access;
mod asker;
mod common;
mod deploy;
mod events;
mod extender;
mod families;
mod faults;
mod flags;
mod leader;
mod preempt;
mod serving;
mod shop;

use berth_tests::cluster::{Api, ControlPlane, Scheduler, Usage, pass, tell};

use common::{check_bindings, node, pod, wait_until_bound};

/// How a run of plain pods went.
struct Figures {
    seconds: f64,
    usage: Usage,
}

#[test]
fn plain_pods_are_bound_once_and_within_what_nodes_have() {
    let Some(berth) = run_plain_pods("berth") else {
        return;
    };
    let Some(real) = run_plain_pods("kube-scheduler") else {
        return;
    };
    tell(&format!(
        "{NODES} nodes, {PODS} pods that were there before the scheduler; from its start to the last binding:"
    ));
    for (name, figures) in [("berth", &berth), ("kube-scheduler", &real)] {
        tell(&format!(
            "{name:>15}: {:6.1} pods/s, {:7.3} ms of CPU a pod, {:6.1} MiB at most",
            PODS as f64 / figures.seconds,
            figures.usage.cpu_seconds * 1000.0 / PODS as f64,
            figures.usage.peak_mib,
        ));
    }
    let (ours, theirs) = (berth.usage, real.usage);
    assert!(
        ours.cpu_seconds <= theirs.cpu_seconds / 4.0,
        "more than a quarter of the real one's CPU"
    );
    assert!(
        ours.peak_mib <= theirs.peak_mib / 2.0,
        "more than half of the real one's memory"
    );
    assert!(berth.seconds <= real.seconds, "slower than the real one");
}

/// A control plane of its own, so that both schedulers find the same.
fn run_plain_pods(which: &str) -> Option<Figures> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..NODES).map(node).collect());
    api.create_all((0..PODS).map(pod).collect());
    let configuration = Scheduler::configuration(&plane, "");
    let began = Instant::now();
    let scheduler = if which == "berth" {
        Scheduler::berth(&plane, which, &["--config", &configuration])
    } else {
        Scheduler::real(&plane, &["--config", &configuration])
    };
    wait_until_bound(&api, "default", Duration::from_secs(240));
    let seconds = began.elapsed().as_secs_f64();
    // Events are written behind the bindings.
    pass(Duration::from_secs(5));
    let usage = scheduler.usage();
    check_bindings(&api, PODS);
    Some(Figures { seconds, usage })
}

const NODES: usize = 1000;
const PODS: usize = 3000;
