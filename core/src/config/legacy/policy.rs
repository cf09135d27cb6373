//! What a Policy says, and how it is read.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::config::decode::args::{read_resources, read_shape};
use crate::config::decode::extender::trimmed;
use crate::config::reader::{At, Fields, Reader, child};
use crate::config::version::GROUP;
use crate::config::{
    ConfigError, Extender, ExtenderManagedResource, ExtenderTlsConfig, RequestedToCapacityRatioArgs,
};
use crate::time::Span;

/// Predicates and priorities by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// What a node must satisfy. None is the default predicates; an empty list is only the mandatory ones.
    pub predicates: Option<Vec<PredicatePolicy>>,
    /// What makes a node better. None is the default priorities; an empty list is none.
    pub priorities: Option<Vec<PriorityPolicy>>,
    /// Replace those of the configuration when there are any.
    pub extenders: Vec<Extender>,
    /// Of InterPodAffinity; 0 keeps its default.
    pub hard_pod_affinity_symmetric_weight: i32,
    /// Whether a node is tested on after it has failed.
    pub always_check_all_predicates: bool,
}

/// One predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredicatePolicy {
    /// A built-in name, or any name when there is an argument.
    pub name: String,
    /// What a custom predicate is made of.
    pub argument: Option<PredicateArgument>,
}

/// What a custom predicate is made of: exactly one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredicateArgument {
    /// The labels in which a service's nodes agree.
    pub service_affinity: Option<Vec<String>>,
    /// The labels that nodes must or must not have.
    pub labels_presence: Option<LabelsPresence>,
}

/// Labels that nodes must or must not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelsPresence {
    /// The keys.
    pub labels: Vec<String>,
    /// Whether they must be there.
    pub presence: bool,
}

/// One priority.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityPolicy {
    /// A built-in name, or any name when there is an argument.
    pub name: String,
    /// How much it counts.
    pub weight: i64,
    /// What a custom priority is made of.
    pub argument: Option<PriorityArgument>,
}

/// What a custom priority is made of: exactly one of the three.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityArgument {
    /// The label over whose values a service is spread.
    pub service_anti_affinity: Option<String>,
    /// A label that makes a node better.
    pub label_preference: Option<LabelPreference>,
    /// A curve over utilization.
    pub requested_to_capacity_ratio: Option<RequestedToCapacityRatioArgs>,
}

/// A label that makes a node better by being there or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelPreference {
    /// The key.
    pub label: String,
    /// Whether it is better to have it.
    pub presence: bool,
}

impl Policy {
    /// Reads a Policy from a value.
    ///
    /// Errors: everything that cannot be understood. Whether it makes sense is seen when it is applied.
    pub fn read_value(document: &Value) -> Result<Self, ConfigError> {
        let (policy, errors) = Self::read_as_far_as_possible(document);
        ConfigError::check(errors)?;
        Ok(policy)
    }

    /// Reads a Policy and everything in it that cannot be understood.
    pub(in crate::config) fn read_as_far_as_possible(document: &Value) -> (Self, Vec<ConfigError>) {
        let mut reader = Reader::default();
        let root = At {
            value: document,
            path: String::new(),
        };
        let mut fields = reader.fields(&root);
        read_header(&mut reader, &mut fields);
        let predicates = fields.take("predicates");
        let priorities = fields.take("priorities");
        let extenders = reader.list(fields.take("extenders"));
        let policy = Self {
            predicates: predicates.map(|at| {
                let list = reader.list(Some(at));
                list.iter()
                    .map(|at| read_predicate(&mut reader, at))
                    .collect()
            }),
            priorities: priorities.map(|at| {
                let list = reader.list(Some(at));
                list.iter()
                    .map(|at| read_priority(&mut reader, at))
                    .collect()
            }),
            extenders: extenders
                .iter()
                .map(|at| read_extender(&mut reader, at))
                .collect(),
            hard_pod_affinity_symmetric_weight: reader
                .i32(fields.take("hardPodAffinitySymmetricWeight"))
                .unwrap_or(0),
            always_check_all_predicates: reader
                .bool(fields.take("alwaysCheckAllPredicates"))
                .unwrap_or(false),
        };
        reader.finish(fields);
        (policy, reader.close(Vec::new()).1)
    }
}

fn read_header(reader: &mut Reader, fields: &mut Fields<'_>) {
    let kind = reader.string(fields.take("kind")).unwrap_or_default();
    let version = reader.string(fields.take("apiVersion")).unwrap_or_default();
    let is_known = version == "v1" || version.strip_prefix(GROUP) == Some("/v1");
    if kind != "Policy" || !is_known {
        let what = format!(
            "no kind \"{kind}\" is registered for version \"{version}\"; expected Policy of v1"
        );
        reader.problem("", what);
    }
}

fn read_predicate(reader: &mut Reader, at: &At<'_>) -> PredicatePolicy {
    let mut fields = reader.fields(at);
    let predicate = PredicatePolicy {
        name: reader.string(fields.take("name")).unwrap_or_default(),
        argument: fields.take("argument").map(|at| {
            let mut fields = reader.fields(&at);
            let service = fields.take("serviceAffinity");
            let labels = fields.take("labelsPresence");
            reader.finish(fields);
            PredicateArgument {
                service_affinity: service.map(|at| {
                    let mut fields = reader.fields(&at);
                    let labels = reader.strings(fields.take("labels"));
                    reader.finish(fields);
                    labels
                }),
                labels_presence: labels.map(|at| {
                    let mut fields = reader.fields(&at);
                    let presence = LabelsPresence {
                        labels: reader.strings(fields.take("labels")),
                        presence: reader.bool(fields.take("presence")).unwrap_or(false),
                    };
                    reader.finish(fields);
                    presence
                }),
            }
        }),
    };
    reader.finish(fields);
    predicate
}

