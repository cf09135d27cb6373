//! What the serial part of an attempt works on, handed from step to step.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::rng::Rng;
use crate::snapshot::{Listers, NodeInfo, PluginMemory, PodInfo, Snapshot};
use crate::time::Timestamp;

use super::cycle_state::CycleState;
use super::extension::CycleContext;
use super::runtime::Framework;
use super::status::{Code, PluginName, Status};
use super::trace::{Metric, Record};

/// Which pods are promised to which node: what a search asks the nominator.
pub trait NominatedPods {
    /// Whether no pod is nominated anywhere.
    fn is_empty(&self) -> bool;

    /// The pods nominated to a node, in the order in which they were.
    fn nominated_pods_for_node(&self, node: &str) -> Vec<Arc<PodInfo>>;
}

/// A profile with everything one attempt may read, and the snapshot that it may ask questions of.
pub struct Handle<'a> {
    /// The profile.
    pub framework: &'a Framework,
    /// The instant.
    pub now: Timestamp,
    /// The nodes.
    pub snapshot: &'a mut Snapshot,
    /// Objects by name.
    pub listers: &'a Listers,
    /// What plugins remember between cycles.
    pub memory: &'a PluginMemory,
    /// Nominated pods.
    pub nominated: &'a dyn NominatedPods,
    /// The scheduler's generator.
    pub rng: &'a mut Rng,
    /// Whether extenders must be asked about candidates of preemption.
    pub consults_extenders: bool,
    /// Records made on the way, when somebody listens.
    pub records: Option<Vec<Record>>,
    /// What is counted on the way, when somebody counts.
    pub counts: Option<Counts>,
}

/// What a step of an attempt counts.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// How many passes of the Filter plugins over a node ended with which plugin; without a name, all were asked.
    passes: Vec<(Option<PluginName>, u64)>,
    /// What plugins count themselves.
    metrics: Vec<Metric>,
}

/// What a step left for whoever listens.
#[derive(Debug)]
pub struct Told {
    /// Records, in order; `None` when nobody listens.
    pub records: Option<Vec<Record>>,
    /// How often each Filter plugin was asked about a node.
    pub evaluations: SortedMap<PluginName, u64>,
    /// What plugins counted themselves.
    pub metrics: Vec<Metric>,
}

