//! What set-based filters have in common.

use alloc::vec::Vec;

use crate::framework::extension::Verdicts;
use crate::framework::status::Status;
use crate::node_set::{NodeIndex, NodeSet};

/// Asks `judge` about the rows of `nodes` that are also in `suspects`; all others pass.
///
/// Shapes: as in [`Filter::filter`](crate::framework::extension::Filter::filter).
pub(super) fn judge_among(
    nodes: &mut NodeSet,
    suspects: &NodeSet,
    verdicts: &mut Verdicts,
    mut judge: impl FnMut(NodeIndex) -> Status,
) {
    let rows: Vec<NodeIndex> = nodes.common(suspects).collect();
    for row in rows {
        let status = judge(row);
        if !status.is_success() {
            nodes.remove(row);
            verdicts.reject(row, status);
        }
    }
}
