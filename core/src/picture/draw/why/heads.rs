//! What stands above and below the rows of the matrix: the names of the rules, and what the signs mean.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::{Hatched, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Extent, Form, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link};
use crate::picture::verdicts::GateKind;

use super::super::axis::moved;
use super::super::brush::{cross, fitted, level, upright, words};
use super::super::gates::gate_says;
use super::super::stage::Stage;
use super::row::{passing_of, truth};
use super::{Layout, Line};

/// What the matrix is, how much of it is shown, and what that means.
pub(super) fn head(stage: &Stage<'_>, layout: &Layout) -> Vec<Part> {
    let is_phone = layout.form == Form::Phone;
    let x = if is_phone { px(16) } else { px(40) };
    let title = stage.label(Key::EveryNodeEveryRule);
    let style = TextStyle::serif(17).bold();
    let mut part = Part::new("head/matrix", Role::Heading)
        .labelled(title.clone())
        .with(words(x, px(30), title.as_str(), style, Token::Ink));
    let mut after = x + measure::width(&title, &style) + px(16);
    let mut choices = Vec::new();
    if stage.shot.truth.is_some() {
        let at = if is_phone {
            Point::new(x, px(44))
        } else {
            Point::new(after, px(10))
        };
        let (frame, parts) = extents(stage, at);
        let edge = Mark::rect(frame, px(9)).filled(Token::Sheet);
        part.add(edge.edged(Token::Line, px(1)));
        choices = parts;
        after = frame.right() + px(16);
    }
    let small = TextStyle::sans(12);
    let says = if stage.shown_truth().is_some() {
        stage.label(Key::WHatched)
    } else {
        stage.label(Key::WSchedulerSaw)
    };
    if !is_phone {
        let most = layout.right - after;
        part.add(fitted(after, px(30), &says, small, most, Token::Soft));
    } else if choices.is_empty() {
        // In a hand the choice stands in place of the words.
        let lines = measure::wrapped(&says, &small, layout.right - x);
        for (place, line) in lines.into_iter().take(2).enumerate() {
            let y = px(50) + px(16).each(place);
            part.add(words(x, y, line, small, Token::Soft));
        }
    }
    let mut parts = alloc::vec![part];
    parts.extend(choices);
    parts
}

/// How much of the matrix is shown, as a choice, and the frame around it.
fn extents(stage: &Stage<'_>, at: Point) -> (Rect, Vec<Part>) {
    let height = px(30);
    let style = TextStyle::sans(12).middle();
    let mut x = at.x;
    let mut parts = Vec::new();
    for (id, extent, key) in [
        ("saw", Extent::SchedulerSaw, Key::WSaw),
        ("truth", Extent::WholeTruth, Key::WWholeTruth),
    ] {
        let says = stage.label(key);
        let is_shown = stage.shot.extent == extent;
        let bold = style.bold_if(is_shown);
        // As wide as in bold, so that nothing moves when the other one is chosen.
        let width = measure::width(&says, &style.bold()) + px(24);
        let (role, ink) = if is_shown {
            (Role::Chosen, Token::Paper)
        } else {
            (Role::Choice, Token::Ink)
        };
        let cell = Rect::new(x, at.y, width, height);
        let ground = if is_shown { Token::Ink } else { Token::Sheet };
        let part = Part::new(format!("extent/{id}"), role)
            .labelled(says.clone())
            .does(Action::See { extent })
            .with(Mark::rect(cell, px(8)).filled(ground))
            .with(words(cell.center().x, at.y + px(19), says, bold, ink));
        parts.push(part);
        x += width;
    }
    let frame = Rect::new(at.x, at.y, x - at.x, height);
    (frame.grown(px(1)), parts)
}

/// The names of the rules, turned: bold where they cut, soft where they had nothing to check.
pub(super) fn gate_names(stage: &Stage<'_>, layout: &Layout, y: Px) -> Vec<Part> {
    let turn = if layout.form == Form::Phone { -76 } else { -48 };
    let mut parts = Vec::new();
    for (place, gate) in stage.whole.gates.iter().enumerate() {
        let Some(x) = layout.gates.get(place).copied() else {
            continue;
        };
        if layout.form == Form::Phone && gate.kind == GateKind::Skipped {
            continue;
        }
        let style = TextStyle::sans(12).turned(turn).bold_if(gate.cut > 0);
        let token = if gate.kind == GateKind::Skipped {
            Token::Soft
        } else {
            Token::Ink
        };
        let name = measure::shortened(&gate.name, &style, px(118));
        parts.push(
            Part::new(format!("gate/{}", gate.id()), Role::Gate)
                .link(gate_link(&gate.name))
                .stepped(place)
                .labelled(gate_says(stage, gate))
                .with(words(x - px(1), y, name, style, token)),
        );
    }
    if layout.form == Form::Phone {
        parts.extend(skipped_runs(stage, layout, y));
    }
    parts
}