impl Handle<'_> {
    /// What a plugin may look at.
    #[must_use]
    pub fn context(&self) -> CycleContext<'_> {
        CycleContext {
            now: self.now,
            snapshot: self.snapshot,
            listers: self.listers,
            memory: self.memory,
        }
    }

    /// Takes out what a step of the attempt with this state left.
    pub fn take_told(&mut self, state: &CycleState) -> Told {
        let evaluations = self.take_evaluations(state);
        let counts = self.counts.take().unwrap_or_default();
        Told {
            records: self.records.take(),
            evaluations,
            metrics: counts.metrics,
        }
    }

    /// Keeps a record for whoever listens.
    pub fn note(&mut self, make: impl FnOnce() -> Record) {
        if let Some(records) = &mut self.records {
            records.push(make());
        }
    }

    /// Has a metric observed, if anybody counts.
    pub fn count(&mut self, make: impl FnOnce() -> Metric) {
        if let Some(counts) = &mut self.counts {
            counts.metrics.push(make());
        }
    }

    /// Counts one pass of the Filter plugins over one node, which ended with `status`: each plugin up to the one that
    /// rejected it was asked.
    pub fn count_filters(&mut self, status: &Status) {
        let Some(Counts { passes, .. }) = &mut self.counts else {
            return;
        };
        if status.code == Code::Error && status.plugin.is_none() {
            return;
        }
        let last = status
            .plugin
            .filter(|_| !self.framework.checks_all_filters());
        match passes.iter_mut().find(|(known, _)| *known == last) {
            Some((_, count)) => *count += 1,
            None => passes.push((last, 1)),
        }
    }

    /// Takes out how often each Filter plugin was asked about a node.
    pub fn take_evaluations(&mut self, state: &CycleState) -> SortedMap<PluginName, u64> {
        let mut evaluations = SortedMap::new();
        let passes = self.counts.iter_mut();
        for (last, count) in passes.flat_map(|counts| core::mem::take(&mut counts.passes)) {
            for plugin in self.framework.filter().map(|plugin| plugin.name()) {
                if state.skip_filter.contains(&plugin) {
                    continue;
                }
                *evaluations.entry(plugin).or_default() += count;
                if Some(plugin) == last {
                    break;
                }
            }
        }
        evaluations
    }

    /// A number below `bound`, with its record.
    pub fn draw(&mut self, purpose: &'static str, bound: u64) -> u64 {
        let value = self.rng.below(bound);
        self.note(|| Record::Drawn {
            purpose,
            bound,
            value,
        });
        value
    }

    /// Asks whether the pod fits on a node as it stands in the snapshot, nominated pods counted in first.
    ///
    /// The second value says whether nominated pods were counted in.
    pub fn filter_with_nominated(
        &mut self,
        state: &CycleState,
        pod: &PodInfo,
        row: NodeIndex,
    ) -> (Status, bool) {
        let info = self.snapshot.node(row).clone();
        self.filter_info_with_nominated(state, pod, row, &info)
    }

    /// The same with another state of the node in that row.
    ///
    /// Source: spec, scheduling cycle 6.7: pass 1 with the nominated pods of at least the pod's priority added, pass 2
    /// without them and only when pass 1 succeeded.
    pub fn filter_info_with_nominated(
        &mut self,
        state: &CycleState,
        pod: &PodInfo,
        row: NodeIndex,
        info: &Arc<NodeInfo>,
    ) -> (Status, bool) {
        let nominated = self.nominated_beside(pod, row);
        let with_nominated = !nominated.is_empty();
        if with_nominated {
            let status = self.filter_beside(state, pod, row, info, &nominated);
            if !status.is_success() {
                return (status, true);
            }
        }
        let (framework, now, listers, memory) =
            (self.framework, self.now, self.listers, self.memory);
        let status = self.snapshot.with_row(row, info.clone(), |snapshot| {
            let cx = CycleContext {
                now,
                snapshot,
                listers,
                memory,
            };
            framework.run_filters_on_node(&cx, state, pod, row)
        });
        self.count_filters(&status);
        (status, with_nominated)
    }

    /// The pods nominated to the node in a row that count for `pod`: of its priority or higher, and not itself.
    #[must_use]
    pub fn nominated_beside(&self, pod: &PodInfo, row: NodeIndex) -> Vec<Arc<PodInfo>> {
        if self.nominated.is_empty() {
            return Vec::new();
        }
        let mut nominated = self
            .nominated
            .nominated_pods_for_node(self.snapshot.name(row));
        nominated.retain(|other| {
            other.priority() >= pod.priority() && other.reference.uid != pod.reference.uid
        });
        nominated
    }

    fn filter_beside(
        &mut self,
        state: &CycleState,
        pod: &PodInfo,
        row: NodeIndex,
        info: &Arc<NodeInfo>,
        nominated: &[Arc<PodInfo>],
    ) -> Status {
        let mut crowded = NodeInfo::clone(info);
        let mut state = state.clone();
        for other in nominated {
            crowded.add_pod(other.clone());
            let status =
                self.framework
                    .run_add_pod(&self.context(), &mut state, pod, other, &crowded);
            if !status.is_success() {
                return status;
            }
        }
        let (framework, now, listers, memory) =
            (self.framework, self.now, self.listers, self.memory);
        let status = self.snapshot.with_row(row, Arc::new(crowded), |snapshot| {
            let cx = CycleContext {
                now,
                snapshot,
                listers,
                memory,
            };
            framework.run_filters_on_node(&cx, &state, pod, row)
        });
        self.count_filters(&status);
        status
    }
}
