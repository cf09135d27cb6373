//! A row of the matrix: what each rule said of a node.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::Suggestion;
use crate::framework::status::Status;
use crate::picture::measure;
use crate::picture::palette::{Hatched, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Form, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, node_link};
use crate::picture::verdicts::{GateKind, Row, Verdict};

use super::super::advice::fix_link;
use super::super::brush::{cross, fitted, level, words};
use super::super::everything::state_marks;
use super::super::pod::{block, chip_width};
use super::super::stage::{Opened, Stage};
use super::{Layout, Line, is_opened};

/// The parts of a line: ground, name, thread, states, reason.
pub(super) fn line_parts(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Vec<Part> {
    let y = line.y;
    let is_open = is_opened(stage, line);
    let is_chosen = stage.chosen() == Some(&line.row.node.name);
    let link = node_link(&line.row.node.name);
    let mut part = Part::new(format!("row/{}", line.id), Role::Berth)
        .link(link.clone())
        .labelled(format!("{} {}", line.name, stage.voice.detail(line.row)));
    if let Some(gate) = line.row.verdict.gate() {
        let name = stage.sift.gate_name(gate);
        part.links.push(gate_link(name));
    }
    if is_open {
        let left = layout.names - px(12);
        let ground = Rect::new(
            left,
            y - layout.pitch.half(),
            layout.right - left,
            layout.pitch,
        );
        part.add(Mark::rect(ground, px(6)).filled(Token::RejectWash));
    }
    let style = TextStyle::mono(12).bold_if(is_open || is_chosen);
    let room = if layout.form == Form::Phone {
        px(100)
    } else {
        px(98)
    };
    let name = measure::shortened(&line.name, &style, room);
    if let (Some(zone), true) = (&line.zone, layout.form != Form::Phone) {
        part.add(fitted(
            px(40),
            y + px(4),
            zone,
            TextStyle::sans(12),
            px(78),
            Token::Soft,
        ));
    }
    part.add(words(layout.names, y + px(4), name, style, Token::Ink));
    part.add(thread(stage, layout, line));
    if let (Some(facts), true) = (stage.subject_facts(), layout.form != Form::Phone) {
        let badge = stage.badge(&facts);
        let at = Rect::new(layout.chip, y - px(8), chip_width(&badge) - px(3), px(16));
        part.marks.extend(block(&badge, at));
    }
    let mut parts = alloc::vec![part];
    parts.extend(state_parts(stage, layout, line));
    if layout.form != Form::Phone {
        parts.extend(reason_part(stage, layout, line, is_open));
    }
    let fixes = fixes(stage, line);
    for part in &mut parts {
        part.links.extend(fixes.iter().cloned());
    }
    parts
}

/// The links of the suggestions that open a line's nodes.
fn fixes(stage: &Stage<'_>, line: &Line<'_>) -> Vec<String> {
    let truth = stage.shot.truth.as_ref();
    let all = truth.map_or(&[][..], |truth| &truth.advice.suggestions);
    let opens = |suggestion: &Suggestion| {
        let is_in = |row: &&Row| suggestion.nodes.contains(&row.node.name);
        line.rows.iter().any(is_in)
    };
    let opening = all.iter().enumerate().filter(|(_, one)| opens(one));
    opening.map(|(place, _)| fix_link(place)).collect()
}

fn thread(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Mark {
    let end = match &line.row.verdict {
        Verdict::Rejected { gate, .. } => {
            layout.gates.get(*gate).map_or(layout.chip, |x| *x - px(9))
        }
        Verdict::Passed => layout.gates.last().copied().unwrap_or(layout.chip) + px(14),
        Verdict::NotAsked => layout.chip,
    };
    let from = if layout.form == Form::Phone {
        layout.names + px(100)
    } else {
        layout.chip
    };
    let token = if stage.chosen() == Some(&line.row.node.name) {
        Token::Bound
    } else {
        Token::Soft
    };
    level(from, end.max(from), line.y)
        .edged(token, Px(15))
        .faded(35)
}

/// A cell for each rule: passed, rejected, skipped, not run, and hatched what was asked in addition.
fn state_parts(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for (place, gate) in stage.sift.gates.iter().enumerate() {
        let Some(x) = layout.gates.get(place).copied() else {
            continue;
        };
        let at = Point::new(x, line.y);
        let mut part = Part::new(format!("cell/{}/{}", line.id, gate.id()), Role::Verdict)
            .link(gate_link(&gate.name))
            .link(node_link(&line.row.node.name))
            .stepped(place)
            .labelled(says_of_line(stage, line, place))
            .does(Action::OpenCell {
                node: line.row.node.name.to_string(),
                plugin: gate.name.clone(),
            });
        let ground = if is_opened(stage, line) {
            Token::RejectWash
        } else {
            Token::Paper
        };
        if passing_of(stage, line, place).is_some() {
            let some = Mark::circle(at, Px(48)).filled(Token::Paper);
            part.add(some.edged(Token::Backoff, Px(14)).dashed(3, 2));
        } else {
            part.marks
                .extend(cell_marks(stage, line.row, place, at, ground));
        }
        if is_opened_at(stage, line, &gate.name) {
            let frame = Rect::around(at, layout.pitch, layout.pitch);
            part.add(Mark::rect(frame, px(6)).edged(Token::Ink, px(2)));
        }
        parts.push(part);
    }
    parts
}

fn is_opened_at(stage: &Stage<'_>, line: &Line<'_>, plugin: &str) -> bool {
    is_opened(stage, line)
        && matches!(&stage.shot.open, Some(Opened::Cell { plugin: open, .. }) if open == plugin)
}

fn cell_marks(stage: &Stage<'_>, row: &Row, gate: usize, at: Point, ground: Token) -> Vec<Mark> {
    let Some(info) = stage.sift.gates.get(gate) else {
        return Vec::new();
    };
    if let Some(status) = truth(stage, row, gate) {
        return if status.is_success() {
            alloc::vec![
                Mark::circle(at, Px(48))
                    .filled(Token::Paper)
                    .edged(Token::Bound, Px(14)),
                Mark::circle(at, Px(48))
                    .filled(Token::Hatch(Hatched::Bound))
                    .edged(Token::Bound, Px(14)),
            ]
        } else {
            let square = Rect::around(at, px(12), px(12));
            alloc::vec![
                Mark::rect(square, px(3)).filled(Token::Paper),
                Mark::rect(square, px(3))
                    .filled(Token::Hatch(Hatched::Unsched))
                    .edged(Token::Unsched, Px(14)),
            ]
        };
    }
    if row.verdict.gate() == Some(gate) {
        return cross(at, px(14), Token::Unsched, Token::Sheet).into();
    }
    state_marks(row, gate, info.kind, at, ground)
}

/// What a rule that was not run says of a node, if it was asked in addition.
pub(in crate::picture) fn truth<'a>(
    stage: &'a Stage<'_>,
    row: &Row,
    gate: usize,
) -> Option<&'a Status> {
    let truth = stage.shown_truth()?;
    let info = stage.sift.gates.get(gate)?;
    if was_run(row, gate) || info.kind == GateKind::Skipped {
        return None;
    }
    let plugin = truth.plugins.iter().find(|plugin| plugin.0 == info.name)?;
    truth.status(&row.node.name, *plugin)
}

