//! How a snapshot follows the cache: one row at a time, and the whole list when a node came or went.
//!
//! Invariant: what is kept beside the rows says what the rows say. Only a question asked with another row in place
//! ([`Snapshot::with_row`]) and rows set by hand ([`Snapshot::set_row`], [`Snapshot::set_rows`]) leave the lists of rows
//! and the claims behind.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use crate::node_set::NodeIndex;

use super::Snapshot;
use super::columns::Columns;
use super::moves::Moves;
use super::names::Names;
use super::node_info::NodeInfo;

impl Snapshot {
    /// Replaces the list of nodes, in the order given.
    ///
    /// # Panics
    ///
    /// When a row has no node object: ghosts are the cache's own business.
    pub fn set_rows(&mut self, rows: Vec<Arc<NodeInfo>>) {
        let names: Vec<Arc<str>> = rows.iter().map(|info| Arc::from(info.name())).collect();
        let moves = Moves::between(&self.names, &names);
        self.columns = Columns::of(&rows);
        self.names = Names::new(names);
        self.move_rows(rows, &moves);
    }

    /// Replaces one row by a newer state of the same node.
    pub fn set_row(&mut self, row: NodeIndex, info: Arc<NodeInfo>) {
        self.put(row, info);
    }

    /// Rebuilds the lists of rows with affinity pods and the set of claims in use.
    pub fn refresh_lists(&mut self) {
        self.with_affinity.clear();
        self.with_required_anti_affinity.clear();
        self.used_claims.clear();
        for row in (0..self.rows.len()).map(NodeIndex::new) {
            self.enlist(row);
        }
    }

