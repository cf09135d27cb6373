//! PrioritySort: the pod of higher priority goes first, then the one that has waited longer.

use alloc::sync::Arc;
use core::cmp::Ordering;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cluster_event::EventWithHint;
use crate::framework::extension::{Plugin, QueuePlace, QueueSort};
use crate::framework::status::PluginName;

/// Orders waiting pods by priority and then by time in the queue.
///
/// Source: spec, plugins 3.1; Kubernetes v1.36 `plugins/queuesort/priority_sort.go`.
#[derive(Clone, Copy, Debug)]
pub struct PrioritySort;

impl PrioritySort {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("PrioritySort");

    pub(super) fn build(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for PrioritySort {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&[])
    }

    fn as_queue_sort(&self) -> Option<&dyn QueueSort> {
        Some(self)
    }
}

impl QueueSort for PrioritySort {
    fn compare(&self, one: QueuePlace<'_>, two: QueuePlace<'_>) -> Ordering {
        let by_priority = two.pod.priority().cmp(&one.pod.priority());
        by_priority.then(one.timestamp.cmp(&two.timestamp))
    }
}

#[cfg(test)]
mod tests;
