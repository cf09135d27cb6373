use alloc::string::ToString;
use alloc::sync::Arc;

use crate::framework::reason::Reason;
use crate::framework::status::{NodeStatuses, Status};
use crate::node_set::NodeIndex;

use super::{Diagnosis, FitError};

fn insufficient(resource: &str) -> Reason {
    Reason::Insufficient {
        resource: Arc::from(resource),
        requested: 1,
        used: 0,
        allocatable: 0,
    }
}

fn error(nodes: usize, statuses: NodeStatuses) -> FitError {
    FitError {
        nodes,
        diagnosis: Diagnosis {
            statuses,
            ..Diagnosis::default()
        },
    }
}

#[test]
fn reasons_are_counted_and_sorted_as_text() {
    let mut statuses = NodeStatuses::default();
    for node in 0..10 {
        statuses.set(NodeIndex(node), Status::unschedulable(insufficient("cpu")));
    }
    for node in 10..12 {
        statuses.set(
            NodeIndex(node),
            Status::unresolvable(Reason::NodeUnschedulable),
        );
    }
    let text = error(12, statuses).to_string();
    assert_eq!(
        text,
        "0/12 nodes are available: 10 Insufficient cpu, 2 node(s) were unschedulable."
    );
}

#[test]
fn nodes_without_an_answer_count_only_when_they_have_a_reason() {
    let mut statuses = NodeStatuses::default();
    statuses.set(NodeIndex(0), Status::unschedulable(insufficient("memory")));
    assert_eq!(
        error(3, statuses.clone()).to_string(),
        "0/3 nodes are available: 1 Insufficient memory."
    );
    statuses.absent = Some(Status::unresolvable(Reason::PreemptionNotHelpful));
    assert_eq!(
        error(3, statuses).to_string(),
        "0/3 nodes are available: 1 Insufficient memory, 2 Preemption is not helpful for scheduling."
    );
}

#[test]
fn a_message_of_pre_filter_hides_the_nodes() {
    let mut fit = error(5, NodeStatuses::default());
    fit.diagnosis.pre_filter_message = "persistentvolumeclaim \"x\" not found".to_string();
    fit.diagnosis.post_filter_message = "not found".to_string();
    assert_eq!(
        fit.to_string(),
        "0/5 nodes are available: persistentvolumeclaim \"x\" not found. not found"
    );
}
