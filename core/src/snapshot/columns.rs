//! The numbers that every attempt reads for every node, one column each.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::NodeIndex;

use super::node_info::NodeInfo;

/// One row of [`Columns`]: what fits and what is taken.
///
/// Units: milli-cores, bytes, pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Allocatable CPU.
    pub allocatable_milli_cpu: i64,
    /// Allocatable memory.
    pub allocatable_memory: i64,
    /// Allocatable ephemeral storage.
    pub allocatable_ephemeral: i64,
    /// Allowed pods.
    pub allowed_pods: i64,
    /// Requested CPU.
    pub requested_milli_cpu: i64,
    /// Requested memory.
    pub requested_memory: i64,
    /// Requested ephemeral storage.
    pub requested_ephemeral: i64,
    /// Requested CPU with the floor that scores use.
    pub non_zero_milli_cpu: i64,
    /// Requested memory with the floor that scores use.
    pub non_zero_memory: i64,
    /// Pods on the node.
    pub pods: i64,
}

/// Hot numbers of a snapshot, kept beside its rows and changed with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    rooms: Vec<Room>,
}

impl Columns {
    pub(super) fn of(rows: &[Arc<NodeInfo>]) -> Self {
        Self {
            rooms: rows.iter().map(|info| Room::of(info)).collect(),
        }
    }

    pub(super) fn set(&mut self, row: NodeIndex, info: &NodeInfo) {
        if let Some(room) = self.rooms.get_mut(row.as_usize()) {
            *room = Room::of(info);
        }
    }

    /// The numbers of one row.
    ///
    /// # Panics
    ///
    /// When the row is of another snapshot.
    #[must_use]
    pub fn room(&self, row: NodeIndex) -> &Room {
        self.rooms
            .get(row.as_usize())
            .expect("the row is one of this snapshot's")
    }
}

impl Room {
    fn of(info: &NodeInfo) -> Self {
        Self {
            allocatable_milli_cpu: info.allocatable.milli_cpu,
            allocatable_memory: info.allocatable.memory,
            allocatable_ephemeral: info.allocatable.ephemeral_storage,
            allowed_pods: info.allocatable.allowed_pods,
            requested_milli_cpu: info.requested.milli_cpu,
            requested_memory: info.requested.memory,
            requested_ephemeral: info.requested.ephemeral_storage,
            non_zero_milli_cpu: info.non_zero_requested.milli_cpu,
            non_zero_memory: info.non_zero_requested.memory,
            pods: i64::try_from(info.pods.len()).unwrap_or(i64::MAX),
        }
    }
}