/// How many of a line's nodes a rule that was not run would let pass, if some of them and not all.
pub(super) fn passing_of(stage: &Stage<'_>, line: &Line<'_>, gate: usize) -> Option<usize> {
    let said = line.rows.iter().filter_map(|row| truth(stage, row, gate));
    let passing = said.filter(|status| status.is_success()).count();
    (0 < passing && passing < line.rows.len()).then_some(passing)
}

fn says_of_line(stage: &Stage<'_>, line: &Line<'_>, gate: usize) -> String {
    let Some(passing) = passing_of(stage, line, gate) else {
        return cell_says(stage, line.row, gate);
    };
    let args = [
        ("plugin", Arg::from(stage.sift.gate_name(gate))),
        ("n", Arg::Number(i64::try_from(passing).unwrap_or(i64::MAX))),
        (
            "m",
            Arg::Number(i64::try_from(line.rows.len()).unwrap_or(i64::MAX)),
        ),
    ];
    stage.text(Key::XWouldPassOf, &args)
}

/// Whether kube-scheduler came to a rule with a node.
fn was_run(row: &Row, gate: usize) -> bool {
    match row.verdict.gate() {
        Some(by) => gate <= by,
        None => row.verdict == Verdict::Passed,
    }
}

/// The rules that kube-scheduler did not come to with a node, although they had something to check.
pub(in crate::picture) fn not_run(stage: &Stage<'_>, row: &Row) -> impl Iterator<Item = usize> {
    let gates = stage.sift.gates.iter().enumerate();
    gates
        .filter(|(gate, info)| info.kind != GateKind::Skipped && !was_run(row, *gate))
        .map(|(gate, _)| gate)
}

