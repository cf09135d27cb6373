//! The column of queues.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Part, Role, Segment, Shape, TextStyle};
use crate::picture::sentences::{Arg, Key, clock_text, seconds, signed};

use super::brush::{fitted, upright, words};
use super::lanes::{Anchor, Entry, Lane, LaneNow, backoff_left, flush_left, lanes, woken_by};
use super::pod::{block, chip_width, stack};
use super::stage::Stage;

/// The column of queues in a figure.
pub(in crate::picture) struct Waiting {
    /// Its parts.
    pub(in crate::picture) parts: Vec<Part>,
    /// Where entries stand.
    pub(in crate::picture) anchors: Vec<Anchor>,
}

/// One line of a lane.
enum Line<'a> {
    Heading(&'a str),
    Entry(&'a Entry),
    Woken(String),
    More(usize),
}

impl Line<'_> {
    fn height(&self) -> Px {
        match self {
            Self::Heading(_) => px(22),
            Self::Entry(_) => px(23),
            Self::Woken(_) => px(16),
            Self::More(_) => px(18),
        }
    }
}

/// Draws the queues between two edges into a height.
pub(in crate::picture) fn waiting(stage: &Stage<'_>, from: Px, to: Px, height: Px) -> Waiting {
    let mut alike = 3;
    let mut all = lanes(stage, alike);
    let mut most = usize::MAX;
    let room = height - px(54) - LANE_HEAD.times(4) - LANE_GAP.times(4);
    if total(stage, &all, most) > room {
        alike = 2;
        all = lanes(stage, alike);
        most = 24;
        while most > 1 && total(stage, &all, most) > room {
            most -= 1;
        }
    }
    let used = total(stage, &all, most);
    let spare = (room - used).max(Px::ZERO);
    let gap = LANE_GAP + spare.over(4).min(px(14));
    let mut waiting = Waiting {
        parts: Vec::new(),
        anchors: Vec::new(),
    };
    let mut y = px(62);
    let mut heads = Vec::new();
    for lane in &all {
        heads.push(y);
        waiting.parts.push(head(stage, lane, from, to, y));
        y += LANE_HEAD;
        for line in lines(stage, lane, most) {
            let height = line.height();
            draw_line(stage, lane, &line, (from, to), y, &mut waiting);
            y += height;
        }
        y += gap;
    }
    waiting.parts.extend(lifts(stage, from, &heads));
    waiting
}

fn total(stage: &Stage<'_>, all: &[LaneNow], most: usize) -> Px {
    let lines = all.iter().flat_map(|lane| lines(stage, lane, most));
    lines.map(|line| line.height()).sum()
}

/// The lines of a lane, at most `most` entries of them.
fn lines<'a>(stage: &Stage<'_>, lane: &'a LaneNow, most: usize) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut shown = 0;
    let mut left_out = 0;
    for section in &lane.sections {
        if shown >= most {
            left_out += section
                .entries
                .iter()
                .map(|entry| entry.pods.len())
                .sum::<usize>();
            continue;
        }
        lines.extend(section.heading.as_deref().map(Line::Heading));
        for entry in &section.entries {
            if shown >= most {
                left_out += entry.pods.len();
                continue;
            }
            shown += 1;
            lines.push(Line::Entry(entry));
            if lane.lane == Lane::Backoff && lane.count <= 2 {
                let woken = entry.first().and_then(|pod| woken_by(stage, pod));
                lines.extend(woken.map(Line::Woken));
            }
        }
    }
    if left_out > 0 {
        lines.push(Line::More(left_out));
    }
    lines
}

