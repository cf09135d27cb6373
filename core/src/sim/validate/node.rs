//! Nodes.

use alloc::collections::BTreeSet;
use alloc::format;

use crate::api::Node;
use crate::api::names::{label_value_faults, qualified_name_faults};

use super::super::error::{Faults, InputError};
use super::affinity::TAINT_EFFECTS;
use super::at::At;
use super::meta::check_text;
use super::resources;

pub(super) fn check_node(faults: &mut Faults, node: &Node) {
    let root = At::ROOT;
    let mut seen = BTreeSet::new();
    for (index, taint) in node.spec.taints.iter().enumerate() {
        let list = root.field("spec.taints");
        let at = list.index(index);
        if taint.key.is_empty() {
            at.field("key")
                .fault(faults, InputError::missing("what the taint is about"));
        } else {
            check_text(faults, &at.field("key"), &taint.key, qualified_name_faults);
        }
        check_text(faults, &at.field("value"), &taint.value, label_value_faults);
        at.field("effect")
            .one_of(faults, &taint.effect, TAINT_EFFECTS);
        if !seen.insert((&taint.key, &taint.effect)) {
            at.fault(
                faults,
                InputError::Duplicate {
                    found: format!("{}:{}", taint.key, taint.effect),
                },
            );
        }
    }
    let status = root.field("status");
    resources::check_list(faults, &status.field("capacity"), &node.status.capacity);
    resources::check_list(
        faults,
        &status.field("allocatable"),
        &node.status.allocatable,
    );
}
