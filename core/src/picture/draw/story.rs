//! The stage as a story: one row a node, the gates that ran, the scores, the pod on its way to its berth.

use alloc::format;
use alloc::vec::Vec;

use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{
    Action, Flight, Form, Mark, Panel, Part, Role, Segment, TextStyle, View,
};
use crate::picture::sentences::{Arg, Key};
use crate::picture::verdicts::GateKind;

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
        panel
            .parts
            .extend(course.steps(stage, &columns, &mut space));
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
    panel.parts.extend(start_here(stage, &rows, &posts));
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

/// On the first screen: where to begin.
fn start_here(stage: &Stage<'_>, rows: &Rows, posts: &[Post]) -> Option<Part> {
    if stage.shot.view != View::Open || stage.finds {
        return None;
    }
    let (gate, info) = stage.sift.cuts().last()?;
    let cut = |row: &crate::picture::verdicts::Row| row.verdict.gate() == Some(gate);
    let places: Vec<usize> = (0..stage.sift.rows.len())
        .filter(|place| stage.sift.rows.get(*place).is_some_and(cut))
        .collect();
    let place = places
        .get(places.len().min(3).div_ceil(2))
        .or_else(|| places.first())?;
    let post = posts.iter().find(|post| post.gate == gate)?;
    let center = Point::new(post.x, rows.y(*place));
    let says = stage.label(Key::StartHere);
    let style = TextStyle::sans(12).bold();
    let width = crate::picture::measure::width(&says, &style) + px(24);
    let room = stage.shot.width - stage.margin() - px(364) - center.x;
    let (from, line_to) = if room >= width + px(44) || stage.form == Form::Wide {
        (center.x + px(30), center.x + px(14))
    } else {
        (center.x - px(30) - width, center.x - px(14))
    };
    let bubble = Rect::new(from, center.y - px(14), width, px(28));
    let edge = if from > center.x {
        bubble.x
    } else {
        bubble.right()
    };
    let row = stage.sift.rows.get(*place)?;
    Some(
        Part::new("open/start", Role::Note)
            .link(crate::picture::sentences::gate_link(&info.name))
            .labelled(says.clone())
            .does(Action::OpenCell {
                node: row.node.name.as_ref().into(),
                plugin: info.name.clone(),
            })
            .with(Mark::rect(Rect::around(center, px(28), px(28)), px(8)).edged(Token::Ink, px(2)))
            .with(
                Mark::path(alloc::vec![
                    Segment::Move(Point::new(line_to, center.y)),
                    Segment::Line(Point::new(edge, center.y)),
                ])
                .edged(Token::Ink, px(2)),
            )
            .with(Mark::rect(bubble, px(6)).filled(Token::Ink))
            .with(words(
                bubble.x + px(12),
                center.y + px(4),
                says,
                style,
                Token::Paper,
            )),
    )
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
    let all = stage.whole.gates.len();
    let style = TextStyle::sans(12).underlined();
    if stage
        .whole
        .gates
        .iter()
        .any(|gate| gate.kind == GateKind::Skipped)
    {
        let n = Arg::Number(i64::try_from(all).unwrap_or(0));
        let says = stage.text(Key::Unfold, &[("n", n)]);
        let x = columns.gates.0 + (columns.filter_end - columns.gates.0).share(38, 100);
        let mark = words(x, y + px(16), says, style, Token::Ink);
        space.take(mark.bounds());
        parts.push(
            Part::new("more/plugins", Role::Note)
                .does(Action::Unfold)
                .with(mark),
        );
    }
    if stage.finds
        && stage
            .attempt
            .as_ref()
            .is_some_and(|attempt| attempt.scores.is_some())
    {
        let says = stage.label(Key::OpenNumbers);
        let mark = words(columns.score, y + px(32), says, style, Token::Ink);
        let mark = if space.is_free(&mark.bounds().moved(Px::ZERO, -px(16))) {
            words(
                columns.score,
                y + px(16),
                stage.label(Key::OpenNumbers),
                style,
                Token::Ink,
            )
        } else {
            mark
        };
        space.take(mark.bounds());
        parts.push(
            Part::new("more/numbers", Role::Note)
                .does(Action::Numbers)
                .with(mark),
        );
    }
    let bounds = (columns.turn.0, columns.filter_end);
    parts.push(foot_names(stage, posts, y, bounds, space));
    parts
}

/// The middle of the first row.
const FIRST_ROW: Px = px(135);
/// From the last row's middle to the bottom, below the names of the gates and what the segments of scores mean.
const FOOT: Px = px(74);
