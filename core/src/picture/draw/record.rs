//! The record: what happened in the attempt, a line an event, each with its numbers.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::framework::trace::TieRule;
use crate::order;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Action, Mark, Part, Role, TextStyle};
use crate::picture::sentences::{Arg, Key, milli_cpu, seconds};
use crate::picture::timeline::{Beat, BeatKind};
use crate::picture::verdicts::GateKind;

use super::brush::{cross, fitted, heading, words};
use super::lanes::place_name;
use super::stage::Stage;

/// A line of the record.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Line {
    /// The moments that have passed after it.
    pub(in crate::picture) moment: usize,
    /// What kind of event.
    pub(in crate::picture) kind: BeatKind,
    /// The attempt's number, if it belongs to one.
    pub(in crate::picture) cycle: Option<usize>,
    /// Its name.
    pub(in crate::picture) name: String,
    /// What it says.
    pub(in crate::picture) says: String,
    /// Whether it has not happened yet.
    pub(in crate::picture) is_ahead: bool,
}

/// The lines of the attempt that is shown, those still ahead included.
pub(in crate::picture) fn lines(stage: &Stage<'_>) -> Vec<Line> {
    let Some(attempt) = &stage.attempt else {
        return Vec::new();
    };
    let beats = stage.film.beats().iter();
    let of_attempt =
        beats.filter(|beat| beat.cycle == Some(attempt.place) && beat.kind != BeatKind::Moved);
    of_attempt.map(|beat| line(stage, beat)).collect()
}

fn line(stage: &Stage<'_>, beat: &Beat) -> Line {
    let number = beat.cycle.and_then(|place| stage.film.cycles().get(place));
    let (name, says) = match beat.kind {
        BeatKind::Popped => (Key::EPop, pop(stage)),
        BeatKind::Filtered => (Key::EFilter, filter(stage)),
        BeatKind::Scored => (Key::EScore, score(stage)),
        BeatKind::Reserving => (Key::EReserve, reserve(stage)),
        BeatKind::Waiting => (Key::EReserve, waits(stage)),
        BeatKind::Bound => (Key::EBind, bound(stage)),
        BeatKind::Preempting => (Key::EPostFilter, preempts(stage)),
        BeatKind::Failed => (Key::EFailed, failed(stage)),
        _ => (Key::EMove, None),
    };
    Line {
        moment: beat.to,
        kind: beat.kind,
        cycle: number.map(|cycle| cycle.number),
        name: stage.label(name),
        says: says.unwrap_or_default(),
        is_ahead: beat.to > stage.still.moment,
    }
}

fn name(stage: &Stage<'_>) -> Arg {
    let facts = stage.subject_facts();
    facts.map_or_else(|| Arg::from("?"), |facts| facts.short_name().into())
}

fn number(count: usize) -> Arg {
    Arg::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The attempt to its end, so that lines ahead can be written.
fn whole<'a>(stage: &Stage<'a>) -> Option<crate::picture::timeline::Attempt<'a>> {
    stage
        .film
        .attempt(stage.attempt.as_ref()?.place, usize::MAX)
}

fn pop(stage: &Stage<'_>) -> Option<String> {
    let attempt = stage.attempt.as_ref()?;
    let span = stage.film.cycles().get(attempt.place)?;
    let facts = stage.subject_facts()?;
    let args = [
        ("name", name(stage)),
        ("p", Arg::Number(i64::from(facts.pod().priority()))),
        ("a", Arg::Number(i64::from(attempt.attempt))),
        ("n", number(span.depth)),
    ];
    Some(stage.text(Key::EPopSays, &args))
}

fn filter(stage: &Stage<'_>) -> Option<String> {
    let sift = &stage.whole;
    let skipped = sift
        .gates
        .iter()
        .filter(|gate| gate.kind == GateKind::Skipped);
    let mut said = Vec::new();
    let skipped = skipped.count();
    if skipped > 0 {
        said.push(stage.text(Key::EPluginsSkip, &[("n", number(skipped))]));
    }
    for (_, gate) in sift.cuts() {
        let args = [
            ("plugin", Arg::from(gate.name.as_str())),
            ("before", number(gate.before)),
            ("after", number(gate.before - gate.cut)),
        ];
        said.push(stage.text(Key::EGateCounts, &args));
    }
    if sift.cuts().next().is_none() {
        said.push(stage.text(Key::EAllPass, &[("n", number(sift.asked))]));
    }
    Some(said.join("; "))
}

fn score(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let (choice, _, _) = whole.choice?;
    let node = stage.node_name(&choice.node).to_string();
    let Some(scores) = whole.scores else {
        return Some(stage.text(Key::EOneFeasible, &[("node", node.into())]));
    };
    let mut said = alloc::vec![format!("{node} {}", choice.score)];
    let mut others: Vec<(i64, &str)> = scores
        .nodes
        .iter()
        .zip(scores.totals)
        .filter(|(name, _)| **name != choice.node)
        .map(|(name, total)| (*total, &**name))
        .collect();
    order::sort_by_key(&mut others, |(total, _)| core::cmp::Reverse(*total));
    let next = others.iter().take(3);
    said.extend(next.map(|(total, name)| format!("{} {total}", stage.node_name(name))));
    let mut says = said.join(", ");
    says.push_str("; ");
    let tied = choice.tied.len();
    if tied > 1 {
        let rule = stage.label(match choice.tie_rule {
            TieRule::SearchOrder => Key::ERuleFirst,
            TieRule::Seeded => Key::ERuleSeed,
        });
        says.push_str(&stage.text(Key::ETied, &[("n", number(tied)), ("rule", rule.into())]));
    } else {
        says.push_str(&stage.label(Key::ENoTie));
    }
    Some(says)
}

