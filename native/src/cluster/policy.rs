//! A Policy that is kept in the cluster: read once, before anything else.

use berth_core::config::{ClientConnection, ConfigError, PolicyError};
use serde_json::Value;

use crate::error::Error;

use super::client::{self, Call, CallError, Client};

/// Where the API server is, and how it is spoken to.
pub(crate) struct ServerOptions<'a> {
    /// The kubeconfig and the limits.
    pub(crate) connection: &'a ClientConnection,
    /// The kubeconfig's context, if not its current one.
    pub(crate) context: Option<&'a str>,
    /// The address, if not the kubeconfig's.
    pub(crate) master: &'a str,
}

/// The text under a key of a ConfigMap; none when there is no such key.
///
/// # Errors
///
/// The API server cannot be reached, or has no such ConfigMap for us.
pub(crate) fn config_map_value(
    server: &ServerOptions<'_>,
    namespace: &str,
    name: &str,
    key: &str,
) -> Result<Option<String>, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Error::Cluster(error.to_string()))?;
    runtime.block_on(async {
        let limits = server.connection;
        let config = client::connection(&limits.kubeconfig, server.context, server.master).await?;
        let client = Client::new(&config, limits, "scheduler")?;
        let path = format!("/api/v1/namespaces/{namespace}/configmaps/{name}");
        let answer: Result<Value, CallError> = client.call(&Call::get(path)).await;
        let map = answer.map_err(|error| {
            ConfigError::Policy(PolicyError::CouldNotGet {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
                what: error.to_string(),
            })
        })?;
        Ok(map["data"][key].as_str().map(str::to_owned))
    })
}
