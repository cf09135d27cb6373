//! HTTP extenders: questions of the scheduler as POST requests, and their answers.
//!
//! Keys of what is sent are Go's field names, since kube-scheduler's types carry no JSON names; keys of what comes back may
//! have letters of any case. Objects are sent as far as Berth reads them.
//!
//! Source: spec, A.8.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use berth_core::api::{Node, Object, Pod};
use berth_core::config::Extender;
use berth_core::framework::extender::{
    ExtenderCall, FilterAnswer, HostPriority, NodeVictims, PreemptAnswer,
};
use berth_core::framework::work::{Failure, FailureKind, Outcome};
use berth_core::order::SortedMap;
use http::{Method, Request, StatusCode};
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client as Transport, Config};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::Error;

/// What an extender is sent besides names.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    /// The pod that is asked about.
    pub(crate) pod: Option<Arc<Pod>>,
    /// The nodes that are asked about, for extenders that know none.
    pub(crate) nodes: Vec<Arc<Node>>,
    /// Possible victims by UID, for extenders that know no nodes.
    pub(crate) victims: BTreeMap<String, Arc<Pod>>,
}

/// Ways to all extenders, in the order of the configuration.
pub(super) struct Extenders(Vec<Way>);

struct Way {
    extender: Extender,
    transport: Transport,
}

impl Extenders {
    /// # Errors
    ///
    /// An address or a certificate that cannot be used.
    pub(super) async fn new(extenders: &[Extender]) -> Result<Self, Error> {
        let mut ways = Vec::new();
        for extender in extenders {
            let fault = |what: &dyn core::fmt::Display| {
                Error::Cluster(format!("extender {}: {what}", extender.url_prefix))
            };
            let config = config(extender).await.map_err(|what| fault(&what))?;
            let transport = Transport::try_from(config).map_err(|error| fault(&error))?;
            ways.push(Way {
                extender: extender.clone(),
                transport,
            });
        }
        Ok(Self(ways))
    }

    /// Asks the extender at that place of the configuration.
    pub(super) async fn ask(
        &self,
        place: usize,
        call: &ExtenderCall,
        attached: &Attached,
    ) -> Outcome {
        let Some(way) = self.0.get(place) else {
            return failed(format!("there is no extender number {place}"));
        };
        match way.ask(call, attached).await {
            Ok(outcome) => outcome,
            Err(text) => failed(text),
        }
    }
}

impl Way {
    async fn ask(&self, call: &ExtenderCall, attached: &Attached) -> Result<Outcome, String> {
        let (verb, body) = question(&self.extender, call, attached);
        match call {
            ExtenderCall::Filter { .. } => {
                let answer: Value = self.post(verb, &body).await?;
                check_error(&answer)?;
                Ok(Outcome::Filtered(filter_answer(&answer)?))
            }
            ExtenderCall::Prioritize { .. } => {
                let answer: Value = self.post(verb, &body).await?;
                Ok(Outcome::Prioritized(priorities(&answer)?))
            }
            ExtenderCall::Preempt { .. } => {
                let answer: Value = self.post(verb, &body).await?;
                check_error(&answer)?;
                Ok(Outcome::Preempted(preempt_answer(&answer)?))
            }
            ExtenderCall::Bind { .. } => {
                let answer: Value = self.post(verb, &body).await?;
                check_error(&answer)?;
                Ok(Outcome::Done)
            }
        }
    }

