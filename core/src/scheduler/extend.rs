//! When extenders are asked, and what their answers change.
//!
//! An attempt that asks an extender is put on hold; no other attempt begins until the answer has settled, because
//! attempts are serial. Extenders are asked in the order: those that must not fail as configured, then ignorable ones.
//!
//! Source: spec, scheduling cycle 6.8, 6.9, 11, 12.5.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::Extender;
use crate::framework::extender::{ExtenderCall, FilterAnswer, NodeVictims, PreemptAnswer};
use crate::framework::extension::{Candidate, Victims};
use crate::framework::reason::Reason;
use crate::framework::status::{PluginName, Status};
use crate::framework::trace::{Observer, Record};
use crate::framework::work::{Failure, Outcome};
use crate::node_set::NodeIndex;
use crate::order::{self, SortedMap};
use crate::snapshot::PodInfo;

use super::attempt::{Attempt, Paused, Stage};
use super::effect::{Effect, Ticket};
use super::known::Io;
use super::{Awaited, Scheduler};

/// The name under which extenders reject: no plugin has it.
pub(super) const EXTENDER: PluginName = PluginName("Extender");

impl Scheduler {
    /// The extender at a place of the order of asking, with its position in the configuration.
    fn extender(&self, place: usize) -> Option<(usize, &Extender)> {
        let extenders = self.config.extenders.iter().enumerate();
        let (strict, ignorable): (Vec<_>, Vec<_>) =
            extenders.partition(|(_, extender)| !extender.ignorable);
        strict.into_iter().chain(ignorable).nth(place)
    }

    /// The first extender from `place` on that has the verb and is interested in the pod.
    fn next_extender(
        &self,
        pod: &PodInfo,
        place: usize,
        verb: fn(&Extender) -> &str,
    ) -> Option<(usize, usize)> {
        (place..self.config.extenders.len()).find_map(|place| {
            let (position, extender) = self.extender(place)?;
            (!verb(extender).is_empty() && is_interested(extender, pod))
                .then_some((place, position))
        })
    }

    /// Whether the failure of the extender at a place of the order of asking fails nobody.
    pub(super) fn is_ignorable(&self, place: usize) -> bool {
        self.extender(place)
            .is_some_and(|(_, extender)| extender.ignorable)
    }

    /// The first extender from `place` on that binds this pod.
    pub(super) fn bind_extender(&self, pod: &PodInfo, place: usize) -> Option<(usize, usize)> {
        self.next_extender(pod, place, |extender| &extender.bind_verb)
    }

    /// Whether an extender has a say in preemption for this pod.
    pub(super) fn has_preempt_extender(&self, pod: &PodInfo) -> bool {
        self.next_extender(pod, 0, |extender| &extender.preempt_verb)
            .is_some()
    }

    fn ask<O: Observer>(
        &mut self,
        extender: usize,
        call: ExtenderCall,
        io: &mut Io<'_, O>,
    ) -> Ticket {
        let ticket = self.ticket(Awaited::Attempt);
        io.effects.push(Effect::AskExtender {
            ticket,
            extender,
            call,
        });
        ticket
    }

    pub(super) fn node_names(&self, rows: &[NodeIndex]) -> Vec<Arc<str>> {
        rows.iter()
            .map(|row| self.snapshot.name(*row).clone())
            .collect()
    }