/// What a cell says.
pub(super) fn cell_says(stage: &Stage<'_>, row: &Row, gate: usize) -> String {
    let Some(info) = stage.sift.gates.get(gate) else {
        return String::new();
    };
    let plugin = Arg::from(info.name.as_str());
    if let Some(status) = truth(stage, row, gate) {
        let key = if status.is_success() {
            Key::WWouldPass
        } else {
            Key::WWouldReject
        };
        return format!("{}: {}", info.name, stage.label(key));
    }
    match row.verdict.gate() {
        _ if info.kind == GateKind::Skipped => stage.text(Key::VSkipped, &[("plugin", plugin)]),
        Some(by) if by == gate => format!("{}: {}", info.name, stage.voice.detail(row)),
        Some(by) if by < gate => {
            let by = stage.sift.gate_name(by);
            stage.text(Key::VNotRun, &[("plugin", plugin), ("by", by.into())])
        }
        None if row.verdict == Verdict::NotAsked => stage.label(Key::WNotRun),
        _ => stage.text(Key::VPasses, &[("plugin", plugin)]),
    }
}

/// The reason at the right, with the neighbour's chip if it is about one.
fn reason_part(stage: &Stage<'_>, layout: &Layout, line: &Line<'_>, is_open: bool) -> Option<Part> {
    let gate = line.row.verdict.gate();
    let mut part =
        Part::new(format!("reason/{}", line.id), Role::Reason).link(node_link(&line.row.node.name));
    let y = line.y + px(4);
    let mut x = layout.reasons;
    let style = TextStyle::sans(12).bold_if(is_open);
    let token = if is_open { Token::Ink } else { Token::Soft };
    let Some(gate) = gate else {
        let says = match (&line.row.verdict, stage.chosen()) {
            (Verdict::Passed, Some(chosen)) if *chosen == line.row.node.name => {
                stage.label(Key::WChosen)
            }
            (Verdict::Passed, _) => stage.label(Key::WFits),
            _ => stage.label(Key::WNotRun),
        };
        part.add(fitted(x, y, &says, style, layout.right - x, token));
        return Some(part);
    };
    let name = stage.sift.gate_name(gate);
    part.links.push(gate_link(name));
    let says = match (&line.row.neighbour, line.is_group) {
        (Some(pod), false) => {
            let badge = stage.badge(&pod.facts);
            let w = chip_width(&badge) - px(5);
            part.marks
                .extend(block(&badge, Rect::new(x, line.y - px(8), w, px(16))));
            x += w + px(6);
            let name = format!("…-{}", pod.facts.last_name());
            stage.text(Key::LNeighbour, &[("name", name.into())])
        }
        _ => stage.voice.label(line.row),
    };
    part.add(fitted(x, y, &says, style, layout.right - x, token));
    Some(part)
}
