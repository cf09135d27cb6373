//! What the scheduler knows besides its queue and cache, and the way out of one call.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::ExtensionPoint;
use crate::framework::extension::BindContext;
use crate::framework::handle::Told;
use crate::framework::profiles::Profiles;
use crate::framework::runtime::Framework;
use crate::framework::status::{Code, PluginName};
use crate::framework::trace::{Metric, MetricValue, Observer, Record, extension_point_metric};
use crate::queue::QueueCall;
use crate::snapshot::{Listers, PluginMemory, PodRef};
use crate::time::Timestamp;

use super::effect::{Effect, EventType, PodEvent};

/// Profiles, observed objects, and what plugins remember.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) profiles: Profiles,
    pub(super) listers: Listers,
    pub(super) memory: PluginMemory,
}

impl Known {
    /// What every call of the queue is given.
    pub(super) fn queue_call<'a, O: Observer>(&'a self, io: &'a mut Io<'_, O>) -> QueueCall<'a, O> {
        QueueCall {
            now: io.now,
            profiles: &self.profiles,
            listers: &self.listers,
            memory: &self.memory,
            observer: io.observer,
        }
    }

    /// What plugins may look at from Reserve on.
    pub(super) const fn bind_context(&self, now: Timestamp) -> BindContext<'_> {
        BindContext {
            now,
            listers: &self.listers,
        }
    }
}

/// The instant of a call, whom to tell, and the effects so far.
pub(super) struct Io<'a, O: Observer> {
    pub(super) now: Timestamp,
    pub(super) observer: &'a mut O,
    pub(super) effects: Vec<Effect>,
}

impl<O: Observer> Io<'_, O> {
    /// Tells whoever listens.
    pub(super) fn note(&mut self, make: impl FnOnce() -> Record) {
        self.observer.note(self.now, make);
    }

    /// Tells whoever listens of something that kube-scheduler would log as an error.
    pub(super) fn trouble(&mut self, words: impl FnOnce() -> String) {
        self.observer.trouble(self.now, words);
    }

    /// Has a metric observed, if anybody counts.
    fn count(&mut self, make: impl FnOnce() -> Metric) {
        self.observer.count(self.now, make);
    }

    /// Passes on what a step of an attempt left.
    pub(super) fn tell(&mut self, told: Told, framework: &Framework) {
        for record in told.records.into_iter().flatten() {
            self.observer.record(self.now, record);
        }
        for metric in told.metrics {
            self.count(|| metric);
        }
        self.evaluated(ExtensionPoint::Filter, framework.name(), told.evaluations);
    }

    /// An empty list for a step's records, when somebody listens.
    pub(super) fn records(&self) -> Option<Vec<Record>> {
        O::IS_LISTENING.then(Vec::new)
    }

    /// kube-scheduler observes a metric here.
    pub(super) fn metric(
        &mut self,
        name: &'static str,
        labels: &[(&'static str, &str)],
        value: MetricValue,
    ) {
        self.count(|| Metric {
            name,
            labels: labels
                .iter()
                .map(|(label, value)| (*label, Arc::from(*value)))
                .collect(),
            value,
        });
    }

    /// An extension point is through, with this result.
    pub(super) fn point(&mut self, point: &'static str, code: Code, profile: &Arc<str>) {
        self.count(|| extension_point_metric(point, code, profile));
    }

    /// An extension point that waited for the host is through: it lasted since then.
    pub(super) fn point_since(
        &mut self,
        since: Timestamp,
        point: &'static str,
        code: Code,
        profile: &Arc<str>,
    ) {
        let time = self.now.since(since);
        self.count(|| Metric {
            value: MetricValue::Time(time),
            ..extension_point_metric(point, code, profile)
        });
    }

    /// Filter, Score or another point asked its plugins this often, each call counted.
    pub(super) fn evaluated(
        &mut self,
        point: ExtensionPoint,
        profile: &Arc<str>,
        counts: impl IntoIterator<Item = (PluginName, u64)>,
    ) {
        if !O::IS_COUNTING {
            return;
        }
        for (plugin, count) in counts {
            let labels = [
                ("plugin", plugin.0),
                ("extension_point", point.name()),
                ("profile", &**profile),
            ];
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            self.metric("plugin_evaluation_total", &labels, MetricValue::Add(count));
        }
    }

    /// Records an event; its note is cut as kube-scheduler cuts it.
    ///
    /// Source: spec, scheduling cycle 10.3: at most 1,024 bytes, else 1,020 and ` ...`. Where the cut falls into a
    /// character, the whole character goes, because a note is text.
    pub(super) fn event(&mut self, event: PodEvent) {
        let note = cut(event.note);
        self.effects.push(Effect::RecordEvent {
            event: PodEvent { note, ..event },
        });
    }
}

fn cut(mut note: String) -> String {
    if note.len() > MAX_NOTE {
        let end = (0..=MAX_NOTE - ELLIPSIS.len())
            .rev()
            .find(|end| note.is_char_boundary(*end));
        note.truncate(end.unwrap_or(0));
        note.push_str(ELLIPSIS);
    }
    note
}

const MAX_NOTE: usize = 1024;
const ELLIPSIS: &str = " ...";

/// A warning that a pod could not be scheduled.
pub(super) fn failed_scheduling(pod: PodRef, note: String, profile: Arc<str>) -> PodEvent {
    PodEvent {
        regarding: pod,
        related: None,
        type_: EventType::Warning,
        reason: "FailedScheduling",
        action: "Scheduling",
        note,
        reporting_controller: profile,
    }
}
