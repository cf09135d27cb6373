//! What happened to one pod, attempt by attempt.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::{
    Choice, Criterion, DryRun, MoveCause, Observer, Place, Record, ScoreColumn, Visit,
};
use crate::snapshot::PodRef;
use crate::time::{Timestamp, in_seconds};

/// Listens to a run and keeps what is about one pod.
#[derive(Clone, Debug)]
pub struct PodWatch {
    namespace: String,
    name: String,
    /// Whether the attempt that is under way is the pod's.
    is_current: bool,
    /// Its attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Its moves between the places of the queue, oldest first.
    pub moves: Vec<QueueMove>,
}

/// One attempt to place a pod.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it began.
    #[serde(serialize_with = "in_seconds::one")]
    pub at: Timestamp,
    /// Which attempt of the pod it is, from 1.
    pub number: u32,
    /// The profile.
    pub profile: Arc<str>,
    /// How many nodes the snapshot listed.
    pub nodes: usize,
    /// What PreFilter plugins said, in order.
    pub pre_filter: Vec<PreFilterAnswer>,
    /// The search over nodes, if there was one; the last one if there were two.
    pub search: Option<Search>,
    /// What extenders rejected.
    pub extenders: Vec<ExtenderAnswer>,
    /// The scores, if nodes were scored.
    pub scores: Option<Scores>,
    /// The choice, if there was one.
    pub choice: Option<Choice>,
    /// What PostFilter plugins said, in order.
    pub post_filter: Vec<PostFilterAnswer>,
    /// What preemption found, if it looked.
    pub preemption: Option<Preemption>,
    /// How it ended.
    pub ending: Ending,
}

/// What a PreFilter plugin said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreFilterAnswer {
    /// The plugin.
    pub plugin: PluginName,
    /// Its answer.
    pub status: Status,
    /// To how many nodes it narrowed the search.
    pub narrowed_to: Option<usize>,
}

/// What an extender rejected.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExtenderAnswer {
    /// The extender.
    pub extender: Arc<str>,
    /// The nodes that it rejected, and why.
    pub rejected: Vec<(Arc<str>, Status)>,
}

/// A search over nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Where in the list of nodes it began.
    pub start: usize,
    /// How many nodes it could visit.
    pub listed: usize,
    /// How many feasible nodes it looked for.
    pub wanted: usize,
    /// The nodes it visited, in order.
    pub visits: Vec<Visit>,
    /// Filter plugins that had nothing to do.
    pub skipped: Vec<PluginName>,
    /// Filter plugins in the order in which each node met them.
    pub plugins: Vec<PluginName>,
    /// Whether only the nominated node was asked.
    pub nominated_only: bool,
}

/// The scores of the feasible nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// The nodes, in search order.
    pub nodes: Vec<Arc<str>>,
    /// One column a plugin.
    pub columns: Vec<ScoreColumn>,
    /// What extenders added.
    pub extenders: Vec<i64>,
    /// Totals.
    pub totals: Vec<i64>,
}

/// What a PostFilter plugin said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostFilterAnswer {
    /// The plugin.
    pub plugin: PluginName,
    /// Its answer.
    pub status: Status,
}

/// What preemption found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preemption {
    /// Dry runs in order.
    pub dry_runs: Vec<DryRun>,
    /// Criteria in order, as far as they were needed.
    pub criteria: Vec<Criterion>,
    /// The chosen node.
    pub chosen: Option<Arc<str>>,
    /// Who must go from it.
    pub victims: Vec<PodRef>,
}

/// How an attempt ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "ending")]
pub enum Ending {
    /// It has not.
    #[default]
    UnderWay,
    /// The pod is counted on a node and is being bound.
    Assumed {
        /// The node.
        node: Arc<str>,
    },
    /// The pod is bound.
    Bound {
        /// The node.
        node: Arc<str>,
    },
    /// It failed.
    Failed {
        /// Unschedulable, or an error.
        code: Code,
        /// The whole text.
        message: Arc<str>,
        /// Plugins that rejected the pod.
        rejectors: Vec<PluginName>,
    },
}

/// A move between the places of the queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueMove {
    /// When.
    #[serde(serialize_with = "in_seconds::one")]
    pub at: Timestamp,
    /// From where.
    pub from: Place,
    /// To where.
    pub to: Place,
    /// Why.
    pub cause: MoveCause,
    /// When its backoff is over, if it has one.
    #[serde(serialize_with = "in_seconds::maybe")]
    pub backoff_until: Option<Timestamp>,
}

