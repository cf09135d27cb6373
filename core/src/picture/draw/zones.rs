//! The nodes of a folded figure: a column a zone; single nodes as berths, groups as gauges.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, amount, node_link, shortage};
use crate::picture::verdicts::Row;

use super::berths::{Berth, BerthStyle, asked_for, berth};
use super::brush::{fitted, level, upright, words};
use super::groups::{Group, Kind, Placed};
use super::stage::Stage;

/// The columns of zones.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Zones {
    /// The zones in order; empty when there are too many for columns, or only one.
    names: Vec<String>,
    from: Px,
    to: Px,
    pitch: Px,
    /// The width of a CPU in the berths of single nodes.
    pub(in crate::picture) scale: Px,
}

impl Zones {
    /// Columns between two edges.
    #[must_use]
    pub(in crate::picture) fn new(stage: &Stage<'_>, (from, to): (Px, Px)) -> Self {
        let mut names = stage.still.zones();
        let is_narrow = (to - from).fits(NARROWEST_COLUMN) < names.len();
        if names.len() > MOST_COLUMNS || names.len() < 2 || is_narrow {
            names.clear();
        }
        let count = i32::try_from(names.len().max(1)).unwrap_or(1);
        let pitch = (to - from).over(count);
        let width = if names.is_empty() {
            (to - from).share(55, 100)
        } else {
            pitch - px(14)
        };
        let scale = width.share(1000, stage.largest_node()).min(px(28));
        Self {
            names,
            from,
            to,
            pitch,
            scale: scale.max(Px(5)),
        }
    }

    fn column(&self, zone: &str) -> Px {
        let place = self.names.iter().position(|name| name == zone).unwrap_or(0);
        self.from + self.pitch.each(place)
    }

    /// Whether each zone has a column.
    #[must_use]
    pub(in crate::picture) fn has_columns(&self) -> bool {
        !self.names.is_empty()
    }

    fn width(&self) -> Px {
        if self.names.is_empty() {
            self.to - self.from
        } else {
            self.pitch - px(14)
        }
    }
}

/// Heads of the columns and the lines between them.
pub(in crate::picture) fn zone_heads(stage: &Stage<'_>, zones: &Zones, bottom: Px) -> Vec<Part> {
    let subject = stage.subject_facts();
    let mut parts = Vec::new();
    for (place, zone) in zones.names.iter().enumerate() {
        let x = zones.from + zones.pitch.each(place);
        let nodes = stage.still.nodes().filter(|node| node.zone == *zone);
        let number = nodes.count();
        let n = Arg::Number(i64::try_from(number).unwrap_or(0));
        let name = if zone.is_empty() {
            stage.label(Key::NoZone)
        } else {
            stage.voice.zone(zone)
        };
        let style = TextStyle::sans(14).bold();
        let mut part = Part::new(format!("zone/{zone}"), Role::Zone).with(words(
            x,
            px(58),
            name.as_str(),
            style,
            Token::Ink,
        ));
        let after = x + measure::width(&name, &style) + px(6);
        let mut count = stage.text(Key::ZoneNodes, &[("n", n)]);
        let soft = TextStyle::sans(12);
        let room = x + zones.pitch - px(8) - after;
        if measure::width(&count, &soft) > room {
            count = number.to_string();
        }
        if measure::width(&count, &soft) <= room {
            part.add(words(after, px(58), count, soft, Token::Soft));
        }
        if let Some(facts) = &subject {
            let pods = stage.still.pods().filter(|pod| {
                let on = pod.on.as_ref().and_then(|(node, _)| stage.still.node(node));
                pod.facts.workload.key == facts.workload.key
                    && on.is_some_and(|node| node.zone == *zone)
            });
            let args = [
                ("n", Arg::Number(i64::try_from(pods.count()).unwrap_or(0))),
                ("name", facts.workload.name.as_str().into()),
            ];
            let says = stage.text(Key::ZonePods, &args);
            part.add(fitted(
                x,
                px(76),
                &says,
                soft,
                zones.pitch - px(10),
                Token::Soft,
            ));
        }
        if place > 0 {
            part.add(upright(x - Px(75), px(44), bottom).edged(Token::Hair, px(1)));
        }
        parts.push(part);
    }
    parts
}

/// What stands in the columns for a row: the berth of a single node with its name, or gauges.
pub(in crate::picture) fn place_row(
    stage: &Stage<'_>,
    zones: &Zones,
    row: &Placed<'_>,
) -> Vec<(Part, Option<Berth>)> {
    if let (true, Some(node)) = (row.group.is_single(), row.group.rows.first()) {
        return single(stage, zones, node, row.y, row.group.kind == Kind::Chosen);
    }
    alloc::vec![(gauges(stage, zones, row), None)]
}

