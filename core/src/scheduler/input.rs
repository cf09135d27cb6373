//! What a host tells the scheduler.

use serde::{Deserialize, Serialize};

use crate::api::{Object, ObjectKey};
use crate::framework::work::Outcome;

use super::effect::Ticket;

/// One input. The log of inputs with their instants, the configuration and the seed decide everything.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Something changed in the cluster.
    Observe(Change),
    /// Time passed: timers may be due.
    Tick,
    /// Try one pod, if one is waiting and no attempt is held up by an extender.
    ScheduleOne,
    /// An effect ended. Each ticket settles exactly once.
    Settle {
        /// Which effect.
        ticket: Ticket,
        /// How it ended.
        outcome: Outcome,
    },
}

/// A change of one object, as a watch delivers it.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The object as it is now: it came, or it changed.
    Applied(Object),
    /// The object is gone.
    Deleted(ObjectKey),
}

/// What kind of input it was, for logs of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InputKind {
    /// [`Input::Observe`].
    Observe,
    /// [`Input::Tick`].
    Tick,
    /// [`Input::ScheduleOne`].
    ScheduleOne,
    /// [`Input::Settle`].
    Settle,
}

impl Input {
    /// What kind of input this is.
    #[must_use]
    pub const fn kind(&self) -> InputKind {
        match self {
            Self::Observe(_) => InputKind::Observe,
            Self::Tick => InputKind::Tick,
            Self::ScheduleOne => InputKind::ScheduleOne,
            Self::Settle { .. } => InputKind::Settle,
        }
    }
}
