//! The extension points: what a plugin may be asked.
//!
//! A plugin sees sets of nodes, never one node through a virtual call, and can reach nothing but its arguments and what
//! it is handed. It does not change after it is built. Each set method has a plain per-node twin (`filter_node`,
//! `score_node`): the default set method walks the set with it, and tests hold a faster one against it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::api::Object;
use crate::node_set::{NodeIndex, NodeSet};
use crate::order::SortedSet;
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, PodRef, Snapshot};
use crate::time::{Span, Timestamp};

pub use super::answers::Verdicts;
use super::cluster_event::{ClusterEvent, EventWithHint, QueueingHint};
use super::cycle_state::CycleState;
use super::handle::Handle;
use super::status::{NodeStatuses, PluginError, PluginName, Status};
use super::work::{Outcome, Work};

/// What every plugin may look at during one attempt.
#[derive(Clone, Copy, Debug)]
pub struct CycleContext<'a> {
    /// The instant of the attempt.
    pub now: Timestamp,
    /// The nodes.
    pub snapshot: &'a Snapshot,
    /// Objects by name.
    pub listers: &'a Listers,
    /// What plugins remember between cycles.
    pub memory: &'a PluginMemory,
}

/// What a plugin may look at outside an attempt: in PreEnqueue and in queueing hints.
#[derive(Clone, Copy, Debug)]
pub struct QueueContext<'a> {
    /// The instant of the event.
    pub now: Timestamp,
    /// Objects by name.
    pub listers: &'a Listers,
    /// What plugins remember between cycles.
    pub memory: &'a PluginMemory,
}

/// What a plugin looks at in a pod, for telling whether two pods are alike: kube-scheduler's `Sign`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// The plugin does not say: no pod of its profile has a signature.
    Unsupported,
    /// This pod has none.
    Refused,
    /// What it looks at, by the names that kube-scheduler gives to parts of a pod.
    Parts(Vec<(&'static str, serde_json::Value)>),
}

/// One accessor for each extension point a plugin implements.
macro_rules! accessors {
    ($( $method:ident: $point:ident ),* $(,)?) => {
        $(
            #[doc = concat!("The plugin at the extension point ", stringify!($point), ", if it implements it.")]
            fn $method(&self) -> Option<&dyn $point> {
                None
            }
        )*
    };
}

/// A plugin: a name, the events it waits for, and the extension points it implements.
pub trait Plugin: Send + Sync {
    /// The name under which it is configured and reported.
    fn name(&self) -> PluginName;

    /// The events that could make a pod schedulable that this plugin rejected.
    ///
    /// `None`: it registers nothing and is asked about everything, as in kube-scheduler; an empty list: no event helps.
    fn events(&self) -> Option<&[EventWithHint]> {
        None
    }

    /// Whether an event that matched `registered` could make `pod` schedulable. Asked only where the registration says
    /// so. `old` is absent for an added object, `new` for a deleted one.
    ///
    /// # Errors
    ///
    /// An error counts as [`QueueingHint::Queue`].
    fn queueing_hint(
        &self,
        _cx: &QueueContext<'_>,
        _registered: &ClusterEvent,
        _pod: &PodInfo,
        _old: Option<&Object>,
        _new: Option<&Object>,
    ) -> Result<QueueingHint, PluginError> {
        Ok(QueueingHint::Queue)
    }

    /// What a pod must share with another one so that this plugin judges both alike.
    fn sign(&self, _listers: &Listers, _pod: &PodInfo) -> Signature {
        Signature::Unsupported
    }

    accessors! {
        as_pre_enqueue: PreEnqueue, as_queue_sort: QueueSort, as_pre_filter: PreFilter, as_filter: Filter,
        as_post_filter: PostFilter, as_pre_score: PreScore, as_score: Score, as_reserve: Reserve, as_permit: Permit,
        as_pre_bind: PreBind, as_bind: Bind, as_post_bind: PostBind,
    }
}

/// Whether a pod may enter a queue of pods to be tried at all.
pub trait PreEnqueue: Plugin {
    /// Success lets it in; anything else gates it.
    fn pre_enqueue(&self, cx: &QueueContext<'_>, pod: &PodInfo) -> Status;
}

/// A pod's place in activeQ, as a QueueSort plugin sees it.
#[derive(Clone, Copy, Debug)]
pub struct QueuePlace<'a> {
    /// The pod.
    pub pod: &'a PodInfo,
    /// When it was last added to the queue.
    pub timestamp: Timestamp,
}

/// Which of two waiting pods is tried first.
pub trait QueueSort: Plugin {
    /// `Less` when `one` goes first; `Equal` leaves it to the heap.
    fn compare(&self, one: QueuePlace<'_>, two: QueuePlace<'_>) -> Ordering;
}

/// What PreFilter answers.
#[derive(Clone, Debug, Default)]
pub struct PreFiltered {
    /// Success, Skip (Filter is turned off for this pod), a rejection, or an error.
    pub status: Status,
    /// The only nodes worth filtering, by name; `None` for all.
    pub nodes: Option<SortedSet<Arc<str>>>,
}

impl From<Status> for PreFiltered {
    fn from(status: Status) -> Self {
        Self {
            status,
            nodes: None,
        }
    }
}

/// Work for one pod over all nodes, before any is filtered.
pub trait PreFilter: Plugin {
    /// Looks at the pod and at all nodes, keeps what Filter needs in `state`, may narrow the search.
    fn pre_filter(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
    ) -> PreFiltered;

    /// Whether the plugin keeps counts that a pod added to or taken from a node changes.
    fn has_extensions(&self) -> bool {
        false
    }

    /// Counts `added` in, as if it ran on `node`. Success unless something is broken.
    fn add_pod(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _added: &PodInfo,
        _node: &NodeInfo,
    ) -> Status {
        Status::success()
    }

    /// Counts `removed` off, as if it had left `node`. Success unless something is broken.
    fn remove_pod(
        &self,
        _cx: &CycleContext<'_>,
        _state: &mut CycleState,
        _pod: &PodInfo,
        _removed: &PodInfo,
        _node: &NodeInfo,
    ) -> Status {
        Status::success()
    }
}

/// Which nodes can take the pod.
pub trait Filter: Plugin {
    /// The plain twin: success, or why this node cannot take the pod.
    fn filter_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Status;

    /// Narrows `nodes` to those that can take the pod.
    ///
    /// Shapes: bit *i* of `nodes` is row *i* of the snapshot; `verdicts` gains one entry for each bit cleared.
    fn filter(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &mut NodeSet,
        verdicts: &mut Verdicts,
    ) {
        nodes.retain(|node| {
            let status = self.filter_node(cx, state, pod, node);
            let is_feasible = status.is_success();
            if !is_feasible {
                verdicts.reject(node, status);
            }
            is_feasible
        });
    }
}

/// What a failed attempt does to `status.nominatedNodeName`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum NominatingInfo {
    /// Leaves it alone.
    #[default]
    Noop,
    /// Sets it; the empty name clears it.
    Override(Arc<str>),
}

