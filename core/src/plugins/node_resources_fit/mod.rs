//! NodeResourcesFit: what a pod asks for must be free on its node.
//!
//! | File | Answers |
//! |---|---|
//! | this one | which nodes have room |
//! | `strategy` | which of them is the better fit |
//! | `hints` | which events could make room |

mod hints;
pub(super) mod strategy;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;

use smallvec::SmallVec;

use crate::api::{Object, Pod, RequestOptions, is_extended_resource, pod_requests};
use crate::config::{ConfigError, Gate, Gates, NodeResourcesFitArgs, PluginArgs};
use crate::framework::cluster_event::{
    ActionType, ClusterEvent, EventResource, EventWithHint, QueueingHint,
};
use crate::framework::cycle_state::{CycleState, StateKey};
use crate::framework::extension::{
    CycleContext, Filter, Plugin, PreFilter, PreFiltered, PreScore, QueueContext, Score, Signature,
    Verdicts,
};
use crate::framework::reason::Reason;
use crate::framework::status::{Code, PluginError, PluginName, Status};
use crate::node_set::{NodeIndex, NodeSet};
use crate::order::{self, SortedSet};
use crate::snapshot::{Listers, NodeInfo, PodInfo, Resource};

use super::device_classes::DeviceClasses;
use super::gates;
use super::scored_resources::{Basis, Incoming, ScoredResources};
use super::sign::{self, DeviceBacked};
pub(super) use strategy::Curve;
use strategy::Strategy;

/// Rejects nodes without room for the pod and scores nodes by how full they are.
///
/// Source: spec, plugins 4; Kubernetes v1.36 `plugins/noderesources/fit.go`.
#[derive(Clone, Debug)]
pub struct NodeResourcesFit {
    ignored_resources: SortedSet<String>,
    ignored_groups: SortedSet<String>,
    /// What counts for Filter.
    options: RequestOptions,
    /// What counts for Score.
    score_options: RequestOptions,
    /// What counts of a pod that is on a node.
    placed_options: RequestOptions,
    has_device_classes: bool,
    resources: ScoredResources,
    strategy: Strategy,
    names: Names,
}

/// Names of resources for reasons, made once.
#[derive(Clone, Debug)]
struct Names {
    cpu: Arc<str>,
    memory: Arc<str>,
    ephemeral_storage: Arc<str>,
}

/// What PreFilter hands to Filter.
#[derive(Clone, Debug, Default)]
struct FitState {
    request: Resource,
    /// Requested resources that devices stand for.
    from_devices: SmallVec<[Arc<str>; 2]>,
}

impl NodeResourcesFit {
    /// The name under which it is configured.
    pub const NAME: PluginName = PluginName("NodeResourcesFit");

    pub(super) fn build(args: &PluginArgs, gates: &Gates) -> Result<Arc<dyn Plugin>, ConfigError> {
        Ok(Arc::new(match args {
            PluginArgs::NodeResourcesFit(args) => Self::new(args, *gates),
            _ => Self::new(&NodeResourcesFitArgs::default(), *gates),
        }))
    }

    fn new(args: &NodeResourcesFitArgs, gates: Gates) -> Self {
        let requests = |options| gates::requests(options, gates);
        Self {
            ignored_resources: order::collect(args.ignored_resources.iter().cloned()),
            ignored_groups: order::collect(args.ignored_resource_groups.iter().cloned()),
            options: requests(RequestOptions::INCOMING),
            score_options: requests(RequestOptions::INCOMING_NON_ZERO),
            placed_options: requests(RequestOptions::PLACED),
            has_device_classes: gates.enabled(Gate::DRAExtendedResource),
            resources: ScoredResources::new(&args.scoring_strategy.resources, Basis::NonZero),
            strategy: Strategy::new(&args.scoring_strategy),
            names: Names {
                cpu: Arc::from("cpu"),
                memory: Arc::from("memory"),
                ephemeral_storage: Arc::from("ephemeral-storage"),
            },
        }
    }

    fn fit_state(&self, listers: &Listers, pod: &Pod) -> FitState {
        let request = Resource::from_list(&pod_requests(pod, self.options));
        let mut from_devices = SmallVec::new();
        if self.has_device_classes && !listers.device_classes.is_empty() {
            let classes = DeviceClasses::of(listers);
            let names = request.scalars.keys();
            from_devices.extend(names.filter(|name| classes.stand_for(name)).cloned());
        }
        FitState {
            request,
            from_devices,
        }
    }

