//! InterPodAffinity: pods near to, or away from, other pods.
//!
//! | File | Answers |
//! |---|---|
//! | `terms` | which pods the incoming pod's terms mean |
//! | `pairs` | how often a term was met in each domain |
//! | `filter` | which nodes required terms leave |
//! | `score` | which nodes preferred terms favour |
//! | `hint` | which events could help |
//!
//! Pods and terms come from the snapshot's census, where equal ones are counted together.

mod filter;
mod hint;
mod pairs;
mod score;
mod terms;

use alloc::string::String;
use alloc::sync::Arc;

use crate::api::Object;
use crate::config::{ConfigError, Gates, InterPodAffinityArgs, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::StateKey;
use crate::framework::extension::{
    Filter, Plugin, PreFilter, PreScore, QueueContext, Score, Signature,
};
use crate::framework::status::{PluginError, PluginName};
use crate::order::SortedMap;
use crate::snapshot::{Listers, PodInfo};

use super::sign;

/// Keeps pods together and apart, strictly by required terms, by preference by the others.
///
/// Source: spec, plugins 11; Kubernetes v1.36 `plugins/interpodaffinity/`.
#[derive(Clone, Debug)]
pub struct InterPodAffinity {
    args: InterPodAffinityArgs,
}

impl InterPodAffinity {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("InterPodAffinity");

    pub(super) fn build(args: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::InterPodAffinity(args) => args.clone(),
            _ => InterPodAffinityArgs::default(),
        };
        Ok(Arc::new(Self { args }))
    }
}

impl Plugin for InterPodAffinity {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        match registered.resource {
            EventResource::Node => hint::for_node(pod, old, new),
            _ => hint::for_pod(pod, old, new),
        }
    }

    /// Its labels, because preferences of other pods may mean them.
    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        if pod.has_affinity {
            return Signature::Refused;
        }
        if self.args.ignore_preferred_terms_of_existing_pods {
            return sign::nothing();
        }
        sign::part("v1.Pod.Labels", sign::written(&pod.pod.metadata.labels))
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

const EVENTS: [EventWithHint; 2] = [
    EventWithHint::asked(
        EventResource::Pod,
        ActionType::ADD
            .and(ActionType::UPDATE_POD_LABEL)
            .and(ActionType::DELETE),
    ),
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
    ),
];

/// What PreFilter keeps.
const PRE_FILTER: StateKey = StateKey("PreFilterInterPodAffinity");
/// What PreScore keeps.
const PRE_SCORE: StateKey = StateKey("PreScoreInterPodAffinity");

/// The namespace labels against which terms of the incoming pod are matched: none, whatever the namespace has.
static NO_LABELS: SortedMap<String, String> = SortedMap::new();

#[cfg(test)]
mod tests;
