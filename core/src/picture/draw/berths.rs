//! Nodes as open bars with the pods on them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::order::SortedMap;
use crate::picture::measure;
use crate::picture::palette::{Hatched, Token};
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Badge, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, cpu, gib, node_link};
use crate::picture::timeline::{NodeFacts, PodNow, Standing};

use super::brush::{fitted, level, upright, words};
use super::pod::{block, body, colors, outline, wedge};
use super::rows::Rows;
use super::stage::Stage;

/// How a berth is drawn.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct BerthStyle {
    /// The height of the bar.
    pub(in crate::picture) height: Px,
    /// The width of a CPU.
    pub(in crate::picture) scale: Px,
    /// Whether a line shows the memory.
    pub(in crate::picture) has_memory: bool,
}

impl BerthStyle {
    /// The largest scale, up to `most` a CPU, at which the largest node fits into a width.
    #[must_use]
    pub(in crate::picture) fn new(stage: &Stage<'_>, width: Px, most: Px, height: Px) -> Self {
        let scale = width.share(1000, stage.largest_node()).min(most);
        Self {
            height,
            scale: scale.max(Px(10)),
            has_memory: true,
        }
    }

    /// The width of an amount of CPU.
    #[must_use]
    pub(in crate::picture) fn width(&self, milli_cpu: i64) -> Px {
        self.scale.share(milli_cpu, 1000)
    }
}

/// A berth in place: its bar, and where the next pod would go.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Berth {
    /// The bar.
    pub(in crate::picture) bar: Rect,
    /// Where its pods end.
    pub(in crate::picture) filled_to: Px,
}

/// The bar of a node with its pods: one part for the node, one for each pod.
pub(in crate::picture) fn berth(
    stage: &Stage<'_>,
    node: &NodeFacts,
    at: Point,
    style: BerthStyle,
) -> (Berth, Vec<Part>) {
    let width = style.width(node.allocatable.milli_cpu).max(px(12));
    let bar = Rect::new(at.x, at.y - style.height.half(), width, style.height);
    let is_chosen = stage.chosen() == Some(&node.name);
    let pods = stage.by_node.get(&node.name).map_or(&[][..], Vec::as_slice);
    let mut part = Part::new(format!("berth/{}", node.name), Role::Berth)
        .link(node_link(&node.name))
        .labelled(read_out(stage, node, pods));
    if is_chosen {
        part.links.push("win".to_string());
    }
    let frame = Mark::rect(bar, px(3)).filled(Token::Sheet);
    part.add(if is_chosen {
        frame.edged(Token::Bound, px(2))
    } else {
        frame.edged(Token::Line, px(1))
    });
    if style.has_memory {
        let y = bar.bottom() + Px(35);
        let used = sum(pods.iter().map(|pod| pod.memory()));
        let share = bar
            .w
            .share(used.max(0), node.allocatable.memory.max(1))
            .min(bar.w);
        part.add(level(bar.x, bar.right(), y).edged(Token::Line, px(2)));
        part.add(level(bar.x, bar.x + share, y).edged(Token::Soft, px(2)));
    }
    let mut parts = alloc::vec![part];
    let filled_to = place_pods(stage, pods, bar, style, &mut parts);
    (Berth { bar, filled_to }, parts)
}

/// Puts pods into a bar side by side, those that ask for nothing as wedges behind them; returns where they end.
fn place_pods(
    stage: &Stage<'_>,
    pods: &[Arc<PodNow>],
    bar: Rect,
    style: BerthStyle,
    parts: &mut Vec<Part>,
) -> Px {
    let asked: Px = pods.iter().map(|pod| style.width(pod.milli_cpu())).sum();
    // A node can be asked for more than it has; its pods are then drawn narrower together.
    let squeeze = |width: Px| {
        if asked > bar.w {
            width.share(i64::from(bar.w.0), i64::from(asked.0.max(1)))
        } else {
            width
        }
    };
    let mut x = bar.x + Px(5);
    let inner = Rect::new(x, bar.y + px(2), Px::ZERO, bar.h - px(4));
    let mut wedges: Vec<&Arc<PodNow>> = Vec::new();
    for group in groups(pods, style) {
        let Some(first) = group.first() else {
            continue;
        };
        if first.milli_cpu() == 0 {
            wedges.extend(group);
            continue;
        }
        let width: Px = group
            .iter()
            .map(|pod| squeeze(style.width(pod.milli_cpu())))
            .sum();
        let at = Rect::new(x, inner.y, (width - px(1)).max(Px(15)), inner.h);
        parts.push(pod_part(stage, group, at));
        x += width;
    }
    place_wedges(stage, &wedges, x, bar, parts);
    x
}

