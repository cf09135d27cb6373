//! Everything: all gates with the four states, all numbers, the record of the attempt.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Panel, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, node_link, signed};
use crate::picture::verdicts::{GateKind, Row, Verdict};

use super::berths::{BerthStyle, berth, room, zones};
use super::brush::{Space, cross, fitted, heading, words};
use super::gates::{gate_says, pieces};
use super::landing::Course;
use super::pod::{block, colors};
use super::record::{lines, record};
use super::rows::Rows;
use super::score::{Board, segment_name};
use super::stage::Stage;
use super::story::Figure;
use super::threads::{gate_name, way};
use super::waiting::detailed;

/// Where the columns of Everything stand.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Wide {
    /// Waiting.
    pub(in crate::picture) waiting: (Px, Px),
    /// Filter.
    pub(in crate::picture) filter: (Px, Px),
    /// Score.
    pub(in crate::picture) score: (Px, Px),
    /// Nodes.
    pub(in crate::picture) nodes: (Px, Px),
}

impl Wide {
    /// The columns for a width; without queues where it is narrow.
    #[must_use]
    pub(in crate::picture) fn new(stage: &Stage<'_>, width: Px) -> Self {
        let spare = width - px(1440);
        let has_queues = stage.form == crate::picture::scene::Form::Wide;
        let left = if has_queues { px(312) } else { px(40) };
        let right = width - px(40);
        let is_tight = width < px(1000);
        let nodes = if has_queues {
            px(364) + spare.share(35, 100)
        } else if is_tight {
            px(204)
        } else {
            px(250)
        };
        let nodes = right - nodes;
        let score = if has_queues {
            px(268) + spare.share(20, 100)
        } else if is_tight {
            px(92)
        } else {
            px(210)
        };
        let score_to = nodes - px(24);
        Self {
            waiting: (px(40), if has_queues { px(272) } else { px(40) }),
            filter: (left, score_to - score - px(40)),
            score: (score_to - score, score_to),
            nodes: (nodes, right),
        }
    }
}

/// Draws everything into a frame.
pub(in crate::picture) fn everything(stage: &Stage<'_>, frame: Rect) -> Figure {
    let wide = Wide::new(stage, frame.w);
    let record_lines = lines(stage);
    let record_room = px(34) + px(17).each(record_lines.len().clamp(3, 4));
    let room = (frame.h - FIRST_ROW - px(55) - record_room).max(px(60));
    let rows = Rows::new(&stage.sift.rows, FIRST_ROW, room, (px(36), px(34)), 17);
    let counts_y = rows.last() + px(34);
    let record_y = counts_y + px(21);
    let height = frame.h.max(record_y + record_room);
    let mut panel = Panel::at(Rect::new(frame.x, frame.y, frame.w, height));
    let xs = gate_places(stage, wide.filter);
    let mut space = Space::default();

    panel.parts.extend(headings(stage, &wide));
    if wide.waiting.0 < wide.waiting.1 {
        panel
            .parts
            .extend(detailed(stage, wide.waiting.0, wide.waiting.1, height));
    }
    let (numbers, cells) = (
        numbers(stage, &wide, &rows, &mut space),
        cells(stage, &wide, &rows, &xs),
    );
    panel
        .parts
        .extend(gates(stage, &xs, rows.last() + px(18), &space));
    panel.parts.extend(cells);
    panel.parts.extend(numbers);
    let (course, nodes) = nodes(stage, &wide, &rows);
    panel.parts.extend(nodes);
    panel.parts.extend(course);
    panel
        .parts
        .extend(zones(stage, &rows, wide.nodes.1 + px(8), px(17)));
    panel.parts.extend(small_turn(stage, &wide, &rows));
    panel.parts.push(counts(stage, &wide, &xs, counts_y));
    let record_frame = (wide.filter.0, wide.nodes.1);
    panel
        .parts
        .extend(record(stage, &record_lines, record_frame, record_y, height));
    Figure {
        panel,
        flight: None,
    }
}

