//! Which nodes stand behind each reason of a message: the histogram of kube-scheduler's text with its names put back.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use super::matrix::Matrix;

/// A reason with the nodes that gave it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReasonNodes {
    /// The reason as kube-scheduler prints it.
    pub reason: String,
    /// The plugin.
    pub plugin: String,
    /// The nodes, in the order of the list.
    pub nodes: Vec<Arc<str>>,
    /// Whether the scheduler saw it; otherwise it was found in addition.
    pub was_seen: bool,
}

/// The reasons of a matrix: those that the scheduler saw first, each group with the most nodes first.
#[must_use]
pub fn by_reason(matrix: &Matrix) -> Vec<ReasonNodes> {
    let mut groups: Vec<ReasonNodes> = Vec::new();
    for row in &matrix.rows {
        for (status, was_seen) in row.rejections() {
            let plugin = status.plugin.map_or_else(String::new, |p| p.to_string());
            for reason in &status.reasons {
                let text = reason.to_string();
                let known = groups.iter_mut().find(|group| {
                    group.reason == text && group.plugin == plugin && group.was_seen == was_seen
                });
                match known {
                    Some(group) => group.nodes.push(row.node.clone()),
                    None => groups.push(ReasonNodes {
                        reason: text,
                        plugin: plugin.clone(),
                        nodes: [row.node.clone()].into(),
                        was_seen,
                    }),
                }
            }
        }
    }
    crate::order::sort_by_key(&mut groups, |group| {
        (!group.was_seen, core::cmp::Reverse(group.nodes.len()))
    });
    groups
}
