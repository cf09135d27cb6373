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

#[test]
fn the_bits_are_those_of_kubernetes() {
    let bits = [
        (ActionType::ADD, 1),
        (ActionType::DELETE, 2),
        (ActionType::UPDATE_NODE_ALLOCATABLE, 4),
        (ActionType::UPDATE_NODE_LABEL, 8),
        (ActionType::UPDATE_NODE_TAINT, 16),
        (ActionType::UPDATE_NODE_CONDITION, 32),
        (ActionType::UPDATE_NODE_ANNOTATION, 64),
        (ActionType::UPDATE_NODE_DECLARED_FEATURE, 128),
        (ActionType::UPDATE_POD_LABEL, 256),
        (ActionType::UPDATE_POD_SCALE_DOWN, 512),
        (ActionType::UPDATE_POD_TOLERATION, 1024),
        (ActionType::UPDATE_POD_SCHEDULING_GATES_ELIMINATED, 2048),
        (ActionType::UPDATE_POD_GENERATED_RESOURCE_CLAIM, 4096),
        (ActionType::UPDATE, 8188),
        (ActionType::ALL, 8191),
    ];
    for (action, bits) in bits {
        assert_eq!(action.0, bits);
    }
}
