//! Scores as stacked segments, a plugin each, with the total above; the winner's in its hue.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::trace::TieRule;
use crate::order::SortedMap;
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Part, Role, Shape, TextStyle};
use crate::picture::sentences::{Arg, Key, node_link, signed};

use super::brush::{Space, fitted, upright, words};
use super::pod::colors;
use super::rows::Rows;
use super::stage::{Columns, Stage};

/// What a column of scores adds up to, plugin by plugin.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Board {
    /// The segments: a short name, and the plugin.
    pub(in crate::picture) segments: Vec<(String, String)>,
    /// By node: the weighted points of each segment, and the total.
    pub(in crate::picture) nodes: SortedMap<Arc<str>, (Vec<i64>, i64)>,
}

impl Board {
    /// The scores of an attempt; `None` when nothing was scored.
    #[must_use]
    pub(in crate::picture) fn of(stage: &Stage<'_>) -> Option<Self> {
        let scores = stage.attempt.as_ref()?.scores?;
        let mut segments = Vec::new();
        let mut columns: Vec<Vec<i64>> = Vec::new();
        for column in scores.columns {
            let points: Vec<i64> = column
                .normalized
                .iter()
                .map(|score| score.saturating_mul(column.weight))
                .collect();
            if points.iter().any(|points| *points != 0) {
                segments.push((
                    segment_name(stage, column.plugin.0),
                    column.plugin.to_string(),
                ));
                columns.push(points);
            }
        }
        if scores.extenders.iter().any(|points| *points != 0) {
            segments.push((stage.label(Key::SegExtenders), "extenders".to_string()));
            columns.push(scores.extenders.to_vec());
        }
        let nodes = scores.nodes.iter().enumerate().map(|(place, node)| {
            let points = columns
                .iter()
                .map(|column| column.get(place).copied().unwrap_or(0));
            let total = scores.totals.get(place).copied().unwrap_or(0);
            (node.clone(), (points.collect(), total))
        });
        Some(Self {
            segments,
            nodes: nodes.collect(),
        })
    }

    /// The best total of any node but these.
    #[must_use]
    pub(in crate::picture) fn best_but(&self, node: &str) -> Option<i64> {
        let others = self.nodes.iter().filter(|(name, _)| ***name != *node);
        others.map(|(_, (_, total))| *total).max()
    }

    /// The segment in which a node is furthest ahead of the best of the others, with both points.
    #[must_use]
    pub(in crate::picture) fn won_by(&self, node: &str) -> Option<(usize, i64, i64)> {
        let (own, _) = self.nodes.get(node)?;
        let best = self.best_but(node)?;
        let rivals: Vec<&Vec<i64>> = self
            .nodes
            .iter()
            .filter(|(name, (_, total))| ***name != *node && *total == best)
            .map(|(_, (points, _))| points)
            .collect();
        own.iter()
            .enumerate()
            .filter_map(|(place, points)| {
                let rival = rivals.iter().filter_map(|rival| rival.get(place)).max()?;
                (points > rival).then_some((place, *points, *rival))
            })
            .max_by_key(|(_, own, rival)| own - rival)
    }

    /// How wide a point is: 0.17 px, or less where that would not fit.
    #[must_use]
    pub(in crate::picture) fn scale(&self, room: Px) -> (i64, i64) {
        let most = self
            .nodes
            .values()
            .map(|(_, total)| *total)
            .max()
            .unwrap_or(0);
        let wide = Px(17).share(most, 10);
        if wide <= room || most <= 0 {
            (17, 100)
        } else {
            (i64::from(room.0), most.saturating_mul(10).max(1))
        }
    }
}

/// A Score plugin where there is little room.
#[must_use]
pub(in crate::picture) fn segment_name(stage: &Stage<'_>, plugin: &str) -> String {
    let key = match plugin {
        "TaintToleration" => Key::SegTaints,
        "NodeResourcesBalancedAllocation" => Key::SegBalance,
        "NodeResourcesFit" => Key::SegRoom,
        "ImageLocality" => Key::SegImages,
        "InterPodAffinity" => Key::SegPods,
        "NodeAffinity" => Key::SegAffinity,
        "PodTopologySpread" => Key::SegSpread,
        "VolumeBinding" => Key::SegVolumes,
        "DynamicResources" => Key::SegDevices,
        _ => return plugin.to_string(),
    };
    stage.label(key)
}

/// How strong the segment at a place is, of `count`.
#[must_use]
pub(in crate::picture) fn strength(place: usize, count: usize) -> u8 {
    let steps: &[u8] = match count {
        0..=3 => &[82, 52, 26],
        4 => &[82, 60, 40, 22],
        _ => &[82, 66, 52, 38, 26],
    };
    steps.get(place % steps.len()).copied().unwrap_or(26)
}

