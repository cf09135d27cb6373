//! Which plugins a profile enables and disables, extension point by extension point.

use alloc::string::String;
use alloc::vec::Vec;

use super::ExtensionPoint;

/// A plugin switched on, with the weight of its scores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginEntry {
    /// The plugin's registered name.
    pub name: String,
    /// How much its scores count; 0 is "not written" and counts as 1. Meaningless outside Score and PlacementScore.
    pub weight: i32,
}

/// What is switched on and off at one extension point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginSet {
    /// The plugins to run, in this order.
    pub enabled: Vec<PluginEntry>,
    /// The names to leave out of what would be added otherwise; `*` is all of them.
    pub disabled: Vec<String>,
}

/// One [`PluginSet`] for each extension point, and one for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is what ExtensionPoint says it is")]
pub struct Plugins {
    pub pre_enqueue: PluginSet,
    pub queue_sort: PluginSet,
    pub pre_filter: PluginSet,
    pub filter: PluginSet,
    pub post_filter: PluginSet,
    pub pre_score: PluginSet,
    pub score: PluginSet,
    pub reserve: PluginSet,
    pub permit: PluginSet,
    pub pre_bind: PluginSet,
    pub bind: PluginSet,
    pub post_bind: PluginSet,
    /// Entries that count for every extension point their plugin implements.
    pub multi_point: PluginSet,
    pub placement_generate: PluginSet,
    pub placement_score: PluginSet,
}

/// The name that stands for every plugin in a list of disabled ones.
pub const ALL_PLUGINS: &str = "*";

impl PluginEntry {
    /// An entry whose weight is not written.
    pub fn new(name: impl Into<String>) -> Self {
        Self::weighted(name, 0)
    }

    /// An entry with a weight.
    pub fn weighted(name: impl Into<String>, weight: i32) -> Self {
        Self {
            name: name.into(),
            weight,
        }
    }
}

impl PluginSet {
    /// Whether `name` is named among the disabled ones; `*` does not count as naming it.
    pub fn disables(&self, name: &str) -> bool {
        self.disabled.iter().any(|disabled| disabled == name)
    }

    /// Whether everything is disabled at once.
    pub fn disables_all(&self) -> bool {
        self.disables(ALL_PLUGINS)
    }

    /// Whether neither list has an entry.
    pub fn is_empty(&self) -> bool {
        self.enabled.is_empty() && self.disabled.is_empty()
    }

    /// The entry that switches `name` on, if any.
    pub fn entry(&self, name: &str) -> Option<&PluginEntry> {
        self.enabled.iter().find(|entry| entry.name == name)
    }
}

impl Plugins {
    /// The set of one extension point, to change it.
    pub fn point_mut(&mut self, point: ExtensionPoint) -> &mut PluginSet {
        match point {
            ExtensionPoint::PreEnqueue => &mut self.pre_enqueue,
            ExtensionPoint::QueueSort => &mut self.queue_sort,
            ExtensionPoint::PreFilter => &mut self.pre_filter,
            ExtensionPoint::Filter => &mut self.filter,
            ExtensionPoint::PostFilter => &mut self.post_filter,
            ExtensionPoint::PreScore => &mut self.pre_score,
            ExtensionPoint::Score => &mut self.score,
            ExtensionPoint::Reserve => &mut self.reserve,
            ExtensionPoint::Permit => &mut self.permit,
            ExtensionPoint::PreBind => &mut self.pre_bind,
            ExtensionPoint::Bind => &mut self.bind,
            ExtensionPoint::PostBind => &mut self.post_bind,
            ExtensionPoint::PlacementGenerate => &mut self.placement_generate,
            ExtensionPoint::PlacementScore => &mut self.placement_score,
        }
    }

    /// The set of one extension point.
    pub const fn point(&self, point: ExtensionPoint) -> &PluginSet {
        match point {
            ExtensionPoint::PreEnqueue => &self.pre_enqueue,
            ExtensionPoint::QueueSort => &self.queue_sort,
            ExtensionPoint::PreFilter => &self.pre_filter,
            ExtensionPoint::Filter => &self.filter,
            ExtensionPoint::PostFilter => &self.post_filter,
            ExtensionPoint::PreScore => &self.pre_score,
            ExtensionPoint::Score => &self.score,
            ExtensionPoint::Reserve => &self.reserve,
            ExtensionPoint::Permit => &self.permit,
            ExtensionPoint::PreBind => &self.pre_bind,
            ExtensionPoint::Bind => &self.bind,
            ExtensionPoint::PostBind => &self.post_bind,
            ExtensionPoint::PlacementGenerate => &self.placement_generate,
            ExtensionPoint::PlacementScore => &self.placement_score,
        }
    }

    /// Every name enabled anywhere, each once, in the order of its first mention.
    pub fn enabled_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let sets = ExtensionPoint::ALL
            .iter()
            .map(|point| self.point(*point))
            .chain(core::iter::once(&self.multi_point));
        for entry in sets.flat_map(|set| &set.enabled) {
            if !names.contains(&entry.name.as_str()) {
                names.push(&entry.name);
            }
        }
        names
    }

    /// Whether nothing is written at all.
    pub fn is_empty(&self) -> bool {
        self.multi_point.is_empty()
            && ExtensionPoint::ALL
                .iter()
                .all(|point| self.point(*point).is_empty())
    }
}
