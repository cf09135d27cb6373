//! How the scheduler is told to behave.
//!
//! A [`Configuration`] is complete: every field has its value, every profile has its plugins and their arguments. It is
//! made from nothing (`Default`), from a KubeSchedulerConfiguration, or from what came before it: an algorithm provider
//! or a Policy. What is wrong with the source is a [`ConfigError`] in the words of the real scheduler, with the place.
//!
//! This module knows names. What a plugin does, and which extension points it implements, is the framework's to say.
//!
//! | File | Answers |
//! |---|---|
//! | `extension_point`, `plugins` | where a plugin can run, and which are switched on and off there |
//! | `plugin_args`, `extender` | what a plugin or an extender is told |
//! | `gates` | which optional behaviours are on |
//! | `defaults` | what a profile has when it says nothing, and how what it says is laid over that |
//! | `expand` | which plugins run at each extension point, in which order and with which weight |
//! | `text`, `decode`, `reader`, `version` | how a document of any version becomes a configuration |
//! | `validate` | which rules it breaks |
//! | `legacy` | what a Policy or an algorithm provider means |
//! | `convert`, `write` | how a configuration becomes a document again |
//! | `error`, `note` | what is said about all this |

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::time::Span;

pub mod defaults;
pub mod expand;
pub mod legacy;

mod any;
mod convert;
mod decode;
mod error;
mod extender;
mod extension_point;
mod faults;
mod gates;
mod note;
mod plugin_args;
mod plugins;
mod reader;
mod text;
mod validate;
mod version;
mod write;

pub use any::{FindPolicy, read_any};
pub use convert::to_v1;
pub use decode::{Header, OlderVersions, ReadConfiguration, ReadOptions, read_value};
pub use error::{ConfigError, DecodeProblem, FieldError, FieldErrorKind, Place, PolicyError};
pub use expand::{ExpandedPlugins, expand};
pub use extender::{Extender, ExtenderManagedResource, ExtenderTlsConfig};
pub use extension_point::ExtensionPoint;
pub use faults::Implements;
pub use gates::{Gate, Gates, Stage};
pub use note::Note;
pub use plugin_args::{
    DefaultPreemptionArgs, DefaultingType, DynamicResourcesArgs, InterPodAffinityArgs, LegacyArgs,
    NodeAffinityArgs, NodeLabelArgs, NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs,
    PLUGINS_WITH_ARGS, PluginArgs, PodTopologySpreadArgs, RequestedToCapacityRatioArgs,
    ResourceSpec, ScoringStrategy, ScoringStrategyType, ServiceAffinityArgs, UtilizationShapePoint,
    VolumeBindingArgs, default_resources,
};
pub use plugins::{ALL_PLUGINS, PluginEntry, PluginSet, Plugins};
pub use text::{check_text, read_document, read_text};
pub use version::{ApiVersion, GROUP, KIND};

/// Everything a scheduler is told before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// How many nodes the real scheduler looks at side by side. It shapes no decision here; dumps carry it.
    pub parallelism: i32,
    /// How much of a large cluster is searched, in percent; 0 lets the size decide.
    pub percentage_of_nodes_to_score: i32,
    /// The wait after a pod's first failed attempt.
    pub pod_initial_backoff_seconds: i64,
    /// The longest wait between attempts.
    pub pod_max_backoff_seconds: i64,
    /// How long a pod may be unschedulable before it is tried again without a reason.
    pub pod_max_in_unschedulable_pods_duration: Span,
    /// At least one; the first one's queue order counts for all.
    pub profiles: Vec<Profile>,
    /// In the order they were written.
    pub extenders: Vec<Extender>,
    /// Which of several schedulers acts.
    pub leader_election: LeaderElection,
    /// How the API server is spoken to.
    pub client_connection: ClientConnection,
    /// Whether `/debug/pprof` is served.
    pub enable_profiling: bool,
    /// Whether lock contention is profiled.
    pub enable_contention_profiling: bool,
    /// Whether watching the cluster starts only with leadership.
    pub delay_cache_until_active: bool,
    /// Which optional behaviours are on.
    pub gates: Gates,
    /// After how long a bound pod that nobody reports is forgotten: 30 s in 1.21, never since.
    pub assumed_pod_ttl: Option<Span>,
}

/// One way to schedule, chosen by a pod's `spec.schedulerName`.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The name pods choose it by.
    pub scheduler_name: String,
    /// Goes before the configuration's own value, also when it is 0.
    pub percentage_of_nodes_to_score: Option<i32>,
    /// The defaults with what was written laid over them.
    pub plugins: Plugins,
    /// The arguments of plugins, each name once.
    pub plugin_config: Vec<PluginConfig>,
    /// Whether every Filter plugin runs on a node that one has refused already, as a Policy could ask for.
    pub always_check_all_predicates: bool,
}

/// The arguments of one plugin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginConfig {
    /// The plugin.
    pub name: String,
    /// What it is told.
    pub args: PluginArgs,
}

