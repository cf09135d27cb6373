//! How victims of preemption are asked to leave.
//!
//! With asynchronous preemption the attempt ends at once and the victims go in the background: lower nominations are
//! cleared, all victims but the last are deleted side by side, then the last one. Until the last one is on its way the
//! preemptor is held at PreEnqueue, so that the event of its deletion cannot come too early.
//!
//! Without it the attempt is on hold until all victims are on their way, all side by side; lower nominations are cleared
//! then, and a failure is the failure of PostFilter.
//!
//! Source: spec, scheduling cycle 12.7 and 12.8.

use alloc::string::{String, ToString};
use alloc::sync::Arc;

use crate::api::PodCondition;
use crate::config::Gate;
use crate::framework::extension::Candidate;
use crate::framework::handle::NominatedPods;
use crate::framework::status::{PluginName, Status};
use crate::framework::trace::{MetricValue, Observer, Place, Record};
use crate::framework::work::{FailureKind, Outcome};
use crate::order::SortedMap;
use crate::snapshot::memory::LastVictim;
use crate::snapshot::{PodInfo, PodRef};
use crate::time::Span;

use super::attempt::{Paused, PostFilterSoFar, Stage};
use super::cycle::ONE;
use super::effect::{Effect, EventType, PodEvent, Ticket};
use super::known::Io;
use super::{Awaited, Scheduler};

