//! What the run looked like at any moment, and which moments matter.
//!
//! A [`Film`] takes in records as they come, with the objects that they speak of. A *moment* is one record; the state
//! after the first *n* moments is a [`Still`]. Keyframes as far apart as the state is large keep both the memory and the
//! time to reach a moment small. A *beat* is a run of moments that a person would call one event; stepping goes from
//! beat to beat.
//!
//! It deliberately does not know how anything looks.

mod beat;
mod cycle;
mod facts;
mod still;

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::{ChangeKind, Record};
use crate::sim::{Simulation, Step};
use crate::snapshot::Listers;
use crate::time::Timestamp;

use super::cast::{Cast, Workload};

pub use beat::{Beat, BeatKind, CycleSpan, Outcome, QueueMove};
pub use cycle::{Attempt, Failure, Phase, Preemption, Scores, Search};
pub use facts::{NodeFacts, PodFacts, natural_order};
pub use still::{Leaving, PodNow, Standing, Still};

/// One record with the object it speaks of.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The instant.
    pub at: Timestamp,
    /// What happened.
    pub record: Record,
    /// The pod or node as it is from here on, if the record is about one.
    pub(super) thing: Option<Thing>,
}

/// What became of an observed object.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    /// A pod as it is now.
    Pod(Arc<PodFacts>),
    /// A node as it is now.
    Node(Arc<NodeFacts>),
    /// A pod is gone.
    GonePod,
    /// A node is gone.
    GoneNode,
}

/// A run as it was recorded.
#[derive(Clone, Debug, Default)]
pub struct Film {
    moments: Vec<Moment>,
    keyframes: Vec<Still>,
    last: Still,
    beats: Vec<Beat>,
    cycles: Vec<CycleSpan>,
    moves: Vec<QueueMove>,
    preemptions: Vec<usize>,
    latest_cycle: BTreeMap<Arc<str>, usize>,
    cast: Cast,
    newcomers: Vec<Workload>,
}

impl Film {
    /// A film of a scenario whose workloads have looks already.
    #[must_use]
    pub fn with_cast(cast: Cast) -> Self {
        Self {
            cast,
            ..Self::default()
        }
    }

    /// Takes in what happened next. `listers` holds the objects as observed by then.
    pub fn push(&mut self, at: Timestamp, record: Record, listers: &Listers) {
        if matches!(record, Record::Metric(_)) {
            return;
        }
        // Workloads that come together get their looks together, whatever the steps a host takes.
        if at > self.last.at || matches!(record, Record::CycleStarted { .. }) {
            self.settle_cast();
        }
        let thing = self.thing_of(&record, listers);
        let moment = Moment { at, record, thing };
        let interval = SHORTEST_INTERVAL.max(self.last.weight());
        let since = self.keyframes.last().map_or(0, |still| still.moment);
        if self.keyframes.is_empty() || self.last.moment - since >= interval {
            self.keyframes.push(self.last.clone());
        }
        self.note(&moment);
        self.last.apply(&moment);
        self.moments.push(moment);
    }

    /// Gives a simulation its next input and takes in what happened.
    pub fn step(&mut self, simulation: &mut Simulation) -> Option<Step> {
        let mut records: Vec<(Timestamp, Record)> = Vec::new();
        let step = simulation.step(&mut records);
        for (at, record) in records {
            self.push(at, record, simulation.scheduler().listers());
        }
        step
    }

    /// Runs a simulation to its end.
    pub fn run(&mut self, simulation: &mut Simulation) {
        while self.step(simulation).is_some() {}
        self.settle_cast();
    }

    /// Gives looks to the workloads that came since the last attempt; for whoever looks before the next one.
    pub fn settle_cast(&mut self) {
        let newcomers = core::mem::take(&mut self.newcomers);
        self.cast.admit(&newcomers);
    }

    fn thing_of(&mut self, record: &Record, listers: &Listers) -> Option<Thing> {
        let Record::Observed {
            kind,
            namespace,
            name,
            change,
            ..
        } = record
        else {
            return None;
        };
        match (*kind, *change) {
            ("Pod", ChangeKind::Deleted) => Some(Thing::GonePod),
            ("Node", ChangeKind::Deleted) => Some(Thing::GoneNode),
            ("Pod", _) => {
                let facts = PodFacts::new(listers.pods.get(namespace, name)?);
                if self.cast.get(&facts.workload.key).is_none() {
                    self.newcomers.push(facts.workload.clone());
                }
                Some(Thing::Pod(Arc::new(facts)))
            }
            ("Node", _) => {
                let node = listers.nodes.get("", name)?;
                Some(Thing::Node(Arc::new(NodeFacts::new(node))))
            }
            _ => None,
        }
    }

    /// How many moments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether nothing has happened yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The state after all moments.
    #[must_use]
    pub const fn last(&self) -> &Still {
        &self.last
    }

    /// The state after `moment` moments, or after all if there are fewer.
    ///
    /// Cost: a copy of the state, and as many small changes at most as the state has things in it.
    #[must_use]
    pub fn at(&self, moment: usize) -> Still {
        let moment = moment.min(self.moments.len());
        if moment == self.moments.len() {
            return self.last.clone();
        }
        let after = self
            .keyframes
            .partition_point(|still| still.moment <= moment);
        let mut still = after
            .checked_sub(1)
            .and_then(|place| self.keyframes.get(place))
            .cloned()
            .unwrap_or_default();
        for passed in self.moments.get(still.moment..moment).unwrap_or_default() {
            still.apply(passed);
        }
        still
    }

    /// One moment; the first is 0.
    #[must_use]
    pub fn moment(&self, place: usize) -> Option<&Moment> {
        self.moments.get(place)
    }

