//! Nodes folded by verdict, on a phone.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::framework::reason::Reason;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, amount, gate_link, node_link, shortage, signed};
use crate::picture::verdicts::{Row, Verdict};

use super::super::berths::{BerthStyle, berth, room};
use super::super::brush::{cross_lines, fitted, upright, words};
use super::super::fold::triangle;
use super::super::groups::{Group, Kind, groups, opened_among, rope_pitch};
use super::super::landing::Course;
use super::super::score::Board;
use super::super::stage::Stage;
use super::super::threads::way;
use super::super::zones::{gauge_row_count, gauges_in, more};
use super::{Frame, Post, chosen_way, gate_lines, turn};

/// Nodes folded by verdict: one way a group, its words and gauges at the right. Returns where it ends.
pub(super) fn folded(stage: &Stage<'_>, frames: &Frame, room: Px, panel: &mut Panel) -> Px {
    let pitch = rope_pitch(stage.sift.rows.len());
    let Places {
        placed,
        open,
        mut nodes,
        middle,
        end,
    } = place(stage, frames, room);
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
    for (place, (group, y, _)) in placed.iter().enumerate() {
        let is_open = open == Some(place);
        let parts = group_words(stage, frames, (group, is_open), *y, start);
        panel.parts.extend(parts);
        if is_open {
            panel.parts.append(&mut nodes);
        }
    }
    panel.parts.extend(turn(stage, frames, middle));
    end
}

/// Where groups stand.
struct Places<'a> {
    /// Each group, the middle of its rope, and how high that is.
    placed: Vec<(Group<'a>, Px, Px)>,
    /// The one that is open.
    open: Option<usize>,
    /// Its nodes.
    nodes: Vec<Part>,
    /// Where the pod stands: halfway down when no group is open.
    middle: Px,
    /// Where the last group ends.
    end: Px,
}

