//! Reads a KubeSchedulerConfiguration, of today's version or an older one.
//!
//! Reading, completing and checking are one step: what comes out is complete and valid, or nothing comes out. All
//! problems are reported at once; only what may be a consequence of another one is left out.
//!
//! An older version is read with the meaning it had, including the plugins that were the default of its time. Where
//! that cannot be kept a [`Note`] says so. The real scheduler refuses older versions; [`OlderVersions::Refuse`] does
//! the same in its words.
//!
//! Source: spec, A.1 to A.4.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::legacy;
use super::reader::{At, Fields, Reader, child, index};
use super::validate::validate;
use super::version::{ApiVersion, KIND};
use super::{
    ClientConnection, ConfigError, Configuration, DEFAULT_SCHEDULER_NAME, ExtensionPoint, Gates,
    LeaderElection, Note, PluginSet, Plugins,
};

mod affinity;
pub(super) mod args;
pub(super) mod extender;
mod older;
mod profile;

use profile::WrittenProfile;

#[cfg(test)]
mod tests;

/// How a document is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The gates that the defaults and the rules depend on.
    pub gates: Gates,
    /// Whether `apiVersion` and `kind` must be there.
    pub header: Header,
    /// What to do with a version that Kubernetes 1.36 no longer reads.
    pub older: OlderVersions,
}

/// Whether `apiVersion` and `kind` must be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// As in a file.
    #[default]
    Required,
    /// As inside a scenario, where absence means today's version.
    Optional,
}

/// What to do with a version that Kubernetes 1.36 no longer reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OlderVersions {
    /// Read it with its own meaning.
    #[default]
    Convert,
    /// Refuse it as the real scheduler does.
    Refuse,
}

/// A configuration that was read, and what to know about it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadConfiguration {
    /// Complete and valid.
    pub configuration: Configuration,
    /// Where it does not mean what it seems to.
    pub notes: Vec<Note>,
    /// A Policy that the oldest version can point at; whoever reads files must fetch and apply it.
    pub policy: Option<legacy::PolicySource>,
    /// The plugins as each profile wrote them, for a provider to go under.
    pub written_plugins: Vec<Plugins>,
    /// Whether a profile chooses plugins or arguments, which a Policy does not go with.
    pub chooses_plugins: bool,
}

impl ReadConfiguration {
    /// A configuration of which nothing was written.
    #[must_use]
    pub const fn of(configuration: Configuration) -> Self {
        Self {
            configuration,
            notes: Vec::new(),
            policy: None,
            written_plugins: Vec::new(),
            chooses_plugins: false,
        }
    }
}

/// Reads a configuration from a value.
///
/// Errors: everything wrong with it, with paths from the document's own root.
pub fn read_value(
    document: &Value,
    options: ReadOptions,
) -> Result<ReadConfiguration, ConfigError> {
    let (read, errors) = read_as_far_as_possible(document, options);
    ConfigError::check(errors)?;
    Ok(read.expect("a document that cannot be read is a problem"))
}

/// Reads a configuration and everything that is wrong with it. Nothing is read of a document that is no configuration.
pub(super) fn read_as_far_as_possible(
    document: &Value,
    options: ReadOptions,
) -> (Option<ReadConfiguration>, Vec<ConfigError>) {
    let mut reader = Reader::default();
    let root = At {
        value: document,
        path: String::new(),
    };
    let mut fields = reader.fields(&root);
    let version = read_header(&mut reader, &mut fields, document, options);
    let Some(version) = version else {
        return (None, reader.close(Vec::new()).1);
    };
    older::note_version(&mut reader, version);
    let mut read = read_fields(&mut reader, fields, version, options.gates);
    let broken = validate(&read.configuration);
    let (notes, errors) = reader.close(broken);
    read.notes = notes;
    (Some(read), errors)
}

/// The version, if the header is that of a configuration; a problem otherwise.
fn read_header(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
    document: &Value,
    options: ReadOptions,
) -> Option<ApiVersion> {
    // A list or a text is refused as a whole already.
    if !reader.is_understood() {
        return None;
    }
    let kind = reader.string(fields.take("kind"));
    let text = reader.string(fields.take("apiVersion"));
    if options.header == Header::Optional && kind.is_none() && text.is_none() {
        return reader.is_understood().then_some(ApiVersion::V1);
    }
    let Some(kind) = kind.filter(|kind| !kind.is_empty()) else {
        let start = beginning(document);
        reader.problem(
            "",
            format!("Object 'Kind' is missing in '{start}'; expected {KIND}"),
        );
        return None;
    };
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        let (start, expected) = (beginning(document), ApiVersion::V1.text());
        let what = format!("Object 'apiVersion' is missing in '{start}'; expected {expected}");
        reader.problem("", what);
        return None;
    };
    let version = ApiVersion::parse(&text);
    if version == Some(ApiVersion::V1) && kind != KIND && kind.ends_with("Args") {
        let what = format!("couldn't decode as {KIND}, got {text}, Kind={kind}");
        reader.problem("kind", what);
        return None;
    }
    let is_read = version == Some(ApiVersion::V1) || options.older == OlderVersions::Convert;
    if kind != KIND || !is_read || version.is_none() {
        let expected = ApiVersion::V1.text();
        reader.problem(
            "apiVersion",
            format!(
                "no kind \"{kind}\" is registered for version \"{text}\"; expected {KIND} of {expected}"
            ),
        );
        return None;
    }
    version
}