fn head(stage: &Stage<'_>, lane: &LaneNow, from: Px, to: Px, y: Px) -> Part {
    let (name, says, empty) = lane.lane.keys();
    let name = stage.label(name);
    let says = stage.label(if lane.count == 0 { empty } else { says });
    let mut part = Part::new(format!("lane/{}", lane.lane.id()), Role::Lane).labelled(stage.text(
        Key::XQueue,
        &[
            ("queue", name.clone().into()),
            ("n", Arg::Number(as_number(lane.count))),
        ],
    ));
    part.marks.extend(icon(lane.lane, Point::new(from, y)));
    let x = from + px(18);
    part.add(words(x, y, name, TextStyle::sans(14).bold(), Token::Ink));
    let count = TextStyle::sans(12).end();
    part.add(words(to, y, lane.count.to_string(), count, Token::Soft));
    part.add(fitted(
        x,
        y + px(16),
        &says,
        TextStyle::sans(12),
        to - x,
        Token::Soft,
    ));
    part
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The sign of a lane, told by its form: triangle, dial, square, two posts.
pub(in crate::picture) fn icon(lane: Lane, at: Point) -> Vec<Mark> {
    let p = |x: i32, y: i32| Point::new(at.x + px(x), at.y + px(y));
    match lane {
        Lane::Active => alloc::vec![
            Mark::path(alloc::vec![
                Segment::Move(p(1, -10)),
                Segment::Line(p(10, -5)),
                Segment::Line(p(1, 0)),
                Segment::Close,
            ])
            .filled(Token::Active)
            .edged(Token::Active, px(2)),
        ],
        Lane::Backoff => alloc::vec![
            Mark::circle(p(5, -5), Px(45)).edged(Token::Backoff, px(2)),
            upright(at.x + px(5), at.y - px(9), at.y - px(5)).edged(Token::Backoff, px(2)),
        ],
        Lane::Unschedulable => alloc::vec![
            Mark::rect(
                Rect::new(at.x + px(1), at.y - px(9), px(9), px(9)),
                Px::ZERO
            )
            .filled(Token::Unsched)
            .edged(Token::Unsched, px(2)),
        ],
        Lane::Gated => alloc::vec![
            upright(at.x + px(1), at.y - px(10), at.y + px(1)).edged(Token::Gated, px(2)),
            upright(at.x + px(10), at.y - px(10), at.y + px(1)).edged(Token::Gated, px(2)),
            super::brush::level(at.x + px(1), at.x + px(10), at.y - px(5))
                .edged(Token::Gated, px(2)),
        ],
    }
}

fn draw_line(
    stage: &Stage<'_>,
    lane: &LaneNow,
    line: &Line<'_>,
    (from, to): (Px, Px),
    y: Px,
    waiting: &mut Waiting,
) {
    let x = from + px(18);
    match line {
        Line::Heading(text) => {
            let mark = fitted(
                x,
                y + px(5),
                text,
                TextStyle::sans(12),
                to - x,
                Token::Unsched,
            );
            waiting
                .parts
                .push(Part::new(format!("lane/{text}"), Role::Note).with(mark));
        }
        Line::Entry(entry) => {
            let middle = y;
            waiting.anchors.push(Anchor {
                uids: entry
                    .pods
                    .iter()
                    .map(|pod| pod.reference().uid.clone())
                    .collect(),
                y: middle,
            });
            waiting
                .parts
                .extend(entry_part(stage, lane.lane, entry, (x, to), middle));
        }
        Line::Woken(text) => {
            let mark = fitted(
                x + px(34),
                y,
                text,
                TextStyle::sans(12),
                to - x - px(34),
                Token::Soft,
            );
            let id = format!("woken/{}", waiting.parts.len());
            waiting.parts.push(Part::new(id, Role::Note).with(mark));
        }
        Line::More(count) => {
            let says = stage.text(Key::MorePods, &[("n", Arg::Number(as_number(*count)))]);
            let mark = words(x, y, says, TextStyle::sans(12), Token::Soft);
            let id = format!("lane/{}/more", lane.lane.id());
            waiting.parts.push(Part::new(id, Role::Note).with(mark));
        }
    }
}

/// A pod or a stack of alike pods, with what matters in its queue at the right.
fn entry_part(
    stage: &Stage<'_>,
    lane: Lane,
    entry: &Entry,
    (x, to): (Px, Px),
    middle: Px,
) -> Option<Part> {
    let first = entry.first()?;
    let badge = stage.badge(&first.facts);
    let reference = first.reference();
    let mut part = Part::new(format!("wait/{}", reference.uid), Role::Waiting)
        .link(format!("pod/{}", reference.uid));
    let top = middle - px(9);
    let name_x = if entry.pods.len() == 1 {
        let width = chip_width(&badge) - px(1);
        let at = Rect::new(x, top, width, px(18));
        part.marks.extend(block(&badge, at));
        x + width + px(8)
    } else {
        let (marks, end) = stack(&badge, entry.pods.len(), Point::new(x, top), px(18));
        part.marks.extend(marks);
        end + px(8)
    };
    let right = right_side(stage, lane, entry, (name_x, to), middle, &mut part);
    let style = TextStyle::mono(12);
    let name = measure::shortened(&entry.name(), &style, right - px(8) - name_x);
    part.label = [entry.name(), label_of(&part)].join(" ");
    part.add(words(name_x, middle + px(5), name, style, Token::Ink));
    if matches!(lane, Lane::Unschedulable | Lane::Backoff) {
        part.action = Some(Action::Why {
            pod: reference.to_string(),
        });
    }
    Some(part)
}

/// The texts a part has so far, to be read out.
fn label_of(part: &Part) -> String {
    let texts = part.marks.iter().filter_map(|mark| match &mark.shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let texts: Vec<&str> = texts.skip(1).collect();
    texts.join(" ")
}

/// What stands at the right of an entry; returns where it begins.
fn right_side(
    stage: &Stage<'_>,
    lane: Lane,
    entry: &Entry,
    (from, to): (Px, Px),
    middle: Px,
    part: &mut Part,
) -> Px {
    let Some(first) = entry.first() else {
        return to;
    };
    let style = TextStyle::sans(12).end();
    let baseline = middle + px(4);
    let (text, token, style, right) = match lane {
        Lane::Active => {
            let priority = first.facts.pod().priority();
            let args = [("n", Arg::Number(i64::from(priority)))];
            let long = stage.text(Key::Priority, &args);
            let is_roomy = to - from > measure::width(&long, &style) + px(70);
            let text = if is_roomy && entry.pods.len() == 1 {
                long
            } else {
                signed(i64::from(priority))
            };
            (text, Token::Soft, style, to)
        }
        Lane::Backoff => {
            let Some((left, share)) = backoff_left(stage, first) else {
                return to;
            };
            let center = Point::new(to - px(10), middle);
            part.add(Mark::circle(center, px(9)).edged(Token::Line, px(3)));
            part.add(Mark::ring(center, px(9), share).edged(Token::Backoff, px(3)));
            (seconds(left), Token::Ink, style, to - px(26))
        }
        Lane::Unschedulable => {
            let (left, _) = flush_left(stage, first);
            let why = stage.label(Key::WhyLink);
            let width = measure::width(&why, &style);
            part.add(words(to, baseline, why, style.underlined(), Token::Ink));
            let clock = clock_text(left);
            if to - from < px(150) || entry.pods.len() > 1 {
                return to - width;
            }
            (clock, Token::Soft, style, to - width - px(10))
        }
        Lane::Gated => {
            let gates = &first.facts.pod().spec.scheduling_gates;
            let text = gates.first().map_or("", |gate| gate.name.as_str());
            let room = to - from - px(50);
            let text = measure::shortened(text, &style, room);
            (text, Token::Soft, style, to)
        }
    };
    let width = measure::width(&text, &style);
    part.add(words(right, baseline, text, style, token));
    right - width
}

/// The queues with everything in numbers: a line a pod, and who rejected it.
pub(in crate::picture) fn detailed(stage: &Stage<'_>, from: Px, to: Px, height: Px) -> Vec<Part> {
    let mut alike = 4;
    let mut all = lanes(stage, alike);
    let room = height - px(53) - px(29).times(4) - px(13).times(4);
    let mut most = usize::MAX;
    if full_total(&all, most) > room {
        alike = 2;
        all = lanes(stage, alike);
        most = 24;
        while most > 1 && full_total(&all, most) > room {
            most -= 1;
        }
    }
    let mut parts = Vec::new();
    let mut y = px(58);
    for lane in &all {
        parts.push(full_head(stage, lane, from, to, y));
        y += px(20);
        let entries: Vec<&Entry> = lane.sections.iter().flat_map(|s| &s.entries).collect();
        for entry in entries.iter().take(most) {
            parts.extend(full_entry(stage, lane.lane, entry, (from, to), y));
            y += full_height(lane.lane);
        }
        let rest: usize = entries
            .iter()
            .skip(most)
            .map(|entry| entry.pods.len())
            .sum();
        if rest > 0 {
            let says = stage.text(Key::MorePods, &[("n", Arg::Number(as_number(rest)))]);
            let mark = words(
                from + px(34),
                y + px(4),
                says,
                TextStyle::sans(12),
                Token::Soft,
            );
            let id = format!("lane/{}/more", lane.lane.id());
            parts.push(Part::new(id, Role::Note).with(mark));
            y += px(18);
        }
        y += px(14);
    }
    parts
}

const fn full_height(lane: Lane) -> Px {
    match lane {
        Lane::Unschedulable => px(38),
        _ => px(22),
    }
}

fn full_total(all: &[LaneNow], most: usize) -> Px {
    all.iter()
        .map(|lane| {
            let entries: usize = lane.sections.iter().map(|s| s.entries.len()).sum();
            let more = if entries > most { px(18) } else { Px::ZERO };
            full_height(lane.lane).each(entries.min(most)) + more
        })
        .sum()
}

fn full_head(stage: &Stage<'_>, lane: &LaneNow, from: Px, to: Px, y: Px) -> Part {
    let name = stage.text(
        Key::XQueue,
        &[
            ("queue", stage.label(lane.lane.keys().0).into()),
            ("n", Arg::Number(as_number(lane.count))),
        ],
    );
    let column = stage.label(match lane.lane {
        Lane::Active => Key::PriorityColumn,
        Lane::Backoff => Key::LeftColumn,
        Lane::Unschedulable => Key::FlushColumn,
        Lane::Gated => Key::GateColumn,
    });
    let mut part = Part::new(format!("lane/{}", lane.lane.id()), Role::Lane).labelled(name.clone());
    part.marks.extend(icon(lane.lane, Point::new(from, y)));
    let style = TextStyle::sans(12);
    part.add(words(from + px(18), y, name, style.bold(), Token::Ink));
    if lane.count > 0 {
        part.add(words(to, y, column, style.end(), Token::Soft));
    }
    part
}

fn full_entry(
    stage: &Stage<'_>,
    lane: Lane,
    entry: &Entry,
    (from, to): (Px, Px),
    y: Px,
) -> Option<Part> {
    let first = entry.first()?;
    let badge = stage.badge(&first.facts);
    let reference = first.reference();
    let mut part = Part::new(format!("wait/{}", reference.uid), Role::Waiting)
        .link(format!("pod/{}", reference.uid))
        .labelled(entry.name());
    let width = chip_width(&badge) - px(1);
    let chip = Rect::new(from, y - px(9), width, px(17));
    part.marks.extend(block(&badge, chip));
    let x = from + width + px(8);
    let right = match lane {
        Lane::Active => signed(i64::from(first.facts.pod().priority())),
        Lane::Backoff => backoff_left(stage, first).map_or_else(String::new, |(t, _)| seconds(t)),
        Lane::Unschedulable => clock_text(flush_left(stage, first).0),
        Lane::Gated => {
            let gates = &first.facts.pod().spec.scheduling_gates;
            gates
                .first()
                .map_or_else(String::new, |gate| gate.name.clone())
        }
    };
    let style = TextStyle::sans(12);
    let right = measure::shortened(&right, &style, (to - x).share(55, 100));
    let right_width = measure::width(&right, &style);
    part.add(words(to, y + px(4), right, style.end(), Token::Soft));
    let mono = TextStyle::mono(12);
    let name = measure::shortened(&entry.name(), &mono, to - x - right_width - px(8));
    part.add(words(x, y + px(4), name, mono, Token::Ink));
    if lane == Lane::Unschedulable {
        let rule = super::lanes::main_rejector(first);
        let says = match first.rejectors.len() {
            0 => stage.label(Key::AnError),
            1 => String::from(rule),
            many => stage.text(
                Key::PluginAndMore,
                &[
                    ("plugin", rule.into()),
                    ("n", Arg::Number(as_number(many - 1))),
                ],
            ),
        };
        part.add(fitted(x, y + px(20), &says, style, to - x, Token::Unsched));
        part.action = Some(Action::Why {
            pod: reference.to_string(),
        });
    }
    Some(part)
}

/// The ways between queues, at the left of the column: from unschedulable and backoff upwards.
fn lifts(stage: &Stage<'_>, from: Px, heads: &[Px]) -> Vec<Part> {
    let [active, backoff, unschedulable, ..] = heads else {
        return Vec::new();
    };
    let x = from - px(12);
    let mut parts = Vec::new();
    for (id, key, low, high) in [
        ("delay", Key::DelayOver, *backoff - px(10), *active + px(6)),
        (
            "event",
            Key::EventOrFlush,
            *unschedulable - px(4),
            *backoff + px(6),
        ),
    ] {
        let tip = |dx: Px, dy: Px| Point::new(x + dx, high + dy);
        let style = TextStyle::sans(12).turned(-90);
        let says = stage.label(key);
        let mut part = Part::new(format!("lift/{id}"), Role::Link)
            .with(upright(x, low, high).edged(Token::Line, px(2)))
            .with(
                Mark::path(alloc::vec![
                    Segment::Move(tip(-px(5), px(7))),
                    Segment::Line(tip(Px::ZERO, Px::ZERO)),
                    Segment::Line(tip(px(5), px(7))),
                ])
                .edged(Token::Soft, Px(15)),
            );
        if measure::width(&says, &style) < low - high {
            part.add(words(x - px(8), low - px(2), says, style, Token::Soft));
        }
        parts.push(part);
    }
    parts
}

/// From a lane's name to the middle of its first entry.
const LANE_HEAD: Px = px(39);
/// Between a lane's last line and the next lane's name.
const LANE_GAP: Px = px(18);
