//! A way to speak to the API server: objects as JSON, many at once.

use core::time::Duration;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The API server, spoken to by an administrator.
#[derive(Clone)]
pub struct Api {
    runtime: Arc<Runtime>,
    client: Client,
}

impl core::fmt::Debug for Api {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Api")
    }
}

impl Api {
    /// The API server of a kubeconfig.
    ///
    /// # Panics
    ///
    /// When the file cannot be used.
    #[must_use]
    pub fn new(kubeconfig: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime starts");
        let client = runtime.block_on(async {
            let read = Kubeconfig::read_from(kubeconfig).expect("the kubeconfig can be read");
            let config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await;
            Client::try_from(config.expect("the kubeconfig is whole")).expect("a client starts")
        });
        Self {
            runtime: Arc::new(runtime),
            client,
        }
    }

    /// A request and its answer; the status and the text of a refusal.
    ///
    /// # Errors
    ///
    /// The server refused, or did not answer (status 0).
    pub fn try_call(&self, method: &str, path: &str, body: &Value) -> Result<Value, (u16, String)> {
        self.runtime
            .block_on(call(&self.client, method, path, body))
    }

    /// A request that must succeed.
    ///
    /// # Panics
    ///
    /// When it does not.
    pub fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_call(method, path, body)
            .unwrap_or_else(|(code, text)| panic!("{method} {path}: {code}: {text}"))
    }

    /// The answer to a GET.
    pub fn get(&self, path: &str) -> Value {
        self.call("GET", path, &Value::Null)
    }

    /// The objects of a list.
    ///
    /// # Panics
    ///
    /// When the answer is no list.
    #[must_use]
    pub fn list(&self, path: &str) -> Vec<Value> {
        let mut list = self.get(path);
        match list["items"].take() {
            Value::Array(items) => items,
            other => panic!("{path}: {other} is no list"),
        }
    }

    /// Creates objects, many at a time, in no order.
    ///
    /// # Panics
    ///
    /// When one is refused.
    pub fn create_all(&self, objects: Vec<Value>) {
        self.runtime.block_on(async {
            let turns = Arc::new(Semaphore::new(24));
            let mut tasks = JoinSet::new();
            for object in objects {
                let (client, turns) = (self.client.clone(), turns.clone());
                tasks.spawn(async move {
                    let _turn = turns.acquire().await.expect("the semaphore stays open");
                    let path = Self::collection_of(&object);
                    call(&client, "POST", &path, &object)
                        .await
                        .map_err(|error| (path, error))
                });
            }
            while let Some(task) = tasks.join_next().await {
                if let Err((path, (code, text))) = task.expect("no task panics") {
                    panic!("POST {path}: {code}: {text}");
                }
            }
        });
    }

    /// Creates one object and gives it as the server has it.
    pub fn create(&self, object: &Value) -> Value {
        self.call("POST", &Self::collection_of(object), object)
    }

    /// The pods of a namespace by name.
    #[must_use]
    pub fn pods(&self, namespace: &str) -> BTreeMap<String, Value> {
        let path = format!("/api/v1/namespaces/{namespace}/pods");
        let pods = self.list(&path).into_iter();
        pods.map(|pod| {
            (
                pod["metadata"]["name"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                pod,
            )
        })
        .collect()
    }

    /// How many pods of a namespace have a node.
    #[must_use]
    pub fn bound(&self, namespace: &str) -> usize {
        self.pods(namespace)
            .values()
            .filter(|pod| pod["spec"]["nodeName"].is_string())
            .count()
    }

    /// Deletes objects, many at a time; one that is not there is deleted already.
    ///
    /// # Panics
    ///
    /// When one cannot be deleted.
    pub fn delete_all(&self, paths: Vec<String>) {
        self.runtime.block_on(async {
            let turns = Arc::new(Semaphore::new(24));
            let mut tasks = JoinSet::new();
            for path in paths {
                let (client, turns) = (self.client.clone(), turns.clone());
                tasks.spawn(async move {
                    let _turn = turns.acquire().await.expect("the semaphore stays open");
                    let answer = call(&client, "DELETE", &path, &Value::Null).await;
                    answer.map_err(|error| (path, error))
                });
            }
            while let Some(task) = tasks.join_next().await {
                match task.expect("no task panics") {
                    Ok(_) | Err((_, (404, _))) => {}
                    Err((path, (code, text))) => panic!("DELETE {path}: {code}: {text}"),
                }
            }
        });
    }

    /// Deletes every pod of a namespace at once, and waits until they are gone.
    pub fn delete_pods(&self, namespace: &str) {
        let path = format!("/api/v1/namespaces/{namespace}/pods?gracePeriodSeconds=0");
        self.call("DELETE", &path, &Value::Null);
        self.wait("the pods are gone", Duration::from_secs(120), |api| {
            api.pods(namespace).is_empty()
        });
    }

    /// Deletes what tests leave behind.
    pub(super) fn wipe(&self) {
        self.delete_pods("default");
        self.call(
            "DELETE",
            "/apis/events.k8s.io/v1/namespaces/default/events",
            &Value::Null,
        );
        self.call(
            "DELETE",
            "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims",
            &Value::Null,
        );
        let nodes = self.list("/api/v1/nodes").into_iter();
        let nodes = nodes.filter_map(|node| {
            let name = node["metadata"]["name"].as_str()?.to_owned();
            name.starts_with("node-")
                .then(|| format!("/api/v1/nodes/{name}"))
        });
        let mut paths: Vec<String> = nodes.collect();
        paths.extend(
            [
                "/apis/scheduling.k8s.io/v1/priorityclasses/low",
                "/apis/scheduling.k8s.io/v1/priorityclasses/high",
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/reader",
                "/apis/rbac.authorization.k8s.io/v1/clusterroles/reader",
                "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler",
            ]
            .map(str::to_owned),
        );
        self.delete_all(paths);
    }

    /// Where objects of that kind are created.
    #[must_use]
    pub fn collection_of(object: &Value) -> String {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
        let root = if version.contains('/') { "apis" } else { "api" };
        let known = berth_core::api::Kind::by_name(&kind);
        let (plural, is_namespaced) = match known {
            Some(kind) => (kind.plural().to_owned(), kind.is_namespaced()),
            None => (
                format!("{}s", kind.to_lowercase()),
                object["metadata"]["namespace"].is_string(),
            ),
        };
        match object["metadata"]["namespace"].as_str() {
            Some(namespace) if is_namespaced => {
                format!("/{root}/{version}/namespaces/{namespace}/{plural}")
            }
            None if is_namespaced => format!("/{root}/{version}/namespaces/default/{plural}"),
            _ => format!("/{root}/{version}/{plural}"),
        }
    }

    /// Asks until the answer is yes; how long that took.
    ///
    /// # Panics
    ///
    /// When it is not within the limit.
    pub fn wait(
        &self,
        what: &str,
        limit: Duration,
        mut is_so: impl FnMut(&Self) -> bool,
    ) -> Duration {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < limit, "{what}: not within {limit:?}");
            super::pass(Duration::from_millis(100));
        }
        began.elapsed()
    }
}

async fn call(
    client: &Client,
    method: &str,
    path: &str,
    body: &Value,
) -> Result<Value, (u16, String)> {
    let content_type = match method {
        "PATCH" => "application/merge-patch+json",
        _ => "application/json",
    };
    let bytes = if body.is_null() {
        Vec::new()
    } else {
        body.to_string().into_bytes()
    };
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", content_type)
        .body(Body::from(bytes))
        .map_err(|error| (0, error.to_string()))?;
    let response = client
        .send(request)
        .await
        .map_err(|error| (0, error.to_string()))?;
    let status = response.status();
    let bytes = response
        .into_body()
        .collect_bytes()
        .await
        .map_err(|error| (0, error.to_string()))?;
    if !status.is_success() {
        return Err((
            status.as_u16(),
            String::from_utf8_lossy(&bytes).into_owned(),
        ));
    }
    Ok(serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes))))
}