    /// The moments from one place to before another.
    #[must_use]
    pub fn moments(&self, from: usize, to: usize) -> &[Moment] {
        let to = to.min(self.moments.len());
        self.moments.get(from.min(to)..to).unwrap_or_default()
    }

    /// How workloads look.
    #[must_use]
    pub const fn cast(&self) -> &Cast {
        &self.cast
    }

    /// What a person would call events, in order.
    #[must_use]
    pub fn beats(&self) -> &[Beat] {
        &self.beats
    }

    /// The attempts, in order.
    #[must_use]
    pub fn cycles(&self) -> &[CycleSpan] {
        &self.cycles
    }

    /// Moves between queues that something caused, in order.
    #[must_use]
    pub fn moves(&self) -> &[QueueMove] {
        &self.moves
    }

    /// The moments at which preemption chose a node.
    #[must_use]
    pub fn preemptions(&self) -> &[usize] {
        &self.preemptions
    }

    /// The instant of the last moment.
    #[must_use]
    pub const fn end(&self) -> Timestamp {
        self.last.at
    }

    /// How many moments have passed at an instant: all of that instant are in.
    #[must_use]
    pub fn moment_at(&self, at: Timestamp) -> usize {
        self.moments.partition_point(|moment| moment.at <= at)
    }

    /// The attempt that was last begun when `moment` moments had passed.
    #[must_use]
    pub fn cycle_at(&self, moment: usize) -> Option<usize> {
        self.cycles
            .partition_point(|cycle| cycle.start < moment)
            .checked_sub(1)
    }

    /// The beat that the last of `moment` moments belongs to.
    #[must_use]
    pub fn beat_at(&self, moment: usize) -> Option<&Beat> {
        let after = self.beats.partition_point(|beat| beat.from < moment);
        self.beats.get(after.checked_sub(1)?)
    }

    /// How many moments have passed at the end of the next event.
    #[must_use]
    pub fn next_event(&self, moment: usize) -> Option<usize> {
        let after = self.beats.partition_point(|beat| beat.to <= moment);
        self.beats.get(after).map(|beat| beat.to)
    }

    /// How many moments had passed at the end of the event before.
    #[must_use]
    pub fn previous_event(&self, moment: usize) -> Option<usize> {
        let before = self.beats.partition_point(|beat| beat.to < moment);
        self.beats.get(before.checked_sub(1)?).map(|beat| beat.to)
    }

    /// How many moments have passed at the end of the next attempt.
    #[must_use]
    pub fn next_cycle(&self, moment: usize) -> Option<usize> {
        let after = self.cycles.partition_point(|cycle| cycle.end <= moment);
        self.cycles.get(after).map(|cycle| cycle.end)
    }

    /// How many moments had passed at the end of the attempt before.
    #[must_use]
    pub fn previous_cycle(&self, moment: usize) -> Option<usize> {
        let before = self.cycles.partition_point(|cycle| cycle.end < moment);
        let before = before.checked_sub(1)?;
        self.cycles.get(before).map(|cycle| cycle.end)
    }

    /// A moment worth opening at: for `pod`, the end of its last attempt that failed, or of its last attempt; without one,
    /// the first failure, or else the last attempt that some rule had a say in.
    #[must_use]
    pub fn telling_moment(&self, pod: Option<&str>) -> usize {
        let of_pod = |cycle: &&CycleSpan| {
            pod.is_none_or(|pod| *cycle.pod.name == *pod || cycle.pod.to_string() == pod)
        };
        let failed = |cycle: &&CycleSpan| matches!(cycle.outcome, Outcome::Failed(_));
        let mut cycles = self.cycles.iter().filter(of_pod);
        let found = match pod {
            Some(_) => cycles.clone().rfind(failed).or_else(|| cycles.next_back()),
            None => cycles.clone().find(failed).or_else(|| cycles.next_back()),
        };
        found.map_or(self.len(), |cycle| cycle.end)
    }

    /// The end of the last attempt that placed a pod after some gate had cut a node and nodes were scored.
    #[must_use]
    pub fn telling_placement(&self) -> Option<usize> {
        let places = (0..self.cycles.len()).rev();
        let telling = places.filter(|place| {
            let Some(attempt) = self.attempt(*place, usize::MAX) else {
                return false;
            };
            let visits = attempt.search.map_or(&[][..], |search| search.visits);
            let mut rejectors: Vec<&str> = visits
                .iter()
                .filter_map(|visit| visit.rejected.as_ref()?.plugin)
                .map(|plugin| plugin.0)
                .collect();
            rejectors.sort_unstable();
            rejectors.dedup();
            attempt.bound_at.is_some() && attempt.scores.is_some() && rejectors.len() > 1
        });
        telling
            .into_iter()
            .next()
            .and_then(|place| Some(self.cycles.get(place)?.end))
    }

    /// How many moments have passed at the next failure.
    #[must_use]
    #[inline(never)]
    pub fn next_failure(&self, moment: usize) -> Option<usize> {
        let failures = self.beats.iter().filter(|beat| beat.is_failure());
        failures.map(|beat| beat.to).find(|to| *to > moment)
    }

    /// How many moments had passed at the failure before.
    #[must_use]
    pub fn previous_failure(&self, moment: usize) -> Option<usize> {
        let failures = self.beats.iter().rev().filter(|beat| beat.is_failure());
        failures.map(|beat| beat.to).find(|to| *to < moment)
    }
}

/// Keyframes are not closer than this many moments.
const SHORTEST_INTERVAL: usize = 256;

#[cfg(test)]
pub(in crate::picture) mod tests;
