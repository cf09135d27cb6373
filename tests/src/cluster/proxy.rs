//! A proxy before the API server that makes things go wrong, as a test asks for.

use core::pin::Pin;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::task::{Context, Poll};
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt as _;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It goes through.
    None,
    /// It is refused with this status and never reaches the server.
    Status(u16),
    /// It reaches the server, and its answer is lost.
    AnswerLost,
    /// It waits for so long first.
    Late(Duration),
    /// Its answer is cut off after so long, as the server does with a watch.
    CutAfter(Duration),
}

/// A request as a rule sees it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// `GET`, `POST`, …
    pub method: &'a str,
    /// With its query.
    pub path: &'a str,
    /// How many of the same method and kind of path there were before, bindings apart from all others.
    pub before: usize,
}

impl Asked<'_> {
    /// Whether a pod is to be bound.
    #[must_use]
    pub fn is_binding(&self) -> bool {
        self.method == "POST" && self.path.ends_with("/binding")
    }
}

/// Decides what becomes of a request.
pub type Rule = fn(Asked<'_>) -> Fault;

/// The proxy; it ends with this value.
#[derive(Debug)]
pub struct Proxy {
    kubeconfig: PathBuf,
    counts: Arc<Counts>,
    /// Its end is the server's.
    _end: oneshot::Sender<()>,
}

#[derive(Debug, Default)]
struct Counts {
    bindings: AtomicUsize,
    bound: AtomicUsize,
    others: AtomicUsize,
}

struct Way {
    client: Client,
    rule: Rule,
    counts: Arc<Counts>,
}

impl Proxy {
    /// A proxy before the API server of a kubeconfig, whose user is spoken for.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[must_use]
    pub fn start(before: &Path, rule: Rule) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime starts");
        let counts = Arc::new(Counts::default());
        let (listener, router) = runtime.block_on(async {
            let read = Kubeconfig::read_from(before).expect("the kubeconfig can be read");
            let config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await;
            let mut config = config.expect("the kubeconfig is whole");
            config.default_retry = false;
            let way = Way {
                client: Client::try_from(config).expect("a client starts"),
                rule,
                counts: counts.clone(),
            };
            let listener = TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a port is free");
            (
                listener,
                Router::new().fallback(pass).with_state(Arc::new(way)),
            )
        });
        let address = listener.local_addr().expect("it has an address");
        let (end, ended) = oneshot::channel::<()>();
        std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = axum::serve(listener, router) => {}
                    _ = ended => {}
                }
            });
        });
        let kubeconfig = before.with_extension(format!("proxy-{}", address.port()));
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: test\n\
             contexts: [{{name: test, context: {{cluster: test, user: test}}}}]\n\
             clusters: [{{name: test, cluster: {{server: \"http://{address}\"}}}}]\n\
             users: [{{name: test, user: {{}}}}]\n"
        );
        fs::write(&kubeconfig, text).expect("a file can be written");
        Self {
            kubeconfig,
            counts,
            _end: end,
        }
    }

    /// A kubeconfig that leads through the proxy.
    #[must_use]
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// How many bindings the server said yes to.
    #[must_use]
    pub fn bound(&self) -> usize {
        self.counts.bound.load(Ordering::Relaxed)
    }

    /// How many bindings were asked for.
    #[must_use]
    pub fn bindings(&self) -> usize {
        self.counts.bindings.load(Ordering::Relaxed)
    }
}

async fn pass(State(way): State<Arc<Way>>, request: Request) -> Response {
    let path = request
        .uri()
        .path_and_query()
        .map_or("/", |path| path.as_str())
        .to_owned();
    let method = request.method().to_string();
    let is_binding = method == "POST" && path.ends_with("/binding");
    let count = if is_binding {
        &way.counts.bindings
    } else {
        &way.counts.others
    };
    let before = count.fetch_add(1, Ordering::Relaxed);
    let fault = (way.rule)(Asked {
        method: &method,
        path: &path,
        before,
    });
    match fault {
        Fault::Status(status) => return refusal(status),
        Fault::Late(time) => sleep(time).await,
        Fault::None | Fault::AnswerLost | Fault::CutAfter(_) => {}
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = body.collect().await else {
        return refusal(400);
    };
    let mut forwarded = http::Request::builder().method(parts.method).uri(&path);
    for name in [http::header::CONTENT_TYPE, http::header::ACCEPT] {
        if let Some(value) = parts.headers.get(&name) {
            forwarded = forwarded.header(name, value);
        }
    }
    let bytes = body.to_bytes().to_vec();
    let forwarded = forwarded
        .body(kube::client::Body::from(bytes))
        .expect("the request was one before");
    let Ok(answer) = way.client.send(forwarded).await else {
        return cut_off();
    };
    if is_binding && answer.status().is_success() {
        way.counts.bound.fetch_add(1, Ordering::Relaxed);
    }
    let (parts, body) = answer.into_parts();
    match fault {
        Fault::AnswerLost => cut_off(),
        Fault::CutAfter(time) => {
            let end = Box::pin(sleep_until(Instant::now() + time));
            Response::from_parts(parts, Body::new(Cut { body, end }))
        }
        _ => Response::from_parts(parts, Body::new(body)),
    }
}

/// An answer that breaks off before its end.
fn cut_off() -> Response {
    let mut response = Response::new(Body::new(Broken));
    response.headers_mut().insert(
        http::header::CONTENT_LENGTH,
        http::HeaderValue::from_static("1000"),
    );
    response
}

fn refusal(status: u16) -> Response {
    let body = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": status,
        "message": format!("the proxy says {status}"), "reason": "Test",
    });
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
    if status == 429 {
        response.headers_mut().insert(
            http::header::RETRY_AFTER,
            http::HeaderValue::from_static("1"),
        );
    }
    response
}

struct Broken;

impl HttpBody for Broken {
    type Data = axum::body::Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Poll::Ready(Some(Err(std::io::Error::other(
            "the proxy lost the answer",
        ))))
    }
}

/// An answer that ends properly, but early.
struct Cut {
    body: kube::client::Body,
    end: Pin<Box<Sleep>>,
}

impl HttpBody for Cut {
    type Data = axum::body::Bytes;
    type Error = kube::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if self.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}