fn headings(stage: &Stage<'_>, wide: &Wide) -> Vec<Part> {
    let mut parts = Vec::new();
    if wide.waiting.0 < wide.waiting.1 {
        let (from, to) = wide.waiting;
        parts.push(heading("waiting", stage.label(Key::Waiting), from, to));
    }
    let filter = stage.label(Key::FilterHeadShort);
    parts.push(heading("filter", filter, wide.filter.0, wide.filter.1));
    let style = TextStyle::serif(17).bold();
    let formula = stage.label(Key::ScoreFormula);
    let score = if measure::width(&formula, &style) <= wide.score.1 - wide.score.0 {
        formula
    } else {
        stage.label(Key::ScoreHead)
    };
    parts.push(heading("score", score, wide.score.0, wide.score.1));
    let mut nodes = heading(
        "nodes",
        stage.label(Key::NodesHead),
        wide.nodes.0,
        wide.nodes.1,
    );
    if wide.nodes.1 - wide.nodes.0 >= px(300) {
        let says = stage.label(Key::CpuMemoryPods);
        let style = TextStyle::sans(12).end();
        nodes.add(words(wide.nodes.1, px(22), says, style, Token::Soft));
    }
    parts.push(nodes);
    parts
}

/// The places of all gates: those that ran need more room than those that were skipped.
pub(in crate::picture) fn gate_places(stage: &Stage<'_>, (from, to): (Px, Px)) -> Vec<Px> {
    let gates = &stage.whole.gates;
    let start = from + px(54);
    let end = to - px(49);
    let weights: Vec<i64> = gates
        .iter()
        .map(|gate| {
            if gate.kind == GateKind::Skipped {
                19
            } else {
                30
            }
        })
        .collect();
    let between = |one: i64, two: i64| (one + two) / 2;
    let total: i64 = weights
        .windows(2)
        .map(|pair| match pair {
            [one, two] => between(*one, *two),
            _ => 0,
        })
        .sum();
    let most = px(i32::try_from(total).unwrap_or(i32::MAX).min(4000));
    let span = (end - start).min(most.share(13, 10)).max(Px::ZERO);
    let mut xs = Vec::new();
    let mut at = 0_i64;
    for (place, weight) in weights.iter().enumerate() {
        if let Some(before) = place.checked_sub(1).and_then(|before| weights.get(before)) {
            at += between(*before, *weight);
        }
        xs.push(start + span.share(at, total.max(1)));
    }
    xs
}

fn gates(stage: &Stage<'_>, xs: &[Px], bottom: Px, space: &Space) -> Vec<Part> {
    let mut parts = Vec::new();
    for (place, gate) in stage.whole.gates.iter().enumerate() {
        let Some(x) = xs.get(place).copied() else {
            continue;
        };
        let mut part = Part::new(format!("gate/{}", gate.id()), Role::Gate)
            .link(gate_link(&gate.name))
            .stepped(place)
            .labelled(gate_says(stage, gate));
        for (from, to) in pieces(x, FIRST_ROW - px(18), bottom, space) {
            let line = super::brush::upright(x, from, to);
            part.add(if gate.cut > 0 {
                line.edged(Token::Unsched, Px(15)).faded(55)
            } else {
                line.edged(Token::Line, px(1))
            });
        }
        let token = if gate.kind == GateKind::Skipped {
            Token::Soft
        } else {
            Token::Ink
        };
        let style = TextStyle::sans(12).turned(-53).bold_if(gate.cut > 0);
        let name = measure::shortened(&gate.name, &style, px(126));
        part.add(words(x + px(2), FIRST_ROW - px(24), name, style, token));
        parts.push(part);
    }
    parts
}

