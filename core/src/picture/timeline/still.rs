//! The state at one moment: who waits where, who is on which node, whose turn it is.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::status::PluginName;
use crate::framework::trace::{ChangeKind, Place, Record};
use crate::order;
use crate::snapshot::PodRef;
use crate::time::{Span, Timestamp};

use super::facts::{NodeFacts, PodFacts};
use super::{Moment, Thing};

/// How a pod is on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Counted there, not bound yet.
    Reserved,
    /// Counted there, waiting for Permit; who asked it to wait, and until when at most.
    Waiting(Vec<(PluginName, Timestamp)>),
    /// Counted there, and the API server is asked to bind it.
    Binding,
    /// Bound.
    Bound,
}

/// That a pod was asked to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Since when.
    pub since: Timestamp,
    /// How long it may take.
    pub grace: Span,
    /// Whether another pod needs its room.
    pub is_victim: bool,
}

/// A pod at a moment.
#[derive(Clone, Debug)]
pub struct PodNow {
    /// What it is.
    pub facts: Arc<PodFacts>,
    /// Where it is while it has no node.
    pub place: Place,
    /// Since when it is there.
    pub since: Timestamp,
    /// Orders pods by when they came to where they are.
    pub order: u64,
    /// Attempts so far.
    pub attempts: u32,
    /// When its backoff is over.
    pub backoff_until: Option<Timestamp>,
    /// Who rejected it in its last attempt.
    pub rejectors: Arc<[PluginName]>,
    /// The moment whose record brought it where it is.
    pub moved_by: usize,
    /// Its node and how it is there.
    pub on: Option<(Arc<str>, Standing)>,
    /// Where room is being made for it.
    pub nominated: Option<Arc<str>>,
    /// Whether it was asked to leave.
    pub leaving: Option<Leaving>,
}

impl PodNow {
    /// Preemption asks it to go; its grace period begins unless it has begun before.
    fn leave_as_victim(&mut self, at: Timestamp) {
        let grace = self.facts.pod().spec.termination_grace_period_seconds;
        self.leaving = Some(Leaving {
            since: self.leaving.map_or(at, |leaving| leaving.since),
            grace: Span::from_secs(grace.unwrap_or(30)),
            is_victim: true,
        });
    }

    fn new(facts: Arc<PodFacts>, at: Timestamp, moment: usize, order: u64) -> Self {
        let pod = facts.pod();
        let node = pod.spec.node_name.as_str();
        let nominated = pod.status.nominated_node_name.as_str();
        Self {
            place: Place::Nowhere,
            since: at,
            order,
            attempts: 0,
            backoff_until: None,
            rejectors: Arc::from([]),
            moved_by: moment,
            on: (!node.is_empty()).then(|| (Arc::from(node), Standing::Bound)),
            nominated: (!nominated.is_empty()).then(|| Arc::from(nominated)),
            leaving: None,
            facts,
        }
    }

    /// The pod.
    #[must_use]
    pub fn reference(&self) -> &PodRef {
        &self.facts.info.reference
    }

    /// Its CPU request in milli-cores.
    #[must_use]
    pub fn milli_cpu(&self) -> i64 {
        self.facts.info.requests.milli_cpu
    }

    /// Its memory request in bytes.
    #[must_use]
    pub fn memory(&self) -> i64 {
        self.facts.info.requests.memory
    }
}

/// The state at a moment.
#[derive(Clone, Debug, Default)]
pub struct Still {
    /// How many moments have passed.
    pub moment: usize,
    /// The instant of the last of them.
    pub at: Timestamp,
    pods: BTreeMap<Arc<str>, Arc<PodNow>>,
    by_name: BTreeMap<Arc<str>, BTreeMap<Arc<str>, Arc<str>>>,
    nodes: BTreeMap<Arc<str>, Arc<NodeFacts>>,
    /// How many pods are in activeQ.
    pub active: usize,
    orders: u64,
}

impl Still {
    /// The pods by UID.
    pub fn pods(&self) -> impl Iterator<Item = &Arc<PodNow>> {
        self.pods.values()
    }

    /// A pod by its UID.
    #[must_use]
    pub fn pod(&self, uid: &str) -> Option<&Arc<PodNow>> {
        self.pods.get(uid)
    }

    /// A pod by its names.
    #[must_use]
    pub fn pod_named(&self, namespace: &str, name: &str) -> Option<&Arc<PodNow>> {
        self.pods.get(self.by_name.get(namespace)?.get(name)?)
    }