/// Pods to be removed from one node so that a pod fits there.
#[derive(Clone, Debug, PartialEq)]
pub struct Victims {
    /// The pods, most important first.
    pub pods: Vec<Arc<PodInfo>>,
    /// How many of them a PodDisruptionBudget would not let go.
    pub pdb_violations: usize,
}

/// A node on which preemption could make room.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The node.
    pub node: Arc<str>,
    /// Who would have to go.
    pub victims: Victims,
}

/// What PostFilter comes to.
#[derive(Clone, Debug)]
pub enum PostFilterStep {
    /// It is finished.
    Done(PostFiltered),
    /// Preemption found candidates, and extenders must be asked about them before one is chosen.
    Consult(Vec<Candidate>),
}

/// The end of PostFilter.
#[derive(Clone, Debug, Default)]
pub struct PostFiltered {
    /// Success: a node was made available; a rejection or error otherwise.
    pub status: Status,
    /// What becomes of the nomination; `None`: the plugin has no say.
    pub nominating: Option<NominatingInfo>,
    /// The victims to be evicted.
    pub evict: Option<Candidate>,
}

/// What to do when no node is feasible.
pub trait PostFilter: Plugin {
    /// Looks for a way to make a node feasible. `statuses` says why each node is not.
    fn post_filter(
        &self,
        handle: &mut Handle<'_>,
        state: &CycleState,
        pod: &PodInfo,
        statuses: &NodeStatuses,
    ) -> PostFilterStep;

    /// Goes on with the candidates that extenders left.
    fn choose(
        &self,
        _handle: &mut Handle<'_>,
        _pod: &PodInfo,
        _candidates: Vec<Candidate>,
    ) -> PostFilterStep {
        PostFilterStep::Done(PostFiltered::default())
    }
}

/// Work for one pod over its feasible nodes, before they are scored.
pub trait PreScore: Plugin {
    /// Success, or Skip: the plugin's Score is turned off for this pod.
    fn pre_score(
        &self,
        cx: &CycleContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
    ) -> Status;
}

