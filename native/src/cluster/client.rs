//! The API server as seen from here: requests that are limited, limited in time, and answered by JSON or by a typed error.
//!
//! What is asked and what the answer means is the callers' business.

use core::fmt;
use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use berth_core::config::ClientConnection;
use http::{Method, Request, Response, StatusCode};
use kube::client::Body;
use kube::{Client as Transport, Config};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::serve::Metrics;

use super::bucket::Bucket;
use super::kubeconfig;

/// A way to an API server. Cheap to clone; clones share the limit.
#[derive(Clone)]
pub(super) struct Client {
    transport: Transport,
    host: Arc<str>,
    limit: Option<Arc<Bucket>>,
    counts: Option<Counts>,
}

/// Where requests are counted, and to whom they go.
#[derive(Clone)]
struct Counts {
    metrics: Metrics,
    host: Arc<str>,
}

impl Counts {
    /// An answer came, or none with `<error>` in the place of its status.
    fn answered(&self, call: &Call, code: &str, began: Instant) {
        let (host, verb) = (&*self.host, call.method.as_str());
        let labels = [host, verb];
        let metrics = &self.metrics;
        metrics.add("rest_client_requests_total", &[code, host, verb], 1.0);
        let seconds = began.elapsed().as_secs_f64();
        metrics.observe("rest_client_request_duration_seconds", &labels, seconds);
        let size = call.body.len() as f64;
        metrics.observe("rest_client_request_size_bytes", &labels, size);
    }
}

/// Where the API server is and who we are there.
pub(super) async fn connection(
    file: &str,
    context: Option<&str>,
    master: &str,
) -> Result<Config, Error> {
    let unreachable = |error: &dyn fmt::Display| Error::Cluster(error.to_string());
    let mut config = if !file.is_empty() {
        kubeconfig::load(&[PathBuf::from(file)], context).await?
    } else if context.is_some() {
        kubeconfig::load(&kubeconfig::usual_files(), context).await?
    } else if master.is_empty() {
        Config::incluster().map_err(|error| {
            unreachable(&format!(
                "invalid configuration: no configuration has been provided: expected a kubeconfig, or to run in a pod \
                 with a service account: {error}"
            ))
        })?
    } else {
        Config::new(http::Uri::default())
    };
    if !master.is_empty() {
        config.cluster_url = master
            .parse()
            .map_err(|error| Error::Usage(format!("--master {master:?}: {error}")))?;
    }
    // Who tries again, and when, is decided by those who ask.
    config.default_retry = false;
    config.disable_compression = true;
    Ok(config)
}

/// Where the API server of a person is: the kubeconfig that is named, else that of the environment or of the home
/// folder, else the service account.
pub(super) async fn user_connection(file: &str, context: Option<&str>) -> Result<Config, Error> {
    if !file.is_empty() {
        return connection(file, context, "").await;
    }
    let files = kubeconfig::usual_files();
    if context.is_none() && !files.iter().any(|file| file.exists()) {
        return connection("", None, "").await;
    }
    let mut config = kubeconfig::load(&files, context).await?;
    config.default_retry = false;
    config.disable_compression = true;
    Ok(config)
}

