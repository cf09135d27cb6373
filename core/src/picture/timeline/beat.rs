//! Which moments a person would call one event, and what stands on the time axis.

use alloc::string::String;
use alloc::sync::Arc;

use crate::framework::trace::{ChangeKind, MoveCause, Place, Record};
use crate::snapshot::PodRef;
use crate::time::Timestamp;

use super::{Film, Moment, Thing};

/// What kind of event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BeatKind {
    /// Objects came.
    Arrived,
    /// An object changed so that it can be seen.
    Changed,
    /// An object went.
    Left,
    /// A pod's turn came.
    Popped,
    /// Nodes were filtered.
    Filtered,
    /// Nodes were scored, and one was chosen.
    Scored,
    /// Preemption looked for room.
    Preempting,
    /// The node was reserved; binding began.
    Reserving,
    /// The pod waits for Permit.
    Waiting,
    /// The pod is bound.
    Bound,
    /// The attempt failed.
    Failed,
    /// A pod moved between queues.
    Moved,
}

/// A run of moments that is one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// What kind.
    pub kind: BeatKind,
    /// The moments that had passed before it.
    pub from: usize,
    /// The moments that have passed after it.
    pub to: usize,
    /// Its instant.
    pub at: Timestamp,
    /// Whom it is about.
    pub pod: Option<PodRef>,
    /// The attempt it belongs to, as a place in [`Film::cycles`].
    pub cycle: Option<usize>,
}

impl Beat {
    /// Whether an attempt failed here.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        self.kind == BeatKind::Failed
    }
}

/// How an attempt ended, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Not yet.
    Open,
    /// The pod was bound, at this moment.
    Bound(usize),
    /// The attempt failed, at this moment.
    Failed(usize),
}

/// One attempt.
#[derive(Clone, Debug)]
pub struct CycleSpan {
    /// Its number, from 1.
    pub number: usize,
    /// The moment it began at.
    pub start: usize,
    /// How many moments had passed when its story was over, or nothing more is known of it yet.
    pub end: usize,
    /// Its instant.
    pub at: Timestamp,
    /// The pod.
    pub pod: PodRef,
    /// The pod's workload; `None` if the pod was not observed.
    pub facts: Option<Arc<super::PodFacts>>,
    /// How it ended.
    pub outcome: Outcome,
    /// How many pods were left in activeQ.
    pub depth: usize,
}

/// A move between queues that something caused.
#[derive(Clone, Debug)]
pub struct QueueMove {
    /// The moment.
    pub moment: usize,
    /// Its instant.
    pub at: Timestamp,
    /// How many attempts had begun.
    pub cycles: usize,
    /// The pod.
    pub pod: PodRef,
    /// To where.
    pub to: Place,
    /// The event in the words of the trace.
    pub event: String,
}

impl Film {
    /// Keeps beats, cycles and moves up to date with a moment that is about to be added.
    pub(super) fn note(&mut self, moment: &Moment) {
        let place = self.moments.len();
        self.note_cycle(moment, place);
        self.note_move(moment, place);
        self.note_beat(moment, place);
    }

    fn note_cycle(&mut self, moment: &Moment, place: usize) {
        match &moment.record {
            Record::CycleStarted { pod, .. } => {
                self.latest_cycle.insert(pod.uid.clone(), self.cycles.len());
                self.cycles.push(CycleSpan {
                    number: self.cycles.len() + 1,
                    start: place,
                    end: place + 1,
                    at: moment.at,
                    facts: self.last.pod(&pod.uid).map(|now| now.facts.clone()),
                    pod: pod.clone(),
                    outcome: Outcome::Open,
                    depth: self.last.active,
                });
            }
            Record::Bound { pod, .. } => self.end_cycle(pod, place, Outcome::Bound(place + 1)),
            Record::Failed { pod, .. } => self.end_cycle(pod, place, Outcome::Failed(place + 1)),
            Record::Moved {
                pod,
                cause: MoveCause::AttemptFailed,
                ..
            }
            | Record::Assumed { pod, .. }
            | Record::Binding { pod, .. }
            | Record::PermitWait { pod, .. } => self.stretch_cycle(pod, place),
            Record::PreFiltered { .. }
            | Record::Searched { .. }
            | Record::ExtenderFiltered { .. }
            | Record::PreScored { .. }
            | Record::Scored { .. }
            | Record::Chosen { .. }
            | Record::PostFiltered { .. } => {
                if let Some(cycle) = self.cycles.last_mut() {
                    cycle.end = place + 1;
                }
            }
            Record::Preempted { pod, chosen, .. } => {
                self.stretch_cycle(pod, place);
                if chosen.is_some() {
                    self.preemptions.push(place + 1);
                }
            }
            _ => {}
        }
    }

