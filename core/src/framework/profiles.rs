//! The profiles of a scheduler, and what they must agree on.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::{ConfigError, Gates, Profile};

use super::registry::Registry;
use super::runtime::Framework;

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
