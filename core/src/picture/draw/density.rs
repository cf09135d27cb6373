//! The density picture, for more nodes than threads can be told apart: every node a cell, sorted from full to free, zone by
//! zone, with the pods that wait by the rule that says no.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, Size, px};
use crate::picture::scene::{Form, Mark, Panel, Part, Role, Shape, TextStyle};
use crate::picture::sentences::{Arg, Key, cpu, grouped, milli_cpu};

use super::berths::asked_for;
use super::brush::{fitted, heading, words};
use super::stage::Stage;
use super::story::Figure;
use super::waiting::waiting;

/// A node's free and whole CPU, in milli-cores.
#[derive(Clone, Copy, Debug)]
struct Free {
    milli: i64,
    step: u8,
}

/// Draws the picture into a frame.
#[inline(never)]
pub(in crate::picture) fn density(stage: &Stage<'_>, frame: Rect) -> Figure {
    let mut panel = Panel::at(frame);
    let is_wide = stage.form == Form::Wide;
    let left = if is_wide { px(336) } else { stage.margin() };
    let right = frame.w - stage.margin();
    let steps = steps(stage);
    if is_wide {
        panel.parts.push(heading(
            "waiting",
            stage.label(Key::Waiting),
            px(40),
            px(296),
        ));
        panel
            .parts
            .extend(waiting(stage, px(40), px(296), frame.h).parts);
    }
    panel
        .parts
        .push(heading("nodes", stage.label(Key::NodesHead), left, right));
    let note = stage.label(Key::FEachCell);
    panel
        .parts
        .push(Part::new("density/note", Role::Note).with(words(
            right,
            px(22),
            note,
            TextStyle::sans(12).end(),
            Token::Soft,
        )));
    let zones = zones(stage, &steps);
    let count = i32::try_from(zones.len().max(1)).unwrap_or(1);
    let room = (frame.h - px(90)).over(count);
    let most = zones.iter().map(|(_, nodes)| nodes.len()).max();
    let most = most.unwrap_or(0);
    let pitch = pitch(most, right - left, room - px(40));
    // As many in a column in every zone, so that zones can be compared.
    let rows = most.div_ceil((right - left).fits(pitch).max(1)).max(1);
    let mut y = px(52);
    for (name, nodes) in &zones {
        let at = Point::new(left, y);
        let (parts, height) = zone(stage, name, nodes, (at, right - left), (pitch, rows));
        panel.parts.extend(parts);
        y += height + px(16);
    }
    let (legend, end) = legend(stage, &steps, (left, right), y + px(10));
    panel.parts.push(legend);
    panel.frame.h = frame.h.max(end + px(26));
    Figure {
        panel,
        flight: None,
    }
}

/// Round numbers of free CPU that part the steps, from little to much.
fn steps(stage: &Stage<'_>) -> [i64; 5] {
    let typical = stage.largest_node();
    let unit = match typical {
        ..=4_000 => 100,
        4_001..=16_000 => 500,
        16_001..=64_000 => 2_000,
        _ => 8_000,
    };
    [unit, unit * 5 / 2, unit * 5, unit * 15 / 2, unit * 20]
}

/// The nodes of each zone from full to free.
fn zones(stage: &Stage<'_>, steps: &[i64; 5]) -> Vec<(String, Vec<Free>)> {
    let mut zones: Vec<(String, Vec<Free>)> = Vec::new();
    for row in &stage.sift.rows {
        let pods = stage.by_node.get(&row.node.name);
        let (asked, _) = asked_for(pods.map_or(&[][..], Vec::as_slice));
        let milli = (row.node.allocatable.milli_cpu - asked).max(0);
        let step = steps.iter().filter(|step| milli >= **step).count();
        let free = Free {
            milli,
            step: u8::try_from(step).unwrap_or(5),
        };
        match zones.last_mut() {
            Some((zone, nodes)) if *zone == row.node.zone => nodes.push(free),
            _ => zones.push((row.node.zone.clone(), alloc::vec![free])),
        }
    }
    for (_, nodes) in &mut zones {
        order::sort_by_key(nodes, |free| free.milli);
    }
    zones
}

