//! What stands below the figure of a phone: the queues as four counts, and the time axis.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Panel, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, moment_text, seconds};
use crate::picture::timeline::Outcome;

use super::super::axis::{Scale, cycle_label};
use super::super::brush::{fitted, level, upright, words};
use super::super::lanes::{Lane, backoff_left, lanes};
use super::super::stage::Stage;

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
                .labelled(cycle_label(stage, span))
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
