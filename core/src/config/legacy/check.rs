//! The rules of a Policy that do not depend on what names mean.

use alloc::vec::Vec;

use crate::config::reader::{child, index};
use crate::config::validate;
use crate::config::{ConfigError, PolicyError};
use crate::order::SortedMap;

use super::policy::{Policy, PriorityPolicy};
use super::priorities;

/// Adds the broken rules.
pub(super) fn validate_policy(policy: &Policy, errors: &mut Vec<ConfigError>) {
    let mut kinds: SortedMap<&str, &PriorityPolicy> = SortedMap::new();
    for (i, priority) in policy.priorities.iter().flatten().enumerate() {
        let path = index("priorities", i);
        if priority.weight <= 0 || priority.weight >= i64::MAX / 10 {
            let priority = priority.name.clone();
            let error = ConfigError::Policy(PolicyError::Weight { priority });
            errors.push(ConfigError::at(child(&path, "weight"), error));
        }
        let clash = validate_custom(priority, &mut kinds).map(ConfigError::Policy);
        errors.extend(clash.map(|error| ConfigError::at(path, error)));
    }
    validate::extenders("extenders", &policy.extenders, errors);
    let weight = policy.hard_pod_affinity_symmetric_weight;
    if !(0..=100).contains(&weight) {
        errors.push(ConfigError::invalid(
            "hardPodAffinitySymmetricWeight",
            weight,
            "not in valid range [0-100]",
        ));
    }
}

/// Whether a custom priority clashes with an earlier one of its kind.
fn validate_custom<'p>(
    priority: &'p PriorityPolicy,
    kinds: &mut SortedMap<&'static str, &'p PriorityPolicy>,
) -> Option<PolicyError> {
    let argument = priority.argument.as_ref()?;
    let name = || priority.name.clone();
    let kind = if argument.label_preference.is_some() {
        "LabelPreference"
    } else if argument.service_anti_affinity.is_some() {
        "ServiceAntiAffinity"
    } else if argument.requested_to_capacity_ratio.is_some() {
        priorities::RATIO
    } else {
        return Some(PolicyError::NoPriorityArguments { priority: name() });
    };
    let earlier = kinds.get(kind).copied();
    if kind == priorities::RATIO {
        if let Some(earlier) = earlier {
            return Some(PolicyError::Redeclared {
                priority: name(),
                kind,
                from: earlier.name.clone(),
            });
        }
    } else if let Some(earlier) = earlier.filter(|earlier| earlier.weight != priority.weight) {
        return Some(PolicyError::DifferentWeight {
            kind,
            priority: name(),
            with: earlier.name.clone(),
        });
    }
    kinds.insert(kind, priority);
    None
}
