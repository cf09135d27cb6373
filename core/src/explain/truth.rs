//! What the plugins that were not run would have said: every Filter plugin is asked about every node, each alone.
//!
//! This is what Berth evaluates in addition to kube-scheduler, so it never stands where a record of the attempt stands.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extension::CycleContext;
use crate::framework::runtime::Framework;
use crate::framework::status::{Code, PluginName, Status};
use crate::snapshot::PodInfo;

/// What every Filter plugin says of every node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// The plugins that have something to say, in their order.
    pub plugins: Vec<PluginName>,
    /// The nodes in the order of the list.
    pub nodes: Vec<Arc<str>>,
    statuses: BTreeMap<(Arc<str>, PluginName), Status>,
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
    let mut truth = Truth {
        nodes: cx
            .snapshot
            .iter()
            .map(|(row, _)| cx.snapshot.name(row).clone())
            .collect(),
        ..Truth::default()
    };
    for plugin in framework.filter() {
        let name = plugin.name();
        truth.plugins.push(name);
        if state.skip_filter.contains(&name) {
            continue;
        }
        for (row, _) in cx.snapshot.iter() {
            let node = cx.snapshot.name(row);
            let status = match of_all_nodes.get(&name) {
                Some(status) => status.clone(),
                None => plugin.filter_node(cx, &state, pod, row).by(name),
            };
            truth.statuses.insert((node.clone(), name), status);
        }
    }
    truth
}
