//! The extension points of a plugin that is measured.

use berth_core::framework::cycle_state::CycleState;
use berth_core::framework::extension::{
    Bind, BindContext, Candidate, CycleContext, Filter, Permit, Permitted, PostFilter,
    PostFilterStep, PostFiltered, PreBind, PreBindStep, PreEnqueue, PreFilter, PreFiltered,
    PreFlight, PreScore, QueueContext, Reserve, Score, Verdicts,
};
use berth_core::framework::handle::Handle;
use berth_core::framework::status::{Code, NodeStatuses, PluginError, Status};
use berth_core::framework::work::{Outcome, Work};
use berth_core::node_set::{NodeIndex, NodeSet};
use berth_core::snapshot::{NodeInfo, PluginMemory, PodInfo};

use super::Timed;

/// What is done at a point that the plugin turns out not to implement, which it has said it does.
const IMPLEMENTED: &str = "the wrapper implements what the plugin does";

fn code(status: &Status) -> Code {
    status.code
}

fn code_of<T>(result: &Result<T, PluginError>) -> Code {
    result.as_ref().map_or(Code::Error, |_| Code::Success)
}

impl PreEnqueue for Timed {
    fn pre_enqueue(&self, cx: &QueueContext<'_>, pod: &PodInfo) -> Status {
        let plugin = self.0.as_pre_enqueue().expect(IMPLEMENTED);
        self.run("PreEnqueue", || plugin.pre_enqueue(cx, pod), code)
    }
}

impl PreFilter for Timed {
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered {
        let plugin = self.0.as_pre_filter().expect(IMPLEMENTED);
        let run = || plugin.pre_filter(cx, state, pod);
        self.run("PreFilter", run, |answer| answer.status.code)
    }

    fn has_extensions(&self) -> bool {
        self.0.as_pre_filter().expect(IMPLEMENTED).has_extensions()
    }

    fn add_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        added: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        let plugin = self.0.as_pre_filter().expect(IMPLEMENTED);
        let run = || plugin.add_pod(cx, state, pod, added, node);
        self.run("PreFilterExtensionAddPod", run, code)
    }

    fn remove_pod(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        removed: &PodInfo,
        node: &NodeInfo,
    ) -> Status {
        let plugin = self.0.as_pre_filter().expect(IMPLEMENTED);
        let run = || plugin.remove_pod(cx, state, pod, removed, node);
        self.run("PreFilterExtensionRemovePod", run, code)
    }
}

impl Filter for Timed {
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status {
        let plugin = self.0.as_filter().expect(IMPLEMENTED);
        let status = self.run("Filter", || plugin.filter_node(cx, state, pod, node), code);
        self.note_stage("predicate", status.code);
        status
    }

    /// Measured once for all nodes; no success when none of them passes.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        let plugin = self.0.as_filter().expect(IMPLEMENTED);
        self.run(
            "Filter",
            || {
                plugin.filter(cx, state, pod, nodes, verdicts);
                nodes.is_empty()
            },
            |none_passes| match none_passes {
                true => Code::Unschedulable,
                false => Code::Success,
            },
        );
        if self.binds_volumes() {
            for (_, status) in verdicts.rejected() {
                self.note_stage("predicate", status.code);
            }
        }
    }
}

impl PostFilter for Timed {
    fn post_filter(
        &self,
        handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        statuses: &NodeStatuses,
    ) -> PostFilterStep {
        let plugin = self.0.as_post_filter().expect(IMPLEMENTED);
        let run = || plugin.post_filter(handle, state, pod, statuses);
        self.run("PostFilter", run, after)
    }

    fn choose(
        &self,
        handle: &mut Handle<'_>,
        pod: &PodInfo,
        candidates: Vec<Candidate>,
    ) -> PostFilterStep {
        let plugin = self.0.as_post_filter().expect(IMPLEMENTED);
        let run = || plugin.choose(handle, pod, candidates);
        self.run("PostFilter", run, after)
    }
}

