//! What happened inside the scheduler, as typed records.
//!
//! One vocabulary serves the page, `explain`, trace files and the live mirror. The runtime and the scheduler emit
//! records; plugins only return verdicts. Each record carries the numbers that its explanation needs, so a sentence is a
//! template over a record and never a second computation.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::snapshot::PodRef;
use crate::time::{Span, Timestamp, in_seconds};

use super::cluster_event::{ClusterEvent, QueueingHint};
use super::extension::NominatingInfo;
use super::status::{Code, PluginName, Status};

/// Somebody who is told what happens. `()` is nobody, and costs nothing.
pub trait Observer {
    /// Whether records are made at all; constant, so that a run without an observer has no trace code in it.
    const IS_LISTENING: bool = true;

    /// Whether metrics are observed; an observer may want them alone.
    const IS_COUNTING: bool = Self::IS_LISTENING;

    /// Takes one record. Records come in the order in which things happened.
    fn record(&mut self, at: Timestamp, record: Record);

    /// Makes and takes a record if anybody listens.
    fn note(&mut self, at: Timestamp, make: impl FnOnce() -> Record)
    where
        Self: Sized,
    {
        if Self::IS_LISTENING {
            self.record(at, make());
        }
    }

    /// Takes what kube-scheduler would log as an error; its words are put together if anybody listens.
    fn trouble(&mut self, at: Timestamp, words: impl FnOnce() -> String)
    where
        Self: Sized,
    {
        self.note(at, || Record::Trouble { message: words() });
    }

    /// Makes and takes the record of a metric if anybody counts.
    fn count(&mut self, at: Timestamp, make: impl FnOnce() -> Metric)
    where
        Self: Sized,
    {
        if Self::IS_COUNTING {
            self.record(at, Record::Metric(make()));
        }
    }
}

impl Observer for () {
    const IS_LISTENING: bool = false;

    fn record(&mut self, _at: Timestamp, _record: Record) {}
}

impl Observer for Vec<(Timestamp, Record)> {
    fn record(&mut self, at: Timestamp, record: Record) {
        self.push((at, record));
    }
}

/// Where a pod can be while it has no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In no queue: not there yet, or gone.
    Nowhere,
    /// In activeQ.
    Active,
    /// In backoffQ, rejected by plugins.
    Backoff,
    /// In backoffQ, after an error.
    ErrorBackoff,
    /// In unschedulablePods.
    Unschedulable,
    /// Held by a PreEnqueue plugin.
    Gated,
    /// Its attempt is under way.
    InFlight,
}

/// Why a pod moved from one place to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MoveCause {
    /// It was created.
    Created,
    /// It was changed, with the event that its change made.
    Updated {
        /// The event that moved it.
        event: ClusterEvent,
        /// Who said that it could help.
        plugin: Option<PluginName>,
    },
    /// It was deleted, or somebody bound it.
    Deleted,
    /// Its turn came.
    Popped,
    /// Its turn came before its backoff was over, because activeQ was empty.
    PoppedFromBackoff,
    /// Its attempt failed, and nothing that happened meanwhile could help.
    AttemptFailed,
    /// A PreEnqueue plugin holds it.
    Gated {
        /// Which one.
        plugin: PluginName,
    },
    /// An event could help.
    Event {
        /// The event.
        event: ClusterEvent,
        /// Who said so; none for the wildcard and for pods that no plugin rejected.
        plugin: Option<PluginName>,
        /// Whether the event came while the attempt was under way.
        was_in_flight: bool,
    },
    /// Its backoff was over.
    BackoffComplete,
    /// It had waited in unschedulablePods for as long as a pod may.
    UnschedulableTimeout,
    /// A plugin or a finished preemption asked for it.
    Activated,
    /// Its attempt ended otherwise: bound, dropped, or handed to a binding.
    Done,
}

/// One node as a search saw it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Visit {
    /// The node.
    pub node: Arc<str>,
    /// Who rejected it and why; `None`: every Filter plugin passed it.
    pub rejected: Option<Status>,
    /// Whether pods nominated to the node were counted in first.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub with_nominated: bool,
}

/// One Score plugin's column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScoreColumn {
    /// The plugin.
    pub plugin: PluginName,
    /// Its weight.
    pub weight: i64,
    /// Raw scores; `raw[i]` belongs to the *i*-th feasible node of the search.
    pub raw: Vec<i64>,
    /// Scores from 0 to 100 after normalising.
    pub normalized: Vec<i64>,
}