fn read_priority(reader: &mut Reader, at: &At<'_>) -> PriorityPolicy {
    let mut fields = reader.fields(at);
    let priority = PriorityPolicy {
        name: reader.string(fields.take("name")).unwrap_or_default(),
        weight: reader.i64(fields.take("weight")).unwrap_or(0),
        argument: fields
            .take("argument")
            .map(|at| read_priority_argument(reader, &at)),
    };
    reader.finish(fields);
    priority
}

fn read_priority_argument(reader: &mut Reader, at: &At<'_>) -> PriorityArgument {
    let mut fields = reader.fields(at);
    let service = fields.take("serviceAntiAffinity");
    let label = fields.take("labelPreference");
    let ratio = fields.take("requestedToCapacityRatioArguments");
    reader.finish(fields);
    PriorityArgument {
        service_anti_affinity: service.map(|at| {
            let mut fields = reader.fields(&at);
            let label = reader.string(fields.take("label"));
            reader.finish(fields);
            label.unwrap_or_default()
        }),
        label_preference: label.map(|at| {
            let mut fields = reader.fields(&at);
            let preference = LabelPreference {
                label: reader.string(fields.take("label")).unwrap_or_default(),
                presence: reader.bool(fields.take("presence")).unwrap_or(false),
            };
            reader.finish(fields);
            preference
        }),
        requested_to_capacity_ratio: ratio.map(|at| {
            let mut fields = reader.fields(&at);
            let args = RequestedToCapacityRatioArgs {
                shape: read_shape(reader, fields.take("shape")),
                resources: read_resources(reader, &mut fields),
            };
            reader.finish(fields);
            args
        }),
    }
}

/// Reads an extender as Policies write it: keys in any case, unknown ones ignored, the timeout in nanoseconds.
fn read_extender(reader: &mut Reader, at: &At<'_>) -> Extender {
    let any = AnyCase(at);
    let text = |reader: &mut Reader, key| reader.string(any.take(key)).unwrap_or_default();
    let flag = |reader: &mut Reader, key| reader.bool(any.take(key)).unwrap_or(false);
    let nanos = reader.i64(any.take("httpTimeout")).unwrap_or(0);
    let resources = reader.list(any.take("managedResources"));
    Extender {
        url_prefix: trimmed(&text(reader, "urlPrefix")),
        filter_verb: text(reader, "filterVerb"),
        preempt_verb: text(reader, "preemptVerb"),
        prioritize_verb: text(reader, "prioritizeVerb"),
        bind_verb: text(reader, "bindVerb"),
        weight: reader.i64(any.take("weight")).unwrap_or(0),
        enable_https: flag(reader, "enableHttps"),
        tls_config: any.take("tlsConfig").map(|at| read_tls(reader, &at)),
        http_timeout: match nanos {
            0 => Extender::DEFAULT_TIMEOUT,
            nanos => Span::from_micros(nanos / 1_000),
        },
        node_cache_capable: flag(reader, "nodeCacheCapable"),
        managed_resources: resources
            .iter()
            .map(|at| ExtenderManagedResource {
                name: reader.string(AnyCase(at).take("name")).unwrap_or_default(),
                ignored_by_scheduler: reader
                    .bool(AnyCase(at).take("ignoredByScheduler"))
                    .unwrap_or(false),
            })
            .collect(),
        ignorable: flag(reader, "ignorable"),
    }
}

fn read_tls(reader: &mut Reader, at: &At<'_>) -> ExtenderTlsConfig {
    let any = AnyCase(at);
    let text = |reader: &mut Reader, key| reader.string(any.take(key)).unwrap_or_default();
    let bytes = |reader: &mut Reader, key| {
        let text = text(reader, key);
        STANDARD.decode(text.as_bytes()).unwrap_or_else(|_| {
            reader.problem(
                &child(&at.path, key),
                "the text is not base64; expected encoded bytes",
            );
            Vec::new()
        })
    };
    ExtenderTlsConfig {
        insecure: reader.bool(any.take("insecure")).unwrap_or(false),
        server_name: text(reader, "serverName"),
        cert_file: text(reader, "certFile"),
        key_file: text(reader, "keyFile"),
        ca_file: text(reader, "caFile"),
        cert_data: bytes(reader, "certData"),
        key_data: bytes(reader, "keyData"),
        ca_data: bytes(reader, "caData"),
    }
}

/// An object whose keys count in any case.
struct AnyCase<'a, 'v>(&'a At<'v>);

impl<'v> AnyCase<'_, 'v> {
    /// The value of the field, unless it is absent or null; the exact spelling goes first.
    fn take(&self, name: &str) -> Option<At<'v>> {
        let map = self.0.value.as_object()?;
        let exact = map.get_key_value(name);
        let found = exact.or_else(|| map.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)));
        let (key, value) = found?;
        (!value.is_null()).then(|| At {
            value,
            path: child(&self.0.path, key),
        })
    }
}