impl Client {
    /// A client with a limit of its own.
    ///
    /// # Errors
    ///
    /// The certificates or credentials cannot be used.
    pub(super) fn new(
        config: &Config,
        limits: &ClientConnection,
        part: &str,
    ) -> Result<Self, Error> {
        let mut config = config.clone();
        let agent = format!(
            "berth/v{} ({}/{}) {part}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        );
        if let Ok(agent) = agent.parse() {
            config.headers.push((http::header::USER_AGENT, agent));
        }
        let host = config.cluster_url.authority();
        let host: Arc<str> = host.map_or("", |host| host.as_str()).into();
        let transport = Transport::try_from(config);
        Ok(Self {
            transport: transport.map_err(|error| Error::Cluster(error.to_string()))?,
            limit: Bucket::new(limits.qps_milli, limits.burst).map(Arc::new),
            counts: None,
            host,
        })
    }

    /// The same with its requests counted.
    pub(super) fn counted(mut self, metrics: &Metrics) -> Self {
        self.counts = Some(Counts {
            metrics: metrics.clone(),
            host: self.host.clone(),
        });
        self
    }

    /// Counts something that requests lead to, where they are counted.
    pub(super) fn note(&self, name: &'static str, labels: &[&str]) {
        if let Some(counts) = &self.counts {
            counts.metrics.add(name, labels, 1.0);
        }
    }

    /// Makes a request and reads its answer; a server that asks for patience is asked again.
    pub(super) async fn call<T: DeserializeOwned>(&self, call: &Call) -> Result<T, CallError> {
        let mut tries_left = PATIENCE;
        loop {
            let answer = tokio::time::timeout(call.time_limit, self.send(call));
            let answer = answer.await.map_err(|_| {
                CallError::Unreachable(format!("no answer within {:?}", call.time_limit))
            })?;
            match answer {
                Err(Refusal {
                    retry_after: Some(pause),
                    error,
                }) if tries_left > 0 => {
                    tries_left -= 1;
                    let code = error
                        .code()
                        .map_or_else(String::new, |code| code.to_string());
                    let labels = [&*code, &self.host, call.method.as_str()];
                    self.note("rest_client_request_retries_total", &labels);
                    tokio::time::sleep(pause).await;
                }
                Err(refusal) => return Err(refusal.error),
                Ok(body) => {
                    return serde_json::from_slice(&body)
                        .map_err(|error| CallError::Unreadable(error.to_string()));
                }
            }
        }
    }

    /// Waits until another request may be made, and makes it.
    async fn ask(&self, call: &Call) -> Result<Response<Body>, Refusal> {
        let came = Instant::now();
        if let Some(limit) = &self.limit {
            limit.take().await;
        }
        let began = Instant::now();
        let response = self.transport.send(call.request()?).await;
        if let Some(counts) = &self.counts {
            let waited = (began - came).as_secs_f64();
            let labels = [&*counts.host, call.method.as_str()];
            let name = "rest_client_rate_limiter_duration_seconds";
            counts.metrics.observe(name, &labels, waited);
            let code = response.as_ref().map(|response| response.status());
            let code = code.as_ref().map_or("<error>", StatusCode::as_str);
            counts.answered(call, code, began);
        }
        response.map_err(|error| Refusal::unreachable(&error))
    }

    async fn send(&self, call: &Call) -> Result<Vec<u8>, Refusal> {
        let response = self.ask(call).await?;
        let status = response.status();
        let retry_after = retry_after(&response);
        let body = response.into_body().collect_bytes().await;
        let body = body.map_err(|error| Refusal::unreachable(&error))?;
        if let Some(counts) = &self.counts {
            let labels = [&*counts.host, call.method.as_str()];
            let (name, size) = ("rest_client_response_size_bytes", body.len() as f64);
            counts.metrics.observe(name, &labels, size);
        }
        if status.is_success() {
            return Ok(body.into());
        }
        Err(Refusal {
            retry_after: retry_after
                .filter(|_| status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()),
            error: CallError::refused(status, &body),
        })
    }

    /// Begins a watch: its answer is a stream of lines.
    pub(super) async fn stream(&self, path: &str) -> Result<Body, CallError> {
        let call = Call::get(path.to_owned());
        let response = tokio::time::timeout(call.time_limit, self.ask(&call)).await;
        let response = response
            .map_err(|_| CallError::Unreachable(format!("no answer within {:?}", call.time_limit)))?
            .map_err(|refusal| refusal.error)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response.into_body());
        }
        let body = response.into_body().collect_bytes().await;
        let body = body.map_err(|error| Refusal::unreachable(&error).error)?;
        Err(CallError::refused(status, &body))
    }
}

