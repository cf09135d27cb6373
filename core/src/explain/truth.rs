//! What the plugins that were not run would have said: every Filter plugin is asked about every node, each alone.
//!
//! This is what Berth evaluates in addition to kube-scheduler, so it never stands where a record of the attempt stands.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::CycleContext;
use crate::framework::reason::Reason;
use crate::framework::runtime::Framework;
use crate::framework::status::{Code, PluginName, Status};
use crate::node_set::NodeIndex;
use crate::snapshot::PodInfo;

use super::suggest::Advice;

/// What every Filter plugin says of every node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// The plugins that have something to say, in their order.
    pub plugins: Vec<PluginName>,
    /// The nodes in the order of the list.
    pub nodes: Vec<Arc<str>>,
    statuses: BTreeMap<(Arc<str>, PluginName), Status>,
    /// What would have to change for the pod to fit.
    pub advice: Advice,
}

impl Truth {
    /// What a plugin says of a node.
    #[must_use]
    pub fn status(&self, node: &Arc<str>, plugin: PluginName) -> Option<&Status> {
        self.statuses.get(&(node.clone(), plugin))
    }
}

/// Asks every Filter plugin of a profile about every node of a snapshot. Nobody stops at the first rejection.
///
/// A plugin whose PreFilter rejects the pod as a whole says the same of every node.
/// Cost: O(plugins × nodes) filters.
#[must_use]
pub fn whole_truth(framework: &Framework, cx: &CycleContext<'_>, pod: &PodInfo) -> Truth {
    let asked = Asked::new(framework, cx, pod);
    let mut truth = Truth {
        nodes: cx
            .snapshot
            .iter()
            .map(|(row, _)| cx.snapshot.name(row).clone())
            .collect(),
        plugins: framework.filter().map(|plugin| plugin.name()).collect(),
        ..Truth::default()
    };
    for (row, _) in cx.snapshot.iter() {
        for status in asked.statuses(row) {
            if let Some(plugin) = status.plugin {
                let node = cx.snapshot.name(row).clone();
                truth.statuses.insert((node, plugin), status);
            }
        }
    }
    truth
}

/// What PreFilter plugins found about a pod, so that Filter plugins can be asked about any node.
pub(super) struct Asked<'a> {
    framework: &'a Framework,
    cx: &'a CycleContext<'a>,
    pod: &'a PodInfo,
    state: CycleState,
    of_all_nodes: BTreeMap<PluginName, Status>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        framework: &'a Framework,
        cx: &'a CycleContext<'a>,
        pod: &'a PodInfo,
    ) -> Self {
        let mut state = CycleState::default();
        let mut of_all_nodes: BTreeMap<PluginName, Status> = BTreeMap::new();
        for plugin in framework.pre_filter() {
            let name = plugin.name();
            let answer = plugin.pre_filter(cx, &mut state, pod);
            match answer.status.code {
                Code::Skip => state.skip_filter.push(name),
                // A plugin that narrows the search says the same again as a filter.
                Code::Success => {}
                _ => {
                    of_all_nodes.insert(name, answer.status.by(name));
                }
            }
        }
        Self {
            framework,
            cx,
            pod,
            state,
            of_all_nodes,
        }
    }

    /// What each Filter plugin that has something to say says of a node.
    pub(super) fn statuses(&self, row: NodeIndex) -> impl Iterator<Item = Status> {
        let plugins = self.framework.filter();
        plugins.filter_map(move |plugin| {
            let name = plugin.name();
            if self.state.skip_filter.contains(&name) {
                return None;
            }
            Some(match self.of_all_nodes.get(&name) {
                Some(status) => status.clone(),
                None => {
                    let status = plugin.filter_node(self.cx, &self.state, self.pod, row);
                    status.by(name)
                }
            })
        })
    }

    /// Why the node cannot take the pod, in the order of the plugins; nothing if it can.
    pub(super) fn reasons(&self, row: NodeIndex) -> Vec<Reason> {
        let rejections = self.statuses(row).filter(|status| !status.is_success());
        rejections.flat_map(|status| status.reasons).collect()
    }
}