    fn end_cycle(&mut self, pod: &PodRef, place: usize, outcome: Outcome) {
        self.stretch_cycle(pod, place);
        let cycle = self.latest_cycle.get(&pod.uid);
        if let Some(cycle) = cycle.and_then(|cycle| self.cycles.get_mut(*cycle)) {
            cycle.outcome = outcome;
        }
    }

    /// A cycle's story ends where the next one begins, even if its binding takes longer.
    fn stretch_cycle(&mut self, pod: &PodRef, place: usize) {
        let last = self.cycles.len().checked_sub(1);
        let cycle = self.latest_cycle.get(&pod.uid).copied();
        let cycle = cycle.filter(|cycle| Some(*cycle) == last);
        if let Some(cycle) = cycle.and_then(|cycle| self.cycles.get_mut(cycle)) {
            cycle.end = place + 1;
        }
    }

    fn note_move(&mut self, moment: &Moment, place: usize) {
        let Record::Moved {
            pod,
            from,
            to,
            cause,
            ..
        } = &moment.record
        else {
            return;
        };
        let event = match cause {
            MoveCause::Event { event, .. } | MoveCause::Updated { event, .. } => event.label(),
            MoveCause::BackoffComplete => String::from("BackoffComplete"),
            MoveCause::UnschedulableTimeout => String::from("UnschedulableTimeout"),
            MoveCause::Activated => String::from("ForceActivate"),
            _ => return,
        };
        if from == to || *from == Place::Nowhere {
            return;
        }
        self.moves.push(QueueMove {
            moment: place + 1,
            at: moment.at,
            cycles: self.cycles.len(),
            pod: pod.clone(),
            to: *to,
            event,
        });
    }

    fn note_beat(&mut self, moment: &Moment, place: usize) {
        let Some((kind, pod)) = self.kind_of(moment) else {
            return;
        };
        let is_pop = matches!(moment.record, Record::Moved { .. }) && kind == BeatKind::Popped;
        let cycle = pod
            .and_then(|pod| self.latest_cycle.get(&pod.uid).copied())
            .or_else(|| kind.is_serial().then(|| self.cycles.len().checked_sub(1))?)
            .filter(|_| !is_pop);
        if let Some(last) = self.beats.last_mut() {
            let is_same_pod = match (&last.pod, pod) {
                (Some(one), Some(two)) => one.uid == two.uid,
                (_, None) => true,
                (None, Some(_)) => false,
            };
            let merges = match kind {
                BeatKind::Arrived => last.kind == kind && last.at == moment.at,
                BeatKind::Moved | BeatKind::Changed | BeatKind::Left => false,
                // A pod is popped just before its attempt begins.
                BeatKind::Popped => last.kind == kind && is_same_pod && last.cycle.is_none(),
                _ => last.kind == kind && is_same_pod && last.cycle == cycle,
            };
            let completes = last.kind == BeatKind::Preempting
                && kind == BeatKind::Failed
                && !matches!(moment.record, Record::Failed { .. });
            // Whoever else was asked after the filters, before preemption began.
            let takes_over = last.kind == BeatKind::Failed
                && kind == BeatKind::Preempting
                && is_same_pod
                && last.cycle == cycle
                && matches!(moment.record, Record::Preempted { .. });
            if takes_over {
                last.kind = kind;
            }
            if merges || completes || takes_over {
                last.to = place + 1;
                last.cycle = last.cycle.or(cycle);
                return;
            }
        }
        let pod = pod.cloned().or_else(|| {
            let cycle = self.cycles.get(cycle?)?;
            Some(cycle.pod.clone())
        });
        self.beats.push(Beat {
            kind,
            from: place,
            to: place + 1,
            at: moment.at,
            pod,
            cycle,
        });
    }

