//! A profile: its plugins, and how each extension point runs them.
//!
//! This is the one place that knows what an answer means at which point (spec, scheduling cycle 2.2), puts the plugin's
//! name on it and wraps errors in kube-scheduler's words.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use crate::config::{ConfigError, ExtensionPoint, Gates, PluginArgs, Profile, expand};
use crate::node_set::{NodeIndex, NodeSet};
use crate::order;
use crate::snapshot::{Listers, NodeInfo, PodInfo};

use super::answers::rejection;
use super::cluster_event::{ActionType, ClusterEvent, EventResource, EventWithHint, HintMode};
use super::cycle_state::CycleState;
use super::extension::{
    Bind, CycleContext, Filter, Permit, Plugin, PostBind, PostFilter, PreBind, PreEnqueue,
    PreFilter, PreScore, QueueContext, QueuePlace, QueueSort, Reserve, Score, Signature, Verdicts,
};
use super::reason::Reason;
use super::registry::Registry;
use super::status::{Code, PluginName, Status};
use super::trace::ScoreColumn;

/// One plugin that registered an event, and whether it judges each one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The plugin.
    pub plugin: PluginName,
    /// What it registered.
    pub event: ClusterEvent,
    /// Whether it is asked.
    pub mode: HintMode,
}

/// A profile's plugins by extension point: kube-scheduler's `Framework`. It never changes once it is built.
pub struct Framework {
    name: Arc<str>,
    percentage_of_nodes_to_score: Option<i32>,
    checks_all_filters: bool,
    plugins: Vec<Arc<dyn Plugin>>,
    points: BTreeMap<ExtensionPoint, Vec<usize>>,
    score_weights: Vec<i64>,
    registrations: Vec<Registration>,
    /// Whether any pod of the profile can have a signature.
    signs: bool,
    queue_sort_args: PluginArgs,
}

impl Framework {
    /// Builds a profile: each plugin once, its points expanded.
    ///
    /// # Errors
    ///
    /// The first mistake in kube-scheduler's order and words, without the prefix that names the profile.
    pub fn new(profile: &Profile, registry: &Registry, gates: &Gates) -> Result<Self, ConfigError> {
        let args = args_by_plugin(profile)?;
        let mut built: BTreeMap<PluginName, usize> = BTreeMap::new();
        let mut plugins: Vec<Arc<dyn Plugin>> = Vec::new();
        for name in needed(profile) {
            let Some((name, factory)) = registry.get(name) else {
                continue;
            };
            let default_args = PluginArgs::default_for(name.0, *gates).unwrap_or_default();
            let args = args.get(name.0).copied().unwrap_or(&default_args);
            let plugin = factory(args, gates).map_err(|error| ConfigError::InitializingPlugin {
                plugin: name.to_string(),
                error: error.into(),
            })?;
            built.insert(name, plugins.len());
            plugins.push(plugin);
        }
        let place = |name: &str| {
            built
                .iter()
                .find(|(known, _)| known.0 == name)
                .map(|(_, place)| *place)
        };
        let expanded = expand(profile, |name, point| {
            let plugin = plugins.get(place(name)?)?;
            Some(implements(plugin.as_ref(), point))
        })?;
        let mut points: BTreeMap<ExtensionPoint, Vec<usize>> = BTreeMap::new();
        for point in ExtensionPoint::ALL {
            let names = expanded.point(point).iter();
            points.insert(point, names.filter_map(|name| place(name)).collect());
        }
        let score_weights = plugins
            .iter()
            .map(|plugin| expanded.score_weight(plugin.name().0))
            .collect();
        let mut framework = Self {
            name: Arc::from(profile.scheduler_name.as_str()),
            percentage_of_nodes_to_score: profile.percentage_of_nodes_to_score,
            checks_all_filters: profile.always_check_all_predicates,
            plugins,
            points,
            score_weights,
            registrations: Vec::new(),
            signs: true,
            queue_sort_args: PluginArgs::default(),
        };
        framework.registrations = framework.registered_events();
        framework.signs = framework
            .sign(&Listers::default(), &PodInfo::new(Arc::default()))
            .is_some();
        framework.queue_sort_args = framework
            .queue_sort()
            .and_then(|plugin| args.get(plugin.name().0).copied().cloned())
            .unwrap_or_default();
        Ok(framework)
    }

    /// The name by which pods choose this profile.
    #[must_use]
    pub const fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The profile's own percentage of nodes to score, if it has one.
    #[must_use]
    pub const fn percentage_of_nodes_to_score(&self) -> Option<i32> {
        self.percentage_of_nodes_to_score
    }