/// How long a server asks to be left alone.
fn retry_after<B>(response: &Response<B>) -> Option<Duration> {
    let header = response.headers().get(http::header::RETRY_AFTER)?;
    let seconds: u64 = header.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Call {
    method: Method,
    path: String,
    content_type: &'static str,
    body: Vec<u8>,
    /// How long it may take.
    time_limit: Duration,
}

impl Call {
    fn new(method: Method, path: String, content_type: &'static str, body: Vec<u8>) -> Self {
        Self {
            method,
            path,
            content_type,
            body,
            time_limit: TIME_LIMIT,
        }
    }

    pub(super) fn get(path: String) -> Self {
        Self::new(Method::GET, path, JSON, Vec::new())
    }

    pub(super) fn post(path: String, body: &serde_json::Value) -> Self {
        Self::new(Method::POST, path, JSON, body.to_string().into_bytes())
    }

    pub(super) fn put(path: String, body: &serde_json::Value) -> Self {
        Self::new(Method::PUT, path, JSON, body.to_string().into_bytes())
    }

    pub(super) fn delete(path: String, body: &serde_json::Value) -> Self {
        Self::new(Method::DELETE, path, JSON, body.to_string().into_bytes())
    }

    /// Lists of conditions and the like are merged by their keys.
    pub(super) fn strategic_merge_patch(path: String, body: &serde_json::Value) -> Self {
        let content_type = "application/strategic-merge-patch+json";
        Self::new(
            Method::PATCH,
            path,
            content_type,
            body.to_string().into_bytes(),
        )
    }

    /// Lists are replaced.
    pub(super) fn merge_patch(path: String, body: &serde_json::Value) -> Self {
        let content_type = "application/merge-patch+json";
        Self::new(
            Method::PATCH,
            path,
            content_type,
            body.to_string().into_bytes(),
        )
    }

    /// The same request with less time.
    pub(super) fn within(mut self, time_limit: Duration) -> Self {
        self.time_limit = time_limit;
        self
    }

    fn request(&self) -> Result<Request<Body>, Refusal> {
        Request::builder()
            .method(self.method.clone())
            .uri(&self.path)
            .header(http::header::ACCEPT, JSON)
            .header(http::header::CONTENT_TYPE, self.content_type)
            .body(Body::from(self.body.clone()))
            .map_err(|error| Refusal::unreachable(&error))
    }
}

/// An answer that is no success, and when to ask again.
struct Refusal {
    error: CallError,
    retry_after: Option<Duration>,
}

impl Refusal {
    fn unreachable(error: &dyn core::error::Error) -> Self {
        Self {
            error: CallError::Unreachable(with_causes(error)),
            retry_after: None,
        }
    }
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallError {
    /// The server said no.
    Refused {
        /// The HTTP status.
        code: u16,
        /// One word, such as `AlreadyExists`; empty where nothing more is known than the status.
        reason: String,
        /// A sentence.
        message: String,
    },
    /// There was no answer.
    Unreachable(String),
    /// The answer is not what was expected.
    Unreadable(String),
}

impl CallError {
    fn refused(status: StatusCode, body: &[u8]) -> Self {
        /// `meta/v1` Status, as far as it is read.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Status {
            reason: String,
            message: String,
        }
        let mut said: Status = serde_json::from_slice(body).unwrap_or_default();
        if said.message.is_empty() {
            let text = String::from_utf8_lossy(body);
            let text = text.trim();
            said.message = if text.is_empty() {
                status.to_string()
            } else {
                text.chars().take(500).collect()
            };
        }
        Self::Refused {
            code: status.as_u16(),
            reason: said.reason,
            message: said.message,
        }
    }

    /// The HTTP status, if there was an answer.
    pub(super) const fn code(&self) -> Option<u16> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            Self::Unreachable(_) | Self::Unreadable(_) => None,
        }
    }

    /// Whether the same request may succeed in a moment.
    ///
    /// Source: spec, F.5, status patch.
    pub(super) const fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable(_)) || matches!(self.code(), Some(409 | 429 | 500..=599))
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { message, .. } => f.write_str(message),
            Self::Unreachable(text) => write!(f, "the API server cannot be reached: {text}"),
            Self::Unreadable(text) => {
                write!(f, "the answer of the API server cannot be read: {text}")
            }
        }
    }
}

/// An error with everything that led to it: the outermost alone often says nothing.
fn with_causes(error: &dyn core::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}

const JSON: &str = "application/json";
/// How long a request may take. A binding that takes longer and yet succeeds is seen by the watch.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// How often a server may ask for patience, as client-go has it.
const PATIENCE: u32 = 10;
/// The longest pause that a server is granted.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
