//! What plugins answered for many nodes, with answers that are alike kept once.
//!
//! Thousands of nodes are rejected for the same reason; each then costs a number instead of a status.

use alloc::vec::Vec;

use crate::node_set::{NodeIndex, NodeSet};

use super::status::{Code, PluginName, Status};

/// Who rejected which node at one Filter plugin, or at several.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    statuses: Vec<Status>,
    /// Rows in the order noted, with the place of their status.
    rows: Vec<(NodeIndex, u32)>,
    /// How many statuses have been finished by [`Verdicts::finish`].
    finished: usize,
}

impl Verdicts {
    /// Notes that a node was rejected.
    pub fn reject(&mut self, node: NodeIndex, status: Status) {
        let is_like_last =
            self.statuses.len() > self.finished && self.statuses.last() == Some(&status);
        if !is_like_last {
            self.statuses.push(status);
        }
        self.rows.push((node, last_place(&self.statuses)));
    }

    /// Narrows `nodes` to those that pass, and rejects all others with the same status, which is made once.
    pub fn retain(
        &mut self,
        nodes: &mut NodeSet,
        mut passes: impl FnMut(NodeIndex) -> bool,
        status: impl FnOnce() -> Status,
    ) {
        let mut status = Some(status);
        nodes.retain(|node| {
            if passes(node) {
                return true;
            }
            if let Some(status) = status.take() {
                self.statuses.push(status());
            }
            self.rows.push((node, last_place(&self.statuses)));
            false
        });
    }

    /// What was noted, in the order noted.
    pub fn rejected(&self) -> impl Iterator<Item = (NodeIndex, &Status)> {
        self.rows.iter().filter_map(|(row, place)| {
            let status = self.statuses.get(*place as usize)?;
            Some((*row, status))
        })
    }

    /// Takes what was noted, in the order noted, and leaves nothing.
    pub fn drain(&mut self) -> impl Iterator<Item = (NodeIndex, Status)> + use<> {
        let taken = core::mem::take(self);
        let status = move |place: u32| taken.statuses.get(place as usize).cloned();
        let rows = taken.rows.into_iter();
        rows.filter_map(move |(row, place)| Some((row, status(place)?)))
    }

    /// Passes the answers that came since the last call through `finish`: what a plugin says becomes what counts.
    pub(super) fn finish(&mut self, finish: impl Fn(Status) -> Status) {
        let fresh = self.statuses.iter_mut().skip(self.finished);
        fresh.for_each(|status| *status = finish(core::mem::take(status)));
        self.finished = self.statuses.len();
    }

    /// The answers by row out of `rows` rows.
    pub(crate) fn into_answers(self, rows: usize) -> Answers {
        let rows = if self.rows.is_empty() { 0 } else { rows };
        let mut answers = Answers {
            statuses: self.statuses,
            by_row: alloc::vec![NONE; rows],
            len: 0,
        };
        for (row, place) in self.rows {
            answers.put(row, place);
        }
        answers
    }
}

/// The answers of some nodes, by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    statuses: Vec<Status>,
    /// The place of each row's status.
    by_row: Vec<u32>,
    len: usize,
}

/// The place of a status in one set of answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u32);

impl Answers {
    /// Sets the answer for a node.
    pub(super) fn set(&mut self, node: NodeIndex, status: Status) {
        let place = self.keep(status);
        self.set_kept(node, place);
    }

    /// Keeps a status for nodes to come.
    pub(crate) fn keep(&mut self, status: Status) -> Place {
        if self.statuses.last() != Some(&status) {
            self.statuses.push(status);
        }
        Place(last_place(&self.statuses))
    }

    /// Sets the answer for a node to one that was kept.
    pub(crate) fn set_kept(&mut self, node: NodeIndex, Place(place): Place) {
        self.put(node, place);
    }

    fn put(&mut self, node: NodeIndex, place: u32) {
        if self.by_row.len() <= node.as_usize() {
            self.by_row.resize(node.as_usize() + 1, NONE);
        }
        if let Some(slot) = self.by_row.get_mut(node.as_usize()) {
            self.len += usize::from(*slot == NONE);
            *slot = place;
        }
    }

    /// How many nodes have an answer.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The answer of a node.
    pub(super) fn get(&self, node: NodeIndex) -> Option<&Status> {
        self.statuses.get(self.place(node)?.0 as usize)
    }

    /// Where the answer of a node stands.
    pub(crate) fn place(&self, node: NodeIndex) -> Option<Place> {
        let place = self.by_row.get(node.as_usize()).copied();
        place.filter(|place| *place != NONE).map(Place)
    }

    /// The status in a place of these answers.
    pub(crate) fn at(&self, Place(place): Place) -> Option<&Status> {
        self.statuses.get(place as usize)
    }

    /// How many different places there are.
    pub(crate) const fn places(&self) -> usize {
        self.statuses.len()
    }

    /// All answers by row.
    pub(super) fn iter(&self) -> impl Iterator<Item = (NodeIndex, &Status)> {
        let rows = self.by_row.iter().enumerate();
        rows.filter_map(|(row, place)| {
            let status = self.statuses.get(*place as usize)?;
            Some((NodeIndex::new(row), status))
        })
    }

    /// Each status with the number of its nodes, those of none left out.
    pub(super) fn tally(&self) -> impl Iterator<Item = (&Status, usize)> {
        let mut times = alloc::vec![0; self.statuses.len()];
        for place in &self.by_row {
            if let Some(times) = times.get_mut(*place as usize) {
                *times += 1;
            }
        }
        let tally = self.statuses.iter().zip(times);
        tally.filter(|(_, times)| *times > 0)
    }
}

impl PartialEq for Answers {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Place {
    /// The place as a position in a list.
    pub(crate) const fn as_usize(self) -> usize {
        self.0 as usize
    }
}

fn last_place(statuses: &[Status]) -> u32 {
    u32::try_from(statuses.len().saturating_sub(1)).expect("there are fewer statuses than rows")
}

/// What a Filter plugin's answer counts for: a rejection by it, or an error that names it.
pub(super) fn rejection(plugin: PluginName, status: Status) -> Status {
    match status.code {
        Code::Success => status,
        code if code.is_rejection() => status.by(plugin),
        _ => Status::error(alloc::format!(
            "running \"{plugin}\" filter plugin: {}",
            status.message()
        ))
        .by(plugin),
    }
}

/// No place: there is no status so far out.
const NONE: u32 = u32::MAX;

#[cfg(test)]
mod tests;