/// Puts groups one below another, with what is left of the height between them as if none were open: those above the one
/// that is stay where they were.
fn place<'a>(stage: &'a Stage<'_>, frames: &Frame, room: Px) -> Places<'a> {
    let (from, to) = frames.nodes;
    let pitch = rope_pitch(stage.sift.rows.len());
    let all = groups(stage);
    let open = opened_among(&all, stage);
    let heights: Vec<(Group<'_>, Px, Px)> = all
        .into_iter()
        .map(|group| {
            let rope = pitch.each(group.rows.len()).max(px(3));
            let height = match group.kind {
                Kind::Chosen => px(64),
                _ => words_height(&group, to - from).max(rope + px(10)),
            };
            (group, height, rope)
        })
        .collect();
    let all = heights
        .iter()
        .fold(TOP, |sum, (_, height, _)| sum + *height);
    let count = i32::try_from(heights.len()).unwrap_or(1).max(1);
    let gap = (room - all).over(count).min(px(40)).max(px(6));
    let (mut y, mut unfolded) = (TOP, Px::ZERO);
    let mut placed = Vec::new();
    let mut nodes = Vec::new();
    for (number, (group, height, rope)) in heights.into_iter().enumerate() {
        let middle = y + height.half();
        y += height;
        if let Some((_, shown)) = open.filter(|(open, _)| *open == number) {
            let below = middle + words_height(&group, to - from).half() + px(4);
            nodes.extend(opened(stage, &group, shown, (from, to), below));
            unfolded = (below + opened_height(&group, shown) - y).max(Px::ZERO);
            y += unfolded;
        }
        placed.push((group, middle, rope));
        y += gap;
    }
    Places {
        placed,
        open: open.map(|(open, _)| open),
        nodes,
        middle: TOP + (y - unfolded - TOP).half(),
        end: y,
    }
}

/// How high the words and gauges of a group are: at least as high as a finger needs.
fn words_height(group: &Group<'_>, width: Px) -> Px {
    let gauges = px(18).each(gauge_row_count(&group.rows, width));
    (text_height(group, width) + gauges).max(FINGER)
}

/// How high the words alone are.
fn text_height(group: &Group<'_>, width: Px) -> Px {
    let lines = title_lines(group, width).len() + usize::from(!group.detail.is_empty());
    px(4) + px(15).each(lines)
}

/// What a group is, in as many lines as that takes.
fn title_lines(group: &Group<'_>, width: Px) -> Vec<String> {
    measure::wrapped(&group.title, &TextStyle::sans(12).bold(), width)
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
        _ => frames.nodes.0 - px(17),
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
        let plugin = stage.sift.gate_name(gate);
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
    (group, is_open): (&Group<'_>, bool),
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
    let height = words_height(group, to - from);
    let top = y - height.half();
    let text = text_height(group, to - from);
    let left = from - px(13);
    // It is pointed at as a whole, triangle, words and gauges.
    let area = Rect::new(left, top, to - left, height);
    let mut part = Part::new(format!("group/{}", group.id), Role::Group)
        .labelled(format!("{} {}", group.title, group.detail))
        .does(group.action(is_open))
        .with(Mark::rect(area, px(4)))
        .with(triangle(Point::new(left, top + px(8)), is_open));
    let bold = TextStyle::sans(12).bold();
    let mut line = top + px(12);
    for title in title_lines(group, to - from) {
        part.add(fitted(from, line, &title, bold, to - from, token));
        line += px(15);
    }
    part.add(fitted(
        from,
        line,
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

/// The nodes of an opened group below its words: nearest miss first, each with its name, how near it came, and what is on
/// it; then how many more there are.
#[inline(never)]
fn opened(
    stage: &Stage<'_>,
    group: &Group<'_>,
    shown: usize,
    (from, to): (Px, Px),
    top: Px,
) -> Vec<Part> {
    let style = BerthStyle {
        has_memory: false,
        ..BerthStyle::new(stage, (to - from).share(75, 100), px(28), px(14))
    };
    let end = top + OPENED_ROW.each(shown);
    let line = upright(from - px(9), top + px(4), end - px(8)).edged(Token::Line, px(1));
    let mut parts = alloc::vec![Part::new(format!("open/{}", group.id), Role::Note).with(line)];
    for (place, row) in group.rows.iter().take(shown).enumerate() {
        let y = top + OPENED_ROW.each(place);
        let small = TextStyle::sans(12);
        let (says, token) = how_near(stage, row);
        let says = measure::shortened(&says, &small, (to - from).share(60, 100));
        let name_to = to - measure::width(&says, &small) - px(8);
        let mono = TextStyle::mono(12);
        let name = stage.node_label(&row.node.name, &mono, name_to - from);
        let part = Part::new(format!("node/{}", row.node.name), Role::Note)
            .link(node_link(&row.node.name))
            .with(words(from, y + px(14), name, mono, Token::Ink))
            .with(words(to, y + px(14), says, small.end(), token));
        parts.push(part);
        let at = Point::new(from, y + px(27));
        parts.extend(berth(stage, &row.node, at, style).1);
    }
    if group.rows.len() > shown {
        let at = Point::new(from, end + FINGER.half() + px(4));
        let mut part = more(stage, group, shown, at, to - from);
        let area = Rect::new(from - px(13), end, to - from + px(13), FINGER);
        part.marks.insert(0, Mark::rect(area, px(4)));
        parts.push(part);
    }
    parts
}

/// How high the nodes of an opened group are.
fn opened_height(group: &Group<'_>, shown: usize) -> Px {
    let rest = if group.rows.len() > shown {
        FINGER
    } else {
        Px::ZERO
    };
    OPENED_ROW.each(shown) + rest
}

/// What a node lacks; the score of one that fits; how full one is that something else rejected.
fn how_near(stage: &Stage<'_>, row: &Row) -> (String, Token) {
    if let Some(Reason::Insufficient { resource, .. }) = row.verdict.reason() {
        let short = row.verdict.reason().and_then(shortage).unwrap_or(0);
        let short = amount(resource, short);
        let says = stage.text(Key::DShort, &[("short", short.into())]);
        return (says, Token::Unsched);
    }
    let scores = Board::of(stage).filter(|_| row.verdict == Verdict::Passed);
    let total = scores.and_then(|board| board.nodes.get(&row.node.name).map(|(_, total)| *total));
    let says = match total {
        Some(total) => signed(total),
        None => room(stage, &row.node, Key::NodeCpu),
    };
    (says, Token::Soft)
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

/// Where the first group begins.
const TOP: Px = px(34);
/// From one node of an opened group to the next.
const OPENED_ROW: Px = px(40);
/// What a finger hits is at least as high as this.
const FINGER: Px = px(44);
