//! Whether something that happened could make a rejected pod schedulable.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::Object;
use crate::framework::cluster_event::{ClusterEvent, EventWithHint, HintMode, QueueingHint};
use crate::framework::profiles::Profiles;
use crate::framework::runtime::{Registration, all_events};
use crate::framework::status::{PluginError, PluginName};
use crate::framework::trace::{Observer, Record};
use crate::order::{SortedMap, SortedSet};
use crate::snapshot::PodRef;

use super::in_flight::InFlight;
use super::queued_pod::QueuedPodInfo;
use super::{QueueCall, QueueOptions};

/// What plugins registered for: kube-scheduler's queueing hint map, for each profile. It never changes.
#[derive(Debug)]
pub(super) struct HintMap {
    profiles: SortedMap<Arc<str>, Vec<Registration>>,
    /// The events of each plugin over all profiles.
    events: SortedMap<PluginName, Vec<ClusterEvent>>,
}

impl HintMap {
    /// Collects the registrations of all profiles, and those of extenders if there are any.
    ///
    /// Source: spec, queue and cache 7.4; with hints off every plugin always queues, 11.1.
    pub(super) fn new(options: &QueueOptions, profiles: &Profiles) -> Self {
        let extender = |entry: EventWithHint| Registration {
            plugin: EXTENDER,
            event: entry.event,
            mode: entry.mode,
        };
        let of_extenders: Vec<Registration> = if options.has_extenders {
            all_events().into_iter().map(extender).collect()
        } else {
            Vec::new()
        };
        let mut map = Self {
            profiles: SortedMap::new(),
            events: SortedMap::new(),
        };
        for framework in profiles.iter() {
            let mut registrations = framework.registrations().to_vec();
            registrations.extend(&of_extenders);
            for registration in &mut registrations {
                if !options.queueing_hints {
                    registration.mode = HintMode::AlwaysQueue;
                }
                let events = map.events.entry(registration.plugin).or_default();
                if !events.contains(&registration.event) {
                    events.push(registration.event);
                }
            }
            map.profiles.insert(framework.name().clone(), registrations);
        }
        map
    }

    /// Whether a profile has this name.
    pub(super) fn knows(&self, scheduler_name: &str) -> bool {
        self.profiles.contains_key(scheduler_name)
    }

    /// The plugins that registered an event, in any profile.
    pub(super) fn waiting_for(&self, event: &ClusterEvent) -> SortedSet<PluginName> {
        self.events
            .iter()
            .filter(|(_, events)| is_among(event, events))
            .map(|(plugin, _)| *plugin)
            .collect()
    }

    /// Whether a plugin registered an event, in any profile.
    pub(super) fn is_registered(&self, plugin: PluginName, event: &ClusterEvent) -> bool {
        let events = self.events.get(&plugin);
        events.is_some_and(|events| is_among(event, events))
    }

    /// How a rejected pod is to be treated after an event.
    ///
    /// Source: spec, queue and cache 6.1.
    pub(super) fn is_pod_worth_requeuing<O: Observer>(
        &self,
        call: &mut QueueCall<'_, O>,
        info: &QueuedPodInfo,
        happened: &Happened<'_>,
    ) -> Verdict {
        if info.has_no_rejector() {
            return Verdict::of(Strategy::AfterBackoff);
        }
        if happened.event.is_wildcard() {
            return Verdict::of(happened.wildcard_strategy(info));
        }
        let Some(registrations) = self.profiles.get(&*info.pod.pod.spec.scheduler_name) else {
            call.trouble(&[
                "no queueing hints for the scheduler name of pod ",
                &info.pod.reference.namespace,
                "/",
                &info.pod.reference.name,
            ]);
            return Verdict::of(Strategy::AfterBackoff);
        };
        let mut verdict = Verdict::of(Strategy::Skip);
        for registration in registrations {
            let is_rejector = || {
                info.unschedulable_plugins.contains(&registration.plugin)
                    || info.pending_plugins.contains(&registration.plugin)
            };
            if !registration.event.matches(&happened.event) || !is_rejector() {
                continue;
            }
            if call.hint(registration, info, happened) == QueueingHint::QueueSkip {
                continue;
            }
            let plugin = Some(registration.plugin);
            if info.pending_plugins.contains(&registration.plugin) {
                return Verdict {
                    strategy: Strategy::Immediately,
                    plugin,
                };
            }
            if verdict.strategy == Strategy::Skip {
                verdict = Verdict {
                    strategy: Strategy::AfterBackoff,
                    plugin,
                };
            }
            if info.pending_plugins.is_empty() {
                return verdict;
            }
        }
        verdict
    }

