//! Which topology domain each node is in: a small number for each value of a node label.
//!
//! A column is a view of node labels and of nothing else. The snapshot keeps the columns of keys that pods on its nodes
//! name, and renews an entry when the node object in its row changes; for any other key a column is made when asked for.
//! Which columns are kept is a matter of speed: a kept one and a new one give the same answers.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use crate::node_set::NodeIndex;

use super::moves::Moves;
use super::node_info::NodeInfo;

/// One value of a topology key, as a place in the columns made for that key. It means nothing beside another column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Domain(u32);

impl Domain {
    /// The domain as a position in a list made with [`DomainColumn::len`] entries.
    #[must_use]
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }

    const NONE: Self = Self(u32::MAX);

    fn some(self) -> Option<Self> {
        (self != Self::NONE).then_some(self)
    }
}

/// The domain of every node for one topology key.
///
/// Shapes: entry *i* belongs to row *i* of the snapshot. Numbers of domains have no meaning and may have gaps.
#[derive(Clone, Debug, Default)]
pub struct DomainColumn {
    key: Arc<str>,
    of_row: Vec<Domain>,
    nodes_in: Vec<u32>,
    labelled: usize,
    by_value: BTreeMap<Arc<str>, Domain>,
}

impl DomainColumn {
    /// Reads the label `key` of every node.
    ///
    /// Cost: a label lookup for each node.
    #[must_use]
    pub fn of(key: &str, rows: &[Arc<NodeInfo>]) -> Self {
        let mut column = Self {
            key: Arc::from(key),
            of_row: Vec::with_capacity(rows.len()),
            ..Self::default()
        };
        for info in rows {
            let domain = column.enter(info);
            column.of_row.push(domain);
        }
        column
    }

    /// The topology key.
    #[must_use]
    pub const fn key(&self) -> &Arc<str> {
        &self.key
    }

    /// The domain of the node in a row; `None` when it lacks the key.
    #[must_use]
    pub fn at(&self, row: NodeIndex) -> Option<Domain> {
        self.of_row.get(row.as_usize())?.some()
    }

    /// The domain of a value; `None` when no node has had it.
    #[must_use]
    pub fn of_value(&self, value: &str) -> Option<Domain> {
        self.by_value.get(value).copied()
    }

    /// The domain of a node that is in the snapshot, by its label.
    #[must_use]
    pub fn of_node(&self, info: &NodeInfo) -> Option<Domain> {
        self.of_value(info.label(&self.key)?)
    }

