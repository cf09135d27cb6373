//! How an event is written: as `events.k8s.io/v1`, or as core/v1 where a server has only that.
//!
//! Source: spec, F.3.

use berth_core::scheduler::EventType;
use berth_core::snapshot::PodRef;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tracing::info;

use crate::cluster::client::{Call, Client};
use crate::cluster::time::{micro_time, now, now_in_seconds};

use super::Told;

/// The API that events are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `events.k8s.io/v1`.
    Events,
    /// core/v1.
    Core,
}

impl Form {
    /// What the server has. A server that does not say is taken to have everything. It is asked once, at the start, as
    /// kube-scheduler does.
    pub(super) async fn served(client: &Client) -> Self {
        let call = Call::get("/apis/events.k8s.io/v1".to_owned());
        match client.call::<IgnoredAny>(&call).await {
            Err(error) if error.code() == Some(404) => {
                info!("events.k8s.io/v1 is not served: events are written as core/v1");
                Self::Core
            }
            _ => Self::Events,
        }
    }

    /// The API group; the core group's name is empty.
    pub(super) const fn group(self) -> &'static str {
        match self {
            Self::Events => "events.k8s.io",
            Self::Core => "",
        }
    }

    /// Where the events of a namespace are.
    pub(super) fn collection(self, namespace: &str) -> String {
        let root = match self {
            Self::Events => "/apis/events.k8s.io/v1",
            Self::Core => "/api/v1",
        };
        format!("{root}/namespaces/{namespace}/events")
    }

    /// What changes in an event that has happened that often by now.
    pub(super) fn repeated(self, count: u32) -> Value {
        match self {
            Self::Events => {
                json!({"series": {"count": count, "lastObservedTime": micro_time(now())}})
            }
            Self::Core => json!({"count": count, "lastTimestamp": now_in_seconds().to_string()}),
        }
    }

    /// The event as the API server takes it.
    pub(super) fn document(self, told: &Told, name: &str, host: &str) -> Value {
        let event = &told.event;
        let mut regarding = reference(&event.regarding);
        if !told.resource_version.is_empty() {
            regarding["resourceVersion"] = json!(told.resource_version);
        }
        let mut document = json!({
            "kind": "Event",
            "metadata": {"name": name, "namespace": &*event.regarding.namespace},
            "reportingInstance": format!("{}-{host}", event.reporting_controller),
            "action": event.action,
            "reason": event.reason,
            "type": match event.type_ { EventType::Normal => "Normal", EventType::Warning => "Warning" },
        });
        let controller = json!(&*event.reporting_controller);
        match self {
            Self::Events => {
                document["apiVersion"] = json!("events.k8s.io/v1");
                document["eventTime"] = json!(micro_time(now()));
                document["reportingController"] = controller;
                document["note"] = json!(event.note);
                document["regarding"] = regarding;
            }
            Self::Core => {
                let time = json!(now_in_seconds().to_string());
                document["apiVersion"] = json!("v1");
                document["firstTimestamp"] = time.clone();
                document["lastTimestamp"] = time;
                document["count"] = json!(1);
                document["source"] = json!({"component": controller});
                document["reportingComponent"] = controller;
                document["message"] = json!(event.note);
                document["involvedObject"] = regarding;
            }
        }
        if let Some(related) = &event.related {
            document["related"] = reference(related);
        }
        document
    }
}

fn reference(pod: &PodRef) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "namespace": &*pod.namespace,
        "name": &*pod.name,
        "uid": &*pod.uid,
    })
}
