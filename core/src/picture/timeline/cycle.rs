//! One attempt, gathered from its records.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{Choice, Criterion, DryRun, Place, Record, ScoreColumn, Visit};
use crate::snapshot::PodRef;
use crate::time::Timestamp;

use super::{Film, Moment};

/// How far an attempt has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The pod's turn came.
    Popped,
    /// Nodes were filtered.
    Filtered,
    /// Nodes were scored, one is chosen.
    Chosen,
    /// The node is reserved for it.
    Reserved,
    /// It waits for Permit.
    Waiting,
    /// It is being bound.
    Binding,
    /// It is bound.
    Bound,
    /// Preemption looked for room.
    Preempting,
    /// The attempt failed.
    Failed,
}

/// One search over nodes.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The moment of its record.
    pub moment: usize,
    /// Position in the list at which it began.
    pub start: usize,
    /// How many nodes it could visit.
    pub listed: usize,
    /// How many feasible nodes it looked for.
    pub wanted: usize,
    /// The visited nodes in order.
    pub visits: &'a [Visit],
    /// Filter plugins that PreFilter had turned off.
    pub skipped: &'a [PluginName],
    /// Filter plugins in the order in which each node met them.
    pub plugins: &'a [PluginName],
    /// Whether only the nominated node was asked.
    pub nominated_only: bool,
}

/// An extender with the nodes it rejected and why.
pub(super) type ExtenderCut<'a> = (&'a Arc<str>, &'a [(Arc<str>, Status)]);

/// What a Score step found.
#[derive(Clone, Copy, Debug)]
pub struct Scores<'a> {
    /// The moment of its record.
    pub moment: usize,
    /// The feasible nodes.
    pub nodes: &'a [Arc<str>],
    /// One column a plugin.
    pub columns: &'a [ScoreColumn],
    /// What extenders added.
    pub extenders: &'a [i64],
    /// Totals.
    pub totals: &'a [i64],
}

/// What preemption found.
#[derive(Clone, Copy, Debug)]
pub struct Preemption<'a> {
    /// The moment of its record.
    pub moment: usize,
    /// Dry runs in order.
    pub dry_runs: &'a [DryRun],
    /// Criteria in order.
    pub criteria: &'a [Criterion],
    /// The chosen node.
    pub chosen: Option<&'a Arc<str>>,
    /// Who must go from it.
    pub victims: &'a [PodRef],
}

impl<'a> Preemption<'a> {
    /// What a record of preemption says; `None` for other records.
    fn of(record: &'a Record, moment: usize) -> Option<Self> {
        let Record::Preempted {
            dry_runs,
            criteria,
            chosen,
            victims,
            ..
        } = record
        else {
            return None;
        };
        Some(Self {
            moment,
            dry_runs,
            criteria,
            chosen: chosen.as_ref(),
            victims,
        })
    }
}

/// An attempt as far as it had come at a moment.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// Its place in [`Film::cycles`].
    pub place: usize,
    /// Its number, from 1.
    pub number: usize,
    /// The moment it began at.
    pub start: usize,
    /// Its instant.
    pub at: Timestamp,
    /// The pod.
    pub pod: &'a PodRef,
    /// Which attempt of the pod.
    pub attempt: u32,
    /// The profile.
    pub profile: &'a str,
    /// How many nodes the snapshot lists.
    pub nodes: usize,
    /// How far it has come.
    pub phase: Phase,
    /// PreFilter plugins with their answers and how many nodes they narrowed the search to.
    pub pre_filter: Vec<(PluginName, &'a Status, Option<usize>)>,
    /// The last search.
    pub search: Option<Search<'a>>,
    /// What extenders rejected: the extender, and nodes with their statuses.
    pub extenders: Vec<ExtenderCut<'a>>,
    /// PreScore plugins that skip.
    pub score_skipped: Vec<PluginName>,
    /// Scores.
    pub scores: Option<Scores<'a>>,
    /// The choice, with nodes evaluated and feasible.
    pub choice: Option<(&'a Choice, usize, usize)>,
    /// The moment of the choice.
    pub chosen_at: Option<usize>,
    /// PostFilter plugins with their answers.
    pub post_filter: Vec<(PluginName, &'a Status)>,
    /// Preemption.
    pub preemption: Option<Preemption<'a>>,
    /// Where the pod was nominated to.
    pub nominated: Option<&'a Arc<str>>,
    /// The refusal of a plugin after the choice: the point and the answer.
    pub refused: Option<(&'static str, &'a Status)>,
    /// Who asks the pod to wait, and until when.
    pub waits: &'a [(PluginName, Timestamp)],
    /// The end of a failed attempt: code, message, rejectors, and its moment.
    pub failure: Option<Failure<'a>>,
    /// Where the failed pod went, and until when it backs off.
    pub went_to: Option<(Place, Option<Timestamp>)>,
    /// The moment at which the API server was asked to bind it.
    pub binding_at: Option<usize>,
    /// The moment at which the pod was bound.
    pub bound_at: Option<usize>,
    /// The number drawn to choose among ties.
    pub drawn: Option<u64>,
}

/// How a failed attempt ended.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// The moment of its record.
    pub moment: usize,
    /// Unschedulable, or an error.
    pub code: Code,
    /// The whole text.
    pub message: &'a Arc<str>,
    /// Plugins that rejected the pod.
    pub rejectors: &'a [PluginName],
}

impl Film {
    /// The attempt at `place` as far as it had come when `moment` moments had passed.
    #[must_use]
    pub fn attempt(&self, place: usize, moment: usize) -> Option<Attempt<'_>> {
        let span = self.cycles().get(place)?;
        let next = self.cycles().get(place + 1);
        let serial_end = next.map_or(self.len(), |next| next.start).min(moment);
        let first = self.moment(span.start)?;
        let Record::CycleStarted {
            pod,
            attempt,
            profile,
            nodes,
            ..
        } = &first.record
        else {
            return None;
        };
        let mut gathered = Attempt {
            place,
            number: span.number,
            start: span.start,
            at: first.at,
            pod,
            attempt: *attempt,
            profile,
            nodes: *nodes,
            phase: Phase::Popped,
            pre_filter: Vec::new(),
            search: None,
            extenders: Vec::new(),
            score_skipped: Vec::new(),
            scores: None,
            choice: None,
            chosen_at: None,
            post_filter: Vec::new(),
            preemption: None,
            nominated: None,
            refused: None,
            waits: &[],
            failure: None,
            went_to: None,
            binding_at: None,
            bound_at: None,
            drawn: None,
        };
        let end = match span.outcome {
            super::Outcome::Bound(end) | super::Outcome::Failed(end) => end.max(serial_end),
            super::Outcome::Open => serial_end,
        };
        let moments = self.moments(span.start + 1, end.min(moment));
        for (offset, passed) in moments.iter().enumerate() {
            let number = span.start + 1 + offset;
            if number < serial_end {
                gathered.take_serial(passed, number);
            }
            gathered.take_own(passed, number);
        }
        Some(gathered)
    }
}