/// Everything below the header.
fn read_fields(
    reader: &mut Reader,
    mut fields: Fields<'_>,
    version: ApiVersion,
    gates: Gates,
) -> ReadConfiguration {
    let mut configuration = Configuration::for_gates(gates);
    read_scalars(reader, &mut fields, &mut configuration);
    if let Some(at) = fields.take("leaderElection") {
        configuration.leader_election = read_leader_election(reader, &at, version);
    }
    if let Some(at) = fields.take("clientConnection") {
        configuration.client_connection = read_client_connection(reader, &at);
    }
    let extenders = reader.list(fields.take("extenders"));
    let extenders = extenders
        .iter()
        .map(|at| extender::read_extender(reader, at));
    configuration.extenders = extenders.collect();

    let mut profiles: Vec<WrittenProfile> = Vec::new();
    let mut older = older::Older::default();
    if version == ApiVersion::V1Alpha1 {
        profiles.push(older.read_single_profile(reader, &mut fields, gates));
    } else {
        for at in reader.list(fields.take("profiles")) {
            profiles.push(WrittenProfile::read(reader, &at, version, gates));
        }
    }
    if profiles.is_empty() {
        profiles.push(WrittenProfile::default());
    }
    // What older versions say at the top is no choice of plugins, although it becomes one.
    let chooses_plugins = older.chooses_plugins
        || version > ApiVersion::V1Alpha1 && profiles.iter().any(WrittenProfile::chooses_plugins);
    older.read_and_apply(reader, &mut fields, &mut profiles, version, gates);
    reader.finish(fields);
    let written_plugins: Vec<Plugins> = profiles.iter().map(|p| p.plugins.clone()).collect();
    complete_profiles(reader, &mut configuration, profiles, version, &older);
    ReadConfiguration {
        written_plugins,
        chooses_plugins,
        configuration,
        notes: Vec::new(),
        policy: older.policy,
    }
}

/// The plain values at the top; absent ones keep what `configuration` has.
fn read_scalars(reader: &mut Reader, fields: &mut Fields<'_>, configuration: &mut Configuration) {
    let c = configuration;
    if let Some(number) = reader.i32(fields.take("parallelism")) {
        c.parallelism = number;
    }
    if let Some(number) = reader.i32(fields.take("percentageOfNodesToScore")) {
        c.percentage_of_nodes_to_score = number;
    }
    if let Some(number) = reader.i64(fields.take("podInitialBackoffSeconds")) {
        c.pod_initial_backoff_seconds = number;
    }
    if let Some(number) = reader.i64(fields.take("podMaxBackoffSeconds")) {
        c.pod_max_backoff_seconds = number;
    }
    let profiling = reader.bool(fields.take("enableProfiling"));
    let contention = reader.bool(fields.take("enableContentionProfiling"));
    c.enable_profiling = profiling.unwrap_or(true);
    c.enable_contention_profiling = contention.unwrap_or(c.enable_profiling);
    if let Some(flag) = reader.bool(fields.take("delayCacheUntilActive")) {
        c.delay_cache_until_active = flag;
    }
}

/// Gives each profile its name and the defaults of its time.
fn complete_profiles(
    reader: &mut Reader,
    configuration: &mut Configuration,
    profiles: Vec<WrittenProfile>,
    version: ApiVersion,
    older: &older::Older,
) {
    let gates = configuration.gates;
    let is_only = profiles.len() == 1;
    let provider = older.provider;
    let base = provider.map_or_else(
        || profile::base_plugins(version, gates),
        |provider| provider.plugins(legacy::LegacyGates::default()),
    );
    configuration.profiles.clear();
    for (place, written) in profiles.into_iter().enumerate() {
        let name = written.scheduler_name.clone();
        let name = name.or_else(|| is_only.then(|| DEFAULT_SCHEDULER_NAME.to_string()));
        if version == ApiVersion::V1 {
            let path = format!("{}.plugins", index("profiles", place));
            refuse_legacy_plugins(reader, &written, &path, name.as_deref().unwrap_or_default());
        }
        let name = name.unwrap_or_default();
        let profile = written.complete(name, &base, gates, version);
        configuration.profiles.push(profile);
    }
}

