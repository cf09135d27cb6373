//! The queue as the spec reads, slow and plain: lists that are searched from end to end each time, and a flush at every
//! beat whether there is something to do or not.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::api::{Object, Pod};
use crate::framework::cluster_event::{ClusterEvent, HintMode, QueueingHint};
use crate::framework::events_of;
use crate::framework::extension::QueueContext;
use crate::framework::profiles::Profiles;
use crate::framework::runtime::all_events;
use crate::framework::status::PluginName;
use crate::queue::{QueueOptions, QueuedPodInfo};
use crate::snapshot::{Listers, PluginMemory, PodInfo, PodRef};
use crate::time::{Span, Timestamp};

use super::world::EXTENDER;

/// Where a waiting pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Active,
    Backoff,
    Error,
    Parked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    Skip,
    AfterBackoff,
    Immediately,
}

/// A marker of a pod in flight, or an event.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Pod(PodRef),
    Event(ClusterEvent, Option<Object>, Option<Object>),
}

/// What a plugin was asked: pod, plugin, event.
pub(super) type Asked = (Arc<str>, PluginName, ClusterEvent);

#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) options: QueueOptions,
    pub(super) profiles: Profiles,
    pub(super) now: Timestamp,
    pub(super) listers: Listers,
    lists: [Vec<QueuedPodInfo>; 4],
    list: Vec<Item>,
    pub(super) cycle: i64,
    move_request_cycle: i64,
    sequence: u64,
    nominations: Vec<(PodRef, String)>,
    pub(super) asked: Vec<Asked>,
    /// Counters and gauges by name and labels.
    pub(super) counts: BTreeMap<String, i64>,
}

/// A waiting pod, compared without reading its object: both sides were given the same one.
#[derive(Clone, Debug)]
pub(super) struct Waiting(pub(super) QueuedPodInfo);

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        let key = |info: &QueuedPodInfo| {
            (
                (
                    info.timestamp,
                    info.sequence,
                    info.attempts,
                    info.unschedulable_count,
                ),
                (info.consecutive_errors_count, info.backoff_expiration),
                (info.initial_attempt_timestamp, info.gating_plugin),
                info.was_flushed_from_unschedulable,
            )
        };
        let (one, two) = (&self.0, &other.0);
        key(one) == key(two)
            && one.unschedulable_plugins == two.unschedulable_plugins
            && one.pending_plugins == two.pending_plugins
            && Arc::ptr_eq(&one.pod.pod, &two.pod.pod)
            && one.pod.requests == two.pod.requests
    }
}

/// What is compared after every operation.
#[derive(Debug, PartialEq)]
pub(super) struct State {
    pub(super) active: Vec<Waiting>,
    pub(super) backoff: Vec<Waiting>,
    pub(super) error: Vec<Waiting>,
    pub(super) parked: Vec<Waiting>,
    pub(super) in_flight: Vec<PodRef>,
    pub(super) cycle: i64,
    pub(super) nominations: BTreeSet<(PodRef, String)>,
    pub(super) summary: String,
}

