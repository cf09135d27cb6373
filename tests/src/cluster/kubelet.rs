//! What kubelets would do: pods with a node run, pods that are asked to stop are gone.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use super::Api;

/// A stand-in for the kubelets of all nodes, until it is dropped.
#[derive(Debug)]
pub struct Kubelet {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Kubelet {
    /// Begins to look after pods.
    #[must_use]
    pub fn start(api: &Api) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (api, ends) = (api.clone(), is_over.clone());
        let thread = thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                look_after(&api);
                super::pass(Duration::from_millis(200));
            }
        });
        Self {
            is_over,
            thread: Some(thread),
        }
    }
}

impl Drop for Kubelet {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One look at all pods. What fails, such as while the server is away, is tried again at the next.
fn look_after(api: &Api) {
    let Ok(pods) = api.try_call("GET", "/api/v1/pods", &Value::Null) else {
        return;
    };
    for pod in pods["items"].as_array().into_iter().flatten() {
        let (metadata, name) = (
            &pod["metadata"],
            pod["metadata"]["name"].as_str().unwrap_or_default(),
        );
        if !pod["spec"]["nodeName"].is_string() {
            continue;
        }
        let namespace = metadata["namespace"].as_str().unwrap_or_default();
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        if metadata["deletionTimestamp"].is_string() {
            let _ = api.try_call("DELETE", &path, &json!({"gracePeriodSeconds": 0}));
        } else if pod["status"]["phase"] == "Pending" {
            let status = json!({"status": {"phase": "Running"}});
            let _ = api.try_call("PATCH", &format!("{path}/status"), &status);
        }
    }
}
