//! What happens in the world at one instant, and what becomes of effects.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::api::decode::Origin;
use crate::api::{Kind, Object, ObjectKey};
use crate::framework::extender::ExtenderCall;
use crate::framework::trace::Observer;
use crate::framework::work::Outcome;
use crate::scheduler::{Effect, Input};
use crate::snapshot::PodRef;
use crate::time::{Span, Timestamp};

use super::super::digest::Fnv;
use super::super::error::{Fault, Faults, InputError};
use super::super::expand::expand;
use super::super::faults::FaultOutcome;
use super::super::scenario::{Action, key_of};
use super::super::{controllers, extenders, kubelet};
use super::{Delayed, Simulation};

impl Simulation {
    /// Lets one thing happen that is due now: a pod begins to run or is gone, or an effect that took time is done. Says
    /// whether there was one.
    pub(super) fn happen(&mut self) -> bool {
        if kubelet::run_due(&mut self.world) {
            self.after_change();
            return true;
        }
        let Some(entry) = self.delayed.first_entry() else {
            return false;
        };
        if entry.key().0 > self.now {
            return false;
        }
        let Delayed { effect, strike } = entry.remove();
        self.carry_out(&effect, strike);
        true
    }

    /// Lets the next entry of the timeline take place, if it is due. Says whether it was.
    pub(super) fn take_entry(&mut self) -> bool {
        let timeline = Arc::clone(&self.timeline);
        let Some(entry) = timeline.get(self.next_entry) else {
            return false;
        };
        if entry.at > self.now {
            return false;
        }
        self.is_timelines_turn = false;
        self.next_entry += 1;
        self.act(&entry.action, &entry.origin);
        self.after_change();
        true
    }

    /// Lets the controllers look at what changed. Says whether something had.
    pub(super) fn sync_controllers(&mut self) -> bool {
        if !self.world.is_touched() {
            return false;
        }
        controllers::sync(&mut self.world, &self.settings);
        self.after_change();
        true
    }

    /// Has the watch tell the scheduler what changed.
    fn after_change(&mut self) {
        for change in self.world.take_changes() {
            self.stats.observe(&change, self.now);
            self.inbox.push_back(Input::Observe(change));
        }
    }

    #[inline(never)]
    fn act(&mut self, action: &Action, origin: &Origin) {
        match action {
            Action::Apply(entries) => {
                let (placed, errors) = expand(entries);
                let refused = self.refused.len();
                self.refused.extend(errors);
                let mut before = Vec::new();
                for placed in placed {
                    let key = key_of(&placed.object);
                    before.push((key.clone(), self.world.get(&key).cloned()));
                    if let Err(faults) = self.world.apply(placed.object) {
                        self.refuse(&placed.origin, &key, faults);
                    } else {
                        self.start_if_assigned(&key);
                    }
                }
                // Several objects come whole or not at all.
                if self.refused.len() > refused {
                    self.world.take_back(before);
                }
            }
            // Whether an object is still there, or already, is for the run to decide: that is worth a word and no more.
            Action::Patch { key, .. } if self.world.get(key).is_none() => {
                self.note_absent(origin, key, "patch");
            }
            Action::Delete { key, .. } if self.world.get(key).is_none() => {
                self.note_absent(origin, key, "delete");
            }
            Action::Patch {
                key,
                subresource,
                patch,
            } => {
                let result = self.world.patch(key, *subresource, patch, decode);
                if let Err(faults) = result {
                    let mut origin = origin.clone();
                    // A field stands in the patch, what is wrong with the whole in the entry.
                    if faults.iter().all(|fault| !fault.path.is_root()) {
                        origin.path = origin.path.field("patch").field("patch");
                    }
                    self.refuse(&origin, key, faults);
                }
            }
            Action::Delete { key, grace_seconds } => {
                if let Err(faults) = self.world.delete(key, *grace_seconds) {
                    self.refuse(origin, key, faults);
                }
            }
        }
    }

    /// Notes that an entry changed nothing, because its object does not exist at this instant.
    #[inline(never)]
    fn note_absent(&mut self, origin: &Origin, key: &ObjectKey, verb: &str) {
        let at = self.now - Timestamp::ZERO;
        let what = format!("does not exist at {at}: nothing to {verb}");
        self.world
            .note_trouble_at(origin.place(), key.to_string(), what);
    }

    /// Takes an effect over from the scheduler.
    pub(super) fn accept<O: Observer>(&mut self, effect: Effect, observer: &mut O) {
        self.add_to_digest(&effect);
        self.stats.take_effect(&effect, self.now);
        if effect.ticket().is_none() {
            return;
        }
        let now = self.now;
        let strike = self.faults.strike(now, &effect, |record| {
            observer.note(now, || record);
        });
        let (outcome, delay) = strike.map_or((FaultOutcome::None, Span::ZERO), |strike| {
            (strike.outcome, strike.delay)
        });
        let own = match &effect {
            Effect::Bind { .. } => self.settings.bind_latency,
            _ => Span::ZERO,
        };
        let delay = own + delay;
        if delay.is_zero() && outcome == FaultOutcome::None {
            self.outbox.push_back(effect);
            return;
        }
        self.next_number += 1;
        let strike = outcome;
        self.delayed
            .insert((now + delay, self.next_number), Delayed { effect, strike });
    }