/// On a phone, runs of rules that had nothing to check share one name: `5 skipped`.
fn skipped_runs(stage: &Stage<'_>, layout: &Layout, y: Px) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut run: Vec<Px> = Vec::new();
    let mut flush = |run: &mut Vec<Px>| {
        if let (Some(first), Some(last)) = (run.first(), run.last()) {
            let n = Arg::Number(i64::try_from(run.len()).unwrap_or(0));
            let says = stage.text(Key::WSkippedCount, &[("n", n)]);
            let middle = *first + (*last - *first).half();
            let style = TextStyle::sans(12).turned(-76);
            parts.push(
                Part::new(format!("gate/skipped/{}", first.0), Role::Note)
                    .with(words(middle, y, says, style, Token::Soft))
                    .with(
                        level(*first - px(4), *last + px(4), y + px(6)).edged(Token::Soft, px(1)),
                    ),
            );
        }
        run.clear();
    };
    for (gate, x) in stage.whole.gates.iter().zip(&layout.gates) {
        if gate.kind == GateKind::Skipped {
            run.push(*x);
        } else {
            flush(&mut run);
        }
    }
    flush(&mut run);
    parts
}

pub(super) fn gate_lines(stage: &Stage<'_>, layout: &Layout, lines: &[Line<'_>]) -> Vec<Part> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Vec::new();
    };
    let mut part = Part::new("gates/lines", Role::Note);
    for (gate, x) in stage.whole.gates.iter().zip(&layout.gates) {
        if gate.cut > 0 {
            let line = upright(*x, first.y - px(20), last.y + px(16));
            part.add(line.edged(Token::Unsched, px(1)).faded(25));
        }
    }
    alloc::vec![part]
}

/// What the signs mean.
pub(super) fn legend(stage: &Stage<'_>, layout: &Layout, lines: &[Line<'_>], y: Px) -> Part {
    let style = TextStyle::sans(12);
    let mut part = Part::new("matrix/legend", Role::Legend);
    let left = if layout.form == Form::Phone {
        px(16)
    } else {
        px(40)
    };
    let mut at = Point::new(left, y);
    for (marks, key) in signs(stage, lines) {
        let says = stage.label(key);
        let width = measure::width(&says, &style) + px(36);
        if at.x + width > layout.right && at.x > left {
            at = Point::new(left, at.y + px(18));
        }
        for mark in marks {
            part.add(moved(mark, at.x + px(8), at.y - px(4)));
        }
        part.add(words(at.x + px(22), at.y, says, style, Token::Soft));
        at.x += width;
    }
    part
}

/// The signs that the matrix has, around nothing, and what each is called.
fn signs(stage: &Stage<'_>, lines: &[Line<'_>]) -> Vec<(Vec<Mark>, Key)> {
    let center = Point::new(Px::ZERO, Px::ZERO);
    let mut signs: Vec<(Vec<Mark>, Key)> = alloc::vec![
        (
            alloc::vec![Mark::circle(center, Px(45)).filled(Token::Bound)],
            Key::WPassed
        ),
        (
            cross(center, px(14), Token::Unsched, Token::Sheet).into(),
            Key::WRejected
        ),
        (
            alloc::vec![
                Mark::rect(Rect::around(center, px(8), px(2)), Px::ZERO).filled(Token::Soft)
            ],
            Key::WSkipped
        ),
        (
            alloc::vec![Mark::circle(center, px(2)).edged(Token::Soft, px(1))],
            Key::WNotRun
        ),
    ];
    if stage.shown_truth().is_some() {
        signs.push((
            alloc::vec![
                Mark::circle(center, Px(48))
                    .filled(Token::Hatch(Hatched::Bound))
                    .edged(Token::Bound, Px(14))
            ],
            Key::WWouldPass,
        ));
    }
    let also = stage.sift.rows.iter().any(|row| {
        let gates = 0..stage.sift.gates.len();
        gates
            .filter_map(|gate| truth(stage, row, gate))
            .any(|status| !status.is_success())
    });
    if also {
        signs.push((
            alloc::vec![
                Mark::rect(Rect::around(center, px(12), px(12)), px(3))
                    .filled(Token::Hatch(Hatched::Unsched))
                    .edged(Token::Unsched, Px(14))
            ],
            Key::WWouldReject,
        ));
    }
    let mut cells = lines
        .iter()
        .flat_map(|line| (0..stage.sift.gates.len()).map(move |gate| (line, gate)));
    if cells.any(|(line, gate)| passing_of(stage, line, gate).is_some()) {
        let some = Mark::circle(center, Px(48)).edged(Token::Backoff, Px(14));
        signs.push((alloc::vec![some.dashed(3, 2)], Key::WWouldPassSome));
    }
    signs
}
