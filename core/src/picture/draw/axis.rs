//! The time axis: one step an attempt, failures and queue moves marked, the instant below.
//!
//! Attempts take next to no time in a simulation, so the axis does not go by seconds: every attempt is equally wide, and
//! instants are written below where they change.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Form, Mark, Panel, Part, Role, Segment, TextStyle};
use crate::picture::sentences::{Arg, Key, moment_text};
use crate::picture::timeline::{CycleSpan, Outcome};

use super::brush::{cross_lines, level, upright, words};
use super::stage::Stage;

/// Where attempts stand on a line.
#[derive(Clone, Copy, Debug)]
pub(in crate::picture) struct Scale {
    /// Where the line begins.
    pub(in crate::picture) from: Px,
    /// Where it ends.
    pub(in crate::picture) to: Px,
    /// How many attempts there are.
    pub(in crate::picture) cycles: usize,
}

impl Scale {
    /// The place after `count` attempts.
    #[must_use]
    pub(in crate::picture) fn after(&self, count: usize) -> Px {
        let whole = i64::try_from(self.cycles.max(1)).unwrap_or(1);
        let part = i64::try_from(count.min(self.cycles)).unwrap_or(0);
        self.from + (self.to - self.from).share(part, whole)
    }

    /// How wide an attempt is.
    #[must_use]
    pub(in crate::picture) fn pitch(&self) -> Px {
        (self.to - self.from).share(1, i64::try_from(self.cycles.max(1)).unwrap_or(1))
    }
}

/// The thin scrubber of the story.
pub(in crate::picture) fn thin(stage: &Stage<'_>, frame: Rect) -> Panel {
    let (margin, clock) = (px(40), px(150));
    let (from, to) = match (stage.shot.has_controls, stage.form) {
        (false, _) => (margin, frame.w - margin - clock),
        (true, Form::Wide) => (px(348), frame.w - px(312)),
        (true, Form::Narrow) => (px(244), frame.w - px(272)),
        (true, Form::Phone) => (px(172), frame.w - px(20)),
    };
    let scale = Scale {
        from,
        to,
        cycles: stage.film.cycles().len(),
    };
    let y = px(38);
    let mut panel = Panel::at(frame);
    panel.parts.push(line(stage, scale, y, true));
    panel
        .parts
        .extend(failures(stage, scale, y - px(14), px(10)));
    panel.parts.extend(moves(stage, scale, y - px(14)));
    panel
        .parts
        .extend(preemptions(stage, scale, Px::ZERO, y - px(14)));
    panel.parts.push(playhead(stage, scale, y));
    panel.parts.push(ends(stage, scale, y + px(26)));
    if !stage.shot.has_controls {
        panel.parts.push(clock_part(stage, frame.w - margin, y));
    }
    panel
}

fn position(stage: &Stage<'_>) -> usize {
    stage
        .film
        .cycle_at(stage.still.moment)
        .map_or(0, |place| place + 1)
}

fn line(stage: &Stage<'_>, scale: Scale, y: Px, has_ticks: bool) -> Part {
    let mut part = Part::new("axis/line", Role::Note).with(
        level(scale.from, scale.to, y)
            .edged(Token::Line, px(4))
            .round(),
    );
    if has_ticks && scale.pitch() >= px(6) {
        for count in 1..=scale.cycles {
            let x = scale.after(count);
            part.add(upright(x, y - px(5), y + px(5)).edged(Token::Line, px(1)));
        }
    }
    let now = scale.after(position(stage));
    part.add(level(scale.from, now, y).edged(Token::Ink, px(4)).round());
    part
}

/// The sign of a failure: a red square with a cross, hollow while it is still ahead.
pub(in crate::picture) fn failure_mark(center: Point, side: Px, is_ahead: bool) -> Vec<Mark> {
    let at = Rect::around(center, side, side);
    if is_ahead {
        alloc::vec![
            Mark::rect(at.grown(-Px(5)), px(2)).edged(Token::Unsched, px(1)),
            cross_lines(center, px(2), Token::Unsched),
        ]
    } else {
        alloc::vec![
            Mark::rect(at, px(2)).filled(Token::Unsched),
            cross_lines(center, px(2), Token::Sheet),
        ]
    }
}

fn failures(stage: &Stage<'_>, scale: Scale, y: Px, side: Px) -> Vec<Part> {
    let failed: Vec<(&CycleSpan, usize)> = stage
        .film
        .cycles()
        .iter()
        .filter_map(|span| match span.outcome {
            Outcome::Failed(moment) if !is_preempting(stage, span) => Some((span, moment)),
            _ => None,
        })
        .collect();
    if scale.pitch() < px(2) {
        return density(stage, scale, &failed, y);
    }
    failed
        .into_iter()
        .map(|(span, moment)| {
            let is_ahead = moment > stage.still.moment;
            let mut part = Part::new(format!("axis/failed/{}", span.number), Role::Event)
                .labelled(cycle_label(stage, span))
                .does(Action::Seek { moment: span.end })
                .traced(moment);
            let center = Point::new(scale.after(span.number), y);
            if scale.pitch() >= px(6) {
                part.marks.extend(failure_mark(center, side, is_ahead));
            } else {
                let token = Token::Unsched;
                part.add(upright(center.x, y - px(4), y + px(4)).edged(token, px(2)));
            }
            part
        })
        .collect()
}

