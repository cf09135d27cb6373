//! What stands above and below the rows of the matrix: the names of the rules, and what the signs mean.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::{Hatched, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Form, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link};
use crate::picture::verdicts::GateKind;

use super::super::axis::moved;
use super::super::brush::{cross, fitted, level, upright, words};
use super::super::gates::gate_says;
use super::super::stage::Stage;
use super::row::truth;
use super::{Layout, Line};

pub(super) fn head(stage: &Stage<'_>, layout: &Layout) -> Vec<Part> {
    let x = if layout.form == Form::Phone {
        px(16)
    } else {
        px(40)
    };
    let title = stage.label(Key::EveryNodeEveryRule);
    let style = TextStyle::serif(17).bold();
    let mut part = Part::new("head/matrix", Role::Heading)
        .labelled(title.clone())
        .with(words(x, px(30), title.as_str(), style, Token::Ink));
    let says = if stage.shot.truth.is_some() {
        stage.label(Key::WHatched)
    } else {
        stage.label(Key::WSchedulerSaw)
    };
    let after = x + measure::width(&title, &style) + px(16);
    let small = TextStyle::sans(12);
    if layout.form == Form::Phone {
        for (place, line) in measure::wrapped(&says, &small, layout.right - x)
            .into_iter()
            .take(2)
            .enumerate()
        {
            part.add(words(
                x,
                px(50) + px(16).each(place),
                line,
                small,
                Token::Soft,
            ));
        }
    } else {
        part.add(fitted(
            after,
            px(30),
            &says,
            small,
            layout.right - after,
            Token::Soft,
        ));
    }
    alloc::vec![part]
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
            Part::new(format!("gate/{}", gate.name), Role::Gate)
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
pub(super) fn legend(stage: &Stage<'_>, layout: &Layout, y: Px) -> Part {
    let style = TextStyle::sans(12);
    let mut part = Part::new("matrix/legend", Role::Legend);
    let left = if layout.form == Form::Phone {
        px(16)
    } else {
        px(40)
    };
    let mut at = Point::new(left, y);
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
    if stage.shot.truth.is_some() {
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
    for (marks, key) in signs {
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
