//! A queue with a clock, an observer and plugins that do as labels say.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::api::{Kind, Object, ObjectMeta, PersistentVolumeClaim, Pod, StorageClass};
use crate::config::{ConfigError, Gates, PluginArgs, PluginEntry, PluginSet, Plugins, Profile};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::CycleState;
use crate::framework::extension::{
    Bind, BindContext, CycleContext, Filter, Plugin, PreEnqueue, QueueContext, QueuePlace,
    QueueSort,
};
use crate::framework::profiles::Profiles;
use crate::framework::reason::Reason;
use crate::framework::registry::{PluginFactory, Registry};
use crate::framework::status::{PluginError, PluginName, Status};
use crate::framework::trace::{Metric, MoveCause, Place, Record};
use crate::framework::work::Work;
use crate::make;
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::queue::{AlreadyQueued, QueueOptions, QueuedPodInfo, SchedulingQueue};
use crate::snapshot::{Listers, PluginMemory, PodInfo, PodRef};
use crate::time::{Span, Timestamp};

/// What a plugin of the tests does: it gates pods with the label `gate.NAME`, and its hint is what the label
/// `hint.NAME` of the event's object says: `queue`, `self` (only for the pod itself) or `error`; skip without one.
#[derive(Debug)]
pub(super) struct Probe {
    name: PluginName,
    events: Option<&'static [EventWithHint]>,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Sort,
    Gate,
    Filter,
    Bind,
}

impl Plugin for Probe {
    fn name(&self) -> PluginName {
        self.name
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        self.events
    }

    fn queueing_hint(
        &self,
        _: &QueueContext<'_>,
        _: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        let Some(object) = new.or(old) else {
            return Ok(QueueingHint::QueueSkip);
        };
        let key = ["hint.", self.name.0].concat();
        let is_queued = match object.metadata().labels.get(&key).map(String::as_str) {
            Some("queue") => true,
            Some("self") => {
                object.kind() == Kind::Pod && object.metadata().uid == *pod.reference.uid
            }
            Some("error") => return Err(PluginError::new("it broke")),
            _ => false,
        };
        Ok(if is_queued {
            QueueingHint::Queue
        } else {
            QueueingHint::QueueSkip
        })
    }

    fn as_pre_enqueue(&self) -> Option<&dyn PreEnqueue> {
        (self.role == Role::Gate).then_some(self)
    }

    fn as_queue_sort(&self) -> Option<&dyn QueueSort> {
        (self.role == Role::Sort).then_some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        (self.role == Role::Filter).then_some(self)
    }

    fn as_bind(&self) -> Option<&dyn Bind> {
        (self.role == Role::Bind).then_some(self)
    }
}

impl PreEnqueue for Probe {
    fn pre_enqueue(&self, _: &QueueContext<'_>, pod: &PodInfo) -> Status {
        let key = ["gate.", self.name.0].concat();
        match pod.pod.metadata.labels.get(&key).map(String::as_str) {
            None => Status::success(),
            Some("error") => Status::error("it broke"),
            Some(_) => Status::unresolvable(Reason::from("held")),
        }
    }
}

impl QueueSort for Probe {
    fn compare(&self, one: QueuePlace<'_>, two: QueuePlace<'_>) -> Ordering {
        let by_priority = two.pod.priority().cmp(&one.pod.priority());
        by_priority.then(one.timestamp.cmp(&two.timestamp))
    }
}

impl Filter for Probe {
    fn filter_node(
        &self,
        _: &CycleContext<'_>,
        _: &CycleState,
        _: &PodInfo,
        _: NodeIndex,
    ) -> Status {
        Status::success()
    }
}

impl Bind for Probe {
    fn bind(&self, _: &BindContext<'_>, _: &CycleState, _: &PodInfo, _: &str) -> Option<Work> {
        None
    }
}

macro_rules! probes {
    ($( $constant:ident $name:literal $role:ident $([$($event:expr),* $(,)?])?; )*) => {
        $( pub(super) const $constant: PluginName = PluginName($name); )*
        const PROBES: &[(PluginName, PluginFactory)] = &[
            $( (PluginName($name), |_: &PluginArgs, _: &Gates| -> Result<Arc<dyn Plugin>, ConfigError> {
                let events = None::<&[EventWithHint]>;
                $( let events = events.or({
                    const EVENTS: &[EventWithHint] = &[$($event),*];
                    Some(EVENTS)
                }); )?
                Ok(Arc::new(Probe { name: PluginName($name), events, role: Role::$role }))
            }), )*
        ];
    };
}

