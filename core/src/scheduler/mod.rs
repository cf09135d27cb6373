//! What happens next, given what just happened.
//!
//! [`Scheduler::handle`] is the one entry and the one exit: an instant and an input go in, effects come out, records go
//! to whoever listens. It runs to completion. What must wait (Permit, PreBind, an extender, a binding) leaves as an
//! [`Effect`] with a [`Ticket`] and comes back as a settled one.
//!
//! | File | Answers |
//! |---|---|
//! | `input`, `effect` | what a host says and does |
//! | `observe` | what a change of an object means to queue and cache |
//! | `pre_check` | which pods an event of a node moves when plugins are not asked |
//! | `cycle` | the story of one attempt |
//! | `search`, `select` | which nodes are looked at, and which is taken |
//! | `batch` | when the ranking of one pod serves the next |
//! | `extend` | when extenders are asked and what their answers change |
//! | `post_filter` | what is tried when no node fits |
//! | `reserve`, `permit`, `pre_bind`, `binding` | from the chosen node to the bound pod |
//! | `failure` | what becomes of a pod whose attempt failed |
//! | `evict` | how victims of preemption are asked to leave |
//!
//! Invariants: a pod is in at most one place; the cache holds what is assigned and what is assumed; a ticket settles
//! once; nothing here reads a clock.

mod attempt;
mod batch;
mod binding;
mod cycle;
mod effect;
mod evict;
mod extend;
mod failure;
mod input;
mod known;
mod observe;
mod permit;
mod post_filter;
mod pre_bind;
mod pre_check;
mod reserve;
mod search;
mod select;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cache::SchedulerCache;
use crate::config::{ConfigError, Configuration};
use crate::framework::profiles::Profiles;
use crate::framework::registry::Registry;
use crate::framework::trace::{Observer, TieRule};
use crate::framework::work::Outcome;
use crate::queue::{QueueOptions, SchedulingQueue};
use crate::rng::{Rng, Seed};
use crate::snapshot::{Listers, PluginMemory, Snapshot};
use crate::time::Timestamp;

use attempt::Paused;
use batch::Batches;
use binding::BindingTask;
use evict::Eviction;
use known::{Io, Known};

pub use effect::{Effect, Effects, EventType, PodEvent, Ticket};
pub use input::{Change, Input, InputKind};

/// The scheduler: queue, cache, profiles and what is under way. Cheap to clone; a clone is a fork.
#[derive(Clone, Debug)]
pub struct Scheduler {
    config: Arc<Configuration>,
    known: Known,
    queue: SchedulingQueue,
    cache: SchedulerCache,
    snapshot: Snapshot,
    rng: Rng,
    tie_rule: TieRule,
    /// Where the next search begins, shared by all profiles.
    next_start: usize,
    next_ticket: u64,
    /// The latest instant seen; `None` before the first input.
    now: Option<Timestamp>,
    paused: Option<Paused>,
    batches: Batches,
    bindings: BTreeMap<Arc<str>, BindingTask>,
    evictions: BTreeMap<Arc<str>, Eviction>,
    awaited: BTreeMap<Ticket, Awaited>,
}

/// What a settled ticket is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Awaited {
    /// A patch whose failure is only worth a note.
    StatusPatch,
    /// What a reservation left in the cluster; whether it is undone is only worth a note.
    Undoing,
    /// A step of the binding of the pod with this UID.
    Binding(Arc<str>),
    /// A step of the eviction for the preemptor with this UID.
    Eviction(Arc<str>),
    /// The attempt that waits for an extender.
    Attempt,
}

impl Scheduler {
    /// A scheduler that knows nothing of any cluster yet.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, in kube-scheduler's words.
    pub fn new(
        mut config: Configuration,
        registry: &Registry,
        seed: Seed,
    ) -> Result<Self, ConfigError> {
        config.apply_managed_resources()?;
        let profiles =
            Profiles::new(&config.profiles, registry, &config.gates).map_err(|error| {
                ConfigError::InitializingProfiles {
                    error: alloc::boxed::Box::new(error),
                }
            })?;
        let options = QueueOptions::of(&config, Timestamp::ZERO);
        Ok(Self {
            queue: SchedulingQueue::new(options, &profiles),
            known: Known {
                profiles,
                listers: Listers::default(),
                memory: PluginMemory::default(),
            },
            cache: SchedulerCache::new(config.assumed_pod_ttl),
            config: Arc::new(config),
            snapshot: Snapshot::default(),
            rng: Rng::new(seed),
            tie_rule: TieRule::default(),
            next_start: 0,
            next_ticket: 0,
            now: None,
            paused: None,
            batches: Batches::default(),
            bindings: BTreeMap::new(),
            evictions: BTreeMap::new(),
            awaited: BTreeMap::new(),
        })
    }

