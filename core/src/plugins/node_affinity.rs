//! NodeAffinity: which kinds of nodes a pod, or its profile, requires and prefers.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Value, json};

use crate::api::{
    NAME_FIELD, Node, NodeAffinity as Affinity, NodeMatcher, NodeSelectorRequirement,
    NodeSelectorTerm, Object, Pod, PreferredNodes, RequiredNodeAffinity, SelectorError,
};
use crate::config::{ConfigError, FieldError, FieldErrorKind, Gates, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, PreScore, QueueContext, Score, Signature,
};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::num;
use crate::order::{self, SortedSet};
use crate::snapshot::{Listers, PodInfo};

use super::{hint, sign};

/// Rejects nodes that are not of a required kind and scores nodes by the preferred ones.
///
/// Source: spec, plugins 3.6; Kubernetes v1.36 `plugins/nodeaffinity/node_affinity.go`.
#[derive(Clone, Debug, Default)]
pub struct NodeAffinity {
    added_required: Option<NodeMatcher>,
    added_preferred: Option<PreferredNodes>,
}

impl NodeAffinity {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeAffinity");

    pub(super) fn build(args: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let added = match args {
            PluginArgs::NodeAffinity(args) => args.added_affinity.as_ref(),
            _ => None,
        };
        Ok(Arc::new(
            added.map_or_else(|| Ok(Self::default()), Self::with_added)?,
        ))
    }

    fn with_added(added: &Affinity) -> Result<Self, ConfigError> {
        let required = added
            .required_during_scheduling_ignored_during_execution
            .as_ref();
        let preferred = &added.preferred_during_scheduling_ignored_during_execution;
        let has_preferred = !preferred.is_empty();
        Ok(Self {
            added_required: required
                .map(NodeMatcher::compile)
                .transpose()
                .map_err(|error| refusal(REQUIRED, &error))?,
            added_preferred: has_preferred
                .then(|| PreferredNodes::compile(preferred))
                .transpose()
                .map_err(|error| refusal(PREFERRED, &error))?,
        })
    }

    fn is_of_added_kind(&self, node: &Node) -> bool {
        let added = self.added_required.as_ref();
        added.is_none_or(|matcher| matcher.matches(node))
    }
}

impl Plugin for NodeAffinity {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Queue when a node that the pod could not go to now is of a required kind.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let (old, new) = hint::nodes(old, new)?;
        let Some(new) = new else {
            return Ok(QueueingHint::QueueSkip);
        };
        if !self.is_of_added_kind(new) {
            return Ok(QueueingHint::QueueSkip);
        }
        let required = RequiredNodeAffinity::of(&pod.pod);
        let is_match = |node: &Node| required.try_matches(node).map_err(error);
        let could_help = is_match(new)? && !old.map_or(Ok(false), |old| is_match(old))?;
        Ok(hint::queue_if(could_help))
    }

    fn sign(&self, _listers: &Listers, pod: &PodInfo) -> Signature {
        Signature::Parts(vec![
            (
                "v1.Pod.Spec.Affinity.NodeAffinity",
                in_no_order(node_affinity(&pod.pod)),
            ),
            (
                "v1.Pod.Spec.Affinity.NodeSelector",
                sign::written(&pod.pod.spec.node_selector),
            ),
        ])
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

impl PreFilter for NodeAffinity {
    fn pre_filter(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let required = RequiredNodeAffinity::of(&pod.pod);
        if required.is_empty() && self.added_required.is_none() {
            return Status::skip().into();
        }
        state.write_until_chosen(REQUIRED_STATE, required);
        match named_nodes(required_terms(&pod.pod)) {
            Some(names) if names.is_empty() => {
                Status::unresolvable(Reason::NodeAffinityConflict).into()
            }
            nodes => PreFiltered {
                status: Status::success(),
                nodes,
            },
        }
    }
}

impl Filter for NodeAffinity {
    /// A term that cannot be read matches no node.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let Some(node) = &cx.snapshot.node(node).node else {
            return Status::success();
        };
        if !self.is_of_added_kind(node) {
            return Status::unresolvable(Reason::EnforcedNodeAffinityMismatch);
        }
        let required = state
            .read::<RequiredNodeAffinity>(REQUIRED_STATE)
            .map_or_else(
                || Cow::Owned(RequiredNodeAffinity::of(&pod.pod)),
                Cow::Borrowed,
            );
        if required.matches(node) {
            return Status::success();
        }
        Status::unresolvable(Reason::NodeAffinityMismatch)
    }
}