probes! {
    SORT "Sort" Sort [];
    GATE_A "GateA" Gate [
        EventWithHint::asked(EventResource::Pod, ActionType::UPDATE_POD_LABEL),
        EventWithHint::always(EventResource::CsiNode, ActionType::ADD),
    ];
    GATE_B "GateB" Gate [
        EventWithHint::always(EventResource::Pod, ActionType::UPDATE_POD_LABEL),
        EventWithHint::always(EventResource::CsiDriver, ActionType::ADD),
    ];
    FIT "Fit" Filter [
        EventWithHint::asked(EventResource::Node, ActionType::ADD),
        EventWithHint::asked(EventResource::Pod, ActionType::DELETE.and(ActionType::UPDATE_POD_LABEL)),
        EventWithHint::asked(EventResource::PersistentVolumeClaim, ActionType::ADD),
        EventWithHint::asked(EventResource::Pod, ActionType::UPDATE_POD_SCALE_DOWN),
    ];
    VOLUMES "Volumes" Filter [
        EventWithHint::always(EventResource::StorageClass, ActionType::ADD),
        EventWithHint::asked(EventResource::PersistentVolumeClaim, ActionType::ADD.and(ActionType::UPDATE)),
    ];
    SPREAD "PodTopologySpread" Filter [EventWithHint::always(EventResource::Pod, ActionType::ALL)];
    SILENT "Silent" Filter [];
    CURIOUS "Curious" Filter;
    BINDER "Binder" Bind [];
}

/// Who rejects for extenders.
pub(super) const EXTENDER: PluginName = PluginName("Extender");
pub(super) const NODE_ADD: ClusterEvent = ClusterEvent::new(EventResource::Node, ActionType::ADD);
pub(super) const CLAIM_ADD: ClusterEvent =
    ClusterEvent::new(EventResource::PersistentVolumeClaim, ActionType::ADD);
pub(super) const CLASS_ADD: ClusterEvent =
    ClusterEvent::new(EventResource::StorageClass, ActionType::ADD);
pub(super) const CSI_NODE_ADD: ClusterEvent =
    ClusterEvent::new(EventResource::CsiNode, ActionType::ADD);
pub(super) const CSI_DRIVER_ADD: ClusterEvent =
    ClusterEvent::new(EventResource::CsiDriver, ActionType::ADD);
/// Nobody registered this one, not even a plugin that registered nothing.
pub(super) const SLICE_ADD: ClusterEvent =
    ClusterEvent::new(EventResource::ResourceSlice, ActionType::ADD);

/// The profile that pods of `make::pod` choose, and one whose only filter registered nothing.
pub(super) fn profiles() -> Profiles {
    let list = |names: &[PluginName]| Plugins {
        multi_point: PluginSet {
            enabled: names.iter().map(|name| PluginEntry::new(name.0)).collect(),
            disabled: Vec::new(),
        },
        ..Plugins::default()
    };
    let profile = |name: &str, names: &[PluginName]| Profile {
        scheduler_name: name.to_string(),
        plugins: list(names),
        plugin_config: Vec::new(),
        ..Profile::default()
    };
    let first = [SORT, GATE_A, GATE_B, FIT, VOLUMES, SPREAD, SILENT, BINDER];
    let profiles = [
        profile("default-scheduler", &first),
        profile("other", &[SORT, CURIOUS, GATE_A, BINDER]),
    ];
    Profiles::new(&profiles, &Registry::of(PROBES), &Gates::default()).unwrap()
}

/// A queue in its world.
#[derive(Clone)]
pub(super) struct World {
    pub(super) now: Timestamp,
    pub(super) profiles: Profiles,
    pub(super) listers: Listers,
    pub(super) memory: PluginMemory,
    pub(super) records: Vec<(Timestamp, Record)>,
    pub(super) queue: SchedulingQueue,
}