/// Each row's thread with its state at every gate.
fn cells(stage: &Stage<'_>, wide: &Wide, rows: &Rows, xs: &[Px]) -> Vec<Part> {
    let start = Point::new(wide.filter.0 + px(32), rows.middle());
    let mut parts = Vec::new();
    if !stage.sift.is_done {
        return parts;
    }
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place);
        let is_chosen = stage.chosen() == Some(&row.node.name);
        let end = match &row.verdict {
            Verdict::Rejected { gate, .. } => xs.get(*gate).copied().unwrap_or(start.x),
            Verdict::Passed if is_chosen => wide.nodes.0,
            Verdict::Passed => wide.score.0 - px(8),
            Verdict::NotAsked => continue,
        };
        let mut thread = Part::new(format!("thread/{}", row.node.name), Role::Thread)
            .link(node_link(&row.node.name));
        let path = Mark::path(way(start, y, end, px(16)));
        let hue = stage.subject_facts().map(|facts| stage.badge(&facts).hue);
        thread.add(match hue {
            Some(hue) if is_chosen => path.edged(colors(hue).1, px(3)),
            _ => path.edged(Token::Soft, Px(15)).faded(70),
        });
        parts.push(thread);
        parts.push(states(stage, row, y, xs));
    }
    parts
}

/// The state of a node at every gate: passed, rejected, skipped, not run.
pub(in crate::picture) fn states(stage: &Stage<'_>, row: &Row, y: Px, xs: &[Px]) -> Part {
    let mut part = Part::new(format!("states/{}", row.node.name), Role::Verdict)
        .link(node_link(&row.node.name))
        .labelled(stage.voice.detail(row));
    if let Some(gate) = row.verdict.gate() {
        let plugin = gate_name(stage, gate).unwrap_or_default();
        part.links.push(gate_link(plugin));
        part.action = Some(Action::OpenCell {
            node: row.node.name.to_string(),
            plugin: plugin.to_string(),
        });
    }
    for (place, gate) in stage.sift.gates.iter().enumerate() {
        let Some(x) = xs.get(place).copied() else {
            continue;
        };
        let at = Point::new(x, y);
        let marks = state_marks(row, place, gate.kind, at, Token::Paper);
        part.marks.extend(marks);
    }
    part
}

/// One state as marks.
pub(in crate::picture) fn state_marks(
    row: &Row,
    gate: usize,
    kind: GateKind,
    at: Point,
    ground: Token,
) -> Vec<Mark> {
    let is_rejected_here = row.verdict.gate() == Some(gate);
    let is_past = row.verdict.gate().is_some_and(|by| gate > by);
    if is_rejected_here {
        return cross(at, px(14), Token::Unsched, Token::Sheet).into();
    }
    if kind == GateKind::Skipped {
        return alloc::vec![
            Mark::rect(Rect::around(at, px(12), px(8)), Px::ZERO).filled(ground),
            Mark::rect(Rect::around(at, px(8), px(2)), Px::ZERO).filled(Token::Soft),
        ];
    }
    if is_past || row.verdict == Verdict::NotAsked {
        return alloc::vec![
            Mark::circle(at, px(2))
                .filled(ground)
                .edged(Token::Soft, px(1))
        ];
    }
    if kind == GateKind::PreFilter || kind == GateKind::Filter || kind == GateKind::Extender {
        return alloc::vec![Mark::circle(at, Px(45)).filled(Token::Bound)];
    }
    Vec::new()
}

/// The plugins that score, with their weights, and whether their columns are close together in such a width: then the
/// weight stands with the name.
fn score_columns(stage: &Stage<'_>, width: Px) -> (Vec<(String, i64)>, bool) {
    let Some(scores) = stage.attempt.as_ref().and_then(|attempt| attempt.scores) else {
        return (Vec::new(), false);
    };
    let count = i32::try_from(scores.columns.len() + 1).unwrap_or(1);
    let is_close = width.over(count) < px(46);
    let columns = scores.columns.iter().map(|column| {
        let mut name = segment_name(stage, column.plugin.0);
        if is_close && column.weight != 1 {
            name = format!("{name} ×{}", column.weight);
        }
        (name, column.weight)
    });
    (columns.collect(), is_close)
}

