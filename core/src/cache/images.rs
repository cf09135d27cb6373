//! Which images there are on how many nodes.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;

use crate::api::Node;
use crate::order::SortedMap;
use crate::snapshot::NodeInfo;
use crate::snapshot::node_info::ImageState;

/// Images by name, over all nodes: kube-scheduler's `imageStates`.
#[derive(Clone, Debug, Default)]
pub(super) struct Images {
    states: BTreeMap<Arc<str>, ImageState>,
    /// Counts changes, so that a node can tell whether its own copy could be old.
    changes: u64,
}

impl Images {
    /// Takes back what a node contributed, and then counts in what it has now.
    ///
    /// The first node that lists a name fixes its size for as long as some node has it.
    pub(super) fn replace(&mut self, info: &mut NodeInfo, node: &Node) {
        self.release(info);
        let mut own: SortedMap<Arc<str>, ImageState> = SortedMap::new();
        for image in &node.status.images {
            for name in &image.names {
                if own.contains_key(name.as_str()) {
                    continue;
                }
                let name: Arc<str> = self
                    .states
                    .get_key_value(name.as_str())
                    .map_or_else(|| Arc::from(name.as_str()), |(known, _)| known.clone());
                let state = self.states.entry(name.clone()).or_insert(ImageState {
                    size_bytes: image.size_bytes,
                    nodes: 0,
                });
                state.nodes += 1;
                own.insert(name, *state);
            }
        }
        if !own.is_empty() {
            self.changes += 1;
        }
        info.image_states = Arc::new(own);
    }

    /// Takes back what a node contributed.
    pub(super) fn release(&mut self, info: &mut NodeInfo) {
        if info.image_states.is_empty() {
            return;
        }
        for name in info.image_states.keys() {
            if let Some(state) = self.states.get_mut(name) {
                state.nodes = state.nodes.saturating_sub(1);
                if state.nodes == 0 {
                    self.states.remove(name);
                }
            }
        }
        info.image_states = Arc::default();
        self.changes += 1;
    }

    /// Brings the counts of one node up to date; `seen` is the count of changes at which that was last done.
    ///
    /// QUIRK: this happens only when a node is copied into a snapshot, so a node that does not change keeps the counts
    /// of its last change, and ImageLocality scores it by them.
    pub(super) fn refresh(&self, info: &mut Arc<NodeInfo>, seen: &mut u64) {
        if *seen == self.changes {
            return;
        }
        *seen = self.changes;
        let is_old = |name: &Arc<str>, state: &ImageState| {
            self.states
                .get(name)
                .is_some_and(|live| live.nodes != state.nodes)
        };
        if !info
            .image_states
            .iter()
            .any(|(name, state)| is_old(name, state))
        {
            return;
        }
        let own = Arc::make_mut(&mut Arc::make_mut(info).image_states);
        for (name, state) in own.iter_mut() {
            if let Some(live) = self.states.get(name) {
                state.nodes = live.nodes;
            }
        }
    }

    /// What is known of an image.
    #[cfg(test)]
    pub(super) fn get(&self, name: &str) -> Option<ImageState> {
        self.states.get(name).copied()
    }
}