/// The victims of one preemptor, on their way out.
#[derive(Clone, Debug)]
pub(super) struct Eviction {
    preemptor: Arc<PodInfo>,
    profile: Arc<str>,
    node: Arc<str>,
    /// Calls that are out.
    working: SortedMap<Ticket, Step>,
    /// The victim that goes when all others are on their way; taken when its turn comes.
    last: Option<Arc<PodInfo>>,
    is_asynchronous: bool,
    /// The first failure. What has not begun when it comes is left out.
    failure: Option<String>,
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
        preemptor: Arc<PodInfo>,
        profile: Arc<str>,
        candidate: Candidate,
        io: &mut Io<'_, O>,
    ) {
        let is_asynchronous = self.config.gates.enabled(Gate::SchedulerAsyncPreemption);
        let mut victims = candidate.victims.pods;
        if is_asynchronous {
            victims.retain(|victim| self.is_alive(victim));
            if victims.is_empty() {
                return;
            }
        }
        io.metric(
            "preemption_victims",
            &[],
            MetricValue::Count(victims.len() as u64),
        );
        let uid = preemptor.reference.uid.clone();
        let mut eviction = Eviction {
            preemptor,
            profile,
            node: candidate.node,
            working: SortedMap::new(),
            last: None,
            is_asynchronous,
            failure: None,
        };
        if is_asynchronous {
            self.clear_lower_nominations(&eviction, io);
            self.known.memory.preempting.insert(uid.clone(), None);
            eviction.last = victims.pop();
            note_background(io);
        }
        for victim in victims {
            self.evict(&mut eviction, victim, io);
        }
        self.go_on_evicting(uid, eviction, io);
    }

    /// Whether a victim is still there.
    fn is_alive(&self, victim: &PodInfo) -> bool {
        let PodRef {
            namespace,
            name,
            uid,
        } = &victim.reference;
        let observed = self.known.listers.pods.get(namespace, name);
        let is_observed = observed.is_some_and(|pod| *pod.metadata.uid == **uid);
        is_observed || self.cache.is_assumed_pod(uid)
    }

    /// Pods of lower priority that were promised the node lose the promise: they could be displaced again.
    ///
    /// A promise that is not in the pod's status needs no call.
    fn clear_lower_nominations<O: Observer>(&mut self, eviction: &Eviction, io: &mut Io<'_, O>) {
        let mut lower = self.queue.nominated_pods_for_node(&eviction.node);
        lower.retain(|pod| {
            pod.priority() < eviction.preemptor.priority()
                && !pod.pod.status.nominated_node_name.is_empty()
        });
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
            by: eviction.preemptor.reference.clone(),
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
        let uid = eviction.preemptor.reference.uid.clone();
        let ticket = self.ticket(Awaited::Eviction(uid));
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
        let uid = eviction.preemptor.reference.uid.clone();
        let ticket = self.ticket(Awaited::Eviction(uid));
        io.effects.push(Effect::DeletePod {
            ticket,
            pod: victim.reference.clone(),
            preemptor: eviction.preemptor.reference.clone(),
        });
        eviction.working.insert(ticket, Step::Delete(victim));
    }

    /// Whether the end of a victim will still come as an event: it counts on a node, by its object or by a decision.
    ///
    /// QUIRK: a victim whose binding fails meanwhile, or whom somebody else has removed, tells nobody any more that its room
    /// is free. kube-scheduler leaves the pod that preempted it gated until some other pod on a node is deleted; here it is
    /// tried at once, because else it could wait for ever.
    fn will_be_told_of(&self, victim: &LastVictim) -> bool {
        let observed = self.known.listers.pods.get(&victim.namespace, &victim.name);
        let is_on_node =
            observed.is_some_and(|pod| *pod.metadata.uid == *victim.uid && pod.is_assigned());
        is_on_node || self.cache.is_assumed_pod(&victim.uid)
    }

    /// A call of an eviction came back.
    #[inline(never)]
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
                io.trouble(|| ["preempting a pod: ", &failure.message].concat());
                eviction
                    .failure
                    .get_or_insert_with(|| failure.message.clone());
            }
            (Some(Step::Condition(_)), _) if eviction.failure.is_some() => {}
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
            && eviction.failure.is_none()
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
        if !eviction.is_asynchronous {
            return self.evicted_in_place(eviction, io);
        }
        let last = self.known.memory.preempting.remove(&uid).flatten();
        let is_stuck = last.is_some_and(|last| !self.will_be_told_of(&last))
            && self.queue.place_of(&eviction.preemptor.reference) == Place::Gated;
        if eviction.failure.is_some() || is_stuck {
            let preemptor = [eviction.preemptor.reference.clone()];
            self.queue
                .activate(&mut self.known.queue_call(io), &preemptor);
        }
    }

    /// The victims of an attempt on hold are on their way, or one of them could not be asked: the attempt ends.
    fn evicted_in_place<O: Observer>(&mut self, eviction: Eviction, io: &mut Io<'_, O>) {
        let is_evicting = |paused: &mut Paused| matches!(paused.stage, Stage::Evict);
        let Some(Paused { mut attempt, .. }) = self.paused.take_if(is_evicting) else {
            return;
        };
        if let Some(failure) = &eviction.failure {
            let text = ["preemption: ", failure].concat();
            let status = Status::error(text).by(DEFAULT_PREEMPTION);
            io.note(|| Record::PostFiltered {
                plugin: DEFAULT_PREEMPTION,
                status: status.clone(),
                nominating: None,
            });
            attempt.post_filter = PostFilterSoFar {
                status: Some(status),
                ..PostFilterSoFar::default()
            };
        } else {
            self.clear_lower_nominations(&eviction, io);
        }
        self.search_failed(attempt, io);
    }
}

/// The removal goes on in the background.
///
/// QUIRK: kube-scheduler reads how that went when it begins, so it always went well and took no time.
fn note_background<O: Observer>(io: &mut Io<'_, O>) {
    let labels = [("result", "success")];
    io.metric("preemption_goroutines_execution_total", &labels, ONE);
    let time = MetricValue::Time(Span::ZERO);
    io.metric("preemption_goroutines_duration_seconds", &labels, time);
}

fn note_preempted<O: Observer>(eviction: &Eviction, victim: &PodInfo, io: &mut Io<'_, O>) {
    io.event(PodEvent {
        regarding: victim.reference.clone(),
        related: Some(eviction.preemptor.reference.clone()),
        type_: EventType::Normal,
        reason: "Preempted",
        action: "Preempting",
        note: [
            "Preempted by pod ",
            &eviction.preemptor.reference.uid,
            " on node ",
            &eviction.node,
        ]
        .concat(),
        reporting_controller: eviction.profile.clone(),
    });
}