/// How the host was chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The chosen node.
    pub node: Arc<str>,
    /// Its total.
    pub score: i64,
    /// All nodes with that total, the chosen one included, in search order.
    pub tied: Vec<Arc<str>>,
    /// How a tie was resolved.
    pub tie_rule: TieRule,
}

/// How equal totals are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The order of the search decides, through the layout of the heap, as in kube-scheduler 1.36 with one worker.
    #[default]
    SearchOrder,
    /// The seed draws among the best, as older releases do and as many workers may.
    Seeded,
}

/// What a dry run of preemption on one node found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DryRun {
    /// The node.
    pub node: Arc<str>,
    /// Pods of lower priority, all of which were taken off first.
    pub lower: Vec<PodRef>,
    /// Pods put back because the pod fits beside them, in the order tried.
    pub reprieved: Vec<PodRef>,
    /// Pods that would have to go, most important first; empty when the node cannot help.
    pub victims: Vec<PodRef>,
    /// How many of the victims a PodDisruptionBudget would not let go.
    pub pdb_violations: usize,
    /// Why the node cannot help.
    pub rejected: Option<Status>,
}

/// One criterion in the choice among candidates of preemption.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Criterion {
    /// Which one, in the order in which they are applied.
    pub kind: CriterionKind,
    /// The value of each candidate that was still in; lower is better, except for the start time.
    pub values: Vec<(Arc<str>, i64)>,
    /// Who was still in afterwards.
    pub kept: Vec<Arc<str>>,
}

/// The criteria of kube-scheduler, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CriterionKind {
    /// Fewest violations of PodDisruptionBudgets.
    PdbViolations,
    /// Lowest priority of the most important victim.
    HighestPriority,
    /// Smallest sum of priorities.
    PrioritySum,
    /// Fewest victims.
    VictimCount,
    /// Latest start of the most important victims.
    StartTime,
    /// The first of the rest.
    First,
}

/// A point where kube-scheduler observes a metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metric {
    /// The name without the prefix `scheduler_`.
    pub name: &'static str,
    /// Labels in the metric's own order.
    pub labels: Vec<(&'static str, Arc<str>)>,
    /// What is observed.
    pub value: MetricValue,
}

