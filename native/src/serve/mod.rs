//! What a running scheduler serves: its health, its metrics, its configuration; with kube-scheduler's paths and texts.
//!
//! | File | Answers |
//! |---|---|
//! | `metrics`, `table` | what is counted, and how it is written |
//! | `timed` | how long plugins take |
//! | `health` | whether all is well |
//! | `resources` | what pods ask for and may use |
//! | `debug` | what is served to whoever looks into a running scheduler |
//! | `access` | who asks, and may they |
//! | `identity`, `authorities` | who somebody is by certificate, and who signs those |
//! | `tls` | with which certificate |
//!
//! Source: spec, D.

mod access;
mod authorities;
mod debug;
mod health;
mod identity;
mod metrics;
mod resources;
mod table;
mod timed;
mod tls;

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, State};
use axum::response::Response;
use axum::serve::IncomingStream;
use berth_core::api::Time;
use berth_core::cache::CacheSizes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use tokio::net::TcpListener;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tracing::info;

use crate::cluster::Health;
use crate::driver::{Survey, Wake};
use crate::error::Error;

use access::{Access, Verdict};

pub(crate) use access::AccessOptions;
pub(crate) use health::Checks;
pub(crate) use identity::RequestHeaders;
pub(crate) use metrics::{Counter, Metrics};
pub(crate) use timed::registry;
pub(crate) use tls::{Certificate, TlsVersion};

use tls::Shown;

/// The release of Kubernetes whose scheduler this behaves as.
pub(crate) const KUBERNETES_RELEASE: &str = "1.36.2";

/// Where and how to serve.
#[derive(Clone, Debug)]
pub(crate) struct ServeOptions {
    /// The address.
    pub(crate) bind_address: IpAddr,
    /// The port with TLS; 0 is none.
    pub(crate) secure_port: u16,
    /// A port on loopback without TLS, on which everybody may ask for everything; 0 is none.
    pub(crate) plain_port: u16,
    /// The certificate.
    pub(crate) certificate: Certificate,
    /// The oldest TLS that is spoken.
    pub(crate) tls_min_version: TlsVersion,
    /// Who may ask for what.
    pub(crate) access: AccessOptions,
    /// The flags in force, for `/flagz`.
    pub(crate) flags: Vec<(String, String)>,
}

/// What answers are made of.
pub(crate) struct Served {
    pub(crate) metrics: Metrics,
    pub(crate) checks: Checks,
    pub(crate) health: Health,
    /// The configuration as JSON.
    pub(crate) configz: String,
    /// Whether what is below `/debug/` is served.
    pub(crate) profiling: bool,
    /// Whether `/flagz` and `/statusz` are.
    pub(crate) zpages: Zpages,
    /// The flags in force.
    pub(crate) flags: Vec<(String, String)>,
    /// When this process began, by the calendar and by its own clock.
    pub(crate) started_at: Time,
    pub(crate) started: Instant,
    /// Where the scheduling thread is asked.
    pub(crate) wake: Sender<Wake>,
}

/// Which pages about the process itself are served: gates of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Zpages {
    pub(crate) flagz: bool,
    pub(crate) statusz: bool,
}

/// What a handler needs.
struct Context {
    served: Arc<Served>,
    /// None: everybody may ask for everything.
    access: Option<Access>,
}

/// Begins to serve; returns when the ports are bound.
///
/// # Errors
///
/// A port or a certificate that cannot be used.
pub(crate) async fn start(
    options: &ServeOptions,
    served: Served,
    tasks: &mut JoinSet<()>,
) -> Result<(), Error> {
    let served = Arc::new(served);
    let bind = async |address: SocketAddr| {
        let listener = TcpListener::bind(address).await;
        listener.map_err(|error| {
            Error::Cluster(format!(
                "failed to create listener: failed to listen on {address}: {error}"
            ))
        })
    };
    if options.secure_port != 0 {
        let listener = bind(SocketAddr::new(options.bind_address, options.secure_port)).await?;
        let address = options.bind_address;
        let oldest = options.tls_min_version;
        let listener =
            tls::TlsListener::new(listener, &options.certificate, address, oldest, tasks)?;
        let access = Access::new(&options.access, tasks).await?;
        let context = Context {
            served: served.clone(),
            access: Some(access),
        };
        info!("serving securely on {}:{}", address, options.secure_port);
        tasks.spawn(serve(listener, context));
    }
    if options.plain_port != 0 {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), options.plain_port);
        let listener = bind(address).await?;
        let context = Context {
            served,
            access: None,
        };
        info!("serving without TLS on {address}");
        tasks.spawn(serve(listener, context));
    }
    Ok(())
}

async fn serve<L: axum::serve::Listener>(listener: L, context: Context)
where
    L::Addr: core::fmt::Debug,
    Shown: for<'a> Connected<IncomingStream<'a, L>>,
{
    let router = Router::new().fallback(answer).with_state(Arc::new(context));
    let router = router.into_make_service_with_connect_info::<Shown>();
    // It goes on until its task is ended; what fails concerns one connection.
    let _ = axum::serve(listener, router).await;
}