/// Calls an operation of the queue with a call made of the world's other parts.
macro_rules! call {
    ($world:expr, $operation:ident $(, $argument:expr)* $(,)?) => {{
        let world: &mut World = $world;
        let mut call = $crate::queue::QueueCall {
            now: world.now,
            profiles: &world.profiles,
            listers: &world.listers,
            memory: &world.memory,
            observer: &mut world.records,
        };
        world.queue.$operation(&mut call $(, $argument)*)
    }};
}
pub(super) use call;

impl World {
    pub(super) fn new() -> Self {
        Self::with(QueueOptions::default())
    }

    pub(super) fn with(options: QueueOptions) -> Self {
        let profiles = profiles();
        Self {
            now: options.started_at,
            listers: Listers::default(),
            memory: PluginMemory::default(),
            records: Vec::new(),
            queue: SchedulingQueue::new(options, &profiles),
            profiles,
        }
    }

    /// Sets the clock, in milliseconds.
    pub(super) fn at(&mut self, millis: i64) -> &mut Self {
        self.now = Timestamp::from_millis(millis);
        self
    }

    /// Lets time pass until an instant, with every tick that the queue asks for on the way.
    pub(super) fn run_until(&mut self, millis: i64) {
        let end = Timestamp::from_millis(millis);
        while let Some(due) = self.queue.next_deadline().filter(|due| *due <= end) {
            assert!(
                due > self.now || self.now == end,
                "a tick does what it is for"
            );
            self.now = self.now.max(due);
            self.tick();
        }
        self.now = end;
    }

    pub(super) fn tick(&mut self) {
        call!(self, on_tick);
    }

    /// Adds pods, which the informer knows, too.
    pub(super) fn add(&mut self, pod: &Arc<Pod>) {
        self.listers.insert(&Object::Pod(pod.clone()));
        call!(self, add, pod);
    }

    /// Adds a pod of this name that nothing is said of.
    pub(super) fn add_named(&mut self, name: &str) {
        self.add(&make::pod(name).build());
    }

    pub(super) fn update(&mut self, old: &Arc<Pod>, new: &Arc<Pod>) {
        self.listers.insert(&Object::Pod(new.clone()));
        call!(self, update, Some(old), new);
    }

    pub(super) fn delete(&mut self, pod: &Arc<Pod>) {
        call!(self, delete, pod);
    }

    pub(super) fn pop(&mut self) -> Option<QueuedPodInfo> {
        call!(self, pop)
    }

    /// Pops and names what came.
    pub(super) fn pop_name(&mut self) -> Option<String> {
        self.pop().map(|info| info.pod.reference.name.to_string())
    }

    /// Pops the pod that must come.
    pub(super) fn pop_the(&mut self, name: &str) -> QueuedPodInfo {
        let info = self.pop().expect("a pod is poppable");
        assert_eq!(&*info.pod.reference.name, name);
        info
    }

    /// A pod comes back, rejected by these plugins; by none after an error.
    pub(super) fn fail(&mut self, mut info: QueuedPodInfo, rejectors: &[PluginName]) {
        info.unschedulable_plugins = rejectors.iter().copied().collect();
        info.pending_plugins.clear();
        self.return_pod(info).unwrap();
    }

    /// A pod comes back with a plugin that waits for what it asked for itself.
    pub(super) fn fail_pending(
        &mut self,
        mut info: QueuedPodInfo,
        rejectors: &[PluginName],
        pending: &[PluginName],
    ) {
        info.unschedulable_plugins = rejectors.iter().copied().collect();
        info.pending_plugins = pending.iter().copied().collect();
        self.return_pod(info).unwrap();
    }

    pub(super) fn return_pod(&mut self, info: QueuedPodInfo) -> Result<(), AlreadyQueued> {
        let cycle = self.queue.scheduling_cycle();
        call!(self, add_unschedulable_if_not_present, info, cycle)
    }

    /// Adds a pod, tries it and parks it with these rejectors.
    pub(super) fn park(&mut self, pod: &Arc<Pod>, rejectors: &[PluginName]) {
        self.add(pod);
        let info = self.pop_the(&pod.metadata.name);
        self.fail(info, rejectors);
    }

    /// Parks a pod of this name that nothing is said of.
    pub(super) fn park_named(&mut self, name: &str, rejectors: &[PluginName]) {
        self.park(&make::pod(name).build(), rejectors);
    }

    pub(super) fn happen(&mut self, event: ClusterEvent, object: &Object) {
        call!(
            self,
            move_all_to_active_or_backoff_queue,
            event,
            None,
            Some(object),
            None
        );
    }

