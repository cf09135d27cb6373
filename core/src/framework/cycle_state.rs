//! What plugins hand to themselves from one extension point to the next, within one attempt.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use smallvec::SmallVec;

use crate::snapshot::PodRef;

use super::status::PluginName;

/// Under which name a plugin keeps something: the plugin and the point that wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateKey(pub &'static str);

/// Something a plugin keeps for the length of an attempt. Every `Clone + Send + Sync + 'static` type is one.
pub trait StateData: Any + Send + Sync {
    /// A copy, for a dry run that may change it.
    fn clone_data(&self) -> Arc<dyn StateData>;
    /// The value, to be recognised by its type.
    fn as_any(&self) -> &dyn Any;
    /// The value, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Any + Clone + Send + Sync> StateData for T {
    fn clone_data(&self) -> Arc<dyn StateData> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The state of one attempt: kube-scheduler's `CycleState`. A clone shares what it does not change.
#[derive(Clone, Default)]
pub struct CycleState {
    entries: SmallVec<[Entry; 8]>,
    /// Plugins whose Filter (and AddPod, RemovePod) PreFilter turned off for this pod.
    pub skip_filter: SmallVec<[PluginName; 12]>,
    /// Plugins whose Score PreScore turned off for this pod.
    pub skip_score: SmallVec<[PluginName; 8]>,
    /// Plugins whose PreBind PreBindPreFlight turned off for this pod.
    pub skip_pre_bind: SmallVec<[PluginName; 2]>,
    /// PreBind plugins that may run beside each other for this pod.
    pub parallel_pre_bind: SmallVec<[PluginName; 2]>,
    /// Pods that are to be tried, backoff or not, once this one has its node, and once it is bound: kube-scheduler's
    /// `kubernetes.io/pods-to-activate`. Taken out each time.
    pub pods_to_activate: Vec<PodRef>,
}

/// One thing that is kept.
#[derive(Clone)]
struct Entry {
    key: StateKey,
    value: Arc<dyn StateData>,
    until: Until,
}

/// How long something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// Until a node is chosen.
    Chosen,
    /// Until the pod is bound, or not.
    End,
}

impl CycleState {
    /// Keeps a value, in place of an older one under the same key.
    pub fn write<T: Any + Clone + Send + Sync>(&mut self, key: StateKey, value: T) {
        self.put(key, Arc::new(value), Until::End);
    }

    /// The same for something that nobody reads any more once a node is chosen. What has an entry for each node or domain
    /// belongs here: thousands of bindings may be under way together.
    pub fn write_until_chosen<T: Any + Clone + Send + Sync>(&mut self, key: StateKey, value: T) {
        self.put(key, Arc::new(value), Until::Chosen);
    }

    fn put(&mut self, key: StateKey, value: Arc<dyn StateData>, until: Until) {
        let entry = Entry { key, value, until };
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(slot) => *slot = entry,
            None => self.entries.push(entry),
        }
    }

    /// A node is chosen.
    pub(crate) fn chosen(&mut self) {
        self.entries.retain(|entry| entry.until == Until::End);
    }

    /// The value under a key; `None` when nothing was kept, or something of another type.
    #[must_use]
    pub fn read<T: Any>(&self, key: StateKey) -> Option<&T> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        (*entry.value).as_any().downcast_ref()
    }

    /// The value under a key, to be changed. A value shared with another state is copied first.
    pub fn change<T: Any>(&mut self, key: StateKey) -> Option<&mut T> {
        let mut entries = self.entries.iter_mut();
        let value = &mut entries.find(|entry| entry.key == key)?.value;
        if Arc::get_mut(value).is_none() {
            *value = (**value).clone_data();
        }
        Arc::get_mut(value)?.as_any_mut().downcast_mut()
    }
}

impl fmt::Debug for CycleState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: SmallVec<[StateKey; 8]> = self.entries.iter().map(|entry| entry.key).collect();
        f.debug_struct("CycleState")
            .field("keys", &keys)
            .field("skip_filter", &self.skip_filter)
            .field("skip_score", &self.skip_score)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
