//! The smallest changes of a pod that would place it, as Berth found them, and those that would not do.

pub(in crate::picture) mod words;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::{Change, Suggestion};
use crate::framework::reason::Reason;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::Key;

use super::brush::{self, cross, fitted, heading, level};
use super::stage::Stage;

/// Draws what was found, from `y` on; returns where it ends.
pub(super) fn advice(stage: &Stage<'_>, width: Px, mut y: Px) -> (Vec<Part>, Px) {
    let mut parts = Vec::new();
    let Some(advice) = stage.shot.truth.as_ref().map(|truth| &truth.advice) else {
        return (parts, y);
    };
    let head = |id: &str, key: Key, y: &mut Px| {
        let mut part = heading(id, stage.label(key), Px::ZERO, width);
        for mark in &mut part.marks {
            *mark = super::axis::moved(mark.clone(), Px::ZERO, *y);
        }
        *y += px(50);
        part
    };
    if !advice.suggestions.is_empty() {
        parts.push(head("advice", Key::WSmallest, &mut y));
    }
    for (place, suggestion) in advice.suggestions.iter().enumerate() {
        parts.extend(suggested(stage, place, suggestion, width, &mut y));
    }
    if !advice.dropped.is_empty() {
        y -= px(16);
        parts.push(head("dropped", Key::WDropped, &mut y));
    }
    for (place, (change, reason)) in advice.dropped.iter().enumerate() {
        parts.push(dropped(stage, place, (change, reason), width, &mut y));
    }
    (parts, y)
}

/// Changes that do, with their lines and the nodes that then take the pod.
fn suggested(
    stage: &Stage<'_>,
    place: usize,
    suggestion: &Suggestion,
    width: Px,
    y: &mut Px,
) -> Vec<Part> {
    let mut part = Part::new(format!("advice/{place}"), Role::Note).link(fix_link(place));
    let bold = TextStyle::sans(12).bold();
    let number = (place + 1).to_string();
    let serif = TextStyle::serif(24);
    part.add(brush::words(
        Px::ZERO,
        *y + px(4),
        number,
        serif,
        Token::Soft,
    ));
    for change in &suggestion.changes {
        let says = words::change(stage, change);
        lines(&mut part, &says, bold, (IN, width), Token::Ink, y);
        code(&mut part, change, width, y);
    }
    let edges = (IN + px(18), width);
    part.add(sign(&TICK, *y).edged(Token::Bound, px(2)).round());
    let says = words::fits(stage, suggestion);
    lines(&mut part, &says, bold, edges, Token::Bound, y);
    for cost in words::costs(stage, suggestion) {
        part.add(sign(&TRIANGLE, *y).edged(Token::Backoff, Px(15)).round());
        let style = TextStyle::sans(12);
        lines(&mut part, &cost, style, edges, Token::Ink, y);
    }
    part.label = texts(&part);
    let controls = controls(stage, place, suggestion, y);
    part.add(level(Px::ZERO, width, *y).edged(Token::Line, px(1)));
    *y += px(24);
    core::iter::once(part).chain(controls).collect()
}

/// What can be done with a suggestion: put it into the scenario, and see in the matrix what it lifts.
fn controls(stage: &Stage<'_>, place: usize, suggestion: &Suggestion, y: &mut Px) -> Vec<Part> {
    let mut parts = Vec::new();
    let top = *y - px(8);
    let mut x = IN;
    let first = suggestion.changes.first();
    let what = first.map_or_else(String::new, |change| words::change(stage, change));
    if stage.shot.can_apply {
        let style = TextStyle::sans(12).bold().middle();
        let says = stage.label(Key::WApply);
        let at = Rect::new(x, top, measure::width(&says, &style) + px(24), px(26));
        let part = Part::new(format!("apply/{place}"), Role::Note)
            .link(fix_link(place))
            .labelled(format!("{says}: {what}"))
            .does(Action::Apply { place })
            .with(Mark::rect(at, px(7)).filled(Token::Ink))
            .with(brush::words(
                at.center().x,
                top + px(17),
                says,
                style,
                Token::Paper,
            ));
        parts.push(part);
        x = at.right() + px(16);
    }
    let lifted = suggestion.nodes.first().and_then(|node| {
        let gate = stage.row(node)?.verdict.gate()?;
        Some((node, stage.sift.gate_name(gate)))
    });
    if let (true, Some((node, plugin))) = (stage.shot.has_controls, lifted) {
        let says = stage.label(Key::WShowIn);
        let style = TextStyle::sans(12).underlined();
        let part = Part::new(format!("show/{place}"), Role::Note)
            .link(fix_link(place))
            .labelled(format!("{says}: {what}"))
            .does(Action::OpenCell {
                node: node.to_string(),
                plugin: plugin.to_string(),
            })
            .with(brush::words(x, top + px(17), says, style, Token::Ink));
        parts.push(part);
    }
    if !parts.is_empty() {
        *y = top + px(38);
    }
    parts
}

