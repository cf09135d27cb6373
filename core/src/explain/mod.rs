//! Why a pod is where it is, or is not: read from the trace, never computed a second time.
//!
//! | File | Answers |
//! |---|---|
//! | `watch` | what happened to one pod, attempt by attempt |
//! | `matrix` | what each plugin said of each node: passed, rejected, skipped or not run |
//! | `truth` | what the plugins that were not run would have said |
//! | `suggest` | what would have to change in the pod for a node to take it |
//! | `change` | one such change |
//! | `ask` | which containers have to ask for less for the pod to ask for less |
//! | `amend` | the changes, written into the object that the pod comes from |
//! | `chain` | why not this node: from the pod's field through the rule to the node's field, with the numbers |
//! | `message` | which nodes stand behind each reason of a message |
//! | `text` | sentences in English and Chinese |
//!
//! What kube-scheduler evaluated and what was evaluated in addition are kept apart everywhere, so that nobody is told
//! that the scheduler saw something it did not look at.

mod amend;
mod ask;
mod chain;
mod change;
mod matrix;
mod message;
mod suggest;
pub mod text;
mod truth;
mod watch;

pub use amend::amended;
pub use ask::{Cut, Whose};
pub use chain::{Fact, FactName, Link, chain};
pub use change::Change;
pub use matrix::{Cell, Matrix, NotRun, Row, Saw};
pub use message::{ReasonNodes, by_reason};
pub use suggest::{Advice, Suggestion, suggest};
pub use truth::{Truth, whole_truth};
pub use watch::{
    Attempt, Ending, ExtenderAnswer, PodWatch, PostFilterAnswer, PreFilterAnswer, Preemption,
    QueueMove, Scores, Search,
};
