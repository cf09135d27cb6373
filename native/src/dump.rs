//! What the scheduler holds, for whoever debugs it: SIGUSR2 has it compared with what was observed and written to the log.
//!
//! Source: spec, H.

use core::fmt::Write as _;

use berth_core::framework::handle::NominatedPods as _;
use berth_core::scheduler::Scheduler;
use berth_core::snapshot::{NodeInfo, PodInfo};
use tracing::{info, warn};

/// Compares and dumps.
pub(crate) fn dump(scheduler: &Scheduler) {
    compare(scheduler);
    info!("Dump of cached NodeInfo\n{}", nodes(scheduler));
    let (pods, summary) = scheduler.queue().pending_pods();
    let mut text = String::new();
    for pod in pods {
        write_pod(&mut text, &pod);
    }
    info!("Dump of scheduling queue: {summary}\n{text}");
}

/// In what the cache differs from what was observed; nothing is said where it does not.
fn compare(scheduler: &Scheduler) {
    for difference in scheduler.cache().compare(scheduler.listers()) {
        warn!(?difference, "Cache mismatch");
    }
}

fn nodes(scheduler: &Scheduler) -> String {
    let mut nodes: Vec<_> = scheduler.cache().nodes().collect();
    nodes.sort_unstable_by_key(|(name, _)| *name);
    let mut text = String::new();
    for (name, info) in nodes {
        write_node(&mut text, name, info, scheduler);
    }
    text
}

fn write_node(text: &mut String, name: &str, info: &NodeInfo, scheduler: &Scheduler) {
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "\nNode name: {name}\nDeleted: {}\nRequested Resources: {:?}\nAllocatable Resources: {:?}\n\
         Scheduled Pods(number: {}):",
        info.node.is_none(),
        info.requested,
        info.allocatable,
        info.pods.len(),
    );
    for pod in &info.pods {
        write_pod(text, pod);
    }
    let nominated = scheduler.queue().nominated_pods_for_node(name);
    let _ = writeln!(text, "Nominated Pods(number: {}):", nominated.len());
    for pod in &nominated {
        write_pod(text, pod);
    }
}

fn write_pod(text: &mut String, pod: &PodInfo) {
    let _ = writeln!(
        text,
        "name: {}, namespace: {}, uid: {}, phase: {}, nominated node: {}",
        pod.reference.name,
        pod.reference.namespace,
        pod.reference.uid,
        pod.pod.status.phase,
        pod.pod.status.nominated_node_name,
    );
}