/// How good each feasible node is.
pub trait Score: Plugin {
    /// The plain twin: the raw score of one node.
    ///
    /// # Errors
    ///
    /// An error ends the attempt.
    fn score_node(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: NodeIndex,
    ) -> Result<i64, PluginError>;

    /// Fills `column` with raw scores.
    ///
    /// Shapes: `column[i]` belongs to `nodes[i]`; the two have one length.
    ///
    /// # Errors
    ///
    /// An error ends the attempt.
    fn score(
        &self,
        cx: &CycleContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        nodes: &[NodeIndex],
        column: &mut [i64],
    ) -> Result<(), PluginError> {
        for (node, slot) in nodes.iter().zip(column) {
            *slot = self.score_node(cx, state, pod, *node)?;
        }
        Ok(())
    }

    /// Whether raw scores are brought to 0..=100 by [`Score::normalize`].
    fn has_normalize(&self) -> bool {
        false
    }

    /// Brings raw scores to 0..=100, in place. Shapes as in [`Score::score`].
    ///
    /// # Errors
    ///
    /// An error ends the attempt.
    fn normalize(
        &self,
        _cx: &CycleContext<'_>,
        _state: &CycleState,
        _pod: &PodInfo,
        _nodes: &[NodeIndex],
        _column: &mut [i64],
    ) -> Result<(), PluginError> {
        Ok(())
    }
}

/// What a plugin may look at from Reserve on. The snapshot is the serial part's own: a binding never reads it.
#[derive(Clone, Copy, Debug)]
pub struct BindContext<'a> {
    /// The instant.
    pub now: Timestamp,
    /// Objects by name.
    pub listers: &'a Listers,
}

/// What becomes the pod's on the chosen node before it is bound.
pub trait Reserve: Plugin {
    /// Reserves; a rejection or an error undoes the attempt.
    fn reserve(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Status;

    /// Undoes a reservation; also called when `reserve` was not reached. What only the host can undo is returned; whether
    /// it comes about changes nothing for the pod.
    fn unreserve(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Vec<Work>;
}

/// What Permit answers.
#[derive(Clone, Debug, Default)]
pub struct Permitted {
    /// Success, Wait, a rejection, or an error.
    pub status: Status,
    /// With Wait: for how long at most.
    pub timeout: Span,
    /// Waiting pods, by UID, that this plugin now lets go.
    pub allow: Vec<Arc<str>>,
    /// Waiting or queued pods that should be tried at once.
    pub activate: Vec<PodRef>,
}

/// Whether the pod may be bound now.
pub trait Permit: Plugin {
    /// Lets the pod go, holds it back, or rejects it.
    fn permit(
        &self,
        cx: &BindContext<'_>,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Permitted;
}

/// What a plugin comes to before binding.
#[derive(Clone, Debug)]
pub enum PreBindStep {
    /// It is finished.
    Done(Status),
    /// The host has something to do first; [`PreBind::resume`] goes on with what came of it.
    Work(Work),
    /// It asks again at this instant.
    WaitUntil(Timestamp),
}

/// What PreBindPreFlight answers.
#[derive(Clone, Debug, Default)]
pub struct PreFlight {
    /// Success: PreBind has work; Skip: none; anything else is an error.
    pub status: Status,
    /// Whether PreBind may run beside others.
    pub allow_parallel: bool,
}

/// What must be done before the pod is bound.
pub trait PreBind: Plugin {
    /// Whether there will be work.
    fn pre_flight(
        &self,
        cx: &BindContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> PreFlight;

    /// Begins.
    fn pre_bind(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> PreBindStep;

    /// Goes on after the host did its work (`outcome`), or at the instant that was asked for (`None`).
    fn resume(
        &self,
        cx: &BindContext<'_>,
        memory: &mut PluginMemory,
        state: &mut CycleState,
        pod: &PodInfo,
        node: &str,
        outcome: Option<&Outcome>,
    ) -> PreBindStep;
}

/// How the pod is bound.
pub trait Bind: Plugin {
    /// The work that binds the pod, or `None` to leave it to the next plugin.
    fn bind(
        &self,
        cx: &BindContext<'_>,
        state: &CycleState,
        pod: &PodInfo,
        node: &str,
    ) -> Option<Work>;
}

/// What is done once the pod is bound.
pub trait PostBind: Plugin {
    /// For information only.
    fn post_bind(&self, cx: &BindContext<'_>, state: &CycleState, pod: &PodInfo, node: &str);
}
