//! The flags of kube-scheduler 1.21 that choose plugins: providers and Policies.
//!
//! Source: spec, B.1.

use berth_core::config::legacy::{AlgorithmSource, LegacyFlags, LegacyGates, Policy, PolicySource};
use berth_core::config::{ConfigError, PolicyError, ReadConfiguration};

use crate::cli::input::File;
use crate::cluster;
use crate::error::Error;

/// Where plugins come from in the manner of 1.21.
#[derive(clap::Args)]
#[command(next_help_heading = "Plugins as kube-scheduler 1.21 chose them")]
pub(super) struct LegacyArguments {
    /// DefaultProvider or ClusterAutoscalerProvider
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    algorithm_provider: String,
    /// A Policy in a file
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    policy_config_file: String,
    /// A Policy in a ConfigMap, under the key policy.cfg; read once, goes before a file
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    policy_configmap: String,
    /// The namespace of the ConfigMap
    #[arg(long, value_name = "NAME", default_value = "kube-system")]
    policy_configmap_namespace: String,
    /// Have the file go before the ConfigMap
    #[arg(long, num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    use_legacy_policy_config: bool,
    /// The name that pods choose this scheduler by; with --config, the file names it
    #[arg(long, value_name = "NAME", default_value = "default-scheduler")]
    scheduler_name: String,
    /// How much pods' required affinity counts in scores, 0 to 100; ignored with --config
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(0..=100))]
    hard_pod_affinity_symmetric_weight: i32,
}

impl LegacyArguments {
    /// The flags as the core knows them.
    pub(super) fn flags(&self) -> LegacyFlags {
        LegacyFlags {
            algorithm_provider: self.algorithm_provider.clone(),
            policy_config_file: self.policy_config_file.clone(),
            policy_configmap: self.policy_configmap.clone(),
            policy_configmap_namespace: self.policy_configmap_namespace.clone(),
            use_legacy_policy_config: self.use_legacy_policy_config,
            scheduler_name: self.scheduler_name.clone(),
            hard_pod_affinity_symmetric_weight: self.hard_pod_affinity_symmetric_weight,
        }
    }
}

/// Puts what the flags choose, or else the Policy that the file itself names, into what was read.
///
/// # Errors
///
/// There is no such provider, the Policy cannot be had or is wrong, or plugins are chosen in both ways.
pub(super) fn apply(
    flags: &LegacyFlags,
    read: &mut ReadConfiguration,
    server: &cluster::ServerOptions<'_>,
) -> Result<(), Error> {
    let own = read.policy.take();
    if flags.choose_plugins() {
        match flags.source()? {
            AlgorithmSource::Policy(source) => {
                read.apply_policy(&find(source, server)?, LegacyGates::default())?;
            }
            AlgorithmSource::Provider(provider) => {
                read.apply_provider(provider, LegacyGates::default());
            }
        }
    } else if let Some(source) = own {
        read.apply_own_policy(&find(source, server)?)?;
    }
    Ok(())
}

fn find(source: PolicySource, server: &cluster::ServerOptions<'_>) -> Result<Policy, Error> {
    Ok(match source {
        PolicySource::File { path } => {
            let file = File::read(&path).map_err(|error| missing(path, error))?;
            let source = file.source();
            Policy::read_text(source.name, source.bytes)?
        }
        PolicySource::ConfigMap { namespace, name } => {
            let text = cluster::config_map_value(server, &namespace, &name, "policy.cfg")?;
            let text = text.ok_or(ConfigError::Policy(PolicyError::MissingConfigMapKey))?;
            Policy::read_text(&format!("{namespace}/{name}"), text.as_bytes())?
        }
    })
}

/// A Policy file that is not there, in kube-scheduler's words.
fn missing(path: String, error: Error) -> Error {
    match error {
        Error::File { error, .. } if error.kind() == std::io::ErrorKind::NotFound => {
            ConfigError::Policy(PolicyError::MissingFile { path }).into()
        }
        Error::File { error, .. } => {
            let what = error.to_string();
            ConfigError::Policy(PolicyError::CouldNotRead { what }).into()
        }
        other => other,
    }
}
