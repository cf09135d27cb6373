//! NodeResourcesBalancedAllocation: a node whose resources the pod evens out is the better node.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use smallvec::SmallVec;

use crate::api::{Pod, RequestOptions, pod_requests};
use crate::config::{ConfigError, Gate, Gates, PluginArgs, default_resources};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{CycleContext, Plugin, PreScore, Score, Signature};
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::snapshot::{Listers, PodInfo};

use super::gates;
use super::scored_resources::{Basis, Fill, Incoming, ScoredResources};
use super::sign::{self, DeviceBacked};

/// Scores nodes by how much more evenly their resources are used with the pod than without it.
///
/// QUIRK: the change of balance counts, not the balance, around 75. Older releases returned the balance itself.
/// Source: spec, plugins 5; Kubernetes v1.36 `plugins/noderesources/balanced_allocation.go`.
#[derive(Clone, Debug)]
pub struct NodeResourcesBalancedAllocation {
    resources: ScoredResources,
    options: RequestOptions,
    /// What counts for telling pods apart: the same as for NodeResourcesFit.
    sign_options: RequestOptions,
    devices: DeviceBacked,
}

impl NodeResourcesBalancedAllocation {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeResourcesBalancedAllocation");

    pub(super) fn build(args: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let specs = match args {
            PluginArgs::NodeResourcesBalancedAllocation(args) => args.resources.clone(),
            _ => default_resources(),
        };
        Ok(Arc::new(Self {
            resources: ScoredResources::new(&specs, Basis::Requested),
            options: gates::requests(RequestOptions::PLACED, *gates),
            sign_options: gates::requests(RequestOptions::INCOMING, *gates),
            devices: DeviceBacked::when(gates.enabled(Gate::DRAExtendedResource)),
        }))
    }

    fn incoming(&self, pod: &Pod) -> Incoming {
        self.resources.incoming(&pod_requests(pod, self.options))
    }

    fn state<'a>(&self, state: &'a CycleState, pod: &PodInfo) -> Cow<'a, Incoming> {
        state
            .read::<Incoming>(STATE)
            .map_or_else(|| Cow::Owned(self.incoming(&pod.pod)), Cow::Borrowed)
    }
}

impl Plugin for NodeResourcesBalancedAllocation {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn sign(&self, listers: &Listers, pod: &PodInfo) -> Signature {
        sign::requests(listers, &pod.pod, self.sign_options, self.devices)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl PreScore for NodeResourcesBalancedAllocation {
    /// Skip for a pod that asks for none of the resources.
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        let incoming = self.incoming(&pod.pod);
        if incoming.iter().all(|amount| *amount == 0) {
            return Status::skip();
        }
        state.write_until_chosen(STATE, incoming);
        Status::success()
    }
}

impl Score for NodeResourcesBalancedAllocation {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let incoming = self.state(state, pod);
        Ok(score(
            self.resources.on_node(cx.snapshot.node(node), &incoming),
        ))
    }

    /// Cost: O(nodes × resources), no allocation for up to four resources.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let incoming = self.state(state, pod);
        let resources = &self.resources;
        resources.score_rows(cx.snapshot, nodes, &incoming, column, |node| {
            score(resources.on_row(cx.snapshot, node, &incoming))
        });
        Ok(())
    }
}

/// 75 when the pod changes nothing, up to 100 when it evens out what was as uneven as can be, down to 50.
fn score(mut fills: impl Iterator<Item = Fill>) -> i64 {
    let with = |fill: &Fill| (fill.with_incoming(), fill.capacity);
    let without = |fill: &Fill| (fill.used, fill.capacity);
    let (one, two, three) = (fills.next(), fills.next(), fills.next());
    if let (Some(one), Some(two), None) = (&one, &two, &three) {
        // CPU and memory, as on nearly every node: worth a way without lists.
        let (after, before) = ([with(one), with(two)], [without(one), without(two)]);
        return change(num::balance(&after), num::balance(&before));
    }
    let kept: SmallVec<[Fill; 4]> = [one, two, three]
        .into_iter()
        .flatten()
        .chain(fills)
        .collect();
    let after: SmallVec<[_; 4]> = kept.iter().map(with).collect();
    let before: SmallVec<[_; 4]> = kept.iter().map(without).collect();
    change(num::balance(&after), num::balance(&before))
}

const fn change(after: i64, before: i64) -> i64 {
    50 + (50 + after - before) / 2
}

const STATE: StateKey = StateKey("PreScoreNodeResourcesBalancedAllocation");
