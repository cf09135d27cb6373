//! What one call to the queue works with, and how it tells what happens.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::ExtensionPoint;
use crate::framework::cluster_event::ClusterEvent;
use crate::framework::extension::QueueContext;
use crate::framework::profiles::Profiles;
use crate::framework::runtime::Framework;
use crate::framework::status::{Code, PluginName};
use crate::framework::trace::{
    Metric, MetricValue, Observer, Place, Record, extension_point_metric,
};
use crate::snapshot::{Listers, PluginMemory, PodInfo};
use crate::time::{Span, Timestamp};

use super::queued_pod::QueuedPodInfo;

/// What one call to the queue works with.
#[derive(Debug)]
pub struct QueueCall<'a, O: Observer> {
    /// The instant of the call; never before that of an earlier call.
    pub now: Timestamp,
    /// The profiles: the first one's QueueSort plugin orders the queue, each one's plugins gate and judge its own pods.
    pub profiles: &'a Profiles,
    /// Objects by name, for plugins and for the nominator.
    pub listers: &'a Listers,
    /// What plugins remember between cycles.
    pub memory: &'a PluginMemory,
    /// Who is told.
    pub observer: &'a mut O,
}

impl<'a, O: Observer> QueueCall<'a, O> {
    /// What a plugin may look at.
    pub(super) const fn context(&self) -> QueueContext<'a> {
        QueueContext {
            now: self.now,
            listers: self.listers,
            memory: self.memory,
        }
    }

    /// The profile of a pod.
    pub(super) fn framework(&self, pod: &PodInfo) -> Option<&'a Framework> {
        self.profiles.get(&pod.pod.spec.scheduler_name)
    }

    /// Tells what happened, if anybody listens.
    pub(super) fn note(&mut self, make: impl FnOnce() -> Record) {
        self.observer.note(self.now, make);
    }

    /// Has a metric observed, if anybody counts.
    fn count(&mut self, make: impl FnOnce() -> Metric) {
        self.observer.count(self.now, make);
    }

    /// Tells of something that kube-scheduler would log as an error.
    pub(super) fn trouble(&mut self, words: &[&str]) {
        self.observer.trouble(self.now, || words.concat());
    }

    /// `pending_pods`: one pod more or less in a place.
    pub(super) fn pending_pods(&mut self, place: Place, change: i64) {
        if let Some(queue) = gauge_of(place) {
            self.metric("pending_pods", &[("queue", queue)], change);
        }
    }

    /// `queue_incoming_pods_total`: a pod came into one of the structures.
    pub(super) fn incoming(&mut self, place: Place, event: &ClusterEvent) {
        let queue = match place {
            Place::Active => "active",
            Place::Backoff | Place::ErrorBackoff => "backoff",
            Place::Unschedulable | Place::Gated => "unschedulable",
            Place::Nowhere | Place::InFlight => return,
        };
        if O::IS_COUNTING {
            let labels = [("queue", queue), ("event", &*event.label())];
            self.metric("queue_incoming_pods_total", &labels, 1);
        }
    }

    /// `unschedulable_pods`: the pod counts for each of its rejectors, or no longer does.
    pub(super) fn unschedulable_pods(&mut self, info: &QueuedPodInfo, change: i64) {
        if O::IS_COUNTING {
            for plugin in info.rejector_plugins() {
                self.unschedulable_pod(info, plugin, change);
            }
        }
    }

    /// `unschedulable_pods` for one rejector.
    pub(super) fn unschedulable_pod(
        &mut self,
        info: &QueuedPodInfo,
        plugin: PluginName,
        change: i64,
    ) {
        let labels = [
            ("plugin", plugin.0),
            ("profile", info.pod.pod.spec.scheduler_name.as_str()),
        ];
        self.metric("unschedulable_pods", &labels, change);
    }

    /// `inflight_events`: an event more or less is kept. `None` is a pod's marker.
    pub(super) fn inflight_event(&mut self, event: Option<&ClusterEvent>, change: i64) {
        if O::IS_COUNTING {
            let label = event.map_or_else(|| "PodPopped".into(), ClusterEvent::label);
            self.metric("inflight_events", &[("event", &*label)], change);
        }
    }

    /// `queueing_hint_execution_duration_seconds`: a plugin was asked about an event.
    pub(super) fn hint_metric(&mut self, plugin: PluginName, event: &ClusterEvent, hint: &str) {
        self.count(|| {
            let labels = [
                ("plugin", plugin.0),
                ("event", &*event.label()),
                ("hint", hint),
            ];
            Metric {
                name: "queueing_hint_execution_duration_seconds",
                labels: owned(&labels),
                value: MetricValue::Time(Span::ZERO),
            }
        });
    }

    /// The latency of PreEnqueue.
    ///
    /// QUIRK: kube-scheduler labels every run a success.
    pub(super) fn pre_enqueue_metric(&mut self, pod: &PodInfo) {
        self.count(|| {
            let profile = Arc::from(pod.pod.spec.scheduler_name.as_str());
            let point = ExtensionPoint::PreEnqueue.name();
            extension_point_metric(point, Code::Success, &profile)
        });
    }

    fn metric(&mut self, name: &'static str, labels: &[(&'static str, &str)], change: i64) {
        self.count(|| Metric {
            name,
            labels: owned(labels),
            value: MetricValue::Add(change),
        });
    }
}

/// The gauge `pending_pods` that counts a place; both backoff heaps share one.
const fn gauge_of(place: Place) -> Option<&'static str> {
    match place {
        Place::Active => Some("active"),
        Place::Backoff | Place::ErrorBackoff => Some("backoff"),
        Place::Unschedulable => Some("unschedulable"),
        Place::Gated => Some("gated"),
        Place::Nowhere | Place::InFlight => None,
    }
}

fn owned(labels: &[(&'static str, &str)]) -> Vec<(&'static str, Arc<str>)> {
    let own = |(name, value): &(&'static str, &str)| (*name, Arc::from(*value));
    labels.iter().map(own).collect()
}
