//! Which nodes are counted for a constraint.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ComparisonOperators, Node, Pod, RequiredNodeAffinity, untolerated_hard_taint};
use crate::node_set::{NodeIndex, NodeSet};
use crate::snapshot::{DomainColumn, Snapshot};

use super::constraint::Constraint;

/// What decides whether a node is counted for a pod's constraints, beside its labels.
///
/// Source: spec, plugins 10.3.
#[derive(Clone, Debug)]
pub(super) struct Eligibility {
    required: RequiredNodeAffinity,
    operators: ComparisonOperators,
}

impl Eligibility {
    pub(super) fn of(pod: &Pod, operators: ComparisonOperators) -> Self {
        Self {
            required: RequiredNodeAffinity::of(pod),
            operators,
        }
    }

    /// Whether the node is counted for the constraint.
    pub(super) fn allows(&self, constraint: &Constraint, pod: &Pod, node: &Node) -> bool {
        (!constraint.honors_affinity || self.required.matches(node))
            && (!constraint.honors_taints || self.tolerates(pod, node))
    }

    fn tolerates(&self, pod: &Pod, node: &Node) -> bool {
        untolerated_hard_taint(&node.spec.taints, &pod.spec.tolerations, self.operators).is_none()
    }

    /// The rows without a hard taint that the pod does not tolerate.
    fn tolerated_rows(&self, snapshot: &Snapshot, pod: &Pod) -> NodeSet {
        let mut rows = snapshot.all();
        for row in snapshot.columns().hard_taints().iter() {
            let node = snapshot.node(row).node.as_ref();
            if !node.is_some_and(|node| self.tolerates(pod, node)) {
                rows.remove(row);
            }
        }
        rows
    }

    /// The rows of `labelled` that are counted for each constraint; `None` stands for all rows.
    ///
    /// Cost: nothing for a pod that does not choose nodes and a constraint that ignores taints; otherwise a look at every
    /// node, or at those with taints.
    pub(super) fn rows(
        &self,
        snapshot: &Snapshot,
        pod: &Pod,
        constraints: &[Constraint],
        labelled: Option<NodeSet>,
    ) -> Vec<Option<NodeSet>> {
        let wants = |honored: &dyn Fn(&Constraint) -> bool| constraints.iter().any(honored);
        let needs_affinity =
            !self.required.is_empty() && wants(&|constraint| constraint.honors_affinity);
        let by_affinity =
            needs_affinity.then(|| rows_where(snapshot, |node| self.required.matches(node)));
        let by_taints = wants(&|constraint| constraint.honors_taints)
            .then(|| self.tolerated_rows(snapshot, pod));
        constraints
            .iter()
            .map(|constraint| {
                let mut rows = labelled.clone();
                if constraint.honors_affinity {
                    narrow(&mut rows, by_affinity.as_ref());
                }
                if constraint.honors_taints {
                    narrow(&mut rows, by_taints.as_ref());
                }
                rows
            })
            .collect()
    }
}

/// The rows that have a label for each column; `None` when that is all of them.
pub(super) fn fully_labelled(
    snapshot: &Snapshot,
    columns: &[Arc<DomainColumn>],
) -> Option<NodeSet> {
    if columns.iter().all(|column| column.is_complete()) {
        return None;
    }
    let mut rows = snapshot.all();
    rows.retain(|row| columns.iter().all(|column| column.at(row).is_some()));
    Some(rows)
}

/// Whether a row is meant.
pub(super) fn contains(rows: Option<&NodeSet>, row: NodeIndex) -> bool {
    rows.is_none_or(|rows| rows.contains(row))
}

fn rows_where(snapshot: &Snapshot, is_meant: impl Fn(&Node) -> bool) -> NodeSet {
    let mut rows = NodeSet::empty(snapshot.len());
    for (row, info) in snapshot.iter() {
        if info.node.as_ref().is_some_and(|node| is_meant(node)) {
            rows.insert(row);
        }
    }
    rows
}

fn narrow(rows: &mut Option<NodeSet>, to: Option<&NodeSet>) {
    match (rows.as_mut(), to) {
        (_, None) => {}
        (Some(rows), Some(to)) => rows.intersect_with(to),
        (None, Some(to)) => *rows = Some(to.clone()),
    }
}
