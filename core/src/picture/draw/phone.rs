//! The figure for one hand: the pod at the left, only gates that cut, berths at the right with the score or the reason in
//! words, queues as four counts.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::order;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Panel, Part, Role, Segment, TextStyle, View};
use crate::picture::sentences::{
    Arg, Key, gate_link, moment_text, node_link, seconds, short_plugin, signed,
};
use crate::picture::timeline::Outcome;
use crate::picture::verdicts::{Row, Verdict};

use super::axis::Scale;
use super::berths::{Berth, BerthStyle, berth};
use super::brush::{Space, cross, cross_lines, fitted, level, upright, words};
use super::gates::pieces;
use super::groups::{Group, Kind, groups, rope_pitch};
use super::landing::Course;
use super::lanes::{Lane, backoff_left, lanes};
use super::pod::{block, colors};
use super::preempt::verdict_on;
use super::rows::Rows;
use super::score::Board;
use super::stage::Stage;
use super::story::Figure;
use super::threads::way;
use super::turn::small_block;
use super::zones::{gauge_row_count, gauges_in};

/// A gate that cuts, on a phone.
struct Post {
    gate: usize,
    name: String,
    x: Px,
    cut: usize,
    after: usize,
}

/// The figure's measures on a phone.
struct Frame {
    nodes: (Px, Px),
    posts: Vec<Post>,
    /// The pod in its turn: its left edge and its size.
    turn: (Px, Px, Px),
    start: Px,
    reach: Px,
    /// The most that a CPU and the distance of two rows take.
    most: (Px, Px),
}

impl Frame {
    fn new(stage: &Stage<'_>, width: Px) -> Self {
        let margin = stage.margin();
        let is_in_hand = stage.is_in_hand();
        let right = width - margin;
        let nodes = px(228).max(width.share(58, 100)).min(right - px(140));
        let cuts: Vec<(usize, &crate::picture::verdicts::Gate)> = stage.whole.cuts().collect();
        let (w, h) = if is_in_hand {
            (px(36), px(32))
        } else {
            (px(64), px(44))
        };
        let reach = if is_in_hand { px(40) } else { px(64) };
        let (from, to) = (margin + w + reach + px(12), nodes - px(22));
        let count = i64::try_from(cuts.len()).unwrap_or(1);
        let posts = cuts.iter().enumerate().map(|(place, (gate, info))| {
            let x = if count == 1 {
                from + (to - from).half()
            } else {
                let place = i64::try_from(place).unwrap_or(0);
                from + px(16) + (to - from - px(16)).share(place, count - 1)
            };
            Post {
                gate: *gate,
                name: short_plugin(&info.name).to_string(),
                x,
                cut: info.cut,
                after: info.before - info.cut,
            }
        });
        Self {
            nodes: (nodes, right),
            posts: posts.collect(),
            turn: (margin, w, h),
            start: margin + w,
            reach,
            most: if is_in_hand {
                (px(20), px(42))
            } else {
                (px(46), px(46))
            },
        }
    }

    fn post(&self, gate: usize) -> Option<&Post> {
        self.posts.iter().find(|post| post.gate == gate)
    }
}

/// Draws the figure of a phone into a frame.
pub(in crate::picture) fn phone(stage: &Stage<'_>, frame: Rect) -> Figure {
    let frames = Frame::new(stage, frame.w);
    let mut panel = Panel::at(frame);
    let bottom;
    let mut flight = None;
    if stage.is_folded() {
        bottom = folded(stage, &frames, &mut panel);
    } else {
        let room = (frame.h - px(152)).max(px(120));
        let rows = Rows::new(&stage.sift.rows, px(58), room, (frames.most.1, px(36)), 24);
        bottom = rows.last() + px(20);
        flight = single_rows(stage, &frames, &rows, &mut panel);
    }
    panel.parts.extend(heads(stage, &frames));
    if stage.shot.view == View::Open {
        panel.frame.h = frame.h.max(bottom + px(16));
    } else {
        let strip = (frame.h - px(76)).max(bottom + px(16));
        let edges = (stage.margin(), frame.w - stage.margin());
        panel.parts.extend(queues(stage, edges, strip));
        panel.frame.h = frame.h.max(strip + px(76));
    }
    Figure { panel, flight }
}

