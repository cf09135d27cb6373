//! A run: the simulated world, the scheduler and a virtual clock, one input after another.
//!
//! What is present at the start is observed before the first cycle: nodes, then other objects, then pods, each in the
//! order of the file. At any instant things happen in this order, as long as there is something to do:
//!
//! 1. the scheduler is told what changed, and what came of its effects;
//! 2. pods begin to run or are gone, and effects that took time are done;
//! 3. the controllers look at what changed, unless effects are waiting to be carried out;
//! 4. an entry of the timeline takes place, if it is its turn;
//! 5. the scheduler tries pods until it has none to try;
//! 6. effects that take no time are carried out, in the order in which they left the scheduler;
//! 7. the scheduler's timers run.
//!
//! Several entries of one instant are the calls of one client, which wait for each other; the scheduler waits in the same
//! way when it writes the status of a pod that it could not place, and for nothing else. So between two entries the
//! scheduler tries pods until it has made such a call or has none to try.
//!
//! Then the clock jumps to the next instant at which something is due. Nothing else drives a run, so a clone of it goes on
//! exactly as the original does.

mod happen;
mod stats;

use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey, Time};
use crate::config::{ConfigError, Configuration};
use crate::framework::registry::Registry;
use crate::framework::trace::Observer;
use crate::order;
use crate::scheduler::{Change, Effect, Input, InputKind, Scheduler};
use crate::time::{Span, Timestamp};

use super::controllers;
use super::digest::Fnv;
use super::error::Fault;
use super::expand::{Placed, expand};
use super::faults::Faults;
use super::locate::Refusal;
use super::scenario::{Scenario, TimelineEntry};
use super::settings::Settings;
use super::world::World;

pub use stats::{EventRecord, PodStats};

/// A scenario that is being run. A clone is a fork.
#[derive(Clone, Debug)]
pub struct Simulation {
    world: World,
    scheduler: Scheduler,
    settings: Settings,
    faults: Faults,
    /// When the run ends at the latest.
    until: Timestamp,
    /// Whether it ends earlier when nothing more can change.
    ends_early: bool,
    now: Timestamp,
    /// What the scheduler is told next.
    inbox: VecDeque<Input>,
    /// Effects that take no time, in the order in which they left.
    outbox: VecDeque<Effect>,
    /// Effects that take time, by the instant at which they are done and their number.
    delayed: BTreeMap<(Timestamp, u64), Delayed>,
    next_number: u64,
    timeline: Arc<Vec<TimelineEntry>>,
    next_entry: usize,
    /// Whether the scheduler has waited for a call since the last entry of the timeline.
    is_timelines_turn: bool,
    refused: Vec<Refusal>,
    stats: stats::Stats,
    digest: Fnv,
    steps: u64,
    is_over: bool,
}

/// An effect that is under way, and what a fault will make of it.
#[derive(Clone, Debug)]
struct Delayed {
    effect: Effect,
    strike: super::faults::FaultOutcome,
}

/// What a step was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub at: Timestamp,
    /// What the scheduler was given.
    pub input: InputKind,
}

impl Simulation {
    /// The run of a scenario, before its first step.
    ///
    /// Objects that the API server refuses are left out and listed in [`Simulation::refused`]; who wants all or nothing
    /// looks there before the first step.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration.
    pub fn new(
        scenario: &Scenario,
        configuration: Configuration,
        registry: &Registry,
    ) -> Result<Self, ConfigError> {
        let settings = scenario.settings.clone();
        let (objects, refused) = expand(&scenario.objects);
        let epoch = epoch(&objects);
        let world = World::new(configuration.gates, epoch);
        let mut scheduler = Scheduler::new(configuration, registry, scenario.seed)?;
        scheduler.set_tie_rule(settings.ties);
        let until = scenario.until.unwrap_or(LONGEST);
        let mut simulation = Self {
            world,
            scheduler,
            faults: Faults::new(settings.faults.clone(), scenario.seed),
            settings,
            until: Timestamp::ZERO + until,
            ends_early: scenario.until.is_none(),
            now: Timestamp::ZERO,
            inbox: VecDeque::new(),
            outbox: VecDeque::new(),
            delayed: BTreeMap::new(),
            next_number: 0,
            timeline: Arc::new(scenario.timeline.clone()),
            next_entry: 0,
            is_timelines_turn: true,
            refused,
            stats: stats::Stats::default(),
            digest: Fnv::new(),
            steps: 0,
            is_over: false,
        };
        simulation.load(objects);
        Ok(simulation)
    }