/// Too many attempts to mark each failure: how many there are in each stretch of 4 px.
#[inline(never)]
fn density(stage: &Stage<'_>, scale: Scale, failed: &[(&CycleSpan, usize)], y: Px) -> Vec<Part> {
    let bins = (scale.to - scale.from).fits(px(4)).max(1);
    let mut counts = alloc::vec![0_i64; bins];
    for (span, _) in failed {
        let bin = span.number.saturating_sub(1) * bins / stage.film.cycles().len().max(1);
        if let Some(count) = counts.get_mut(bin) {
            *count += 1;
        }
    }
    let most = counts.iter().copied().fold(1, i64::max);
    let mut part = Part::new("axis/failures", Role::Event);
    for (bin, count) in counts.into_iter().enumerate() {
        if count > 0 {
            let h = px(2) + px(8).share(count, most);
            let x = scale.from + px(4).each(bin);
            part.add(
                Mark::rect(Rect::new(x, y + px(5) - h, px(3), h), Px::ZERO).filled(Token::Unsched),
            );
        }
    }
    alloc::vec![part]
}

pub(in crate::picture) fn cycle_label(stage: &Stage<'_>, span: &CycleSpan) -> String {
    let outcome = match span.outcome {
        Outcome::Bound(_) => Key::TBound,
        Outcome::Failed(_) => Key::TFailed,
        Outcome::Open => Key::TOpen,
    };
    let name = span
        .facts
        .as_ref()
        .map_or_else(|| String::from(&*span.pod.name), |facts| facts.short_name());
    stage.text(
        Key::TCycleLabel,
        &[
            ("n", Arg::Number(as_number(span.number))),
            ("name", name.into()),
            ("outcome", stage.label(outcome).into()),
        ],
    )
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn moves(stage: &Stage<'_>, scale: Scale, y: Px) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut last: Option<Px> = None;
    for queue_move in stage.film.moves() {
        let x = scale.after(queue_move.cycles) + scale.pitch().half();
        if last.is_some_and(|last| x - last < px(8)) {
            continue;
        }
        last = Some(x);
        let is_ahead = queue_move.moment > stage.still.moment;
        let near = |place: usize| {
            let span = stage.film.cycles().get(place);
            let failed = span.is_some_and(|span| matches!(span.outcome, Outcome::Failed(_)));
            failed && (scale.after(place + 1) - x).max(x - scale.after(place + 1)) < px(10)
        };
        let around = queue_move.cycles.saturating_sub(2)..queue_move.cycles + 2;
        let y = if around.into_iter().any(near) {
            y - px(11)
        } else {
            y
        };
        let ring = Mark::circle(Point::new(x, y), px(4)).edged(Token::Backoff, px(2));
        let ring = if is_ahead { ring.dashed(2, 2) } else { ring };
        parts.push(
            Part::new(format!("axis/move/{}", queue_move.moment), Role::Event)
                .labelled(move_label(stage, queue_move))
                .does(Action::Seek {
                    moment: queue_move.moment,
                })
                .traced(queue_move.moment)
                .with(ring),
        );
    }
    parts
}

pub(in crate::picture) fn move_label(
    stage: &Stage<'_>,
    queue_move: &crate::picture::timeline::QueueMove,
) -> String {
    stage.text(
        Key::TMoved,
        &[
            ("event", queue_move.event.as_str().into()),
            ("name", String::from(&*queue_move.pod.name).into()),
            (
                "queue",
                super::lanes::place_name(stage, queue_move.to).into(),
            ),
        ],
    )
}

/// Whether preemption made room in an attempt: its lozenge then stands for the failure, too.
pub(in crate::picture) fn is_preempting(stage: &Stage<'_>, span: &CycleSpan) -> bool {
    let mut moments = stage.film.preemptions().iter();
    moments.any(|moment| (span.start..=span.end).contains(moment))
}

/// A lozenge for each preemption.
pub(in crate::picture) fn preemptions(
    stage: &Stage<'_>,
    scale: Scale,
    left: Px,
    y: Px,
) -> Vec<Part> {
    let moments = stage.film.preemptions().iter();
    moments
        .map(|moment| {
            let cycle = stage.film.cycle_at(*moment).map_or(0, |place| place + 1);
            let x = scale.after(cycle) - left;
            let p = |dx: i32, dy: i32| Point::new(x + px(dx), y + px(dy));
            let mark = Mark::path(alloc::vec![
                Segment::Move(p(-5, 0)),
                Segment::Line(p(0, -5)),
                Segment::Line(p(5, 0)),
                Segment::Line(p(0, 5)),
                Segment::Close,
            ])
            .edged(Token::Preempt, Px(16));
            let is_past = *moment <= stage.still.moment;
            Part::new(format!("axis/preempted/{moment}"), Role::Event)
                .labelled(stage.label(Key::TPreemption))
                .does(Action::Seek { moment: *moment })
                .traced(*moment)
                .with(if is_past {
                    mark.filled(Token::Preempt)
                } else {
                    mark.filled(Token::Sheet)
                })
        })
        .collect()
}

fn playhead(stage: &Stage<'_>, scale: Scale, y: Px) -> Part {
    let x = scale.after(position(stage));
    Part::new("axis/playhead", Role::Playhead).with(
        Mark::circle(Point::new(x, y), px(8))
            .filled(Token::Ink)
            .edged(Token::Sheet, px(3)),
    )
}

/// What stands below the line: where it begins, where it is, where it ends, and what the signs mean.
fn ends(stage: &Stage<'_>, scale: Scale, y: Px) -> Part {
    let style = TextStyle::sans(12);
    let mut part = Part::new("axis/ends", Role::Legend);
    let now = position(stage);
    let cycle = |n: usize| stage.text(Key::TCycle, &[("n", Arg::Number(as_number(n)))]);
    let here = cycle(now);
    let x = scale.after(now);
    let half = measure::width(&here, &style.bold()).half();
    let last = cycle(scale.cycles);
    let last_width = measure::width(&last, &style);
    let here_x = x.max(scale.from + half).min(scale.to - half);
    part.add(words(here_x, y, here, style.bold().middle(), Token::Ink));
    if here_x + half + px(12) < scale.to - last_width {
        part.add(words(scale.to, y, last, style.end(), Token::Soft));
    }
    if here_x - half > scale.from + px(34) {
        part.add(words(scale.from, y, "0 s", style, Token::Soft));
    }
    let legend = legend(stage);
    let width: Px = legend.iter().map(|(_, _, width)| *width + px(20)).sum();
    // It stands where it always stands, or not at all.
    let from = scale.from + px(60);
    if from + width <= here_x - half - px(16) {
        let mut x = from;
        for (marks, says, width) in legend {
            for mark in marks {
                part.add(moved(mark, x + px(5), y - px(4)));
            }
            part.add(words(x + px(16), y, says, style, Token::Soft));
            x += width + px(20);
        }
    }
    part
}

type Sign = (Vec<Mark>, String, Px);

/// The signs with their meaning, drawn around the origin.
fn legend(stage: &Stage<'_>) -> Vec<Sign> {
    let style = TextStyle::sans(12);
    let center = Point::default();
    let lozenge = |x: i32, y: i32| Point::new(px(x), px(y));
    let none = stage.film.preemptions().is_empty();
    let signs = [
        (failure_mark(center, px(10), false), Key::TNoFit),
        (
            alloc::vec![Mark::circle(center, px(4)).edged(Token::Backoff, px(2))],
            Key::TQueueMove,
        ),
        (
            alloc::vec![
                Mark::path(alloc::vec![
                    Segment::Move(lozenge(-5, 0)),
                    Segment::Line(lozenge(0, -5)),
                    Segment::Line(lozenge(5, 0)),
                    Segment::Line(lozenge(0, 5)),
                    Segment::Close,
                ])
                .edged(Token::Preempt, Px(16))
            ],
            if none {
                Key::TPreemptionNone
            } else {
                Key::TPreemption
            },
        ),
    ];
    signs
        .into_iter()
        .map(|(marks, key)| {
            let says = stage.label(key);
            let width = measure::width(&says, &style) + px(16);
            (marks, says, width)
        })
        .collect()
}

/// A mark drawn around the origin, elsewhere.
pub(in crate::picture) fn moved(mut mark: Mark, x: Px, y: Px) -> Mark {
    use crate::picture::scene::Shape;
    let shift = |point: &mut Point| {
        point.x += x;
        point.y += y;
    };
    match &mut mark.shape {
        Shape::Rect { at, .. } => *at = at.moved(x, y),
        Shape::Circle { at, .. } | Shape::Ring { at, .. } | Shape::Text { at, .. } => shift(at),
        Shape::Path { segments } => {
            for segment in segments {
                match segment {
                    Segment::Move(point) | Segment::Line(point) => shift(point),
                    Segment::Curve(one, two, three) => {
                        shift(one);
                        shift(two);
                        shift(three);
                    }
                    Segment::Close => {}
                }
            }
        }
        _ => {}
    }
    mark
}

/// The instant.
fn clock_part(stage: &Stage<'_>, x: Px, y: Px) -> Part {
    let time = moment_text(stage.still.at.as_micros());
    let style = TextStyle::sans(17).bold().end();
    let below = TextStyle::sans(12).end();
    Part::new("axis/clock", Role::Note)
        .labelled(time.clone())
        .with(words(x, y + px(2), time, style, Token::Ink))
        .with(words(
            x,
            y + px(20),
            stage.label(Key::TSimulated),
            below,
            Token::Soft,
        ))
}