impl Model {
    pub(super) fn new(options: QueueOptions, profiles: Profiles) -> Self {
        Self {
            options,
            profiles,
            now: options.started_at,
            listers: Listers::default(),
            lists: Default::default(),
            list: Vec::new(),
            cycle: 0,
            move_request_cycle: -1,
            sequence: 0,
            nominations: Vec::new(),
            asked: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    pub(super) fn state(&self) -> State {
        let sizes = [At::Active, At::Backoff, At::Error, At::Parked].map(|at| self.list(at).len());
        let [active, backoff, error, parked] = sizes;
        let [active, backoff, parked] = [active, backoff + error, parked].map(|n| n.to_string());
        let summary = [
            "activeQ:",
            &active,
            "; backoffQ:",
            &backoff,
            "; unschedulablePods:",
            &parked,
        ];
        State {
            active: self.in_turn(At::Active),
            backoff: self.in_turn(At::Backoff),
            error: self.in_turn(At::Error),
            parked: self.list(At::Parked).iter().cloned().map(Waiting).collect(),
            in_flight: self.flying().cloned().collect(),
            cycle: self.cycle,
            nominations: self.nominations.iter().cloned().collect(),
            summary: summary.concat(),
        }
    }

    /// The pods of a queue, first the one that goes first.
    fn in_turn(&self, at: At) -> Vec<Waiting> {
        let mut list: Vec<Waiting> = self.list(at).iter().cloned().map(Waiting).collect();
        let windows = self.options.pop_from_backoff_q && at == At::Backoff;
        list.sort_by_key(|Waiting(info)| match at {
            At::Active => (None, Some(Self::turn(info)), 0),
            _ => {
                let turn = windows.then(|| Self::turn(info));
                (info.backoff_expiration, turn, info.sequence)
            }
        });
        list
    }

    /// Higher priority, then earlier, then the order of coming.
    fn turn(info: &QueuedPodInfo) -> (Reverse<i32>, Timestamp, u64) {
        (Reverse(info.pod.priority()), info.timestamp, info.sequence)
    }

    fn list(&self, at: At) -> &Vec<QueuedPodInfo> {
        &self.lists[at as usize]
    }

    fn list_mut(&mut self, at: At) -> &mut Vec<QueuedPodInfo> {
        &mut self.lists[at as usize]
    }

    fn flying(&self) -> impl Iterator<Item = &PodRef> {
        self.list.iter().filter_map(|item| match item {
            Item::Pod(pod) => Some(pod),
            Item::Event(..) => None,
        })
    }

    fn is_flying(&self, uid: &str) -> bool {
        self.flying().any(|pod| *pod.uid == *uid)
    }

    fn count(&mut self, words: &[&str], change: i64) {
        *self.counts.entry(words.join(" ")).or_default() += change;
    }

    /// Where the pod of a name waits, and at which place of that list.
    pub(super) fn find(&self, name: &str) -> Option<(At, usize)> {
        [At::Active, At::Backoff, At::Error, At::Parked]
            .into_iter()
            .find_map(|at| {
                let list = self.list(at);
                let place = list
                    .iter()
                    .position(|info| *info.pod.reference.name == *name)?;
                Some((at, place))
            })
    }

    fn remove(&mut self, name: &str) -> Option<(QueuedPodInfo, At)> {
        let (at, place) = self.find(name)?;
        Some((self.list_mut(at).remove(place), at))
    }

    /// Puts a pod into a list, in the place of one of its name; counted when there was none.
    fn put(&mut self, at: At, info: QueuedPodInfo, label: &str) {
        let list = self.list_mut(at);
        let same = |known: &QueuedPodInfo| known.pod.reference.name == info.pod.reference.name;
        if let Some(place) = list.iter().position(same) {
            list[place] = info;
            return;
        }
        list.push(info);
        let queue = match at {
            At::Active => "active",
            At::Backoff | At::Error => "backoff",
            At::Parked => "unschedulable",
        };
        self.count(&["queue_incoming_pods_total", queue, label], 1);
    }

    fn count_rejectors(&mut self, info: &QueuedPodInfo, change: i64) {
        for plugin in info.rejector_plugins() {
            let profile = &info.pod.pod.spec.scheduler_name;
            self.count(&["unschedulable_pods", plugin.0, profile], change);
        }
    }

    // 3. Backoff.

    fn expiry(&self, info: &QueuedPodInfo) -> Option<Timestamp> {
        let count = if info.consecutive_errors_count > 0 {
            info.consecutive_errors_count
        } else {
            info.unschedulable_count
        };
        if self.options.max_backoff == Span::ZERO || count == 0 {
            return None;
        }
        let max = self.options.max_backoff.as_micros();
        let mut duration = self.options.initial_backoff.as_micros().min(max);
        for _ in 1..count {
            duration = (duration * 2).min(max);
        }
        Some(self.align(info.timestamp + Span::from_micros(duration)))
    }

    fn align(&self, at: Timestamp) -> Timestamp {
        if self.options.pop_from_backoff_q {
            at.floor_to_second()
        } else {
            at
        }
    }

    fn is_backing_off(&self, info: &QueuedPodInfo) -> bool {
        info.backoff_expiration
            .is_some_and(|expiry| expiry >= self.align(self.now))
    }

    /// Time passes: a flush at every beat on the way.
    pub(super) fn run_until(&mut self, end: Timestamp) {
        let started = self.options.started_at;
        let fast = if self.options.pop_from_backoff_q {
            started.floor_to_second()
        } else {
            started
        };
        let mut beats = Vec::new();
        for (origin, seconds) in [(fast, 1), (started, 30)] {
            let period = Span::from_secs(seconds);
            let passed = self.now.since(origin).as_micros() / period.as_micros();
            let mut beat = origin + Span::from_secs(passed * seconds) + period;
            while beat <= end {
                beats.push((beat, seconds));
                beat += period;
            }
        }
        beats.sort_unstable();
        for (beat, seconds) in beats {
            self.now = beat;
            if seconds == 1 {
                self.flush_backoff();
            } else {
                self.flush_parked();
            }
        }
        self.now = end;
    }

    fn flush_backoff(&mut self) {
        for at in [At::Backoff, At::Error] {
            let (stay, go): (Vec<_>, Vec<_>) = (self.in_turn(at).into_iter())
                .map(|Waiting(info)| info)
                .partition(|info| self.is_backing_off(info));
            *self.list_mut(at) = stay;
            for info in go {
                self.move_to_active(info, "BackoffComplete", self.options.pop_from_backoff_q);
            }
        }
    }

    fn flush_parked(&mut self) {
        let limit = self.options.max_in_unschedulable;
        let now = self.now;
        let mut late = Vec::new();
        for info in self.list_mut(At::Parked) {
            if now.since(info.timestamp) > limit {
                info.was_flushed_from_unschedulable = true;
                late.push(info.pod.reference.name.clone());
            }
        }
        if !late.is_empty() {
            self.move_named(&late, ClusterEvent::UNSCHEDULABLE_TIMEOUT, None, None);
        }
    }

    // 4. Popping.

    pub(super) fn pop(&mut self) -> Option<QueuedPodInfo> {
        loop {
            let info = if let Some(Waiting(first)) = self.in_turn(At::Active).first() {
                first.clone()
            } else if self.options.pop_from_backoff_q && !self.list(At::Backoff).is_empty() {
                self.count(
                    &["queue_incoming_pods_total", "active", "PopFromBackoffQ"],
                    1,
                );
                self.in_turn(At::Backoff).remove(0).0
            } else {
                return None;
            };
            self.remove(&info.pod.reference.name.clone());
            if let Some(info) = self.launch(info) {
                return Some(info);
            }
        }
    }

    fn launch(&mut self, mut info: QueuedPodInfo) -> Option<QueuedPodInfo> {
        info.attempts += 1;
        if self.options.queueing_hints {
            if self.is_flying(&info.pod.reference.uid) {
                return None;
            }
            self.list.push(Item::Pod(info.pod.reference.clone()));
        }
        self.cycle += 1;
        self.count_rejectors(&info, -1);
        Some(info)
    }

    pub(super) fn pop_specific(&mut self, name: &str) -> Option<QueuedPodInfo> {
        self.activate_one(name);
        match self.find(name) {
            Some((At::Active, _)) => {
                let (info, _) = self.remove(name).unwrap();
                self.launch(info)
            }
            _ => None,
        }
    }

    pub(super) fn done(&mut self, uid: &str) {
        let marker = |item: &Item| matches!(item, Item::Pod(pod) if *pod.uid == *uid);
        if let Some(place) = self.list.iter().position(marker) {
            self.list.remove(place);
            while matches!(self.list.first(), Some(Item::Event(..))) {
                self.list.remove(0);
            }
        }
    }

    // 5. Insertion.

    /// Whether a plugin gates the pod.
    fn pre_enqueue(&mut self, info: &mut QueuedPodInfo) -> bool {
        let memory = PluginMemory::default();
        let context = QueueContext {
            now: self.now,
            listers: &self.listers,
            memory: &memory,
        };
        let profiles = self.profiles.clone();
        let Some(framework) = profiles.get(&info.pod.pod.spec.scheduler_name) else {
            info.gating_plugin = None;
            return false;
        };
        let mut plugins: Vec<_> = framework.pre_enqueue().collect();
        if let Some(holder) = info.gating_plugin {
            let place = plugins.iter().position(|plugin| plugin.name() == holder);
            let holder = plugins.remove(place.unwrap());
            plugins.insert(0, holder);
        }
        let refuses = |plugin: &&dyn crate::framework::extension::PreEnqueue| {
            !plugin.pre_enqueue(&context, &info.pod).is_success()
        };
        let refusal = plugins
            .into_iter()
            .find(refuses)
            .map(|plugin| plugin.name());
        info.gating_plugin = refusal;
        if let Some(plugin) = refusal {
            let is_new = !info.unschedulable_plugins.contains(&plugin)
                && !info.pending_plugins.contains(&plugin);
            if is_new {
                let profile = &info.pod.pod.spec.scheduler_name.clone();
                self.count(&["unschedulable_pods", plugin.0, profile], 1);
            }
            info.unschedulable_plugins.insert(plugin);
        }
        refusal.is_some()
    }

    fn move_to_active(&mut self, mut info: QueuedPodInfo, label: &str, is_checked: bool) -> bool {
        let name = info.pod.reference.name.clone();
        if !is_checked && self.pre_enqueue(&mut info) {
            if matches!(self.find(&name), None | Some((At::Parked, _))) {
                self.put(At::Parked, info, label);
            }
            return false;
        }
        info.initial_attempt_timestamp.get_or_insert(self.now);
        if !matches!(self.find(&name), Some((At::Active, _))) {
            self.remove(&name);
        }
        let pod = info.pod.clone();
        self.put(At::Active, info, label);
        if label == "UnschedulablePodAdd" || label == "UnschedulablePodUpdate" {
            self.nominate(&pod, None);
        }
        true
    }

    fn move_to_backoff(&mut self, mut info: QueuedPodInfo, label: &str) -> bool {
        if self.options.pop_from_backoff_q && self.pre_enqueue(&mut info) {
            self.put(At::Parked, info, label);
            return false;
        }
        let at = if info.unschedulable_plugins.is_empty() && info.pending_plugins.is_empty() {
            At::Error
        } else {
            At::Backoff
        };
        if !matches!(self.find(&info.pod.reference.name), Some((place, _)) if place == at) {
            self.remove(&info.pod.reference.name.clone());
        }
        self.put(at, info, label);
        true
    }

    pub(super) fn add(&mut self, pod: &Arc<Pod>) {
        let info = self.fresh(pod);
        self.move_to_active(info, "UnschedulablePodAdd", false);
    }

    fn fresh(&mut self, pod: &Arc<Pod>) -> QueuedPodInfo {
        self.sequence += 1;
        QueuedPodInfo::new(Arc::new(PodInfo::new(pod.clone())), self.now, self.sequence)
    }

    pub(super) fn update(&mut self, old: &Arc<Pod>, new: &Arc<Pod>) {
        let events = events_of::pod_update(old, new);
        let (before, after) = (Object::Pod(old.clone()), Object::Pod(new.clone()));
        if self.options.queueing_hints && self.is_flying(&new.metadata.uid) {
            for event in events {
                let item = Item::Event(event, Some(before.clone()), Some(after.clone()));
                self.list.push(item);
            }
            return;
        }
        let name = new.metadata.name.as_str();
        let Some((at, place)) = self.find(name) else {
            let info = self.fresh(new);
            self.move_to_active(info, "UnschedulablePodUpdate", false);
            return;
        };
        let info = &mut self.list_mut(at)[place];
        info.pod = Arc::new(info.pod.with_pod(new.clone()));
        let pod = info.pod.clone();
        self.renominate(old, &pod);
        if at != At::Parked {
            return;
        }
        if !self.options.queueing_hints {
            if events_of::is_pod_updated(old, new) {
                let info = self.list(at)[place].clone();
                self.requeue(info, Strategy::AfterBackoff, "UnschedulablePodUpdate");
            }
            return;
        }
        for event in events {
            let (at, place) = self.find(name).unwrap();
            let info = self.list(at)[place].clone();
            let strategy = self.strategy(&info, event, Some(&before), Some(&after));
            if strategy == Strategy::Skip {
                continue;
            }
            self.requeue(info, strategy, &event.label());
            match self.find(name).unwrap().0 {
                At::Active => break,
                At::Backoff | At::Error if self.options.pop_from_backoff_q => break,
                _ => {}
            }
        }
    }

    pub(super) fn delete(&mut self, pod: &Pod) {
        self.nominations
            .retain(|(known, _)| *known.uid != *pod.metadata.uid);
        if let Some((info, At::Parked)) = self.remove(&pod.metadata.name) {
            self.count_rejectors(&info, -1);
        }
    }

    /// A pod comes back; whether it was taken.
    pub(super) fn give_back(&mut self, mut info: QueuedPodInfo, cycle: i64) -> bool {
        let reference = info.pod.reference.clone();
        if self.find(&reference.name).is_some() {
            self.done(&reference.uid);
            return false;
        }
        let is_error = info.unschedulable_plugins.is_empty() && info.pending_plugins.is_empty();
        if is_error {
            info.consecutive_errors_count += 1;
        } else {
            info.unschedulable_count += 1;
            info.consecutive_errors_count = 0;
        }
        self.sequence += 1;
        info.timestamp = self.now;
        info.sequence = self.sequence;
        info.backoff_expiration = self.expiry(&info);
        info.was_flushed_from_unschedulable = false;
        self.count_rejectors(&info, 1);
        let label = "ScheduleAttemptFailure";
        if self.options.queueing_hints {
            let strategy = self.strategy_in_flight(&info);
            self.requeue(info, strategy, label);
        } else if self.move_request_cycle >= cycle || is_error {
            self.move_to_backoff(info, label);
        } else {
            self.put(At::Parked, info, label);
        }
        self.done(&reference.uid);
        true
    }

    fn strategy_in_flight(&mut self, info: &QueuedPodInfo) -> Strategy {
        let is_error = info.unschedulable_plugins.is_empty() && info.pending_plugins.is_empty();
        let is_member =
            self.options.generic_workload && info.pod.pod.spec.scheduling_group.is_some();
        if is_error || is_member || !self.is_flying(&info.pod.reference.uid) {
            return Strategy::AfterBackoff;
        }
        let marker = Item::Pod(info.pod.reference.clone());
        let place = self.list.iter().position(|item| *item == marker).unwrap();
        let mut decided = Strategy::Skip;
        let behind = self.list[place..].to_vec();
        for item in behind {
            let Item::Event(event, old, new) = item else {
                continue;
            };
            match self.strategy(info, event, old.as_ref(), new.as_ref()) {
                Strategy::Skip => continue,
                Strategy::Immediately => return Strategy::Immediately,
                Strategy::AfterBackoff => decided = Strategy::AfterBackoff,
            }
            if info.pending_plugins.is_empty() {
                break;
            }
        }
        decided
    }

    // 6. Requeue decision.

    fn strategy(
        &mut self,
        info: &QueuedPodInfo,
        event: ClusterEvent,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Strategy {
        if info.unschedulable_plugins.is_empty() && info.pending_plugins.is_empty() {
            return Strategy::AfterBackoff;
        }
        if event.is_wildcard() {
            return match new {
                None => Strategy::AfterBackoff,
                Some(Object::Pod(pod)) if *pod.metadata.uid == *info.pod.reference.uid => {
                    Strategy::AfterBackoff
                }
                Some(_) => Strategy::Skip,
            };
        }
        let profiles = self.profiles.clone();
        let Some(framework) = profiles.get(&info.pod.pod.spec.scheduler_name) else {
            return Strategy::AfterBackoff;
        };
        let mut registered: Vec<(PluginName, ClusterEvent, HintMode)> = (framework.registrations())
            .iter()
            .map(|entry| (entry.plugin, entry.event, entry.mode))
            .collect();
        if self.options.has_extenders {
            let extender = all_events().into_iter();
            registered.extend(extender.map(|entry| (EXTENDER, entry.event, entry.mode)));
        }
        let mut decided = Strategy::Skip;
        for (plugin, entry, mode) in registered {
            let is_pending = info.pending_plugins.contains(&plugin);
            let is_rejector = is_pending || info.unschedulable_plugins.contains(&plugin);
            if !is_rejector || !entry.matches(&event) {
                continue;
            }
            self.asked
                .push((info.pod.reference.name.clone(), plugin, event));
            let hint = if mode == HintMode::AlwaysQueue || !self.options.queueing_hints {
                QueueingHint::Queue
            } else {
                let memory = PluginMemory::default();
                let context = QueueContext {
                    now: self.now,
                    listers: &self.listers,
                    memory: &memory,
                };
                let plugin = framework.plugin(plugin).unwrap();
                let answer = plugin.queueing_hint(&context, &entry, &info.pod, old, new);
                answer.unwrap_or(QueueingHint::Queue)
            };
            match (hint, is_pending) {
                (QueueingHint::QueueSkip, _) => {}
                (QueueingHint::Queue, true) => return Strategy::Immediately,
                (QueueingHint::Queue, false) => decided = Strategy::AfterBackoff,
            }
            if decided == Strategy::AfterBackoff && info.pending_plugins.is_empty() {
                break;
            }
        }
        decided
    }

    fn requeue(&mut self, info: QueuedPodInfo, strategy: Strategy, label: &str) {
        match strategy {
            Strategy::Skip => self.put(At::Parked, info, label),
            Strategy::AfterBackoff if self.is_backing_off(&info) => {
                self.move_to_backoff(info, label);
            }
            Strategy::AfterBackoff | Strategy::Immediately => {
                self.move_to_active(info, label, false);
            }
        }
    }

    /// Whether a plugin of any profile, or an extender, registered an event.
    fn is_registered(&self, event: &ClusterEvent, by: Option<PluginName>) -> bool {
        let of_plugins = self.profiles.iter().any(|framework| {
            framework.registrations().iter().any(|entry| {
                by.is_none_or(|plugin| plugin == entry.plugin) && entry.event.matches(event)
            })
        });
        let of_extenders = self.options.has_extenders
            && by.is_none()
            && all_events().iter().any(|entry| entry.event.matches(event));
        of_plugins || of_extenders
    }

    pub(super) fn move_all(
        &mut self,
        event: ClusterEvent,
        new: Option<&Object>,
        pre_check: Option<&dyn Fn(&PodInfo) -> bool>,
    ) {
        if !event.is_wildcard() && !self.is_registered(&event, None) {
            return;
        }
        let names: Vec<Arc<str>> = (self.list(At::Parked).iter())
            .filter(|info| pre_check.is_none_or(|passes| passes(&info.pod)))
            .map(|info| info.pod.reference.name.clone())
            .collect();
        self.move_named(&names, event, None, new);
    }

    fn move_named(
        &mut self,
        names: &[Arc<str>],
        event: ClusterEvent,
        old: Option<&Object>,
        new: Option<&Object>,
    ) {
        for name in names {
            let (at, place) = self.find(name).unwrap();
            let info = self.list(at)[place].clone();
            if let Some(gate) = info.gating_plugin
                && (event.is_wildcard() || !self.is_registered(&event, Some(gate)))
            {
                continue;
            }
            let strategy = self.strategy(&info, event, old, new);
            if strategy != Strategy::Skip {
                self.requeue(info, strategy, &event.label());
            }
        }
        self.move_request_cycle = self.cycle;
        self.keep(event, old, new);
    }

    fn keep(&mut self, event: ClusterEvent, old: Option<&Object>, new: Option<&Object>) {
        if self.options.queueing_hints && self.flying().next().is_some() {
            self.list
                .push(Item::Event(event, old.cloned(), new.cloned()));
        }
    }

    // 8. Activation and nomination.

    fn activate_one(&mut self, name: &str) -> bool {
        let Some((at, place)) = self.find(name) else {
            return false;
        };
        let info = self.list(at)[place].clone();
        match at {
            At::Active => false,
            At::Parked => self.move_to_active(info, "ForceActivate", false),
            At::Backoff | At::Error => {
                self.remove(name);
                self.move_to_active(info, "ForceActivate", self.options.pop_from_backoff_q)
            }
        }
    }

    pub(super) fn activate(&mut self, pod: &Arc<Pod>) {
        if self.activate_one(&pod.metadata.name) {
            return;
        }
        if self.is_flying(&pod.metadata.uid) {
            self.keep(
                ClusterEvent::FORCE_ACTIVATE,
                None,
                Some(&Object::Pod(pod.clone())),
            );
        }
        self.move_request_cycle = self.cycle;
    }

    pub(super) fn nominate(&mut self, pod: &PodInfo, node: Option<&str>) {
        self.nominations
            .retain(|(known, _)| known.uid != pod.reference.uid);
        let of_status = &pod.pod.status.nominated_node_name;
        if node.is_none() && of_status.is_empty() {
            return;
        }
        let observed = self.listers.pods.get("default", &pod.reference.name);
        if observed.is_some_and(|observed| !observed.is_assigned()) {
            let node = node.unwrap_or(of_status);
            self.nominations.push((pod.reference.clone(), node.into()));
        }
    }

    fn renominate(&mut self, old: &Pod, new: &PodInfo) {
        let known = self
            .nominations
            .iter()
            .find(|(pod, _)| *pod.uid == *old.metadata.uid);
        let is_silent = old.status.nominated_node_name.is_empty()
            && new.pod.status.nominated_node_name.is_empty();
        let kept = known.filter(|_| is_silent).map(|(_, node)| node.clone());
        self.nominations
            .retain(|(pod, _)| *pod.uid != *old.metadata.uid);
        self.nominate(new, kept.as_deref());
    }

    pub(super) fn nominated_to(&self, node: &str) -> Vec<PodRef> {
        let pods = self.nominations.iter().filter(|(_, of)| of == node);
        pods.map(|(pod, _)| pod.clone()).collect()
    }

    /// The gauges, counted from what is there.
    pub(super) fn gauges(&self) -> BTreeMap<String, i64> {
        let mut gauges = BTreeMap::new();
        let mut add = |words: &[&str]| *gauges.entry(words.join(" ")).or_default() += 1;
        for at in [At::Active, At::Backoff, At::Error, At::Parked] {
            for info in self.list(at) {
                let queue = match at {
                    At::Active => "active",
                    At::Backoff | At::Error => "backoff",
                    At::Parked if info.gating_plugin.is_some() => "gated",
                    At::Parked => "unschedulable",
                };
                add(&["pending_pods", queue]);
            }
        }
        for item in &self.list {
            match item {
                Item::Pod(_) => add(&["inflight_events", "PodPopped"]),
                Item::Event(event, ..) => add(&["inflight_events", &event.label()]),
            }
        }
        gauges
    }
}