    /// Makes everything that is there at the start and lets the controllers do their part.
    fn load(&mut self, mut objects: Vec<Placed>) {
        order::sort_by_key(&mut objects, |placed| rank(placed.object.kind()));
        for placed in objects {
            let key = super::scenario::key_of(&placed.object);
            match self.world.create(placed.object) {
                Ok(()) => self.start_if_assigned(&key),
                Err(faults) => self.refuse(&placed.origin, &key, faults),
            }
        }
        controllers::sync(&mut self.world, &self.settings);
        // A watch begins with a list: each object once, as it is when the list is made.
        let mut seen = alloc::collections::BTreeSet::new();
        let mut keys: Vec<ObjectKey> = Vec::new();
        for change in self.world.take_changes() {
            let key = match change {
                Change::Applied(object) => object.key(),
                Change::Deleted(key) => key,
            };
            if seen.insert(key.clone()) {
                keys.push(key);
            }
        }
        order::sort_by_key(&mut keys, |key| match key.kind {
            Kind::Node => 0,
            Kind::Pod => 2,
            _ => 1,
        });
        for key in keys {
            let Some(object) = self.world.get(&key).cloned() else {
                continue;
            };
            if matches!(&object, Object::Pod(pod) if pod.is_finished()) {
                continue;
            }
            self.stats
                .observe(&Change::Applied(object.clone()), self.now);
            self.inbox
                .push_back(Input::Observe(Change::Applied(object)));
        }
    }

    /// A pod that comes with a node is taken as running there.
    fn start_if_assigned(&mut self, key: &ObjectKey) {
        let Some(Object::Pod(pod)) = self.world.get(key) else {
            return;
        };
        if pod.is_assigned() && pod.status.phase == "Pending" && self.settings.runs_kubelet {
            let mut pod = pod.clone();
            Arc::make_mut(&mut pod).status.phase = "Running".to_string();
            self.world.write(Object::Pod(pod));
        }
    }

    fn refuse(&mut self, origin: &crate::api::decode::Origin, key: &ObjectKey, faults: Vec<Fault>) {
        for fault in faults {
            // What is wrong with a template is said of one object of the group.
            let before = self.refused.iter().rev();
            let mut before = before.take_while(|other| other.origin == *origin);
            let object = key.to_string();
            if before.any(|other| other.fault.path == fault.path && other.object != object) {
                continue;
            }
            self.refused.push(Refusal {
                origin: origin.clone(),
                object,
                fault,
            });
        }
    }

    /// Gives the scheduler its next input. Nothing is left to do when none comes out.
    pub fn step<O: Observer>(&mut self, observer: &mut O) -> Option<Step> {
        self.step_until(Timestamp::MAX, observer)
    }

    /// Gives the scheduler its next input, if it is due at `horizon` or before. The clock does not pass the horizon.
    pub fn step_until<O: Observer>(
        &mut self,
        horizon: Timestamp,
        observer: &mut O,
    ) -> Option<Step> {
        while !self.is_over {
            if let Some(input) = self.next_input() {
                return Some(self.give(input, observer));
            }
            match self.next_instant() {
                Some(next) if next > horizon => return None,
                Some(next) => {
                    self.now = next.max(self.now);
                    self.world.set_now(self.now);
                }
                // The run goes on beyond the horizon, if only to its end.
                None if !self.ends_early && self.until > horizon => return None,
                None => self.end(),
            }
        }
        None
    }

    fn give<O: Observer>(&mut self, input: Input, observer: &mut O) -> Step {
        let step = Step {
            at: self.now,
            input: input.kind(),
        };
        let effects = self.scheduler.handle(self.now, input, observer);
        let writes_status = |effect: &Effect| matches!(effect, Effect::PatchPodStatus { .. });
        if step.input == InputKind::ScheduleOne {
            self.is_timelines_turn |= effects.iter().any(writes_status);
        }
        for effect in effects {
            self.accept(effect, observer);
        }
        self.steps += 1;
        step
    }

