//! Which plugins run at each extension point, in which order and with which weight.
//!
//! The second of two stages. It works on names; what a plugin implements is asked of a callback, so the framework and
//! a table in a test can use the same rules.
//!
//! Source: spec, A.5 stage 2 and scheduling-cycle 3.3, 3.4.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{ConfigError, ExtensionPoint, PluginEntry, PluginSet, Plugins, Profile};

use crate::order::SortedMap;

#[cfg(test)]
mod tests;

/// A profile's plugins, extension point by extension point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpandedPlugins {
    points: SortedMap<ExtensionPoint, Vec<String>>,
    score_weights: SortedMap<String, i64>,
    placement_score_weights: SortedMap<String, i64>,
}

impl ExpandedPlugins {
    /// The names of the plugins that run at `point`, in order.
    pub fn point(&self, point: ExtensionPoint) -> &[String] {
        self.points.get(&point).map_or(&[], Vec::as_slice)
    }

    /// How much the scores of `plugin` count at Score; 0 when it does not run there.
    pub fn score_weight(&self, plugin: &str) -> i64 {
        self.score_weights.get(plugin).copied().unwrap_or(0)
    }

    /// How much the scores of `plugin` count at PlacementScore; 0 when it does not run there.
    pub fn placement_score_weight(&self, plugin: &str) -> i64 {
        let weight = self.placement_score_weights.get(plugin);
        weight.copied().unwrap_or(0)
    }
}

/// Expands the plugins of a completed profile.
///
/// `implements` says whether a plugin takes part in an extension point; `None` when there is no such plugin.
///
/// Errors: the first one in upstream's order; without the "creating profile" prefix.
pub fn expand(
    profile: &Profile,
    implements: impl Fn(&str, ExtensionPoint) -> Option<bool>,
) -> Result<ExpandedPlugins, ConfigError> {
    let mut expanded = expand_points(&profile.plugins, &implements)?;
    if let Some(error) = count_faults(profile, &expanded).into_iter().next() {
        return Err(error);
    }
    weigh(&profile.plugins, &mut expanded)?;
    Ok(expanded)
}

/// Which plugins run where, without their weights.
pub(super) fn expand_points(
    plugins: &Plugins,
    implements: &impl Fn(&str, ExtensionPoint) -> Option<bool>,
) -> Result<ExpandedPlugins, ConfigError> {
    let mut expanded = ExpandedPlugins::default();
    for point in ExtensionPoint::ALL {
        check_own(point, plugins.point(point), implements)?;
    }
    for point in ExtensionPoint::ALL {
        let names = expand_point(point, plugins, implements)?;
        expanded.points.insert(point, names);
    }
    Ok(expanded)
}

/// Gives the plugins that score their weights.
pub(super) fn weigh(plugins: &Plugins, expanded: &mut ExpandedPlugins) -> Result<(), ConfigError> {
    expanded.score_weights = weights(ExtensionPoint::Score, plugins, expanded)?;
    expanded.placement_score_weights = weights(ExtensionPoint::PlacementScore, plugins, expanded)?;
    Ok(())
}

/// Whether the entries that a point lists itself exist, implement it and are there once.
fn check_own(
    point: ExtensionPoint,
    set: &PluginSet,
    implements: &impl Fn(&str, ExtensionPoint) -> Option<bool>,
) -> Result<(), ConfigError> {
    for (i, entry) in set.enabled.iter().enumerate() {
        let plugin = entry.name.to_string();
        match implements(&entry.name, point) {
            None => return Err(ConfigError::PluginDoesNotExist { point, plugin }),
            Some(false) => return Err(ConfigError::PluginDoesNotExtend { point, plugin }),
            Some(true) => {}
        }
        if set.enabled.iter().take(i).any(|e| e.name == entry.name) {
            return Err(ConfigError::PluginAlreadyRegistered { point, plugin });
        }
    }
    Ok(())
}

/// The plugins of one point: its own entries that override, then multi-point's, then the rest of its own.
fn expand_point(
    point: ExtensionPoint,
    plugins: &Plugins,
    implements: &impl Fn(&str, ExtensionPoint) -> Option<bool>,
) -> Result<Vec<String>, ConfigError> {
    let set = plugins.point(point);
    let own = |entry: &&PluginEntry| entry.name.to_string();
    if set.disables_all() {
        return Ok(set.enabled.iter().map(|e| e.name.to_string()).collect());
    }
    let mut overrides: Vec<&str> = Vec::new();
    let mut shared: Vec<String> = Vec::new();
    for entry in &plugins.multi_point.enabled {
        let name = entry.name.as_str();
        let Some(is_implemented) = implements(name, point) else {
            let plugin = name.to_string();
            return Err(ConfigError::PluginDoesNotExist { point, plugin });
        };
        if !is_implemented || set.disables(name) {
            continue;
        }
        if set.entry(name).is_some() {
            overrides.push(name);
        } else if shared.iter().any(|seen| seen == name) {
            let plugin = name.to_string();
            return Err(ConfigError::PluginAlreadyRegistered { point, plugin });
        } else {
            shared.push(name.to_string());
        }
    }
    let (first, last): (Vec<&PluginEntry>, Vec<&PluginEntry>) = set
        .enabled
        .iter()
        .partition(|entry| overrides.contains(&entry.name.as_str()));
    Ok(first
        .iter()
        .map(own)
        .chain(shared)
        .chain(last.iter().map(own))
        .collect())
}

/// The points at which too few or too many plugins run, in upstream's order.
pub(super) fn count_faults(profile: &Profile, expanded: &ExpandedPlugins) -> Vec<ConfigError> {
    let scheduler_name = || profile.scheduler_name.to_string();
    let mut faults = Vec::new();
    let count = expanded.point(ExtensionPoint::QueueSort).len();
    if count != 1 {
        faults.push(ConfigError::QueueSortCount {
            scheduler_name: scheduler_name(),
            count,
        });
    }
    if expanded.point(ExtensionPoint::Bind).is_empty() {
        faults.push(ConfigError::BindNeeded {
            scheduler_name: scheduler_name(),
        });
    }
    if expanded.point(ExtensionPoint::PlacementGenerate).len() > 1 {
        faults.push(ConfigError::PlacementGenerateCount {
            scheduler_name: scheduler_name(),
        });
    }
    faults
}

/// The weight of each plugin that runs at `point`: the point's own entry before multi-point's, 0 counting as 1.
fn weights(
    point: ExtensionPoint,
    plugins: &Plugins,
    expanded: &ExpandedPlugins,
) -> Result<SortedMap<String, i64>, ConfigError> {
    let mut weights = SortedMap::new();
    let mut total: i64 = 0;
    for name in expanded.point(point) {
        let own = plugins.point(point).entry(name);
        let entry = own.or_else(|| plugins.multi_point.entry(name));
        let weight = entry.map_or(0, |entry| entry.weight);
        if weight < 0 {
            let plugin = name.to_string();
            return Err(ConfigError::NegativeWeight {
                point,
                plugin,
                weight,
            });
        }
        let weight = i64::from(weight).max(1);
        total = weight
            .checked_mul(MAX_NODE_SCORE)
            .and_then(|most| total.checked_add(most))
            .ok_or(ConfigError::ScoreOverflow { point })?;
        weights.insert(name.to_string(), weight);
    }
    Ok(weights)
}

/// The most that one plugin may give one node.
const MAX_NODE_SCORE: i64 = 100;
