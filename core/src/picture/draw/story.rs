//! The stage as a story: one row a node, the gates that ran, the scores, the pod on its way to its berth.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Flight, Mark, Panel, Part, Role, TextStyle, View};
use crate::picture::sentences::{Arg, Key};
use crate::picture::verdicts::GateKind;

use super::begin::start_here;
use super::berths::{Berth, BerthStyle, berth, node_title, zones};
use super::brush::{Space, bottom_of, heading, words};
use super::gates::{Post, foot_names, gate_parts, place_posts};
use super::landing::Course;
use super::rows::Rows;
use super::score::{legend, scores};
use super::stage::{Columns, Stage};
use super::threads::Loom;
use super::turn::{TURN, links, turn};
use super::waiting::waiting;

/// A figure with the flight in it.
pub(in crate::picture) struct Figure {
    /// The figure.
    pub(in crate::picture) panel: Panel,
    /// The flight at the moment of a binding.
    pub(in crate::picture) flight: Option<Flight>,
}

/// Draws the story into a frame; the panel is as high as it needs to be.
pub(in crate::picture) fn story(stage: &Stage<'_>, frame: Rect) -> Figure {
    let columns = Columns::new(frame.w, stage.form, stage.finds);
    let room = (frame.h - FIRST_ROW - FOOT).max(px(80));
    let rows = Rows::new(&stage.sift.rows, FIRST_ROW, room, (px(46), px(24)), 35);
    let foot = rows.last() + px(29);
    let middle = rows.middle();
    let turn_at = Point::new(columns.turn.0 + px(4), middle);
    // What the pod asks for can be longer than few rows are high.
    let about = turn(stage, turn_at.x, middle, px(124));
    let below = if stage.finds { px(44) } else { px(20) };
    let height = (frame.h.max(foot + below)).max(bottom_of(&about) + px(8));
    let mut panel = Panel::at(Rect::new(frame.x, frame.y, frame.w, height));
    let mut space = Space::default();
    let start = Point::new(turn_at.x + TURN.0, middle);
    let posts = place_posts(&stage.whole, &stage.standing_gates(false), &columns);
    let loom = loom(&columns, start, &posts);
    let (berths, nodes) = nodes(stage, &columns, &rows, &mut space);
    let signs = stage
        .finds
        .then(|| legend(stage, columns.score, foot, columns.nodes.1))
        .flatten();
    if let Some(signs) = &signs {
        space.take_texts(signs);
    }
    let threads = loom.weave(stage, &rows, &mut space);
    let score = scores(stage, &columns, &rows, foot, &mut space);
    let course = course(stage, &rows, &loom, &berths);
    let style = BerthStyle::new(stage, columns.nodes.1 - columns.nodes.0, px(46), px(22));

    panel.parts.extend(headings(stage, &columns));
    let (anchors, waiting) = columns
        .waiting
        .map(|(from, to)| waiting(stage, from, to, height))
        .map(|column| (column.anchors, column.parts))
        .unwrap_or_default();
    panel.parts.extend(waiting);
    let reach = |_: &Post| rows.last() + px(14);
    let gates = gate_parts(stage, &columns, &posts, reach, px(108), &space);
    panel.parts.extend(gates);
    let flight = course
        .as_ref()
        .and_then(|course| course.flight(stage, style.scale));
    let trail = |course: &Course| course.trail(stage, style.scale, &posts, columns.score);
    panel.parts.extend(course.iter().flat_map(trail));
    panel.parts.extend(threads);
    panel.parts.extend(score);
    if let Some(course) = &course {
        let steps = course.steps(stage, &columns, &mut space);
        panel.parts.extend(steps);
    }
    panel.parts.extend(nodes);
    if let Some(course) = &course {
        let slot = course.slot(stage, style.scale, columns.nodes.1, &space);
        panel.parts.extend(slot);
    }
    let beside = px(25).min(rows.pitch.half() + px(4));
    let zones = zones(stage, &rows, columns.nodes.1 + px(8), beside);
    panel.parts.extend(zones);
    panel.parts.extend(about);
    if let Some((_, to)) = columns.waiting {
        panel.parts.extend(links(stage, &anchors, to, turn_at));
    }
    panel.parts.extend(start_here(stage, &rows, |gate| {
        Some(posts.iter().find(|post| post.gate == gate)?.x)
    }));
    panel.parts.extend(signs);
    panel
        .parts
        .extend(foot_parts(stage, &columns, &posts, foot, &mut space));
    Figure { panel, flight }
}

/// Where the threads run.
fn loom<'a>(columns: &Columns, start: Point, posts: &'a [Post]) -> Loom<'a> {
    Loom {
        start,
        reach: Loom::reach_of(start, columns),
        posts,
        end: columns.score,
        steps_from: columns.bind - px(14),
        gone_to: columns.nodes.0 - px(8),
        reason_to: columns.nodes.0 - px(16),
    }
}

