//! What came before profiles: algorithm providers and Policies, until Kubernetes 1.22.
//!
//! Both become a [`Profile`](super::Profile) that does what they did. Where a plugin of that time has gone, an internal
//! one of the same name is enabled, which nothing else can name. Where a plugin has gained an extension point since,
//! the profile has it, because the plugin would not do its old work without it.
//!
//! Source: spec, B.1 to B.8.

mod build;
mod check;
mod gather;
mod modernise;
mod policy;
mod predicates;
mod priorities;
mod provider;
mod source;
mod translate;

pub use policy::{
    LabelPreference, LabelsPresence, Policy, PredicateArgument, PredicatePolicy, PriorityArgument,
    PriorityPolicy,
};
pub use provider::{LegacyGates, Provider};
pub use source::{AlgorithmSource, LegacyFlags, PolicySource, policy_text};
pub use translate::{apply_policy, apply_provider};

pub(super) use modernise::modernise;
pub(super) use provider::plugins_of_1_22;
pub(super) use source::policy_in;
pub(super) use translate::try_policy;

#[cfg(test)]
mod tests;

/// The plugins that only older versions, providers and Policies can enable.
pub const LEGACY_PLUGINS: [&str; 7] = [
    "NodeLabel",
    "NodePreferAvoidPods",
    "NodeResourcesLeastAllocated",
    "NodeResourcesMostAllocated",
    "RequestedToCapacityRatio",
    "SelectorSpread",
    "ServiceAffinity",
];

/// Whether `name` is one of [`LEGACY_PLUGINS`].
pub fn is_legacy_plugin(name: &str) -> bool {
    LEGACY_PLUGINS.contains(&name)
}
