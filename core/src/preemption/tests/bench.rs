//! A small cluster with a profile of two plugins: one that counts CPU and one that counts pods in the attempt's state.

use alloc::format;
use alloc::string::String;
use core::cmp::Ordering;

use crate::api::PodDisruptionBudget;
use crate::cache::SchedulerCache;
use crate::config::{ConfigError, Gates, PluginArgs, PluginEntry, Profile};
use crate::framework::cycle_state::StateKey;
use crate::framework::extension::{
    Bind, BindContext, CycleContext, Filter, Plugin, PreFilter, PreFiltered, QueuePlace, QueueSort,
};
use crate::framework::handle::NominatedPods;
use crate::framework::registry::Registry;
use crate::framework::runtime::Framework;
use crate::framework::status::PluginName;
use crate::framework::work::Work;
use crate::make::{NodeBuilder, PodBuilder};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::rng::{Rng, Seed};
use crate::snapshot::{Listers, NodeInfo, PluginMemory, Snapshot};
use crate::time::Timestamp;

use super::*;

/// The names of pods, in order.
pub(in crate::preemption) fn names(pods: &[Arc<PodInfo>]) -> Vec<&str> {
    pods.iter().map(|pod| &*pod.reference.name).collect()
}

/// A cluster in which a pod asks for room.
pub(in crate::preemption) struct Bench {
    pub(in crate::preemption) snapshot: Snapshot,
    pub(in crate::preemption) listers: Listers,
    pub(in crate::preemption) records: Vec<Record>,
    pub(in crate::preemption) args: DefaultPreemptionArgs,
    pub(in crate::preemption) seed: u64,
    /// The answers of the search, when they are not those of the plugins.
    pub(in crate::preemption) statuses: Option<NodeStatuses>,
    /// The newest version of the pod, when it is not the one that asks.
    pub(in crate::preemption) newest: Option<PodBuilder>,
    pub(in crate::preemption) is_observed: bool,
    pub(in crate::preemption) is_listening: bool,
    pub(in crate::preemption) consults_extenders: bool,
    nominated: Nominated,
    framework: Framework,
    memory: PluginMemory,
}

#[derive(Default)]
struct Nominated(Vec<(String, Arc<PodInfo>)>);

impl NominatedPods for Nominated {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn nominated_pods_for_node(&self, node: &str) -> Vec<Arc<PodInfo>> {
        let here = self.0.iter().filter(|(name, _)| name == node);
        here.map(|(_, pod)| pod.clone()).collect()
    }
}

impl Bench {
    pub(in crate::preemption) fn new(nodes: &[NodeBuilder], pods: &[PodBuilder]) -> Self {
        let mut cache = SchedulerCache::new(None);
        for node in nodes {
            cache.add_node(node.clone().build());
        }
        for pod in pods {
            cache.add_pod(pod.clone().build()).unwrap();
        }
        let mut snapshot = Snapshot::default();
        cache.update_snapshot(&mut snapshot).unwrap();
        Self {
            snapshot,
            listers: Listers::default(),
            records: Vec::new(),
            args: DefaultPreemptionArgs::default(),
            seed: 0,
            statuses: None,
            newest: None,
            is_observed: true,
            is_listening: true,
            consults_extenders: false,
            nominated: Nominated::default(),
            framework: framework(),
            memory: PluginMemory::default(),
        }
    }

    pub(in crate::preemption) fn nominate(&mut self, pod: &PodBuilder, node: &str) {
        let info = Arc::new(PodInfo::new(pod.clone().build()));
        self.nominated.0.push((node.into(), info));
    }

    pub(in crate::preemption) fn observe_budget(&mut self, budget: &Arc<PodDisruptionBudget>) {
        let budgets = &mut self.listers.pod_disruption_budgets;
        budgets.insert(budget.clone());
    }

    /// Filters every node, and looks for victims where none fits.
    pub(in crate::preemption) fn preempt(&mut self, pod: &PodBuilder) -> PostFilterStep {
        let pod = pod.clone().build();
        if self.is_observed {
            let newest = self
                .newest
                .clone()
                .map_or_else(|| pod.clone(), PodBuilder::build);
            self.listers.pods.insert(newest);
        }
        let pod = PodInfo::new(pod);
        let evaluator = Evaluator::new(self.args.clone());
        let given = self.statuses.clone();
        self.with_handle(|handle| {
            let (state, found) = search(handle, &pod);
            let statuses = given.unwrap_or(found);
            evaluator.preempt(handle, &state, &pod, &statuses)
        })
    }

    pub(in crate::preemption) fn choose(
        &mut self,
        pod: &PodInfo,
        candidates: Vec<Candidate>,
    ) -> PostFilterStep {
        let evaluator = Evaluator::new(self.args.clone());
        self.with_handle(|handle| evaluator.choose(handle, pod, candidates))
    }

