//! What each plugin said of each node: passed, rejected, skipped or not run.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Serialize;

use crate::framework::status::{Code, PluginName, Status};
use crate::framework::trace::Visit;
use crate::order::SortedMap;

use super::truth::Truth;
use super::watch::{Attempt, Search};

/// Plugins × nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Matrix {
    /// Filter plugins in the order in which each node met them.
    pub plugins: Vec<PluginName>,
    /// Nodes in the order of the list.
    pub rows: Vec<Row>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The node.
    pub node: Arc<str>,
    /// One cell a plugin.
    pub cells: Vec<Cell>,
    /// Whether pods nominated to the node were counted in.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub with_nominated: bool,
}

/// What one plugin said of one node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// What the scheduler saw.
    pub saw: Saw,
    /// What the plugin would have said, where it was not run and has been asked in addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Status>,
}

/// What the scheduler saw.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum Saw {
    /// The plugin passed the node.
    Passed,
    /// The plugin rejected the node.
    Rejected {
        /// How and why.
        status: Status,
    },
    /// The plugin had nothing to do for this pod.
    Skipped,
    /// The plugin was not asked about the node.
    NotRun {
        /// Why not.
        why: NotRun,
    },
}

/// Why a plugin was not asked about a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "why")]
pub enum NotRun {
    /// A plugin before it had rejected the node.
    RejectedBefore {
        /// Which one.
        plugin: PluginName,
    },
    /// Enough feasible nodes had been found.
    EnoughFound,
    /// A PreFilter plugin had left the node out.
    OutsideOfPreFilter {
        /// Who had narrowed the search.
        plugins: Vec<PluginName>,
    },
    /// A PreFilter plugin had rejected the pod as a whole.
    PodRejected {
        /// Which one.
        plugin: PluginName,
    },
    /// Only the nominated node was asked.
    OnlyNominated,
    /// The attempt did not come to a search.
    NoSearch,
}

impl Matrix {
    /// The matrix of an attempt over `nodes`, the list that its search went over.
    #[must_use]
    pub fn of(attempt: &Attempt, nodes: &[Arc<str>]) -> Self {
        let Some(search) = &attempt.search else {
            return Self::without_search(attempt, nodes);
        };
        let visits: SortedMap<&str, &Visit> = search
            .visits
            .iter()
            .map(|visit| (&*visit.node, visit))
            .collect();
        let why = why_unvisited(attempt, search);
        let row = |node: &Arc<str>| match visits.get(&**node) {
            Some(visit) => visited_row(search, visit),
            None => Row {
                node: node.clone(),
                cells: not_run(search, &why),
                with_nominated: false,
            },
        };
        Self {
            plugins: search.plugins.clone(),
            rows: nodes.iter().map(row).collect(),
        }
    }

    /// PreFilter ended the attempt, so no Filter plugin was asked about any node.
    fn without_search(attempt: &Attempt, nodes: &[Arc<str>]) -> Self {
        let rejecting = attempt
            .pre_filter
            .iter()
            .find(|answer| answer.status.code == Code::UnschedulableAndUnresolvable);
        let why = match rejecting {
            Some(answer) => NotRun::PodRejected {
                plugin: answer.plugin,
            },
            None => match narrowing(attempt) {
                plugins if plugins.is_empty() => NotRun::NoSearch,
                plugins => NotRun::OutsideOfPreFilter { plugins },
            },
        };
        let plugins: Vec<PluginName> = attempt
            .pre_filter
            .iter()
            .map(|answer| answer.plugin)
            .collect();
        let cell = |_: &PluginName| Cell {
            saw: Saw::NotRun { why: why.clone() },
            truth: None,
        };
        let rows = nodes.iter().map(|node| Row {
            node: node.clone(),
            cells: plugins.iter().map(cell).collect(),
            with_nominated: false,
        });
        Self {
            rows: rows.collect(),
            plugins,
        }
    }

