//! Nodes folded by verdict, on a phone.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, gate_link, signed};
use crate::picture::verdicts::Row;

use super::super::berths::{BerthStyle, berth};
use super::super::brush::{cross_lines, fitted, words};
use super::super::groups::{Group, Kind, groups, rope_pitch};
use super::super::landing::Course;
use super::super::score::Board;
use super::super::stage::Stage;
use super::super::threads::way;
use super::super::zones::{gauge_row_count, gauges_in};
use super::{Frame, Post, chosen_way, gate_lines, turn};

/// Nodes folded by verdict: one way a group, its words and gauges at the right. Returns where it ends.
pub(super) fn folded(stage: &Stage<'_>, frames: &Frame, room: Px, panel: &mut Panel) -> Px {
    let (from, to) = frames.nodes;
    let pitch = rope_pitch(stage.sift.rows.len());
    let heights: Vec<(Group<'_>, Px, Px)> = groups(stage)
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
    // What is left of the height stands between the groups.
    let all = heights
        .iter()
        .fold(TOP, |sum, (_, height, _)| sum + *height);
    let count = i32::try_from(heights.len()).unwrap_or(1).max(1);
    let gap = (room - all).over(count).min(px(40)).max(px(6));
    let mut y = TOP;
    let mut placed: Vec<(Group<'_>, Px, Px)> = Vec::new();
    for (group, height, rope) in heights {
        placed.push((group, y + height.half(), rope));
        y += height + gap;
    }
    let middle = TOP + (y - TOP).half();
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
    text_height(group, width) + px(18).each(gauge_row_count(&group.rows, width))
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
    let text = text_height(group, to - from);
    let mut part = Part::new(format!("group/{}", group.id), Role::Group)
        .labelled(format!("{} {}", group.title, group.detail))
        .does(Action::OpenGroup {
            group: group.id.clone(),
        });
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