/// One row a node; returns the flight.
fn single_rows(
    stage: &Stage<'_>,
    frames: &Frame,
    rows: &Rows,
    panel: &mut Panel,
) -> Option<crate::picture::scene::Flight> {
    let (from, to) = frames.nodes;
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(
            stage,
            to - from,
            frames.most.0,
            px(20).min(rows.pitch - px(18)),
        )
    };
    let start = Point::new(frames.start, rows.middle());
    let mut threads = Vec::new();
    let mut nodes = Vec::new();
    let mut course = None;
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place);
        let (berth, parts) = berth(stage, &row.node, Point::new(from, y), style);
        let is_chosen = stage.chosen() == Some(&row.node.name);
        threads.extend(thread(stage, frames, row, y, start));
        nodes.extend(parts);
        let is_first = place == 0
            || stage
                .sift
                .rows
                .get(place - 1)
                .is_some_and(|before| before.node.zone != row.node.zone);
        nodes.push(title(stage, row, &berth, is_first, (from, to), y));
        if is_chosen {
            course = Some(Course {
                start,
                reach: frames.reach,
                y,
                berth,
            });
        }
    }
    let bottom = rows.last() + px(16);
    panel.parts.extend(gate_lines(frames, |_| bottom));
    if let Some(course) = &course {
        panel.parts.extend(chosen_way(stage, course, style.scale));
    }
    panel.parts.extend(threads);
    panel.parts.extend(nodes);
    panel.parts.extend(turn(stage, frames, rows.middle()));
    course.and_then(|course| course.flight(stage, style.scale))
}

fn turn(stage: &Stage<'_>, frames: &Frame, middle: Px) -> Vec<Part> {
    let (x, w, h) = frames.turn;
    let at = Rect::new(x, middle - h.half(), w, h);
    let mut parts: Vec<Part> = small_block(stage, at).into_iter().collect();
    if let Some(facts) = stage.subject_facts() {
        let style = TextStyle::mono(12).bold();
        // Threads leave to the right of it.
        let most = w + px(6);
        let whole = facts.short_name();
        let end = format!("…{}", facts.last_name());
        let name = if measure::width(&whole, &style) <= most {
            whole
        } else if measure::width(&end, &style) <= most {
            end
        } else {
            measure::shortened(&facts.last_name(), &style, most)
        };
        let y = at.bottom() + px(16);
        parts.push(Part::new("turn/facts", Role::Note).with(words(x, y, name, style, Token::Ink)));
    }
    parts
}

/// The chosen pod's way: trail, thread, and the pod where it has come to.
fn chosen_way(stage: &Stage<'_>, course: &Course, scale: Px) -> Vec<Part> {
    let Some(facts) = stage.subject_facts() else {
        return Vec::new();
    };
    let badge = stage.badge(&facts);
    let (fill, edge) = colors(badge.hue);
    let to = course.berth.bar.x;
    let is_bound = course.trail(stage, scale, &[], Px::ZERO).is_some();
    let mut part = Part::new("thread/chosen", Role::Thread).link("win");
    if is_bound {
        part.add(Mark::path(way(course.start, course.y, to, course.reach)).edged(fill, px(12)));
    }
    part.add(Mark::path(way(course.start, course.y, to, course.reach)).edged(edge, px(3)));
    let mut parts = alloc::vec![part];
    if !is_bound {
        let at = Rect::new(to - px(34), course.y - px(9), px(22), px(18));
        let mut pod = Part::new("turn/arriving", Role::Step).link("win");
        pod.marks.extend(block(&badge, at));
        parts.push(pod);
    }
    parts
}