    /// The nominated node passed the plugins: asks the filtering extenders about it.
    pub(super) fn nominated_node_fits<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        self.ask_filter_from(attempt, 0, true, io);
    }

    /// Asks the filtering extenders about the feasible nodes, one after another.
    pub(super) fn ask_filter_extenders<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        self.ask_filter_from(attempt, 0, false, io);
    }

    fn ask_filter_from<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        place: usize,
        nominated_only: bool,
        io: &mut Io<'_, O>,
    ) {
        let pod = attempt.queued.pod.clone();
        let next = self.next_extender(&pod, place, |extender| &extender.filter_verb);
        let (Some((asked, extender)), false) = (next, attempt.feasible.is_empty()) else {
            if nominated_only && attempt.feasible.is_empty() {
                return self.search_all(attempt, io);
            }
            return self.feasible_nodes_found(attempt, io);
        };
        let nodes = self.node_names(&attempt.feasible);
        let pod = pod.reference.clone();
        let ticket = self.ask(extender, ExtenderCall::Filter { pod, nodes }, io);
        let stage = if nominated_only {
            Stage::Nominated { asked, ticket }
        } else {
            Stage::Filter { asked, ticket }
        };
        self.paused = Some(Paused { attempt, stage });
    }

    /// An extender answered an attempt on hold.
    #[inline(never)]
    pub(super) fn settle_attempt<O: Observer>(
        &mut self,
        ticket: Ticket,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        let Some(Paused { attempt, stage }) =
            self.paused.take_if(|paused| paused.stage.waits_for(ticket))
        else {
            return;
        };
        match stage {
            Stage::Nominated { asked, .. } => self.filtered(attempt, asked, true, outcome, io),
            Stage::Filter { asked, .. } => self.filtered(attempt, asked, false, outcome, io),
            Stage::Prioritize { waiting } => {
                self.prioritized(attempt, waiting, ticket, outcome, io)
            }
            Stage::Preempt {
                plugin,
                asked,
                candidates,
                ..
            } => self.preempted(attempt, plugin, asked, candidates, outcome, io),
            Stage::Evict => unreachable!("it waits for no call of its own"),
        }
    }

    fn filtered<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        asked: usize,
        nominated_only: bool,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        let result = match outcome {
            Outcome::Filtered(answer) => self.apply_filter_answer(&mut attempt, asked, answer, io),
            other => Err(failure_text(other)),
        };
        match result {
            Ok(()) => {}
            Err(_) if self.is_ignorable(asked) => {}
            Err(message) if nominated_only => {
                io.trouble(|| message);
                attempt.feasible.clear();
                return self.search_all(attempt, io);
            }
            Err(message) => return self.algorithm_failed(attempt, Status::error(message), io),
        }
        self.ask_filter_from(attempt, asked + 1, nominated_only, io);
    }

    fn apply_filter_answer<O: Observer>(
        &self,
        attempt: &mut Attempt,
        asked: usize,
        answer: &FilterAnswer,
        io: &mut Io<'_, O>,
    ) -> Result<(), String> {
        let (_, extender) = self.extender(asked).ok_or_else(String::new)?;
        let before = attempt.feasible.len();
        let mut left = Vec::new();
        for name in answer.nodes.iter().flatten() {
            match self
                .snapshot
                .row(name)
                .filter(|row| attempt.feasible.contains(row))
            {
                Some(row) => left.push(row),
                None => {
                    return Err([
                        "extender \"",
                        &extender.url_prefix,
                        "\" claims a filtered node \"",
                        name,
                        "\" which is not found in the input node list",
                    ]
                    .concat());
                }
            }
        }
        attempt.feasible = left;
        let mut rejected = Vec::new();
        for (name, message) in &answer.failed {
            if !answer.failed_and_unresolvable.contains_key(name) {
                rejected.push((
                    name,
                    Status::unschedulable(Reason::from(message.as_str())).by(EXTENDER),
                ));
            }
        }
        for (name, message) in &answer.failed_and_unresolvable {
            rejected.push((
                name,
                Status::unresolvable(Reason::from(message.as_str())).by(EXTENDER),
            ));
        }
        io.note(|| Record::ExtenderFiltered {
            extender: Arc::from(extender.url_prefix.as_str()),
            left: self.node_names(&attempt.feasible),
            rejected: rejected
                .iter()
                .map(|(name, status)| (Arc::from(name.as_str()), status.clone()))
                .collect(),
        });
        for (name, status) in rejected {
            if let Some(row) = self.snapshot.row(name) {
                attempt.diagnosis.statuses.set(row, status);
            }
        }
        if attempt.feasible.len() != before {
            attempt.diagnosis.unschedulable_plugins.insert(EXTENDER);
        }
        Ok(())
    }

    /// Asks every interested extender that scores, all at once.
    pub(super) fn ask_prioritize_extenders<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        io: &mut Io<'_, O>,
    ) {
        if self.config.extenders.is_empty() {
            return self.choose_host(attempt, io);
        }
        let pod = attempt.queued.pod.clone();
        let nodes = self.node_names(&attempt.feasible);
        let asked: Vec<usize> = (0..self.config.extenders.len())
            .filter_map(|place| self.extender(place))
            .filter(|(_, extender)| {
                !extender.prioritize_verb.is_empty() && is_interested(extender, &pod)
            })
            .map(|(position, _)| position)
            .collect();
        let mut waiting = SortedMap::new();
        for position in asked {
            let (pod, nodes) = (pod.reference.clone(), nodes.clone());
            waiting.insert(
                self.ask(position, ExtenderCall::Prioritize { pod, nodes }, io),
                position,
            );
        }
        if waiting.is_empty() {
            return self.choose_host(attempt, io);
        }
        self.paused = Some(Paused {
            attempt,
            stage: Stage::Prioritize { waiting },
        });
    }

    fn prioritized<O: Observer>(
        &mut self,
        mut attempt: Box<Attempt>,
        mut waiting: SortedMap<Ticket, usize>,
        ticket: Ticket,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        if let (Some(position), Outcome::Prioritized(scores)) = (waiting.remove(&ticket), outcome) {
            attempt.priorities.insert(position, scores.clone());
        }
        if waiting.is_empty() {
            return self.choose_host(attempt, io);
        }
        self.paused = Some(Paused {
            attempt,
            stage: Stage::Prioritize { waiting },
        });
    }

    /// What extenders add to each feasible node: `None` for a node that none has scored. Empty without extenders.
    ///
    /// QUIRK: an interested extender without a prioritize verb scores every node 0, which is a score all the same.
    pub(super) fn extender_contributions(&self, attempt: &Attempt) -> Vec<Option<i64>> {
        if self.config.extenders.is_empty() {
            return Vec::new();
        }
        let mut sums: Vec<Option<i64>> = alloc::vec![None; attempt.feasible.len()];
        for (position, extender) in self.config.extenders.iter().enumerate() {
            if !is_interested(extender, &attempt.queued.pod) {
                continue;
            }
            if extender.prioritize_verb.is_empty() {
                sums.iter_mut()
                    .for_each(|sum| *sum = Some(sum.unwrap_or(0)));
                continue;
            }
            for entry in attempt.priorities.get(&position).into_iter().flatten() {
                let row = self.snapshot.row(&entry.host);
                let place =
                    row.and_then(|row| attempt.feasible.iter().position(|other| *other == row));
                if let Some(sum) = place.and_then(|place| sums.get_mut(place)) {
                    let worth = entry
                        .score
                        .saturating_mul(extender.weight)
                        .saturating_mul(EXTENDER_SCALE);
                    *sum = Some(sum.unwrap_or(0).saturating_add(worth));
                }
            }
        }
        sums
    }

    /// Asks the next extender with a say in preemption about the candidates that are left.
    pub(super) fn ask_preempt_extenders<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        plugin: PluginName,
        place: usize,
        candidates: Vec<Candidate>,
        io: &mut Io<'_, O>,
    ) {
        let pod = attempt.queued.pod.clone();
        let next = self.next_extender(&pod, place, |extender| &extender.preempt_verb);
        let (Some((asked, extender)), false) = (next, candidates.is_empty()) else {
            return self.choose_candidate(attempt, plugin, Ok(candidates), io);
        };
        let by_node = order::collect(candidates.iter().map(|candidate| {
            let victims = NodeVictims {
                pods: candidate
                    .victims
                    .pods
                    .iter()
                    .map(|pod| String::from(&*pod.reference.uid))
                    .collect(),
                pdb_violations: u32::try_from(candidate.victims.pdb_violations).unwrap_or(u32::MAX),
            };
            (candidate.node.clone(), victims)
        }));
        let call = ExtenderCall::Preempt {
            pod: pod.reference.clone(),
            candidates: by_node,
        };
        let ticket = self.ask(extender, call, io);
        self.paused = Some(Paused {
            attempt,
            stage: Stage::Preempt {
                plugin,
                asked,
                ticket,
                candidates,
            },
        });
    }

    fn preempted<O: Observer>(
        &mut self,
        attempt: Box<Attempt>,
        plugin: PluginName,
        asked: usize,
        candidates: Vec<Candidate>,
        outcome: &Outcome,
        io: &mut Io<'_, O>,
    ) {
        let result = match outcome {
            Outcome::Preempted(answer) => self.candidates_left(asked, answer),
            other => Err(failure_text(other)),
        };
        match result {
            Ok(left) => self.ask_preempt_extenders(attempt, plugin, asked + 1, left, io),
            Err(_) if self.is_ignorable(asked) => {
                self.ask_preempt_extenders(attempt, plugin, asked + 1, candidates, io);
            }
            Err(message) => self.choose_candidate(attempt, plugin, Err(Status::error(message)), io),
        }
    }

    fn candidates_left(
        &self,
        asked: usize,
        answer: &PreemptAnswer,
    ) -> Result<Vec<Candidate>, String> {
        let (_, extender) = self.extender(asked).ok_or_else(String::new)?;
        let mut left = Vec::new();
        for (name, victims) in &answer.0 {
            let Some(row) = self.snapshot.row(name) else {
                return Err(["nodeinfo not found for node name \"", name, "\""].concat());
            };
            if victims.pods.is_empty() {
                if extender.ignorable {
                    continue;
                }
                return Err(["expected at least one victim pod on node \"", name, "\""].concat());
            }
            let on_node = &self.snapshot.node(row).pods;
            let mut pods = Vec::new();
            for uid in &victims.pods {
                match on_node.iter().find(|pod| *pod.reference.uid == **uid) {
                    Some(pod) => pods.push(pod.clone()),
                    None => {
                        return Err([
                            "extender: ",
                            &extender.url_prefix,
                            " claims to preempt pod (UID: ",
                            uid,
                            ") on node: ",
                            name,
                            ", but the pod is not found on that node",
                        ]
                        .concat());
                    }
                }
            }
            left.push(Candidate {
                node: self.snapshot.name(row).clone(),
                victims: Victims {
                    pods,
                    pdb_violations: usize::try_from(victims.pdb_violations).unwrap_or(usize::MAX),
                },
            });
        }
        Ok(left)
    }
}

/// An extender is interested in every pod, or in those that name one of its resources.
fn is_interested(extender: &Extender, pod: &PodInfo) -> bool {
    let managed = &extender.managed_resources;
    managed.is_empty()
        || pod.pod.spec.all_containers().any(|container| {
            let named = |name: &str| managed.iter().any(|resource| resource.name == name);
            let (requests, limits) = (&container.resources.requests, &container.resources.limits);
            requests.keys().chain(limits.keys()).any(|name| named(name))
        })
}

fn failure_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(Failure { message, .. }) => message.clone(),
        _ => String::from("the extender answered another question"),
    }
}

/// An extender's 0 to 10 against a plugin's 0 to 100.
const EXTENDER_SCALE: i64 = 10;
