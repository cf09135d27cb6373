//! The loop that owns the scheduler in a real cluster: what wakes it, and what leaves it.
//!
//! One thread. Whatever happens elsewhere (a change was seen, a call came back, leadership was won, the end is near)
//! arrives here as a [`Wake`] and becomes an input of the scheduler, whose effects leave as [`Order`]s. The scheduler tries
//! no pod before everything has been listed once, nor while another instance leads.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use berth_core::api::{Kind, Object, ObjectKey, Pod};
use berth_core::cache::CacheSizes;
use berth_core::framework::extender::ExtenderCall;
use berth_core::framework::trace::Observer;
use berth_core::framework::work::Outcome;
use berth_core::scheduler::{Change, Effect, Effects, Input, Scheduler, Ticket};
use berth_core::snapshot::PodRef;
use berth_core::time::Timestamp;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::sync::oneshot;

use crate::cluster::{Attached, EventSink, Told};
use crate::dump::dump;

/// What can wake the loop.
pub(crate) enum Wake {
    /// Everything there is of a kind.
    Listed(Kind, Vec<Object>),
    /// An object changed.
    Changed(Change),
    /// A call came back.
    Settled(Ticket, Outcome),
    /// This instance is the one that schedules, from here to its end.
    Lead,
    /// Somebody wants to know how things are.
    Ask(oneshot::Sender<Survey>),
    /// What is held is to be written to the log.
    Dump,
    /// No pod is tried from here on.
    Stop,
}

/// How things are.
pub(crate) struct Survey {
    /// How much the cache holds.
    pub(crate) sizes: CacheSizes,
    /// How many pods are being bound.
    pub(crate) bindings: usize,
    /// How many extenders are being asked for scores.
    pub(crate) prioritizing: usize,
    /// All pods that are watched.
    pub(crate) pods: Vec<Arc<Pod>>,
}

/// An effect with what its call needs to know of the cluster.
pub(crate) struct Order {
    pub(crate) effect: Effect,
    /// The pod that it is about, as last observed.
    pub(crate) observed: Option<Arc<Pod>>,
    /// What an extender is sent.
    pub(crate) attached: Attached,
}

/// An observer that is also told when an input begins: for the scheduler an input takes no time, for others it does.
pub(crate) trait Watcher: Observer {
    /// The scheduler is about to be given an input.
    fn input_begins(&mut self);
}

/// The loop; see the module.
pub(crate) struct Driver<O> {
    scheduler: Scheduler,
    observer: O,
    /// When the scheduler's clock stood at zero. Its hands only go forward, whatever happens to the calendar.
    epoch: Instant,
    inbox: Receiver<Wake>,
    orders: Sender<Order>,
    events: EventSink,
    /// What was listed before all kinds were.
    first_lists: BTreeMap<ObjectKey, Object>,
    unlisted: BTreeSet<Kind>,
    /// Where it is said that the first lists have been taken in.
    synced: tokio::sync::watch::Sender<bool>,
    leads: bool,
    /// Orders whose calls have not come back.
    outstanding: usize,
    /// Those among them by which an extender is asked for scores.
    prioritizing: BTreeSet<Ticket>,
    extenders_want_nodes: Vec<bool>,
}

impl<O: Watcher> Driver<O> {
    /// A loop that waits for the first list of each of these kinds.
    pub(crate) fn new(
        scheduler: Scheduler,
        observer: O,
        kinds: &[Kind],
        inbox: Receiver<Wake>,
        orders: Sender<Order>,
        events: EventSink,
        synced: tokio::sync::watch::Sender<bool>,
    ) -> Self {
        let extenders = &scheduler.configuration().extenders;
        let wants_nodes = extenders
            .iter()
            .map(|extender| !extender.node_cache_capable);
        Self {
            extenders_want_nodes: wants_nodes.collect(),
            scheduler,
            observer,
            epoch: Instant::now(),
            inbox,
            orders,
            events,
            first_lists: BTreeMap::new(),
            unlisted: kinds.iter().copied().collect(),
            synced,
            leads: false,
            outstanding: 0,
            prioritizing: BTreeSet::new(),
        }
    }