    async fn post<T: DeserializeOwned>(&self, verb: &str, body: &Value) -> Result<T, String> {
        let limit = u64::try_from(self.extender.http_timeout.as_micros()).unwrap_or_default();
        let url = format!("{}/{verb}", self.extender.url_prefix);
        let answer = tokio::time::timeout(Duration::from_micros(limit), async {
            let request = Request::builder()
                .method(Method::POST)
                .uri(format!("/{verb}"))
                .header(http::header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string().into_bytes()))
                .map_err(|error| error.to_string())?;
            let response = self.transport.send(request).await;
            let response = response.map_err(|error| format!("Post \"{url}\": {error}"))?;
            let status = response.status();
            if status != StatusCode::OK {
                let code = status.as_u16();
                return Err(format!(
                    "failed {verb} with extender at URL {url}, code {code}"
                ));
            }
            let body = response.into_body().collect_bytes().await;
            let body = body.map_err(|error| format!("Post \"{url}\": {error}"))?;
            serde_json::from_slice(&body).map_err(|error| format!("{url}: {error}"))
        });
        match answer.await {
            Ok(answer) => answer,
            Err(_) => Err(format!(
                "Post \"{url}\": no answer within {:?}",
                Duration::from_micros(limit)
            )),
        }
    }
}

/// The verb and what is sent.
fn question<'a>(
    extender: &'a Extender,
    call: &ExtenderCall,
    attached: &Attached,
) -> (&'a str, Value) {
    let pod = attached
        .pod
        .as_ref()
        .map(|pod| Object::from(pod.clone()).to_json());
    let nodes = |names: &[Arc<str>]| {
        let (list, names) = if extender.node_cache_capable {
            (Value::Null, json!(names))
        } else {
            let items = attached.nodes.iter().cloned();
            let items: Vec<Value> = items.map(|node| Object::from(node).to_json()).collect();
            let list =
                json!({"apiVersion": "v1", "kind": "NodeList", "metadata": {}, "items": items});
            (list, Value::Null)
        };
        json!({"Pod": pod, "Nodes": list, "NodeNames": names})
    };
    match call {
        ExtenderCall::Filter { nodes: names, .. } => (&extender.filter_verb, nodes(names)),
        ExtenderCall::Prioritize { nodes: names, .. } => (&extender.prioritize_verb, nodes(names)),
        ExtenderCall::Preempt { candidates, .. } => {
            let victims = victims(extender, candidates, attached);
            let key = if extender.node_cache_capable {
                "NodeNameToMetaVictims"
            } else {
                "NodeNameToVictims"
            };
            (&extender.preempt_verb, json!({"Pod": pod, key: victims}))
        }
        ExtenderCall::Bind { pod, node } => {
            let body = json!({
                "PodName": &*pod.name,
                "PodNamespace": &*pod.namespace,
                "PodUID": &*pod.uid,
                "Node": &**node,
            });
            (&extender.bind_verb, body)
        }
    }
}

fn victims(
    extender: &Extender,
    candidates: &SortedMap<Arc<str>, NodeVictims>,
    attached: &Attached,
) -> Map<String, Value> {
    let on_node = |victims: &NodeVictims| {
        let pod = |uid: &String| match attached.victims.get(uid) {
            Some(pod) if !extender.node_cache_capable => Object::from(pod.clone()).to_json(),
            _ => json!({"UID": uid}),
        };
        let pods: Vec<Value> = victims.pods.iter().map(pod).collect();
        json!({"Pods": pods, "NumPDBViolations": victims.pdb_violations})
    };
    let entry = |(node, victims): (&Arc<str>, &NodeVictims)| (node.to_string(), on_node(victims));
    candidates.iter().map(entry).collect()
}

/// A field whatever the case of its letters; null counts as absent.
fn field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    let found = fields
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name));
    found
        .map(|(_, value)| value)
        .filter(|value| !value.is_null())
}

fn check_error(answer: &Value) -> Result<(), String> {
    match field(answer, "error").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Err(text.to_owned()),
        _ => Ok(()),
    }
}