/// What a metric observes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MetricValue {
    /// A counter or gauge moves by this much.
    Add(i64),
    /// A histogram of counts.
    Count(u64),
    /// A histogram of times.
    Time(Span),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "record",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Record {
    /// An object of the cluster came, changed or went.
    Observed {
        /// `Pod`, `Node`, …
        kind: &'static str,
        /// Its namespace; empty for cluster-wide kinds.
        namespace: Arc<str>,
        /// Its name.
        name: Arc<str>,
        /// What that meant to the queue, in order; empty when it could not matter to anybody.
        events: Vec<ClusterEvent>,
        /// Whether it came, changed or went.
        change: ChangeKind,
    },
    /// A pod moved between the places of the queue.
    Moved {
        /// The pod.
        pod: PodRef,
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// Why.
        cause: MoveCause,
        /// Attempts so far.
        attempts: u32,
        /// When its backoff is over, if it has one.
        #[serde(serialize_with = "in_seconds::maybe")]
        backoff_until: Option<Timestamp>,
    },
    /// A plugin was asked whether an event could help a pod.
    Hinted {
        /// The pod.
        pod: PodRef,
        /// The plugin.
        plugin: PluginName,
        /// The event.
        event: ClusterEvent,
        /// Its answer; an error counts as Queue.
        hint: QueueingHint,
    },
    /// An attempt began.
    CycleStarted {
        /// The pod.
        pod: PodRef,
        /// Which attempt of it, from 1.
        attempt: u32,
        /// The profile.
        profile: Arc<str>,
        /// How many nodes the snapshot lists.
        nodes: usize,
        /// The cycle's number.
        cycle: i64,
    },
    /// A PreFilter plugin ran.
    PreFiltered {
        /// The plugin.
        plugin: PluginName,
        /// Its answer.
        status: Status,
        /// How many nodes it narrowed the search to; `None`: it did not.
        narrowed_to: Option<usize>,
    },
    /// Nodes were filtered.
    Searched {
        /// Position in the list at which the search began.
        start: usize,
        /// How many nodes the search could visit.
        listed: usize,
        /// How many feasible nodes it looked for.
        wanted: usize,
        /// The visited nodes in order; feasible ones are those without a rejection.
        visits: Vec<Visit>,
        /// Filter plugins that PreFilter had turned off.
        skipped: Vec<PluginName>,
        /// Filter plugins in the order in which each node met them.
        plugins: Vec<PluginName>,
        /// Whether only the nominated node was asked.
        nominated_only: bool,
    },
    /// Extenders narrowed the feasible nodes.
    ExtenderFiltered {
        /// The extender.
        extender: Arc<str>,
        /// What is left, in order.
        left: Vec<Arc<str>>,
        /// Who was rejected and why.
        rejected: Vec<(Arc<str>, Status)>,
    },
    /// A PreScore plugin ran.
    PreScored {
        /// The plugin.
        plugin: PluginName,
        /// Success or Skip.
        code: Code,
    },
    /// The feasible nodes were scored.
    Scored {
        /// The feasible nodes, in search order.
        nodes: Vec<Arc<str>>,
        /// One column a Score plugin that ran.
        columns: Vec<ScoreColumn>,
        /// What extenders added.
        extenders: Vec<i64>,
        /// Totals.
        totals: Vec<i64>,
    },
    /// A host was chosen.
    Chosen {
        /// The pod.
        pod: PodRef,
        /// How.
        choice: Choice,
        /// Nodes that were evaluated.
        evaluated: usize,
        /// Nodes among them that were feasible.
        feasible: usize,
    },
    /// A PostFilter plugin ran.
    PostFiltered {
        /// The plugin.
        plugin: PluginName,
        /// Its answer.
        status: Status,
        /// What becomes of the nomination.
        nominating: Option<NominatingInfo>,
    },
    /// Preemption looked for candidates.
    Preempted {
        /// The pod that needs room.
        pod: PodRef,
        /// Where the dry runs began in the list of nodes that could help.
        offset: usize,
        /// How many candidates it looked for.
        wanted: usize,
        /// Dry runs in order.
        dry_runs: Vec<DryRun>,
        /// Criteria in order, as far as they were needed.
        criteria: Vec<Criterion>,
        /// The chosen node.
        chosen: Option<Arc<str>>,
        /// Who must go from it.
        victims: Vec<PodRef>,
    },
    /// A plugin of Reserve, Permit, PreBind or Bind answered something else than success.
    Refused {
        /// The pod.
        pod: PodRef,
        /// The extension point.
        point: &'static str,
        /// The answer.
        status: Status,
    },
    /// The pod is counted on the node from here on.
    Assumed {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// The pod is no longer counted on the node.
    Forgotten {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// The pod waits for Permit.
    PermitWait {
        /// The pod.
        pod: PodRef,
        /// Its node.
        node: Arc<str>,
        /// Who asked it to wait, and until when at most.
        #[serde(serialize_with = "in_seconds::each")]
        plugins: Vec<(PluginName, Timestamp)>,
    },
    /// The wait for Permit is over.
    PermitDone {
        /// The pod.
        pod: PodRef,
        /// How it ended.
        status: Status,
    },
    /// The host was asked to bind.
    Binding {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// The pod is bound.
    Bound {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// An attempt failed.
    Failed {
        /// The pod.
        pod: PodRef,
        /// Which attempt of it.
        attempt: u32,
        /// Unschedulable, or an error.
        code: Code,
        /// The whole text.
        message: Arc<str>,
        /// Plugins that rejected it.
        rejectors: Vec<PluginName>,
    },
    /// A pod's nomination changed.
    Nominated {
        /// The pod.
        pod: PodRef,
        /// The node; `None`: cleared.
        node: Option<Arc<str>>,
    },
    /// A victim is asked to leave.
    Evicting {
        /// The victim.
        victim: PodRef,
        /// The pod that needs room.
        by: PodRef,
        /// The node.
        node: Arc<str>,
    },
    /// A random number was drawn.
    Drawn {
        /// What for.
        purpose: &'static str,
        /// It is below this.
        bound: u64,
        /// The number.
        value: u64,
    },
    /// kube-scheduler would observe a metric here.
    Metric(Metric),
    /// Something that kube-scheduler would log as an error.
    Trouble {
        /// In words.
        message: String,
    },
}

/// Whether an object came, changed or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// It came.
    Added,
    /// It changed.
    Updated,
    /// It went.
    Deleted,
}

/// A record that an extension point took this long; hosts with a clock fill the time in.
#[must_use]
pub fn extension_point_metric(point: &'static str, code: Code, profile: &Arc<str>) -> Metric {
    Metric {
        name: "framework_extension_point_duration_seconds",
        labels: alloc::vec![
            ("extension_point", Arc::from(point)),
            ("status", Arc::from(code.name())),
            ("profile", profile.clone()),
        ],
        value: MetricValue::Time(Span::ZERO),
    }
}