    fn state<'a>(
        &self,
        cx: &CycleContext<'_>,
        state: &'a CycleState,
        pod: &PodInfo,
    ) -> Cow<'a, FitState> {
        state.read::<FitState>(FIT_STATE).map_or_else(
            || Cow::Owned(self.fit_state(cx.listers, &pod.pod)),
            Cow::Borrowed,
        )
    }

    fn incoming<'a>(&self, state: &'a CycleState, pod: &PodInfo) -> Cow<'a, Incoming> {
        state
            .read::<Incoming>(SCORE_STATE)
            .map_or_else(|| Cow::Owned(self.scored_request(&pod.pod)), Cow::Borrowed)
    }

    fn scored_request(&self, pod: &Pod) -> Incoming {
        self.resources
            .incoming(&pod_requests(pod, self.score_options))
    }

    /// Whether Filter looks at a scalar resource. Huge pages and other native names cannot be ignored.
    fn is_ignored(&self, name: &str) -> bool {
        if self.ignored_resources.is_empty() && self.ignored_groups.is_empty() {
            return false;
        }
        let group = name.split_once('/').map_or(name, |(group, _)| group);
        is_extended_resource(name)
            && (self.ignored_resources.contains(name) || self.ignored_groups.contains(group))
    }

    /// Everything that keeps the pod off a node: the plain reading of the rules.
    ///
    /// Unresolvable when a request exceeds what the node has in all: no eviction could help.
    fn problems(&self, wanted: &FitState, info: &NodeInfo, ignores: Ignores) -> Status {
        let mut problems = Problems::default();
        let pods = i64::try_from(info.pods.len()).unwrap_or(i64::MAX);
        let allowed = info.allocatable.allowed_pods;
        if pods.saturating_add(1) > allowed {
            problems.reasons.push(Reason::TooManyPods { pods, allowed });
        }
        let FitState { request, .. } = wanted;
        let (used, has) = (&info.requested, &info.allocatable);
        let names = &self.names;
        problems.check(&names.cpu, request.milli_cpu, used.milli_cpu, has.milli_cpu);
        problems.check(&names.memory, request.memory, used.memory, has.memory);
        problems.check(
            &names.ephemeral_storage,
            request.ephemeral_storage,
            used.ephemeral_storage,
            has.ephemeral_storage,
        );
        for (name, amount) in &request.scalars {
            let is_ignored = ignores == Ignores::AsConfigured && self.is_ignored(name);
            let is_from_devices = has.scalar(name) == 0 && wanted.from_devices.contains(name);
            if !is_ignored && !is_from_devices {
                problems.check(name, *amount, used.scalar(name), has.scalar(name));
            }
        }
        problems.status()
    }
}

/// Whether resources that the arguments ignore are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ignores {
    AsConfigured,
    Nothing,
}

/// What keeps a pod off a node, as far as it has been found out.
#[derive(Debug, Default)]
struct Problems {
    reasons: SmallVec<[Reason; 1]>,
    is_unresolvable: bool,
}

impl Problems {
    /// Nothing is ever short of nothing, even on a node that is overcommitted.
    fn check(&mut self, resource: &Arc<str>, requested: i64, used: i64, allocatable: i64) {
        if requested <= 0 || requested <= allocatable.saturating_sub(used) {
            return;
        }
        self.is_unresolvable |= requested > allocatable;
        self.reasons.push(Reason::Insufficient {
            resource: resource.clone(),
            requested,
            used,
            allocatable,
        });
    }

    fn status(self) -> Status {
        let code = match (self.reasons.is_empty(), self.is_unresolvable) {
            (true, _) => Code::Success,
            (false, true) => Code::UnschedulableAndUnresolvable,
            (false, false) => Code::Unschedulable,
        };
        Status {
            code,
            reasons: self.reasons,
            plugin: None,
        }
    }
}

impl Plugin for NodeResourcesFit {
    fn name(&self) -> PluginName {
        Self::NAME
    }

    fn events(&self) -> Option<&[EventWithHint]> {
        Some(if self.has_device_classes {
            &EVENTS
        } else {
            EVENTS.split_last().map_or(&[], |(_, others)| others)
        })
    }

