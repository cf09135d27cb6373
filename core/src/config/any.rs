//! Whatever people call the scheduler's configuration: a KubeSchedulerConfiguration of any version, an old Policy, or a
//! ConfigMap that holds a Policy.
//!
//! The oldest version can point at a Policy instead of choosing plugins. Whoever reads files or objects finds it; a Policy
//! that is not found is an error, because what is scheduled without it would be something else.
//!
//! Source: spec, A.1 and B.1.

use alloc::vec::Vec;

use serde_json::Value;

use super::decode::read_as_far_as_possible;
use super::faults::{Implements, plugin_faults};
use super::legacy::{LegacyGates, Policy, PolicySource, policy_in, try_policy};
use super::reader::{entry, parent};
use super::{
    ConfigError, Configuration, Gates, InterPodAffinityArgs, PluginArgs, Profile,
    ReadConfiguration, ReadOptions,
};

#[cfg(test)]
mod tests;

/// Finds a Policy that a configuration points at.
pub type FindPolicy<'a> = &'a dyn Fn(&PolicySource) -> Result<Policy, ConfigError>;

/// Reads a configuration, or a Policy as one, from a value. With `implements` it looks for mistakes in its plugins, too: it
/// says whether a plugin takes part in an extension point, and `None` when there is no such plugin.
///
/// Errors: everything wrong with it, with paths from the document's own root; a Policy that is not found; what building the
/// plugins would find.
#[inline(never)]
pub fn read_any(
    document: &Value,
    options: ReadOptions,
    find: FindPolicy<'_>,
    implements: Option<Implements<'_>>,
) -> Result<ReadConfiguration, ConfigError> {
    let (read, mut errors) = without_plugins(document, options, find);
    if let (Some(read), Some(implements)) = (&read, implements) {
        let mut faults = plugin_faults(read, implements);
        faults.retain(|fault| !is_beside_a_problem(fault, &errors));
        errors.extend(faults);
    }
    ConfigError::check(errors)?;
    Ok(read.expect("a document that cannot be read is a problem"))
}

/// Whether a mistake stands in an entry that was not understood as a whole.
fn is_beside_a_problem(fault: &ConfigError, errors: &[ConfigError]) -> bool {
    let ConfigError::At { path, .. } = fault else {
        return false;
    };
    errors.iter().any(|error| match error {
        ConfigError::Decode(problem) => parent(&problem.path) == parent(path),
        _ => false,
    })
}

/// Reads without a look at what the plugins are.
fn without_plugins(
    document: &Value,
    options: ReadOptions,
    find: FindPolicy<'_>,
) -> (Option<ReadConfiguration>, Vec<ConfigError>) {
    match document.get("kind").and_then(Value::as_str) {
        Some("Policy") => {
            let (policy, problems) = Policy::read_as_far_as_possible(document);
            policy_alone(&policy, problems, options.gates)
        }
        Some("ConfigMap") => match policy_in(document) {
            Ok(policy) => policy_alone(&policy, Vec::new(), options.gates),
            Err(error) => (None, [ConfigError::at("data", error)].into()),
        },
        _ => {
            let (mut read, mut errors) = read_as_far_as_possible(document, options);
            if let Some(read) = &mut read
                && let Some(source) = read.policy.take()
            {
                let policy = find(&source);
                let applied = policy.and_then(|policy| read.apply_own_policy(&policy));
                let path = "algorithmSource.policy";
                errors.extend(applied.err().map(|error| ConfigError::at(path, error)));
            }
            (read, errors)
        }
    }
}

impl ReadConfiguration {
    /// Applies the Policy that the configuration itself points at. The weight at the top of the configuration holds where
    /// the Policy has none of its own.
    ///
    /// Errors: as of [`ReadConfiguration::apply_policy`].
    pub fn apply_own_policy(&mut self, policy: &Policy) -> Result<(), ConfigError> {
        let profiles = self.configuration.profiles.iter_mut();
        let weights: Vec<Option<i32>> = profiles
            .map(|profile| affinity(profile).map(|args| args.hard_pod_affinity_weight))
            .collect();
        self.apply_policy(policy, LegacyGates::default())?;
        if policy.hard_pod_affinity_symmetric_weight == 0 {
            for (profile, weight) in self.configuration.profiles.iter_mut().zip(weights) {
                if let (Some(args), Some(weight)) = (affinity(profile), weight) {
                    args.hard_pod_affinity_weight = weight;
                }
            }
        }
        Ok(())
    }
}

fn affinity(profile: &mut Profile) -> Option<&mut InterPodAffinityArgs> {
    let mut config = profile.plugin_config.iter_mut();
    config.find_map(|entry| match &mut entry.args {
        PluginArgs::InterPodAffinity(args) => Some(args),
        _ => None,
    })
}

/// A Policy that stands for a whole configuration. Of its mistakes those are left out that stand in an entry which was not
/// understood.
fn policy_alone(
    policy: &Policy,
    problems: Vec<ConfigError>,
    gates: Gates,
) -> (Option<ReadConfiguration>, Vec<ConfigError>) {
    let mut read = ReadConfiguration::of(Configuration::for_gates(gates));
    let mut errors = problems;
    match try_policy(&mut read.configuration, policy, LegacyGates::default()) {
        Ok(notes) => read.notes.extend(notes),
        Err(mistakes) => {
            let spoiled: Vec<_> = errors.iter().filter_map(path_of).map(entry).collect();
            let mistakes = mistakes.into_iter().filter(|mistake| {
                let path = path_of(mistake).map(entry);
                path.is_none_or(|path| path.is_empty() || !spoiled.contains(&path))
            });
            let mistakes: Vec<ConfigError> = mistakes.collect();
            errors.extend(mistakes);
        }
    }
    (Some(read), errors)
}

fn path_of(error: &ConfigError) -> Option<&str> {
    match error {
        ConfigError::Decode(problem) => Some(&problem.path),
        ConfigError::Field(field) => Some(&field.path),
        ConfigError::At { path, .. } => Some(path),
        _ => None,
    }
}
