//! Threads from the pod in its turn to each node, cut where a gate rejects, with the reason beside the cut.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Part, Role, Segment, TextStyle, View};
use crate::picture::sentences::{gate_link, node_link};
use crate::picture::timeline::Phase;
use crate::picture::verdicts::{Row, Verdict};

use super::brush::{Space, cross, fitted, level};
use super::gates::Post;
use super::pod::colors;
use super::rows::Rows;
use super::stage::{Columns, Stage};

/// The curve from the pod to a row, then level to `to`.
#[must_use]
pub(in crate::picture) fn way(start: Point, y: Px, to: Px, reach: Px) -> Vec<Segment> {
    let bend = reach.share(61, 100);
    alloc::vec![
        Segment::Move(start),
        Segment::Curve(
            Point::new(start.x + bend, start.y),
            Point::new(start.x + reach - bend, y),
            Point::new(start.x + reach, y),
        ),
        Segment::Line(Point::new(to, y)),
    ]
}

/// What the threads of a figure have in common.
pub(in crate::picture) struct Loom<'a> {
    /// Where threads begin.
    pub(in crate::picture) start: Point,
    /// How far to the right they bend.
    pub(in crate::picture) reach: Px,
    /// The gates.
    pub(in crate::picture) posts: &'a [Post],
    /// Where a thread that passes all gates ends.
    pub(in crate::picture) end: Px,
    /// Where the names of the last steps begin; the row above the chosen one ends before them.
    pub(in crate::picture) steps_from: Px,
    /// Where the dotted rest of a cut thread ends.
    pub(in crate::picture) gone_to: Px,
    /// How far a reason may reach.
    pub(in crate::picture) reason_to: Px,
}