    /// The nodes by name.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Arc<NodeFacts>> {
        self.nodes.values()
    }

    /// A node by its name.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<&Arc<NodeFacts>> {
        self.nodes.get(name)
    }

    /// How many pods there are.
    #[must_use]
    pub fn pod_count(&self) -> usize {
        self.pods.len()
    }

    /// How much there is: what a copy costs.
    pub(super) fn weight(&self) -> usize {
        self.pods.len() + self.nodes.len()
    }

    /// Takes in what happened at one moment.
    pub(super) fn apply(&mut self, moment: &Moment) {
        let number = self.moment;
        self.moment += 1;
        self.at = moment.at;
        match &moment.record {
            Record::Observed {
                namespace,
                name,
                change,
                ..
            } => self.observed(namespace, name, *change, moment, number),
            Record::Moved {
                pod,
                to,
                attempts,
                backoff_until,
                ..
            } => {
                let order = self.next_order();
                self.change(&pod.uid, |now| {
                    now.place = *to;
                    now.since = moment.at;
                    if *to != Place::Nowhere {
                        now.order = order;
                    }
                    now.attempts = *attempts;
                    now.backoff_until = *backoff_until;
                    now.moved_by = number;
                });
            }
            Record::Assumed { pod, node } => {
                let order = self.next_order();
                self.change(&pod.uid, |now| {
                    now.on = Some((node.clone(), Standing::Reserved));
                    now.order = order;
                });
            }
            Record::Forgotten { pod, .. } => self.change(&pod.uid, |now| now.on = None),
            Record::PermitWait { pod, node, plugins } => self.change(&pod.uid, |now| {
                now.on = Some((node.clone(), Standing::Waiting(plugins.clone())));
            }),
            Record::PermitDone { pod, .. } => self.change(&pod.uid, |now| {
                if let Some((_, standing)) = &mut now.on {
                    *standing = Standing::Reserved;
                }
            }),
            Record::Binding { pod, node } => self.change(&pod.uid, |now| {
                now.on = Some((node.clone(), Standing::Binding));
            }),
            Record::Bound { pod, node } => self.change(&pod.uid, |now| {
                now.on = Some((node.clone(), Standing::Bound));
                now.place = Place::Nowhere;
                now.nominated = None;
            }),
            Record::Failed { pod, rejectors, .. } => self.change(&pod.uid, |now| {
                now.rejectors = Arc::from(rejectors.as_slice());
                now.on = None;
            }),
            Record::Nominated { pod, node } => {
                self.change(&pod.uid, |now| now.nominated.clone_from(node));
            }
            Record::Evicting { victim, .. } => {
                self.change(&victim.uid, |now| now.leave_as_victim(moment.at));
            }
            _ => {}
        }
    }

    fn observed(
        &mut self,
        namespace: &Arc<str>,
        name: &Arc<str>,
        change: ChangeKind,
        moment: &Moment,
        number: usize,
    ) {
        match &moment.thing {
            Some(Thing::Pod(facts)) => self.put_pod(facts, moment.at, number),
            Some(Thing::Node(facts)) => {
                self.nodes.insert(facts.name.clone(), facts.clone());
            }
            Some(Thing::GonePod) => self.remove_pod(namespace, name),
            Some(Thing::GoneNode) if change == ChangeKind::Deleted => {
                self.nodes.remove(name);
            }
            _ => {}
        }
    }

    fn put_pod(&mut self, facts: &Arc<PodFacts>, at: Timestamp, number: usize) {
        let reference = &facts.info.reference;
        let known = self
            .pod_named(&reference.namespace, &reference.name)
            .map(|now| now.reference().uid.clone());
        if known.is_some_and(|uid| uid != reference.uid) {
            self.remove_pod(&reference.namespace, &reference.name);
        }
        let order = self.next_order();
        let names = self.by_name.entry(reference.namespace.clone()).or_default();
        names.insert(reference.name.clone(), reference.uid.clone());
        let slot = self.pods.entry(reference.uid.clone());
        let now = Arc::make_mut(
            slot.or_insert_with(|| Arc::new(PodNow::new(facts.clone(), at, number, order))),
        );
        let node = facts.pod().spec.node_name.as_str();
        if !node.is_empty() {
            now.on = Some((Arc::from(node), Standing::Bound));
        }
        if facts.pod().is_terminating() && now.leaving.is_none() {
            let grace = facts.pod().metadata.deletion_grace_period_seconds;
            now.leaving = Some(Leaving {
                since: at,
                grace: Span::from_secs(grace.unwrap_or(30)),
                is_victim: false,
            });
        }
        now.facts = facts.clone();
    }

    fn remove_pod(&mut self, namespace: &str, name: &str) {
        let Some(names) = self.by_name.get_mut(namespace) else {
            return;
        };
        let Some(uid) = names.remove(name) else {
            return;
        };
        if names.is_empty() {
            self.by_name.remove(namespace);
        }
        let gone = self.pods.remove(&uid);
        if gone.is_some_and(|gone| gone.place == Place::Active) {
            self.active = self.active.saturating_sub(1);
        }
    }

    fn change(&mut self, uid: &str, change: impl FnOnce(&mut PodNow)) {
        let Some(now) = self.pods.get_mut(uid) else {
            return;
        };
        let was_active = now.place == Place::Active;
        let now = Arc::make_mut(now);
        change(now);
        match (was_active, now.place == Place::Active) {
            (false, true) => self.active += 1,
            (true, false) => self.active = self.active.saturating_sub(1),
            _ => {}
        }
    }

    const fn next_order(&mut self) -> u64 {
        self.orders += 1;
        self.orders
    }

    /// The pods on each node, in the order in which they came there.
    #[must_use]
    pub fn by_node(&self) -> BTreeMap<Arc<str>, Vec<Arc<PodNow>>> {
        let mut nodes: BTreeMap<Arc<str>, Vec<Arc<PodNow>>> = BTreeMap::new();
        for now in self.pods.values() {
            if let Some((node, _)) = &now.on {
                nodes.entry(node.clone()).or_default().push(now.clone());
            }
        }
        for pods in nodes.values_mut() {
            order::sort_by_key(pods, |now| now.order);
        }
        nodes
    }

    /// The zones of the nodes, in order, without repetition.
    #[must_use]
    pub fn zones(&self) -> Vec<String> {
        let mut zones: Vec<String> = self.nodes.values().map(|node| node.zone.clone()).collect();
        order::sort_by(&mut zones, |one, two| super::natural_order(one, two));
        zones.dedup();
        zones
    }
}
