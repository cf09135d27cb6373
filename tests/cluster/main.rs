//! Berth on a real control plane. `make test-cluster` builds one and switches these tests on.

use core::time::Duration;
use std::time::Instant;

mod access;
mod asker;
mod certificates;
mod claims;
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

use berth_tests::cluster::{Api, ControlPlane, Machine, Scheduler, Usage, pass, tell};

use common::{check_bindings, node, pod, wait_until_bound};

/// How a run of plain pods went.
struct Figures {
    seconds: f64,
    usage: Usage,
    /// Which part of the machine others had meanwhile.
    others: f64,
}

/// What Berth may use is judged by one run. How long it takes is judged by the best of up to three runs of each, one after
/// the other, since whatever else the machine does makes a run longer, never shorter; and not at all where others had much
/// of the machine each time.
#[test]
fn plain_pods_are_bound_once_and_within_what_nodes_have() {
    tell(&format!(
        "{NODES} nodes, {PODS} pods that were there before the scheduler; from its start to the last binding:"
    ));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    while ours.len() < MOST_RUNS && best(&ours) >= best(&theirs) {
        let Some(berth) = run_plain_pods("berth") else {
            return;
        };
        let Some(real) = run_plain_pods("kube-scheduler") else {
            return;
        };
        check_usage(&berth.usage, &real.usage);
        ours.push(berth);
        theirs.push(real);
    }
    let is_busy = |figures: &Figures| figures.others > MUCH;
    if ours.iter().all(is_busy) && best(&ours) > best(&theirs) {
        tell("slower than the real one, but others had much of the machine: times say nothing");
        return;
    }
    assert!(best(&ours) <= best(&theirs), "slower than the real one");
}

/// The shortest of some runs, in seconds.
fn best(runs: &[Figures]) -> f64 {
    runs.iter()
        .map(|run| run.seconds)
        .fold(f64::INFINITY, f64::min)
}

fn check_usage(ours: &Usage, theirs: &Usage) {
    assert!(
        ours.cpu_seconds <= theirs.cpu_seconds / 4.0,
        "more than a quarter of the real one's CPU"
    );
    assert!(
        ours.peak_mib <= theirs.peak_mib / 2.0,
        "more than half of the real one's memory"
    );
}

/// A control plane of its own, so that both schedulers find the same.
fn run_plain_pods(which: &str) -> Option<Figures> {
    let plane = ControlPlane::start()?;
    let api = Api::new(&plane.kubeconfig("admin"));
    api.create_all((0..NODES).map(node).collect());
    api.create_all((0..PODS).map(pod).collect());
    let configuration = Scheduler::configuration(&plane, "");
    let machine = Machine::watch(plane.folder());
    let began = Instant::now();
    let scheduler = if which == "berth" {
        Scheduler::berth(&plane, which, &["--config", &configuration])
    } else {
        Scheduler::real(&plane, &["--config", &configuration])
    };
    wait_until_bound(&api, "default", Duration::from_secs(240));
    let seconds = began.elapsed().as_secs_f64();
    let others = machine.share_of_others(plane.folder());
    // Events are written behind the bindings.
    pass(Duration::from_secs(5));
    let usage = scheduler.usage();
    check_bindings(&api, PODS);
    tell(&format!(
        "{which:>15}: {:6.1} pods/s, {:7.3} ms of CPU a pod, {:6.1} MiB at most; others had {:.0} % of the machine",
        PODS as f64 / seconds,
        usage.cpu_seconds * 1000.0 / PODS as f64,
        usage.peak_mib,
        others * 100.0,
    ));
    Some(Figures {
        seconds,
        usage,
        others,
    })
}

/// Runs of each scheduler before the times are judged.
const MOST_RUNS: usize = 3;
/// The part of the machine beyond which a time is not only the scheduler's.
const MUCH: f64 = 0.2;
const NODES: usize = 1000;
const PODS: usize = 3000;