fn filter_answer(answer: &Value) -> Result<FilterAnswer, String> {
    let messages = |name: &str| match field(answer, name) {
        Some(found) => {
            serde_json::from_value(found.clone()).map_err(|error| format!("{name}: {error}"))
        }
        None => Ok(SortedMap::new()),
    };
    let names = field(answer, "nodeNames").map(|found| serde_json::from_value(found.clone()));
    let names: Option<Vec<String>> = names
        .transpose()
        .map_err(|error| format!("NodeNames: {error}"))?;
    let items = field(answer, "nodes").and_then(|list| field(list, "items")?.as_array());
    let of_nodes = items.map(|items| {
        let name = |item: &Value| {
            field(field(item, "metadata")?, "name")?
                .as_str()
                .map(str::to_owned)
        };
        items.iter().filter_map(name).collect()
    });
    Ok(FilterAnswer {
        nodes: names.or(of_nodes),
        failed: messages("failedNodes")?,
        failed_and_unresolvable: messages("failedAndUnresolvableNodes")?,
    })
}

fn priorities(answer: &Value) -> Result<Vec<HostPriority>, String> {
    let entry = |item: &Value| {
        let host = field(item, "host")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let score = field(item, "score").and_then(Value::as_i64);
        let score = score.ok_or_else(|| format!("{item}: expected a host and a score"))?;
        Ok(HostPriority {
            host: host.to_owned(),
            score,
        })
    };
    match answer {
        Value::Array(items) => items.iter().map(entry).collect(),
        Value::Null => Ok(Vec::new()),
        other => Err(format!("{other}: expected a list of hosts with scores")),
    }
}

fn preempt_answer(answer: &Value) -> Result<PreemptAnswer, String> {
    let nodes = field(answer, "nodeNameToMetaVictims").and_then(Value::as_object);
    let victims = |value: &Value| {
        let pods = field(value, "pods").and_then(Value::as_array);
        let uid = |pod: &Value| field(pod, "uid")?.as_str().map(str::to_owned);
        let violations = field(value, "numPDBViolations").and_then(Value::as_u64);
        let violations = u32::try_from(violations.unwrap_or_default());
        Ok::<_, String>(NodeVictims {
            pods: pods.into_iter().flatten().filter_map(uid).collect(),
            pdb_violations: violations.map_err(|error| format!("NumPDBViolations: {error}"))?,
        })
    };
    let entries = nodes.into_iter().flatten();
    let entries = entries.map(|(node, value)| Ok((node.clone(), victims(value)?)));
    entries.collect::<Result<_, String>>().map(PreemptAnswer)
}

/// Where an extender is and how TLS is set up, in the words of a kubeconfig: data beats file there, too.
async fn config(extender: &Extender) -> Result<Config, String> {
    let tls = extender.tls_config.clone().unwrap_or_default();
    let has_authorities = !tls.ca_data.is_empty() || !tls.ca_file.is_empty();
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let data = |data: &[u8]| (!data.is_empty()).then(|| STANDARD.encode(data));
    let kubeconfig = json!({
        "current-context": "extender",
        "contexts": [{"name": "extender", "context": {"cluster": "extender", "user": "extender"}}],
        "clusters": [{"name": "extender", "cluster": {
            "server": extender.url_prefix,
            "insecure-skip-tls-verify": tls.insecure || (extender.enable_https && !has_authorities),
            "certificate-authority": text(&tls.ca_file),
            "certificate-authority-data": data(&tls.ca_data),
            "tls-server-name": text(&tls.server_name),
        }}],
        "users": [{"name": "extender", "user": {
            "client-certificate": text(&tls.cert_file),
            "client-certificate-data": data(&tls.cert_data),
            "client-key": text(&tls.key_file),
            "client-key-data": data(&tls.key_data),
        }}],
    });
    let kubeconfig: Kubeconfig =
        serde_json::from_value(kubeconfig).map_err(|error| error.to_string())?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.map_err(|error| error.to_string())?;
    config.default_retry = false;
    config.disable_compression = true;
    Ok(config)
}

fn failed(message: String) -> Outcome {
    Outcome::Failed(Failure {
        kind: FailureKind::Unreachable,
        message,
    })
}
