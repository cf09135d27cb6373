//! How each extension point runs a profile's plugins.
//!
//! This is the one place that knows what an answer means at which point (spec, scheduling cycle 2.2), puts the plugin's
//! name on it and wraps errors in kube-scheduler's words.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::config::ExtensionPoint;
use crate::node_set::{NodeIndex, NodeSet};
use crate::order;
use crate::order::{SortedMap, SortedSet};
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::answers::rejection;
use super::cycle_state::CycleState;
use super::extension::{
    CycleContext, PreEnqueue, PreFilter, QueueContext, QueuePlace, Signature, Verdicts,
};
use super::reason::Reason;
use super::runtime::Framework;
use super::status::{Code, PluginName, Status};
use super::trace::ScoreColumn;

impl Framework {
    /// What a pod must share with another so that every plugin with a say over nodes judges both alike; `None` when one
    /// of them does not say. Only equality means anything.
    ///
    /// Source: spec, plugins 1.2.
    #[must_use]
    pub fn sign(&self, listers: &Listers, pod: &PodInfo) -> Option<String> {
        if !self.signs {
            return None;
        }
        let mut parts = SortedMap::new();
        parts.insert(
            "v1.Pod.Spec.SchedulerName",
            serde_json::Value::from(pod.pod.spec.scheduler_name.as_str()),
        );
        for plugin in &self.plugins {
            if !JUDGING
                .iter()
                .any(|point| self.at(*point).any(|other| other.name() == plugin.name()))
            {
                continue;
            }
            match plugin.sign(listers, pod) {
                Signature::Parts(own) => parts.extend(own),
                Signature::Unsupported | Signature::Refused => return None,
            }
        }
        serde_json::to_string(&parts).ok()
    }

    /// Runs PreEnqueue: success, or the first answer that is not. `first` runs before all others.
    ///
    /// QUIRK: kube-scheduler runs the rest in map order; here it is the profile's order.
    #[must_use]
    pub fn run_pre_enqueue(
        &self,
        cx: &QueueContext<'_>,
        pod: &PodInfo,
        first: Option<PluginName>,
    ) -> Status {
        let mut plugins: Vec<&dyn PreEnqueue> = self.pre_enqueue().collect();
        order::sort_by_key(&mut plugins, |plugin| Some(plugin.name()) != first);
        for plugin in plugins {
            let status = plugin.pre_enqueue(cx, pod);
            if !status.is_success() {
                return status.by(plugin.name());
            }
        }
        Status::success()
    }

    /// Compares two waiting pods by the profile's QueueSort plugin.
    #[must_use]
    pub fn compare(&self, one: QueuePlace<'_>, two: QueuePlace<'_>) -> Ordering {
        self.queue_sort()
            .map_or(Ordering::Equal, |plugin| plugin.compare(one, two))
    }