/// The one handler: whether somebody may ask is decided before what is asked for is looked at.
async fn answer(
    State(context): State<Arc<Context>>,
    ConnectInfo(Shown(chain)): ConnectInfo<Shown>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path();
    if let Some(access) = &context.access {
        match access.check(&method, path, &headers, &chain).await {
            Verdict::Allowed => {}
            Verdict::Unauthorized => return unauthorized().into(),
            Verdict::Forbidden(text) => return forbidden(&text).into(),
        }
    }
    let served = &context.served;
    let query = uri.query().unwrap_or_default();
    let answer = match (path, &method) {
        ("/metrics", &Method::DELETE) => {
            served.metrics.reset();
            Answer::text(StatusCode::OK, "metrics reset\n")
        }
        ("/metrics", _) => metrics_text(served).await,
        ("/metrics/resources", _) => resources_text(served).await,
        ("/metrics/slis", _) => {
            Answer::new(StatusCode::OK, METRICS_TYPE, served.checks.to_metrics())
        }
        ("/configz", _) => Answer::json(StatusCode::OK, served.configz.clone()),
        ("/flagz", _) if served.zpages.flagz => debug::flagz(served, &headers),
        ("/statusz", _) if served.zpages.statusz => debug::statusz(served, &headers),
        _ => {
            let health = served.checks.answer(path, query, &served.health);
            let health = health.map(|(status, body)| Answer::text(status, &body));
            let debug = || {
                let debug = debug::debug(path, &method, &body);
                debug.filter(|_| served.profiling)
            };
            health
                .or_else(debug)
                .unwrap_or_else(|| Answer::text(StatusCode::NOT_FOUND, "404 page not found\n"))
        }
    };
    answer.into()
}

async fn metrics_text(served: &Served) -> Answer {
    if let Some(survey) = survey(served).await {
        let CacheSizes {
            nodes,
            pods,
            assumed_pods,
        } = survey.sizes;
        let sizes = [
            ("nodes", nodes),
            ("pods", pods),
            ("assumed_pods", assumed_pods),
        ];
        for (of, size) in sizes {
            served
                .metrics
                .set("scheduler_cache_size", &[of], size as f64);
        }
        for (operation, running) in [
            ("binding", survey.bindings),
            ("prioritizing_extender", survey.prioritizing),
        ] {
            served
                .metrics
                .set("scheduler_goroutines", &[operation], running as f64);
        }
    }
    served.metrics.set_process();
    let leads = f64::from(u8::from(served.health.leads()));
    if let Some(lease) = served.checks.lease() {
        served
            .metrics
            .set("leader_election_master_status", &[lease], leads);
    }
    Answer::new(StatusCode::OK, METRICS_TYPE, served.metrics.to_text())
}

/// Only the leader says what pods ask for: otherwise each pod would be counted once a replica.
async fn resources_text(served: &Served) -> Answer {
    let survey = if served.health.leads() {
        survey(served).await
    } else {
        None
    };
    let body = survey.map_or_else(String::new, |survey| resources::to_text(&survey.pods));
    Answer::new(StatusCode::OK, METRICS_TYPE, body)
}

/// What the scheduling thread knows.
async fn survey(served: &Served) -> Option<Survey> {
    let (answer, answered) = oneshot::channel();
    served.wake.send(Wake::Ask(answer)).await.ok()?;
    answered.await.ok()
}

fn unauthorized() -> Answer {
    Answer::status(StatusCode::UNAUTHORIZED, "Unauthorized", "Unauthorized")
}

fn forbidden(message: &str) -> Answer {
    Answer::status(StatusCode::FORBIDDEN, "Forbidden", message)
}

/// What is answered.
struct Answer {
    status: StatusCode,
    content_type: String,
    body: String,
}

impl Answer {
    fn new(status: StatusCode, content_type: &str, body: String) -> Self {
        Self {
            status,
            content_type: content_type.to_owned(),
            body,
        }
    }

    fn text(status: StatusCode, body: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", body.to_owned())
    }

    fn json(status: StatusCode, body: String) -> Self {
        Self::new(status, "application/json", body)
    }

    /// A `meta/v1` Status.
    fn status(status: StatusCode, reason: &str, message: &str) -> Self {
        let body = serde_json::json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": message,
            "reason": reason,
            "details": {},
            "code": status.as_u16(),
        });
        Self::json(status, body.to_string())
    }
}

impl From<Answer> for Response {
    fn from(answer: Answer) -> Self {
        let mut response = Self::new(answer.body.into());
        *response.status_mut() = answer.status;
        let headers = response.headers_mut();
        if let Ok(content_type) = HeaderValue::try_from(answer.content_type) {
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        let cache = HeaderValue::from_static("no-cache, private");
        headers.insert(header::CACHE_CONTROL, cache);
        let sniff = HeaderValue::from_static("nosniff");
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, sniff);
        response
    }
}

/// QUIRK: kube-scheduler answers in this form also to whoever accepts OpenMetrics only; to whoever prefers Prometheus'
/// protobuf it answers in that, which is not built here, and which nobody insists on.
const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
