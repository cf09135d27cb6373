//! Opportunistic batching: a pod like the one before it may take the next best node of that pod's ranking.
//!
//! Each profile keeps the ranking of its last scored search. A pod whose signature is equal, tried in the very next cycle
//! and soon enough, gets the best remaining node as a hint, provided that the node taken last is now full for it.
//!
//! QUIRK: PodTopologySpread refuses to sign while default constraints are in force, and by default they are. So this
//! does something only for profiles with an explicit empty list of constraints, as upstream.
//!
//! Source: spec, scheduling cycle 14.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::config::Gate;
use crate::framework::runtime::Framework;
use crate::framework::status::Code;
use crate::framework::trace::{MetricValue, Observer};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::time::{Span, Timestamp};

use super::Scheduler;
use super::attempt::Attempt;
use super::cycle::{ONE, framework, handle};
use super::known::Io;
use super::select::{Scored, pop_order};

/// The rankings of all profiles.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches {
    by_profile: SortedMap<Arc<str>, Batch>,
}

/// What one profile keeps.
#[derive(Clone, Debug, Default)]
struct Batch {
    ranking: Option<Ranking>,
    /// The cycle of the last success, and the node it chose.
    last: Option<(i64, Arc<str>)>,
}

/// The nodes that are left of a ranking.
#[derive(Clone, Debug)]
struct Ranking {
    signature: String,
    /// Best last, so that the best is popped.
    nodes: Vec<Arc<str>>,
    created: Timestamp,
}

/// Why a pod got no hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flush {
    PodSkipped,
    PodIncompatible,
    Expired,
    NodeMissing,
    NodeNotFull,
}

impl Flush {
    const fn label(self) -> &'static str {
        match self {
            Self::PodSkipped => "pod_skipped",
            Self::PodIncompatible => "pod_incompatible",
            Self::Expired => "expired",
            Self::NodeMissing => "node_missing",
            Self::NodeNotFull => "node_not_full",
        }
    }
}

impl Scheduler {
    /// The node that the ranking of the pod before suggests, if it may be used.
    pub(super) fn node_hint<O: Observer>(
        &mut self,
        attempt: &mut Attempt,
        io: &mut Io<'_, O>,
    ) -> Option<NodeIndex> {
        if !self.config.gates.enabled(Gate::OpportunisticBatching) {
            return None;
        }
        let profiles = self.known.profiles.clone();
        let framework = framework(&profiles, attempt);
        attempt.signature = self.signature(framework, attempt);
        // kube-scheduler signs a pod when it enters the queue and whenever it changes there, so counts others.
        io.point("Sign", Code::Success, &attempt.profile);
        let batch = self.batches.by_profile.get(&attempt.profile).cloned();
        let batch = batch.unwrap_or_default();
        let ranking = batch.ranking.filter(|ranking| !ranking.nodes.is_empty());
        let verdict = ranking
            .map(|ranking| self.judge(framework, attempt, &ranking, batch.last.as_ref(), io));
        let profile = ("profile", &*attempt.profile);
        let is_hinted = verdict == Some(Ok(()));
        let hinted = ("hinted", if is_hinted { "hint" } else { "no_hint" });
        let time = MetricValue::Time(Span::ZERO);
        io.metric("get_node_hint_duration_seconds", &[hinted, profile], time);
        if let Some(Err(reason)) = verdict {
            let labels = [profile, ("reason", reason.label())];
            io.metric("batch_cache_flushed_total", &labels, ONE);
        }
        if !is_hinted {
            let labels = [profile, ("result", "no_hint")];
            io.metric("batch_attempts_total", &labels, ONE);
            return None;
        }
        let ranking = self
            .batches
            .by_profile
            .get_mut(&attempt.profile)?
            .ranking
            .as_mut()?;
        let node = ranking.nodes.pop()?;
        attempt.hint = self.snapshot.row(&node);
        attempt.hint
    }

