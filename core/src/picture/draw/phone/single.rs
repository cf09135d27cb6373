//! One row a node, on a phone.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, px};
use crate::picture::scene::{Action, Flight, Mark, Panel, Part, Role, TextStyle, View};
use crate::picture::sentences::{gate_link, node_link, signed};
use crate::picture::verdicts::{Row, Verdict};

use super::super::berths::{Berth, BerthStyle, berth};
use super::super::brush::{cross, fitted, level, words};
use super::super::landing::Course;
use super::super::preempt::verdict_on;
use super::super::rows::Rows;
use super::super::score::Board;
use super::super::stage::Stage;
use super::super::threads::way;
use super::{Frame, chosen_way, gate_lines, turn};

/// One row a node; returns the flight.
pub(super) fn single_rows(
    stage: &Stage<'_>,
    frames: &Frame,
    rows: &Rows,
    panel: &mut Panel,
) -> Option<Flight> {
    let (from, to) = frames.nodes;
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(
            stage,
            to - from,
            frames.most.0,
            px(20).min(rows.pitch - px(18)),
        )
    };
    let start = Point::new(frames.start, rows.middle());
    let has_line = rows.pitch >= px(54);
    let mut threads = Vec::new();
    let mut nodes = Vec::new();
    let mut course = None;
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place);
        let (berth, parts) = berth(stage, &row.node, Point::new(from, y), style);
        let is_chosen = stage.chosen() == Some(&row.node.name);
        threads.extend(thread(stage, frames, row, y, start));
        nodes.extend(parts);
        let is_first = place == 0
            || stage
                .sift
                .rows
                .get(place - 1)
                .is_some_and(|before| before.node.zone != row.node.zone);
        nodes.push(title(
            stage,
            row,
            &berth,
            is_first,
            (from, to),
            (y, has_line),
        ));
        if is_chosen {
            course = Some(Course {
                start,
                reach: frames.reach,
                y,
                berth,
            });
        }
    }
    let bottom = rows.last() + px(16);
    panel.parts.extend(gate_lines(frames, |_| bottom));
    if let Some(course) = &course {
        panel.parts.extend(chosen_way(stage, course, style.scale));
    }
    panel.parts.extend(threads);
    panel.parts.extend(nodes);
    panel.parts.extend(turn(stage, frames, rows.middle()));
    course.and_then(|course| course.flight(stage, style.scale))
}

