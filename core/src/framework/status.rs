//! What a plugin answers.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;
use smallvec::SmallVec;

use crate::node_set::NodeIndex;

use super::answers::{Answers, Place};
use super::reason::Reason;

/// The name of a plugin, such as `NodeResourcesFit`. Names are compiled in, so one is a word to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PluginName(pub &'static str);

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How a plugin's answer is meant: kube-scheduler's status codes, numbered as there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Code {
    /// Go on.
    #[default]
    Success = 0,
    /// Something unexpected; the attempt is retried through the error backoff.
    Error = 1,
    /// Not now; removing pods could help.
    Unschedulable = 2,
    /// Not now; removing pods cannot help.
    UnschedulableAndUnresolvable = 3,
    /// Permit only: hold the pod back.
    Wait = 4,
    /// The plugin has nothing to do for this pod.
    Skip = 5,
    /// Rejected, and the plugin waits for something that it asked for itself.
    Pending = 6,
}

impl Code {
    /// Whether the code counts as a rejection: Unschedulable, UnschedulableAndUnresolvable or Pending.
    #[must_use]
    pub const fn is_rejection(self) -> bool {
        matches!(
            self,
            Self::Unschedulable | Self::UnschedulableAndUnresolvable | Self::Pending
        )
    }

    /// The code's name as metrics write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "Success",
            Self::Error => "Error",
            Self::Unschedulable => "Unschedulable",
            Self::UnschedulableAndUnresolvable => "UnschedulableAndUnresolvable",
            Self::Wait => "Wait",
            Self::Skip => "Skip",
            Self::Pending => "Pending",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A plugin's answer: a code, the reasons, and who gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// How it is meant.
    pub code: Code,
    /// Why, in the order given. Empty for success.
    pub reasons: SmallVec<[Reason; 1]>,
    /// The plugin that answered; the runtime fills it in.
    pub plugin: Option<PluginName>,
}

impl Status {
    /// Go on.
    #[must_use]
    pub fn success() -> Self {
        Self::default()
    }

    /// The plugin has nothing to do for this pod.
    #[must_use]
    pub fn skip() -> Self {
        Self {
            code: Code::Skip,
            ..Self::default()
        }
    }

    /// A rejection that removing pods could lift.
    #[must_use]
    pub fn unschedulable(reason: Reason) -> Self {
        Self::with(Code::Unschedulable, reason)
    }

    /// A rejection that removing pods cannot lift.
    #[must_use]
    pub fn unresolvable(reason: Reason) -> Self {
        Self::with(Code::UnschedulableAndUnresolvable, reason)
    }

    /// Something unexpected, in words.
    #[must_use]
    pub fn error(message: impl Into<Arc<str>>) -> Self {
        Self::with(Code::Error, Reason::Text(message.into()))
    }

    /// A code with one reason.
    #[must_use]
    pub fn with(code: Code, reason: Reason) -> Self {
        Self {
            code,
            reasons: SmallVec::from_iter([reason]),
            plugin: None,
        }
    }

    /// The same answer, given by `plugin`.
    #[must_use]
    pub fn by(mut self, plugin: PluginName) -> Self {
        self.plugin = Some(plugin);
        self
    }

    /// Whether the code is Success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.code == Code::Success
    }

    /// Whether the code is Skip.
    #[must_use]
    pub fn is_skip(&self) -> bool {
        self.code == Code::Skip
    }

    /// Whether the code is a rejection.
    #[must_use]
    pub const fn is_rejected(&self) -> bool {
        self.code.is_rejection()
    }

    /// The reasons joined with `, `.
    #[must_use]
    pub fn message(&self) -> String {
        let mut text = String::new();
        for (place, reason) in self.reasons.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            // A string takes every write.
            let _ = fmt::Write::write_fmt(&mut text, format_args!("{reason}"));
        }
        text
    }
}

/// A plugin could not do what it was asked: text for a person, to the letter of kube-scheduler's where it has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PluginError(pub Arc<str>);

impl PluginError {
    /// An error with this text.
    #[must_use]
    pub fn new(message: impl Into<Arc<str>>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for PluginError {}

/// What is known of each node after a search: explicit answers, and one for all others.
///
/// An answer given later for the same node replaces the earlier one.
/// Source: spec, scheduling cycle 2.1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeStatuses {
    explicit: Answers,
    /// What holds for every node without an answer of its own; at first unresolvable, without a reason.
    pub absent: Option<Status>,
}

impl NodeStatuses {
    /// Sets the answer for one node.
    pub fn set(&mut self, node: NodeIndex, status: Status) {
        self.explicit.set(node, status);
    }

    /// Keeps a status for nodes to come, which [`NodeStatuses::set_kept`] gives it to.
    pub(crate) fn keep(&mut self, status: Status) -> Place {
        self.explicit.keep(status)
    }

    /// Sets the answer for one node to one that was kept.
    pub(crate) fn set_kept(&mut self, node: NodeIndex, status: Place) {
        self.explicit.set_kept(node, status);
    }

    /// How many nodes have an answer of their own.
    #[must_use]
    pub fn len(&self) -> usize {
        self.explicit.len()
    }

    /// Whether no node has an answer of its own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.explicit.len() == 0
    }

    /// The explicit answers by row.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, &Status)> {
        self.explicit.iter()
    }

    /// Each explicit answer with the number of nodes that it is the answer of.
    pub fn tally(&self) -> impl Iterator<Item = (&Status, usize)> {
        self.explicit.tally()
    }

    /// The explicit answer of a node.
    #[must_use]
    pub fn get(&self, node: NodeIndex) -> Option<&Status> {
        self.explicit.get(node)
    }

    /// The code that holds for a node.
    #[must_use]
    pub fn code(&self, node: NodeIndex) -> Code {
        self.explicit
            .get(node)
            .map_or_else(|| self.absent_code(), |status| status.code)
    }

    /// The code that holds for every node without an answer of its own.
    #[must_use]
    pub fn absent_code(&self) -> Code {
        self.absent
            .as_ref()
            .map_or(Code::UnschedulableAndUnresolvable, |status| status.code)
    }

    /// The rows out of `rows` whose code is `code`, ascending.
    #[must_use]
    pub fn with_code(&self, code: Code, rows: usize) -> Vec<NodeIndex> {
        if self.absent_code() == code {
            let all = (0..rows).map(NodeIndex::new);
            return all.filter(|node| self.code(*node) == code).collect();
        }
        let explicit = self.explicit.iter();
        explicit
            .filter(|(_, status)| status.code == code)
            .map(|(node, _)| node)
            .collect()
    }
}