fn reserve(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let (choice, _, _) = whole.choice?;
    let facts = stage.subject_facts()?;
    let args = [
        ("node", stage.node_name(&choice.node).into()),
        ("cpu", milli_cpu(facts.info.requests.milli_cpu).into()),
    ];
    Some(stage.text(Key::EReserveSays, &args))
}

fn waits(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let (plugin, until) = whole.waits.first()?;
    let args = [
        ("plugin", Arg::from(plugin.0)),
        ("t", seconds(until.since(whole.at)).into()),
    ];
    Some(stage.text(Key::EWaits, &args))
}

fn bound(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let (choice, _, _) = whole.choice?;
    let args = [
        ("name", name(stage)),
        ("node", stage.node_name(&choice.node).into()),
    ];
    Some(stage.text(Key::EBindSays, &args))
}

fn preempts(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let preemption = whole.preemption?;
    let Some(node) = preemption.chosen else {
        return Some(stage.label(Key::ENoPreempt));
    };
    let helped = preemption
        .dry_runs
        .iter()
        .filter(|run| run.rejected.is_none());
    let victims: Vec<&str> = preemption
        .victims
        .iter()
        .map(|victim| &*victim.name)
        .collect();
    let args = [
        ("n", number(helped.count())),
        ("node", stage.node_name(node).into()),
        ("victims", victims.join(", ").into()),
    ];
    Some(stage.text(Key::EPreemptSays, &args))
}

fn failed(stage: &Stage<'_>) -> Option<String> {
    let whole = whole(stage)?;
    let failure = whole.failure?;
    let queue = whole
        .went_to
        .map_or_else(String::new, |(place, _)| place_name(stage, place));
    let rejectors: Vec<&str> = failure.rejectors.iter().map(|name| name.0).collect();
    if rejectors.is_empty() {
        return Some(failure.message.to_string());
    }
    let args = [
        ("name", name(stage)),
        ("queue", queue.into()),
        ("plugins", rejectors.join(", ").into()),
    ];
    Some(stage.text(Key::EFailedSays, &args))
}

/// Draws the record: its head and as many lines as fit.
pub(in crate::picture) fn record(
    stage: &Stage<'_>,
    lines: &[Line],
    (from, to): (Px, Px),
    y: Px,
    bottom: Px,
) -> Vec<Part> {
    let mut head = heading("record", stage.label(Key::TheRecord), from, to);
    for mark in &mut head.marks {
        shift(mark, y - px(22));
    }
    let says = stage.label(Key::EEveryLine);
    head.add(words(to, y, says, TextStyle::sans(12).end(), Token::Soft));
    let mut parts = alloc::vec![head];
    let room = (bottom - y - px(20)).fits(px(17));
    let now = lines.iter().rposition(|line| !line.is_ahead).unwrap_or(0);
    let first = (now + 1).saturating_sub(room.max(1));
    for (place, line) in lines.iter().enumerate().skip(first).take(room) {
        let at = y + px(27) + px(17).each(place - first);
        parts.push(line_part(stage, line, place == now, (from, to), at));
    }
    parts
}

fn shift(mark: &mut Mark, y: Px) {
    use crate::picture::scene::{Segment, Shape};
    match &mut mark.shape {
        Shape::Text { at, .. } => at.y += y,
        Shape::Path { segments } => {
            for segment in segments {
                if let Segment::Move(point) | Segment::Line(point) = segment {
                    point.y += y;
                }
            }
        }
        _ => {}
    }
}

fn line_part(stage: &Stage<'_>, line: &Line, is_now: bool, (from, to): (Px, Px), y: Px) -> Part {
    let mut part = Part::new(format!("record/{}", line.moment), Role::Record)
        .does(Action::Seek {
            moment: line.moment,
        })
        .traced(line.moment)
        .labelled(format!("{}: {}", line.name, line.says));
    if is_now {
        let ground = Rect::new(from - px(8), y - px(12), to - from + px(16), px(17));
        part.add(Mark::rect(ground, px(4)).filled(Token::Wash));
    }
    let (ink, soft) = if line.is_ahead {
        (Token::Soft, Token::Soft)
    } else {
        (Token::Ink, Token::Soft)
    };
    let style = TextStyle::sans(12);
    if let Some(number) = line.cycle {
        let args = [("n", Arg::Number(i64::try_from(number).unwrap_or(0)))];
        part.add(words(from, y, stage.text(Key::ECycle, &args), style, soft));
    }
    let center = Point::new(from + px(70), y - px(4));
    let is_bad = matches!(line.kind, BeatKind::Failed)
        || (line.kind == BeatKind::Filtered && stage.whole.cuts().next().is_some());
    if line.is_ahead {
        part.add(Mark::circle(center, px(3)).edged(Token::Soft, px(1)));
    } else if is_bad {
        part.marks
            .extend(cross(center, px(11), Token::Unsched, Token::Sheet));
    } else {
        part.add(Mark::circle(center, px(3)).filled(Token::Bound));
    }
    part.add(words(
        from + px(84),
        y,
        line.name.as_str(),
        style.bold(),
        ink,
    ));
    let x = from + px(208);
    part.add(fitted(x, y, &line.says, style, to - x, ink));
    part
}
