//! A host for tests: it remembers effects and records, and settles what it is told to.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use crate::api::{Node, Object, ObjectKey, Pod};
use crate::config::{Configuration, Extender, PluginArgs, PluginConfig, PluginEntry};
use crate::framework::extension::NominatingInfo;
use crate::framework::trace::{Place, Record};
use crate::framework::work::{Failure, FailureKind, Outcome};
use crate::make::{node, pod};
use crate::rng::Seed;
use crate::scheduler::{Change, Effect, Input, PodEvent, Scheduler, Ticket};
use crate::snapshot::{PodInfo, PodRef};
use crate::time::{Span, Timestamp};

use super::super::known::Io;
use super::script::{START, registry};

pub(super) struct Host {
    pub(super) scheduler: Scheduler,
    pub(super) now: Timestamp,
    pub(super) records: Vec<(Timestamp, Record)>,
    /// Effects that have not been settled yet.
    pub(super) out: BTreeMap<Ticket, Effect>,
    pub(super) events: Vec<PodEvent>,
    version: u64,
}

/// A host whose profile runs `A`, `B` and `C` after the default plugins of a small set, with these arguments.
pub(super) fn scripted(says: &[(&str, Value)]) -> Host {
    Host::new(scripted_configuration(says))
}

/// Only QueueSort, Bind and the scripted plugins, so that nothing else has a say.
pub(super) fn scripted_configuration(says: &[(&str, Value)]) -> Configuration {
    let mut config = Configuration::default();
    let profile = &mut config.profiles[0];
    let names = ["PrioritySort", "A", "B", "C", "DefaultBinder"];
    let used = names
        .iter()
        .filter(|name| name.len() > 1 || says.iter().any(|(plugin, _)| plugin == *name));
    profile.plugins.multi_point.enabled = used
        .map(|name| PluginEntry {
            name: name.to_string(),
            weight: 0,
        })
        .collect();
    profile.plugin_config = says
        .iter()
        .map(|(name, value)| PluginConfig {
            name: name.to_string(),
            args: PluginArgs::Other(value.clone()),
        })
        .collect();
    config
}

impl Host {
    pub(super) fn new(config: Configuration) -> Self {
        Self {
            scheduler: Scheduler::new(config, &registry(), Seed(1)).unwrap(),
            now: START,
            records: Vec::new(),
            out: BTreeMap::new(),
            events: Vec::new(),
            version: 0,
        }
    }

    pub(super) fn with_nodes(mut self, names: &[&str]) -> Self {
        for name in names {
            self.apply(node(name).cpu("4").memory("8Gi").pods(110).build());
        }
        self
    }

    pub(super) fn input(&mut self, input: Input) {
        let effects = self.scheduler.handle(self.now, input, &mut self.records);
        for effect in effects {
            match (effect.ticket(), effect) {
                (Some(ticket), effect) => {
                    self.out.insert(ticket, effect);
                }
                (None, Effect::RecordEvent { event }) => self.events.push(event),
                (None, other) => panic!("an effect without a ticket: {other:?}"),
            }
        }
    }

    pub(super) fn apply(&mut self, object: impl Into<Object>) {
        let mut object = object.into();
        self.version += 1;
        object.metadata_mut().resource_version = self.version.to_string();
        self.input(Input::Observe(Change::Applied(object)));
    }

    pub(super) fn add_pod(&mut self, name: &str) -> PodRef {
        let pod = pod(name).build();
        let reference = PodRef::of(&pod);
        self.apply(pod);
        reference
    }

    pub(super) fn delete(&mut self, key: ObjectKey) {
        self.input(Input::Observe(Change::Deleted(key)));
    }

    /// Tries pods until none is left to try.
    pub(super) fn schedule(&mut self) {
        for _ in 0..1000 {
            if !self.scheduler.has_work() {
                return;
            }
            self.input(Input::ScheduleOne);
        }
        panic!("the queue never empties");
    }

