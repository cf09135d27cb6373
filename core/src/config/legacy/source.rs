//! Which of several old flags decides.

use alloc::string::{String, ToString};

use serde_json::Value;

use crate::api::ConfigMap;
use crate::config::{ConfigError, Configuration, DEFAULT_SCHEDULER_NAME, PluginArgs, PolicyError};

use super::{Policy, Provider};

/// The flags of 1.21 that choose plugins, as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyFlags {
    /// `--algorithm-provider`; empty when absent.
    pub algorithm_provider: String,
    /// `--policy-config-file`; empty when absent.
    pub policy_config_file: String,
    /// `--policy-configmap`; empty when absent.
    pub policy_configmap: String,
    /// `--policy-configmap-namespace`.
    pub policy_configmap_namespace: String,
    /// `--use-legacy-policy-config`.
    pub use_legacy_policy_config: bool,
    /// `--scheduler-name`.
    pub scheduler_name: String,
    /// `--hard-pod-affinity-symmetric-weight`; without a configuration file only.
    pub hard_pod_affinity_symmetric_weight: i32,
}

impl Default for LegacyFlags {
    fn default() -> Self {
        Self {
            algorithm_provider: String::new(),
            policy_config_file: String::new(),
            policy_configmap: String::new(),
            policy_configmap_namespace: "kube-system".to_string(),
            use_legacy_policy_config: false,
            scheduler_name: DEFAULT_SCHEDULER_NAME.to_string(),
            hard_pod_affinity_symmetric_weight: 1,
        }
    }
}

/// Where plugins come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlgorithmSource {
    /// A named list.
    Provider(Provider),
    /// A Policy that must be fetched.
    Policy(PolicySource),
}

/// Where a Policy is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySource {
    /// In a file.
    File {
        /// The file.
        path: String,
    },
    /// In a ConfigMap, read once.
    ConfigMap {
        /// The namespace.
        namespace: String,
        /// The name.
        name: String,
    },
}

impl LegacyFlags {
    /// Whether any flag chooses plugins at all.
    pub fn choose_plugins(&self) -> bool {
        self.use_legacy_policy_config
            || !self.algorithm_provider.is_empty()
            || !self.policy_config_file.is_empty()
            || !self.policy_configmap.is_empty()
    }

    /// Names the only profile and sets its affinity weight, as the flags do when there is no configuration file.
    pub fn apply_to_profile(&self, configuration: &mut Configuration) {
        for profile in &mut configuration.profiles {
            profile.scheduler_name.clone_from(&self.scheduler_name);
            let config = &mut profile.plugin_config;
            for entry in config {
                if let PluginArgs::InterPodAffinity(args) = &mut entry.args {
                    args.hard_pod_affinity_weight = self.hard_pod_affinity_symmetric_weight;
                }
            }
        }
    }

    /// The source that decides: file, ConfigMap, provider, `DefaultProvider`.
    ///
    /// Errors: the file is compulsory and missing; there is no such provider.
    pub fn source(&self) -> Result<AlgorithmSource, ConfigError> {
        let has_file = !self.policy_config_file.is_empty();
        let has_map = !self.policy_configmap.is_empty();
        if self.use_legacy_policy_config && !has_file {
            return Err(ConfigError::required(
                "policyConfigFile",
                "required when --use-legacy-policy-config is true",
            ));
        }
        if self.use_legacy_policy_config || (has_file && !has_map) {
            let path = self.policy_config_file.clone();
            return Ok(AlgorithmSource::Policy(PolicySource::File { path }));
        }
        if has_map {
            return Ok(AlgorithmSource::Policy(PolicySource::ConfigMap {
                namespace: self.policy_configmap_namespace.clone(),
                name: self.policy_configmap.clone(),
            }));
        }
        let provider = match self.algorithm_provider.as_str() {
            "" => Some(Provider::Default),
            name => Provider::by_name(name),
        };
        provider.map(AlgorithmSource::Provider).ok_or_else(|| {
            ConfigError::Policy(PolicyError::ProviderNotRegistered {
                provider: self.algorithm_provider.clone(),
            })
        })
    }
}

/// The text of the Policy that a ConfigMap holds.
pub fn policy_text(map: &ConfigMap) -> Result<&str, ConfigError> {
    let text = map.data.get("policy.cfg").map(|text| &**text);
    text.ok_or(ConfigError::Policy(PolicyError::MissingConfigMapKey))
}

/// The Policy that a ConfigMap holds, from the map as it was written.
pub(in crate::config) fn policy_in(map: &Value) -> Result<Policy, ConfigError> {
    let text = map.get("data").and_then(|data| data.get("policy.cfg"));
    let text = text.and_then(Value::as_str);
    let text = text.ok_or(ConfigError::Policy(PolicyError::MissingConfigMapKey))?;
    Policy::read_text("policy.cfg", text.as_bytes())
}
