//! What is new for a snapshot.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

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
            if !snapshot.is_named(entry.row, &entry.name) {
                let Some(row) = snapshot.row(&entry.name) else {
                    fresh.insert(entry.name.clone(), entry.info.clone());
                    continue;
                };
                entry.row = row;
            }
            snapshot.replace(entry.row, &entry.info);
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
        let is_there = |name: &str| {
            let info = self.nodes.get(name);
            info.is_some_and(|info| info.node.is_some())
        };
        // As long as every removal found its node in the tree, the tree has no other nodes than the cache.
        let has_lost = without_lost && self.tree_may_have_lost;
        snapshot.relist(
            &self.tree.list(),
            |name| fresh.get(name).cloned(),
            |name| !has_lost || is_there(name),
        );
    }
}
