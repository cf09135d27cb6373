//! NodeLabel: nodes that have, or do not have, the labels that a Policy names, whatever their values.

use alloc::string::String;
use alloc::sync::Arc;

use crate::api::StringMap;
use crate::config::{ConfigError, Gates, LegacyArgs, NodeLabelArgs, PluginArgs};
use crate::framework::cluster_event::{ActionType, EventResource, EventWithHint};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{CycleContext, Filter, Plugin, Score};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginError, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::snapshot::{NodeInfo, PodInfo};

/// Rejects nodes by the presence of labels and scores nodes by it.
///
/// Source: spec, configuration B.8; Kubernetes v1.21 `plugins/nodelabel/node_label.go`.
#[derive(Clone, Debug, Default)]
pub struct NodeLabel {
    args: NodeLabelArgs,
}

impl NodeLabel {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeLabel");

    pub(in crate::plugins) fn build(
        args: &PluginArgs,
        _: &Gates,
    ) -> Result<Arc<dyn Plugin>, ConfigError> {
        let args = match args {
            PluginArgs::Legacy(LegacyArgs::NodeLabel(args)) => args.clone(),
            _ => NodeLabelArgs::default(),
        };
        Ok(Arc::new(Self { args }))
    }
}

impl Plugin for NodeLabel {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(&EVENTS)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl Filter for NodeLabel {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let labels = labels_of(cx.snapshot.node(node));
        let all_there =
            present(labels, &self.args.present_labels) == self.args.present_labels.len();
        if all_there && present(labels, &self.args.absent_labels) == 0 {
            return Status::success();
        }
        Status::unresolvable(Reason::NodeLabelPresence)
    }
}

impl Score for NodeLabel {
    /// The percentage of preferences that the node meets.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let labels = labels_of(cx.snapshot.node(node));
        let (wanted, unwanted) = (
            &self.args.present_labels_preference,
            &self.args.absent_labels_preference,
        );
        let met = present(labels, wanted) + unwanted.len() - present(labels, unwanted);
        let percent = (100 * met).checked_div(wanted.len() + unwanted.len());
        Ok(i64::try_from(percent.unwrap_or(0)).unwrap_or(0))
    }
}

fn labels_of(info: &NodeInfo) -> &StringMap {
    static NONE: StringMap = StringMap::new();
    info.node
        .as_ref()
        .map_or(&NONE, |node| &node.metadata.labels)
}

/// How many of `keys` there are.
fn present(labels: &StringMap, keys: &[String]) -> usize {
    keys.iter().filter(|key| labels.contains_key(*key)).count()
}

const EVENTS: [EventWithHint; 1] = [EventWithHint::always(
    EventResource::Node,
    ActionType::ADD.and(ActionType::UPDATE_NODE_LABEL),
)];