    fn with_handle<R>(&mut self, act: impl FnOnce(&mut Handle<'_>) -> R) -> R {
        let mut rng = Rng::new(Seed(self.seed));
        let mut handle = Handle {
            framework: &self.framework,
            now: Timestamp::from_secs(1000),
            snapshot: &mut self.snapshot,
            listers: &self.listers,
            memory: &self.memory,
            nominated: &self.nominated,
            rng: &mut rng,
            consults_extenders: self.consults_extenders,
            records: self.is_listening.then(Vec::new),
            counts: None,
        };
        let result = act(&mut handle);
        self.records.extend(handle.records.unwrap_or_default());
        result
    }
}

fn search(handle: &mut Handle<'_>, pod: &PodInfo) -> (CycleState, NodeStatuses) {
    let mut state = CycleState::default();
    handle
        .framework
        .run_pre_filter(&handle.context(), &mut state, pod, |_, _, _| ());
    let mut statuses = NodeStatuses::default();
    for row in handle.snapshot.all().iter() {
        let (status, _) = handle.filter_with_nominated(&state, pod, row);
        if !status.is_success() {
            statuses.set(row, status);
        }
    }
    (state, statuses)
}

fn framework() -> Framework {
    let registry = Registry::of(&[
        (Room.name(), |_: &PluginArgs, _: &Gates| Ok(Arc::new(Room))),
        (Guard.name(), build_guard),
    ]);
    let mut profile = Profile {
        scheduler_name: "default-scheduler".into(),
        ..Profile::default()
    };
    profile.plugins.multi_point.enabled = [Room.name(), Guard.name()]
        .map(|name| PluginEntry::new(name.0))
        .to_vec();
    Framework::new(&profile, &registry, &Gates::default()).unwrap()
}

fn build_guard(_: &PluginArgs, _: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
    Ok(Arc::new(Guard))
}

/// CPU must be free; cordoned nodes are refused for good, nodes with the label `pending` for now. Binds and sorts, so
/// that the profile is complete.
struct Room;

impl Plugin for Room {
    fn name(&self) -> PluginName {
        PluginName("Room")
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_queue_sort(&self) -> Option<&dyn QueueSort> {
        Some(self)
    }

    fn as_bind(&self) -> Option<&dyn Bind> {
        Some(self)
    }
}

impl Filter for Room {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        _: &CycleState,
        pod: &PodInfo,
        row: NodeIndex,
    ) -> Status {
        let info = cx.snapshot.node(row);
        if info.label("pending").is_some() {
            return Status::with(Code::Pending, Reason::from("pending"));
        }
        if info.node.as_ref().unwrap().spec.unschedulable {
            return Status::unresolvable(Reason::NodeUnschedulable);
        }
        let room = cx.snapshot.columns().room(row);
        let asked = pod.requests.milli_cpu;
        if room.requested_milli_cpu + asked > room.allocatable_milli_cpu {
            return Status::unschedulable(Reason::Insufficient {
                resource: Arc::from("cpu"),
                requested: asked,
                used: room.requested_milli_cpu,
                allocatable: room.allocatable_milli_cpu,
            });
        }
        Status::success()
    }
}

impl QueueSort for Room {
    fn compare(&self, _: QueuePlace<'_>, _: QueuePlace<'_>) -> Ordering {
        Ordering::Equal
    }
}

impl Bind for Room {
    fn bind(&self, _: &BindContext<'_>, _: &CycleState, _: &PodInfo, _: &str) -> Option<Work> {
        None
    }
}

/// A node with a pod labelled `guard` is refused. Which nodes those are is counted in the attempt's state, so it is right
/// only when every departure and return is told. Pods labelled `broken` cannot be taken off.
struct Guard;

const GUARDED: StateKey = StateKey("Guard");

type Guarded = SortedMap<String, i64>;

impl Plugin for Guard {
    fn name(&self) -> PluginName {
        PluginName("Guard")
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }
}

fn label<'p>(pod: &'p PodInfo, key: &str) -> Option<&'p String> {
    pod.pod.metadata.labels.get(key)
}

fn count(state: &mut CycleState, pod: &PodInfo, node: &NodeInfo, by: i64) {
    if label(pod, "guard").is_some() {
        let guarded = state.change::<Guarded>(GUARDED).unwrap();
        *guarded.entry(node.name().into()).or_default() += by;
    }
}

impl PreFilter for Guard {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        _: &PodInfo,
    ) -> PreFiltered {
        state.write(GUARDED, Guarded::new());
        for (_, info) in cx.snapshot.iter() {
            for pod in &info.pods {
                count(state, pod, info, 1);
            }
        }
        PreFiltered::default()
    }

    fn has_extensions(&self) -> bool {
        true
    }

    fn add_pod(
        &self,
        _: &CycleContext<'_>,
        state: &mut CycleState,
        _: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        assert!(node.pods.iter().any(|pod| pod.reference == added.reference));
        count(state, added, node, 1);
        Status::success()
    }

    fn remove_pod(
        &self,
        _: &CycleContext<'_>,
        state: &mut CycleState,
        _: &PodInfo,
        removed: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        assert!(
            !node
                .pods
                .iter()
                .any(|pod| pod.reference == removed.reference)
        );
        if let Some(why) = label(removed, "broken") {
            return Status::error(format!("broken {why}"));
        }
        count(state, removed, node, -1);
        Status::success()
    }
}

impl Filter for Guard {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        _: &PodInfo,
        row: NodeIndex,
    ) -> Status {
        let guarded = state.read::<Guarded>(GUARDED).unwrap();
        let guards = guarded.get(&**cx.snapshot.name(row)).copied();
        if guards.unwrap_or(0) > 0 {
            return Status::unschedulable(Reason::from("guarded"));
        }
        Status::success()
    }
}