    /// Chooses how equal totals are told apart.
    pub const fn set_tie_rule(&mut self, rule: TieRule) {
        self.tie_rule = rule;
    }

    /// Takes one input and returns what is to be done.
    ///
    /// # Panics
    ///
    /// When `now` goes back, or a ticket settles that is not out.
    #[must_use = "an effect that is not carried out is a decision lost"]
    pub fn handle<O: Observer>(
        &mut self,
        now: Timestamp,
        input: Input,
        observer: &mut O,
    ) -> Effects {
        assert!(
            self.now.is_none_or(|before| before <= now),
            "time went back from {:?} to {now:?}",
            self.now
        );
        self.now = Some(now);
        let mut io = Io {
            now,
            observer,
            effects: Vec::new(),
        };
        match input {
            Input::Observe(change) => self.observe(change, &mut io),
            Input::Tick => self.tick(&mut io),
            Input::ScheduleOne => self.schedule_one(&mut io),
            Input::Settle { ticket, outcome } => self.settle(ticket, &outcome, &mut io),
        }
        io.effects
    }

    /// The next instant at which a [`Input::Tick`] is due; `None` while no timer runs.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let bindings = self
            .bindings
            .values()
            .filter_map(BindingTask::next_deadline)
            .min();
        [
            self.queue.next_deadline(),
            bindings,
            self.cache.next_expiry(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Whether [`Input::ScheduleOne`] would pop a pod.
    #[must_use]
    pub fn has_work(&self) -> bool {
        self.paused.is_none() && self.queue.has_poppable()
    }

    /// Whether nothing is under way: no ticket is out, no binding, no eviction, no attempt on hold.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.awaited.is_empty()
            && self.bindings.is_empty()
            && self.evictions.is_empty()
            && self.paused.is_none()
    }

    /// The queue.
    #[must_use]
    pub const fn queue(&self) -> &SchedulingQueue {
        &self.queue
    }

    /// The cache.
    #[must_use]
    pub const fn cache(&self) -> &SchedulerCache {
        &self.cache
    }

    /// The nodes as the last attempt saw them.
    #[must_use]
    pub const fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The objects as last observed.
    #[must_use]
    pub const fn listers(&self) -> &Listers {
        &self.known.listers
    }

    /// What plugins remember between cycles.
    #[must_use]
    pub const fn plugin_memory(&self) -> &PluginMemory {
        &self.known.memory
    }

    /// The profiles.
    #[must_use]
    pub const fn profiles(&self) -> &Profiles {
        &self.known.profiles
    }

    /// The configuration.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.config
    }

    /// Pods that are being bound: their UID, their node, and whether they wait for Permit.
    pub fn bindings(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, bool)> {
        self.bindings
            .iter()
            .map(|(uid, task)| (uid, task.node(), task.waits_for_permit()))
    }

    /// Tickets that are out, in order.
    pub fn tickets(&self) -> impl Iterator<Item = Ticket> + '_ {
        self.awaited.keys().copied()
    }

    #[inline(never)]
    fn tick<O: Observer>(&mut self, io: &mut Io<'_, O>) {
        self.queue.on_tick(&mut self.known.queue_call(io));
        self.tick_bindings(io);
        for pod in self.cache.expire(io.now) {
            io.trouble(|| {
                [
                    "the binding of pod ",
                    &pod.pod.full_name(),
                    " was never confirmed",
                ]
                .concat()
            });
        }
    }

    fn settle<O: Observer>(&mut self, ticket: Ticket, outcome: &Outcome, io: &mut Io<'_, O>) {
        let awaited = self.awaited.remove(&ticket);
        let awaited = awaited.expect("a ticket settles exactly once, and only one that is out");
        match awaited {
            Awaited::StatusPatch | Awaited::Undoing => {
                if let Outcome::Failed(failure) = outcome {
                    let what = match awaited {
                        Awaited::StatusPatch => "updating the status of a pod: ",
                        _ => "taking a pod out of its claim's users: ",
                    };
                    io.trouble(|| [what, &failure.message].concat());
                }
            }
            Awaited::Binding(uid) => self.settle_binding(&uid, ticket, outcome, io),
            Awaited::Eviction(uid) => self.settle_eviction(&uid, ticket, outcome, io),
            Awaited::Attempt => self.settle_attempt(ticket, outcome, io),
        }
    }

    /// A new ticket for something that is awaited.
    fn ticket(&mut self, awaited: Awaited) -> Ticket {
        self.next_ticket += 1;
        let ticket = Ticket(self.next_ticket);
        self.awaited.insert(ticket, awaited);
        ticket
    }
}

#[cfg(test)]
mod tests;