/// Which of several schedulers acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderElection {
    /// Whether there is an election at all.
    pub leader_elect: bool,
    /// How long a leader that is silent stays leader.
    pub lease_duration: Span,
    /// How long a leader tries to renew before it gives up.
    pub renew_deadline: Span,
    /// The wait between tries.
    pub retry_period: Span,
    /// The kind of lock: `leases`.
    pub resource_lock: String,
    /// The lock's name.
    pub resource_name: String,
    /// The lock's namespace.
    pub resource_namespace: String,
}

/// How the API server is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientConnection {
    /// A kubeconfig file; empty inside a cluster.
    pub kubeconfig: String,
    /// Media types taken as answers; empty lets `content_type` decide.
    pub accept_content_types: String,
    /// The media type of requests. A value, not a promise: Berth speaks JSON.
    pub content_type: String,
    /// Requests a second, in thousandths; negative is unlimited.
    pub qps_milli: i64,
    /// How many requests may come at once.
    pub burst: i32,
}

impl Configuration {
    /// The configuration of Kubernetes 1.36 when nothing is written, with these gates.
    pub fn for_gates(gates: Gates) -> Self {
        Self {
            parallelism: 16,
            percentage_of_nodes_to_score: 0,
            pod_initial_backoff_seconds: 1,
            pod_max_backoff_seconds: 10,
            pod_max_in_unschedulable_pods_duration: Span::from_secs(5 * 60),
            profiles: vec![Profile::for_gates(DEFAULT_SCHEDULER_NAME, gates)],
            extenders: Vec::new(),
            leader_election: LeaderElection::default(),
            client_connection: ClientConnection::default(),
            enable_profiling: true,
            enable_contention_profiling: true,
            delay_cache_until_active: false,
            gates,
            assumed_pod_ttl: None,
        }
    }

    /// Hands the resources that extenders take off the scheduler to NodeResourcesFit, in every profile.
    ///
    /// They replace what the plugin ignores. Without such resources nothing changes.
    ///
    /// Errors: a profile has no arguments for NodeResourcesFit; nothing is changed then.
    pub fn apply_managed_resources(&mut self) -> Result<(), ConfigError> {
        let managed = self.extenders.iter().flat_map(|e| &e.managed_resources);
        let ignored = managed.filter(|resource| resource.ignored_by_scheduler);
        let names: Vec<String> = ignored.map(|resource| resource.name.clone()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let mut fits = Vec::new();
        for profile in &mut self.profiles {
            let config = &mut profile.plugin_config;
            let entry = config.iter_mut().find(|c| c.name == "NodeResourcesFit");
            match entry.map(|entry| &mut entry.args) {
                Some(PluginArgs::NodeResourcesFit(args)) => fits.push(args),
                Some(other) => {
                    let kind = other.kind().unwrap_or("<nil>").to_string();
                    return Err(ConfigError::WrongNodeResourcesFitArgs { kind });
                }
                None => return Err(ConfigError::NoNodeResourcesFitArgs),
            }
        }
        for args in fits {
            args.ignored_resources.clone_from(&names);
        }
        Ok(())
    }

    /// The profile that pods of `scheduler_name` are scheduled by.
    pub fn profile(&self, scheduler_name: &str) -> Option<&Profile> {
        let mut profiles = self.profiles.iter();
        profiles.find(|profile| profile.scheduler_name == scheduler_name)
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Self::for_gates(Gates::default())
    }
}

impl Profile {
    /// The default profile under a name, with these gates.
    pub fn for_gates(scheduler_name: &str, gates: Gates) -> Self {
        let plugins = defaults::default_plugins(gates);
        let mut plugin_config = Vec::new();
        defaults::complete_plugin_config(&plugins, &mut plugin_config, gates);
        Self {
            scheduler_name: scheduler_name.to_string(),
            percentage_of_nodes_to_score: None,
            plugins,
            plugin_config,
            always_check_all_predicates: false,
        }
    }

    /// The arguments of `plugin`, if it has an entry.
    pub fn args(&self, plugin: &str) -> Option<&PluginArgs> {
        let entry = self.plugin_config.iter().find(|entry| entry.name == plugin);
        entry.map(|entry| &entry.args)
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::for_gates(DEFAULT_SCHEDULER_NAME, Gates::default())
    }
}

impl Default for LeaderElection {
    fn default() -> Self {
        Self {
            leader_elect: true,
            lease_duration: Span::from_secs(15),
            renew_deadline: Span::from_secs(10),
            retry_period: Span::from_secs(2),
            resource_lock: "leases".to_string(),
            resource_name: "kube-scheduler".to_string(),
            resource_namespace: "kube-system".to_string(),
        }
    }
}

impl Default for ClientConnection {
    fn default() -> Self {
        Self {
            kubeconfig: String::new(),
            accept_content_types: String::new(),
            content_type: "application/vnd.kubernetes.protobuf".to_string(),
            qps_milli: 50_000,
            burst: 100,
        }
    }
}

/// The profile that pods ask for when they ask for none.
pub const DEFAULT_SCHEDULER_NAME: &str = "default-scheduler";
