//! On which node the second try costs least: criteria, one after another.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::Time;
use crate::framework::trace::{Criterion, CriterionKind};
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, px};
use crate::picture::scene::{Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Key, node_link, signed};
use crate::picture::timeline::Preemption;

use super::super::brush::{cross, level, upright, words};
use super::super::stage::Stage;
use super::columns::Columns;
use super::{Node, is_candidate};

/// What a criterion is called.
pub(super) const fn criterion_name(kind: CriterionKind) -> Key {
    match kind {
        CriterionKind::PdbViolations => Key::PBudgets,
        CriterionKind::HighestPriority => Key::PTopPriority,
        CriterionKind::PrioritySum => Key::PPrioritySum,
        CriterionKind::VictimCount => Key::PHowMany,
        CriterionKind::StartTime => Key::PStarted,
        CriterionKind::First => Key::PFirst,
    }
}

fn criterion_x(columns: &Columns, place: usize, count: usize) -> Px {
    let (from, to) = columns.criteria;
    // Turned names need room at the right.
    let (from, to) = (from + px(14), to - px(34));
    let steps = i64::try_from(count.max(2) - 1).unwrap_or(1);
    from + (to - from).share(i64::try_from(place).unwrap_or(0), steps)
}

/// The gates of the second try: a line a criterion, bold where it dropped somebody.
pub(super) fn criteria_lines(
    stage: &Stage<'_>,
    columns: &Columns,
    found: &Preemption<'_>,
    nodes: &[Node<'_>],
) -> Vec<Part> {
    let count = found.criteria.len();
    if count == 0 {
        return Vec::new();
    }
    let mut parts = Vec::new();
    for (place, criterion) in found.criteria.iter().enumerate() {
        let x = criterion_x(columns, place, count);
        let drops = criterion.kept.len() < criterion.values.len();
        let last = nodes
            .iter()
            .filter(|node| value_of(criterion, &node.run.node).is_some())
            .map(|node| node.y)
            .max();
        let name = stage.label(criterion_name(criterion.kind));
        let style = TextStyle::sans(12).turned(-52).bold_if(drops);
        let token = if drops { Token::Ink } else { Token::Soft };
        let mut part = Part::new(format!("criterion/{place}"), Role::Criterion)
            .stepped(place)
            .labelled(says(stage, criterion, &name))
            .with(words(x + px(2), px(110), name, style, token));
        let line = upright(x, px(116), last.unwrap_or(px(140)) + px(14));
        part.add(if drops {
            line.edged(Token::Preempt, Px(16)).faded(80)
        } else {
            line.edged(Token::Preempt, px(1)).faded(35)
        });
        parts.push(part);
    }
    parts
}

fn says(stage: &Stage<'_>, criterion: &Criterion, name: &str) -> String {
    let values = criterion.values.iter();
    let values: Vec<String> = values
        .map(|(node, value)| format!("{} {}", stage.node_name(node), shown(criterion, *value)))
        .collect();
    stage.text(
        Key::XCriterion,
        &[
            ("criterion", name.into()),
            ("values", values.join(", ").into()),
        ],
    )
}

/// What a criterion makes of a node, if it was still a candidate.
pub(super) fn value_of(criterion: &Criterion, node: &str) -> Option<i64> {
    let values = criterion.values.iter();
    let mut values = values.filter(|(name, _)| **name == *node);
    values.next().map(|(_, value)| *value)
}

/// A criterion's value as people read it.
pub(in crate::picture) fn shown(criterion: &Criterion, value: i64) -> String {
    match criterion.kind {
        CriterionKind::StartTime if value == i64::MAX => String::from("–"),
        CriterionKind::StartTime => {
            let text = Time::from_micros(value).to_string();
            text.get(11..19).map_or_else(|| text.clone(), String::from)
        }
        // kube-scheduler adds 2³¹ for each victim so that sums of negative priorities work out.
        CriterionKind::PrioritySum => {
            let shifts = (value + (1 << 30)) >> 31;
            signed(value - (shifts << 31))
        }
        _ => signed(value),
    }
}

/// The dots of one candidate on the criteria, and where it dropped out.
pub(super) fn criteria(
    stage: &Stage<'_>,
    columns: &Columns,
    found: &Preemption<'_>,
    node: &Node<'_>,
) -> Option<Part> {
    if !is_candidate(node.run) {
        return None;
    }
    let name = &node.run.node;
    let count = found.criteria.len();
    let from = columns.paper.1 - px(24);
    let mut part = Part::new(format!("criteria/{name}"), Role::Criterion).link(node_link(name));
    let dropped = found.criteria.iter().position(|criterion| {
        value_of(criterion, name).is_some() && !criterion.kept.contains(name)
    });
    let end = match dropped {
        Some(place) => criterion_x(columns, place, count) - px(8),
        None if node.is_chosen => columns.nodes.0,
        None => columns.criteria.1,
    };
    let width = if node.is_chosen { px(3) } else { Px(14) };
    part.add(level(from, end, node.y).edged(Token::Preempt, width));
    for (place, criterion) in found.criteria.iter().enumerate() {
        let Some(value) = value_of(criterion, name) else {
            continue;
        };
        let center = Point::new(criterion_x(columns, place, count), node.y);
        let drops = criterion.kept.len() < criterion.values.len();
        let is_dropped = dropped == Some(place);
        let style = TextStyle::sans(12).middle().bold_if(drops);
        let token = match (is_dropped, drops) {
            (true, _) => Token::Preempt,
            (_, true) => Token::Ink,
            _ => Token::Soft,
        };
        if is_dropped {
            part.marks
                .extend(cross(center, px(16), Token::Paper, Token::Preempt));
            if let Some(square) = part.marks.iter_mut().rev().nth(1) {
                *square = square.clone().edged(Token::Preempt, px(2));
            }
        } else {
            let radius = if node.is_chosen { Px(45) } else { Px(35) };
            part.add(Mark::circle(center, radius).filled(Token::Preempt));
        }
        let mark = words(
            center.x,
            node.y + px(22),
            shown(criterion, value),
            style,
            token,
        );
        part.add(Mark::rect(mark.bounds().grown(px(1)), Px::ZERO).filled(Token::Paper));
        part.add(mark);
        if is_dropped {
            break;
        }
    }
    let decides = found
        .criteria
        .iter()
        .position(|criterion| criterion.kept.len() == 1 && criterion.values.len() > 1);
    if let (true, Some(place)) = (node.is_chosen, decides) {
        let x = criterion_x(columns, place, count);
        part.marks.extend(decides_here(stage, columns, x, node.y));
    }
    Some(part)
}

/// The words below the criterion that left one candidate.
fn decides_here(stage: &Stage<'_>, columns: &Columns, x: Px, y: Px) -> [Mark; 3] {
    let style = TextStyle::sans(12).bold();
    let says = stage.label(Key::PDecides);
    let left = (x - measure::width(&says, &style).half())
        .max(columns.criteria.0)
        .min(columns.nodes.0 - px(4) - measure::width(&says, &style));
    let mark = words(left, y + px(48), says, style, Token::Preempt);
    let tick = upright(x, y + px(28), y + px(37))
        .edged(Token::Preempt, px(1))
        .dashed(2, 3);
    let paper = Mark::rect(mark.bounds().grown(px(2)), Px::ZERO).filled(Token::Paper);
    [tick, paper, mark]
}
