//! The whole time axis: a block an attempt with its pod's code, failures below, activeQ's depth above, queue moves and
//! preemptions named, instants at the foot, the playhead through all of it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, moment_text};
use crate::picture::timeline::{CycleSpan, Outcome, QueueMove};

use super::axis::{Scale, cycle_label, failure_mark, is_preempting, move_label, preemptions};
use super::brush::{Space, level, upright, words};
use super::pod::{body, colors, shape};
use super::stage::Stage;

/// Draws the axis into a frame, between two edges.
#[inline(never)]
pub(in crate::picture) fn full(stage: &Stage<'_>, frame: Rect, from: Px, to: Px) -> Panel {
    let scale = Scale {
        from,
        to,
        cycles: stage.film.cycles().len(),
    };
    let mut panel = Panel::at(frame);
    panel.parts.push(depth(stage, scale));
    if scale.pitch() >= px(2) {
        panel.parts.extend(blocks(stage, scale));
        panel.parts.extend(failures(stage, scale));
    } else {
        panel.parts.extend(binned(stage, scale));
    }
    let mut space = Space::default();
    panel.parts.extend(moves(stage, scale, &mut space));
    panel.parts.extend(preemptions(
        stage,
        scale,
        scale.pitch().half(),
        FAILURES + px(5),
    ));
    panel.parts.extend(instants(stage, scale, frame.h));
    panel.parts.push(playhead(stage, scale, frame.h));
    panel
}

