//! From the pod's field to the node's.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;

use super::{Fact, FactName, chain};
use crate::api::{Node, Pod, Taint};
use crate::explain::{Cell, Row, Saw};
use crate::framework::reason::Reason;
use crate::framework::status::Status;

fn row(reason: Reason) -> Row {
    Row {
        node: Arc::from("n1"),
        cells: vec![Cell {
            saw: Saw::Rejected {
                status: Status::unschedulable(reason),
            },
            truth: None,
        }],
        with_nominated: false,
    }
}

fn fact(path: &str, value: &str) -> Fact {
    Fact {
        name: FactName::Field(path.to_string()),
        value: value.to_string(),
    }
}

#[test]
fn an_amount_stands_beside_its_fields() {
    let reason = Reason::Insufficient {
        resource: Arc::from("memory"),
        requested: 2 << 30,
        used: 1 << 30,
        allocatable: 2 << 30,
    };
    let links = chain(&Pod::default(), Some(&Node::default()), &row(reason));
    let [link] = links.as_slice() else {
        panic!("one link: {links:?}")
    };
    assert_eq!(
        link.pod,
        [fact("spec.containers[].resources.requests.memory", "2Gi")]
    );
    assert_eq!(
        link.node,
        [
            fact("status.allocatable.memory", "2Gi"),
            Fact {
                name: FactName::RequestedByPods,
                value: "1Gi".to_string()
            }
        ]
    );
}

#[test]
fn a_taint_stands_beside_the_tolerations_that_miss_it() {
    let mut node = Node::default();
    node.spec.taints.push(Taint::new("gpu", "NoSchedule"));
    let reason = Reason::UntoleratedTaint {
        taint: Arc::from("gpu:NoSchedule"),
    };
    let links = chain(&Pod::default(), Some(&node), &row(reason));
    assert_eq!(links[0].pod, [fact("spec.tolerations", "")]);
    assert_eq!(links[0].node, [fact("spec.taints[]", "gpu:NoSchedule")]);
}
