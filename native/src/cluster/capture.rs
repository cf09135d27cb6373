//! A live cluster as one scenario: everything that the scheduler would read, listed once. Nothing is written.

use berth_core::api::Kind;
use berth_core::config::Configuration;
use serde_json::{Value, json};

use crate::error::Error;

use super::client::{self, Call, Client};
use super::resources;
use super::rights;
use super::watch::read_page;

/// What of a cluster to take.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaptureOptions {
    /// The kubeconfig; empty for the usual places.
    pub(crate) kubeconfig: String,
    /// Its context, if not its current one.
    pub(crate) context: Option<String>,
    /// The namespace whose objects to take; all of them without one.
    pub(crate) namespace: Option<String>,
    /// Which pods to take, as a label selector.
    pub(crate) selector: Option<String>,
}

/// Lists a cluster and makes a scenario of it. Pods that have ended are left out, as the scheduler does.
///
/// # Errors
///
/// The cluster cannot be reached, or a right is missing.
pub(crate) fn capture(options: &CaptureOptions) -> Result<Value, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Error::Cluster(error.to_string()))?;
    runtime.block_on(list_all(options))
}

async fn list_all(options: &CaptureOptions) -> Result<Value, Error> {
    let config = client::user_connection(&options.kubeconfig, options.context.as_deref()).await?;
    let configuration = Configuration::default();
    let client = Client::new(&config, &configuration.client_connection, "capture")?;
    let mut kinds = resources::watched(&configuration);
    kinds.push(Kind::PriorityClass);
    // Pods last: what they refer to is there by then.
    kinds.sort_by_key(|kind| *kind == Kind::Pod);
    let mut objects = Vec::new();
    for kind in kinds {
        objects.extend(list(&client, kind, options).await?);
    }
    let name = options
        .context
        .clone()
        .unwrap_or_else(|| "cluster".to_owned());
    Ok(json!({
        "apiVersion": "berth/v1",
        "kind": "Scenario",
        "metadata": {"name": name},
        "spec": {"objects": objects},
    }))
}

/// The objects of a kind, page by page, oldest first and then by namespace and name.
async fn list(client: &Client, kind: Kind, options: &CaptureOptions) -> Result<Vec<Value>, Error> {
    let collection = match &options.namespace {
        Some(namespace) if kind.is_namespaced() => resources::collection_in(kind, namespace),
        _ => resources::collection(kind),
    };
    let mut query = resources::selector(kind).to_owned();
    if let (Kind::Pod, Some(selector)) = (kind, &options.selector) {
        query.push_str("&labelSelector=");
        query.push_str(&super::watch::percent_encoded(selector));
    }
    let mut found = Vec::new();
    let mut next = String::new();
    loop {
        let path = format!("{collection}?limit=500&continue={next}&{query}");
        let page = read_page(client, &Call::get(path), kind).await;
        let page = match page {
            Ok(page) => page,
            // An API that this cluster does not serve has no objects.
            Err(error) if error.code() == Some(404) => return Ok(Vec::new()),
            Err(error) => {
                let missing = rights::missing(&error, "list", kind);
                return Err(Error::Cluster(
                    missing.unwrap_or_else(|| format!("{kind}: {error}")),
                ));
            }
        };
        found.extend(page.objects);
        match page.next {
            Some(token) => next = token,
            None => break,
        }
    }
    found.sort_by_cached_key(|object| (object.metadata().creation_timestamp, object.key()));
    Ok(found.iter().map(berth_core::api::Object::to_json).collect())
}