/// The bar of one node.
pub(in crate::picture) fn bar(
    board: &Board,
    node: &str,
    at: Rect,
    token: Token,
    fade: u8,
    scale: (i64, i64),
) -> (Vec<Mark>, Vec<Rect>) {
    let Some((points, _)) = board.nodes.get(node) else {
        return (Vec::new(), Vec::new());
    };
    let mut marks = Vec::new();
    let mut places = Vec::new();
    let mut x = at.x;
    for (place, points) in points.iter().enumerate() {
        let width = px(1).share(points.max(&0) * scale.0, scale.1);
        let segment = Rect::new(x, at.y, width, at.h);
        places.push(segment);
        let opacity = u16::from(strength(place, board.segments.len())) * u16::from(fade) / 100;
        if width > Px::ZERO {
            marks.push(
                Mark::rect(segment, Px::ZERO)
                    .filled(token)
                    .faded(u8::try_from(opacity).unwrap_or(100)),
            );
            x += width + px(1);
        }
    }
    (marks, places)
}

/// The scores of the story: a bar a node, totals above, and what decided.
pub(in crate::picture) fn scores(
    stage: &Stage<'_>,
    columns: &Columns,
    rows: &Rows,
    foot: Px,
    space: &mut Space,
) -> Vec<Part> {
    let Some(board) = Board::of(stage) else {
        return only_one(stage, columns, rows, space);
    };
    let beside = if rows.has_names_above() {
        px(16)
    } else {
        px(46)
    };
    let scale = board.scale(columns.bind - columns.score - beside);
    let chosen = stage.chosen().cloned();
    let height = px(18).min(rows.pitch - px(10));
    let mut parts = Vec::new();
    let mut won = None;
    for (place, row) in stage.sift.rows.iter().enumerate() {
        let name = &row.node.name;
        let Some((_, total)) = board.nodes.get(name) else {
            continue;
        };
        let y = rows.y(place);
        let is_chosen = chosen.as_ref() == Some(name);
        let at = Rect::new(columns.score, y - height.half(), Px::ZERO, height);
        let hue = stage.subject_facts().map(|facts| stage.badge(&facts).hue);
        let (token, fade) = match hue {
            Some(hue) if is_chosen => (colors(hue).1, 100),
            _ => (Token::Ink, 42),
        };
        let (marks, places) = bar(&board, name, at, token, fade, scale);
        let end = places.last().map_or(at.x, Rect::right);
        let mut part = Part::new(format!("score/{name}"), Role::Score)
            .link(node_link(name))
            .stepped(place)
            .labelled(score_says(&board, name));
        let ground = Rect::new(at.x, at.y - px(1), end - at.x + px(1), height + px(2));
        part.add(Mark::rect(ground, Px::ZERO).filled(Token::Paper));
        part.marks.extend(marks);
        if is_chosen {
            won = Some((y, places));
            part.links.push("win".to_string());
        }
        let style = TextStyle::sans(12).bold_if(is_chosen);
        let token = if is_chosen { Token::Ink } else { Token::Soft };
        if rows.has_names_above() {
            part.add(words(at.x, y - px(14), signed(*total), style, token));
            let x = at.x + measure::width(&signed(*total), &style) + px(6);
            part.marks.extend(says_beside(
                stage,
                &board,
                name,
                x,
                y - px(14),
                columns.bind,
            ));
        } else {
            let mark = words(end + px(6), y + px(4), signed(*total), style, token);
            if is_chosen {
                part.add(Mark::rect(mark.bounds().grown(px(2)), Px::ZERO).filled(Token::Paper));
            }
            part.add(mark);
        }
        space.take_texts(&part);
        space.take(ground);
        parts.push(part);
    }
    if let (Some((y, places)), Some(node)) = (won, &chosen) {
        let at = (y, places.as_slice(), height, foot);
        parts.extend(decided(stage, &board, node, at, columns, space));
    }
    parts
}

fn score_says(board: &Board, node: &str) -> String {
    let Some((points, total)) = board.nodes.get(node) else {
        return String::new();
    };
    let parts = board.segments.iter().zip(points);
    let parts: Vec<String> = parts
        .map(|((name, _), points)| format!("{name} {points}"))
        .collect();
    format!("{node} {total}: {}", parts.join(", "))
}

