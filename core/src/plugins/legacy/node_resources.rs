//! How full a node is, as scored before NodeResourcesFit took it over.
//!
//! `NodeResourcesLeastAllocated`, `NodeResourcesMostAllocated` and `RequestedToCapacityRatio` are one plugin under three
//! names. They differ from the strategies of NodeResourcesFit where a node has none of a resource, or not enough of it:
//! here every resource of the list keeps its weight.

use alloc::sync::Arc;

use crate::api::{Pod, RequestOptions, pod_requests};
use crate::config::{ConfigError, Gates, LegacyArgs, PluginArgs, ResourceSpec, default_resources};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Plugin, Score};
use crate::framework::status::{PluginError, PluginName};
use crate::node_set::NodeIndex;
use crate::num;
use crate::plugins::gates;
use crate::plugins::node_resources_fit::strategy::{Curve, weighted_mean};
use crate::plugins::scored_resources::{Basis, Fill, Incoming, ScoredResources};
use crate::snapshot::{NodeInfo, PodInfo};

/// Scores nodes by requests against what they have.
///
/// Source: spec, configuration B.8; Kubernetes v1.21 `plugins/noderesources/`.
#[derive(Clone, Debug)]
pub struct NodeResources {
    name: PluginName,
    rule: Rule,
    resources: ScoredResources,
    options: RequestOptions,
}

#[derive(Clone, Debug)]
enum Rule {
    LeastAllocated,
    MostAllocated,
    Ratio(Curve),
}

impl NodeResources {
    /// The name that prefers emptier nodes.
    pub const LEAST_ALLOCATED: PluginName = PluginName("NodeResourcesLeastAllocated");
    /// The name that prefers fuller nodes.
    pub const MOST_ALLOCATED: PluginName = PluginName("NodeResourcesMostAllocated");
    /// The name that goes by a curve.
    pub const RATIO: PluginName = PluginName("RequestedToCapacityRatio");

    pub(in crate::plugins) fn least_allocated(
        args: &PluginArgs,
        gates: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        let resources = match args {
            PluginArgs::Legacy(LegacyArgs::NodeResourcesLeastAllocated(list)) => list.clone(),
            _ => default_resources(),
        };
        let rule = Rule::LeastAllocated;
        Ok(Self::build(Self::LEAST_ALLOCATED, rule, &resources, *gates))
    }

    pub(in crate::plugins) fn most_allocated(
        args: &PluginArgs,
        gates: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        let resources = match args {
            PluginArgs::Legacy(LegacyArgs::NodeResourcesMostAllocated(list)) => list.clone(),
            _ => default_resources(),
        };
        let rule = Rule::MostAllocated;
        Ok(Self::build(Self::MOST_ALLOCATED, rule, &resources, *gates))
    }

    pub(in crate::plugins) fn requested_to_capacity_ratio(
        args: &PluginArgs,
        gates: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        let (shape, resources) = match args {
            PluginArgs::Legacy(LegacyArgs::RequestedToCapacityRatio(args)) => {
                (&*args.shape, args.resources.clone())
            }
            _ => (&[][..], default_resources()),
        };
        let rule = Rule::Ratio(Curve::new(shape));
        Ok(Self::build(Self::RATIO, rule, &resources, *gates))
    }

    fn build(
        name: PluginName,
        rule: Rule,
        resources: &[ResourceSpec],
        gates: Gates,
    ) -> Arc<dyn Plugin> {
        Arc::new(Self {
            name,
            rule,
            resources: ScoredResources::new(resources, Basis::NonZero),
            options: gates::requests(RequestOptions::INCOMING_NON_ZERO, gates),
        })
    }

    fn incoming(&self, pod: &Pod) -> Incoming {
        self.resources.incoming(&pod_requests(pod, self.options))
    }

    fn score_info(&self, info: &NodeInfo, incoming: &[i64]) -> i64 {
        let fills = self.resources.all_on_node(info, incoming);
        match &self.rule {
            Rule::LeastAllocated => weighted_mean(fills, |fill| {
                percent(fill, fill.capacity - fill.with_incoming())
            }),
            Rule::MostAllocated => weighted_mean(fills, |fill| percent(fill, fill.with_incoming())),
            Rule::Ratio(curve) => curve.score(fills),
        }
    }
}

/// `amount` out of what there is in percent; 0 when there is nothing, or when more is requested than there is.
///
/// QUIRK: a node that small requests overcommit is the worst choice for MostAllocated, too.
fn percent(fill: &Fill, amount: i64) -> i64 {
    if fill.capacity == 0 || fill.with_incoming() > fill.capacity {
        return 0;
    }
    num::percent_of(amount, fill.capacity)
}

impl Plugin for NodeResources {
    fn name(&self) -> PluginName {
        self.name
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Score for NodeResources {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        Ok(self.score_info(cx.snapshot.node(node), &self.incoming(&pod.pod)))
    }

    /// Cost: O(nodes × resources); the pod's requests are added up once.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let incoming = self.incoming(&pod.pod);
        for (node, slot) in nodes.iter().zip(column) {
            *slot = self.score_info(cx.snapshot.node(*node), &incoming);
        }
        Ok(())
    }
}