    /// How a pod that comes back is to be treated after what happened during its attempt, and what decided it.
    ///
    /// `None` when it is not in flight. Source: spec, queue and cache 5.8.
    pub(super) fn decide_in_flight<O: Observer>(
        &self,
        call: &mut QueueCall<'_, O>,
        info: &QueuedPodInfo,
        in_flight: &InFlight,
    ) -> Option<(Verdict, Option<ClusterEvent>)> {
        let events = in_flight.events_since(&info.pod.reference.uid)?;
        let mut decided = (Verdict::of(Strategy::Skip), None);
        for event in events {
            let happened = Happened {
                event: event.event,
                old: event.old.as_ref(),
                new: event.new.as_ref(),
            };
            let verdict = self.is_pod_worth_requeuing(call, info, &happened);
            match verdict.strategy {
                Strategy::Skip => continue,
                Strategy::Immediately => return Some((verdict, Some(event.event))),
                Strategy::AfterBackoff => {}
            }
            if decided.1.is_none() {
                decided = (verdict, Some(event.event));
            }
            if info.pending_plugins.is_empty() {
                break;
            }
        }
        Some(decided)
    }
}

fn is_among(event: &ClusterEvent, registered: &[ClusterEvent]) -> bool {
    registered.iter().any(|entry| entry.matches(event))
}

/// An event with its object before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Happened<'a> {
    /// What.
    pub(super) event: ClusterEvent,
    /// The object before.
    pub(super) old: Option<&'a Object>,
    /// The object after.
    pub(super) new: Option<&'a Object>,
}

impl Happened<'_> {
    /// A wildcard with an object is meant for that pod alone.
    fn wildcard_strategy(&self, info: &QueuedPodInfo) -> Strategy {
        match self.new {
            None => Strategy::AfterBackoff,
            Some(Object::Pod(pod)) if *pod.metadata.uid == *info.pod.reference.uid => {
                Strategy::AfterBackoff
            }
            Some(_) => Strategy::Skip,
        }
    }
}

/// What an event does to a pod: kube-scheduler's `queueingStrategy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    /// It stays.
    Skip,
    /// It is tried again when its backoff is over.
    AfterBackoff,
    /// It is tried again, backoff or not.
    Immediately,
}

/// A strategy and who decided it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// What happens.
    pub(super) strategy: Strategy,
    /// The plugin that said Queue; none where nobody was asked.
    pub(super) plugin: Option<PluginName>,
}

impl Verdict {
    /// A strategy that no plugin decided.
    pub(super) const fn of(strategy: Strategy) -> Self {
        Self {
            strategy,
            plugin: None,
        }
    }
}

impl<O: Observer> QueueCall<'_, O> {
    /// Asks a plugin about an event and tells what it said. An error counts as Queue.
    fn hint(
        &mut self,
        registration: &Registration,
        info: &QueuedPodInfo,
        happened: &Happened<'_>,
    ) -> QueueingHint {
        let answer = self.ask(registration, info, happened);
        let (hint, label) = match &answer {
            Ok(QueueingHint::Queue) => (QueueingHint::Queue, "Queue"),
            Ok(QueueingHint::QueueSkip) => (QueueingHint::QueueSkip, "QueueSkip"),
            Err(_) => (QueueingHint::Queue, "Error"),
        };
        let plugin = registration.plugin;
        let reference: &PodRef = &info.pod.reference;
        self.note(|| Record::Hinted {
            pod: reference.clone(),
            plugin,
            event: happened.event,
            hint,
        });
        self.hint_metric(plugin, &happened.event, label);
        if let Err(error) = answer {
            self.trouble(&["queueing hint of ", plugin.0, " failed: ", &error.0]);
        }
        hint
    }

    fn ask(
        &self,
        registration: &Registration,
        info: &QueuedPodInfo,
        happened: &Happened<'_>,
    ) -> Result<QueueingHint, PluginError> {
        let plugin = match registration.mode {
            HintMode::AlwaysQueue => None,
            HintMode::Ask => self
                .framework(&info.pod)
                .and_then(|framework| framework.plugin(registration.plugin)),
        };
        plugin.map_or(Ok(QueueingHint::Queue), |plugin| {
            plugin.queueing_hint(
                &self.context(),
                &registration.event,
                &info.pod,
                happened.old,
                happened.new,
            )
        })
    }
}

/// The name under which extenders reject pods.
const EXTENDER: PluginName = PluginName("Extender");