/// Reports the plugins that only older versions and Policies may name.
///
/// They are in the registry, so the framework would build them. The text is the one that upstream's framework has.
fn refuse_legacy_plugins(
    reader: &mut Reader,
    written: &WrittenProfile,
    path: &str,
    scheduler_name: &str,
) {
    let mut refuse = |point: ExtensionPoint, list: &str, set: &PluginSet| {
        for (place, entry) in set.enabled.iter().enumerate() {
            if legacy::is_legacy_plugin(&entry.name) {
                let plugin = entry.name.clone();
                let error = ConfigError::PluginDoesNotExist { point, plugin };
                let error = error.in_profile(scheduler_name).in_profiles();
                let path = format!("{path}.{list}.enabled[{place}].name");
                reader.violation(ConfigError::at(path, error));
            }
        }
    };
    for point in ExtensionPoint::ALL {
        refuse(point, point.field(), written.plugins.point(point));
        // Upstream walks multiPoint anew at each extension point and stops at the first one.
        if point == ExtensionPoint::PreFilter {
            refuse(point, "multiPoint", &written.plugins.multi_point);
        }
    }
}

fn read_leader_election(reader: &mut Reader, at: &At<'_>, version: ApiVersion) -> LeaderElection {
    let mut fields = reader.fields(at);
    let default = LeaderElection::default();
    let mut span = |reader: &mut Reader, name, default| {
        let span = reader.span(fields.take(name));
        // Zero is what an absent duration looks like upstream.
        span.filter(|span| !span.is_zero()).unwrap_or(default)
    };
    let lease_duration = span(reader, "leaseDuration", default.lease_duration);
    let renew_deadline = span(reader, "renewDeadline", default.renew_deadline);
    let retry_period = span(reader, "retryPeriod", default.retry_period);
    let mut text = |reader: &mut Reader, name, default| {
        let text = reader.string(fields.take(name));
        text.filter(|text| !text.is_empty()).unwrap_or(default)
    };
    let mut resource_lock = text(reader, "resourceLock", default.resource_lock);
    let mut resource_name = text(reader, "resourceName", default.resource_name);
    let mut resource_namespace = text(reader, "resourceNamespace", default.resource_namespace);
    if version == ApiVersion::V1Alpha1 {
        resource_name = text(reader, "lockObjectName", resource_name);
        resource_namespace = text(reader, "lockObjectNamespace", resource_namespace);
    }
    if version < ApiVersion::V1 && resource_lock != "leases" {
        let path = child(&at.path, "resourceLock");
        let text = format!("\"{resource_lock}\" is gone since 1.24; \"leases\" is used");
        reader.note(&path, text);
        resource_lock = "leases".to_string();
    }
    let leader_elect = reader.bool(fields.take("leaderElect"));
    reader.finish(fields);
    LeaderElection {
        leader_elect: leader_elect.unwrap_or(true),
        lease_duration,
        renew_deadline,
        retry_period,
        resource_lock,
        resource_name,
        resource_namespace,
    }
}

fn read_client_connection(reader: &mut Reader, at: &At<'_>) -> ClientConnection {
    let mut fields = reader.fields(at);
    let default = ClientConnection::default();
    let mut text = |reader: &mut Reader, name| reader.string(fields.take(name)).unwrap_or_default();
    let kubeconfig = text(reader, "kubeconfig");
    let accept_content_types = text(reader, "acceptContentTypes");
    let content_type = text(reader, "contentType");
    let qps = fields.take("qps").map(|at| read_milli(reader, &at));
    let burst = reader.i32(fields.take("burst"));
    reader.finish(fields);
    ClientConnection {
        kubeconfig,
        accept_content_types,
        content_type: match content_type.as_str() {
            "" => default.content_type,
            _ => content_type,
        },
        qps_milli: qps.filter(|qps| *qps != 0).unwrap_or(default.qps_milli),
        burst: burst.filter(|burst| *burst != 0).unwrap_or(default.burst),
    }
}

/// A number with a fraction, in thousandths; digits beyond are cut.
fn read_milli(reader: &mut Reader, at: &At<'_>) -> i64 {
    let parse = |number: &serde_json::Number| -> Option<i64> {
        let text = number.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{:0<3.3}", fraction);
        digits.parse().ok()
    };
    let Value::Number(number) = at.value else {
        reader.problem(
            &at.path,
            format!("{} was found; expected a number", at.value),
        );
        return 0;
    };
    parse(number).unwrap_or_else(|| {
        reader.problem(
            &at.path,
            format!("{number} was found; expected a number of requests"),
        );
        0
    })
}

/// The start of a document, as upstream quotes it.
fn beginning(document: &Value) -> String {
    let text = document.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
