//! What is new for a snapshot.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::snapshot::{NodeInfo, Snapshot};

use super::SchedulerCache;
use super::error::CacheError;

impl SchedulerCache {
    /// Brings a snapshot that was last brought up to date by this cache, or an empty one, up to date.
    ///
    /// Rows keep their places unless a node came or went; nodes that did not change stay the same instances.
    ///
    /// QUIRK: a node that only changed its zone moves in the tree but keeps its row until a node comes or goes.
    ///
    /// Cost: what changed since, and the whole list when a node came or went.
    /// Source: spec, queue and cache 14.2; Kubernetes v1.36 `backend/cache/cache.go`.
    ///
    /// # Errors
    ///
    /// When list and tree disagree afterwards. The list was built anew then, so that the next attempt works.
    pub fn update_snapshot(&mut self, snapshot: &mut Snapshot) -> Result<(), CacheError> {
        let fresh = self.copy_changed(snapshot);
        if let Some(head) = self.nodes.head() {
            snapshot.generation = self.nodes.entry(head).info.generation;
        }
        let known = snapshot.names_known() + fresh.len();
        let lost = known > self.tree.len();
        if lost || !fresh.is_empty() {
            self.relist(snapshot, &fresh, lost);
        }
        if snapshot.len() == self.tree.len() {
            return Ok(());
        }
        let error = CacheError::InconsistentSnapshot {
            listed: snapshot.len(),
            in_tree: self.tree.len(),
            known,
            cached: self.nodes.len(),
        };
        self.relist(snapshot, &fresh, false);
        Err(error)
    }

    /// Puts what changed into the rows that there are, and returns the nodes that have none.
    fn copy_changed(&mut self, snapshot: &mut Snapshot) -> BTreeMap<Arc<str>, Arc<NodeInfo>> {
        let mut fresh = BTreeMap::new();
        let mut cursor = self.nodes.head();
        while let Some(slot) = cursor {
            cursor = self.nodes.older(slot);
            let entry = self.nodes.entry_mut(slot);
            if entry.info.generation <= snapshot.generation {
                break;
            }
            if entry.info.node.is_none() {
                continue;
            }
            self.images.refresh(&mut entry.info, &mut entry.images_seen);
            if !snapshot.replace(&entry.name, &entry.info) {
                fresh.insert(entry.name.clone(), entry.info.clone());
            }
        }
        fresh
    }

    /// Lists the nodes in the order of the tree: those that are new, and those that the snapshot knows.
    fn relist(
        &self,
        snapshot: &mut Snapshot,
        fresh: &BTreeMap<Arc<str>, Arc<NodeInfo>>,
        without_lost: bool,
    ) {
        let is_lost = |name: &str| {
            let info = self.nodes.get(name);
            info.is_none_or(|info| info.node.is_none())
        };
        let mut rows = Vec::with_capacity(self.tree.len());
        for name in self.tree.list() {
            let known = || {
                let row = snapshot.row(&name)?;
                let is_kept = !(without_lost && is_lost(&name));
                is_kept.then(|| snapshot.node(row).clone())
            };
            if let Some(info) = fresh.get(&name).cloned().or_else(known) {
                rows.push((name, info));
            }
        }
        snapshot.relist(rows);
    }
}