fn single(
    stage: &Stage<'_>,
    zones: &Zones,
    row: &Row,
    y: Px,
    is_chosen: bool,
) -> Vec<(Part, Option<Berth>)> {
    let x = zones.column(&row.node.zone);
    let style = BerthStyle {
        height: px(18),
        scale: zones.scale,
        has_memory: false,
    };
    let (berth, drawn) = berth(stage, &row.node, Point::new(x, y), style);
    let mut parts: Vec<(Part, Option<Berth>)> = drawn
        .into_iter()
        .enumerate()
        .map(|(place, part)| (part, (place == 0).then_some(berth)))
        .collect();
    let name_style = TextStyle::mono(12).bold_if(is_chosen);
    let right = berth.bar.right() + px(14);
    let next = if zones.names.is_empty() {
        right
    } else {
        (x + zones.pitch).max(right)
    };
    let mut part =
        Part::new(format!("node/{}", row.node.name), Role::Note).link(node_link(&row.node.name));
    let room = zones.to - next;
    let name = stage.node_label(&row.node.name, &name_style, room.max(zones.pitch - px(10)));
    if measure::width(&name, &name_style) <= room {
        part.add(words(next, y + px(4), name, name_style, Token::Ink));
    } else {
        let x = x - px(14);
        let mark = words(x, y + px(4), name, name_style.end(), Token::Ink);
        if is_chosen {
            // The way of the pod passes behind it.
            part.add(Mark::rect(mark.bounds().grown(px(3)), px(3)).filled(Token::Paper));
        }
        part.add(mark);
    }
    parts.push((part, None));
    parts
}

/// A bar a node, filled as far as its CPU is asked for, fullest last.
fn gauges(stage: &Stage<'_>, zones: &Zones, row: &Placed<'_>) -> Part {
    let mut part = Part::new(format!("gauges/{}", row.group.id), Role::Berth)
        .labelled(row.group.title.clone());
    let mut names = zones.names.clone();
    if names.is_empty() {
        names.push(String::new());
    }
    for (place, zone) in names.iter().enumerate() {
        let x = zones.from + zones.pitch.each(place);
        let rows = row.group.rows.iter();
        let rows: Vec<&Row> = rows
            .filter(|row| zones.names.is_empty() || row.node.zone == *zone)
            .copied()
            .collect();
        gauges_in(stage, &rows, Point::new(x, row.y), zones.width(), &mut part);
    }
    part
}

/// Gauges of some nodes around a middle, emptiest first.
pub(in crate::picture) fn gauges_in(
    stage: &Stage<'_>,
    rows: &[&Row],
    at: Point,
    width: Px,
    part: &mut Part,
) {
    let mut shares: Vec<(i64, i64)> = rows
        .iter()
        .map(|row| {
            let pods = stage.by_node.get(&row.node.name);
            let (cpu, _) = asked_for(pods.map_or(&[][..], Vec::as_slice));
            let all = row.node.allocatable.milli_cpu.max(1);
            (cpu.saturating_mul(1000) / all, all)
        })
        .collect();
    shares.sort_unstable();
    gauge_rows(&shares, at, width, part);
}

/// From one gauge to the next, by the node's milli-cores.
fn advance(all: i64) -> Px {
    if all >= 5000 { Px(122) } else { Px(64) }
}

/// In how many rows the gauges of some nodes stand.
pub(in crate::picture) fn gauge_row_count(rows: &[&Row], width: Px) -> usize {
    let all = rows.iter().map(|row| row.node.allocatable.milli_cpu);
    let total: Px = all.map(advance).sum();
    (total.fits(width.max(px(20))) + 1).min(MOST_GAUGE_ROWS)
}

/// Gauges in as many rows as they need, at most two, around a middle.
fn gauge_rows(shares: &[(i64, i64)], at: Point, width: Px, part: &mut Part) {
    let total: Px = shares.iter().map(|(_, all)| advance(*all)).sum();
    let rows = total.fits(width.max(px(20))) + 1;
    let squeeze = rows > MOST_GAUGE_ROWS;
    let rows = rows.min(MOST_GAUGE_ROWS);
    let line = px(18);
    let top = at.y - line.each(rows).half() + Px(15);
    let (mut x, mut row) = (at.x, 0_usize);
    // More than fit are drawn closer together.
    let pace = |step: Px| {
        if squeeze {
            step.share(
                i64::from(width.each(MOST_GAUGE_ROWS).0),
                i64::from((total + px(40)).0.max(1)),
            )
        } else {
            step
        }
    };
    for (share, all) in shares {
        let step = pace(advance(*all));
        if x + step > at.x + width && row + 1 < rows {
            x = at.x;
            row += 1;
        }
        let w = if squeeze {
            (step - Px(4)).max(Px(6))
        } else {
            step - Px(18)
        };
        let y = top + line.each(row);
        let filled = px(15).share((*share).clamp(0, 1000), 1000);
        let frame = Rect::new(x, y, w, px(15));
        part.add(
            Mark::rect(frame, Px::ZERO)
                .filled(Token::Sheet)
                .edged(Token::Soft, Px(6)),
        );
        let fill = Rect::new(x, y + px(15) - filled, w, filled);
        part.add(Mark::rect(fill, Px::ZERO).filled(Token::Soft).faded(62));
        x += step;
    }
}