/// The link of a suggestion with the nodes that it opens.
pub(in crate::picture) fn fix_link(place: usize) -> String {
    format!("fix/{place}")
}

/// A change that does not do, and what then still stands.
fn dropped(
    stage: &Stage<'_>,
    place: usize,
    (change, reason): (&Change, &Reason),
    width: Px,
    y: &mut Px,
) -> Part {
    let mut part = Part::new(format!("dropped/{place}"), Role::Note);
    let center = Point::new(px(7), *y - px(4));
    part.marks
        .extend(cross(center, px(14), Token::Unsched, Token::Sheet));
    let edges = (px(24), width);
    let style = TextStyle::sans(12);
    let says = words::change(stage, change);
    lines(&mut part, &says, style.bold(), edges, Token::Ink, y);
    let still = words::still(stage, reason);
    lines(&mut part, &still, style, edges, Token::Soft, y);
    *y += px(6);
    part.label = texts(&part);
    part
}

/// The change as lines of the pod's text.
fn code(part: &mut Part, change: &Change, width: Px, y: &mut Px) {
    let style = TextStyle::mono(12);
    let most = width - IN - px(20);
    let lines = words::code(change)
        .into_iter()
        .flat_map(|(text, is_added)| {
            let token = if is_added {
                Token::Bound
            } else {
                Token::Unsched
            };
            let lines = measure::wrapped(&text, &style, most);
            lines.into_iter().map(move |line| (line, token))
        });
    let lines: Vec<(String, Token)> = lines.collect();
    let top = *y - px(8);
    let at = Rect::new(IN, top, width - IN, px(19).each(lines.len()) + px(10));
    part.add(Mark::rect(at, px(6)).filled(Token::Wash));
    for (place, (line, token)) in lines.into_iter().enumerate() {
        let down = px(19).each(place) + px(18);
        part.add(fitted(IN + px(10), top + down, &line, style, most, token));
    }
    *y = at.bottom() + px(20);
}

/// Adds a text in as many lines as it takes.
fn lines(
    part: &mut Part,
    text: &str,
    style: TextStyle,
    (from, to): (Px, Px),
    token: Token,
    y: &mut Px,
) {
    for line in measure::wrapped(text, &style, to - from) {
        part.add(brush::words(from, *y, line, style, token));
        *y += px(17);
    }
}

/// All texts of a part.
fn texts(part: &Part) -> String {
    use crate::picture::scene::Shape;
    let texts = part.marks.iter().filter_map(|mark| match &mark.shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A sign before a text at a height, from corner to corner.
fn sign(corners: &[(i32, i32)], y: Px) -> Mark {
    let at = |(x, up): &(i32, i32)| Point::new(IN + px(*x), y - px(*up));
    let first = corners
        .iter()
        .take(1)
        .map(|corner| Segment::Move(at(corner)));
    let rest = corners
        .iter()
        .skip(1)
        .map(|corner| Segment::Line(at(corner)));
    Mark::path(first.chain(rest).collect())
}

/// It does.
const TICK: [(i32, i32); 3] = [(0, 4), (4, 0), (11, 9)];
/// It costs something.
const TRIANGLE: [(i32, i32); 4] = [(0, 0), (6, 10), (12, 0), (0, 0)];
/// Where the texts of a suggestion begin, right of its number.
const IN: Px = px(32);
