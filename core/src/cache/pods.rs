//! The pods of the cache, and which of them are only assumed.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::snapshot::PodInfo;
use crate::time::Timestamp;

use super::keyed::{Keyed, hash};
use super::node_list::Slot;

/// What the cache knows of a pod that has a node.
#[derive(Clone, Debug)]
pub(super) struct PodState {
    /// The pod as it was last stored.
    pub(super) info: Arc<PodInfo>,
    /// How it came here.
    pub(super) standing: Standing,
    /// The place of its node, which is there for as long as the pod is.
    pub(super) node: Slot,
}

/// How a pod came to be on its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It was observed there.
    Added,
    /// It was put there by a decision that nobody has confirmed yet.
    Assumed {
        /// When it is given up, if it is at all.
        deadline: Option<Timestamp>,
    },
}

/// Pods by UID. Cheap to clone: split into parts, each of which is copied when it first changes.
#[derive(Clone, Debug)]
pub(super) struct Pods {
    parts: Vec<Arc<Keyed<PodState>>>,
    len: usize,
    assumed: usize,
    deadlines: BTreeSet<(Timestamp, Arc<str>)>,
}

impl Default for Pods {
    fn default() -> Self {
        Self {
            parts: alloc::vec![Arc::default(); PARTS],
            len: 0,
            assumed: 0,
            deadlines: BTreeSet::new(),
        }
    }
}

impl Pods {
    /// Stores a pod, in place of an older state of the same pod.
    pub(super) fn insert(&mut self, state: PodState) {
        let uid = state.info.reference.uid.clone();
        self.count(&state);
        let part = self.parts.get_mut(part_of(&uid));
        let part = part.expect("every hash has its part");
        if let Some(before) = Arc::make_mut(part).insert(uid, state) {
            self.discount(&before);
        }
    }

    /// Forgets a pod and returns what was known of it.
    pub(super) fn remove(&mut self, uid: &str) -> Option<PodState> {
        let part = self.parts.get_mut(part_of(uid))?;
        if !part.contains_key(uid) {
            return None;
        }
        let state = Arc::make_mut(part).swap_remove(uid)?;
        self.discount(&state);
        Some(state)
    }

    fn count(&mut self, state: &PodState) {
        self.len += 1;
        if let Standing::Assumed { deadline } = state.standing {
            self.assumed += 1;
            if let Some(deadline) = deadline {
                let uid = state.info.reference.uid.clone();
                self.deadlines.insert((deadline, uid));
            }
        }
    }

    fn discount(&mut self, state: &PodState) {
        self.len -= 1;
        if let Standing::Assumed { deadline } = state.standing {
            self.assumed -= 1;
            if let Some(deadline) = deadline {
                let uid = state.info.reference.uid.clone();
                self.deadlines.remove(&(deadline, uid));
            }
        }
    }

    /// What is known of a pod.
    pub(super) fn get(&self, uid: &str) -> Option<&PodState> {
        self.parts.get(part_of(uid))?.get(uid)
    }

    /// How many pods there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// How many of them are assumed.
    pub(super) const fn assumed(&self) -> usize {
        self.assumed
    }

    /// The first instant at which an assumed pod is to be given up.
    pub(super) fn first_deadline(&self) -> Option<(Timestamp, &Arc<str>)> {
        let (deadline, uid) = self.deadlines.first()?;
        Some((*deadline, uid))
    }

    /// All pods, in an order that means nothing but is always the same.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PodState> {
        self.parts.iter().flat_map(|part| part.values())
    }
}

/// In which part a pod is: by the bits of its hash that a table looks at last.
fn part_of(uid: &str) -> usize {
    usize::from((hash(uid) >> 16).to_le_bytes()[0])
}

/// Enough that a part of a large cluster's pods is small, few enough that an empty cache is.
const PARTS: usize = 256;