fn after(step: &PostFilterStep) -> Code {
    match step {
        PostFilterStep::Done(PostFiltered { status, .. }) => status.code,
        PostFilterStep::Consult(_) => Code::Success,
    }
}

impl PreScore for Timed {
    fn pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
    ) -> Status {
        let plugin = self.0.as_pre_score().expect(IMPLEMENTED);
        self.run("PreScore", || plugin.pre_score(cx, state, pod, nodes), code)
    }
}

impl Score for Timed {
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError> {
        let plugin = self.0.as_score().expect(IMPLEMENTED);
        self.run("Score", || plugin.score_node(cx, state, pod, node), code_of)
    }

    /// Measured once for all nodes.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let plugin = self.0.as_score().expect(IMPLEMENTED);
        let run = || plugin.score(cx, state, pod, nodes, column);
        self.run("Score", run, code_of)
    }

    fn has_normalize(&self) -> bool {
        self.0.as_score().expect(IMPLEMENTED).has_normalize()
    }

    fn normalize(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        let plugin = self.0.as_score().expect(IMPLEMENTED);
        let run = || plugin.normalize(cx, state, pod, nodes, column);
        self.run("ScoreExtensionNormalize", run, code_of)
    }
}

impl Reserve for Timed {
    fn reserve(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Status {
        let plugin = self.0.as_reserve().expect(IMPLEMENTED);
        let run = || plugin.reserve(cx, memory, state, pod, node);
        let status = self.run("Reserve", run, code);
        self.note_stage("assume", status.code);
        status
    }

    fn unreserve(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Vec<Work> {
        let plugin = self.0.as_reserve().expect(IMPLEMENTED);
        let run = || plugin.unreserve(cx, memory, state, pod, node);
        self.run("Unreserve", run, |_| Code::Success)
    }
}

impl Permit for Timed {
    fn permit(
        &self,
        cx: &BindContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Permitted {
        let plugin = self.0.as_permit().expect(IMPLEMENTED);
        let run = || plugin.permit(cx, state, pod, node);
        self.run("Permit", run, |permitted| permitted.status.code)
    }
}

/// What waits for the server is measured up to the point at which it begins to wait.
impl PreBind for Timed {
    fn pre_flight(
        &self,
        cx: &BindContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> PreFlight {
        let plugin = self.0.as_pre_bind().expect(IMPLEMENTED);
        let run = || plugin.pre_flight(cx, state, pod, node);
        self.run("PreBindPreFlight", run, |flight| flight.status.code)
    }

    fn pre_bind(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> PreBindStep {
        let plugin = self.0.as_pre_bind().expect(IMPLEMENTED);
        let run = || plugin.pre_bind(cx, memory, state, pod, node);
        self.bound(self.run("PreBind", run, step))
    }

    fn resume(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
        outcome: Option<&Outcome>,
    ) -> PreBindStep {
        let plugin = self.0.as_pre_bind().expect(IMPLEMENTED);
        let run = || plugin.resume(cx, memory, state, pod, node, outcome);
        self.bound(self.run("PreBind", run, step))
    }
}

impl Timed {
    /// A step of PreBind, noted where volumes could not be bound.
    fn bound(&self, done: PreBindStep) -> PreBindStep {
        self.note_stage("bind", step(&done));
        done
    }
}

fn step(step: &PreBindStep) -> Code {
    match step {
        PreBindStep::Done(status) => status.code,
        PreBindStep::Work(_) | PreBindStep::WaitUntil(_) => Code::Success,
    }
}

impl Bind for Timed {
    fn bind(
        &self,
        cx: &BindContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Option<Work> {
        let plugin = self.0.as_bind().expect(IMPLEMENTED);
        let run = || plugin.bind(cx, state, pod, node);
        self.run("Bind", run, |work| match work {
            Some(_) => Code::Success,
            None => Code::Skip,
        })
    }
}
