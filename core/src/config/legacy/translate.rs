//! Turns a provider or a Policy into profiles.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::config::defaults::{complete_plugin_config, merge_plugins};
use crate::config::{
    ConfigError, Configuration, LegacyArgs, Note, PluginArgs, PluginConfig, Plugins, PolicyError,
    Profile, ReadConfiguration, default_resources,
};

use super::check::validate_policy;
use super::gather::Translation;
use super::modernise;
use super::policy::Policy;
use super::provider::{LegacyGates, Provider};

impl ReadConfiguration {
    /// Puts a provider under what each profile wrote.
    pub fn apply_provider(&mut self, provider: Provider, gates: LegacyGates) {
        let written = &self.written_plugins;
        apply_provider(&mut self.configuration, provider, gates, written);
    }

    /// Applies a Policy to a configuration that leaves plugins to it; the notes join the others.
    ///
    /// Errors: a profile chooses plugins or arguments itself, or as of [`apply_policy`]. Nothing is changed then.
    pub fn apply_policy(&mut self, policy: &Policy, gates: LegacyGates) -> Result<(), ConfigError> {
        if self.chooses_plugins {
            return Err(ConfigError::Policy(PolicyError::PluginConfigAndPolicy));
        }
        let notes = apply_policy(&mut self.configuration, policy, gates)?;
        self.notes.extend(notes);
        Ok(())
    }
}

/// Gives every profile the plugins of a provider, under what the profile says itself.
///
/// `written` are the plugins as each profile wrote them, in the profiles' order; missing ones wrote nothing.
pub fn apply_provider(
    configuration: &mut Configuration,
    provider: Provider,
    gates: LegacyGates,
    written: &[Plugins],
) {
    let base = provider.plugins(gates);
    let nothing = Plugins::default();
    let written = written.iter().chain(core::iter::repeat(&nothing));
    for (profile, written) in configuration.profiles.iter_mut().zip(written) {
        profile.plugins = merge_plugins(&base, written);
        modernise(&mut profile.plugins, &mut profile.plugin_config);
        add_legacy_args(profile);
        let config = &mut profile.plugin_config;
        complete_plugin_config(&profile.plugins, config, configuration.gates);
    }
}

/// Gives every profile the plugins of a Policy, and the configuration its extenders.
///
/// Errors: all mistakes of the Policy at once. Nothing is changed then.
/// Source: spec, B.6 and B.7.
pub fn apply_policy(
    configuration: &mut Configuration,
    policy: &Policy,
    gates: LegacyGates,
) -> Result<Vec<Note>, ConfigError> {
    try_policy(configuration, policy, gates).map_err(|mistakes| {
        // Upstream says where only in its words.
        let words = mistakes.into_iter().map(|mistake| match mistake {
            ConfigError::At { error, .. } => *error,
            other => other,
        });
        let error = Box::new(ConfigError::many(words.collect()));
        ConfigError::Policy(PolicyError::FromPolicy { error })
    })
}

/// Does what [`apply_policy`] does.
///
/// Errors: all mistakes of the Policy at once, each where it is. Nothing is changed then.
pub(in crate::config) fn try_policy(
    configuration: &mut Configuration,
    policy: &Policy,
    gates: LegacyGates,
) -> Result<Vec<Note>, Vec<ConfigError>> {
    let mut translation = Translation::new(gates);
    validate_policy(policy, &mut translation.errors);
    translation.predicates(policy.predicates.as_deref());
    translation.priorities(policy.priorities.as_deref());
    translation.check_labels();
    if !translation.errors.is_empty() {
        return Err(translation.errors);
    }
    let (plugins, plugin_config, notes) = translation.finish(policy);
    for profile in &mut configuration.profiles {
        profile.plugins = plugins.clone();
        profile.plugin_config.clone_from(&plugin_config);
        let config = &mut profile.plugin_config;
        complete_plugin_config(&profile.plugins, config, configuration.gates);
        profile.always_check_all_predicates = policy.always_check_all_predicates;
    }
    if !policy.extenders.is_empty() {
        configuration.extenders.clone_from(&policy.extenders);
    }
    Ok(notes)
}

/// Adds arguments for the legacy plugins that cannot do without.
fn add_legacy_args(profile: &mut Profile) {
    for (name, args) in [
        (
            "NodeResourcesLeastAllocated",
            LegacyArgs::NodeResourcesLeastAllocated(default_resources()),
        ),
        (
            "NodeResourcesMostAllocated",
            LegacyArgs::NodeResourcesMostAllocated(default_resources()),
        ),
    ] {
        let is_enabled = profile.plugins.enabled_names().contains(&name);
        if is_enabled && profile.args(name).is_none() {
            profile.plugin_config.push(PluginConfig {
                name: name.to_string(),
                args: PluginArgs::Legacy(args),
            });
        }
    }
}
