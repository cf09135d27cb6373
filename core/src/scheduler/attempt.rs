//! One attempt to place one pod, as far as it has come.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::cycle_state::CycleState;
use crate::framework::extender::HostPriority;
use crate::framework::extension::Candidate;
use crate::framework::fit_error::Diagnosis;
use crate::framework::run::Scores;
use crate::framework::status::{PluginName, Status};
use crate::node_set::NodeIndex;
use crate::order::SortedMap;
use crate::queue::QueuedPodInfo;
use crate::time::Timestamp;

use super::effect::Ticket;

/// An attempt from the pop to the choice of a host.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// The pod, out of the queue.
    pub(super) queued: QueuedPodInfo,
    /// The profile's name.
    pub(super) profile: Arc<str>,
    /// What its plugins keep.
    pub(super) state: CycleState,
    /// What the search found out so far.
    pub(super) diagnosis: Diagnosis,
    /// When it began.
    pub(super) started: Timestamp,
    /// The rows to search; `None` for all.
    pub(super) narrowed: Option<Vec<NodeIndex>>,
    /// Feasible rows, in the order of the search, or in the order of the last extender's answer.
    pub(super) feasible: Vec<NodeIndex>,
    /// What Score plugins came to.
    pub(super) scores: Scores,
    /// What extenders answered to a prioritize call, by their position.
    pub(super) priorities: SortedMap<usize, Vec<HostPriority>>,
    /// What pods must share to be tried alike; `None` when a plugin would not sign, or nobody asked.
    pub(super) signature: Option<String>,
    /// The node that the ranking of the pod before suggested.
    pub(super) hint: Option<NodeIndex>,
    /// What PostFilter plugins came to so far.
    pub(super) post_filter: PostFilterSoFar,
}

impl Attempt {
    /// Forgets what only the choice of a host needed: bindings that are under way together hold no columns of nodes.
    pub(super) fn forget_nodes(&mut self) {
        self.state.chosen();
        self.diagnosis = Diagnosis::default();
        self.narrowed = None;
        self.feasible = Vec::new();
        self.scores = Scores::default();
        self.priorities = SortedMap::new();
        self.signature = None;
    }
}

/// PostFilter plugins answer one after another; this is what counts of those that have.
#[derive(Clone, Debug, Default)]
pub(super) struct PostFilterSoFar {
    /// The reasons of those that could not help, as one status.
    pub(super) status: Option<Status>,
    /// The last say on the nomination.
    pub(super) nominating: Option<crate::framework::extension::NominatingInfo>,
    /// The victims that one of them chose.
    pub(super) evict: Option<Candidate>,
}

/// An attempt that waits for an extender, or for its victims.
#[derive(Clone, Debug)]
pub(super) struct Paused {
    /// The attempt.
    pub(super) attempt: Box<Attempt>,
    /// What it waits for.
    pub(super) stage: Stage,
}

/// Where an attempt goes on when what it waits for has come.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// The extender at this place of the filter order was asked about the nominated node only.
    Nominated {
        /// Who was asked, as a place in the order of asking.
        asked: usize,
        /// The call.
        ticket: Ticket,
    },
    /// The extender at this place of the filter order was asked about the feasible nodes.
    Filter {
        /// Who was asked, as a place in the order of asking.
        asked: usize,
        /// The call.
        ticket: Ticket,
    },
    /// Extenders were asked to score.
    Prioritize {
        /// Calls still out, with the extender's position.
        waiting: SortedMap<Ticket, usize>,
    },
    /// An extender was asked about candidates of preemption.
    Preempt {
        /// The PostFilter plugin that found them.
        plugin: PluginName,
        /// Who was asked, as a place in the order of asking.
        asked: usize,
        /// The call.
        ticket: Ticket,
        /// The candidates it was asked about.
        candidates: Vec<Candidate>,
    },
    /// Its victims are being removed, and it ends with that: preemption is not asynchronous.
    Evict,
}

impl Stage {
    /// Whether this is the call to an extender that the attempt waits for.
    pub(super) fn waits_for(&self, settled: Ticket) -> bool {
        match self {
            Self::Nominated { ticket, .. }
            | Self::Filter { ticket, .. }
            | Self::Preempt { ticket, .. } => *ticket == settled,
            Self::Prioritize { waiting } => waiting.contains_key(&settled),
            Self::Evict => false,
        }
    }
}