fn thread(stage: &Stage<'_>, frames: &Frame, row: &Row, y: Px, start: Point) -> Vec<Part> {
    if !stage.sift.is_done || stage.chosen() == Some(&row.node.name) {
        return Vec::new();
    }
    let name = &row.node.name;
    let mut part = Part::new(format!("thread/{name}"), Role::Thread).link(node_link(name));
    let mut parts = Vec::new();
    let end = frames.nodes.0 - px(4);
    match &row.verdict {
        Verdict::NotAsked => {
            part.add(
                Mark::path(way(start, y, end, frames.reach))
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
        }
        Verdict::Passed => {
            part.add(
                Mark::path(way(start, y, end, frames.reach))
                    .edged(Token::Soft, Px(15))
                    .faded(70),
            );
        }
        Verdict::Rejected { gate, .. } => {
            let x = frames.post(*gate).map_or(end, |post| post.x);
            part.add(
                Mark::path(way(start, y, x - px(7), frames.reach))
                    .edged(Token::Soft, Px(15))
                    .faded(70),
            );
            part.add(
                level(x + px(10), end, y)
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
            let plugin = stage.sift.gate_name(*gate);
            part.links.push(gate_link(plugin));
            let mut cut = Part::new(format!("verdict/{name}"), Role::Verdict)
                .link(gate_link(plugin))
                .link(node_link(name))
                .labelled(stage.voice.detail(row))
                .does(Action::OpenCell {
                    node: name.to_string(),
                    plugin: plugin.to_string(),
                });
            cut.marks.extend(cross(
                Point::new(x, y),
                px(12),
                Token::Unsched,
                Token::Sheet,
            ));
            parts.push(cut);
        }
    }
    parts.insert(0, part);
    parts
}

/// The node's name above its bar, and at the right its zone, its score or why not.
fn title(
    stage: &Stage<'_>,
    row: &Row,
    berth: &Berth,
    is_first: bool,
    (from, to): (Px, Px),
    (y, has_line): (Px, bool),
) -> Part {
    let is_chosen = stage.chosen() == Some(&row.node.name);
    let mut part =
        Part::new(format!("node/{}", row.node.name), Role::Note).link(node_link(&row.node.name));
    let top = berth.bar.y - px(4);
    let mono = TextStyle::mono(12).bold_if(is_chosen);
    let small = TextStyle::sans(12);
    let mut name_to = to;
    let (says, token, style) = beside(stage, row);
    let width = measure::width(&says, &style);
    // Beside the bar, or in its free part if that holds all of it; else beside the name, or below the bar.
    let is_full = berth.bar.right() >= to - px(4);
    let is_inside = to - width - px(6) >= berth.bar.right()
        || (is_full && to - width - px(14) >= berth.filled_to);
    if says.is_empty() {
    } else if is_inside && !(has_line && verdict_on(stage, &row.node.name).is_some()) {
        let x = if is_full { to - px(6) } else { to };
        part.add(words(x, y + px(4), says, style.end(), token));
    } else if has_line {
        part.add(fitted(
            from,
            berth.bar.bottom() + px(14),
            &says,
            style,
            to - from,
            token,
        ));
    } else {
        let text = measure::shortened(&says, &style, (to - from).share(60, 100));
        name_to = to - measure::width(&text, &style) - px(6);
        part.add(words(to, top, text, style.end(), token));
    }
    let corner = if name_to < to {
        None
    } else if let Some(lead) = lead(stage).filter(|_| is_chosen) {
        Some((format!("+{lead}"), small.bold(), Token::Bound))
    } else if is_first && !row.node.zone.is_empty() {
        let zone = stage.voice.zone(&row.node.zone);
        let zone = measure::shortened(&zone, &small, px(60));
        Some((zone, small, Token::Soft))
    } else {
        None
    };
    if let Some((says, style, token)) = corner {
        name_to = to - measure::width(&says, &style) - px(6);
        part.add(words(to, top, says, style.end(), token));
    }
    let name = stage.node_label(&row.node.name, &mono, name_to - from);
    part.add(words(from, top, name, mono, Token::Ink));
    part
}

/// By how many points the chosen node wins, if it does.
fn lead(stage: &Stage<'_>) -> Option<i64> {
    let (choice, _, _) = stage.attempt.as_ref()?.choice?;
    let lead = choice.score - Board::of(stage)?.best_but(&choice.node)?;
    (lead > 0 && stage.shot.view != View::Open).then_some(lead)
}

/// What stands beside a node: its score, or why it was rejected.
fn beside(stage: &Stage<'_>, row: &Row) -> (String, Token, TextStyle) {
    let small = TextStyle::sans(12);
    if stage.shot.view == View::Open {
        return (String::new(), Token::Soft, small);
    }
    if let Some((says, is_chosen)) = verdict_on(stage, &row.node.name) {
        let token = if is_chosen {
            Token::Preempt
        } else {
            Token::Soft
        };
        return (says, token, small.bold_if(is_chosen));
    }
    if let Verdict::Rejected { .. } = row.verdict {
        return (stage.voice.short(row), Token::Unsched, small);
    }
    let total =
        Board::of(stage).and_then(|board| board.nodes.get(&row.node.name).map(|(_, total)| *total));
    let is_chosen = stage.chosen() == Some(&row.node.name);
    match total {
        Some(total) if is_chosen => (signed(total), Token::Ink, small.bold()),
        Some(total) => (signed(total), Token::Soft, small),
        None => (String::new(), Token::Soft, small),
    }
}