impl PodWatch {
    /// Listens for the pod of that name.
    #[must_use]
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
            is_current: false,
            attempts: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The newest attempt.
    #[must_use]
    pub fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    fn is_mine(&self, pod: &PodRef) -> bool {
        *pod.namespace == *self.namespace && *pod.name == *self.name
    }

    /// The attempt that records without a pod belong to.
    fn current(&mut self) -> Option<&mut Attempt> {
        if self.is_current {
            self.attempts.last_mut()
        } else {
            None
        }
    }

    fn end(&mut self, pod: &PodRef, ending: Ending) {
        if self.is_mine(pod)
            && let Some(attempt) = self.attempts.last_mut()
        {
            attempt.ending = ending;
        }
    }

    fn take_of_pod(&mut self, at: Timestamp, record: Record) {
        match record {
            Record::CycleStarted {
                pod,
                attempt,
                profile,
                nodes,
                ..
            } => {
                self.is_current = self.is_mine(&pod);
                if self.is_current {
                    self.attempts
                        .push(Attempt::new(at, attempt, profile, nodes));
                }
            }
            Record::Moved {
                pod,
                from,
                to,
                cause,
                backoff_until,
                ..
            } if self.is_mine(&pod) => self.moves.push(QueueMove {
                at,
                from,
                to,
                cause,
                backoff_until,
            }),
            Record::Assumed { pod, node } => self.end(&pod, Ending::Assumed { node }),
            Record::Bound { pod, node } => self.end(&pod, Ending::Bound { node }),
            Record::Failed {
                pod,
                code,
                message,
                rejectors,
                ..
            } => self.end(
                &pod,
                Ending::Failed {
                    code,
                    message,
                    rejectors,
                },
            ),
            _ => {}
        }
    }
}

impl Attempt {
    fn new(at: Timestamp, number: u32, profile: Arc<str>, nodes: usize) -> Self {
        Self {
            at,
            number,
            profile,
            nodes,
            pre_filter: Vec::new(),
            search: None,
            extenders: Vec::new(),
            scores: None,
            choice: None,
            post_filter: Vec::new(),
            preemption: None,
            ending: Ending::UnderWay,
        }
    }

    /// Takes a record of the attempt; gives back what is about something else.
    fn take(&mut self, record: Record) -> Option<Record> {
        match record {
            Record::PreFiltered {
                plugin,
                status,
                narrowed_to,
            } => self.pre_filter.push(PreFilterAnswer {
                plugin,
                status,
                narrowed_to,
            }),
            Record::Searched {
                start,
                listed,
                wanted,
                visits,
                skipped,
                plugins,
                nominated_only,
            } => {
                self.search = Some(Search {
                    start,
                    listed,
                    wanted,
                    visits,
                    skipped,
                    plugins,
                    nominated_only,
                });
            }
            Record::ExtenderFiltered {
                extender, rejected, ..
            } => self.extenders.push(ExtenderAnswer { extender, rejected }),
            Record::Scored {
                nodes,
                columns,
                extenders,
                totals,
            } => {
                self.scores = Some(Scores {
                    nodes,
                    columns,
                    extenders,
                    totals,
                });
            }
            Record::Chosen { choice, .. } => self.choice = Some(choice),
            Record::PostFiltered { plugin, status, .. } => {
                self.post_filter.push(PostFilterAnswer { plugin, status });
            }
            Record::Preempted {
                dry_runs,
                criteria,
                chosen,
                victims,
                ..
            } => {
                // Where extenders are consulted, the choice comes later than the dry runs, without them.
                let known = self.preemption.take().map(|before| before.dry_runs);
                let known = known.filter(|_| dry_runs.is_empty());
                self.preemption = Some(Preemption {
                    dry_runs: known.unwrap_or(dry_runs),
                    criteria,
                    chosen,
                    victims,
                });
            }
            other => return Some(other),
        }
        None
    }
}

impl Observer for PodWatch {
    fn record(&mut self, at: Timestamp, record: Record) {
        let rest = match self.current() {
            Some(attempt) => attempt.take(record),
            None => Some(record),
        };
        if let Some(record) = rest {
            self.take_of_pod(at, record);
        }
    }
}