    /// Adds what plugins that were not run say when they are asked.
    pub fn add_truth(&mut self, truth: &Truth) {
        // A plugin that the search did not get to name is known to the truth alone.
        for plugin in &truth.plugins {
            if !self.plugins.contains(plugin) {
                self.plugins.push(*plugin);
                for row in &mut self.rows {
                    row.cells.push(Cell {
                        saw: Saw::NotRun {
                            why: NotRun::NoSearch,
                        },
                        truth: None,
                    });
                }
            }
        }
        for row in &mut self.rows {
            for (plugin, cell) in self.plugins.iter().zip(&mut row.cells) {
                if matches!(cell.saw, Saw::NotRun { .. }) {
                    cell.truth = truth.status(&row.node, *plugin).cloned();
                }
            }
        }
    }

    /// The row of a node.
    #[must_use]
    pub fn row(&self, node: &str) -> Option<&Row> {
        self.rows.iter().find(|row| *row.node == *node)
    }
}

impl Row {
    /// Everything that stands against the node: what the scheduler saw, then what it did not look at.
    pub fn rejections(&self) -> impl Iterator<Item = (&Status, bool)> {
        let seen = self.cells.iter().filter_map(|cell| match &cell.saw {
            Saw::Rejected { status } => Some((status, true)),
            _ => None,
        });
        let unseen = self.cells.iter().filter_map(|cell| {
            let status = cell.truth.as_ref()?;
            (!status.is_success()).then_some((status, false))
        });
        seen.chain(unseen)
    }

    /// Whether the scheduler found the node feasible.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.cells
            .iter()
            .all(|cell| matches!(cell.saw, Saw::Passed | Saw::Skipped))
    }
}

fn visited_row(search: &Search, visit: &Visit) -> Row {
    let rejecter = visit.rejected.as_ref().and_then(|status| status.plugin);
    let mut is_before = true;
    let cells = search.plugins.iter().map(|plugin| {
        let saw = if search.skipped.contains(plugin) {
            Saw::Skipped
        } else if let (Some(name), false) = (rejecter, is_before) {
            Saw::NotRun {
                why: NotRun::RejectedBefore { plugin: name },
            }
        } else if Some(*plugin) == rejecter {
            is_before = false;
            Saw::Rejected {
                status: visit.rejected.clone().unwrap_or_default(),
            }
        } else {
            Saw::Passed
        };
        Cell { saw, truth: None }
    });
    Row {
        node: visit.node.clone(),
        cells: cells.collect(),
        with_nominated: visit.with_nominated,
    }
}

fn not_run(search: &Search, why: &NotRun) -> Vec<Cell> {
    let cells = search.plugins.iter().map(|plugin| {
        let saw = if search.skipped.contains(plugin) {
            Saw::Skipped
        } else {
            Saw::NotRun { why: why.clone() }
        };
        Cell { saw, truth: None }
    });
    cells.collect()
}

/// Why a search left a node unvisited.
fn why_unvisited(attempt: &Attempt, search: &Search) -> NotRun {
    let plugins = narrowing(attempt);
    if search.nominated_only {
        NotRun::OnlyNominated
    } else if search.listed < attempt.nodes && !plugins.is_empty() {
        NotRun::OutsideOfPreFilter { plugins }
    } else {
        NotRun::EnoughFound
    }
}

fn narrowing(attempt: &Attempt) -> Vec<PluginName> {
    let narrowing = attempt.pre_filter.iter();
    narrowing
        .filter(|answer| answer.narrowed_to.is_some())
        .map(|answer| answer.plugin)
        .collect()
}

/// One letter a cell, for text: `+` passed, `x` rejected, `-` skipped, `.` not run, and in brackets what was asked in
/// addition.
impl core::fmt::Display for Cell {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let seen = match self.saw {
            Saw::Passed => "+",
            Saw::Rejected { .. } => "x",
            Saw::Skipped => "-",
            Saw::NotRun { .. } => match &self.truth {
                None => ".",
                Some(status) if status.is_success() => "(+)",
                Some(_) => "(x)",
            },
        };
        f.write_str(seen)
    }
}

#[cfg(test)]
mod tests;
