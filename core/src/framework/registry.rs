//! Which plugins there are.

use alloc::string::ToString;
use alloc::sync::Arc;

use crate::config::{ConfigError, Gates, PluginArgs};
use crate::order::{self, SortedMap};

use super::extension::Plugin;
use super::status::PluginName;

/// How a plugin is made from its arguments and the feature gates.
pub type PluginFactory = fn(&PluginArgs, &Gates) -> Result<Arc<dyn Plugin>, ConfigError>;

/// Plugins by name: kube-scheduler's `Registry`.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    factories: SortedMap<PluginName, PluginFactory>,
}

impl Registry {
    /// A registry of these plugins.
    #[must_use]
    pub fn of(table: &[(PluginName, PluginFactory)]) -> Self {
        Self {
            factories: order::collect(table.iter().copied()),
        }
    }

    /// Adds a plugin.
    ///
    /// # Errors
    ///
    /// `a plugin named X already exists`.
    pub fn register(
        &mut self,
        name: PluginName,
        factory: PluginFactory,
    ) -> Result<(), ConfigError> {
        if self.factories.contains_key(&name) {
            return Err(ConfigError::PluginAlreadyExists {
                plugin: name.to_string(),
            });
        }
        self.factories.insert(name, factory);
        Ok(())
    }

    /// Adds the plugins of another registry, such as a host's own ones.
    ///
    /// # Errors
    ///
    /// `a plugin named X already exists`; nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), ConfigError> {
        let mut merged = self.clone();
        for (name, factory) in &other.factories {
            merged.register(*name, *factory)?;
        }
        *self = merged;
        Ok(())
    }

    /// The plugin with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(PluginName, PluginFactory)> {
        self.factories
            .iter()
            .find(|(known, _)| known.0 == name)
            .map(|(known, factory)| (*known, *factory))
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = PluginName> + '_ {
        self.factories.keys().copied()
    }
}

#[cfg(test)]
mod tests;