/// Pods that are drawn as one block: neighbours of one workload that would be too narrow alone.
fn groups(pods: &[Arc<PodNow>], style: BerthStyle) -> Vec<&[Arc<PodNow>]> {
    let is_narrow = |pod: &PodNow| {
        pod.milli_cpu() > 0 && style.width(pod.milli_cpu()) < Px(25) && pod.leaving.is_none()
    };
    pods.chunk_by(|one, two| {
        is_narrow(one)
            && is_narrow(two)
            && one.facts.workload.key == two.facts.workload.key
            && standing(one) == standing(two)
    })
    .collect()
}

fn standing(pod: &PodNow) -> Option<&Standing> {
    pod.on.as_ref().map(|(_, standing)| standing)
}

fn pod_part(stage: &Stage<'_>, group: &[Arc<PodNow>], at: Rect) -> Part {
    let Some(pod) = group.first() else {
        return Part::new("pod/", Role::Pod);
    };
    let badge = stage.badge(&pod.facts);
    let mut part = Part::new(format!("pod/{}", pod.reference().uid), Role::Pod)
        .link(format!("pod/{}", pod.reference().uid))
        .labelled(pod_label(group));
    match (&pod.on, pod.leaving) {
        (_, Some(leaving)) => {
            let edge = if leaving.is_victim {
                Token::Preempt
            } else {
                colors(badge.hue).1
            };
            part.add(
                Mark::rect(at, px(3))
                    .filled(Token::Hatch(Hatched::Preempt))
                    .edged(edge, Px(16))
                    .dashed(4, 3),
            );
            if super::pod::holds_code(&badge, at) {
                let back = Rect::around(at.center(), px(18), px(14));
                part.add(Mark::rect(back, px(2)).filled(Token::Sheet));
                part.add(super::pod::code(&badge, at));
            }
            // Right of the code, and only where it keeps clear of it.
            if at.w >= px(72) {
                part.marks.extend(grace_ring(stage, leaving, at));
            }
        }
        (Some((_, Standing::Reserved | Standing::Waiting(_))), None) => {
            part.add(outline(&badge, at, (3, 2)));
            if super::pod::holds_code(&badge, at) {
                part.add(super::pod::code(&badge, at).filled(Token::Soft));
            }
        }
        _ if group.len() > 1 => part.marks.extend(body(&badge, at)),
        _ => part.marks.extend(block(&badge, at)),
    }
    part
}

/// The ring that shows how much of the grace period is left.
#[inline(never)]
fn grace_ring(
    stage: &Stage<'_>,
    leaving: crate::picture::timeline::Leaving,
    at: Rect,
) -> Vec<Mark> {
    let gone = stage.still.at.since(leaving.since).as_micros().max(0);
    let whole = leaving.grace.as_micros().max(1);
    let share = u16::try_from((whole - gone).max(0) * 1000 / whole).unwrap_or(1000);
    let center = Point::new(at.right() - px(14), at.center().y);
    let radius = Px(85).min(at.h.half() - px(3));
    alloc::vec![
        Mark::circle(center, radius + px(3)).filled(Token::Sheet),
        Mark::circle(center, radius).edged(Token::Line, px(3)),
        Mark::ring(center, radius, share).edged(Token::Preempt, px(3)),
    ]
}

fn place_wedges(
    stage: &Stage<'_>,
    wedges: &[&Arc<PodNow>],
    from: Px,
    bar: Rect,
    parts: &mut Vec<Part>,
) {
    let foot = bar.bottom() - px(2);
    let room = (bar.right() - px(2) - from - px(1)).fits(px(6)).max(1);
    let pitch = if wedges.len() > room {
        (bar.right() - px(7) - from)
            .max(Px::ZERO)
            .over(i32::try_from(wedges.len()).unwrap_or(1))
    } else {
        px(6)
    };
    for (place, pod) in wedges.iter().enumerate() {
        let badge = stage.badge(&pod.facts);
        let at = Point::new(from + px(1) + pitch.each(place), foot);
        parts.push(
            Part::new(format!("pod/{}", pod.reference().uid), Role::Pod)
                .link(format!("pod/{}", pod.reference().uid))
                .labelled(pod_label(core::slice::from_ref(pod)))
                .with(wedge(&badge, at)),
        );
    }
}

fn pod_label(group: &[Arc<PodNow>]) -> String {
    match group {
        [one] => one.reference().to_string(),
        [first, ..] => format!("{} × {}", first.facts.workload.name, group.len()),
        [] => String::new(),
    }
}

/// CPU, memory and pods asked for on a node.
#[must_use]
pub(in crate::picture) fn asked_for(pods: &[Arc<PodNow>]) -> (i64, i64) {
    (
        sum(pods.iter().map(|pod| pod.milli_cpu())),
        sum(pods.iter().map(|pod| pod.memory())),
    )
}

/// Amounts of several, at most `i64::MAX`: requests may be absurd.
fn sum(amounts: impl Iterator<Item = i64>) -> i64 {
    amounts.fold(0, i64::saturating_add)
}

