//! `RackAware`: pods go only to nodes in the racks that its arguments name, and rather to those with more of something.
//!
//! It is a worked example of a plugin from outside the core: arguments, Filter with both twins, Score with normalising,
//! events and a hint, a signature, tests. `WRITE_A_PLUGIN.md` beside it is the page to read first.

use std::sync::Arc;

use berth_core::api::{Node, Object};
use berth_core::config::{ConfigError, FieldError, FieldErrorKind, Gates, PluginArgs};
use berth_core::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{
    CycleContext, Filter, Plugin, QueueContext, Score, Signature, Verdicts,
};
use berth_core::framework::reason::Reason;
use berth_core::framework::registry::Registry;
use berth_core::framework::status::{PluginError, PluginName, Status};
use berth_core::node_set::{NodeIndex, NodeSet};
use berth_core::num;
use berth_core::snapshot::{Listers, PodInfo};
use serde_json::Value;

/// Adds the plugin to those that a scheduler can be built from.
///
/// # Errors
///
/// `a plugin named RackAware already exists`.
pub fn register(registry: &mut Registry) -> Result<(), ConfigError> {
    registry.register(RackAware::NAME, RackAware::build)
}

/// Rejects nodes outside the named racks and scores the others by the number in a label.
#[derive(Clone, Debug)]
pub struct RackAware {
    racks: Vec<String>,
    prefer_label: Option<String>,
    /// Made once: a rejection costs a count, not an allocation.
    rejection: Status,
}

impl RackAware {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("RackAware");

    fn build(args: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::Other(args) => args,
            _ => &Value::Null,
        };
        Ok(Arc::new(Self::with_args(args)?))
    }

    /// Reads `{racks: [text], preferLabel: text}`.
    fn with_args(args: &Value) -> Result<Self, ConfigError> {
        let mut racks = Vec::new();
        let list = args.get("racks").and_then(Value::as_array);
        for (i, rack) in list.into_iter().flatten().enumerate() {
            let path = format!("racks[{i}]");
            let rack = rack
                .as_str()
                .ok_or_else(|| wrong(path, rack, "must be a text"))?;
            racks.push(rack.to_owned());
        }
        if racks.is_empty() {
            let detail = "at least one rack is needed".to_owned();
            return Err(refuse("racks", FieldErrorKind::Required { detail }));
        }
        let prefer_label = match args.get("preferLabel") {
            None | Some(Value::Null) => None,
            Some(Value::String(label)) => Some(label.clone()),
            Some(other) => return Err(wrong("preferLabel", other, "must be a text")),
        };
        // This kind of rejection is not lifted by evicting pods, so preemption need not try.
        let rejection = Status::unresolvable(Reason::from("node(s) were not in an allowed rack"));
        Ok(Self {
            racks,
            prefer_label,
            rejection,
        })
    }

    fn allows(&self, node: &Node) -> bool {
        let rack = node.metadata.labels.get(RACK);
        rack.is_some_and(|rack| self.racks.contains(rack))
    }
}

fn refuse(path: impl Into<String>, kind: FieldErrorKind) -> ConfigError {
    ConfigError::Field(FieldError {
        path: path.into(),
        place: None,
        kind,
    })
}

fn wrong(path: impl Into<String>, value: &Value, detail: &str) -> ConfigError {
    let (value, detail) = (value.to_string(), detail.to_owned());
    refuse(path, FieldErrorKind::Invalid { value, detail })
}

impl Plugin for RackAware {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    /// Queue when a node came to an allowed rack that was not in one before.
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        _pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let is_allowed = |object: Option<&Object>| match object {
            None => Ok(false),
            Some(Object::Node(node)) => Ok(self.allows(node)),
            Some(_) => Err(PluginError::new("expected a Node")),
        };
        Ok(if is_allowed(new)? && !is_allowed(old)? {
            QueueingHint::Queue
        } else {
            QueueingHint::QueueSkip
        })
    }

    /// Nothing in a pod matters to this plugin, so all pods are alike to it.
    fn sign(&self, _listers: &Listers, _pod: &PodInfo) -> Signature {
        Signature::Parts(Vec::new())
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Filter for RackAware {
    /// The plain twin: what the rule says, for one node.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        match &cx.snapshot.node(node).node {
            Some(node) if self.allows(node) => Status::success(),
            _ => self.rejection.clone(),
        }
    }

    /// The same for all nodes at once, by the snapshot's column of racks.
    ///
    /// Cost: a text search for each rack, then a number for each node.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let column = cx.snapshot.domains(RACK);
        let allowed: Vec<_> = self
            .racks
            .iter()
            .filter_map(|rack| column.of_value(rack))
            .collect();
        nodes.retain(|node| {
            let is_feasible = column.at(node).is_some_and(|rack| allowed.contains(&rack));
            if !is_feasible {
                verdicts.reject(node, self.rejection.clone());
            }
            is_feasible
        });
    }
}

impl Score for RackAware {
    /// The number in the label; 0 where there is none.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let label = self.prefer_label.as_ref();
        let text = label.and_then(|label| cx.snapshot.node(node).label(label));
        let number = text.and_then(|text| text.parse().ok());
        // Kept small enough that normalising, which multiplies by 100, cannot overflow.
        Ok(number.unwrap_or(0).clamp(0, MAX_NUMBER))
    }

    fn has_normalize(&self) -> bool {
        true
    }

    /// The best node gets 100, the others their share of it.
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

/// The label that says in which rack a node is.
pub const RACK: &str = "example.com/rack";

const MAX_NUMBER: i64 = 1_000_000;

const EVENTS: [EventWithHint; 1] = [EventWithHint::asked(
    EventResource::Node,
    ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
)];

#[cfg(test)]
mod tests;