impl Loom<'_> {
    /// How far the bend of threads reaches for a start and a first gate.
    #[must_use]
    pub(in crate::picture) fn reach_of(start: Point, columns: &Columns) -> Px {
        columns.gates.0 - px(4) - start.x
    }

    /// The parts of every row's thread; texts take their space.
    pub(in crate::picture) fn weave(
        &self,
        stage: &Stage<'_>,
        rows: &Rows,
        space: &mut Space,
    ) -> Vec<Part> {
        let mut reasons = Vec::new();
        let mut threads = Vec::new();
        let mut marks = Vec::new();
        let phase = stage.attempt.as_ref().map(|attempt| attempt.phase);
        if phase.is_none_or(|phase| phase < Phase::Filtered) && !stage.sift.is_done {
            return Vec::new();
        }
        for (place, row) in stage.sift.rows.iter().enumerate() {
            let y = rows.y(place);
            let is_chosen = stage.chosen() == Some(&row.node.name);
            let below = (stage.sift.rows.iter().zip(&rows.ys)).skip(place + 1);
            let is_above_chosen = below.into_iter().any(|(below, below_y)| {
                *below_y - y < STEP_NAMES && stage.chosen() == Some(&below.node.name)
            });
            let gone_to = if is_above_chosen {
                self.steps_from
            } else {
                self.gone_to
            };
            if row.verdict != Verdict::Passed {
                // Below the scores nothing is written onto the rest of a thread.
                let rest = Rect::new(self.end, y - px(1), gone_to - self.end, px(2));
                space.take(rest);
            }
            match &row.verdict {
                Verdict::NotAsked => threads.push(self.unasked(row, y, gone_to)),
                Verdict::Passed if is_chosen => {
                    marks.push(self.passed_marks(row, y, self.posts.len(), Px(35)));
                }
                Verdict::Passed => {
                    threads.push(self.thread(row, y, self.end));
                    marks.push(self.passed_marks(row, y, self.posts.len(), Px(25)));
                }
                Verdict::Rejected { gate, .. } => {
                    let Some(at) = self.posts.iter().position(|post| post.gate == *gate) else {
                        continue;
                    };
                    let x = self.posts.get(at).map_or(self.end, |post| post.x);
                    threads.push(self.cut_thread(stage, row, (y, x, gone_to), *gate));
                    if at > 0 {
                        marks.push(self.passed_marks(row, y, at, Px(25)));
                    }
                    marks.push(self.cut_mark(stage, row, y, x, *gate));
                    reasons.extend(self.reason(stage, row, y, x, *gate, space));
                }
            }
        }
        let winner = self.winner(stage, rows);
        threads.extend(winner);
        threads.extend(marks);
        threads.extend(reasons);
        threads
    }

    fn thread(&self, row: &Row, y: Px, to: Px) -> Part {
        Part::new(format!("thread/{}", row.node.name), Role::Thread)
            .link(node_link(&row.node.name))
            .with(
                Mark::path(way(self.start, y, to, self.reach))
                    .edged(Token::Soft, Px(15))
                    .faded(70),
            )
    }

    fn unasked(&self, row: &Row, y: Px, to: Px) -> Part {
        Part::new(format!("thread/{}", row.node.name), Role::Thread).with(
            Mark::path(way(self.start, y, to, self.reach))
                .edged(Token::Line, Px(15))
                .dashed(1, 5)
                .round(),
        )
    }

    fn cut_thread(
        &self,
        stage: &Stage<'_>,
        row: &Row,
        (y, x, gone_to): (Px, Px, Px),
        gate: usize,
    ) -> Part {
        let mut part = self.thread(row, y, x - px(8));
        part.links.extend(gate_name(stage, gate).map(gate_link));
        if gone_to > x + px(16) {
            part.add(
                level(x + px(12), gone_to, y)
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
        }
        part
    }

    fn cut_mark(&self, stage: &Stage<'_>, row: &Row, y: Px, x: Px, gate: usize) -> Part {
        let name = gate_name(stage, gate).unwrap_or_default();
        let mut part = Part::new(format!("verdict/{}", row.node.name), Role::Verdict)
            .link(gate_link(name))
            .link(node_link(&row.node.name))
            .stepped(gate)
            .labelled(stage.voice.detail(row))
            .does(Action::OpenCell {
                node: row.node.name.as_ref().into(),
                plugin: name.into(),
            });
        let side = if self.is_tight(y) { px(14) } else { px(16) };
        part.marks
            .extend(cross(Point::new(x, y), side, Token::Unsched, Token::Sheet));
        part
    }

    const fn is_tight(&self, _y: Px) -> bool {
        false
    }

    fn passed_marks(&self, row: &Row, y: Px, count: usize, radius: Px) -> Part {
        let mut part = Part::new(format!("passed/{}", row.node.name), Role::Verdict)
            .link(node_link(&row.node.name));
        for post in self.posts.iter().take(count) {
            part.add(Mark::circle(Point::new(post.x, y), radius).filled(Token::Bound));
        }
        part
    }

    fn reason(
        &self,
        stage: &Stage<'_>,
        row: &Row,
        y: Px,
        x: Px,
        gate: usize,
        space: &mut Space,
    ) -> Option<Part> {
        if stage.shot.view == View::Open {
            return None;
        }
        let says = stage.voice.label(row);
        let from = x + px(16);
        let mark = fitted(
            from,
            y - px(8),
            &says,
            TextStyle::sans(12),
            self.reason_to - from,
            Token::Unsched,
        );
        space.take(mark.bounds());
        let name = gate_name(stage, gate).unwrap_or_default();
        Some(
            Part::new(format!("reason/{}", row.node.name), Role::Reason)
                .link(gate_link(name))
                .link(node_link(&row.node.name))
                .with(mark),
        )
    }

    /// The thread of the chosen node, in the pod's hue, to its berth.
    fn winner(&self, stage: &Stage<'_>, rows: &Rows) -> Option<Part> {
        let chosen = stage.chosen()?;
        let place = stage
            .sift
            .rows
            .iter()
            .position(|row| row.node.name == *chosen)?;
        let facts = stage.subject_facts()?;
        let edge = colors(stage.badge(&facts).hue).1;
        let to = self.gone_to + px(8);
        Some(
            Part::new("thread/chosen", Role::Thread)
                .link("win")
                .link(node_link(chosen))
                .with(
                    Mark::path(way(self.start, rows.y(place), to, self.reach)).edged(edge, px(3)),
                ),
        )
    }
}

/// The name of a gate.
pub(in crate::picture) fn gate_name<'a>(stage: &'a Stage<'_>, gate: usize) -> Option<&'a str> {
    stage.sift.gates.get(gate).map(|gate| gate.name.as_str())
}

/// The turned names of the last steps reach so far up.
const STEP_NAMES: Px = px(66);