/// `1.85 of 3.92 cpu · 3.6 of 14 Gi`, in the form of a template.
#[must_use]
pub(in crate::picture) fn room(stage: &Stage<'_>, node: &NodeFacts, key: Key) -> String {
    let pods = stage.by_node.get(&node.name).map_or(&[][..], Vec::as_slice);
    let (milli, bytes) = asked_for(pods);
    stage.text(
        key,
        &[
            ("cpu", cpu(milli).into()),
            ("cpus", cpu(node.allocatable.milli_cpu).into()),
            ("mem", gib(bytes).into()),
            ("mems", gib(node.allocatable.memory).into()),
            ("pods", Arg::Number(i64::try_from(pods.len()).unwrap_or(0))),
            ("most", Arg::Number(node.allocatable.allowed_pods)),
        ],
    )
}

/// What is read out for a node: its name, its room, its verdict, its pods.
fn read_out(stage: &Stage<'_>, node: &NodeFacts, pods: &[Arc<PodNow>]) -> String {
    let mut says = format!("{}: {}", node.name, room(stage, node, Key::NodeRoom));
    if let Some(row) = stage.row(&node.name) {
        let reason = stage.voice.detail(row);
        if !reason.is_empty() {
            says.push_str("; ");
            says.push_str(&reason);
        }
    }
    let mut counts: SortedMap<&str, usize> = SortedMap::new();
    for pod in pods {
        *counts.entry(pod.facts.workload.name.as_str()).or_default() += 1;
    }
    for (name, count) in counts {
        says.push_str(&format!("; {name} × {count}"));
    }
    says
}

/// The names and rooms of nodes beside or above their berths.
#[inline(never)]
pub(in crate::picture) fn node_title(
    stage: &Stage<'_>,
    node: &NodeFacts,
    at: Point,
    right: Px,
    key: Key,
) -> Part {
    let is_chosen = stage.chosen() == Some(&node.name);
    let style = TextStyle::mono(12).bold_if(is_chosen);
    let facts = room(stage, node, key);
    let facts_width = measure::width(&facts, &TextStyle::sans(12));
    let name = stage.node_label(&node.name, &style, right - at.x);
    let name_width = measure::width(&name, &style);
    let mut part = Part::new(format!("node/{}", node.name), Role::Note).link(node_link(&node.name));
    let gap = px(12);
    if at.x + name_width + gap + facts_width <= right {
        part.add(words(at.x, at.y, name, style, Token::Ink));
        let x = at.x + name_width + gap;
        part.add(words(x, at.y, facts, TextStyle::sans(12), Token::Soft));
        return part;
    }
    let short = room(stage, node, Key::NodeCpu);
    let short_width = measure::width(&short, &TextStyle::sans(12));
    let name_room = right - at.x - gap - short_width;
    if name_room >= px(70) {
        let name = stage.node_label(&node.name, &style, name_room);
        let x = at.x + measure::width(&name, &style) + gap;
        part.add(words(at.x, at.y, name, style, Token::Ink));
        part.add(words(x, at.y, short, TextStyle::sans(12), Token::Soft));
    } else {
        part.add(fitted(at.x, at.y, &name, style, right - at.x, Token::Ink));
    }
    part
}

/// Brackets that hold the nodes of a zone together, at the right.
pub(in crate::picture) fn zones(stage: &Stage<'_>, rows: &Rows, x: Px, reach: Px) -> Vec<Part> {
    let mut parts = Vec::new();
    let nodes = &stage.sift.rows;
    let mut from = 0;
    while let Some(first) = nodes.get(from) {
        let zone = &first.node.zone;
        let count = nodes
            .iter()
            .skip(from)
            .take_while(|row| row.node.zone == *zone)
            .count();
        let to = from + count - 1;
        if !zone.is_empty() {
            let (top, bottom) = (rows.y(from) - reach, rows.y(to) + px(17));
            let style = TextStyle::sans(12).middle().turned(-90);
            let mut name = zone.clone();
            if measure::width(&name, &style) > bottom - top {
                name = stage.voice.short_zone(zone).to_string();
            }
            let middle = top + (bottom - top).half();
            parts.push(
                Part::new(format!("zone/{zone}"), Role::Zone)
                    .with(upright(x, top, bottom).edged(Token::Line, px(2)))
                    .with(words(x + px(16), middle, name, style, Token::Soft)),
            );
        }
        from = to + 1;
    }
    parts
}

/// The dashed place on the chosen node where the pod will be, before it is counted there.
pub(in crate::picture) fn landing(badge: &Badge, berth: &Berth, width: Px) -> (Mark, Px) {
    // Pods are drawn no narrower than their codes, so that less may be left of a full node than is free.
    let x = berth.filled_to.min(berth.bar.right() - px(6));
    let width = (width - px(1))
        .min(berth.bar.right() - px(1) - x)
        .max(px(5));
    let at = Rect::new(x, berth.bar.y + px(2), width, berth.bar.h - px(4));
    (outline(badge, at, (3, 2)), at.right())
}
