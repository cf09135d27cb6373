//! How victims of preemption are asked to leave.
//!
//! With asynchronous preemption the attempt ends at once and the victims go in the background: lower nominations are
//! cleared, all victims but the last are deleted side by side, then the last one. Until the last one is on its way the
//! preemptor is held at PreEnqueue, so that the event of its deletion cannot come too early.
//!
//! Source: spec, scheduling cycle 12.7 and 12.8.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::sync::Arc;

use crate::api::PodCondition;
use crate::config::Gate;
use crate::framework::extension::Candidate;
use crate::framework::handle::NominatedPods;
use crate::framework::status::PluginName;
use crate::framework::trace::{MetricValue, Observer, Record};
use crate::framework::work::{FailureKind, Outcome};
use crate::snapshot::memory::LastVictim;
use crate::snapshot::{PodInfo, PodRef};

use super::cycle::ONE;
use super::effect::{Effect, EventType, PodEvent, Ticket};
use super::known::Io;
use super::{Awaited, Scheduler};

/// The victims of one preemptor, on their way out.
#[derive(Clone, Debug)]
pub(super) struct Eviction {
    preemptor: PodRef,
    profile: Arc<str>,
    node: Arc<str>,
    /// Calls that are out.
    working: BTreeMap<Ticket, Step>,
    /// The victim that goes when all others are on their way; taken when its turn comes.
    last: Option<Arc<PodInfo>>,
    has_failed: bool,
}

/// What a call was for.
#[derive(Clone, Debug)]
enum Step {
    /// The victim's condition is being written; its deletion follows.
    Condition(Arc<PodInfo>),
    /// The victim is being deleted.
    Delete(Arc<PodInfo>),
}

/// The plugin in whose name victims leave.
const DEFAULT_PREEMPTION: PluginName = PluginName("DefaultPreemption");

impl Scheduler {
    /// Begins to remove the victims of a candidate.
    pub(super) fn start_eviction<O: Observer>(
        &mut self,
        preemptor: &Arc<PodInfo>,
        profile: &Arc<str>,
        candidate: Candidate,
        io: &mut Io<'_, O>,
    ) {
        let is_asynchronous = self.config.gates.enabled(Gate::SchedulerAsyncPreemption);
        let mut victims = candidate.victims.pods;
        let listers = &self.known.listers;
        victims.retain(|victim| {
            let there = listers
                .pods
                .get(&victim.reference.namespace, &victim.reference.name);
            let is_assumed = self.cache.is_assumed_pod(&victim.reference.uid);
            is_assumed || there.is_some_and(|pod| *pod.metadata.uid == *victim.reference.uid)
        });
        if victims.is_empty() {
            return;
        }
        io.metric(
            "preemption_victims",
            &[],
            MetricValue::Count(victims.len() as u64),
        );
        let uid = preemptor.reference.uid.clone();
        let mut eviction = Eviction {
            preemptor: preemptor.reference.clone(),
            profile: profile.clone(),
            node: candidate.node.clone(),
            working: BTreeMap::new(),
            last: None,
            has_failed: false,
        };
        self.clear_lower_nominations(preemptor, &candidate.node, io);
        if is_asynchronous {
            self.known.memory.preempting.insert(uid.clone(), None);
            eviction.last = victims.pop();
            io.metric(
                "preemption_goroutines_execution_total",
                &[("result", "success")],
                ONE,
            );
        }
        for victim in victims {
            self.evict(&mut eviction, victim, io);
        }
        self.go_on_evicting(uid, eviction, io);
    }

    /// Pods of lower priority that were promised the node lose the promise: they could be displaced again.
    fn clear_lower_nominations<O: Observer>(
        &mut self,
        preemptor: &PodInfo,
        node: &str,
        io: &mut Io<'_, O>,
    ) {
        let mut lower = self.queue.nominated_pods_for_node(node);
        lower.retain(|pod| pod.priority() < preemptor.priority());
        for pod in lower {
            io.note(|| Record::Nominated {
                pod: pod.reference.clone(),
                node: None,
            });
            let ticket = self.ticket(Awaited::StatusPatch);
            io.effects.push(Effect::PatchPodStatus {
                ticket,
                pod: pod.reference.clone(),
                condition: None,
                nominated_node_name: Some(Arc::from("")),
            });
        }
    }

