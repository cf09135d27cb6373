//! A pod in the queue with what its attempts left behind.

use alloc::sync::Arc;

use crate::framework::status::PluginName;
use crate::order::SortedSet;
use crate::snapshot::PodInfo;
use crate::time::Timestamp;

/// A pod with what the queue knows of it: kube-scheduler's `QueuedPodInfo`.
///
/// Upstream also keeps the events of the plugin that holds the pod, which the queue looks up, and its signature, which
/// whoever compares signatures computes.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedPodInfo {
    /// The pod.
    pub pod: Arc<PodInfo>,
    /// When it was added, or last came back from an attempt.
    pub timestamp: Timestamp,
    /// Orders pods with equal timestamps: how many timestamps the queue had given out before this one.
    ///
    /// kube-scheduler's clock never gives the same instant twice; a host of ours may observe a thousand pods at once,
    /// and they are tried in the order in which they were observed.
    pub sequence: u64,
    /// How often it was popped.
    pub attempts: u32,
    /// How often it came back rejected by a plugin.
    pub unschedulable_count: u32,
    /// How often in a row it came back with an error.
    pub consecutive_errors_count: u32,
    /// When its backoff is over; `None`: it has none.
    pub backoff_expiration: Option<Timestamp>,
    /// When it first entered activeQ: time spent gated does not count.
    pub initial_attempt_timestamp: Option<Timestamp>,
    /// Plugins that gated it or rejected it in its last attempt.
    pub unschedulable_plugins: SortedSet<PluginName>,
    /// Plugins that wait for something they asked for themselves.
    pub pending_plugins: SortedSet<PluginName>,
    /// The PreEnqueue plugin that holds it, if one does.
    pub gating_plugin: Option<PluginName>,
    /// Whether the timeout moved it since its last attempt.
    pub was_flushed_from_unschedulable: bool,
}

impl QueuedPodInfo {
    /// A pod that was never tried.
    #[must_use]
    pub const fn new(pod: Arc<PodInfo>, timestamp: Timestamp, sequence: u64) -> Self {
        Self {
            pod,
            timestamp,
            sequence,
            attempts: 0,
            unschedulable_count: 0,
            consecutive_errors_count: 0,
            backoff_expiration: None,
            initial_attempt_timestamp: None,
            unschedulable_plugins: SortedSet::new(),
            pending_plugins: SortedSet::new(),
            gating_plugin: None,
            was_flushed_from_unschedulable: false,
        }
    }

    /// Whether a PreEnqueue plugin holds it.
    #[must_use]
    pub const fn is_gated(&self) -> bool {
        self.gating_plugin.is_some()
    }

    /// Every plugin that gated or rejected it, once, by name.
    #[must_use]
    pub fn rejector_plugins(&self) -> SortedSet<PluginName> {
        let mut plugins = self.unschedulable_plugins.clone();
        plugins.extend(self.pending_plugins.iter().copied());
        plugins
    }

    /// Whether the last attempt ended without a rejection.
    #[must_use]
    pub fn has_no_rejector(&self) -> bool {
        self.unschedulable_plugins.is_empty() && self.pending_plugins.is_empty()
    }
}