impl PreScore for NodeAffinity {
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        let preferred = match preferred(&pod.pod) {
            Ok(preferred) => preferred,
            Err(error) => return Status::error(error.0),
        };
        if preferred.is_none() && self.added_preferred.is_none() {
            return Status::skip();
        }
        state.write_until_chosen(PREFERRED_STATE, preferred.unwrap_or_default());
        Status::success()
    }
}

impl Score for NodeAffinity {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let Some(node) = &cx.snapshot.node(node).node else {
            return Ok(0);
        };
        let added = self.added_preferred.as_ref();
        let own = match state.read::<PreferredNodes>(PREFERRED_STATE) {
            Some(own) => own.score(node),
            None => preferred(&pod.pod)?.map_or(0, |own| own.score(node)),
        };
        Ok(own + added.map_or(0, |added| added.score(node)))
    }

    fn has_normalize(&self) -> bool {
        true
    }

    fn normalize(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        num::default_normalize(column, false);
        Ok(())
    }
}

/// Required and preferred terms for comparison: neither terms nor what they consist of have an order.
fn in_no_order(affinity: Option<&Affinity>) -> Value {
    let Some(affinity) = affinity else {
        return Value::Null;
    };
    let required = affinity
        .required_during_scheduling_ignored_during_execution
        .as_ref()
        .map(|selector| sign::sorted(selector.node_selector_terms.iter().map(term).collect()));
    let preferred = &affinity.preferred_during_scheduling_ignored_during_execution;
    let preferred = preferred
        .iter()
        .map(|one| json!({"weight": one.weight, "preference": term(&one.preference)}));
    json!({"required": required, "preferred": sign::sorted(preferred.collect())})
}

fn term(term: &NodeSelectorTerm) -> Value {
    let requirements = |list: &[NodeSelectorRequirement]| {
        let list = list.iter().map(|requirement| {
            let mut values = requirement.values.clone();
            values.sort_unstable();
            json!({"key": requirement.key, "operator": requirement.operator, "values": values})
        });
        sign::sorted(list.collect::<Vec<_>>())
    };
    json!({
        "matchExpressions": requirements(&term.match_expressions),
        "matchFields": requirements(&term.match_fields),
    })
}

fn node_affinity(pod: &Pod) -> Option<&Affinity> {
    pod.spec.affinity.as_ref()?.node_affinity.as_ref()
}

fn required_terms(pod: &Pod) -> &[NodeSelectorTerm] {
    node_affinity(pod)
        .and_then(|affinity| {
            affinity
                .required_during_scheduling_ignored_during_execution
                .as_ref()
        })
        .map_or(&[], |selector| selector.node_selector_terms.as_slice())
}

fn preferred(pod: &Pod) -> Result<Option<PreferredNodes>, PluginError> {
    let terms = node_affinity(pod).map_or(&[][..], |affinity| {
        &affinity.preferred_during_scheduling_ignored_during_execution
    });
    if terms.is_empty() {
        return Ok(None);
    }
    PreferredNodes::compile(terms)
        .map(Some)
        .map_err(|e| error(&e))
}

/// The only nodes that terms with names allow: the union over terms of the intersection within each.
///
/// `None` when there is no term, or one that names no node.
///
/// QUIRK: how many values a requirement has is not checked here. `In [a, b]` narrows the search to both nodes, which
/// Filter then rejects.
fn named_nodes(terms: &[NodeSelectorTerm]) -> Option<SortedSet<Arc<str>>> {
    if terms.is_empty() {
        return None;
    }
    let mut union = SortedSet::new();
    for term in terms {
        let mut in_term: Option<SortedSet<&str>> = None;
        for field in &term.match_fields {
            if field.key != NAME_FIELD || field.operator != "In" {
                continue;
            }
            let values: SortedSet<&str> = order::collect(field.values.iter().map(|name| &**name));
            in_term = Some(match in_term {
                None => values,
                Some(before) => before.intersection(&values).copied().collect(),
            });
        }
        union.extend(in_term?.into_iter().map(Arc::from));
    }
    Some(union)
}

fn error(error: &SelectorError) -> PluginError {
    PluginError::new(error.to_string())
}

fn refusal(field: &str, error: &SelectorError) -> ConfigError {
    ConfigError::Field(FieldError {
        path: field.to_string(),
        place: None,
        kind: FieldErrorKind::Invalid {
            value: "".to_string(),
            detail: error.to_string(),
        },
    })
}

const REQUIRED: &str = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution";

const REQUIRED_STATE: StateKey = StateKey("PreFilterNodeAffinity");
const PREFERRED_STATE: StateKey = StateKey("PreScoreNodeAffinity");

const EVENTS: [EventWithHint; 1] = [EventWithHint::asked(
    EventResource::Node,
    ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
)];

#[cfg(test)]
mod tests;
