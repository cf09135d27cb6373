//! What a running scheduler serves: its health, its metrics, its configuration; with kube-scheduler's paths and texts.
//!
//! | File | Answers |
//! |---|---|
//! | `metrics`, `table` | what is counted, and how it is written |
//! | `health` | whether all is well |
//! | `resources` | what pods ask for and may use |
//! | `access` | who asks, and may they |
//! | `tls` | with which certificate |
//!
//! Source: spec, D.

mod access;
mod health;
mod metrics;
mod resources;
mod table;
mod tls;

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use berth_core::cache::CacheSizes;
use http::{HeaderMap, Method, StatusCode, Uri, header};
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
pub(crate) use metrics::{Counter, Metrics};
pub(crate) use tls::Certificate;

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
    /// Who may ask for what.
    pub(crate) access: AccessOptions,
}

/// What answers are made of.
pub(crate) struct Served {
    pub(crate) metrics: Metrics,
    pub(crate) checks: Checks,
    pub(crate) health: Health,
    /// The configuration as JSON.
    pub(crate) configz: String,
    /// Where the scheduling thread is asked.
    pub(crate) wake: Sender<Wake>,
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
        let listener = tls::TlsListener::new(listener, &options.certificate, address, tasks)?;
        let access = Access::new(&options.access).await?;
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
{
    let router = Router::new().fallback(answer).with_state(Arc::new(context));
    // It goes on until its task is ended; what fails concerns one connection.
    let _ = axum::serve(listener, router).await;
}

/// The one handler: whether somebody may ask is decided before what is asked for is looked at.
async fn answer(
    State(context): State<Arc<Context>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if let Some(access) = &context.access {
        match access.check(&method, uri.path(), &headers).await {
            Verdict::Allowed => {}
            Verdict::Unauthorized => return unauthorized(),
            Verdict::Forbidden(text) => return forbidden(&text),
        }
    }
    let served = &context.served;
    let path = uri.path();
    match (path, &method) {
        ("/metrics", &Method::DELETE) => {
            served.metrics.reset();
            text(StatusCode::OK, "metrics reset\n")
        }
        ("/metrics", _) => metrics_text(served).await,
        ("/metrics/resources", _) => resources_text(served).await,
        ("/configz", _) => with_type(StatusCode::OK, "application/json", served.configz.clone()),
        _ => match served
            .checks
            .answer(path, uri.query().unwrap_or_default(), &served.health)
        {
            Some((status, body)) => text(status, &body),
            None => text(StatusCode::NOT_FOUND, "404 page not found\n"),
        },
    }
}

async fn metrics_text(served: &Served) -> Response {
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
        served
            .metrics
            .set("scheduler_goroutines", &["binding"], survey.bindings as f64);
    }
    served.metrics.set_process();
    let leads = f64::from(u8::from(served.health.leads()));
    if let Some(lease) = served.checks.lease() {
        served
            .metrics
            .set("leader_election_master_status", &[lease], leads);
    }
    with_type(StatusCode::OK, METRICS_TYPE, served.metrics.to_text())
}

/// Only the leader says what pods ask for: otherwise each pod would be counted once a replica.
async fn resources_text(served: &Served) -> Response {
    let survey = if served.health.leads() {
        survey(served).await
    } else {
        None
    };
    let body = survey.map_or_else(String::new, |survey| resources::to_text(&survey.pods));
    with_type(StatusCode::OK, METRICS_TYPE, body)
}

/// What the scheduling thread knows.
async fn survey(served: &Served) -> Option<Survey> {
    let (answer, answered) = oneshot::channel();
    served.wake.send(Wake::Ask(answer)).await.ok()?;
    answered.await.ok()
}

fn unauthorized() -> Response {
    status_object(StatusCode::UNAUTHORIZED, "Unauthorized", "Unauthorized")
}

fn forbidden(message: &str) -> Response {
    status_object(StatusCode::FORBIDDEN, "Forbidden", message)
}

fn status_object(status: StatusCode, reason: &str, message: &str) -> Response {
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
    with_type(status, "application/json", body.to_string())
}

fn text(status: StatusCode, body: &str) -> Response {
    with_type(status, "text/plain; charset=utf-8", body.to_owned())
}

fn with_type(status: StatusCode, content_type: &'static str, body: String) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static(content_type),
    );
    let cache = header::HeaderValue::from_static("no-cache, private");
    headers.insert(header::CACHE_CONTROL, cache);
    let sniff = header::HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, sniff);
    response
}

const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