    /// Does what an effect says, as far as a fault lets it, and has the scheduler told what came of it.
    pub(super) fn carry_out(&mut self, effect: &Effect, strike: FaultOutcome) {
        let Some(ticket) = effect.ticket() else {
            return;
        };
        let is_done = matches!(strike, FaultOutcome::None | FaultOutcome::LostAnswer);
        let mut outcome = match effect {
            Effect::AskExtender { call, .. } if self.settings.answers_extenders => {
                if is_done {
                    self.answer(call)
                } else {
                    Outcome::Done
                }
            }
            Effect::AskExtender { .. } => FaultOutcome::Unreachable
                .failure(effect)
                .unwrap_or(Outcome::Done),
            _ if is_done => self.world.perform(effect),
            _ => Outcome::Done,
        };
        if let Effect::Bind { pod, .. } = effect
            && outcome == Outcome::Done
            && is_done
        {
            self.bound(pod);
        }
        if let Some(failure) = strike.failure(effect) {
            outcome = failure;
        }
        self.inbox.push_back(Input::Settle { ticket, outcome });
        self.after_change();
    }

    /// What an extender says that is reached. One that binds asks the API server to.
    #[inline(never)]
    fn answer(&mut self, call: &ExtenderCall) -> Outcome {
        if let Some(answer) = extenders::answer(call) {
            return answer;
        }
        let ExtenderCall::Bind { pod, node } = call else {
            return Outcome::Done;
        };
        let outcome = self.world.bind_for_extender(pod, node);
        if outcome == Outcome::Done {
            self.bound(pod);
        }
        outcome
    }

    fn bound(&mut self, pod: &PodRef) {
        let key = ObjectKey::new(Kind::Pod, &*pod.namespace, &*pod.name);
        self.stats.bound(&key, self.now);
        if self.settings.runs_kubelet {
            kubelet::pod_bound(&mut self.world, &key, self.settings.pod_start_delay);
        }
    }

    /// What an effect decides goes into the fingerprint, with its instant; identities and tickets do not.
    fn add_to_digest(&mut self, effect: &Effect) {
        let digest = &mut self.digest;
        digest.write_u64(self.now.as_micros().cast_unsigned());
        match effect {
            Effect::Bind { pod: who, node, .. } => {
                pod(digest, 1, who);
                digest.write_str(node);
            }
            Effect::PatchPodStatus {
                pod: who,
                condition,
                nominated_node_name,
                ..
            } => {
                pod(digest, 2, who);
                if let Some(condition) = condition {
                    let parts = [
                        &condition.type_,
                        &condition.status,
                        &condition.reason,
                        &condition.message,
                    ];
                    parts.iter().for_each(|part| digest.write_str(part));
                }
                if let Some(node) = nominated_node_name {
                    digest.write_u64(1);
                    digest.write_str(node);
                }
            }
            Effect::DeletePod {
                pod: who,
                preemptor,
                ..
            } => {
                pod(digest, 3, who);
                pod(digest, 3, preemptor);
            }
            Effect::UpdateVolumes {
                volumes, claims, ..
            } => {
                digest.write_u64(4);
                for volume in volumes {
                    digest.write_str(&volume.metadata.name);
                }
                for claim in claims {
                    digest.write_str(&claim.metadata.namespace);
                    digest.write_str(&claim.metadata.name);
                }
            }
            Effect::UpdateResourceClaim { claim, .. } => {
                digest.write_u64(5);
                digest.write_str(&claim.metadata.namespace);
                digest.write_str(&claim.metadata.name);
            }
            Effect::AskExtender { extender, .. } => {
                digest.write_u64(6);
                digest.write_u64(*extender as u64);
            }
            Effect::UnreserveResourceClaim {
                claim, pod: who, ..
            } => {
                pod(digest, 8, who);
                digest.write_str(&claim.metadata.namespace);
                digest.write_str(&claim.metadata.name);
            }
            Effect::RecordEvent { event } => {
                pod(digest, 7, &event.regarding);
                digest.write_str(event.reason);
                digest.write_str(&without_uid(&event.note));
            }
        }
    }
}

/// Which pod an effect is about, after what kind of effect it is.
fn pod(digest: &mut Fnv, tag: u64, pod: &PodRef) {
    digest.write_u64(tag);
    digest.write_str(&pod.namespace);
    digest.write_str(&pod.name);
}

/// A note without the identity of the preemptor: identities are made up, and a printed cluster has its own.
fn without_uid(note: &str) -> alloc::string::String {
    match note.strip_prefix("Preempted by pod ") {
        Some(rest) => rest
            .split_once(' ')
            .map_or_else(|| note.to_string(), |(_, rest)| rest.to_string()),
        None => note.to_string(),
    }
}

/// Reads a patched object.
fn decode(_kind: Kind, value: &serde_json::Value) -> Result<Object, Faults> {
    Object::from_value(value).map_err(|error| {
        vec![Fault::new(
            error.path.clone(),
            InputError::Unreadable(error.error),
        )]
    })
}
