//! Reviews of tokens and rights, and who is to be believed: what the scheduler's own endpoints ask the API server.
//!
//! Source: spec, F.6: a limit and a time of their own.

use core::time::Duration;

use berth_core::config::ClientConnection;
use serde_json::Value;
use tokio::sync::mpsc::Sender;

use crate::error::Error;

use super::client::{self, Call, CallError, Client};
use super::lines::Lines;
use super::watch::{BETWEEN_WATCHES, Event, GRACE, Pause, WATCH_SECONDS, refusal};

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

    /// Tells what an object is, first as it stands and then whenever it changes, until nobody listens. While it is gone
    /// there is nothing to tell.
    pub(crate) async fn follow(&self, collection: &str, name: &str, told: &Sender<Value>) {
        // Without a version a watch begins with the object as it stands.
        let path = format!(
            "{collection}?watch=true&fieldSelector=metadata.name%3D{name}&timeoutSeconds={WATCH_SECONDS}"
        );
        let mut pause = Pause::default();
        let mut said = String::new();
        while !told.is_closed() {
            match self.watch(&path, told).await {
                Ok(()) => {
                    pause = Pause::default();
                    said.clear();
                    tokio::time::sleep(BETWEEN_WATCHES).await;
                }
                Err(error) => {
                    let error = error.to_string();
                    // Once is enough while nothing else goes wrong.
                    if error != said {
                        tracing::warn!(%error, "failed to watch {collection}/{name}");
                        said = error;
                    }
                    pause.after_failure().await;
                }
            }
        }
    }

    /// One watch, until the server ends it.
    async fn watch(&self, path: &str, told: &Sender<Value>) -> Result<(), CallError> {
        let body = self.0.stream(path).await?;
        let mut lines = Lines::new(body);
        let longest = Duration::from_secs(WATCH_SECONDS) + GRACE;
        while let Ok(line) = tokio::time::timeout(longest, lines.next()).await {
            let Some(line) = line? else { break };
            let event = Event::read(line)?;
            match event.kind {
                "ERROR" => return Err(refusal(event.object)),
                "DELETED" | "BOOKMARK" => continue,
                _ => {}
            }
            let object = serde_json::from_str(event.object.get());
            let object = object.map_err(|error| CallError::Unreadable(error.to_string()))?;
            if told.send(object).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

const TIME_LIMIT: Duration = Duration::from_secs(10);