/// How deep activeQ was at each attempt, as a curve 20 px high.
fn depth(stage: &Stage<'_>, scale: Scale) -> Part {
    let cycles = stage.film.cycles();
    let most = cycles
        .iter()
        .map(|span| span.depth)
        .max()
        .unwrap_or(0)
        .max(1);
    let height = |depth: usize| {
        let part = i64::try_from(depth).unwrap_or(0);
        DEPTH_FOOT - px(20).share(part, i64::try_from(most).unwrap_or(1))
    };
    let stride = cycles.len().div_ceil(600).max(1);
    let mut line: Vec<Point> = Vec::new();
    for (place, span) in cycles.iter().enumerate().step_by(stride) {
        line.push(Point::new(scale.after(place), height(span.depth)));
    }
    if let Some(last) = cycles.last() {
        line.push(Point::new(scale.to, height(last.depth)));
    }
    let path = |points: &[Point]| -> Vec<Segment> {
        let mut segments: Vec<Segment> = points.iter().map(|p| Segment::Line(*p)).collect();
        if let (Some(first), Some(point)) = (segments.first_mut(), points.first()) {
            *first = Segment::Move(*point);
        }
        segments
    };
    let mut area = path(&line);
    area.push(Segment::Line(Point::new(scale.to, DEPTH_FOOT)));
    area.push(Segment::Line(Point::new(scale.from, DEPTH_FOOT)));
    area.push(Segment::Close);
    let mut part = Part::new("axis/depth", Role::Note)
        .with(Mark::path(area).filled(Token::Wash))
        .with(Mark::path(path(&line)).edged(Token::Soft, px(1)))
        .with(level(scale.from, scale.to, DEPTH_FOOT).edged(Token::Line, px(1)));
    let first = cycles.first().map_or(0, |span| span.depth);
    let says = stage.text(Key::TActive, &[("n", Arg::Number(as_number(first)))]);
    let style = TextStyle::sans(12);
    let head = playhead_x(stage, scale);
    let from = scale.from + px(2);
    // Right of the playhead and its number where they would be in the way.
    let x = if head < from + measure::width(&says, &style) + px(8) {
        head + px(40)
    } else {
        from
    };
    part.add(words(x, DEPTH_FOOT - px(24), says, style, Token::Soft));
    part
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn blocks(stage: &Stage<'_>, scale: Scale) -> Vec<Part> {
    let now = stage.film.cycle_at(stage.still.moment);
    let mut parts = Vec::new();
    for (place, span) in stage.film.cycles().iter().enumerate() {
        let is_ahead = now.is_none_or(|now| place > now);
        let x = scale.after(place) + px(1).half();
        let at = Rect::new(x, BLOCKS, (scale.pitch() - px(1)).max(Px(15)), px(18));
        let mut part = Part::new(format!("axis/cycle/{}", span.number), Role::Cycle)
            .labelled(cycle_label(stage, span))
            .does(Action::Seek { moment: span.end })
            .traced(span.start);
        if let Some(facts) = &span.facts {
            let badge = stage.badge(facts);
            if is_ahead && scale.pitch() >= px(6) {
                let edge = colors(badge.hue).1;
                let at = at.grown(-Px(5));
                part.add(shape(badge.corner, at).edged(edge, px(1)).dashed(2, 2));
            } else if scale.pitch() >= px(6) {
                let mut badge = badge.clone();
                badge.is_doubled = false;
                part.marks.extend(body(&badge, at));
            } else {
                let fill = if is_ahead {
                    Token::Line
                } else {
                    colors(badge.hue).0
                };
                part.add(Mark::rect(at, Px::ZERO).filled(fill));
            }
            if at.w >= px(18) {
                let style = TextStyle::sans(12).middle();
                let token = if is_ahead { Token::Soft } else { Token::Ink };
                let center = at.center();
                part.add(words(center.x, center.y + px(4), badge.code, style, token));
            }
        }
        parts.push(part);
    }
    parts
}

fn failures(stage: &Stage<'_>, scale: Scale) -> Vec<Part> {
    let mut parts = Vec::new();
    for (place, span) in stage.film.cycles().iter().enumerate() {
        let Outcome::Failed(moment) = span.outcome else {
            continue;
        };
        if is_preempting(stage, span) {
            continue;
        }
        let center = Point::new(scale.after(place) + scale.pitch().half(), FAILURES + px(5));
        let is_ahead = moment > stage.still.moment;
        let mut part = Part::new(format!("axis/failed/{}", span.number), Role::Event)
            .labelled(cycle_label(stage, span))
            .does(Action::Seek { moment: span.end })
            .traced(moment);
        if scale.pitch() >= px(8) {
            part.marks.extend(failure_mark(center, px(10), is_ahead));
        } else {
            let line = upright(center.x, center.y - px(4), center.y + px(4));
            part.add(line.edged(Token::Unsched, px(2)));
        }
        parts.push(part);
    }
    parts
}

/// More attempts than fit: stretches of 3 px, filled as far as attempts in them failed.
fn binned(stage: &Stage<'_>, scale: Scale) -> Vec<Part> {
    let cycles = stage.film.cycles();
    let bins = (scale.to - scale.from).fits(px(3)).max(1);
    let now = stage.film.cycle_at(stage.still.moment).unwrap_or(0);
    let mut counts = alloc::vec![(0_i64, 0_i64); bins];
    for (place, span) in cycles.iter().enumerate() {
        let bin = place * bins / cycles.len().max(1);
        if let Some((all, failed)) = counts.get_mut(bin) {
            *all += 1;
            *failed += i64::from(matches!(span.outcome, Outcome::Failed(_)));
        }
    }
    let mut done = Part::new("axis/cycles", Role::Cycle);
    let mut failed = Part::new("axis/failures", Role::Event);
    for (bin, (all, bad)) in counts.into_iter().enumerate() {
        let x = scale.from + px(3).each(bin);
        let is_ahead = bin * cycles.len().max(1) / bins > now;
        let token = if is_ahead { Token::Line } else { Token::Soft };
        done.add(
            Mark::rect(Rect::new(x, BLOCKS, Px(25), px(18)), Px::ZERO)
                .filled(token)
                .faded(45),
        );
        if bad > 0 {
            let h = px(2) + px(9).share(bad, all.max(1));
            let at = Rect::new(x, FAILURES, Px(25), h);
            failed.add(Mark::rect(at, Px::ZERO).filled(Token::Unsched));
        }
    }
    alloc::vec![done, failed]
}

/// Queue moves as rings, each with its name once where there is room; the rest as a count.
fn moves(stage: &Stage<'_>, scale: Scale, space: &mut Space) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut clusters: Vec<(Px, Vec<&QueueMove>)> = Vec::new();
    for queue_move in stage.film.moves() {
        let x = scale.after(queue_move.cycles);
        match clusters.last_mut() {
            Some((at, moves)) if x - *at < px(10) => moves.push(queue_move),
            _ => clusters.push((x, alloc::vec![queue_move])),
        }
    }
    let style = TextStyle::sans(12);
    for (x, moves) in clusters {
        let Some(first) = moves.first() else {
            continue;
        };
        let is_ahead = first.moment > stage.still.moment;
        let y = FAILURES + px(5);
        let ring = Mark::circle(Point::new(x, y), px(4))
            .filled(Token::Sheet)
            .edged(Token::Backoff, px(2));
        let mut says = move_label(stage, first);
        if moves.len() > 1 {
            let more = [("n", Arg::Number(as_number(moves.len() - 1)))];
            says = format!("{says} {}", stage.text(Key::TPlus, &more));
        }
        let mut part = Part::new(format!("axis/move/{}", first.moment), Role::Event)
            .labelled(says.clone())
            .does(Action::Seek {
                moment: first.moment,
            })
            .traced(first.moment)
            .with(if is_ahead { ring.dashed(2, 2) } else { ring });
        let width = measure::width(&says, &style);
        let head = playhead_x(stage, scale);
        let centred = (x - width.half()).max(scale.from).min(scale.to - width);
        // Beside the playhead where the name would lie under it.
        let left = if centred > head + px(6) || centred + width < head - px(6) {
            centred
        } else if x >= head {
            head + px(8)
        } else {
            head - px(8) - width
        };
        let fits = left >= scale.from && left + width <= scale.to;
        let token = if is_ahead { Token::Soft } else { Token::Ink };
        let mark = words(left, NAMES, says, style, token);
        if fits && space.claim(&Mark::rect(mark.bounds().grown(px(6)), Px::ZERO)) {
            part.add(upright(x, y + px(5), NAMES - px(11)).edged(Token::Backoff, px(1)));
            part.add(mark);
        }
        parts.push(part);
    }
    parts
}

/// The instants at the foot, where they change and where there is room.
fn instants(stage: &Stage<'_>, scale: Scale, h: Px) -> Vec<Part> {
    let style = TextStyle::sans(12).middle();
    let foot = h - px(32);
    let mut part = Part::new("axis/instants", Role::Legend)
        .with(level(scale.from, scale.to, foot).edged(Token::Line, px(1)));
    let mut last_end = Px(i32::MIN / 2);
    let mut last_at = None;
    let now = playhead_x(stage, scale);
    let clock = measure::width(
        &moment_text(stage.still.at.as_micros()),
        &TextStyle::sans(12).bold(),
    );
    let taken = (now - clock.half() - px(14), now + clock.half() + px(14));
    for (place, span) in stage.film.cycles().iter().enumerate() {
        let text = moment_text(rounded(span));
        if last_at.as_ref() == Some(&text) {
            continue;
        }
        let x = scale.after(place);
        let half = measure::width(&text, &style).half();
        let left = (x - half).max(scale.from);
        if left < last_end + px(40) || (left < taken.1 && left + half.times(2) > taken.0) {
            continue;
        }
        part.add(upright(x, foot, foot + px(5)).edged(Token::Soft, px(1)));
        part.add(words(
            left + half,
            foot + px(17),
            text.as_str(),
            style,
            Token::Soft,
        ));
        last_end = left + half.times(2);
        last_at = Some(text);
    }
    alloc::vec![part]
}

/// Instants at the foot are rounded to a tenth of a second.
fn rounded(span: &CycleSpan) -> i64 {
    span.at.as_micros() / 100_000 * 100_000
}

fn playhead_x(stage: &Stage<'_>, scale: Scale) -> Px {
    let place = stage.film.cycle_at(stage.still.moment);
    place.map_or(scale.from, |place| {
        scale.after(place) + scale.pitch().half()
    })
}

fn playhead(stage: &Stage<'_>, scale: Scale, h: Px) -> Part {
    let x = playhead_x(stage, scale);
    let time = moment_text(stage.still.at.as_micros());
    let style = TextStyle::sans(12).bold().middle();
    let width = measure::width(&time, &style) + px(16);
    let left = (x - width.half())
        .max(Px::ZERO)
        .min(scale.to + px(30) - width);
    let foot = h - px(29);
    let mut part = Part::new("axis/playhead", Role::Playhead)
        .labelled(time.clone())
        .with(upright(x, px(12), BLOCKS - px(3)).edged(Token::Ink, px(2)))
        .with(upright(x, BLOCKS + px(21), foot).edged(Token::Ink, px(2)));
    let is_on_block = stage.film.cycle_at(stage.still.moment).is_some();
    if scale.pitch() >= px(6) && is_on_block {
        let around = Rect::around(Point::new(x, BLOCKS + px(9)), scale.pitch() + px(2), px(24));
        part.add(Mark::rect(around, px(5)).edged(Token::Ink, px(2)));
    }
    let depth: String = format!("{}", stage.still.active);
    part.add(words(
        x + px(6),
        px(24),
        depth,
        TextStyle::sans(12).bold(),
        Token::Ink,
    ));
    let ground = Rect::new(left, foot, width, px(18));
    part.add(Mark::rect(ground, px(4)).filled(Token::Ink));
    part.add(words(
        left + width.half(),
        foot + px(13),
        time,
        style,
        Token::Paper,
    ));
    part
}

/// The foot of the depth curve.
const DEPTH_FOOT: Px = px(46);
/// The top of the blocks.
const BLOCKS: Px = px(52);
/// The top of the signs of failures.
const FAILURES: Px = px(74);
/// The baseline of the names of moves.
const NAMES: Px = px(102);