    /// The event a record belongs to, and whom it is about; `None` for what cannot be seen.
    fn kind_of<'a>(&self, moment: &'a Moment) -> Option<(BeatKind, Option<&'a PodRef>)> {
        Some(match &moment.record {
            Record::Observed { change, .. } => (self.kind_of_change(moment, *change)?, None),
            Record::Moved { pod, cause, .. } => match cause {
                MoveCause::Created | MoveCause::Gated { .. } => (BeatKind::Arrived, None),
                MoveCause::Popped | MoveCause::PoppedFromBackoff => (BeatKind::Popped, Some(pod)),
                MoveCause::AttemptFailed => (BeatKind::Failed, Some(pod)),
                MoveCause::Done | MoveCause::Deleted => return None,
                _ => (BeatKind::Moved, Some(pod)),
            },
            Record::CycleStarted { pod, .. } => (BeatKind::Popped, Some(pod)),
            Record::PreFiltered { .. }
            | Record::Searched { .. }
            | Record::ExtenderFiltered { .. } => (BeatKind::Filtered, None),
            Record::PreScored { .. } | Record::Scored { .. } => (BeatKind::Scored, None),
            Record::Chosen { pod, .. } => (BeatKind::Scored, Some(pod)),
            // Where nobody could be pushed out there is nothing to see but that the attempt failed.
            Record::Preempted {
                pod, chosen: None, ..
            } => (BeatKind::Failed, Some(pod)),
            Record::Preempted { pod, .. } => (BeatKind::Preempting, Some(pod)),
            Record::PostFiltered { .. } => (BeatKind::Failed, None),
            // A node is also promised while it is reserved, as long as volumes are prepared there.
            Record::Nominated { pod, .. }
                if self.last.pod(&pod.uid).is_some_and(|now| now.on.is_some()) =>
            {
                (BeatKind::Reserving, Some(pod))
            }
            Record::Nominated { pod, .. } | Record::Refused { pod, .. } => {
                (BeatKind::Failed, Some(pod))
            }
            Record::Evicting { by, .. } => (BeatKind::Preempting, Some(by)),
            Record::Assumed { pod, .. }
            | Record::PermitDone { pod, .. }
            | Record::Binding { pod, .. } => (BeatKind::Reserving, Some(pod)),
            Record::PermitWait { pod, .. } => (BeatKind::Waiting, Some(pod)),
            Record::Bound { pod, .. } => (BeatKind::Bound, Some(pod)),
            Record::Failed { pod, .. } => (BeatKind::Failed, Some(pod)),
            _ => return None,
        })
    }

    fn kind_of_change(&self, moment: &Moment, change: ChangeKind) -> Option<BeatKind> {
        match (&moment.thing, change) {
            (Some(Thing::Pod(facts)), ChangeKind::Updated) => {
                let reference = &facts.info.reference;
                let before = self.last.pod_named(&reference.namespace, &reference.name)?;
                let is_bound_already = before.on.as_ref().is_some_and(|(node, standing)| {
                    **node == *facts.pod().spec.node_name && *standing == super::Standing::Bound
                });
                // That a pod has its node is news only if the scheduler did not put it there.
                let is_old_news =
                    is_bound_already && facts.pod().is_terminating() == before.leaving.is_some();
                let is_seen = !before.facts.looks_like(facts) && !is_old_news;
                is_seen.then_some(BeatKind::Changed)
            }
            (Some(Thing::Node(facts)), ChangeKind::Updated) => {
                let before = self.last.node(&facts.name)?;
                (!before.looks_like(facts)).then_some(BeatKind::Changed)
            }
            (Some(_), ChangeKind::Added) => Some(BeatKind::Arrived),
            (Some(_), ChangeKind::Updated) => None,
            (Some(_), ChangeKind::Deleted) => Some(BeatKind::Left),
            (None, _) => None,
        }
    }
}

impl BeatKind {
    /// Whether records of it that name no pod are of the attempt under way.
    const fn is_serial(self) -> bool {
        matches!(
            self,
            Self::Popped
                | Self::Filtered
                | Self::Scored
                | Self::Preempting
                | Self::Reserving
                | Self::Failed
        )
    }

    /// Whether it is a part of an attempt.
    pub(in crate::picture) const fn is_of_cycle(self) -> bool {
        self.is_serial() || matches!(self, Self::Waiting | Self::Bound)
    }
}