/// The numbers of the scored nodes, and the reasons of the others.
fn numbers(stage: &Stage<'_>, wide: &Wide, rows: &Rows, space: &mut Space) -> Vec<Part> {
    let (from, to) = wide.score;
    let mut parts = Vec::new();
    let board = Board::of(stage);
    // Where there is no room for columns, the total stands alone, and reasons are short.
    let is_tight = to - from < px(150);
    let (mut columns, is_close) = score_columns(stage, to - from);
    if is_tight {
        columns.clear();
    }
    let pitch = (to - from)
        .over(i32::try_from(columns.len() + 1).unwrap_or(1))
        .min(px(68));
    let x_of = |place: usize| to - px(4) - pitch.each(columns.len() - place);
    if board.is_some() {
        parts.push(number_heads(stage, &columns, pitch, to - px(4)));
    }
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place) + px(4);
        let is_chosen = stage.chosen() == Some(&row.node.name);
        let mut part = Part::new(format!("score/{}", row.node.name), Role::Score)
            .link(node_link(&row.node.name));
        if let Verdict::Rejected { .. } = row.verdict {
            let says = if is_tight {
                stage.voice.short(row)
            } else {
                stage.voice.detail(row)
            };
            let style = TextStyle::sans(12);
            part.add(fitted(from, y, &says, style, to - from, Token::Unsched));
        } else if let Some((_, total)) = board
            .as_ref()
            .and_then(|board| board.nodes.get(&row.node.name))
        {
            let style = TextStyle::sans(12).end().bold_if(is_chosen);
            let token = if is_chosen { Token::Ink } else { Token::Soft };
            if is_chosen {
                let ground = Rect::new(x_of(0) - px(40), y - px(14), to - x_of(0) + px(40), px(20));
                part.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
            }
            let values = normalized(stage, &row.node.name);
            for (column, value) in values.into_iter().take(columns.len()).enumerate() {
                let weight = columns.get(column).map_or(1, |(_, weight)| *weight);
                let says = if is_close {
                    value.to_string()
                } else {
                    format!("{weight}×{value}")
                };
                part.add(words(x_of(column), y, says, style, token));
            }
            part.add(words(to - px(4), y, signed(*total), style, token));
        }
        space.take_texts(&part);
        if !part.marks.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// The normalised scores of a node, column by column.
fn normalized(stage: &Stage<'_>, node: &str) -> Vec<i64> {
    let Some(scores) = stage.attempt.as_ref().and_then(|attempt| attempt.scores) else {
        return Vec::new();
    };
    let Some(place) = scores.nodes.iter().position(|name| **name == *node) else {
        return Vec::new();
    };
    let columns = scores.columns.iter();
    columns
        .map(|column| column.normalized.get(place).copied().unwrap_or(0))
        .collect()
}

fn number_heads(stage: &Stage<'_>, columns: &[(String, i64)], pitch: Px, to: Px) -> Part {
    let mut part = Part::new("score/heads", Role::Legend);
    let y = FIRST_ROW - px(24);
    let style = TextStyle::sans(12);
    let is_tight = columns
        .iter()
        .any(|(name, _)| measure::width(name, &style) > pitch - px(6));
    let names = columns.iter().map(|(name, _)| name.clone());
    for (place, name) in names.chain([stage.label(Key::ScoreTotal)]).enumerate() {
        let x = to - pitch.each(columns.len() - place);
        if is_tight {
            part.add(words(x - px(12), y, name, style.turned(-53), Token::Soft));
        } else {
            part.add(words(x, y, name, style.end(), Token::Soft));
        }
    }
    part
}

