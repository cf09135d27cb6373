//! What the cache refuses to do, in kube-scheduler's words.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt::{self, Write as _};

use crate::snapshot::PodRef;

/// Why the cache did not do what it was asked. Nothing was changed then, unless a variant says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Pods are told apart by their UID.
    #[error("cannot get cache key for pod with empty UID")]
    EmptyUid,
    /// Only a pod that is not there can be assumed.
    #[error("pod {}({pod}) is in the cache, so can't be assumed", pod.uid)]
    AlreadyInCache {
        /// The pod.
        pod: PodRef,
    },
    /// A pod is forgotten with the node it was assumed on.
    #[error("pod {}({pod}) was assumed on {named} but assigned to {stored}", pod.uid)]
    OtherNode {
        /// The pod.
        pod: PodRef,
        /// The node that the caller named.
        named: String,
        /// The node that the cache has it on.
        stored: String,
    },
    /// Only an assumed pod can be forgotten.
    #[error("pod {}({pod}) wasn't assumed so cannot be forgotten", pod.uid)]
    NotAssumed {
        /// The pod.
        pod: PodRef,
    },
    /// A pod is added once.
    #[error("pod {}({pod}) was already in added state", pod.uid)]
    AlreadyAdded {
        /// The pod.
        pod: PodRef,
    },
    /// Only a pod that was added can be updated.
    #[error("pod {}({pod}) is not added to scheduler cache, so cannot be updated", pod.uid)]
    NotAdded {
        /// The pod.
        pod: PodRef,
    },
    /// An assumed pod is added before it is updated.
    #[error("assumed pod {}({pod}) should not be updated", pod.uid)]
    UpdateOfAssumed {
        /// The pod.
        pod: PodRef,
    },
    /// Only a pod that is there can be removed.
    #[error("pod {}({pod}) is not found in scheduler cache, so cannot be removed from it", pod.uid)]
    NotFound {
        /// The pod.
        pod: PodRef,
    },
    /// The node that was named does not hold the pod.
    #[error("no corresponding pod {} in pods of node {node}", pod.name)]
    NoCorrespondingPod {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: String,
    },
    /// Only a node that is there can be removed.
    #[error("node {node} is not found")]
    NodeNotFound {
        /// The node.
        node: String,
    },
    /// The node was not among those of its zone. The node itself was removed.
    #[error("node {} in group {} was not found", Quoted(node), Quoted(zone))]
    NotInZone {
        /// The node.
        node: String,
        /// The zone's key.
        zone: String,
    },
    /// The list of a snapshot and the tree of nodes disagree. The snapshot was built anew, so that the next attempt works.
    #[error(
        "snapshot state is not consistent, length of NodeInfoList={listed} not equal to length of nodes in \
         tree={in_tree} , length of NodeInfoMap={known}, length of nodes in cache={cached}, trying to recover"
    )]
    InconsistentSnapshot {
        /// Nodes in the snapshot's list.
        listed: usize,
        /// Nodes in the tree.
        in_tree: usize,
        /// Names that the snapshot knows.
        known: usize,
        /// Nodes in the cache, ghosts included.
        cached: usize,
    },
    /// A pod is on another node than the one it was added to: kube-scheduler ends its process here, because whatever it
    /// decided from now on would rest on wrong totals. What a host does is the host's to decide.
    #[error(
        "pod {}({pod}) is on node {observed} but was added to {stored}: scheduler cache is corrupted and can badly \
         affect scheduling decisions",
        pod.uid
    )]
    Corrupted {
        /// The pod.
        pod: PodRef,
        /// The node that was observed.
        observed: String,
        /// The node that the cache has it on.
        stored: Arc<str>,
    },
}

impl CacheError {
    /// Whether kube-scheduler would end its process.
    #[must_use]
    pub const fn is_corruption(&self) -> bool {
        matches!(self, Self::Corrupted { .. })
    }
}

/// Text in double quotes as Go writes it with `%q`.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '\0' => f.write_str("\\x00")?,
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                other => f.write_char(other)?,
            }
        }
        f.write_char('"')
    }
}
