//! The smallest changes of a pod that would place it, as Berth found them, and those that would not do.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::explain::text::Lang as Explained;
use crate::explain::{Change, Suggestion};
use crate::framework::reason::Reason;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Lang, Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, amount, short_resource};

use super::brush::{cross, fitted, heading, level, words};
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
        *y += px(52);
        part
    };
    if !advice.suggestions.is_empty() {
        parts.push(head("advice", Key::WSmallest, &mut y));
    }
    for (place, suggestion) in advice.suggestions.iter().enumerate() {
        parts.push(suggested(stage, place, suggestion, width, &mut y));
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
) -> Part {
    let mut part = Part::new(format!("advice/{place}"), Role::Note);
    let bold = TextStyle::sans(12).bold();
    let number = (place + 1).to_string();
    let serif = TextStyle::serif(24);
    part.add(words(Px::ZERO, *y + px(4), number, serif, Token::Soft));
    for change in &suggestion.changes {
        let says = says(stage, change);
        lines(&mut part, &says, bold, (IN, width), Token::Ink, y);
        code(&mut part, change, width, y);
    }
    let names = match suggestion.nodes.as_slice() {
        [first, rest @ ..] if rest.len() > 1 => {
            let n = Arg::Number(i64::try_from(rest.len()).unwrap_or(0));
            let first = stage.node_name(first).into();
            stage.text(Key::PluginAndMore, &[("plugin", first), ("n", n)])
        }
        few => {
            let few: Vec<&str> = few.iter().map(|name| stage.node_name(name)).collect();
            few.join(", ")
        }
    };
    let at = |x: i32, up: i32| Point::new(IN + px(x), *y - px(up));
    let tick = [
        Segment::Move(at(0, 4)),
        Segment::Line(at(4, 0)),
        Segment::Line(at(11, 9)),
    ];
    part.add(Mark::path(tick.into()).edged(Token::Bound, px(2)).round());
    let says = stage.text(Key::WThenFits, &[("nodes", names.into())]);
    let edges = (IN + px(18), width);
    lines(&mut part, &says, bold, edges, Token::Bound, y);
    part.add(level(Px::ZERO, width, *y).edged(Token::Line, px(1)));
    *y += px(24);
    part.label = texts(&part);
    part
}

/// A change that does not do, and what then still stands.
fn dropped(
    stage: &Stage<'_>,
    place: usize,
    (change, reason): (&Change, &Reason),
    width: Px,
    y: &mut Px,
) -> Part {
    let explained = match stage.shot.lang {
        Lang::En => Explained::En,
        Lang::Zh => Explained::Zh,
    };
    let mut part = Part::new(format!("dropped/{place}"), Role::Note);
    let center = Point::new(px(7), *y - px(4));
    part.marks
        .extend(cross(center, px(14), Token::Unsched, Token::Sheet));
    let edges = (px(24), width);
    let style = TextStyle::sans(12);
    let says = says(stage, change);
    lines(&mut part, &says, style.bold(), edges, Token::Ink, y);
    let reason = explained.reason(reason);
    let still = stage.text(Key::WStill, &[("reason", reason.into())]);
    lines(&mut part, &still, style, edges, Token::Soft, y);
    *y += px(6);
    part.label = texts(&part);
    part
}

/// What a change is, in words.
fn says(stage: &Stage<'_>, change: &Change) -> String {
    let text = |key: Key, name: &str, value: &str| stage.text(key, &[(name, value.into())]);
    match change {
        Change::Tolerate { key } => text(Key::WTolerate, "key", key),
        Change::Ask { resource, from, to } => {
            let args = [
                ("resource", short_resource(resource).into()),
                ("from", amount(resource, *from).into()),
                ("to", amount(resource, *to).into()),
            ];
            stage.text(Key::WAskLess, &args)
        }
        Change::AnyNode => stage.label(Key::WAnyNode),
        Change::NoHostPorts => stage.label(Key::WNoPorts),
        Change::PreferSpread { key } => text(Key::WPreferSpread, "key", key),
        Change::PreferApart { .. } => stage.label(Key::WPreferApart),
        Change::PreferNear { .. } => stage.label(Key::WPreferNear),
    }
}

/// The change as lines of the pod's text.
fn code(part: &mut Part, change: &Change, width: Px, y: &mut Px) {
    let style = TextStyle::mono(12);
    let most = width - IN - px(20);
    let lines = change.lines().into_iter().flat_map(|(is_added, text)| {
        let (sign, token) = if is_added {
            ('+', Token::Bound)
        } else {
            ('−', Token::Unsched)
        };
        let lines = measure::wrapped(&format!("{sign} {text}"), &style, most);
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
        part.add(words(from, *y, line, style, token));
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

/// Where the texts of a suggestion begin, right of its number.
const IN: Px = px(32);