    /// Whether every Filter plugin is asked about a node that one of them has rejected.
    #[must_use]
    pub const fn checks_all_filters(&self) -> bool {
        self.checks_all_filters
    }

    /// The arguments of its QueueSort plugin, which all profiles must share.
    #[must_use]
    pub const fn queue_sort_args(&self) -> &PluginArgs {
        &self.queue_sort_args
    }

    /// What its plugins registered for, in the order of the plugins.
    #[must_use]
    pub fn registrations(&self) -> &[Registration] {
        &self.registrations
    }

    /// A plugin that the profile uses.
    #[must_use]
    pub fn plugin(&self, name: PluginName) -> Option<&dyn Plugin> {
        self.plugins
            .iter()
            .find(|plugin| plugin.name() == name)
            .map(AsRef::as_ref)
    }

    /// The names of the plugins at an extension point, in order.
    pub fn names_at(&self, point: ExtensionPoint) -> impl Iterator<Item = PluginName> + '_ {
        self.at(point).map(Plugin::name)
    }

    /// The weight of a Score plugin.
    #[must_use]
    pub fn score_weight(&self, name: PluginName) -> i64 {
        let place = self.plugins.iter().position(|plugin| plugin.name() == name);
        place
            .and_then(|place| self.score_weights.get(place))
            .copied()
            .unwrap_or(0)
    }

    fn at(&self, point: ExtensionPoint) -> impl DoubleEndedIterator<Item = &dyn Plugin> {
        let places = self.points.get(&point).map_or(&[][..], Vec::as_slice);
        places
            .iter()
            .filter_map(|place| self.plugins.get(*place))
            .map(AsRef::as_ref)
    }

    /// The plugin that orders activeQ.
    #[must_use]
    pub fn queue_sort(&self) -> Option<&dyn QueueSort> {
        self.at(ExtensionPoint::QueueSort)
            .find_map(Plugin::as_queue_sort)
    }

    /// PreEnqueue plugins in order.
    pub fn pre_enqueue(&self) -> impl Iterator<Item = &dyn PreEnqueue> {
        self.at(ExtensionPoint::PreEnqueue)
            .filter_map(Plugin::as_pre_enqueue)
    }

    /// PreFilter plugins in order.
    pub fn pre_filter(&self) -> impl Iterator<Item = &dyn PreFilter> {
        self.at(ExtensionPoint::PreFilter)
            .filter_map(Plugin::as_pre_filter)
    }

    /// Filter plugins in order.
    pub fn filter(&self) -> impl Iterator<Item = &dyn Filter> {
        self.at(ExtensionPoint::Filter)
            .filter_map(Plugin::as_filter)
    }

    /// PostFilter plugins in order.
    pub fn post_filter(&self) -> impl Iterator<Item = &dyn PostFilter> {
        self.at(ExtensionPoint::PostFilter)
            .filter_map(Plugin::as_post_filter)
    }

    /// PreScore plugins in order.
    pub fn pre_score(&self) -> impl Iterator<Item = &dyn PreScore> {
        self.at(ExtensionPoint::PreScore)
            .filter_map(Plugin::as_pre_score)
    }

    /// Score plugins in order.
    pub fn score(&self) -> impl Iterator<Item = &dyn Score> {
        self.at(ExtensionPoint::Score).filter_map(Plugin::as_score)
    }

    /// Reserve plugins in order; Unreserve runs in reverse.
    pub fn reserve(&self) -> impl DoubleEndedIterator<Item = &dyn Reserve> {
        self.at(ExtensionPoint::Reserve)
            .filter_map(Plugin::as_reserve)
    }

    /// Permit plugins in order.
    pub fn permit(&self) -> impl Iterator<Item = &dyn Permit> {
        self.at(ExtensionPoint::Permit)
            .filter_map(Plugin::as_permit)
    }

    /// PreBind plugins in order.
    pub fn pre_bind(&self) -> impl Iterator<Item = &dyn PreBind> {
        self.at(ExtensionPoint::PreBind)
            .filter_map(Plugin::as_pre_bind)
    }

    /// Bind plugins in order.
    pub fn bind(&self) -> impl Iterator<Item = &dyn Bind> {
        self.at(ExtensionPoint::Bind).filter_map(Plugin::as_bind)
    }

    /// PostBind plugins in order.
    pub fn post_bind(&self) -> impl Iterator<Item = &dyn PostBind> {
        self.at(ExtensionPoint::PostBind)
            .filter_map(Plugin::as_post_bind)
    }

    /// What a pod must share with another so that every plugin with a say over nodes judges both alike; `None` when one
    /// of them does not say. Only equality means anything.
    ///
    /// Source: spec, plugins 1.2.
    #[must_use]
    pub fn sign(&self, listers: &Listers, pod: &PodInfo) -> Option<String> {
        if !self.signs {
            return None;
        }
        let mut parts = BTreeMap::new();
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
                answer.nodes.as_ref().map(BTreeSet::len),
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
                if result.nodes.as_ref().is_some_and(BTreeSet::is_empty) {
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
            if !self.checks_all_filters || status.code == Code::Error {
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
        if self.checks_all_filters {
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

    /// The registrations of the plugins that take part in a decision, with kube-scheduler's additions.
    ///
    /// Source: spec, queue and cache 7.4.
    fn registered_events(&self) -> Vec<Registration> {
        let mut registrations = Vec::new();
        for plugin in &self.plugins {
            let decides = DECIDING
                .iter()
                .any(|point| self.at(*point).any(|other| other.name() == plugin.name()));
            if !decides {
                continue;
            }
            let own = plugin
                .events()
                .map_or_else(all_events, <[EventWithHint]>::to_vec);
            let add = |registrations: &mut Vec<Registration>, event: ClusterEvent, mode| {
                registrations.push(Registration {
                    plugin: plugin.name(),
                    event,
                    mode,
                });
            };
            for entry in &own {
                add(&mut registrations, entry.event, entry.mode);
            }
            let mut for_nodes = own
                .iter()
                .filter(|entry| entry.event.resource == EventResource::Node);
            let adds = for_nodes
                .clone()
                .any(|entry| entry.event.action.intersects(ActionType::ADD));
            let taints =
                for_nodes.any(|entry| entry.event.action.intersects(ActionType::UPDATE_NODE_TAINT));
            // QUIRK: whoever waits for new nodes is also woken by any taint change, without being asked.
            if adds && !taints {
                let event = ClusterEvent::new(EventResource::Node, ActionType::UPDATE_NODE_TAINT);
                add(&mut registrations, event, HintMode::AlwaysQueue);
            }
        }
        registrations
    }
}

impl fmt::Debug for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<PluginName> = self.plugins.iter().map(|plugin| plugin.name()).collect();
        f.debug_struct("Framework")
            .field("name", &self.name)
            .field("plugins", &names)
            .finish_non_exhaustive()
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
    pub nodes: Option<BTreeSet<Arc<str>>>,
    /// Who narrowed the search.
    pub narrowed_by: BTreeSet<PluginName>,
}

impl PreFilterResult {
    fn narrow(&mut self, plugin: PluginName, nodes: BTreeSet<Arc<str>>) {
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

fn args_by_plugin(profile: &Profile) -> Result<BTreeMap<&str, &PluginArgs>, ConfigError> {
    let mut args = BTreeMap::new();
    for entry in &profile.plugin_config {
        if args.insert(entry.name.as_str(), &entry.args).is_some() {
            return Err(ConfigError::RepeatedPluginConfig {
                plugin: entry.name.clone(),
            });
        }
    }
    Ok(args)
}

/// Every name that the profile enables anywhere, each once, in the order of the multi-point list and then the points.
fn needed(profile: &Profile) -> Vec<&str> {
    let multi_point = profile.plugins.multi_point.enabled.iter();
    let own = ExtensionPoint::ALL
        .iter()
        .flat_map(|point| profile.plugins.point(*point).enabled.iter());
    let mut names: Vec<&str> = Vec::new();
    for entry in multi_point.chain(own) {
        if !names.contains(&entry.name.as_str()) {
            names.push(&entry.name);
        }
    }
    names
}

/// Whether a plugin of the registry takes part in an extension point; `None` when there is no such plugin, or it cannot be
/// built without arguments of its own and so nobody can tell.
pub fn is_implemented(
    registry: &Registry,
    gates: &Gates,
    name: &str,
    point: ExtensionPoint,
) -> Option<bool> {
    let (name, factory) = registry.get(name)?;
    let args = PluginArgs::default_for(name.0, *gates).unwrap_or_default();
    let plugin = factory(&args, gates).ok()?;
    Some(implements(plugin.as_ref(), point))
}

fn implements(plugin: &dyn Plugin, point: ExtensionPoint) -> bool {
    match point {
        ExtensionPoint::PreEnqueue => plugin.as_pre_enqueue().is_some(),
        ExtensionPoint::QueueSort => plugin.as_queue_sort().is_some(),
        ExtensionPoint::PreFilter => plugin.as_pre_filter().is_some(),
        ExtensionPoint::Filter => plugin.as_filter().is_some(),
        ExtensionPoint::PostFilter => plugin.as_post_filter().is_some(),
        ExtensionPoint::PreScore => plugin.as_pre_score().is_some(),
        ExtensionPoint::Score => plugin.as_score().is_some(),
        ExtensionPoint::Reserve => plugin.as_reserve().is_some(),
        ExtensionPoint::Permit => plugin.as_permit().is_some(),
        ExtensionPoint::PreBind => plugin.as_pre_bind().is_some(),
        ExtensionPoint::Bind => plugin.as_bind().is_some(),
        ExtensionPoint::PostBind => plugin.as_post_bind().is_some(),
        ExtensionPoint::PlacementGenerate | ExtensionPoint::PlacementScore => false,
    }
}

/// What a plugin without registrations is registered for: every kind, every action; also extenders.
///
/// QUIRK: VolumeAttachment and ResourceSlice are not among them, as upstream.
#[must_use]
pub fn all_events() -> Vec<EventWithHint> {
    [
        EventResource::Pod,
        EventResource::Node,
        EventResource::PersistentVolume,
        EventResource::PersistentVolumeClaim,
        EventResource::CsiNode,
        EventResource::CsiDriver,
        EventResource::CsiStorageCapacity,
        EventResource::StorageClass,
        EventResource::ResourceClaim,
        EventResource::DeviceClass,
    ]
    .into_iter()
    .map(|resource| EventWithHint::always(resource, ActionType::ALL))
    .collect()
}

/// The points whose plugins have a say over nodes.
const JUDGING: [ExtensionPoint; 4] = [
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::PreScore,
    ExtensionPoint::Score,
];

/// The points whose plugins may register events.
const DECIDING: [ExtensionPoint; 5] = [
    ExtensionPoint::PreEnqueue,
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::Reserve,
    ExtensionPoint::Permit,
];

/// The most that a plugin may give a node.
pub const MAX_NODE_SCORE: i64 = 100;

/// The profiles of a scheduler, by the name that pods choose.
#[derive(Clone, Debug)]
pub struct Profiles {
    frameworks: Arc<Vec<Framework>>,
}

impl Profiles {
    /// Builds all profiles.
    ///
    /// # Errors
    ///
    /// The first mistake in kube-scheduler's order and words.
    pub fn new(
        profiles: &[Profile],
        registry: &Registry,
        gates: &Gates,
    ) -> Result<Self, ConfigError> {
        if profiles.is_empty() {
            return Err(ConfigError::NoProfile);
        }
        let mut frameworks: Vec<Framework> = Vec::new();
        for profile in profiles {
            let framework = Framework::new(profile, registry, gates).map_err(|error| {
                ConfigError::CreatingProfile {
                    scheduler_name: profile.scheduler_name.clone(),
                    error: error.into(),
                }
            })?;
            check_against_first(&frameworks, &framework)?;
            frameworks.push(framework);
        }
        Ok(Self {
            frameworks: Arc::new(frameworks),
        })
    }

    /// The profile that a pod with this `schedulerName` chose.
    #[must_use]
    pub fn get(&self, scheduler_name: &str) -> Option<&Framework> {
        self.frameworks
            .iter()
            .find(|framework| &**framework.name() == scheduler_name)
    }

    /// The first profile, whose QueueSort plugin orders the queue.
    ///
    /// # Panics
    ///
    /// Never: there is at least one profile.
    #[must_use]
    pub fn first(&self) -> &Framework {
        self.frameworks
            .first()
            .expect("a scheduler has at least one profile")
    }

    /// All profiles in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Framework> {
        self.frameworks.iter()
    }
}

fn check_against_first(built: &[Framework], framework: &Framework) -> Result<(), ConfigError> {
    let scheduler_name: String = framework.name().to_string();
    if scheduler_name.is_empty() {
        return Err(ConfigError::SchedulerNameNeeded);
    }
    if built.iter().any(|other| other.name() == framework.name()) {
        return Err(ConfigError::DuplicateProfile { scheduler_name });
    }
    let Some(first) = built.first() else {
        return Ok(());
    };
    let sort_name = |of: &Framework| {
        of.queue_sort()
            .map_or_else(String::new, |plugin| plugin.name().to_string())
    };
    if sort_name(first) != sort_name(framework) {
        return Err(ConfigError::DifferentQueueSort {
            scheduler_name,
            plugin: sort_name(framework),
            first: sort_name(first),
        });
    }
    if first.queue_sort_args() != framework.queue_sort_args() {
        return Err(ConfigError::DifferentQueueSortArgs { scheduler_name });
    }
    Ok(())
}
