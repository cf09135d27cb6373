//! HTTP extenders: what is asked of them and what they answer.
//!
//! The calls leave the scheduler as effects and their answers come back as settled tickets; transport (URL, TLS,
//! timeouts) is the host's. Which nodes and victims are meant is named here, never copied.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::order::SortedMap;
use crate::snapshot::PodRef;

/// One question to one extender.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ExtenderCall {
    /// Which of these nodes can take the pod?
    Filter {
        /// The pod.
        pod: PodRef,
        /// The nodes, in the order of the search.
        nodes: Vec<Arc<str>>,
    },
    /// How good is each of these nodes?
    Prioritize {
        /// The pod.
        pod: PodRef,
        /// The nodes, in the order of the search.
        nodes: Vec<Arc<str>>,
    },
    /// On which of these nodes may these pods be preempted?
    Preempt {
        /// The pod that needs room.
        pod: PodRef,
        /// Victims by node.
        candidates: SortedMap<Arc<str>, NodeVictims>,
    },
    /// Bind the pod.
    Bind {
        /// The pod.
        pod: PodRef,
        /// The node.
        node: Arc<str>,
    },
}

/// Victims on one node, by UID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeVictims {
    /// UIDs, most important first.
    pub pods: Vec<String>,
    /// How many of them a PodDisruptionBudget would not let go.
    #[serde(default)]
    pub pdb_violations: u32,
}

/// An extender's answer to a filter call. Names not listed anywhere were filtered out in silence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterAnswer {
    /// The nodes that pass, in the extender's order; `None` when the extender does not say: then none passes.
    pub nodes: Option<Vec<String>>,
    /// Node → why it failed.
    #[serde(default)]
    pub failed: SortedMap<String, String>,
    /// Node → why it failed for good.
    #[serde(default)]
    pub failed_and_unresolvable: SortedMap<String, String>,
}

/// An extender's score of one node, meant to be 0 to 10.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostPriority {
    /// The node.
    pub host: String,
    /// Its score.
    pub score: i64,
}

/// An extender's answer to a preempt call: the candidates that are left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PreemptAnswer(pub SortedMap<String, NodeVictims>);
