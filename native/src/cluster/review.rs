//! Reviews of tokens and rights: what the scheduler's own endpoints ask the API server.
//!
//! Source: spec, F.6: a limit and a time of their own.

use core::time::Duration;

use berth_core::config::ClientConnection;
use serde_json::Value;

use crate::error::Error;

use super::client::{self, Call, CallError, Client};

/// A way to ask for reviews.
pub(crate) struct Reviewer(Client);

/// The way of a kubeconfig; of the service account where the name is empty, if there is one.
///
/// # Errors
///
/// A kubeconfig that was named and cannot be used.
pub(crate) async fn reviewer(kubeconfig: &str) -> Result<Option<Reviewer>, Error> {
    let config = match client::connection(kubeconfig, None, "").await {
        Ok(config) => config,
        Err(_) if kubeconfig.is_empty() => return Ok(None),
        Err(error) => return Err(error),
    };
    let limits = ClientConnection {
        qps_milli: 200_000,
        burst: 400,
        ..ClientConnection::default()
    };
    Client::new(&config, &limits, "reviews").map(|client| Some(Reviewer(client)))
}

impl Reviewer {
    /// Posts a review and gives it back as the server has filled it in.
    pub(crate) async fn review(&self, path: &str, body: &Value) -> Result<Value, String> {
        let call = Call::post(path.to_owned(), body).within(TIME_LIMIT);
        let answer: Result<Value, CallError> = self.0.call(&call).await;
        answer.map_err(|error| {
            tracing::warn!(%error, "a review failed");
            error.to_string()
        })
    }

    /// An object that says who is to be believed.
    pub(crate) async fn get(&self, path: &str) -> Result<Value, String> {
        let call = Call::get(path.to_owned()).within(TIME_LIMIT);
        let answer: Result<Value, CallError> = self.0.call(&call).await;
        answer.map_err(|error| error.to_string())
    }
}

const TIME_LIMIT: Duration = Duration::from_secs(10);