/// `wins by 2`, `ties`, `first of 4`.
fn says_beside(stage: &Stage<'_>, board: &Board, node: &str, x: Px, y: Px, to: Px) -> Option<Mark> {
    let attempt = stage.attempt.as_ref()?;
    let (choice, _, _) = attempt.choice?;
    let is_chosen = *choice.node == *node;
    let hue = stage.subject_facts().map(|facts| stage.badge(&facts).hue);
    let tied = choice.tied.len();
    let (says, style, token) = if is_chosen && tied > 1 {
        let says = stage.text(
            match choice.tie_rule {
                TieRule::SearchOrder => Key::TieBesideFirst,
                TieRule::Seeded => Key::TieBesideSeed,
            },
            &[("n", Arg::Count(tied))],
        );
        (says, TextStyle::sans(12).bold(), colors(hue?).1)
    } else if is_chosen {
        let lead = choice.score - board.best_but(node)?;
        let says = stage.text(Key::WinsBy, &[("n", Arg::Number(lead))]);
        (says, TextStyle::sans(12).bold(), colors(hue?).1)
    } else if choice.tied.iter().any(|name| **name == *node) {
        (stage.label(Key::Ties), TextStyle::sans(12), Token::Soft)
    } else {
        return None;
    };
    Some(fitted(x, y, &says, style, to - x, token))
}

/// The segment that decided, framed and explained below its row if there is room.
fn decided(
    stage: &Stage<'_>,
    board: &Board,
    node: &str,
    (y, places, height, foot): (Px, &[Rect], Px, Px),
    columns: &Columns,
    space: &mut Space,
) -> Option<Part> {
    let (segment, own, rival) = board.won_by(node)?;
    let at = places.get(segment)?;
    let frame = Rect::new(at.x - Px(15), at.y - Px(25), at.w + px(3), height + px(5));
    let mut part = Part::new("score/decided", Role::Score)
        .link("win")
        .with(Mark::rect(frame, px(2)).edged(Token::Ink, Px(15)));
    let says = stage.text(
        Key::SegmentWon,
        &[
            ("segment", board.segments.get(segment)?.0.as_str().into()),
            ("a", Arg::Number(own)),
            ("b", Arg::Number(rival)),
        ],
    );
    let style = TextStyle::sans(12);
    let middle = frame.center().x;
    let width = measure::width(&says, &style);
    let x = (middle - width.half())
        .max(columns.score)
        .min(columns.nodes.0 - px(8) - width);
    let mark = words(x, y + height.half() + px(26), says, style, Token::Soft);
    let line = Rect::new(middle - px(1), frame.bottom(), px(2), px(10));
    if space.is_free(&mark.bounds().grown(px(1))) && space.is_free(&line) {
        space.take(mark.bounds());
        part.add(
            upright(middle, frame.bottom() + px(1), frame.bottom() + px(11))
                .edged(Token::Ink, px(1)),
        );
        part.add(mark);
    } else if let Shape::Text { text, .. } = mark.shape {
        // No room in place: the frame is explained with the other signs.
        let x = columns.score;
        let sign = Rect::new(x, foot + px(6), px(8), px(12));
        let mark = words(x + px(14), foot + px(16), text, style, Token::Soft);
        if space.claim(&mark) {
            part.add(Mark::rect(sign, px(2)).edged(Token::Ink, Px(15)));
            part.add(mark);
        }
    }
    Some(part)
}

/// With one feasible node nothing is scored.
fn only_one(stage: &Stage<'_>, columns: &Columns, rows: &Rows, space: &mut Space) -> Vec<Part> {
    let Some(chosen) = stage.chosen() else {
        return Vec::new();
    };
    let Some(place) = stage
        .sift
        .rows
        .iter()
        .position(|row| row.node.name == *chosen)
    else {
        return Vec::new();
    };
    let says = stage.label(Key::OnlyOne);
    let style = TextStyle::sans(12);
    let mark = words(
        columns.score,
        rows.y(place) - px(14),
        says,
        style,
        Token::Soft,
    );
    space.take(mark.bounds());
    alloc::vec![
        Part::new(format!("score/{chosen}"), Role::Score)
            .link("win")
            .with(mark)
    ]
}

/// The names of the segments, at the foot.
pub(in crate::picture) fn legend(stage: &Stage<'_>, x: Px, y: Px, to: Px) -> Option<Part> {
    let board = Board::of(stage)?;
    let mut part = Part::new("score/legend", Role::Legend);
    let mut at = Point::new(x, y);
    for (place, (name, _)) in board.segments.iter().enumerate() {
        let width = measure::width(name, &TextStyle::sans(12)) + px(14);
        if at.x + width > to && at.x > x {
            at = Point::new(x, at.y + px(16));
        }
        let swatch = Rect::new(at.x, at.y - px(9), px(10), px(10));
        let opacity = strength(place, board.segments.len());
        part.add(
            Mark::rect(swatch, Px::ZERO)
                .filled(Token::Ink)
                .faded(opacity),
        );
        part.add(words(
            at.x + px(14),
            at.y,
            name.as_str(),
            TextStyle::sans(12),
            Token::Soft,
        ));
        at.x += width + px(14);
    }
    Some(part)
}
