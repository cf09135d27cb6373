//! PodTopologySpread: pods of a kind stand evenly over zones, nodes or whatever else a label divides.
//!
//! | File | Answers |
//! |---|---|
//! | `constraint` | which constraints hold for a pod, its own or the profile's |
//! | `eligible` | which nodes are counted for a constraint |
//! | `counts` | how many matching pods each domain has, and which has least |
//! | `filter` | which nodes would stand out too far |
//! | `score` | which nodes have fewest |
//! | `hint` | which events could help |
//!
//! Counts come from the snapshot's census, where pods that no selector can tell apart are counted together.

mod constraint;
mod counts;
mod eligible;
mod filter;
mod hint;
mod score;

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{ComparisonOperators, Object, TopologySpreadConstraint};
use crate::config::{ConfigError, DefaultingType, Gate, Gates, PluginArgs, PodTopologySpreadArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::StateKey;
use crate::framework::extension::{
    Filter, Plugin, PreFilter, PreScore, QueueContext, Score, Signature,
};
use crate::framework::status::{PluginError, PluginName};
use crate::snapshot::{Listers, PodInfo};

use super::gates::comparison_operators;
use super::sign;

/// Keeps domains even: strictly where a pod says DoNotSchedule, by preference where it says ScheduleAnyway.
///
/// Source: spec, plugins 10; Kubernetes v1.36 `plugins/podtopologyspread/`.
#[derive(Clone, Debug)]
pub struct PodTopologySpread {
    defaults: Vec<TopologySpreadConstraint>,
    is_system_defaulted: bool,
    reads_match_label_keys: bool,
    operators: ComparisonOperators,
}

impl PodTopologySpread {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("PodTopologySpread");

    pub(super) fn build(args: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::PodTopologySpread(args) => args.clone(),
            _ => PodTopologySpreadArgs::default(),
        };
        Ok(Arc::new(Self::new(args, *gates)))
    }

    fn new(args: PodTopologySpreadArgs, gates: Gates) -> Self {
        let is_system_defaulted = args.defaulting_type == DefaultingType::System;
        let defaults = if is_system_defaulted {
            constraint::system_defaults()
        } else {
            args.default_constraints
        };
        Self {
            defaults,
            is_system_defaulted,
            reads_match_label_keys: gates.enabled(Gate::MatchLabelKeysInPodTopologySpread),
            operators: comparison_operators(gates),
        }
    }
}

impl Plugin for PodTopologySpread {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn queueing_hint(
        &self,
        cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        match registered.resource {
            EventResource::Node => self.hint_for_node(cx, pod, old, new),
            _ => self.hint_for_pod(cx, pod, old, new),
        }
    }

    /// None while any constraint is in force. Default constraints are, unless a profile has an empty list of its own.
    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        if !self.defaults.is_empty() || !pod.pod.spec.topology_spread_constraints.is_empty() {
            return Signature::Refused;
        }
        sign::nothing()
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
            .and(ActionType::UPDATE_POD_TOLERATION)
            .and(ActionType::DELETE),
    ),
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD
            .and(ActionType::DELETE)
            .and(ActionType::UPDATE_NODE_LABEL)
            .and(ActionType::UPDATE_NODE_TAINT),
    ),
];

/// What PreFilter keeps.
const PRE_FILTER: StateKey = StateKey("PreFilterPodTopologySpread");
/// What PreScore keeps.
const PRE_SCORE: StateKey = StateKey("PreScorePodTopologySpread");

#[cfg(test)]
mod tests;
