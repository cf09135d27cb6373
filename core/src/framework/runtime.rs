//! A profile: its plugins by extension point, and the events that they wait for.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::config::{ConfigError, ExtensionPoint, Gates, PluginArgs, Profile, expand};
use crate::order::SortedMap;
use crate::snapshot::{Listers, PodInfo};

use super::cluster_event::{ActionType, ClusterEvent, EventResource, EventWithHint, HintMode};
use super::extension::{
    Bind, Filter, Permit, Plugin, PostBind, PostFilter, PreBind, PreEnqueue, PreFilter, PreScore,
    QueueSort, Reserve, Score,
};
use super::registry::Registry;
use super::status::PluginName;

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
    pub(super) plugins: Vec<Arc<dyn Plugin>>,
    points: SortedMap<ExtensionPoint, Vec<usize>>,
    score_weights: Vec<i64>,
    registrations: Vec<Registration>,
    /// Whether any pod of the profile can have a signature.
    pub(super) signs: bool,
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
        let mut built: SortedMap<PluginName, usize> = SortedMap::new();
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
        let mut points: SortedMap<ExtensionPoint, Vec<usize>> = SortedMap::new();
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

    pub(super) fn at(&self, point: ExtensionPoint) -> impl DoubleEndedIterator<Item = &dyn Plugin> {
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

fn args_by_plugin(profile: &Profile) -> Result<SortedMap<&str, &PluginArgs>, ConfigError> {
    let mut args = SortedMap::new();
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

/// The points whose plugins may register events.
const DECIDING: [ExtensionPoint; 5] = [
    ExtensionPoint::PreEnqueue,
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::Reserve,
    ExtensionPoint::Permit,
];