fn zone(
    stage: &Stage<'_>,
    name: &str,
    nodes: &[Free],
    (at, width): (Point, Px),
    (pitch, rows): (Px, usize),
) -> (Vec<Part>, Px) {
    let title = if name.is_empty() {
        stage.label(Key::NoZone)
    } else {
        name.to_string()
    };
    let style = TextStyle::sans(14).bold();
    let free: i64 = nodes
        .iter()
        .map(|free| free.milli)
        .fold(0, i64::saturating_add);
    let args = [
        ("n", Arg::Number(i64::try_from(nodes.len()).unwrap_or(0))),
        ("cpu", cpu(free / 1000 * 1000).into()),
    ];
    let says = stage.text(Key::FZone, &args);
    let after = at.x + measure::width(&title, &style) + px(10);
    let head = Part::new(format!("zone/{name}"), Role::Zone)
        .labelled(format!("{title}: {says}"))
        .with(words(
            at.x,
            at.y + px(12),
            title.as_str(),
            style,
            Token::Ink,
        ))
        .with(fitted(
            after,
            at.y + px(12),
            &says,
            TextStyle::sans(12),
            at.x + width - after,
            Token::Soft,
        ));
    let gap = gap(pitch);
    let cell = Size {
        w: pitch - gap,
        h: pitch - gap,
    };
    let top = at.y + px(24);
    let mark = Mark {
        shape: Shape::Cells {
            at: Point::new(at.x, top),
            pitch,
            cell,
            rows,
            steps: nodes.iter().map(|free| free.step).collect(),
        },
        fill: None,
        stroke: None,
        opacity: 100,
    };
    let cells = Part::new(format!("cells/{name}"), Role::Berth)
        .labelled(says)
        .with(mark);
    let mut parts = alloc::vec![head, cells];
    parts.extend(contours(name, nodes, Point::new(at.x, top), pitch, rows));
    (parts, px(24) + pitch.each(rows.min(nodes.len().max(1))))
}

/// How far apart cells stand so that the largest zone fits into its room: as far as they can, from 3 to 18 px.
fn pitch(cells: usize, width: Px, height: Px) -> Px {
    let mut pitch = px(18);
    while pitch > px(3) && width.fits(pitch) * height.fits(pitch) < cells {
        pitch -= Px(5);
    }
    pitch
}

/// What is free between two cells.
fn gap(pitch: Px) -> Px {
    if pitch >= px(6) {
        pitch.over(9).max(Px(12))
    } else {
        Px(5)
    }
}

/// Lines between cells of different steps: where free CPU passes a round number.
fn contours(name: &str, nodes: &[Free], at: Point, pitch: Px, rows: usize) -> Option<Part> {
    use crate::picture::scene::Segment;
    let mut part = Part::new(format!("contours/{name}"), Role::Note);
    for (place, pair) in nodes.windows(2).enumerate() {
        let [one, two] = pair else {
            continue;
        };
        if one.step == two.step {
            continue;
        }
        let next = place + 1;
        let (column, row) = (next / rows, next % rows);
        let half = gap(pitch).half();
        let x = at.x + pitch.each(column) - half;
        let (top, bottom) = (at.y - px(3), at.y + pitch.each(rows) + px(1));
        let y = at.y + pitch.each(row) - half;
        let p = Point::new;
        let mut segments = Vec::new();
        if row == 0 {
            segments.push(Segment::Move(p(x, top)));
            segments.push(Segment::Line(p(x, bottom)));
        } else {
            segments.push(Segment::Move(p(x + pitch, top)));
            segments.push(Segment::Line(p(x + pitch, y)));
            segments.push(Segment::Line(p(x, y)));
            segments.push(Segment::Line(p(x, bottom)));
        }
        part.add(Mark::path(segments).edged(Token::Ink, Px(13)));
    }
    (!part.marks.is_empty()).then_some(part)
}

/// What the steps mean, with how many nodes are on each, and the baseline of its last line.
fn legend(stage: &Stage<'_>, steps: &[i64; 5], (from, to): (Px, Px), mut y: Px) -> (Part, Px) {
    let style = TextStyle::sans(12);
    let mut part = Part::new("density/legend", Role::Legend);
    let title = stage.label(Key::FLegend);
    part.add(words(from, y, title.as_str(), style.bold(), Token::Ink));
    let mut x = from + measure::width(&title, &style.bold()) + px(16);
    let mut counts = [0_usize; 6];
    for (_, nodes) in zones(stage, steps) {
        for free in nodes {
            if let Some(count) = counts.get_mut(usize::from(free.step)) {
                *count += 1;
            }
        }
    }
    let names = steps
        .iter()
        .enumerate()
        .map(|(place, step)| {
            let before = place.checked_sub(1).and_then(|before| steps.get(before));
            let high = Arg::from(milli_cpu(*step));
            match before {
                None => stage.text(Key::FUnder, &[("a", high)]),
                Some(low) => {
                    stage.text(Key::FFromTo, &[("a", milli_cpu(*low).into()), ("b", high)])
                }
            }
        })
        .chain(
            steps
                .last()
                .map(|last| stage.text(Key::FOver, &[("a", milli_cpu(*last).into())])),
        );
    for (place, name) in names.enumerate() {
        let Some(count) = counts.get(place).copied().filter(|count| *count > 0) else {
            continue;
        };
        let says = format!("{name}: {}", grouped(count));
        let width = measure::width(&says, &style) + px(16);
        if x + width > to {
            x = from;
            y += px(20);
        }
        let at = Rect::new(x, y - px(9), px(10), px(10));
        let token = Token::Fleet(u8::try_from(place).unwrap_or(5));
        part.add(
            Mark::rect(at, Px::ZERO)
                .filled(token)
                .edged(Token::Soft, Px(6)),
        );
        part.add(words(x + px(16), y, says, style, Token::Ink));
        x += width + px(16);
    }
    (part, y)
}
