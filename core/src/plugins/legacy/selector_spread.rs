//! SelectorSpread: pods of one controller or service spread over nodes, and twice as much over zones.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Selector;
use crate::config::{ConfigError, Gates, PluginArgs};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{CycleContext, Plugin, PreScore, Score};
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::order::SortedMap;
use crate::plugins::owner_selector::owner_selector;
use crate::snapshot::{NodeInfo, PodInfo};

/// Scores nodes by how few pods of the same controller and services they and their zone have.
///
/// Source: spec, configuration B.8; Kubernetes v1.21 `plugins/selectorspread/selector_spread.go`.
#[derive(Clone, Copy, Debug)]
pub struct SelectorSpread;

impl SelectorSpread {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("SelectorSpread");

    pub(in crate::plugins) fn build(
        _: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(Self))
    }
}

impl Plugin for SelectorSpread {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl PreScore for SelectorSpread {
    /// Skip for a pod with spread constraints of its own.
    fn pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        if has_own_constraints(pod) {
            return Status::skip();
        }
        state.write_until_chosen(STATE, owner_selector(cx.listers, &pod.pod));
        Status::success()
    }
}

impl Score for SelectorSpread {
    /// How many pods of the kind the node has; the fewer the better once normalised.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        if has_own_constraints(pod) {
            return Ok(0);
        }
        let selector = state.read::<Selector>(STATE).map_or_else(
            || Cow::Owned(owner_selector(cx.listers, &pod.pod)),
            Cow::Borrowed,
        );
        Ok(matching_pods(cx.snapshot.node(node), pod, &selector))
    }

    fn has_normalize(&self) -> bool {
        true
    }

    fn normalize(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        if has_own_constraints(pod) {
            return Ok(());
        }
        let zones: Vec<String> = nodes
            .iter()
            .map(|node| zone_of(cx.snapshot.node(*node)))
            .collect();
        let mut by_zone: SortedMap<&str, i64> = SortedMap::new();
        for (zone, count) in zones.iter().zip(column.iter()) {
            if !zone.is_empty() {
                *by_zone.entry(zone).or_default() += *count;
            }
        }
        let most_on_node = column.iter().copied().fold(0, i64::max);
        let most_in_zone = by_zone.values().copied().fold(0, i64::max);
        for (zone, slot) in zones.iter().zip(column) {
            let in_zone = by_zone.get(zone.as_str());
            let in_zone = in_zone.map(|count| (*count, most_in_zone));
            *slot = num::selector_spread((*slot, most_on_node), in_zone);
        }
        Ok(())
    }
}

fn has_own_constraints(pod: &PodInfo) -> bool {
    !pod.pod.spec.topology_spread_constraints.is_empty()
}

fn zone_of(info: &NodeInfo) -> String {
    let node = info.node.as_ref();
    node.map_or_else(String::new, |node| node.zone_key())
}

/// The pods of the namespace on a node that `selector` means and that are to stay; none when it means everything.
pub(super) fn matching_pods(info: &NodeInfo, pod: &PodInfo, selector: &Selector) -> i64 {
    if selector.is_empty() {
        return 0;
    }
    let others = info.pods.iter().filter(|other| {
        let metadata = &other.pod.metadata;
        other.reference.namespace == pod.reference.namespace
            && !metadata.is_terminating()
            && selector.matches(&metadata.labels)
    });
    i64::try_from(others.count()).unwrap_or(i64::MAX)
}

const STATE: StateKey = StateKey("PreScoreSelectorSpread");
