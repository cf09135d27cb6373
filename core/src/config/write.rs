//! A configuration as the document that would be read as the same one.
//!
//! This is what `/configz` serves and `--write-config-to` writes: today's version with nothing left out. The arguments
//! of plugins that are not enabled are dropped and the others sorted, as upstream does.
//!
//! Source: spec, A.9.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::order;
use crate::time::Span;

use super::version::{ApiVersion, KIND};
use super::{
    ClientConnection, Configuration, Extender, ExtensionPoint, LeaderElection, PluginConfig,
    PluginSet, Plugins, Profile,
};

mod args;

#[cfg(test)]
mod tests;

impl Configuration {
    /// The configuration as a document of today's version, as it stands.
    ///
    /// A plugin that only a Policy can enable keeps its name, so the document shows what runs and cannot be read
    /// again; [`to_v1`](super::to_v1) makes one that can.
    pub fn to_value(&self) -> Value {
        let mut document = json!({
            "apiVersion": ApiVersion::V1.text(),
            "kind": KIND,
            "parallelism": self.parallelism,
            "percentageOfNodesToScore": self.percentage_of_nodes_to_score,
            "podInitialBackoffSeconds": self.pod_initial_backoff_seconds,
            "podMaxBackoffSeconds": self.pod_max_backoff_seconds,
            "enableProfiling": self.enable_profiling,
            "enableContentionProfiling": self.enable_contention_profiling,
            "delayCacheUntilActive": self.delay_cache_until_active,
            "leaderElection": leader_election(&self.leader_election),
            "clientConnection": client_connection(&self.client_connection),
            "profiles": self.profiles.iter().map(profile).collect::<Vec<_>>(),
        });
        if let (Some(map), false) = (document.as_object_mut(), self.extenders.is_empty()) {
            map.insert(
                "extenders".to_string(),
                self.extenders.iter().map(extender).collect(),
            );
        }
        document
    }
}

fn leader_election(election: &LeaderElection) -> Value {
    json!({
        "leaderElect": election.leader_elect,
        "leaseDuration": span(election.lease_duration),
        "renewDeadline": span(election.renew_deadline),
        "retryPeriod": span(election.retry_period),
        "resourceLock": election.resource_lock,
        "resourceName": election.resource_name,
        "resourceNamespace": election.resource_namespace,
    })
}

fn client_connection(connection: &ClientConnection) -> Value {
    json!({
        "kubeconfig": connection.kubeconfig,
        "acceptContentTypes": connection.accept_content_types,
        "contentType": connection.content_type,
        "qps": milli(connection.qps_milli),
        "burst": connection.burst,
    })
}

fn profile(profile: &Profile) -> Value {
    let enabled = profile.plugins.enabled_names();
    let is_enabled = |entry: &&PluginConfig| enabled.contains(&entry.name.as_str());
    let mut config: Vec<&PluginConfig> = profile.plugin_config.iter().filter(is_enabled).collect();
    order::sort_by(&mut config, |a, b| a.name.cmp(&b.name));
    let config = config
        .into_iter()
        .map(|entry| match args::args(&entry.args) {
            Value::Null => json!({"name": entry.name}),
            args => json!({"name": entry.name, "args": args}),
        });
    let mut map = Map::new();
    map.insert(
        "schedulerName".to_string(),
        profile.scheduler_name.as_str().into(),
    );
    if let Some(percent) = profile.percentage_of_nodes_to_score {
        map.insert("percentageOfNodesToScore".to_string(), percent.into());
    }
    map.insert("plugins".to_string(), plugins(&profile.plugins));
    map.insert("pluginConfig".to_string(), config.collect());
    map.into()
}

fn plugins(plugins: &Plugins) -> Value {
    let mut map = Map::new();
    for point in ExtensionPoint::ALL {
        map.insert(point.field().to_string(), set(plugins.point(point)));
    }
    map.insert("multiPoint".to_string(), set(&plugins.multi_point));
    map.into()
}

fn set(set: &PluginSet) -> Value {
    let mut map = Map::new();
    if !set.enabled.is_empty() {
        let entries = set.enabled.iter().map(|entry| match entry.weight {
            0 => json!({"name": entry.name}),
            weight => json!({"name": entry.name, "weight": weight}),
        });
        map.insert("enabled".to_string(), entries.collect());
    }
    if !set.disabled.is_empty() {
        let entries = set.disabled.iter().map(|name| json!({"name": name}));
        map.insert("disabled".to_string(), entries.collect());
    }
    map.into()
}

fn extender(extender: &Extender) -> Value {
    let mut map = Map::new();
    let mut add = |name: &str, value: Value| {
        let is_nothing = matches!(&value, Value::String(text) if text.is_empty())
            || value == Value::Bool(false)
            || matches!(&value, Value::Array(list) if list.is_empty());
        if !is_nothing {
            map.insert(name.to_string(), value);
        }
    };
    add("urlPrefix", extender.url_prefix.as_str().into());
    add("filterVerb", extender.filter_verb.as_str().into());
    add("preemptVerb", extender.preempt_verb.as_str().into());
    add("prioritizeVerb", extender.prioritize_verb.as_str().into());
    add("bindVerb", extender.bind_verb.as_str().into());
    if extender.weight != 0 {
        add("weight", extender.weight.into());
    }
    add("enableHTTPS", extender.enable_https.into());
    add("httpTimeout", span(extender.http_timeout).into());
    add("nodeCacheCapable", extender.node_cache_capable.into());
    add("ignorable", extender.ignorable.into());
    let resources = extender.managed_resources.iter().map(|resource| {
        let mut entry = json!({"name": resource.name});
        if let (Some(entry), true) = (entry.as_object_mut(), resource.ignored_by_scheduler) {
            entry.insert("ignoredByScheduler".to_string(), true.into());
        }
        entry
    });
    add("managedResources", resources.collect());
    if let Some(tls) = &extender.tls_config {
        let bytes = |data: &[u8]| STANDARD.encode(data);
        let mut entries = Map::new();
        for (name, text) in [
            ("serverName", tls.server_name.clone()),
            ("certFile", tls.cert_file.clone()),
            ("keyFile", tls.key_file.clone()),
            ("caFile", tls.ca_file.clone()),
            ("certData", bytes(&tls.cert_data)),
            ("keyData", bytes(&tls.key_data)),
            ("caData", bytes(&tls.ca_data)),
        ] {
            if !text.is_empty() {
                entries.insert(name.to_string(), text.into());
            }
        }
        if tls.insecure {
            entries.insert("insecure".to_string(), true.into());
        }
        add("tlsConfig", entries.into());
    }
    map.into()
}

fn span(span: Span) -> String {
    format!("{span}")
}

/// Thousandths as a number: whole where it is whole, so that a dump shows `50` and not `50.0`.
fn milli(milli: i64) -> Value {
    if milli % 1_000 == 0 {
        return (milli / 1_000).into();
    }
    let sign = if milli < 0 { "-" } else { "" };
    let (whole, fraction) = (milli.unsigned_abs() / 1_000, milli.unsigned_abs() % 1_000);
    let text = format!("{sign}{whole}.{fraction:03}");
    text.parse::<serde_json::Number>()
        .map_or(Value::Null, Value::Number)
}