    /// Asks one victim to leave.
    fn evict<O: Observer>(
        &mut self,
        eviction: &mut Eviction,
        victim: Arc<PodInfo>,
        io: &mut Io<'_, O>,
    ) {
        let uid = victim.reference.uid.clone();
        let reference = &victim.reference;
        let observed = self
            .known
            .listers
            .pods
            .get(&reference.namespace, &reference.name)
            .cloned();
        if observed.as_ref().is_some_and(|pod| pod.is_terminating()) {
            return;
        }
        io.note(|| Record::Evicting {
            victim: victim.reference.clone(),
            by: eviction.preemptor.clone(),
            node: eviction.node.clone(),
        });
        if self.preempt_waiting_pod(&uid, DEFAULT_PREEMPTION, io)
            || self.call_off_pre_bind(&uid, DEFAULT_PREEMPTION, io)
        {
            note_preempted(eviction, &victim, io);
            return;
        }
        let message = [
            &*eviction.profile,
            ": preempting to accommodate a higher priority pod",
        ]
        .concat();
        let is_marked = observed
            .as_ref()
            .and_then(|pod| pod.condition("DisruptionTarget"))
            .is_some_and(|condition| {
                condition.status == "True"
                    && condition.reason == "PreemptionByScheduler"
                    && condition.message == message
            });
        if is_marked {
            return self.delete_victim(eviction, victim, io);
        }
        let ticket = self.ticket(Awaited::Eviction(eviction.preemptor.uid.clone()));
        io.effects.push(Effect::PatchPodStatus {
            ticket,
            pod: victim.reference.clone(),
            condition: Some(PodCondition {
                type_: "DisruptionTarget".to_string(),
                status: "True".to_string(),
                reason: "PreemptionByScheduler".to_string(),
                message,
                observed_generation: victim.pod.metadata.generation,
                ..PodCondition::default()
            }),
            nominated_node_name: None,
        });
        eviction.working.insert(ticket, Step::Condition(victim));
    }

    fn delete_victim<O: Observer>(
        &mut self,
        eviction: &mut Eviction,
        victim: Arc<PodInfo>,
        io: &mut Io<'_, O>,
    ) {
        let ticket = self.ticket(Awaited::Eviction(eviction.preemptor.uid.clone()));
        io.effects.push(Effect::DeletePod {
            ticket,
            pod: victim.reference.clone(),
            preemptor: eviction.preemptor.clone(),
        });
        eviction.working.insert(ticket, Step::Delete(victim));
    }

    /// A call of an eviction came back.
    pub(super) fn settle_eviction<O: Observer>(
        &mut self,
        uid: &Arc<str>,
        ticket: Ticket,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        let Some(mut eviction) = self.evictions.remove(uid) else {
            return;
        };
        match (eviction.working.remove(&ticket), outcome) {
            // A victim that is gone already needs nothing more, and nobody is told.
            (_, Outcome::Failed(failure)) if failure.kind == FailureKind::NotFound => {}
            (_, Outcome::Failed(failure)) => {
                eviction.has_failed = true;
                io.note(|| Record::Trouble {
                    message: ["preempting a pod: ", &failure.message].concat(),
                });
            }
            (Some(Step::Condition(victim)), _) => self.delete_victim(&mut eviction, victim, io),
            (Some(Step::Delete(victim)), _) => note_preempted(&eviction, &victim, io),
            (None, _) => {}
        }
        self.go_on_evicting(uid.clone(), eviction, io);
    }

    /// Turns to the last victim when all others are on their way, and ends the eviction when that is, too.
    fn go_on_evicting<O: Observer>(
        &mut self,
        uid: Arc<str>,
        mut eviction: Eviction,
        io: &mut Io<'_, O>,
    ) {
        if eviction.working.is_empty()
            && let Some(last) = eviction.last.take()
            && !eviction.has_failed
        {
            let victim = LastVictim {
                namespace: last.reference.namespace.clone(),
                name: last.reference.name.clone(),
                uid: last.reference.uid.clone(),
            };
            self.known
                .memory
                .preempting
                .insert(uid.clone(), Some(victim));
            self.evict(&mut eviction, last, io);
        }
        if !eviction.working.is_empty() {
            self.evictions.insert(uid, eviction);
            return;
        }
        self.known.memory.preempting.remove(&uid);
        if eviction.has_failed {
            let preemptor = [eviction.preemptor];
            self.queue
                .activate(&mut self.known.queue_call(io), &preemptor);
        }
    }
}

fn note_preempted<O: Observer>(eviction: &Eviction, victim: &PodInfo, io: &mut Io<'_, O>) {
    io.event(PodEvent {
        regarding: victim.reference.clone(),
        related: Some(eviction.preemptor.clone()),
        type_: EventType::Normal,
        reason: "Preempted",
        action: "Preempting",
        note: [
            "Preempted by pod ",
            &eviction.preemptor.uid,
            " on node ",
            &eviction.node,
        ]
        .concat(),
        reporting_controller: eviction.profile.clone(),
    });
}