    /// Runs until it is told to stop or nobody is left to wake it.
    pub(crate) async fn run(mut self) {
        let mut wakes = Vec::with_capacity(WAKES);
        loop {
            if self.may_schedule() && self.scheduler.has_work() {
                // What has already arrived goes first, as informers' handlers do beside kube-scheduler's loop.
                while let Ok(wake) = self.inbox.try_recv() {
                    wakes.push(wake);
                    if wakes.len() == WAKES {
                        break;
                    }
                }
            } else {
                let received = self.wait(&mut wakes).await;
                if received == Received::Nothing {
                    return;
                }
            }
            for wake in wakes.drain(..) {
                if matches!(wake, Wake::Stop) {
                    return;
                }
                self.take(wake).await;
            }
            if self
                .scheduler
                .next_deadline()
                .is_some_and(|at| at <= self.now())
            {
                self.give(Input::Tick).await;
            }
            if self.may_schedule() && self.scheduler.has_work() {
                self.give(Input::ScheduleOne).await;
            }
        }
    }

    /// Waits for something to happen or for a timer.
    async fn wait(&mut self, wakes: &mut Vec<Wake>) -> Received {
        let deadline = self.scheduler.next_deadline().map(|at| {
            let micros = at.since(Timestamp::ZERO).as_micros();
            self.epoch + Duration::from_micros(u64::try_from(micros).unwrap_or_default())
        });
        let receive = self.inbox.recv_many(wakes, WAKES);
        let count = match deadline {
            Some(at) => match tokio::time::timeout_at(at.into(), receive).await {
                Ok(count) => count,
                Err(_) => return Received::Timer,
            },
            None => receive.await,
        };
        if count == 0 {
            Received::Nothing
        } else {
            Received::Wakes
        }
    }

    /// Whether a pod may be tried. Not while many calls are under way: trying further ahead would bind no pod earlier, but
    /// hold more in memory and have a more important pod that comes now wait behind all of them.
    fn may_schedule(&self) -> bool {
        self.leads && self.unlisted.is_empty() && self.outstanding < MOST_OUTSTANDING
    }

    async fn take(&mut self, wake: Wake) {
        match wake {
            Wake::Listed(kind, objects) if !self.unlisted.is_empty() => {
                self.unlisted.remove(&kind);
                self.first_lists.retain(|key, _| key.kind != kind);
                let keyed = objects.into_iter().map(|object| (object.key(), object));
                self.first_lists.extend(keyed);
                if self.unlisted.is_empty() {
                    self.take_first_lists().await;
                }
            }
            Wake::Listed(kind, objects) => self.take_list(kind, objects).await,
            Wake::Changed(change) if !self.unlisted.is_empty() => self.amend_first_list(change),
            Wake::Changed(change) => self.give(Input::Observe(change)).await,
            Wake::Settled(ticket, outcome) => {
                self.outstanding -= 1;
                self.prioritizing.remove(&ticket);
                self.give(Input::Settle { ticket, outcome }).await;
            }
            Wake::Lead => self.leads = true,
            Wake::Ask(answer) => {
                let survey = Survey {
                    sizes: self.scheduler.cache().sizes(),
                    bindings: self.scheduler.bindings().count(),
                    prioritizing: self.prioritizing.len(),
                    pods: self.scheduler.listers().pods.iter().cloned().collect(),
                };
                // Whoever asked may have gone.
                let _ = answer.send(survey);
            }
            Wake::Dump => dump(&self.scheduler),
            Wake::Stop => {}
        }
    }

    /// A change of a kind that was listed, while others are not yet: the list is brought up to date.
    fn amend_first_list(&mut self, change: Change) {
        match change {
            Change::Applied(object) => self.first_lists.insert(object.key(), object),
            Change::Deleted(key) => self.first_lists.remove(&key),
        };
    }

    /// Nodes first, pods last, each oldest first and then by namespace and name.
    ///
    /// kube-scheduler's own order at start is that of a Go map, so differs every time.
    async fn take_first_lists(&mut self) {
        let lists = core::mem::take(&mut self.first_lists);
        let mut objects: Vec<Object> = lists.into_values().collect();
        objects.sort_by_cached_key(|object| {
            let metadata = object.metadata();
            let rank = match object.kind() {
                Kind::Node => 0,
                Kind::Pod => 2,
                _ => 1,
            };
            (rank, metadata.creation_timestamp, object.key())
        });
        for object in objects {
            self.give(Input::Observe(Change::Applied(object))).await;
        }
        tracing::debug!("Handlers synced");
        // Whoever asked has gone if nobody hears it.
        let _ = self.synced.send(true);
    }

