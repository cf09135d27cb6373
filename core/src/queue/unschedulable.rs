//! unschedulablePods: rejected and gated pods, by who could let them go.
//!
//! kube-scheduler asks each of them about each event. Here an event finds those it could concern through their
//! rejectors, in the order in which they came, and the timeout finds those that are old enough.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::framework::status::PluginName;
use crate::order::{SortedMap, SortedSet};
use crate::time::Timestamp;

use super::entries::SlotId;
use super::queued_pod::QueuedPodInfo;

/// The parked pods of a queue. Numbers grow, so their order is the order in which pods came.
#[derive(Clone, Debug, Default)]
pub(super) struct UnschedulablePods {
    slots: BTreeMap<u64, SlotId>,
    /// Pods that no plugin holds, under each of their rejectors.
    by_rejector: SortedMap<PluginName, BTreeSet<u64>>,
    /// Gated pods, under the plugin that holds them.
    by_gate: SortedMap<PluginName, BTreeSet<u64>>,
    /// Pods that every event moves: without a rejector, or of no profile.
    by_any: BTreeSet<u64>,
    /// Pods that the timeout has not seen yet, by age.
    by_timestamp: BTreeSet<(Timestamp, u64)>,
    /// Gated pods that the timeout has seen and left where they are.
    overdue: BTreeSet<u64>,
    next: u64,
}

impl UnschedulablePods {
    /// A number for a pod that comes.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Files a pod under its number.
    pub(super) fn insert(
        &mut self,
        number: u64,
        slot: SlotId,
        info: &QueuedPodInfo,
        has_profile: bool,
    ) {
        self.slots.insert(number, slot);
        if info.is_gated() && info.was_flushed_from_unschedulable {
            self.overdue.insert(number);
        } else {
            self.by_timestamp.insert((info.timestamp, number));
        }
        if let Some(plugin) = info.gating_plugin {
            self.by_gate.entry(plugin).or_default().insert(number);
        } else if info.has_no_rejector() || !has_profile {
            self.by_any.insert(number);
        } else {
            for plugin in info.rejector_plugins() {
                self.by_rejector.entry(plugin).or_default().insert(number);
            }
        }
    }

    /// Takes a pod out; `info` and `has_profile` are those it was filed with.
    pub(super) fn remove(&mut self, number: u64, info: &QueuedPodInfo, has_profile: bool) {
        self.slots.remove(&number);
        self.overdue.remove(&number);
        self.by_timestamp.remove(&(info.timestamp, number));
        if let Some(plugin) = info.gating_plugin {
            take(&mut self.by_gate, plugin, number);
        } else if info.has_no_rejector() || !has_profile {
            self.by_any.remove(&number);
        } else {
            for plugin in info.rejector_plugins() {
                take(&mut self.by_rejector, plugin, number);
            }
        }
    }

    /// The pods that an event could move when `plugins` registered it, in the order in which they came.
    ///
    /// Cost: O(k log k) for k pods found.
    pub(super) fn waiting_for(&self, plugins: &SortedSet<PluginName>) -> Vec<SlotId> {
        let held = plugins.iter().filter_map(|plugin| self.by_gate.get(plugin));
        let rejected = plugins
            .iter()
            .filter_map(|plugin| self.by_rejector.get(plugin));
        let mut numbers: Vec<u64> = held
            .chain(rejected)
            .chain([&self.by_any])
            .flatten()
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .iter()
            .filter_map(|number| self.slots.get(number).copied())
            .collect()
    }

    /// Every pod that no plugin holds, in the order in which they came.
    #[inline(never)]
    pub(super) fn ungated(&self) -> Vec<SlotId> {
        let is_gated = |number: &u64| self.by_gate.values().any(|held| held.contains(number));
        self.slots
            .iter()
            .filter(|(number, _)| !is_gated(number))
            .map(|(_, slot)| *slot)
            .collect()
    }

    /// Pods that came or came back before `limit` and that the timeout has not seen yet, oldest first.
    pub(super) fn older_than(&self, limit: Timestamp) -> Vec<SlotId> {
        self.by_timestamp
            .range(..(limit, 0))
            .filter_map(|(_, number)| self.slots.get(number).copied())
            .collect()
    }

    /// The timestamp of the oldest pod that the timeout has not seen yet.
    pub(super) fn oldest(&self) -> Option<Timestamp> {
        self.by_timestamp.first().map(|(timestamp, _)| *timestamp)
    }

    /// Whether there are gated pods that the timeout has seen.
    pub(super) fn has_overdue(&self) -> bool {
        !self.overdue.is_empty()
    }

    /// Every pod in the order in which they came.
    pub(super) fn iter(&self) -> impl Iterator<Item = SlotId> + '_ {
        self.slots.values().copied()
    }

    /// How many pods there are, gated ones included.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }
}

fn take(index: &mut SortedMap<PluginName, BTreeSet<u64>>, plugin: PluginName, number: u64) {
    if let Some(numbers) = index.get_mut(&plugin) {
        numbers.remove(&number);
        if numbers.is_empty() {
            index.remove(&plugin);
        }
    }
}