    fn signature(&self, framework: &Framework, attempt: &Attempt) -> Option<String> {
        if !self.config.extenders.is_empty() {
            return None;
        }
        framework.sign(&self.known.listers, &attempt.queued.pod)
    }

    fn judge<O: Observer>(
        &mut self,
        framework: &Framework,
        attempt: &Attempt,
        ranking: &Ranking,
        last: Option<&(i64, Arc<str>)>,
        io: &mut Io<'_, O>,
    ) -> Result<(), Flush> {
        let (cycle, node) = last.ok_or(Flush::PodSkipped)?;
        if self.queue.scheduling_cycle() != cycle + 1 {
            return Err(Flush::PodSkipped);
        }
        if attempt.signature.as_ref() != Some(&ranking.signature) {
            return Err(Flush::PodIncompatible);
        }
        if io.now.since(ranking.created) > LONGEST_AGE {
            return Err(Flush::Expired);
        }
        let row = self.snapshot.row(node).ok_or(Flush::NodeMissing)?;
        let mut handle = handle(
            framework,
            &self.known,
            &mut self.snapshot,
            &self.queue,
            &mut self.rng,
            io,
        );
        let status = framework.run_filters_on_node(
            &handle.context(),
            &attempt.state,
            &attempt.queued.pod,
            row,
        );
        handle.count_filters(&status);
        let told = handle.take_told(&attempt.state);
        io.tell(told, framework);
        if status.is_success() {
            Err(Flush::NodeNotFull)
        } else {
            Ok(())
        }
    }

    /// Keeps what a success leaves to the next pod.
    pub(super) fn store_ranking<O: Observer>(
        &mut self,
        attempt: &Attempt,
        row: NodeIndex,
        scored: &[Scored],
        io: &mut Io<'_, O>,
    ) {
        if !self.config.gates.enabled(Gate::OpportunisticBatching) {
            return;
        }
        io.metric(
            "store_schedule_results_duration_seconds",
            &[("profile", &*attempt.profile)],
            MetricValue::Time(Span::ZERO),
        );
        let node = self.snapshot.name(row).clone();
        let was_hinted = attempt.hint.is_some();
        let ranking = attempt.signature.as_ref().map(|signature| Ranking {
            signature: signature.clone(),
            nodes: self.ranked(attempt, row, scored),
            created: io.now,
        });
        let batch = self
            .batches
            .by_profile
            .entry(attempt.profile.clone())
            .or_default();
        batch.last = Some((self.queue.scheduling_cycle(), node));
        let result = if attempt.hint == Some(row) {
            "hint_used"
        } else {
            "hint_not_used"
        };
        if was_hinted {
            io.metric(
                "batch_attempts_total",
                &[("profile", &*attempt.profile), ("result", result)],
                ONE,
            );
        }
        if attempt.hint == Some(row) {
            return;
        }
        // Counted whether or not there was anything to drop, as kube-scheduler does.
        let reason = match &ranking {
            _ if attempt.feasible.len() <= 1 => Some("empty_list"),
            None => Some("pod_not_batchable"),
            Some(_) => None,
        };
        if let Some(reason) = reason {
            let labels = [("profile", &*attempt.profile), ("reason", reason)];
            io.metric("batch_cache_flushed_total", &labels, ONE);
        }
        batch.ranking = ranking.filter(|ranking| !ranking.nodes.is_empty());
    }

    /// The nodes after the chosen one, best last.
    fn ranked(&self, attempt: &Attempt, chosen: NodeIndex, scored: &[Scored]) -> Vec<Arc<str>> {
        let mut nodes: Vec<Arc<str>> = pop_order(scored)
            .into_iter()
            .filter_map(|place| attempt.feasible.get(place).copied())
            .filter(|row| *row != chosen)
            .map(|row| self.snapshot.name(row).clone())
            .collect();
        nodes.reverse();
        nodes
    }
}

/// The longest that a ranking may be used.
const LONGEST_AGE: Span = Span::from_millis(500);
