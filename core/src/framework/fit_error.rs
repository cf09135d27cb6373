//! Why no node was feasible, in kube-scheduler's own words.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::reason::Reason;
use super::status::{Code, NodeStatuses, PluginName, Status};

use crate::order::SortedSet;

/// What one search found out: kube-scheduler's `Diagnosis`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnosis {
    /// The answer for each node.
    pub statuses: NodeStatuses,
    /// Plugins that rejected the pod or a node.
    pub unschedulable_plugins: SortedSet<PluginName>,
    /// Those among them that wait for something they asked for themselves.
    pub pending_plugins: SortedSet<PluginName>,
    /// What PreFilter said when it rejected the pod as a whole.
    pub pre_filter_message: String,
    /// What PostFilter said.
    pub post_filter_message: String,
}

impl Diagnosis {
    /// Counts the plugin behind a rejection.
    pub fn add_plugin(&mut self, status: &Status) {
        let Some(plugin) = status.plugin else {
            return;
        };
        if status.is_rejected() {
            self.unschedulable_plugins.insert(plugin);
        }
        if status.code == Code::Pending {
            self.pending_plugins.insert(plugin);
        }
    }
}

/// No node fits: the text of the `PodScheduled` condition and of the FailedScheduling event.
///
/// Source: spec, scheduling cycle 10.2.
#[derive(Clone, Debug, PartialEq)]
pub struct FitError {
    /// How many nodes there are in all.
    pub nodes: usize,
    /// Why none fits.
    pub diagnosis: Diagnosis,
}

impl FitError {
    /// `0/N nodes are available:` with the reasons counted, as kube-scheduler counts and sorts them: each reason of a
    /// node counts, and the texts with their counts are sorted as text.
    fn histogram(&self) -> Vec<String> {
        let mut counts: Vec<(&Reason, usize)> = Vec::new();
        let mut count = |reason, times| match counts
            .iter_mut()
            .find(|(known, _)| known.reads_like(reason))
        {
            Some((_, sum)) => *sum += times,
            None => counts.push((reason, times)),
        };
        let statuses = &self.diagnosis.statuses;
        for (status, times) in statuses.tally() {
            let reasons = status.reasons.iter();
            reasons.for_each(|reason| count(reason, times));
        }
        if let (Some(absent), true) = (&statuses.absent, statuses.len() < self.nodes) {
            let rest = self.nodes - statuses.len();
            absent.reasons.iter().for_each(|reason| count(reason, rest));
        }
        let mut lines: Vec<String> = counts
            .into_iter()
            .map(|(reason, times)| {
                [times.to_string(), " ".to_string(), reason.to_string()].concat()
            })
            .collect();
        lines.sort_unstable();
        lines
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0/{} nodes are available:", self.nodes)?;
        if !self.diagnosis.pre_filter_message.is_empty() {
            write!(f, " {}.", self.diagnosis.pre_filter_message)?;
        } else {
            let lines = self.histogram();
            if !lines.is_empty() {
                write!(f, " {}.", lines.join(", "))?;
            }
        }
        if !self.diagnosis.post_filter_message.is_empty() {
            write!(f, " {}", self.diagnosis.post_filter_message)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
