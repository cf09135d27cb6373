use super::{ActionType, ClusterEvent, EventResource};

const NODE_UPDATES: ClusterEvent = ClusterEvent::new(
    EventResource::Node,
    ActionType(ActionType::ADD.0 | ActionType::UPDATE_NODE_TAINT.0),
);

#[test]
fn a_general_update_matches_no_list_of_particular_ones() {
    let general = ClusterEvent::new(EventResource::Node, ActionType::UPDATE);
    assert!(!NODE_UPDATES.matches(&general));
    let any_update = ClusterEvent::new(EventResource::Node, ActionType::ADD | ActionType::UPDATE);
    assert!(any_update.matches(&general));
}

#[test]
fn pod_is_registered_for_both_kinds_of_pod() {
    let pod = ClusterEvent::new(EventResource::Pod, ActionType::DELETE);
    assert!(pod.matches(&ClusterEvent::ASSIGNED_POD_DELETE));
    assert!(!pod.matches(&ClusterEvent::ASSIGNED_POD_ADD));
}

#[test]
fn the_wildcard_matches_only_a_registered_wildcard() {
    assert!(!NODE_UPDATES.matches(&ClusterEvent::UNSCHEDULABLE_TIMEOUT));
    let all = ClusterEvent::new(EventResource::WildCard, ActionType::ALL);
    assert!(all.matches(&ClusterEvent::UNSCHEDULABLE_TIMEOUT));
}

#[test]
fn labels_read_as_kube_schedulers_metrics_do() {
    assert_eq!(ClusterEvent::ASSIGNED_POD_ADD.label(), "AssignedPodAdd");
    assert_eq!(
        ClusterEvent::UNSCHEDULABLE_POD_UPDATE.label(),
        "UnschedulablePodUpdate"
    );
    let csi = ClusterEvent::new(EventResource::CsiNode, ActionType::ADD);
    assert_eq!(csi.label(), "storage.k8s.io/CSINodeAdd");
    assert_eq!(ClusterEvent::BACKOFF_COMPLETE.label(), "BackoffComplete");
}
