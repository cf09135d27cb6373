//! Which rules a configuration breaks.
//!
//! Everything is checked at once and in upstream's order; the texts are upstream's. QUIRK: upstream never reaches the
//! rules of NodeResourcesFit here and finds the same mistakes when it builds the plugin. Berth says it here, with a
//! path.
//!
//! Source: spec, A.2 to A.9.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::api::names::qualified_name_faults;
use crate::time::Span;

use super::reader::{child, index};
use super::version::ApiVersion;
use super::{
    ClientConnection, ConfigError, Configuration, Extender, ExtensionPoint, LeaderElection,
    PluginArgs, PluginSet, Profile,
};

mod args;
mod selector;

pub(super) use args::shape;

#[cfg(test)]
mod tests;

impl Configuration {
    /// Whether every rule is kept.
    ///
    /// Errors: all broken rules at once.
    pub fn validate(&self) -> Result<(), ConfigError> {
        ConfigError::check(validate(self))
    }
}

/// The broken rules, in upstream's order.
pub(super) fn validate(configuration: &Configuration) -> Vec<ConfigError> {
    let c = configuration;
    let mut errors = Vec::new();
    client_connection(&c.client_connection, &mut errors);
    leader_election(&c.leader_election, &mut errors);
    if c.parallelism <= 0 {
        errors.push(ConfigError::invalid(
            "parallelism",
            c.parallelism,
            "should be an integer value greater than zero",
        ));
    }
    profiles(c, &mut errors);
    percentage(
        "percentageOfNodesToScore",
        c.percentage_of_nodes_to_score,
        &mut errors,
    );
    if c.pod_initial_backoff_seconds <= 0 {
        errors.push(ConfigError::invalid(
            "podInitialBackoffSeconds",
            c.pod_initial_backoff_seconds,
            "must be greater than 0",
        ));
    }
    if c.pod_max_backoff_seconds < c.pod_initial_backoff_seconds {
        errors.push(ConfigError::invalid(
            "podMaxBackoffSeconds",
            c.pod_max_backoff_seconds,
            "must be greater than or equal to PodInitialBackoffSeconds",
        ));
    }
    extenders("extenders", &c.extenders, &mut errors);
    errors
}

fn client_connection(connection: &ClientConnection, errors: &mut Vec<ConfigError>) {
    if connection.burst < 0 {
        errors.push(ConfigError::invalid(
            "clientConnection.burst",
            connection.burst,
            "must be non-negative",
        ));
    }
}

fn leader_election(election: &LeaderElection, errors: &mut Vec<ConfigError>) {
    if !election.leader_elect {
        return;
    }
    let path = |name| child("leaderElection", name);
    let invalid =
        |name, span: Span, detail| ConfigError::invalid(path(name), format!("\"{span}\""), detail);
    for (name, span) in [
        ("leaseDuration", election.lease_duration),
        ("renewDeadline", election.renew_deadline),
        ("retryPeriod", election.retry_period),
    ] {
        if span <= Span::ZERO {
            errors.push(invalid(name, span, "must be greater than zero"));
        }
    }
    if election.lease_duration <= election.renew_deadline {
        errors.push(invalid(
            "leaseDuration",
            election.lease_duration,
            "LeaseDuration must be greater than RenewDeadline",
        ));
    }
    // The jitter is 1.2; in fifths there is no fraction to lose.
    let jittered = election.retry_period.saturating_mul(6);
    if election.renew_deadline.saturating_mul(5) <= jittered {
        errors.push(invalid(
            "renewDeadline",
            election.renew_deadline,
            "renewDeadline must be greater than retryPeriod*JitterFactor",
        ));
    }
    for (name, text) in [
        ("resourceLock", &election.resource_lock),
        ("resourceNamespace", &election.resource_namespace),
        ("resourceName", &election.resource_name),
    ] {
        if text.is_empty() {
            errors.push(ConfigError::required(
                path(name),
                format!("{name} is required"),
            ));
        }
    }
    if election.resource_lock != "leases" {
        errors.push(ConfigError::invalid(
            path("resourceLock"),
            format!("\"{}\"", election.resource_lock),
            "resourceLock value must be \"leases\"",
        ));
    }
}