    /// A node comes that could help pods which these plugins rejected.
    pub(super) fn node_comes(&mut self, helps: &[PluginName]) {
        self.happen(NODE_ADD, &node_that_helps(helps));
    }

    pub(super) fn activate(&mut self, pod: &Arc<Pod>) {
        call!(self, activate, &[PodRef::of(pod)]);
    }

    pub(super) fn done(&mut self, pod: &Arc<Pod>) {
        call!(self, done, &pod.metadata.uid);
    }

    /// Where the pod of this name in the namespace `default` is.
    pub(super) fn place(&self, name: &str) -> Place {
        self.queue.place_of(&reference(name))
    }

    /// What is known of a waiting pod.
    pub(super) fn info(&self, name: &str) -> &QueuedPodInfo {
        self.queue.get("default", name).expect("the pod waits")
    }

    /// The moves that were told since the last call, with names of pods.
    pub(super) fn moves(&mut self) -> Vec<(String, Place, Place, MoveCause)> {
        let moves = self
            .records
            .drain(..)
            .filter_map(|(_, record)| match record {
                Record::Moved {
                    pod,
                    from,
                    to,
                    cause,
                    ..
                } => Some((pod.name.to_string(), from, to, cause)),
                _ => None,
            });
        moves.collect()
    }

    /// The metrics of this name that were told since the last call, as `labels value`.
    pub(super) fn metrics(&mut self, name: &str) -> Vec<String> {
        let metrics = self
            .records
            .drain(..)
            .filter_map(|(_, record)| match record {
                Record::Metric(metric) if metric.name == name => Some(metric),
                _ => None,
            });
        metrics.map(|metric| text_of(&metric)).collect()
    }

    /// The troubles that were told since the last call.
    pub(super) fn troubles(&mut self) -> Vec<String> {
        let records = self.records.drain(..);
        records
            .filter_map(|(_, record)| match record {
                Record::Trouble { message } => Some(message),
                _ => None,
            })
            .collect()
    }
}

fn text_of(metric: &Metric) -> String {
    use crate::framework::trace::MetricValue;
    let mut text = String::new();
    for (_, value) in &metric.labels {
        text.push_str(value);
        text.push(' ');
    }
    text.push_str(&match metric.value {
        MetricValue::Add(change) => change.to_string(),
        MetricValue::Count(count) => count.to_string(),
        MetricValue::Time(span) => span.to_string(),
    });
    text
}

/// The reference of `make::pod(name)`.
pub(super) fn reference(name: &str) -> PodRef {
    PodRef::of(&make::pod(name).build())
}

fn hints(helps: &[PluginName]) -> SortedMap<String, String> {
    let label = |plugin: &PluginName| (["hint.", plugin.0].concat(), "queue".to_string());
    helps.iter().map(label).collect()
}

/// A node whose coming could help pods that these plugins rejected.
pub(super) fn node_that_helps(helps: &[PluginName]) -> Object {
    let node = make::node("n").with(|node| node.metadata.labels = hints(helps));
    Object::Node(node.build())
}

/// A claim whose coming could help pods that these plugins rejected.
pub(super) fn claim_that_helps(helps: &[PluginName]) -> Object {
    let metadata = ObjectMeta {
        labels: hints(helps),
        ..ObjectMeta::namespaced("default", "claim")
    };
    Object::from(PersistentVolumeClaim {
        metadata,
        ..PersistentVolumeClaim::default()
    })
}

/// A storage class.
pub(super) fn class() -> Object {
    Object::from(StorageClass::default())
}

/// The default options, with one change.
pub(super) fn options(change: impl FnOnce(&mut QueueOptions)) -> QueueOptions {
    let mut options = QueueOptions::default();
    change(&mut options);
    options
}

/// Pods are tried only from activeQ, and backoffs end where they end.
pub(super) fn without_popping_from_backoff() -> QueueOptions {
    options(|options| options.pop_from_backoff_q = false)
}

/// Nobody judges events.
pub(super) fn without_hints() -> QueueOptions {
    options(|options| options.queueing_hints = false)
}

/// A length of time in milliseconds.
pub(super) const fn millis(millis: i64) -> Span {
    Span::from_millis(millis)
}