    /// Queue when an event makes room that this pod could use.
    fn queueing_hint(
        &self,
        cx: &QueueContext<'_>,
        registered: &ClusterEvent,
        pod: &PodInfo,
        old: Option<&Object>,
        new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        match registered.resource {
            EventResource::Pod => self.pod_hint(pod, old, new),
            EventResource::DeviceClass => self.device_class_hint(pod, old, new),
            _ => self.node_hint(cx, pod, old, new),
        }
    }

    fn sign(&self, listers: &Listers, pod: &PodInfo) -> Signature {
        let devices = DeviceBacked::when(self.has_device_classes);
        sign::requests(listers, &pod.pod, self.options, devices)
    }

    fn as_pre_filter(&self) -> Option<&dyn PreFilter> {
        Some(self)
    }

    fn as_filter(&self) -> Option<&dyn Filter> {
        Some(self)
    }

    fn as_pre_score(&self) -> Option<&dyn PreScore> {
        Some(self)
    }

    fn as_score(&self) -> Option<&dyn Score> {
        Some(self)
    }
}

impl PreFilter for NodeResourcesFit {
    /// Never skips: there must be room for one more pod even if it asks for nothing.
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        state.write_until_chosen(FIT_STATE, self.fit_state(cx.listers, &pod.pod));
        PreFiltered::default()
    }
}

impl Filter for NodeResourcesFit {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let wanted = self.state(cx, state, pod);
        self.problems(&wanted, cx.snapshot.node(node), Ignores::AsConfigured)
    }

    /// Units: milli-cores, bytes, or whole units, never negative.
    /// Cost: O(nodes × requested resources); a node that is rejected costs its reasons.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let wanted = self.state(cx, state, pod);
        let request = &wanted.request;
        let has_room = |requested: i64, used: i64, allocatable: i64| {
            requested <= 0 || requested <= allocatable.saturating_sub(used)
        };
        nodes.retain(|node| {
            let room = cx.snapshot.columns().room(node);
            let (cpu, memory) = (room.requested_milli_cpu, room.requested_memory);
            let (ephemeral, storage) = (room.requested_ephemeral, room.allocatable_ephemeral);
            if request.scalars.is_empty()
                && room.pods < room.allowed_pods
                && has_room(request.milli_cpu, cpu, room.allocatable_milli_cpu)
                && has_room(request.memory, memory, room.allocatable_memory)
                && has_room(request.ephemeral_storage, ephemeral, storage)
            {
                return true;
            }
            let info = cx.snapshot.node(node);
            let status = self.problems(&wanted, info, Ignores::AsConfigured);
            let is_feasible = status.is_success();
            if !is_feasible {
                verdicts.reject(node, status);
            }
            is_feasible
        });
    }
}

impl PreScore for NodeResourcesFit {
    fn pre_score(
        &self,
        _cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        _nodes: &[NodeIndex],
    ) -> Status {
        state.write_until_chosen(SCORE_STATE, self.scored_request(&pod.pod));
        Status::success()
    }
}

impl Score for NodeResourcesFit {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let incoming = self.incoming(state, pod);
        let info = cx.snapshot.node(node);
        Ok(self.strategy.score(self.resources.on_node(info, &incoming)))
    }

    /// Cost: O(nodes × resources), no allocation.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let incoming = self.incoming(state, pod);
        let resources = &self.resources;
        resources.score_rows(cx.snapshot, nodes, &incoming, column, |node| {
            let fills = resources.on_row(cx.snapshot, node, &incoming);
            self.strategy.score(fills)
        });
        Ok(())
    }
}

const FIT_STATE: StateKey = StateKey("PreFilterNodeResourcesFit");
const SCORE_STATE: StateKey = StateKey("PreScoreNodeResourcesFit");

/// The last one only while devices can stand for resources.
const EVENTS: [EventWithHint; 3] = [
    EventWithHint::asked(
        EventResource::Pod,
        ActionType::DELETE.and(ActionType::UPDATE_POD_SCALE_DOWN),
    ),
    EventWithHint::asked(
        EventResource::Node,
        ActionType::ADD.and(ActionType::UPDATE_NODE_ALLOCATABLE),
    ),
    EventWithHint::asked(
        EventResource::DeviceClass,
        ActionType::ADD.and(ActionType::UPDATE),
    ),
];

#[cfg(test)]
mod tests;