    /// Lists the nodes of these names in this order: those that `fresh` has, and those that are listed already and that
    /// `is_kept` keeps. Names of no such node are left out.
    ///
    /// Cost: one pass, with a search for each node that came and each that moved far.
    pub(crate) fn relist<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n Arc<str>> + Clone,
        mut fresh: impl FnMut(&str) -> Option<Arc<NodeInfo>>,
        is_kept: impl Fn(&str) -> bool,
    ) {
        let found = Moves::between(&self.names, names.clone());
        let (mut listed, mut rows, mut from) = (Vec::new(), Vec::new(), Vec::new());
        for (name, origin) in names.into_iter().zip(found.origins()) {
            let known = origin.or_else(|| self.names.row(name));
            let kept = known.filter(|_| is_kept(name));
            let kept = kept.and_then(|row| self.rows.get(row.as_usize()));
            let (info, origin) = match kept {
                Some(info) => (info.clone(), origin),
                None => match fresh(name) {
                    Some(info) => (info, None),
                    None => continue,
                },
            };
            listed.push(name.clone());
            rows.push(info);
            from.push(origin);
        }
        let moves = Moves::from(from);
        self.columns = self.columns.rearranged(&rows, &moves);
        self.names = self.names.rearranged(listed, &moves);
        let before = self.move_rows(rows, &moves);
        self.move_lists(&before, &moves);
    }

    /// Puts rows in place of the others, with what is counted over them.
    fn move_rows(&mut self, rows: Vec<Arc<NodeInfo>>, moves: &Moves) -> Vec<Arc<NodeInfo>> {
        assert!(
            rows.iter().all(|info| info.node.is_some()),
            "a snapshot lists only nodes that exist"
        );
        self.domains.rearrange(&self.rows, &rows, moves);
        let mut keys = BTreeSet::new();
        self.census.rearrange(&self.rows, &rows, moves, &mut |pod| {
            keys.extend(pod.topology_keys().map(String::from));
        });
        let before = mem::replace(&mut self.rows, rows);
        for key in keys {
            self.domains.keep(&key, &self.rows);
        }
        before
    }

    /// Follows the rows in the lists that know them by number, and enters those that are new.
    fn move_lists(&mut self, before: &[Arc<NodeInfo>], moves: &Moves) {
        let to = moves.targets(before.len());
        for list in [
            &mut self.with_affinity,
            &mut self.with_required_anti_affinity,
        ] {
            let known = list.iter();
            let moved = known.filter_map(|row| to.get(row.as_usize()).copied().flatten());
            *list = moved.collect();
            list.sort_unstable();
        }
        for (info, target) in before.iter().zip(&to) {
            if target.is_none() {
                for claim in info.claim_users.keys() {
                    self.release_claim(claim);
                }
            }
        }
        let rows = (0..self.rows.len()).map(NodeIndex::new);
        for (row, from) in rows.zip(moves.origins()) {
            if from.is_none() {
                self.enlist(row);
            }
        }
    }

    /// Enters a row in the lists.
    fn enlist(&mut self, row: NodeIndex) {
        let Some(info) = self.rows.get(row.as_usize()) else {
            return;
        };
        if !info.pods_with_affinity.is_empty() {
            toggle(&mut self.with_affinity, row);
        }
        if !info.pods_with_required_anti_affinity.is_empty() {
            toggle(&mut self.with_required_anti_affinity, row);
        }
        for claim in info.claim_users.keys() {
            *self.used_claims.entry(claim.clone()).or_default() += 1;
        }
    }

    /// Replaces what is known of the node in a row, lists and claims included.
    ///
    /// Cost: what differs between the two states.
    pub(crate) fn replace(&mut self, row: NodeIndex, info: &Arc<NodeInfo>) {
        self.refresh_row(row, info);
        if self.names_known() != self.rows.len() {
            self.replace_doubles(row, info);
        }
    }

    /// A node that came twice with different zones is listed twice, as in kube-scheduler.
    fn replace_doubles(&mut self, known: NodeIndex, info: &Arc<NodeInfo>) {
        for row in (0..self.rows.len()).map(NodeIndex::new) {
            if row != known && self.name(row) == self.name(known) {
                self.refresh_row(row, info);
            }
        }
    }

    fn refresh_row(&mut self, row: NodeIndex, info: &Arc<NodeInfo>) {
        let Some(before) = self.put(row, info.clone()) else {
            return;
        };
        if before.pods_with_affinity.is_empty() != info.pods_with_affinity.is_empty() {
            toggle(&mut self.with_affinity, row);
        }
        if before.pods_with_required_anti_affinity.is_empty()
            != info.pods_with_required_anti_affinity.is_empty()
        {
            toggle(&mut self.with_required_anti_affinity, row);
        }
        for claim in info.claim_users.keys() {
            if !before.claim_users.contains_key(claim) {
                *self.used_claims.entry(claim.clone()).or_default() += 1;
            }
        }
        for claim in before.claim_users.keys() {
            if !info.claim_users.contains_key(claim) {
                self.release_claim(claim);
            }
        }
    }

    fn release_claim(&mut self, claim: &str) {
        if let Some(nodes) = self.used_claims.get_mut(claim) {
            *nodes -= 1;
            if *nodes == 0 {
                self.used_claims.remove(claim);
            }
        }
    }

    /// Puts a newer state of the same node in a row, with what is counted over the rows, and returns the older one.
    fn put(&mut self, row: NodeIndex, info: Arc<NodeInfo>) -> Option<Arc<NodeInfo>> {
        let slot = self.rows.get_mut(row.as_usize())?;
        self.columns.set(row, &info);
        self.domains.set(row, slot, &info);
        let mut keys = BTreeSet::new();
        self.census.follow(row, slot, &info, &mut |pod| {
            keys.extend(pod.topology_keys().map(String::from));
        });
        let before = mem::replace(slot, info);
        for key in keys {
            self.domains.keep(&key, &self.rows);
        }
        Some(before)
    }

    /// Whether the row has this very name, the text itself in memory.
    pub(crate) fn is_named(&self, row: NodeIndex, name: &Arc<str>) -> bool {
        self.names
            .get(row)
            .is_some_and(|known| Arc::ptr_eq(known, name))
    }

    /// How many different names are listed.
    pub(crate) const fn names_known(&self) -> usize {
        self.names.different()
    }
}

/// Takes a row out of an ascending list, or puts it in where it is not there.
fn toggle(rows: &mut Vec<NodeIndex>, row: NodeIndex) {
    match rows.binary_search(&row) {
        Ok(place) => {
            rows.remove(place);
        }
        Err(place) => rows.insert(place, row),
    }
}