fn nodes(stage: &Stage<'_>, wide: &Wide, rows: &Rows) -> (Vec<Part>, Vec<Part>) {
    let (from, to) = wide.nodes;
    let style = BerthStyle::new(stage, to - from, px(46), px(15).min(rows.pitch - px(19)));
    let mut parts = Vec::new();
    let mut slots = Vec::new();
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place);
        let (berth, drawn) = berth(stage, &row.node, Point::new(from, y + px(4)), style);
        parts.extend(drawn);
        let is_chosen = stage.chosen() == Some(&row.node.name);
        let name_style = TextStyle::mono(12).bold_if(is_chosen);
        let is_tight = to - from < px(300);
        let facts = room(
            stage,
            &row.node,
            if is_tight { Key::NodeCpu } else { Key::NodeAll },
        );
        let facts_width = measure::width(&facts, &TextStyle::sans(12));
        let name = stage.node_label(
            &row.node.name,
            &name_style,
            to - from - facts_width - px(10),
        );
        let mut title = Part::new(format!("node/{}", row.node.name), Role::Note)
            .link(node_link(&row.node.name))
            .with(words(from, y - px(9), name, name_style, Token::Ink));
        title.add(words(
            to,
            y - px(9),
            facts,
            TextStyle::sans(12).end(),
            Token::Soft,
        ));
        parts.push(title);
        if is_chosen {
            let course = Course {
                start: Point::default(),
                reach: px(16),
                y: y + px(4),
                berth,
            };
            slots.extend(course.slot(stage, style.scale, to, &Space::default()));
        }
    }
    (slots, parts)
}

fn small_turn(stage: &Stage<'_>, wide: &Wide, rows: &Rows) -> Option<Part> {
    let facts = stage.subject_facts()?;
    let badge = stage.badge(&facts);
    let middle = rows.middle();
    let at = Rect::new(wide.filter.0, middle - px(13), px(32), px(26));
    let mut part = Part::new("turn", Role::Turn)
        .link(format!("pod/{}", facts.info.reference.uid))
        .labelled(facts.info.reference.to_string());
    part.marks.extend(block(&badge, at));
    Some(part)
}

/// How many nodes are left, below the gates.
fn counts(stage: &Stage<'_>, wide: &Wide, xs: &[Px], y: Px) -> Part {
    let style = TextStyle::sans(12).bold();
    let mut part = Part::new("counts", Role::Count);
    let sift = &stage.sift;
    if !sift.is_done {
        return part;
    }
    part.add(words(
        wide.filter.0,
        y,
        sift.asked.to_string(),
        style,
        Token::Ink,
    ));
    let cuts: Vec<(usize, usize)> = sift.cuts().map(|(place, gate)| (place, gate.cut)).collect();
    let mut left = sift.asked;
    for (index, (place, cut)) in cuts.iter().enumerate() {
        let x = xs.get(*place).copied().unwrap_or_default();
        part.add(words(
            x,
            y,
            format!("−{cut}"),
            style.middle(),
            Token::Unsched,
        ));
        left -= cut;
        let next = match cuts.get(index + 1) {
            Some((next, _)) => xs.get(*next).copied().unwrap_or_default(),
            None => xs.last().copied().unwrap_or_default() + px(40),
        };
        let token = if left == 0 {
            Token::Unsched
        } else {
            Token::Ink
        };
        if next - x >= px(40) {
            part.add(words(
                x + (next - x).half(),
                y,
                left.to_string(),
                style.middle(),
                token,
            ));
        }
    }
    let skipped = stage
        .attempt
        .as_ref()
        .map_or(0, |attempt| attempt.score_skipped.len());
    if skipped > 0 && Board::of(stage).is_some() {
        let says = stage.text(Key::ScoreSkips, &[("n", Arg::Count(skipped))]);
        let style = TextStyle::sans(12);
        if measure::width(&says, &style) <= wide.score.1 - wide.score.0 {
            part.add(words(wide.score.0, y, says, style, Token::Soft));
        }
    }
    part
}

/// The middle of the first row.
const FIRST_ROW: Px = px(160);