fn profiles(configuration: &Configuration, errors: &mut Vec<ConfigError>) {
    let profiles = &configuration.profiles;
    if profiles.is_empty() {
        errors.push(ConfigError::required("profiles", ""));
    }
    for (i, profile) in profiles.iter().enumerate() {
        let path = index("profiles", i);
        one_profile(configuration, profile, &path, errors);
        let mut earlier = profiles.iter().take(i);
        let same = earlier.position(|other| other.scheduler_name == profile.scheduler_name);
        if let Some(same) = same {
            let first = format!("profiles[{same}].schedulerName");
            errors.push(ConfigError::duplicate(child(&path, "schedulerName"), first));
        }
    }
    if let Some((first, others)) = profiles.split_first() {
        common_queue_sort(first, others, errors);
    }
}

fn one_profile(
    configuration: &Configuration,
    profile: &Profile,
    path: &str,
    errors: &mut Vec<ConfigError>,
) {
    if profile.scheduler_name.is_empty() {
        errors.push(ConfigError::required(child(path, "schedulerName"), ""));
    }
    if let Some(percent) = profile.percentage_of_nodes_to_score {
        percentage(&child(path, "percentageOfNodesToScore"), percent, errors);
    }
    for point in ExtensionPoint::ALL {
        // QUIRK: not looked for in multiPoint and at the placement points; there the framework says "does not exist".
        if matches!(
            point,
            ExtensionPoint::PlacementGenerate | ExtensionPoint::PlacementScore
        ) {
            continue;
        }
        for (j, entry) in profile.plugins.point(point).enabled.iter().enumerate() {
            let path = format!("{path}.plugins.{}.enabled[{j}]", point.field());
            removed_plugin(&path, &entry.name, errors);
        }
    }
    for (j, entry) in profile.plugin_config.iter().enumerate() {
        let path = format!("{path}.pluginConfig[{j}]");
        let mut earlier = profile.plugin_config.iter().take(j);
        if earlier.any(|other| other.name == entry.name) {
            errors.push(ConfigError::duplicate(&path, &entry.name));
        }
        removed_plugin(&path, &entry.name, errors);
        let path = child(&path, "args");
        let is_other = PluginArgs::default_for(&entry.name, configuration.gates)
            .is_some_and(|default| default.kind() != entry.args.kind());
        if is_other {
            let kind = entry.args.kind().unwrap_or("args of no known kind");
            errors.push(ConfigError::invalid(
                &path,
                kind,
                "has to match plugin args",
            ));
        } else {
            args::validate_args(&entry.args, &path, configuration.gates, errors);
        }
    }
}

/// Reports a plugin that was folded into NodeVolumeLimits.
fn removed_plugin(path: &str, name: &str, errors: &mut Vec<ConfigError>) {
    if REMOVED_PLUGINS.contains(&name) {
        let version = ApiVersion::V1.text();
        errors.push(ConfigError::invalid(
            path,
            format!("\"{name}\""),
            format!(
                "was invalid in version \"{version}\" (KubeSchedulerConfiguration is version \"{version}\")"
            ),
        ));
    }
}

/// The plugins of 1.21 that NodeVolumeLimits does the work of.
pub(super) const REMOVED_PLUGINS: [&str; 4] = [
    "AzureDiskLimits",
    "CinderLimits",
    "EBSLimits",
    "GCEPDLimits",
];

/// There is one queue, so all profiles must sort it alike.
fn common_queue_sort(first: &Profile, others: &[Profile], errors: &mut Vec<ConfigError>) {
    let canon = &first.plugins.queue_sort;
    if canon.enabled.len() > 1 {
        errors.push(ConfigError::invalid(
            "profiles[0].plugins.queueSort.Enabled",
            canon.enabled.len(),
            "only one queue sort plugin can be enabled",
        ));
    }
    let name = canon.enabled.first().map(|entry| entry.name.as_str());
    let canon_args = name.and_then(|name| first.args(name));
    for (i, profile) in others.iter().enumerate() {
        let path = index("profiles", i + 1);
        let set = &profile.plugins.queue_sort;
        if set != canon {
            errors.push(ConfigError::invalid(
                child(&path, "plugins.queueSort"),
                go_text(set),
                "must be the same for all profiles",
            ));
        }
        let args = name.and_then(|name| profile.args(name));
        if args.is_some() && args != canon_args {
            errors.push(ConfigError::invalid(
                child(&path, "pluginConfig.args"),
                args.and_then(PluginArgs::kind).unwrap_or("args"),
                "queueSort must be the same for all profiles",
            ));
        }
    }
}