/// The berths with their names: by row, and as parts.
fn nodes(
    stage: &Stage<'_>,
    columns: &Columns,
    rows: &Rows,
    space: &mut Space,
) -> (Vec<Berth>, Vec<Part>) {
    let (from, to) = columns.nodes;
    let is_above = rows.has_names_above();
    let names = px(118).min((to - from).share(45, 100));
    let x = if is_above { from } else { from + names };
    let height = if is_above {
        px(22).min(rows.pitch - px(22))
    } else {
        px(18).min(rows.pitch - px(7))
    };
    let style = BerthStyle::new(stage, to - x, px(46), height);
    let mut berths = Vec::new();
    let mut parts = Vec::new();
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let y = rows.y(place);
        let (berth, drawn) = berth(stage, &row.node, Point::new(x, y), style);
        space.take(berth.bar);
        parts.extend(drawn);
        if is_above {
            let title = node_title(
                stage,
                &row.node,
                Point::new(x, y - px(17)),
                to,
                if stage.shot.view == View::Open {
                    Key::NodeCpu
                } else {
                    Key::NodeRoom
                },
            );
            space.take_texts(&title);
            parts.push(title);
        } else {
            let is_chosen = stage.chosen() == Some(&row.node.name);
            let style = TextStyle::mono(12).bold_if(is_chosen);
            let name = stage.node_label(&row.node.name, &style, names - px(8));
            let mark = words(from, y + px(4), name, style, Token::Ink);
            space.take(mark.bounds());
            let mut part = Part::new(format!("node/{}", row.node.name), Role::Note)
                .link(crate::picture::sentences::node_link(&row.node.name));
            if is_chosen {
                // The way of the pod passes behind it.
                part.add(Mark::rect(mark.bounds().grown(px(2)), px(3)).filled(Token::Paper));
            }
            parts.push(part.with(mark));
        }
        berths.push(berth);
    }
    (berths, parts)
}

fn course(stage: &Stage<'_>, rows: &Rows, loom: &Loom<'_>, berths: &[Berth]) -> Option<Course> {
    let chosen = stage.chosen()?;
    let place = stage
        .sift
        .rows
        .iter()
        .position(|row| row.node.name == *chosen)?;
    Some(Course {
        start: loom.start,
        reach: loom.reach,
        y: rows.y(place),
        berth: *berths.get(place)?,
    })
}

pub(in crate::picture) fn headings(stage: &Stage<'_>, columns: &Columns) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some((from, to)) = columns.waiting {
        parts.push(heading("waiting", stage.label(Key::Waiting), from, to));
    }
    let (from, to) = columns.turn;
    parts.push(heading("turn", stage.label(Key::ItsTurn), from, to));
    let filter = if stage.finds {
        stage.label(if columns.filter_end - columns.gates.0 > px(190) {
            Key::FilterHead
        } else {
            Key::FilterHeadShort
        })
    } else {
        let n = Arg::Count(stage.still.nodes().len());
        stage.text(Key::FilterAsked, &[("n", n)])
    };
    parts.push(heading(
        "filter",
        filter,
        columns.gates.0,
        columns.filter_end,
    ));
    if stage.finds {
        let score = stage.label(Key::ScoreHead);
        parts.push(heading(
            "score",
            score,
            columns.score,
            columns.bind - px(16),
        ));
        let bind = stage.label(Key::BindHead);
        parts.push(heading(
            "bind",
            bind,
            columns.bind,
            columns.nodes.0 - px(20),
        ));
    }
    let (from, to) = columns.nodes;
    parts.push(heading("nodes", stage.label(Key::NodesHead), from, to));
    parts
}

/// Names of quiet gates, the meaning of segments, and ways to see more.
fn foot_parts(
    stage: &Stage<'_>,
    columns: &Columns,
    posts: &[Post],
    y: Px,
    space: &mut Space,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let style = TextStyle::sans(12).underlined();
    let mut more = |id: &str, x: Px, says: String, action: Action| {
        let mark = words(x, y + px(36), says, style, Token::Ink);
        space.take(mark.bounds());
        parts.push(Part::new(id, Role::Note).does(action).with(mark));
    };
    let has_skipped = (stage.whole.gates.iter()).any(|gate| gate.kind == GateKind::Skipped);
    // The first screen asks one thing alone.
    if has_skipped && stage.shot.view != View::Open {
        let n = Arg::Number(i64::try_from(stage.whole.rules()).unwrap_or(0));
        let says = stage.text(Key::Unfold, &[("n", n)]);
        let x = columns.gates.0 + (columns.filter_end - columns.gates.0).share(38, 100);
        more("more/plugins", x, says, Action::Unfold);
    }
    let scores = stage.attempt.as_ref().and_then(|attempt| attempt.scores);
    if stage.finds && scores.is_some() {
        let says = stage.label(Key::OpenNumbers);
        more("more/numbers", columns.score, says, Action::Numbers);
    }
    let bounds = (columns.turn.0, columns.filter_end);
    parts.push(foot_names(stage, posts, y, bounds, space));
    parts
}

/// The middle of the first row.
const FIRST_ROW: Px = px(135);
/// From the last row's middle to the bottom, below the names of the gates and what the segments of scores mean.
const FOOT: Px = px(74);