    /// Runs to the end.
    pub fn run<O: Observer>(&mut self, observer: &mut O) {
        while self.step(observer).is_some() {}
    }

    /// The next input of this instant, if there is one.
    fn next_input(&mut self) -> Option<Input> {
        loop {
            if let Some(input) = self.inbox.pop_front() {
                return Some(input);
            }
            if self.happen() || (self.outbox.is_empty() && self.sync_controllers()) {
                continue;
            }
            let has_work = self.scheduler.has_work();
            if (self.is_timelines_turn || !has_work) && self.take_entry() {
                continue;
            }
            if has_work {
                return Some(Input::ScheduleOne);
            }
            if let Some(effect) = self.outbox.pop_front() {
                self.carry_out(&effect, super::faults::FaultOutcome::None);
                continue;
            }
            if self
                .scheduler
                .next_deadline()
                .is_some_and(|at| at <= self.now)
            {
                return Some(Input::Tick);
            }
            return None;
        }
    }

    /// The next instant at which something is due; `None` when the run is over.
    fn next_instant(&self) -> Option<Timestamp> {
        let ours = [
            self.world.next_event(),
            self.delayed.keys().next().map(|(at, _)| *at),
            self.timeline.get(self.next_entry).map(|entry| entry.at),
        ];
        let ours = ours.into_iter().flatten().min();
        if ours.is_none() && self.ends_early && self.is_settled() {
            return None;
        }
        let next = [ours, self.scheduler.next_deadline()];
        let next = next.into_iter().flatten().min();
        next.filter(|next| *next <= self.until)
    }

    fn end(&mut self) {
        self.is_over = true;
        if !self.ends_early {
            self.now = self.until;
            self.world.set_now(self.now);
        }
    }

    /// Whether nothing could follow but periodic tries of pods that have not changed.
    #[inline(never)]
    fn is_settled(&self) -> bool {
        let queue = self.scheduler.queue();
        let profiles = self.scheduler.profiles();
        self.scheduler.is_idle()
            && queue.active_q(profiles).is_empty()
            && queue.backoff_q(profiles).is_empty()
            && queue.error_backoff_q().is_empty()
            && queue.in_flight_pods().next().is_none()
    }

    /// The simulated API server.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The scheduler.
    #[must_use]
    pub const fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// The instant.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// How many inputs the scheduler has been given.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// What the API server refused so far.
    #[must_use]
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    /// The fingerprint of all decisions so far, as 16 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest.to_hex()
    }

    /// What is known of a pod besides the object: attempts, when it was bound.
    #[must_use]
    pub fn pod_stats(&self, key: &ObjectKey) -> Option<&PodStats> {
        self.stats.pod(key)
    }

    /// Events in the order in which they were recorded.
    #[must_use]
    pub fn events(&self) -> &[EventRecord] {
        self.stats.events()
    }

    /// How the simulated world behaves.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// Kinds that others need come first; pods come last. Within a rank the order of the file stands.
const fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Namespace | Kind::PriorityClass | Kind::StorageClass => 0,
        Kind::Node => 1,
        Kind::Pod => 3,
        _ => 2,
    }
}

/// The calendar's instant at which the run begins: after everything that the objects say has happened.
fn epoch(objects: &[Placed]) -> Time {
    let latest = objects.iter().flat_map(|placed| {
        let metadata = placed.object.metadata();
        let started = match &placed.object {
            Object::Pod(pod) => pod.status.start_time,
            _ => None,
        };
        [metadata.creation_timestamp, started]
    });
    let latest = latest.flatten().map(Time::as_micros).max();
    let second = Span::SECOND.as_micros();
    let micros = latest.unwrap_or(0).max(FIRST_EPOCH);
    Time::from_micros(
        micros
            .div_euclid(second)
            .saturating_add(i64::from(micros % second != 0))
            * second,
    )
}

/// How long a run takes at most that says nothing of its end.
pub(super) const LONGEST: Span = Span::HOUR;
/// The latest end that a run may be given, a year: it would not end in a time that somebody waits for.
pub const LATEST_END: Span = Span::HOUR.saturating_mul(8_760);
/// 2026-01-01T00:00:00Z.
const FIRST_EPOCH: i64 = 1_767_225_600_000_000;

#[cfg(test)]
mod tests;