impl<'a> Attempt<'a> {
    /// Takes in a record that names no pod: it is of the attempt under way.
    fn take_serial(&mut self, moment: &'a Moment, number: usize) {
        match &moment.record {
            Record::PreFiltered {
                plugin,
                status,
                narrowed_to,
            } => self.pre_filter.push((*plugin, status, *narrowed_to)),
            Record::Searched {
                start,
                listed,
                wanted,
                visits,
                skipped,
                plugins,
                nominated_only,
            } => {
                self.phase = self.phase.max(Phase::Filtered);
                self.search = Some(Search {
                    moment: number,
                    start: *start,
                    listed: *listed,
                    wanted: *wanted,
                    visits,
                    skipped,
                    plugins,
                    nominated_only: *nominated_only,
                });
            }
            Record::ExtenderFiltered {
                extender, rejected, ..
            } => self.extenders.push((extender, rejected)),
            Record::PreScored { plugin, code } if *code == Code::Skip => {
                self.score_skipped.push(*plugin);
            }
            Record::Scored {
                nodes,
                columns,
                extenders,
                totals,
            } => {
                self.scores = Some(Scores {
                    moment: number,
                    nodes,
                    columns,
                    extenders,
                    totals,
                });
            }
            Record::Drawn {
                purpose: "tie",
                value,
                ..
            } => self.drawn = Some(*value),
            Record::PostFiltered { plugin, status, .. } => {
                self.post_filter.push((*plugin, status));
            }
            _ => {}
        }
    }

    /// Takes in a record that names the pod.
    fn take_own(&mut self, moment: &'a Moment, number: usize) {
        let uid = &self.pod.uid;
        match &moment.record {
            Record::Chosen {
                pod,
                choice,
                evaluated,
                feasible,
            } if pod.uid == *uid => {
                self.phase = Phase::Chosen;
                self.chosen_at = Some(number);
                self.choice = Some((choice, *evaluated, *feasible));
            }
            Record::Preempted { pod, .. } if pod.uid == *uid => {
                self.phase = Phase::Preempting;
                let before = self.preemption.take();
                self.preemption = Preemption::of(&moment.record, number);
                // Where extenders are consulted, the choice comes later than the dry runs, without them.
                if let (Some(now), Some(before)) = (&mut self.preemption, before)
                    && now.dry_runs.is_empty()
                {
                    now.dry_runs = before.dry_runs;
                }
            }
            Record::Nominated { pod, node } if pod.uid == *uid => self.nominated = node.as_ref(),
            Record::Refused { pod, point, status } if pod.uid == *uid => {
                self.refused = Some((point, status));
            }
            Record::Assumed { pod, .. } if pod.uid == *uid => self.phase = Phase::Reserved,
            Record::PermitWait { pod, plugins, .. } if pod.uid == *uid => {
                self.phase = Phase::Waiting;
                self.waits = plugins;
            }
            Record::Binding { pod, .. } if pod.uid == *uid => {
                self.phase = Phase::Binding;
                self.binding_at = Some(number);
            }
            Record::Bound { pod, .. } if pod.uid == *uid => {
                self.phase = Phase::Bound;
                self.bound_at = Some(number);
            }
            Record::Failed {
                pod,
                code,
                message,
                rejectors,
                ..
            } if pod.uid == *uid => {
                self.phase = Phase::Failed;
                self.failure = Some(Failure {
                    moment: number,
                    code: *code,
                    message,
                    rejectors,
                });
            }
            Record::Moved {
                pod,
                to,
                backoff_until,
                ..
            } if pod.uid == *uid && self.failure.is_some() && self.went_to.is_none() => {
                self.went_to = Some((*to, *backoff_until));
            }
            _ => {}
        }
    }
}
