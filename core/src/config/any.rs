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
use super::legacy::{LegacyGates, Policy, PolicySource, policy_in, try_policy};
use super::reader::entry;
use super::{
    ConfigError, Configuration, Gates, InterPodAffinityArgs, PluginArgs, Profile,
    ReadConfiguration, ReadOptions,
};

#[cfg(test)]
mod tests;

/// Finds a Policy that a configuration points at.
pub type FindPolicy<'a> = &'a dyn Fn(&PolicySource) -> Result<Policy, ConfigError>;

/// Reads a configuration, or a Policy as one, from a value.
///
/// Errors: everything wrong with it, with paths from the document's own root; a Policy that is not found.
pub fn read_any(
    document: &Value,
    options: ReadOptions,
    find: FindPolicy<'_>,
) -> Result<ReadConfiguration, ConfigError> {
    let (read, errors) = any_as_far_as_possible(document, options, find);
    ConfigError::check(errors)?;
    Ok(read.expect("a document that cannot be read is a problem"))
}

/// Reads as [`read_any`] does, and everything that is wrong.
pub(super) fn any_as_far_as_possible(
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
                let applied = policy.and_then(|policy| apply_found(read, &policy));
                let path = "algorithmSource.policy";
                errors.extend(applied.err().map(|error| ConfigError::at(path, error)));
            }
            (read, errors)
        }
    }
}

/// Applies the Policy that a configuration points at. The weight at the top of the configuration holds where the Policy has
/// none of its own.
fn apply_found(read: &mut ReadConfiguration, policy: &Policy) -> Result<(), ConfigError> {
    let weights: Vec<Option<i32>> = read
        .configuration
        .profiles
        .iter_mut()
        .map(|profile| affinity(profile).map(|args| args.hard_pod_affinity_weight))
        .collect();
    read.apply_policy(policy, LegacyGates::default())?;
    if policy.hard_pod_affinity_symmetric_weight == 0 {
        for (profile, weight) in read.configuration.profiles.iter_mut().zip(weights) {
            if let (Some(args), Some(weight)) = (affinity(profile), weight) {
                args.hard_pod_affinity_weight = weight;
            }
        }
    }
    Ok(())
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
