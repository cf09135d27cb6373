//! Random sequences of operations, on which the queue and the slow model must agree after every step.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::api::{Kind, Object, ObjectKey, Pod, PodSchedulingGroup};
use crate::framework::cluster_event::{ActionType, ClusterEvent, EventResource};
use crate::framework::extension::NominatingInfo;
use crate::framework::handle::NominatedPods;
use crate::framework::status::PluginName;
use crate::framework::trace::{Metric, MetricValue, Place, Record};
use crate::make;
use crate::order::SortedSet;
use crate::queue::{QueueOptions, QueuedPodInfo};
use crate::rng::{Rng, Seed};
use crate::snapshot::{PodInfo, PodRef};
use crate::time::{Span, Timestamp};

use super::reference::{Asked, Model, State, Waiting};
use super::world::{
    CURIOUS, EXTENDER, FIT, SILENT, SPREAD, VOLUMES, World, call, claim_that_helps, class,
    node_that_helps, profiles,
};

/// The queue and its model side by side, and what the records add up to.
struct Pair {
    rng: Rng,
    world: World,
    model: Model,
    /// The newest version of each pod, by name.
    known: BTreeMap<String, Arc<Pod>>,
    /// Every pod there ever was.
    seen: BTreeSet<PodRef>,
    /// Pods that were popped and have not come back.
    held: Vec<QueuedPodInfo>,
    asked: Vec<Asked>,
    counts: BTreeMap<String, i64>,
    gauges: BTreeMap<String, i64>,
    places: BTreeMap<PodRef, Place>,
    /// Pods that are in flight and wait at once: one place does not say where they are.
    twice: BTreeSet<PodRef>,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(Seed(seed));
        let options = QueueOptions {
            started_at: Timestamp::from_millis(pick(&mut rng, &[0, 300, 4_000, 7_100])),
            initial_backoff: Span::from_millis(pick(&mut rng, &[1_000, 1_000, 20_000])),
            max_backoff: Span::from_millis(pick(&mut rng, &[10_000, 10_000, 0])),
            pop_from_backoff_q: rng.below(3) > 0,
            queueing_hints: rng.below(5) > 0,
            generic_workload: rng.below(4) == 0,
            has_extenders: rng.below(4) == 0,
            ..QueueOptions::default()
        };
        Self {
            rng,
            world: World::with(options),
            model: Model::new(options, profiles()),
            known: BTreeMap::new(),
            seen: BTreeSet::new(),
            held: Vec::new(),
            asked: Vec::new(),
            counts: BTreeMap::new(),
            gauges: BTreeMap::new(),
            places: BTreeMap::new(),
            twice: BTreeSet::new(),
        }
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.rng.below(one_in) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        pick(&mut self.rng, list)
    }

    fn step(&mut self) {
        match self.rng.below(24) {
            0..=3 => self.add(),
            4..=5 => self.update(),
            6 => self.delete(),
            7..=11 => self.pop(),
            12..=15 => self.give_back(),
            16 => self.done(),
            17..=19 => self.happen(),
            20 => self.activate(),
            21 => self.nominate(),
            _ => self.wait(),
        }
    }

    /// Some version of a pod.
    fn version(&mut self, name: &str, uid: &str) -> Arc<Pod> {
        // A pod's profile never changes.
        let scheduler = match name {
            "e" => "other",
            "f" => "nobody",
            _ => "default-scheduler",
        };
        let priority = self.pick(&[0, 0, 0, 1, 2]);
        let is_member = self.chance(8);
        let mut pod = make::pod(name)
            .uid(uid)
            .scheduler(scheduler)
            .priority(priority);
        for gate in ["gate.GateA", "gate.GateB"] {
            if self.chance(6) {
                let how = self.pick(&["yes", "yes", "error"]);
                pod = pod.label(gate, how);
            }
        }
        for hint in ["hint.Fit", "hint.GateA", "hint.Volumes"] {
            if self.chance(3) {
                let how = self.pick(&["queue", "self", "self", "error"]);
                pod = pod.label(hint, how);
            }
        }
        if self.chance(2) {
            pod = pod.cpu(self.pick(&["1", "2"]));
        }
        if self.chance(6) {
            pod = pod.nominated(self.pick(&["n1", "n2"]));
        }
        let group = PodSchedulingGroup {
            pod_group_name: Some("g".into()),
        };
        pod.with(|pod| pod.spec.scheduling_group = is_member.then_some(group))
            .build()
    }

    fn observe(&mut self, pod: &Arc<Pod>) {
        self.known.insert(pod.metadata.name.clone(), pod.clone());
        self.seen.insert(PodRef::of(pod));
        self.world.listers.insert(&Object::Pod(pod.clone()));
        self.model.listers.insert(&Object::Pod(pod.clone()));
    }

    fn add(&mut self) {
        let name = self.pick(&["a", "b", "c", "d", "e", "f"]);
        let again = self.known.get(name).cloned();
        if again.is_some() && !self.chance(6) {
            return self.pop();
        }
        // Another pod of a name that is there already, or the same pod once more.
        let uid = match &again {
            Some(pod) if self.chance(2) => pod.metadata.uid.clone(),
            _ => [name, "#", &self.seen.len().to_string()].concat(),
        };
        let pod = self.version(name, &uid);
        self.observe(&pod);
        call!(&mut self.world, add, &pod);
        self.model.add(&pod);
    }

    fn any_known(&mut self) -> Option<Arc<Pod>> {
        let all: Vec<_> = self.known.values().cloned().collect();
        (!all.is_empty()).then(|| self.pick(&all))
    }

    fn update(&mut self) {
        let Some(old) = self.any_known() else {
            return;
        };
        let uid = if self.chance(12) {
            [&old.metadata.name, "#", &self.seen.len().to_string()].concat()
        } else {
            old.metadata.uid.clone()
        };
        let new = self.version(&old.metadata.name, &uid);
        self.observe(&new);
        call!(&mut self.world, update, Some(&old), &new);
        self.model.update(&old, &new);
    }

    fn delete(&mut self) {
        let Some(pod) = self.any_known() else {
            return;
        };
        self.known.remove(&pod.metadata.name);
        let key = ObjectKey::new(Kind::Pod, "default", pod.metadata.name.as_str());
        self.world.listers.remove(&key);
        self.model.listers.remove(&key);
        call!(&mut self.world, delete, &pod);
        self.model.delete(&pod);
    }

    fn pop(&mut self) {
        let popped = if self.chance(6) {
            let name = self.pick(&["a", "b", "c", "d", "e", "f"]);
            let reference = self.known.get(name).map(|pod| PodRef::of(pod));
            let reference = reference.unwrap_or_else(|| super::world::reference(name));
            let expected = self.model.pop_specific(name);
            let popped = call!(&mut self.world, pop_specific_pod, &reference);
            assert_eq!(popped, expected);
            popped
        } else {
            let expected = self.model.pop();
            let popped = self.world.pop();
            assert_eq!(popped, expected);
            popped
        };
        self.held.extend(popped);
    }

    fn some_plugins(&mut self, one_in: u64) -> SortedSet<PluginName> {
        let all = [FIT, VOLUMES, SPREAD, SILENT, CURIOUS, EXTENDER];
        all.into_iter().filter(|_| self.chance(one_in)).collect()
    }

    fn take_held(&mut self) -> Option<QueuedPodInfo> {
        let count = self.held.len() as u64;
        let place = if count == 0 {
            return None;
        } else {
            self.rng.below(count)
        };
        Some(self.held.swap_remove(usize::try_from(place).unwrap()))
    }

    fn give_back(&mut self) {
        let Some(mut info) = self.take_held() else {
            return;
        };
        info.unschedulable_plugins.clear();
        info.pending_plugins.clear();
        if !self.chance(4) {
            info.unschedulable_plugins = self.some_plugins(3);
        }
        if self.chance(4) {
            info.pending_plugins = self.some_plugins(3);
        }
        let newest = self.known.get(&*info.pod.reference.name).cloned();
        if let Some(pod) = newest.filter(|pod| *pod.metadata.uid == *info.pod.reference.uid) {
            info.pod = Arc::new(PodInfo::new(pod));
        }
        let was_taken = self.model.give_back(info.clone(), self.model.cycle);
        assert_eq!(self.world.return_pod(info).is_ok(), was_taken);
    }

    fn done(&mut self) {
        let Some(info) = self.take_held() else {
            return;
        };
        let uid = info.pod.reference.uid.clone();
        call!(&mut self.world, done, &uid);
        self.model.done(&uid);
        if self.chance(4) {
            // It fails while it is bound, after it was done.
            self.held.push(info);
        }
    }

    fn happen(&mut self) {
        let helps: Vec<_> = self.some_plugins(2).into_iter().collect();
        let of = ClusterEvent::new;
        let placed = make::pod("placed")
            .label("hint.Fit", "queue")
            .node("n")
            .build();
        let placed = Object::Pod(placed);
        let (event, object) = self.pick(&[
            (
                of(EventResource::Node, ActionType::ADD),
                node_that_helps(&helps),
            ),
            (
                of(EventResource::Node, ActionType::UPDATE_NODE_TAINT),
                node_that_helps(&helps),
            ),
            (
                of(EventResource::Node, ActionType::UPDATE_NODE_LABEL),
                node_that_helps(&helps),
            ),
            (
                of(EventResource::PersistentVolumeClaim, ActionType::ADD),
                claim_that_helps(&helps),
            ),
            (
                of(EventResource::PersistentVolumeClaim, ActionType::UPDATE),
                claim_that_helps(&helps),
            ),
            (of(EventResource::StorageClass, ActionType::ADD), class()),
            (of(EventResource::CsiNode, ActionType::ADD), class()),
            (of(EventResource::CsiDriver, ActionType::ADD), class()),
            (of(EventResource::ResourceSlice, ActionType::ADD), class()),
            (ClusterEvent::ASSIGNED_POD_ADD, placed.clone()),
            (ClusterEvent::ASSIGNED_POD_DELETE, placed),
            (ClusterEvent::FORCE_ACTIVATE, node_that_helps(&helps)),
        ]);
        let is_low = |pod: &PodInfo| pod.priority() <= 1;
        let pre_check: Option<&dyn Fn(&PodInfo) -> bool> = self.chance(4).then_some(&is_low as _);
        call!(
            &mut self.world,
            move_all_to_active_or_backoff_queue,
            event,
            None,
            Some(&object),
            pre_check
        );
        self.model.move_all(event, Some(&object), pre_check);
    }

    fn activate(&mut self) {
        let held = self.held.last().map(|info| info.pod.pod.clone());
        let known = self.any_known();
        if let Some(pod) = held.filter(|_| self.chance(3)).or(known) {
            self.world.activate(&pod);
            self.model.activate(&pod);
        }
    }

    fn nominate(&mut self) {
        let Some(pod) = self.any_known() else {
            return;
        };
        let info = PodInfo::new(pod);
        let node = self.pick(&[None, Some("n1"), Some("n2"), Some("")]);
        let nominating = node.map_or(NominatingInfo::Noop, |node| {
            NominatingInfo::Override(Arc::from(node))
        });
        call!(&mut self.world, add_nominated_pod, &info, &nominating);
        self.model.nominate(&info, node);
    }

    fn wait(&mut self) {
        let millis = self.pick(&[0, 100, 700, 1_000, 1_000, 2_500, 11_000, 30_000, 301_000]);
        let end = self.world.now + Span::from_millis(millis);
        let end = if self.chance(3) {
            end.floor_to_second()
        } else {
            end
        };
        let end = end.max(self.world.now);
        while let Some(due) = self.world.queue.next_deadline().filter(|due| *due <= end) {
            assert!(
                due > self.world.now,
                "a tick is due at {due:?} and it is {:?}",
                self.world.now
            );
            self.world.now = due;
            let before = self.state();
            let told = self.world.records.len();
            self.world.tick();
            let is_for_something = self.world.records.len() > told || self.state() != before;
            assert!(is_for_something, "the tick at {due:?} changes nothing");
        }
        self.world.now = end;
        if self.chance(3) {
            // Nobody asked for this one.
            self.world.tick();
        }
        self.model.run_until(end);
    }

    /// What the queue looks like from outside.
    fn state(&self) -> State {
        let queue = &self.world.queue;
        let owned = |list: Vec<&QueuedPodInfo>| list.into_iter().cloned().map(Waiting).collect();
        let nominated = self.seen.iter().filter_map(|pod| {
            let node = queue.nominated_node(&pod.uid)?;
            Some((pod.clone(), node.to_string()))
        });
        State {
            active: owned(queue.active_q(&self.world.profiles)),
            backoff: owned(queue.backoff_q(&self.world.profiles)),
            error: owned(queue.error_backoff_q()),
            parked: owned(queue.unschedulable_pods().collect()),
            in_flight: queue.in_flight_pods().cloned().collect(),
            cycle: queue.scheduling_cycle(),
            nominations: nominated.collect(),
            summary: queue.pending_pods().1,
        }
    }

    fn read_records(&mut self) {
        for (_, record) in core::mem::take(&mut self.world.records) {
            match record {
                Record::Hinted {
                    pod, plugin, event, ..
                } => self.asked.push((pod.name, plugin, event)),
                Record::Moved { pod, from, to, .. } => self.follow(pod, from, to),
                Record::Metric(metric) => self.add_up(&metric),
                _ => {}
            }
        }
    }

    fn follow(&mut self, pod: PodRef, from: Place, to: Place) {
        let tracked = self
            .places
            .insert(pod.clone(), to)
            .unwrap_or(Place::Nowhere);
        if tracked == Place::InFlight && from == Place::Nowhere {
            self.twice.insert(pod.clone());
        }
        if !self.twice.contains(&pod) {
            assert_eq!(tracked, from, "{pod} moves to {to:?}");
        }
    }

    fn add_up(&mut self, metric: &Metric) {
        let MetricValue::Add(change) = metric.value else {
            return;
        };
        let mut words = alloc::vec![metric.name];
        words.extend(metric.labels.iter().map(|(_, value)| &**value));
        let sums = match metric.name {
            "pending_pods" | "inflight_events" => &mut self.gauges,
            _ => &mut self.counts,
        };
        *sums.entry(words.join(" ")).or_default() += change;
    }

    fn check(&mut self) {
        self.read_records();
        let state = self.state();
        assert_eq!(state, self.model.state());
        assert_eq!(self.asked, self.model.asked);
        self.asked.clear();
        self.model.asked.clear();
        self.counts.retain(|_, sum| *sum != 0);
        self.model.counts.retain(|_, sum| *sum != 0);
        assert_eq!(self.counts, self.model.counts);
        self.gauges.retain(|_, sum| *sum != 0);
        assert_eq!(self.gauges, self.model.gauges());
        let is_early = self.model.options.pop_from_backoff_q && !state.backoff.is_empty();
        let is_poppable = is_early || !state.active.is_empty();
        assert_eq!(self.world.queue.has_poppable(), is_poppable);
        for node in ["n1", "n2"] {
            let pods = self.world.queue.nominated_pods_for_node(node);
            let names =
                |pods: &[PodRef]| -> Vec<_> { pods.iter().map(|pod| pod.name.clone()).collect() };
            let listed: Vec<_> = pods.iter().map(|pod| pod.reference.clone()).collect();
            assert_eq!(names(&listed), names(&self.model.nominated_to(node)));
        }
        self.check_places();
    }

    fn check_places(&self) {
        for (pod, tracked) in &self.places {
            let place = self.world.queue.place_of(pod);
            let is_known = self.model.options.queueing_hints || *tracked != Place::InFlight;
            if is_known && !self.twice.contains(pod) {
                assert_eq!(place, *tracked, "{pod} {}", pod.uid);
            }
        }
    }
}

fn pick<T: Clone>(rng: &mut Rng, list: &[T]) -> T {
    let place = rng.below(list.len() as u64);
    list[usize::try_from(place).unwrap()].clone()
}

#[test]
fn the_queue_does_as_its_model_over_random_sequences() {
    let sequences = crate::queue::tests::sequences(2_000);
    for seed in 0..sequences {
        let run = std::panic::catch_unwind(|| {
            let mut pair = Pair::new(seed);
            for _ in 0..60 {
                pair.step();
                pair.check();
            }
        });
        if let Err(cause) = run {
            std::eprintln!("the sequence with seed {seed} of {sequences} failed");
            std::panic::resume_unwind(cause);
        }
    }
}