    /// Runs PreFilter over all nodes. `told` hears each plugin's answer and to how many nodes it narrowed the search.
    ///
    /// Source: spec, scheduling cycle 6.2.
    pub fn run_pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        mut told: impl FnMut(PluginName, &Status, Option<usize>),
    ) -> PreFilterResult {
        let mut result = PreFilterResult::default();
        for plugin in self.pre_filter() {
            let name = plugin.name();
            let answer = plugin.pre_filter(cx, state, pod);
            told(
                name,
                &answer.status,
                answer.nodes.as_ref().map(SortedSet::len),
            );
            match answer.status.code {
                Code::Skip => state.skip_filter.push(name),
                Code::Success => {}
                Code::Unschedulable => result.status = answer.status.by(name),
                Code::UnschedulableAndUnresolvable => {
                    return PreFilterResult::from(answer.status.by(name));
                }
                _ => {
                    let message = answer.status.message();
                    return PreFilterResult::from(Status::error(format!(
                        "running PreFilter plugin \"{name}\": {message}"
                    )));
                }
            }
            if let Some(nodes) = answer.nodes {
                result.narrow(name, nodes);
                if result.nodes.as_ref().is_some_and(SortedSet::is_empty) {
                    let plugins = result.plugin_names();
                    result.status = Status::unresolvable(Reason::EmptyPreFilterSet { plugins });
                    return result;
                }
            }
        }
        result
    }

    /// Counts `added` in with every PreFilter plugin that keeps counts.
    pub fn run_add_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        self.run_extensions(state, "AddPod", |plugin, state| {
            plugin.add_pod(cx, state, pod, added, node)
        })
    }

    /// Counts `removed` off with every PreFilter plugin that keeps counts.
    pub fn run_remove_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        removed: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        self.run_extensions(state, "RemovePod", |plugin, state| {
            plugin.remove_pod(cx, state, pod, removed, node)
        })
    }

    fn run_extensions(
        &self,
        state: &mut CycleState,
        what: &str,
        mut run: impl FnMut(&dyn PreFilter, &mut CycleState) -> Status,
    ) -> Status {
        for plugin in self.pre_filter().filter(|plugin| plugin.has_extensions()) {
            let name = plugin.name();
            if state.skip_filter.contains(&name) {
                continue;
            }
            let status = run(plugin, state);
            if !status.is_success() {
                let message = status.message();
                return Status::error(format!(
                    "running {what} on PreFilter plugin \"{name}\": {message}"
                ));
            }
        }
        Status::success()
    }

    /// Runs every Filter plugin on one node: success, or the first rejection. The plain twin of
    /// [`Framework::run_filters_on_set`].
    #[must_use]
    pub fn run_filters_on_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let mut collected = Status::success();
        for plugin in self
            .filter()
            .filter(|plugin| !state.skip_filter.contains(&plugin.name()))
        {
            let status = rejection(plugin.name(), plugin.filter_node(cx, state, pod, node));
            if status.is_success() {
                continue;
            }
            if !self.checks_all_filters() || status.code == Code::Error {
                return status;
            }
            merge_rejections(&mut collected, status);
        }
        collected
    }

    /// Narrows `nodes` to those that every Filter plugin passes; returns who was rejected and why.
    #[must_use]
    pub fn run_filters_on_set(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
    ) -> Verdicts {
        let mut verdicts = Verdicts::default();
        if self.checks_all_filters() {
            nodes.retain(|node| {
                let status = self.run_filters_on_node(cx, state, pod, node);
                let is_feasible = status.is_success();
                if !is_feasible {
                    verdicts.reject(node, status);
                }
                is_feasible
            });
            return verdicts;
        }
        for plugin in self
            .filter()
            .filter(|plugin| !state.skip_filter.contains(&plugin.name()))
        {
            plugin.filter(cx, state, pod, nodes, &mut verdicts);
            let name = plugin.name();
            verdicts.finish(|status| rejection(name, status));
            if nodes.is_empty() {
                break;
            }
        }
        verdicts
    }

    /// Runs PreScore over the feasible nodes. `told` hears each plugin's answer.
    ///
    /// # Errors
    ///
    /// The status of the whole attempt when a plugin answers neither success nor Skip.
    pub fn run_pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        mut told: impl FnMut(PluginName, Code),
    ) -> Result<(), Status> {
        for plugin in self.pre_score() {
            let name = plugin.name();
            let status = plugin.pre_score(cx, state, pod, nodes);
            told(name, status.code);
            match status.code {
                Code::Success => {}
                Code::Skip => state.skip_score.push(name),
                _ => {
                    let message = status.message();
                    return Err(Status::error(format!(
                        "running PreScore plugin \"{name}\": {message}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Runs Score and Normalize over the feasible nodes and adds up what each is worth by the plugins' weights. `columns`
    /// says whether anybody will look at the scores themselves.
    ///
    /// # Errors
    ///
    /// The status of the whole attempt when a plugin fails or leaves 0..=100.
    pub fn run_score(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        columns: ScoreColumns,
    ) -> Result<Scores, Status> {
        let mut scores = Scores {
            totals: alloc::vec![0; nodes.len()],
            ..Scores::default()
        };
        let mut column = alloc::vec![0; nodes.len()];
        for plugin in self
            .score()
            .filter(|plugin| !state.skip_score.contains(&plugin.name()))
        {
            let name = plugin.name();
            column.fill(0);
            plugin
                .score(cx, state, pod, nodes, &mut column)
                .map_err(|error| {
                    Status::error(format!(
                        "running Score plugins: plugin \"{name}\" failed with: {error}"
                    ))
                })?;
            let raw = match columns {
                ScoreColumns::Kept => column.clone(),
                ScoreColumns::AddedUp => Vec::new(),
            };
            if plugin.has_normalize() {
                plugin.normalize(cx, state, pod, nodes, &mut column).map_err(|error| {
                    Status::error(format!(
                        "running Normalize on Score plugins: plugin \"{name}\" failed with: {error}"
                    ))
                })?;
            }
            if let Some(bad) = column
                .iter()
                .find(|score| score.cast_unsigned() > MAX_NODE_SCORE.cast_unsigned())
            {
                return Err(Status::error(format!(
                    "applying score defaultWeights on Score plugins: plugin \"{name}\" returns an invalid score \
                     {bad}, it should in the range of [0, 100] after normalizing"
                )));
            }
            let weight = self.score_weight(name);
            add_weighted(&mut scores.totals, &column, weight);
            scores.plugins += 1;
            if columns == ScoreColumns::Kept {
                scores.columns.push(ScoreColumn {
                    plugin: name,
                    weight,
                    raw,
                    normalized: column.clone(),
                });
            }
        }
        Ok(scores)
    }
}

/// What becomes of the scores that plugins give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreColumns {
    /// They are kept for whoever listens.
    Kept,
    /// Nobody listens: they only count in the totals.
    AddedUp,
}

/// What Score plugins came to.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// What each feasible node is worth by the plugins' weights.
    pub totals: Vec<i64>,
    /// How many plugins scored.
    pub plugins: usize,
    /// Their scores, where they are kept.
    pub columns: Vec<ScoreColumn>,
}

/// What PreFilter comes to for the pod as a whole.
#[derive(Clone, Debug, Default)]
pub struct PreFilterResult {
    /// Success, the last Unschedulable, the first UnschedulableAndUnresolvable, or an error.
    pub status: Status,
    /// The names that all plugins which narrowed the search agree on; `None` for all nodes.
    pub nodes: Option<SortedSet<Arc<str>>>,
    /// Who narrowed the search.
    pub narrowed_by: SortedSet<PluginName>,
}

impl PreFilterResult {
    fn narrow(&mut self, plugin: PluginName, nodes: SortedSet<Arc<str>>) {
        self.narrowed_by.insert(plugin);
        self.nodes = Some(match self.nodes.take() {
            None => nodes,
            Some(before) => before.intersection(&nodes).cloned().collect(),
        });
    }

    /// The names of those who narrowed the search, sorted.
    #[must_use]
    pub fn plugin_names(&self) -> Vec<Arc<str>> {
        self.narrowed_by
            .iter()
            .map(|plugin| Arc::from(plugin.0))
            .collect()
    }
}

impl From<Status> for PreFilterResult {
    fn from(status: Status) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }
}

/// Adds scores from 0 to 100 to the totals, each counted `weight` times.
fn add_weighted(totals: &mut [i64], scores: &[i64], weight: i64) {
    // Only a huge weight can overflow a product; asking each product costs more than the rest on a 32-bit host.
    let is_small = weight.checked_mul(MAX_NODE_SCORE).is_some();
    for (total, score) in totals.iter_mut().zip(scores) {
        let product = if is_small {
            score * weight
        } else {
            score.saturating_mul(weight)
        };
        *total = total.saturating_add(product);
    }
}

/// All reasons of a node, when every Filter plugin runs on it: unresolvable if any plugin said so.
fn merge_rejections(collected: &mut Status, status: Status) {
    if collected.is_success() {
        *collected = status;
        return;
    }
    collected.reasons.extend(status.reasons);
    if status.code == Code::UnschedulableAndUnresolvable {
        collected.code = status.code;
    }
}

/// The points whose plugins have a say over nodes.
const JUDGING: [ExtensionPoint; 4] = [
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::PreScore,
    ExtensionPoint::Score,
];

/// The most that a plugin may give a node.
pub const MAX_NODE_SCORE: i64 = 100;