    /// How many entries a list needs that has one for each domain.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes_in.len()
    }

    /// Whether no node has the key, and none had.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes_in.is_empty()
    }

    /// Whether every node has the key.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.labelled == self.of_row.len()
    }

    /// The domains with at least one node.
    pub fn inhabited(&self) -> impl Iterator<Item = Domain> + '_ {
        let numbered = (0_u32..).map(Domain).zip(&self.nodes_in);
        numbered
            .filter(|(_, nodes)| **nodes > 0)
            .map(|(domain, _)| domain)
    }

    /// Reads the label of one row again.
    fn set(&mut self, row: NodeIndex, info: &NodeInfo) {
        self.leave(row);
        let domain = self.enter(info);
        if let Some(slot) = self.of_row.get_mut(row.as_usize()) {
            *slot = domain;
        }
    }

    fn leave(&mut self, row: NodeIndex) {
        let Some(domain) = self.at(row) else { return };
        self.labelled -= 1;
        if let Some(nodes) = self.nodes_in.get_mut(domain.as_usize()) {
            *nodes -= 1;
        }
    }

    fn enter(&mut self, info: &NodeInfo) -> Domain {
        let Some(value) = info.label(&self.key) else {
            return Domain::NONE;
        };
        self.labelled += 1;
        if let Some(domain) = self.of_value(value) {
            if let Some(nodes) = self.nodes_in.get_mut(domain.as_usize()) {
                *nodes += 1;
            }
            return domain;
        }
        let domain = Domain(NodeIndex::new(self.nodes_in.len()).0);
        self.nodes_in.push(1);
        self.by_value.insert(Arc::from(value), domain);
        domain
    }

    /// Follows the nodes to another list.
    fn rearrange(&mut self, before: &[Arc<NodeInfo>], after: &[Arc<NodeInfo>], moves: &Moves) {
        let is_mostly_deserted =
            self.nodes_in.iter().filter(|nodes| **nodes == 0).count() * 2 > self.nodes_in.len();
        if is_mostly_deserted {
            *self = Self::of(&self.key, after);
            return;
        }
        let old_rows = mem::replace(&mut self.of_row, Vec::with_capacity(after.len()));
        self.nodes_in.fill(0);
        self.labelled = 0;
        for (info, from) in after.iter().zip(moves.origins()) {
            let kept = from.map(NodeIndex::as_usize).filter(|old| {
                let old = before.get(*old);
                old.is_some_and(|old| is_same_node(old, info))
            });
            let domain = match kept {
                Some(old) => self.keep(old_rows.get(old).copied().and_then(Domain::some)),
                None => self.enter(info),
            };
            self.of_row.push(domain);
        }
    }

    fn keep(&mut self, domain: Option<Domain>) -> Domain {
        let Some(domain) = domain else {
            return Domain::NONE;
        };
        self.labelled += 1;
        if let Some(nodes) = self.nodes_in.get_mut(domain.as_usize()) {
            *nodes += 1;
        }
        domain
    }
}

/// The columns that a snapshot keeps.
#[derive(Clone, Debug)]
pub(super) struct Domains {
    columns: Vec<Arc<DomainColumn>>,
}

impl Default for Domains {
    fn default() -> Self {
        let columns = ALWAYS
            .iter()
            .map(|key| Arc::new(DomainColumn::of(key, &[])));
        Self {
            columns: columns.collect(),
        }
    }
}

impl Domains {
    /// The kept column of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Arc<DomainColumn>> {
        self.columns.iter().find(|column| *column.key == *key)
    }

    /// Keeps the column of a key from now on, unless there are too many.
    pub(super) fn keep(&mut self, key: &str, rows: &[Arc<NodeInfo>]) {
        if self.columns.len() < MOST_COLUMNS && self.get(key).is_none() {
            self.columns.push(Arc::new(DomainColumn::of(key, rows)));
        }
    }

    /// Reads the labels of one row again, if another node object stands there.
    pub(super) fn set(&mut self, row: NodeIndex, before: &NodeInfo, after: &NodeInfo) {
        if is_same_node(before, after) {
            return;
        }
        for column in &mut self.columns {
            // Most new objects have the labels of the old one, and an attempt under way may hold the column.
            if before.label(&column.key) != after.label(&column.key) {
                Arc::make_mut(column).set(row, after);
            }
        }
    }

    /// Follows the rows to their new places.
    pub(super) fn rearrange(
        &mut self,
        before: &[Arc<NodeInfo>],
        after: &[Arc<NodeInfo>],
        moves: &Moves,
    ) {
        for column in &mut self.columns {
            Arc::make_mut(column).rearrange(before, after, moves);
        }
    }
}

/// Whether both rows hold the very same node object, so that its labels are the same.
fn is_same_node(one: &NodeInfo, two: &NodeInfo) -> bool {
    match (&one.node, &two.node) {
        (Some(one), Some(two)) => Arc::ptr_eq(one, two),
        _ => false,
    }
}

/// The keys by which kube-scheduler spreads pods that say nothing themselves.
const ALWAYS: [&str; 2] = ["kubernetes.io/hostname", "topology.kubernetes.io/zone"];

/// Each column costs four bytes a node and a lookup for each new node object. Clusters name a handful of keys; one that
/// names more than this pays for the rest when they are asked for.
const MOST_COLUMNS: usize = 64;
