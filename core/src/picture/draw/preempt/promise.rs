//! The nodes as they are, and what is promised of the chosen one.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, node_link, seconds};

use super::super::berths::{Berth, BerthStyle, berth, room};
use super::super::brush::{fitted, words};
use super::super::pod::{colors, outline};
use super::super::stage::Stage;
use super::Node;
use super::columns::Columns;

/// The node as it is, with its victims hatched, and the promise below the chosen one.
pub(super) fn berth_of(stage: &Stage<'_>, columns: &Columns, node: &Node<'_>) -> Vec<Part> {
    let Some(facts) = stage.still.node(&node.run.node).cloned() else {
        return Vec::new();
    };
    let (from, to) = columns.nodes;
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(stage, to - from - px(88), px(92), px(32))
    };
    let (drawn, mut parts) = berth(stage, &facts, Point::new(from, node.y), style);
    let frame = parts.first_mut().and_then(|part| part.marks.first_mut());
    if let (true, Some(mark)) = (node.is_chosen, frame) {
        *mark = mark.clone().edged(Token::Preempt, px(2));
    }
    let name_style = TextStyle::mono(12).bold_if(node.is_chosen);
    let name = stage.node_label(&node.run.node, &name_style, px(150));
    let after = from + measure::width(&name, &name_style) + px(12);
    let mut title = Part::new(format!("node/{}", node.run.node), Role::Note)
        .link(node_link(&node.run.node))
        .with(words(from, node.y - px(24), name, name_style, Token::Ink));
    let says = room(stage, &facts, Key::NodeCpu);
    title.add(fitted(
        after,
        node.y - px(24),
        &says,
        TextStyle::sans(12),
        to - after,
        Token::Soft,
    ));
    parts.push(title);
    if node.is_chosen {
        parts.extend(grace(stage, node, &drawn, to));
        parts.extend(promise(stage, node, &drawn, to));
    }
    parts
}

/// How long the victims may still take.
fn grace(stage: &Stage<'_>, node: &Node<'_>, drawn: &Berth, to: Px) -> Option<Part> {
    let victim = node.run.victims.first()?;
    let leaving = stage.still.pod(&victim.uid)?.leaving?;
    let gone = stage.still.at.since(leaving.since);
    let left = leaving.grace - gone;
    let args = [
        ("t", Arg::from(seconds(left))),
        ("grace", seconds(leaving.grace).into()),
    ];
    let says = stage.text(Key::GraceLeft, &args);
    let x = drawn.bar.right() + px(12);
    let style = TextStyle::sans(12);
    let mut part = Part::new("grace", Role::Note).link("victims");
    for (place, line) in measure::wrapped(&says, &style, to - x)
        .into_iter()
        .take(3)
        .enumerate()
    {
        let style = style.bold_if(place == 0);
        let token = if place == 0 {
            Token::Preempt
        } else {
            Token::Soft
        };
        part.add(words(
            x,
            node.y - px(4) + px(16).each(place),
            line,
            style,
            token,
        ));
    }
    Some(part)
}

/// The place that is promised: an outline of the pod below its victims.
fn promise(stage: &Stage<'_>, node: &Node<'_>, drawn: &Berth, to: Px) -> Vec<Part> {
    let Some(facts) = stage.subject_facts() else {
        return Vec::new();
    };
    let badge = stage.badge(&facts);
    let bar = drawn.bar;
    let all = stage
        .still
        .node(&node.run.node)
        .map_or(1, |node| node.allocatable.milli_cpu.max(1));
    let asked = facts.info.requests.milli_cpu;
    let w = bar.w.share(asked.clamp(0, all), all).max(px(30));
    let x = bar.right() - px(2) - w;
    let slot = Rect::new(x, bar.bottom() + px(18), w, px(24));
    let edge = colors(badge.hue).1;
    let corner = |x: Px, y: Px| Point::new(x, bar.bottom() + y);
    let mut part = Part::new("slot", Role::Berth)
        .link(node_link(&node.run.node))
        .with(
            Mark::path(alloc::vec![
                Segment::Move(corner(x, px(6))),
                Segment::Line(corner(x, px(11))),
                Segment::Line(corner(x + w, px(11))),
                Segment::Line(corner(x + w, px(6))),
            ])
            .edged(edge, Px(15)),
        )
        .with(outline(&badge, slot, (3, 2)));
    let style = TextStyle::sans(12).bold().middle();
    let name = facts.short_name();
    let shown = if measure::width(&name, &style) <= w - px(6) {
        name
    } else {
        badge.code.clone()
    };
    let center = slot.center();
    part.add(words(center.x, center.y + px(4), shown, style, Token::Ink));
    let args = [("node", stage.node_name(&node.run.node).into())];
    let says = stage.text(Key::PNominated, &args);
    let bold = TextStyle::sans(12).bold();
    let left = bar.x;
    let y = bar.bottom() + px(26);
    let mut note = Part::new("promise", Role::Note).link(node_link(&node.run.node));
    let most = (x - px(10) - left).max(px(60));
    let is_beside = measure::width(&says, &bold) <= most;
    let (at, most) = if is_beside {
        (Point::new(left, y), most)
    } else {
        (Point::new(left, y + px(34)), to - left)
    };
    note.add(fitted(at.x, at.y, &says, bold, most, Token::Ink));
    let soft = stage.label(Key::PPromiseNotBind);
    note.add(fitted(
        at.x,
        at.y + px(16),
        &soft,
        TextStyle::sans(12),
        most,
        Token::Soft,
    ));
    alloc::vec![part, note]
}

/// What is not drawn, and what the signs mean.
pub(super) fn more(stage: &Stage<'_>, columns: &Columns, left_out: usize, y: Px) -> Vec<Part> {
    let style = TextStyle::sans(12);
    let mut part = Part::new("preempt/legend", Role::Legend).with(fitted(
        columns.nodes.0,
        y,
        &stage.label(Key::PDashed),
        style,
        columns.nodes.1 - columns.nodes.0,
        Token::Soft,
    ));
    if left_out > 0 {
        let says = stage.text(Key::PMoreTried, &[("n", Arg::Count(left_out))]);
        part.add(words(columns.paper.0, y, says, style, Token::Soft));
    }
    alloc::vec![part]
}