    /// A kind was listed again: what is not in the list has gone, what has another version has changed.
    async fn take_list(&mut self, kind: Kind, objects: Vec<Object>) {
        let listed: BTreeSet<ObjectKey> = objects.iter().map(Object::key).collect();
        let gone: Vec<ObjectKey> = self
            .scheduler
            .listers()
            .keys(kind)
            .into_iter()
            .filter(|key| !listed.contains(key))
            .collect();
        for key in gone {
            self.give(Input::Observe(Change::Deleted(key))).await;
        }
        for object in objects {
            let known = self.scheduler.listers().get(&object.key());
            let is_same = known.is_some_and(|known| {
                known.metadata().resource_version == object.metadata().resource_version
            });
            if !is_same {
                self.give(Input::Observe(Change::Applied(object))).await;
            }
        }
    }

    /// Gives the scheduler an input and sends its effects on their way.
    async fn give(&mut self, input: Input) {
        self.observer.input_begins();
        let effects = self.scheduler.handle(self.now(), input, &mut self.observer);
        self.send(effects).await;
    }

    async fn send(&mut self, effects: Effects) {
        for effect in effects {
            if let Effect::RecordEvent { event } = effect {
                tracing::debug!(pod = %event.regarding, reason = event.reason, "{}", event.note);
                let pod = self.observed(&event.regarding);
                let version = pod.map(|pod| pod.metadata.resource_version.clone());
                self.events.tell(Told {
                    event,
                    resource_version: version.unwrap_or_default(),
                });
                continue;
            }
            self.outstanding += 1;
            if let Effect::AskExtender { ticket, call, .. } = &effect
                && matches!(call, ExtenderCall::Prioritize { .. })
            {
                self.prioritizing.insert(*ticket);
            }
            let order = self.order(effect);
            if self.orders.send(order).await.is_err() {
                // Nobody carries anything out any more: the end is near.
                return;
            }
        }
    }

    fn order(&self, effect: Effect) -> Order {
        let (observed, attached) = match &effect {
            Effect::PatchPodStatus { pod, .. } => (self.observed(pod), Attached::default()),
            Effect::AskExtender { extender, call, .. } => (None, self.attached(*extender, call)),
            _ => (None, Attached::default()),
        };
        Order {
            effect,
            observed,
            attached,
        }
    }

    /// The pod as last observed, if it is still the one that is meant.
    fn observed(&self, reference: &PodRef) -> Option<Arc<Pod>> {
        let pods = &self.scheduler.listers().pods;
        let pod = pods.get(&reference.namespace, &reference.name)?;
        (*pod.metadata.uid == *reference.uid).then(|| pod.clone())
    }

    fn attached(&self, extender: usize, call: &ExtenderCall) -> Attached {
        let wants_nodes = self.extenders_want_nodes.get(extender).copied();
        let listers = self.scheduler.listers();
        let mut attached = Attached::default();
        let pod = match call {
            ExtenderCall::Filter { pod, nodes } | ExtenderCall::Prioritize { pod, nodes } => {
                if wants_nodes == Some(true) {
                    let found = nodes.iter().filter_map(|name| listers.nodes.get("", name));
                    attached.nodes = found.cloned().collect();
                }
                pod
            }
            ExtenderCall::Preempt { pod, candidates } => {
                let uids = candidates.values().flat_map(|victims| &victims.pods);
                let found = uids.filter_map(|uid| {
                    let info = self.scheduler.cache().get_pod(uid)?;
                    Some((uid.clone(), info.pod.clone()))
                });
                attached.victims = found.collect();
                pod
            }
            ExtenderCall::Bind { pod, .. } => pod,
        };
        attached.pod = self.observed(pod);
        attached
    }

    /// The scheduler's time: how long the loop has been there.
    fn now(&self) -> Timestamp {
        let micros = self.epoch.elapsed().as_micros();
        Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

/// What ended a wait.
#[derive(PartialEq, Eq)]
enum Received {
    Wakes,
    Timer,
    /// Nobody is left who could wake the loop.
    Nothing,
}

/// How many wakes are taken at once.
const WAKES: usize = 256;
/// Orders under way beyond which no further pod is tried.
const MOST_OUTSTANDING: usize = 256;
