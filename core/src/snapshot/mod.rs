//! What one scheduling attempt sees of the cluster.
//!
//! A [`Snapshot`] is the list of nodes in the order of the node tree, with hot numbers repeated as columns. The cache
//! refreshes it by generation, so its cost follows what changed. An attempt may put another [`NodeInfo`] in a row for
//! the length of a question (`Snapshot::with_row`) and so ask what would be if a pod came or went; nothing else is
//! touched by that, as in kube-scheduler.
//!
//! It stands below `framework` in the order of imports, because a plugin's context is made of these types.
//!
//! It deliberately does not know how the cache is kept, or what a plugin is.

pub mod affinity;
pub mod census;
mod columns;
pub mod domains;
pub mod listers;
pub mod memory;
mod moves;
mod names;
pub mod node_info;
pub mod pod_info;
pub mod resource;
mod update;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use crate::api::Selector;
use crate::node_set::{NodeIndex, NodeSet};

use census::{RowCounts, is_individualist};
use domains::Domains;
use names::Names;

pub use census::Census;
pub use columns::{Columns, Room};
pub use domains::{Domain, DomainColumn};
pub use listers::Listers;
pub use memory::PluginMemory;
pub use node_info::NodeInfo;
pub use pod_info::{PodInfo, PodRef};
pub use resource::{NonZeroRequest, Resource};

/// In which namespaces pods are looked for.
#[derive(Clone, Copy, Debug)]
pub enum Namespaces<'a> {
    /// In every one.
    All,
    /// In these, each named once.
    These(&'a [&'a str]),
}

impl Namespaces<'_> {
    fn contain(&self, namespace: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(names) => names.contains(&namespace),
        }
    }
}

/// The nodes of one attempt: kube-scheduler's `Snapshot`.
///
/// Shapes: row *i* of everything is node *i* of the list. Every row has a node object.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    rows: Vec<Arc<NodeInfo>>,
    columns: Columns,
    names: Names,
    domains: Domains,
    census: Census,
    with_affinity: Vec<NodeIndex>,
    with_required_anti_affinity: Vec<NodeIndex>,
    /// `namespace/claim` of every claim that a pod on a listed node uses, with the number of such nodes.
    used_claims: BTreeMap<String, u32>,
    /// The newest generation that was copied.
    pub(crate) generation: u64,
}

impl Snapshot {
    /// Asks a question with `info` in the row, and puts back what was there.
    ///
    /// Lists of the snapshot (rows with affinity pods, claims in use) and its counts of pods are not changed by it, as in
    /// kube-scheduler, where the copy of a node is all that a dry run changes.
    pub fn with_row<R>(
        &mut self,
        row: NodeIndex,
        info: Arc<NodeInfo>,
        ask: impl FnOnce(&Self) -> R,
    ) -> R {
        let Some(slot) = self.rows.get_mut(row.as_usize()) else {
            return ask(self);
        };
        let before = mem::replace(slot, info.clone());
        self.columns.set(row, &info);
        let answer = ask(self);
        self.columns.set(row, &before);
        if let Some(slot) = self.rows.get_mut(row.as_usize()) {
            *slot = before;
        }
        answer
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The node in a row of this snapshot.
    ///
    /// # Panics
    ///
    /// When the row is of another snapshot.
    #[must_use]
    pub fn node(&self, row: NodeIndex) -> &Arc<NodeInfo> {
        self.rows
            .get(row.as_usize())
            .expect("the row is one of this snapshot's")
    }

    /// The name of the node in a row.
    ///
    /// # Panics
    ///
    /// When the row is of another snapshot.
    #[must_use]
    pub fn name(&self, row: NodeIndex) -> &Arc<str> {
        self.names
            .get(row)
            .expect("the row is one of this snapshot's")
    }

    /// The row of a node; `None` for a name that is not listed.
    #[must_use]
    pub fn row(&self, name: &str) -> Option<NodeIndex> {
        self.names.row(name)
    }

    /// Every node with its row, in list order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (NodeIndex, &Arc<NodeInfo>)> {
        self.rows
            .iter()
            .enumerate()
            .map(|(row, info)| (NodeIndex::new(row), info))
    }

    /// All rows.
    #[must_use]
    pub fn all(&self) -> NodeSet {
        NodeSet::full(self.rows.len())
    }

    /// Hot numbers by row.
    #[must_use]
    pub const fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The domain of every node for a topology key.
    ///
    /// Cost: nothing for a key that a pod on some node names; otherwise a label lookup for each node.
    #[must_use]
    pub fn domains(&self, topology_key: &str) -> Arc<DomainColumn> {
        self.domains.get(topology_key).map_or_else(
            || Arc::new(DomainColumn::of(topology_key, &self.rows)),
            Arc::clone,
        )
    }

    /// Tells `add` of each node that has pods which are meant, and of how many.
    ///
    /// A pod is meant when it is in one of the namespaces and `is_meant` says so. That may look at the pod's namespace and
    /// labels, at the labels only through `selectors`, and at whether it is being deleted.
    ///
    /// Cost: one question for each kind of pod in those namespaces, one step for each node with a meant one.
    pub fn count_pods<'a>(
        &self,
        namespaces: Namespaces<'_>,
        selectors: impl IntoIterator<Item = &'a Selector>,
        is_meant: impl Fn(&PodInfo) -> bool,
        mut add: impl FnMut(NodeIndex, u32),
    ) {
        if selectors.into_iter().any(is_individualist) {
            let all = self.iter();
            let pods = all.flat_map(|(row, info)| info.pods.iter().map(move |pod| (row, pod)));
            pods.filter(|(_, pod)| namespaces.contain(&pod.reference.namespace) && is_meant(pod))
                .for_each(|(row, _)| add(row, 1));
            return;
        }
        let mut visit = |(pod, rows): (&Arc<PodInfo>, &RowCounts)| {
            if is_meant(pod) {
                rows.iter().for_each(|(row, pods)| add(row, pods));
            }
        };
        match namespaces {
            Namespaces::All => self.census.pods().for_each(visit),
            Namespaces::These(names) => {
                for name in names {
                    self.census.pods_in(name).for_each(&mut visit);
                }
            }
        }
    }

    /// Pods by what they look like and want.
    #[must_use]
    pub const fn census(&self) -> &Census {
        &self.census
    }

    /// Rows with at least one pod that has an affinity stanza, ascending.
    #[must_use]
    pub fn with_affinity(&self) -> &[NodeIndex] {
        &self.with_affinity
    }

    /// Rows with at least one pod that has a required anti-affinity term, ascending.
    #[must_use]
    pub fn with_required_anti_affinity(&self) -> &[NodeIndex] {
        &self.with_required_anti_affinity
    }

    /// Whether a pod on any node uses the claim `namespace/name`.
    #[must_use]
    pub fn is_claim_used(&self, claim: &str) -> bool {
        self.used_claims.contains_key(claim)
    }
}