/// The nodes of an opened group: nearest miss first, three of them, then how many more.
pub(in crate::picture) fn opened(
    stage: &Stage<'_>,
    zones: &Zones,
    row: &Placed<'_>,
    x: Px,
    nodes_from: Px,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let style = BerthStyle {
        height: px(16),
        scale: zones.scale,
        has_memory: false,
    };
    let count = row.group.rows.len();
    let bottom = row.below + px(22).each(row.shown) - px(6);
    parts.push(
        Part::new(format!("open/{}", row.group.id), Role::Note)
            .with(upright(x - px(9), row.below - px(12), bottom).edged(Token::Line, px(1))),
    );
    for (place, node) in row.group.rows.iter().take(row.shown).enumerate() {
        let y = row.below + px(22).each(place) + px(6);
        let mono = TextStyle::mono(12);
        let name = stage.node_label(&node.node.name, &mono, px(96));
        let mut part = Part::new(format!("node/{}", node.node.name), Role::Note)
            .link(node_link(&node.node.name))
            .with(words(x, y + px(4), name.as_str(), mono, Token::Ink));
        let says = x + measure::width(&name, &mono) + px(12);
        let end = miss(stage, node, says, y + px(4), nodes_from - px(40), &mut part);
        if end + px(16) < nodes_from {
            part.add(
                level(end + px(10), zones.column(&node.node.zone) - px(6), y)
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
        }
        parts.push(part);
        let at = Point::new(zones.column(&node.node.zone), y);
        parts.extend(berth(stage, &node.node, at, style).1);
    }
    if count > row.shown {
        let y = row.below + px(22).each(row.shown) + px(10);
        let at = Point::new(x, y);
        let most = nodes_from - x - px(10);
        parts.push(more(stage, &row.group, row.shown, at, most));
    }
    parts
}

/// How many nodes of an opened group are not shown; choosing it shows them.
#[inline(never)]
pub(in crate::picture) fn more(
    stage: &Stage<'_>,
    group: &Group<'_>,
    shown: usize,
    at: Point,
    most: Px,
) -> Part {
    let first = group.rows.first();
    let has_numbers = first.is_some_and(|row| row.verdict.reason().and_then(shortage).is_some());
    let n = i64::try_from(group.rows.len() - shown).unwrap_or(0);
    let args = [("n", Arg::Number(n))];
    let style = TextStyle::sans(12).underlined();
    let sorted = has_numbers.then(|| stage.text(Key::MoreSorted, &args));
    let sorted = sorted.filter(|says| measure::width(says, &style) <= most);
    let says = sorted.unwrap_or_else(|| stage.text(Key::MoreInGroup, &args));
    Part::new(format!("open/{}/more", group.id), Role::Note)
        .labelled(format!("{says}: {}", group.title))
        .does(Action::OpenWhole {
            group: group.id.clone(),
        })
        .with(fitted(at.x, at.y, &says, style, most, Token::Ink))
}

/// How much a node has free and how much it lacks; returns where the words end.
fn miss(stage: &Stage<'_>, row: &Row, x: Px, y: Px, to: Px, part: &mut Part) -> Px {
    use crate::framework::reason::Reason;
    let style = TextStyle::sans(12);
    let Some(Reason::Insufficient {
        resource,
        used,
        allocatable,
        ..
    }) = row.verdict.reason()
    else {
        let says = stage.voice.label(row);
        let mark = fitted(x, y, &says, style, to - x, Token::Unsched);
        let end = mark.bounds().right();
        part.add(mark);
        return end;
    };
    let free = stage.text(
        Key::DFree,
        &[("free", amount(resource, allocatable - used).into())],
    );
    let short = row.verdict.reason().and_then(shortage).unwrap_or(0);
    let short = stage.text(Key::DShort, &[("short", amount(resource, short).into())]);
    let mut next = x + measure::width(&free, &style) + px(10);
    let width = measure::width(&short, &style);
    if next + width <= to + px(34) {
        part.add(words(x, y, free, style, Token::Soft));
    } else {
        next = x;
    }
    part.add(words(next, y, short, style, Token::Unsched));
    next + width
}

/// Up to this many zones have a column each.
const MOST_COLUMNS: usize = 4;
/// A zone with less has no column.
const NARROWEST_COLUMN: Px = px(64);
/// Gauges stand in this many rows at most.
const MOST_GAUGE_ROWS: usize = 2;