/// A plugin set as upstream prints the value of an error: Go's field names.
fn go_text(set: &PluginSet) -> String {
    let list = |plugins: &mut dyn Iterator<Item = (&str, i32)>| -> String {
        let texts: Vec<String> = plugins
            .map(|(name, weight)| format!("{{\"Name\":\"{name}\",\"Weight\":{weight}}}"))
            .collect();
        match texts.as_slice() {
            [] => "null".into(),
            texts => format!("[{}]", texts.join(",")),
        }
    };
    let enabled = list(&mut set.enabled.iter().map(|e| (e.name.as_str(), e.weight)));
    let disabled = list(&mut set.disabled.iter().map(|name| (name.as_str(), 0)));
    format!("{{\"Enabled\":{enabled},\"Disabled\":{disabled}}}")
}

fn percentage(path: &str, percent: i32, errors: &mut Vec<ConfigError>) {
    if !(0..=100).contains(&percent) {
        errors.push(ConfigError::invalid(
            path,
            percent,
            "not in valid range [0-100]",
        ));
    }
}

/// The rules for extenders, which a Policy has too.
pub(super) fn extenders(path: &str, extenders: &[Extender], errors: &mut Vec<ConfigError>) {
    let mut managed: Vec<&str> = Vec::new();
    for (i, extender) in extenders.iter().enumerate() {
        let path = index(path, i);
        if !extender.prioritize_verb.is_empty() && extender.weight <= 0 {
            errors.push(ConfigError::invalid(
                child(&path, "weight"),
                extender.weight,
                "must have a positive weight applied to it",
            ));
        }
        if let Some(tls) = &extender.tls_config {
            let has_ca = !tls.ca_file.is_empty() || !tls.ca_data.is_empty();
            if tls.insecure && has_ca {
                errors.push(ConfigError::invalid(
                    child(&path, "tlsConfig.insecure"),
                    true,
                    "specifying a root certificates file with the insecure flag is not allowed",
                ));
            }
        }
        for (j, resource) in extender.managed_resources.iter().enumerate() {
            let path = format!("{path}.managedResources[{j}].name");
            managed_resource(&path, &resource.name, errors);
            if managed.contains(&resource.name.as_str()) {
                errors.push(ConfigError::invalid(
                    &path,
                    format!("\"{}\"", resource.name),
                    "duplicate extender managed resource name",
                ));
            }
            managed.push(&resource.name);
        }
    }
    let binders = extenders.iter().filter(|e| !e.bind_verb.is_empty()).count();
    if binders > 1 {
        errors.push(ConfigError::invalid(
            path,
            format!("\"found {binders} extenders implementing bind\""),
            "only one extender can implement bind",
        ));
    }
}

/// Reports a name that is not that of an extended resource.
fn managed_resource(path: &str, name: &str, errors: &mut Vec<ConfigError>) {
    let faults = qualified_name_faults(name);
    let value = format!("\"{name}\"");
    for fault in &faults {
        errors.push(ConfigError::invalid(path, &value, format!("{fault}")));
    }
    if faults.is_empty() && !is_extended_resource(name) {
        errors.push(ConfigError::invalid(
            path,
            &value,
            "is an invalid extended resource name",
        ));
    }
}

/// Whether a resource is one that Kubernetes itself does not define.
fn is_extended_resource(name: &str) -> bool {
    let is_native = !name.contains('/') || name.contains("kubernetes.io/");
    // Its quota would be called `requests.<name>`.
    let quota = format!("requests.{name}");
    !is_native && !name.starts_with("requests.") && qualified_name_faults(&quota).is_empty()
}