    pub(super) fn wait(&mut self, span: Span) {
        let end = self.now + span;
        while let Some(at) = self.scheduler.next_deadline().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.input(Input::Tick);
        }
        self.now = end;
    }

    pub(super) fn settle(&mut self, ticket: Ticket, outcome: Outcome) {
        self.out.remove(&ticket).expect("the ticket is out");
        self.input(Input::Settle { ticket, outcome });
    }

    /// Settles the only effect for which `is` says so.
    pub(super) fn settle_only(&mut self, is: impl Fn(&Effect) -> bool, outcome: Outcome) {
        let tickets: Vec<Ticket> = self
            .out
            .iter()
            .filter(|(_, effect)| is(effect))
            .map(|(ticket, _)| *ticket)
            .collect();
        let [ticket] = tickets.as_slice() else {
            panic!(
                "expected one such effect, found {tickets:?} in {:?}",
                self.out
            );
        };
        self.settle(*ticket, outcome);
    }

    /// Settles everything that is out as done, patches first, as long as something is.
    pub(super) fn settle_all(&mut self) {
        while let Some(ticket) = self.out.keys().next().copied() {
            self.settle(ticket, Outcome::Done);
        }
    }

    /// `pod → node` of the bindings that are out.
    pub(super) fn bindings(&self) -> Vec<(String, String)> {
        self.out
            .values()
            .filter_map(|effect| match effect {
                Effect::Bind { pod, node, .. } => Some((pod.name.to_string(), node.to_string())),
                _ => None,
            })
            .collect()
    }

    /// The last failure's text and condition reason, of any pod.
    pub(super) fn last_failure(&self) -> (String, String) {
        let patch = self.out.values().rev().find_map(|effect| match effect {
            Effect::PatchPodStatus {
                condition: Some(condition),
                ..
            } => Some((condition.message.clone(), condition.reason.clone())),
            _ => None,
        });
        patch.expect("an attempt failed")
    }

    /// Tells the queue of a nomination as a failed attempt does.
    pub(super) fn nominate(&mut self, pod: &PodInfo, nominating: &NominatingInfo) {
        let mut io = Io {
            now: self.now,
            observer: &mut (),
            effects: Vec::new(),
        };
        let Scheduler { queue, known, .. } = &mut self.scheduler;
        queue.add_nominated_pod(&mut known.queue_call(&mut io), pod, nominating);
    }

    /// The values of a label of a metric, in the order in which it was observed; with `only`, where that label has that
    /// value.
    pub(super) fn metric_labels(
        &self,
        name: &str,
        label: &str,
        only: Option<(&str, &str)>,
    ) -> Vec<String> {
        let metrics = self.records.iter().filter_map(|(_, record)| match record {
            Record::Metric(metric) if metric.name == name => Some(metric),
            _ => None,
        });
        let value = |labels: &[(&'static str, Arc<str>)], name: &str| {
            let mut found = labels.iter().filter(|(label, _)| *label == name);
            found.next().map(|(_, value)| value.to_string())
        };
        metrics
            .filter(|metric| {
                only.is_none_or(|(name, expected)| {
                    value(&metric.labels, name).as_deref() == Some(expected)
                })
            })
            .filter_map(|metric| value(&metric.labels, label))
            .collect()
    }

    pub(super) fn place(&self, pod: &PodRef) -> Place {
        self.scheduler.queue().place_of(pod)
    }

    pub(super) fn observed_pod(&self, name: &str) -> Arc<Pod> {
        self.scheduler
            .listers()
            .pods
            .get("default", name)
            .unwrap()
            .clone()
    }
}

pub(super) fn failed(message: &str) -> Outcome {
    Outcome::Failed(Failure {
        kind: FailureKind::Refused,
        message: message.to_string(),
    })
}

pub(super) fn is_bind(effect: &Effect) -> bool {
    matches!(effect, Effect::Bind { .. })
}

pub(super) fn is_ask(effect: &Effect) -> bool {
    matches!(effect, Effect::AskExtender { .. })
}

/// An extender with these verbs.
pub(super) fn extender(url: &str, verbs: &[&str]) -> Extender {
    let verb = |name: &str| {
        if verbs.contains(&name) {
            name.to_string()
        } else {
            String::new()
        }
    };
    Extender {
        url_prefix: url.to_string(),
        filter_verb: verb("filter"),
        preempt_verb: verb("preempt"),
        prioritize_verb: verb("prioritize"),
        weight: 1,
        bind_verb: verb("bind"),
        enable_https: false,
        tls_config: None,
        http_timeout: Span::from_secs(5),
        node_cache_capable: true,
        managed_resources: Vec::new(),
        ignorable: false,
    }
}

pub(super) fn plain_node(name: &str) -> Arc<Node> {
    node(name).cpu("4").memory("8Gi").pods(110).build()
}