fn thread(stage: &Stage<'_>, frames: &Frame, row: &Row, y: Px, start: Point) -> Vec<Part> {
    if !stage.sift.is_done || stage.chosen() == Some(&row.node.name) {
        return Vec::new();
    }
    let name = &row.node.name;
    let mut part = Part::new(format!("thread/{name}"), Role::Thread).link(node_link(name));
    let mut parts = Vec::new();
    let end = frames.nodes.0 - px(4);
    match &row.verdict {
        Verdict::NotAsked => {
            part.add(
                Mark::path(way(start, y, end, frames.reach))
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
        }
        Verdict::Passed => {
            part.add(
                Mark::path(way(start, y, end, frames.reach))
                    .edged(Token::Soft, Px(15))
                    .faded(70),
            );
        }
        Verdict::Rejected { gate, .. } => {
            let x = frames.post(*gate).map_or(end, |post| post.x);
            part.add(
                Mark::path(way(start, y, x - px(7), frames.reach))
                    .edged(Token::Soft, Px(15))
                    .faded(70),
            );
            part.add(
                level(x + px(10), end, y)
                    .edged(Token::Line, Px(15))
                    .dashed(1, 5)
                    .round(),
            );
            let plugin = stage
                .sift
                .gates
                .get(*gate)
                .map_or("", |gate| gate.name.as_str());
            part.links.push(gate_link(plugin));
            let mut cut = Part::new(format!("verdict/{name}"), Role::Verdict)
                .link(gate_link(plugin))
                .link(node_link(name))
                .labelled(stage.voice.detail(row))
                .does(Action::OpenCell {
                    node: name.to_string(),
                    plugin: plugin.to_string(),
                });
            cut.marks.extend(cross(
                Point::new(x, y),
                px(12),
                Token::Unsched,
                Token::Sheet,
            ));
            parts.push(cut);
        }
    }
    parts.insert(0, part);
    parts
}

/// The node's name above its bar, and at the right its zone, its score or why not.
fn title(
    stage: &Stage<'_>,
    row: &Row,
    berth: &Berth,
    is_first: bool,
    (from, to): (Px, Px),
    y: Px,
) -> Part {
    let is_chosen = stage.chosen() == Some(&row.node.name);
    let mut part =
        Part::new(format!("node/{}", row.node.name), Role::Note).link(node_link(&row.node.name));
    let top = berth.bar.y - px(4);
    let mono = TextStyle::mono(12).bold_if(is_chosen);
    let small = TextStyle::sans(12);
    let mut name_to = to;
    let (says, token, style) = beside(stage, row);
    let width = measure::width(&says, &style);
    // Beside the bar, or in its free part if that holds all of it.
    let is_inside = to - width - px(6) >= berth.bar.right()
        || (berth.bar.right() >= to - px(4) && to - width - px(14) >= berth.filled_to);
    let beside_name = if is_inside {
        String::new()
    } else {
        says.clone()
    };
    if is_inside && !says.is_empty() {
        let x = if berth.bar.right() >= to - px(4) {
            to - px(6)
        } else {
            to
        };
        part.add(words(x, y + px(4), says, style.end(), token));
    } else if !beside_name.is_empty() {
        let text = measure::shortened(&beside_name, &style, (to - from).share(60, 100));
        name_to = to - measure::width(&text, &style) - px(6);
        part.add(words(to, top, text, style.end(), token));
    }
    if is_first && !row.node.zone.is_empty() && name_to == to {
        let zone = stage.voice.zone(&row.node.zone);
        let zone = measure::shortened(&zone, &small, px(60));
        name_to = to - measure::width(&zone, &small) - px(6);
        part.add(words(to, top, zone, small.end(), Token::Soft));
    }
    let name = stage.node_label(&row.node.name, &mono, name_to - from);
    part.add(words(from, top, name, mono, Token::Ink));
    part
}

/// What stands beside a node: its score, or why it was rejected.
fn beside(stage: &Stage<'_>, row: &Row) -> (String, Token, TextStyle) {
    let small = TextStyle::sans(12);
    if stage.shot.view == View::Open {
        return (String::new(), Token::Soft, small);
    }
    if let Some((says, is_chosen)) = verdict_on(stage, &row.node.name) {
        let token = if is_chosen {
            Token::Preempt
        } else {
            Token::Soft
        };
        return (
            measure::shortened(&says, &small, px(150)),
            token,
            small.bold_if(is_chosen),
        );
    }
    if let Verdict::Rejected { .. } = row.verdict {
        let says = stage.voice.short(row);
        return (
            measure::shortened(&says, &small, px(140)),
            Token::Unsched,
            small,
        );
    }
    let total =
        Board::of(stage).and_then(|board| board.nodes.get(&row.node.name).map(|(_, total)| *total));
    let is_chosen = stage.chosen() == Some(&row.node.name);
    match total {
        Some(total) if is_chosen => (signed(total), Token::Ink, small.bold()),
        Some(total) => (signed(total), Token::Soft, small),
        None => (String::new(), Token::Soft, small),
    }
}

fn gate_lines(frames: &Frame, bottom: impl Fn(&Post) -> Px) -> Vec<Part> {
    let posts = frames.posts.iter();
    posts
        .map(|post| {
            let mut part = Part::new(format!("gate/{}", post.name), Role::Gate)
                .link(gate_link(&post.name))
                .stepped(post.gate);
            for (from, to) in pieces(post.x, px(26), bottom(post), &Space::default()) {
                part.add(
                    upright(post.x, from, to)
                        .edged(Token::Unsched, Px(15))
                        .faded(55),
                );
            }
            part
        })
        .collect()
}

/// The counts and the gates' short names above the figure.
fn heads(stage: &Stage<'_>, frames: &Frame) -> Vec<Part> {
    let mut part = Part::new("counts", Role::Count);
    let style = TextStyle::serif(17).middle();
    let name_style = TextStyle::sans(12).bold().middle();
    let y = px(16);
    let asked = stage.whole.asked.max(if stage.whole.is_done {
        0
    } else {
        stage.still.nodes().len()
    });
    // Names in the order of what they cut, as long as there is room; a name that has none is told by its cuts.
    let mut space = Space::default();
    let mut named: Vec<&Post> = frames.posts.iter().collect();
    order::sort_by_key(&mut named, |post| core::cmp::Reverse(post.cut));
    for post in named {
        let mark = words(post.x, y, post.name.as_str(), name_style, Token::Ink);
        if space.is_free(&mark.bounds().grown(px(4))) {
            space.take(mark.bounds());
            part.add(mark);
        }
    }
    let first = frames.posts.first();
    let asked_at = first.map_or(frames.start + px(22), |first| {
        let half = measure::width(&first.name, &name_style).half();
        (frames.start + px(22)).min(first.x - half - px(20))
    });
    let mut counts = alloc::vec![(asked_at, asked)];
    for pair in frames.posts.windows(2) {
        if let [one, two] = pair {
            counts.push((one.x + (two.x - one.x).half(), one.after));
        }
    }
    for (x, count) in counts {
        let mark = words(x, y, count.to_string(), style, Token::Ink);
        if space.is_free(&mark.bounds().grown(px(3))) {
            space.take(mark.bounds());
            part.add(mark);
        }
    }
    let last = frames.posts.last().map_or(asked, |post| post.after);
    let (says, token) = if last == 0 && stage.whole.is_done {
        (stage.text(Key::WNoneFit, &[]), Token::Unsched)
    } else if stage.chosen().is_some() {
        (format!("{last} → 1"), Token::Ink)
    } else {
        (last.to_string(), Token::Ink)
    };
    let style = if last == 0 {
        TextStyle::sans(12).bold().end()
    } else {
        TextStyle::serif(17).end()
    };
    part.add(words(frames.nodes.1, y, says, style, token));
    alloc::vec![part]
}

/// Nodes folded by verdict: one way a group, its words and gauges at the right. Returns where it ends.
fn folded(stage: &Stage<'_>, frames: &Frame, panel: &mut Panel) -> Px {
    let all = groups(stage);
    let (from, to) = frames.nodes;
    let mut y = px(34);
    let mut placed: Vec<(Group<'_>, Px, Px)> = Vec::new();
    let pitch = rope_pitch(stage.sift.rows.len());
    for group in all {
        if group.kind == Kind::Tied {
            continue;
        }
        let rope = pitch.each(group.rows.len()).max(px(3));
        let height = match group.kind {
            Kind::Chosen => px(64),
            _ => words_height(&group, to - from).max(rope + px(10)),
        };
        placed.push((group, y + height.half(), rope));
        y += height + px(6);
    }
    let middle = px(34) + (y - px(34)).half();
    let start = Point::new(frames.start, middle);
    let bottom = |post: &Post| {
        let comes = placed.iter().rev().find(|(group, ..)| match group.kind {
            Kind::Rejected(gate) => gate >= post.gate,
            Kind::NotAsked => false,
            _ => true,
        });
        comes.map_or(px(60), |(_, y, rope)| *y + rope.half() + px(10))
    };
    panel.parts.extend(gate_lines(frames, bottom));
    let total: usize = placed.iter().map(|(group, ..)| group.rows.len()).sum();
    let mut before = 0;
    for (group, y, rope) in &placed {
        let count = group.rows.len();
        if stage.sift.is_done {
            let rope = Rope {
                y: *y,
                height: *rope,
                pitch,
                before,
                total,
            };
            panel
                .parts
                .extend(rope_parts(stage, frames, group, &rope, start));
        }
        before += count;
    }
    for (group, y, _) in &placed {
        panel
            .parts
            .extend(group_words(stage, frames, group, *y, start));
    }
    panel.parts.extend(turn(stage, frames, middle));
    y
}

/// How high the words and gauges of a group are.
fn words_height(group: &Group<'_>, width: Px) -> Px {
    let text = if group.detail.is_empty() {
        px(19)
    } else {
        px(34)
    };
    text + px(18).each(gauge_row_count(&group.rows, width))
}

struct Rope {
    y: Px,
    height: Px,
    pitch: Px,
    before: usize,
    total: usize,
}

fn rope_parts(
    stage: &Stage<'_>,
    frames: &Frame,
    group: &Group<'_>,
    rope: &Rope,
    start: Point,
) -> Vec<Part> {
    let end = match group.kind {
        Kind::Rejected(gate) => frames
            .post(gate)
            .map_or(frames.nodes.0, |post| post.x - px(7)),
        _ => frames.nodes.0 - px(6),
    };
    if group.kind == Kind::Chosen {
        return Vec::new();
    }
    let mut segments: Vec<Segment> = Vec::new();
    for place in 0..group.rows.len() {
        let at = i64::try_from(rope.before + place).unwrap_or(0);
        let of = i64::try_from(rope.total.saturating_sub(1).max(1)).unwrap_or(1);
        let from = Point::new(start.x, start.y - px(13) + px(26).share(at, of));
        let y = rope.y - rope.height.half() + rope.pitch.each(place) + rope.pitch.half();
        segments.extend(way(from, y, end, frames.reach));
    }
    let token = if group.kind == Kind::NotAsked {
        Token::Line
    } else {
        Token::Soft
    };
    let mut parts = alloc::vec![
        Part::new(format!("rope/{}", group.id), Role::Rope)
            .labelled(group.title.clone())
            .with(Mark::path(segments).edged(token, Px(8)).faded(62)),
    ];
    if let Kind::Rejected(gate) = group.kind {
        let plugin = stage
            .sift
            .gates
            .get(gate)
            .map_or("", |gate| gate.name.as_str());
        let center = Point::new(end + px(7), rope.y);
        let at = Rect::around(center, px(14), (rope.height + px(4)).max(px(14)));
        parts.push(
            Part::new(format!("verdict/{}", group.id), Role::Verdict)
                .link(gate_link(plugin))
                .with(Mark::rect(at, px(3)).filled(Token::Unsched))
                .with(cross_lines(center, px(3), Token::Sheet)),
        );
    }
    parts
}

fn group_words(
    stage: &Stage<'_>,
    frames: &Frame,
    group: &Group<'_>,
    y: Px,
    start: Point,
) -> Vec<Part> {
    let (from, to) = frames.nodes;
    if let (Kind::Chosen, Some(row)) = (&group.kind, group.rows.first()) {
        return chosen_words(stage, frames, row, y, start);
    }
    let token = match group.kind {
        Kind::Rejected(_) => Token::Unsched,
        Kind::NotAsked => Token::Soft,
        _ => Token::Ink,
    };
    let lines = gauge_row_count(&group.rows, to - from);
    let top = y - words_height(group, to - from).half();
    let text = if group.detail.is_empty() {
        px(19)
    } else {
        px(34)
    };
    let mut part = Part::new(format!("group/{}", group.id), Role::Group)
        .labelled(format!("{} {}", group.title, group.detail))
        .does(Action::OpenGroup {
            group: group.id.clone(),
        });
    let bold = TextStyle::sans(12).bold();
    part.add(fitted(
        from,
        top + px(12),
        &group.title,
        bold,
        to - from,
        token,
    ));
    part.add(fitted(
        from,
        top + px(27),
        &group.detail,
        TextStyle::sans(12),
        to - from,
        Token::Soft,
    ));
    gauges_in(
        stage,
        &group.rows,
        Point::new(from, top + text + px(18).each(lines).half()),
        to - from,
        &mut part,
    );
    alloc::vec![part]
}

/// The chosen node with the way to it.
fn chosen_words(stage: &Stage<'_>, frames: &Frame, row: &Row, y: Px, start: Point) -> Vec<Part> {
    let (from, to) = frames.nodes;
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(stage, (to - from).share(75, 100), px(28), px(20))
    };
    let (berth, drawn) = berth(stage, &row.node, Point::new(from, y), style);
    let course = Course {
        start,
        reach: frames.reach,
        y,
        berth,
    };
    let mut parts = Vec::new();
    parts.extend(chosen_way(stage, &course, style.scale));
    parts.extend(drawn);
    let mono = TextStyle::mono(12).bold();
    let name = stage.node_label(&row.node.name, &mono, to - from);
    let mut part = Part::new(format!("node/{}", row.node.name), Role::Note)
        .link("win")
        .with(words(from, y - px(15), name, mono, Token::Ink));
    let says = score_says(stage, row);
    part.add(fitted(
        from,
        y + px(27),
        &says,
        TextStyle::sans(12),
        to - from,
        Token::Bound,
    ));
    parts.push(part);
    parts
}

/// `422 · first of 4`.
fn score_says(stage: &Stage<'_>, row: &Row) -> String {
    let board = Board::of(stage);
    let total = board.and_then(|board| board.nodes.get(&row.node.name).map(|(_, total)| *total));
    let Some(total) = total else {
        return stage.label(Key::OnlyOne);
    };
    let choice = stage.attempt.as_ref().and_then(|attempt| attempt.choice);
    match choice {
        Some((choice, _, _)) if choice.tied.len() > 1 => {
            let n = i64::try_from(choice.tied.len()).unwrap_or(0);
            stage.text(
                Key::TieFirst,
                &[("score", Arg::Number(total)), ("n", Arg::Number(n))],
            )
        }
        _ => signed(total),
    }
}

/// The queues as four counts, each told by its line as well.
pub(in crate::picture) fn queues(stage: &Stage<'_>, (from, to): (Px, Px), y: Px) -> Vec<Part> {
    let pitch = (to - from + px(8)).over(4);
    let mut parts = Vec::new();
    for (place, lane) in lanes(stage, usize::MAX).into_iter().enumerate() {
        let x = from + pitch.each(place);
        let to = x + pitch - px(8);
        let name = stage.label(match lane.lane {
            Lane::Unschedulable => Key::NoNodeFitsCount,
            other => other.keys().0,
        });
        let mut part = Part::new(format!("lane/{}", lane.lane.id()), Role::Lane)
            .labelled(format!("{name} {}", lane.count));
        part.marks.extend(lane_line(lane.lane, x, to, y));
        let big = TextStyle::sans(17).bold();
        let count = lane.count.to_string();
        let after = x + measure::width(&count, &big) + px(6);
        part.add(words(x, y + px(22), count, big, Token::Ink));
        let small = TextStyle::sans(12);
        let first = lane
            .sections
            .iter()
            .flat_map(|section| &section.entries)
            .next();
        let first = first.and_then(|entry| entry.first());
        match (lane.lane, first) {
            (Lane::Backoff, Some(pod)) => {
                if let Some((left, _)) = backoff_left(stage, pod) {
                    let says = seconds(left);
                    part.add(fitted(
                        after,
                        y + px(21),
                        &says,
                        small,
                        to - after,
                        Token::Soft,
                    ));
                }
            }
            (Lane::Unschedulable, Some(pod)) => {
                let says = stage.label(Key::WhyLink);
                part.add(fitted(
                    after,
                    y + px(21),
                    &says,
                    small.underlined(),
                    to - after,
                    Token::Ink,
                ));
                part.action = Some(Action::Why {
                    pod: pod.reference().to_string(),
                });
            }
            _ => {}
        }
        part.add(fitted(x, y + px(40), &name, small, to - x, Token::Ink));
        parts.push(part);
    }
    parts
}

/// Solid, double, dashed, dotted.
fn lane_line(lane: Lane, x: Px, to: Px, y: Px) -> Vec<Mark> {
    match lane {
        Lane::Active => alloc::vec![level(x, to, y).edged(Token::Active, px(3))],
        Lane::Backoff => alloc::vec![
            level(x, to, y - px(1)).edged(Token::Backoff, px(1)),
            level(x, to, y + px(1)).edged(Token::Backoff, px(1)),
        ],
        Lane::Unschedulable => {
            alloc::vec![level(x, to, y).edged(Token::Unsched, px(3)).dashed(6, 3)]
        }
        Lane::Gated => alloc::vec![level(x, to, y).edged(Token::Gated, px(3)).dashed(3, 3)],
    }
}

/// The time axis of a phone: failures as ticks, the playhead, the cycle and the instant.
pub(in crate::picture) fn phone_axis(stage: &Stage<'_>, frame: Rect) -> Panel {
    let from = if stage.shot.has_controls {
        px(176)
    } else {
        px(20)
    };
    let scale = Scale {
        from,
        to: frame.w - px(24),
        cycles: stage.film.cycles().len(),
    };
    let y = px(38);
    let now = stage
        .film
        .cycle_at(stage.still.moment)
        .map_or(0, |place| place + 1);
    let x = scale.after(now);
    let mut panel = Panel::at(frame);
    panel.parts.push(
        Part::new("axis/line", Role::Note)
            .with(
                level(scale.from, scale.to, y)
                    .edged(Token::Line, px(4))
                    .round(),
            )
            .with(level(scale.from, x, y).edged(Token::Ink, px(4)).round()),
    );
    panel.parts.extend(failure_ticks(stage, &scale, y));
    let playhead = Mark::circle(Point::new(x, y), px(8))
        .filled(Token::Ink)
        .edged(Token::Sheet, px(3));
    panel
        .parts
        .push(Part::new("axis/playhead", Role::Playhead).with(playhead));
    let number = |count: usize| Arg::Number(i64::try_from(count).unwrap_or(i64::MAX));
    let args = [("n", number(now)), ("m", number(scale.cycles))];
    let says = stage.text(Key::TCycleOf, &args);
    let time = moment_text(stage.still.at.as_micros());
    let bold = TextStyle::sans(12).bold().end();
    let most = scale.to - scale.from - measure::width(&time, &bold) - px(8);
    panel.parts.push(
        Part::new("axis/ends", Role::Legend)
            .with(fitted(
                scale.from,
                y + px(24),
                &says,
                TextStyle::sans(12),
                most,
                Token::Soft,
            ))
            .with(words(scale.to, y + px(24), time, bold, Token::Ink)),
    );
    panel
}

/// A tick above the axis for each failure, as long as they can be told apart.
fn failure_ticks(stage: &Stage<'_>, scale: &Scale, y: Px) -> Vec<Part> {
    let mut ticks = Vec::new();
    let mut last = Px(i32::MIN / 2);
    for span in stage.film.cycles() {
        let Outcome::Failed(moment) = span.outcome else {
            continue;
        };
        let at = scale.after(span.number);
        if at - last < px(3) {
            continue;
        }
        last = at;
        let fade = if moment > stage.still.moment { 45 } else { 100 };
        ticks.push(
            Part::new(format!("axis/failed/{}", span.number), Role::Event)
                .labelled(super::axis::cycle_label(stage, span))
                .does(Action::Seek { moment: span.end })
                .traced(moment)
                .with(
                    upright(at, y - px(16), y - px(8))
                        .edged(Token::Unsched, px(2))
                        .faded(fade),
                ),
        );
    }
    ticks
}
