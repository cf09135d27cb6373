//! The numbers that every attempt reads for every node, one column each.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{NodeSpec, PREFER_NO_SCHEDULE, Taint};
use crate::node_set::{NodeIndex, NodeSet};

use super::moves::Moves;
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
    unschedulable: NodeSet,
    hard_taints: NodeSet,
    soft_taints: NodeSet,
    images: NodeSet,
}

impl Columns {
    pub(super) fn of(rows: &[Arc<NodeInfo>]) -> Self {
        let mut columns = Self::blank(rows.len());
        for (row, info) in rows.iter().enumerate() {
            columns.set(NodeIndex::new(row), info);
        }
        columns
    }

    fn blank(rows: usize) -> Self {
        let nowhere = NodeSet::empty(rows);
        Self {
            rooms: alloc::vec![Room::default(); rows],
            unschedulable: nowhere.clone(),
            hard_taints: nowhere.clone(),
            soft_taints: nowhere.clone(),
            images: nowhere,
        }
    }

    /// The columns of another list, in which a row that comes from this one has the same state.
    pub(super) fn rearranged(&self, rows: &[Arc<NodeInfo>], moves: &Moves) -> Self {
        let mut columns = Self::blank(rows.len());
        for ((row, info), from) in rows.iter().enumerate().zip(moves.origins()) {
            let row = NodeIndex::new(row);
            match from {
                Some(from) => columns.copy(row, self, from),
                None => columns.set(row, info),
            }
        }
        columns
    }

    /// Takes over a row of other columns.
    fn copy(&mut self, row: NodeIndex, other: &Self, from: NodeIndex) {
        if let Some(room) = self.rooms.get_mut(row.as_usize()) {
            *room = *other.room(from);
        }
        let bits = [
            (&mut self.unschedulable, &other.unschedulable),
            (&mut self.hard_taints, &other.hard_taints),
            (&mut self.soft_taints, &other.soft_taints),
            (&mut self.images, &other.images),
        ];
        for (mine, theirs) in bits {
            if theirs.contains(from) {
                mine.insert(row);
            }
        }
    }

    pub(super) fn set(&mut self, row: NodeIndex, info: &NodeInfo) {
        let Some(room) = self.rooms.get_mut(row.as_usize()) else {
            return;
        };
        *room = Room::of(info);
        self.images.set(row, !info.image_states.is_empty());
        let spec = info.node.as_ref().map(|node| &node.spec);
        let has = |test: fn(&NodeSpec) -> bool| spec.is_some_and(test);
        self.unschedulable.set(row, has(|spec| spec.unschedulable));
        self.hard_taints
            .set(row, has(|spec| spec.taints.iter().any(Taint::is_hard)));
        self.soft_taints.set(
            row,
            has(|spec| {
                let mut taints = spec.taints.iter();
                taints.any(|taint| taint.effect == PREFER_NO_SCHEDULE)
            }),
        );
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

    /// Rows whose node has `spec.unschedulable`.
    #[must_use]
    pub const fn unschedulable(&self) -> &NodeSet {
        &self.unschedulable
    }

    /// Rows with a taint of effect `NoSchedule` or `NoExecute`.
    #[must_use]
    pub const fn hard_taints(&self) -> &NodeSet {
        &self.hard_taints
    }

    /// Rows whose node has an image.
    #[must_use]
    pub const fn images(&self) -> &NodeSet {
        &self.images
    }

    /// Rows with a taint of effect `PreferNoSchedule`.
    #[must_use]
    pub const fn soft_taints(&self) -> &NodeSet {
        &self.soft_taints
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
