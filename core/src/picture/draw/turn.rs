//! The pod in its turn: the block that threads come from, and what it asks for.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::api::{Pod, PodSpec};
use crate::picture::measure;
use crate::picture::palette::Token;
use crate::picture::px::{Point, Px, Rect, px};
use crate::picture::scene::{Mark, Part, Role, Segment, TextStyle, View};
use crate::picture::sentences::{Arg, Key, memory, milli_cpu, seconds};
use crate::picture::timeline::{Phase, PodFacts};
use crate::picture::verdicts::GateKind;

use super::brush::words;
use super::lanes::Anchor;
use super::pod::{block, code, outline};
use super::stage::Stage;

/// The size of the block.
pub(in crate::picture) const TURN: (Px, Px) = (px(88), px(52));

/// The pod in its turn and what is written below it.
pub(in crate::picture) fn turn(stage: &Stage<'_>, x: Px, middle: Px, width: Px) -> Vec<Part> {
    let at = Rect::new(x, middle - TURN.1.half(), TURN.0, TURN.1);
    let Some(facts) = stage.subject_facts() else {
        let style = TextStyle::sans(12).middle();
        let says = stage.label(Key::NobodysTurn);
        let center = at.center();
        return alloc::vec![
            Part::new("turn", Role::Turn)
                .labelled(says.clone())
                .with(
                    Mark::rect(at, px(6))
                        .edged(Token::Line, Px(15))
                        .dashed(4, 3),
                )
                .with(words(center.x, center.y + px(4), says, style, Token::Soft)),
        ];
    };
    let mut parts = alloc::vec![pod_block(stage, &facts, at)];
    parts.push(facts_below(
        stage,
        &facts,
        Point::new(x, at.bottom()),
        width,
    ));
    parts
}

fn pod_block(stage: &Stage<'_>, facts: &PodFacts, at: Rect) -> Part {
    let badge = stage.badge(facts);
    let phase = stage.attempt.as_ref().map(|attempt| attempt.phase);
    let mut part = Part::new("turn", Role::Turn)
        .link(format!("pod/{}", facts.info.reference.uid))
        .labelled(facts.info.reference.to_string());
    let is_gone = matches!(phase, Some(Phase::Binding | Phase::Bound));
    if !is_gone {
        part.marks.extend(super::pod::body(&badge, at));
        part.add(code(&badge, at));
        return part;
    }
    part.add(outline(&badge, at, (4, 3)).filled(Token::Paper));
    let style = TextStyle::sans(12).middle();
    let center = at.center();
    let says = stage.label(Key::WasHere);
    match time_since_bound(stage) {
        Some(ago) => {
            part.add(words(center.x, center.y - px(2), says, style, Token::Soft));
            part.add(words(center.x, center.y + px(14), ago, style, Token::Soft));
        }
        None => {
            part.add(words(center.x, center.y + px(4), says, style, Token::Soft));
        }
    }
    part
}

fn time_since_bound(stage: &Stage<'_>) -> Option<String> {
    let attempt = stage.attempt.as_ref()?;
    let bound = stage.film.moment(attempt.bound_at?)?;
    let passed = stage.still.at.since(bound.at);
    if passed.as_millis() < 50 {
        return None;
    }
    Some(stage.text(Key::Ago, &[("t", seconds(passed).into())]))
}

/// The pod's name and what it asks for, in short lines that stay clear of the threads.
fn facts_below(stage: &Stage<'_>, facts: &PodFacts, at: Point, width: Px) -> Part {
    let mut part = Part::new("turn/facts", Role::Note);
    let mut y = at.y + px(21);
    let name = TextStyle::mono(12).bold();
    let text = measure::shortened(&facts.short_name(), &name, TURN.0 + px(14));
    part.add(words(at.x, y, text, name, Token::Ink));
    y += px(4);
    let style = TextStyle::sans(12);
    for line in lines_about(stage, facts) {
        for (place, piece) in measure::wrapped(&line, &style, width)
            .into_iter()
            .enumerate()
        {
            if place > 1 {
                break;
            }
            y += px(16);
            let piece = measure::shortened(&piece, &style, width);
            part.add(words(at.x, y, piece, style, Token::Soft));
        }
    }
    let skipped = |kind: GateKind| kind == GateKind::Skipped;
    let all = stage.whole.rules();
    let quiet = stage
        .whole
        .gates
        .iter()
        .filter(|gate| skipped(gate.kind))
        .count();
    // The first screen asks for no more than it shows.
    if quiet > 0 && stage.sift.is_done && stage.shot.view != View::Open {
        y += px(30);
        part.add(Mark::circle(Point::new(at.x + px(5), y - px(4)), px(5)).filled(Token::Bound));
        let style = TextStyle::sans(12);
        part.add(words(
            at.x + px(16),
            y,
            "PreFilter",
            style.bold(),
            Token::Ink,
        ));
        y += px(2);
        let args = [
            ("n", Arg::Number(as_number(quiet))),
            ("m", Arg::Number(as_number(all))),
        ];
        let says = stage.text(Key::PreFilterSays, &args);
        for piece in measure::wrapped(&says, &style, width) {
            y += px(16);
            part.add(words(at.x, y, piece, style, Token::Soft));
        }
    }
    part
}

fn as_number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// What a pod asks for, a line each; at most six.
pub(in crate::picture) fn lines_about(stage: &Stage<'_>, facts: &PodFacts) -> Vec<String> {
    let mut lines = alloc::vec![asks(stage, facts)];
    let pod = facts.pod();
    let attempt = stage.attempt.as_ref().map_or(1, |attempt| attempt.attempt);
    let says = stage.text(
        Key::PriorityAttempt,
        &[
            ("p", Arg::Number(i64::from(pod.priority()))),
            ("n", Arg::Number(i64::from(attempt))),
        ],
    );
    if measure::width(&says, &TextStyle::sans(12)) <= px(124) {
        lines.push(says);
    } else {
        lines.extend(says.split(" · ").map(String::from));
    }
    lines.extend(wishes(stage, pod));
    lines.truncate(6);
    lines
}

/// `500m cpu · 512 Mi`, and what else is counted.
pub(in crate::picture) fn asks(stage: &Stage<'_>, facts: &PodFacts) -> String {
    let requests = &facts.info.requests;
    let (cpu, bytes) = (requests.milli_cpu, requests.memory);
    let args = [
        ("cpu", Arg::from(milli_cpu(cpu))),
        ("memory", Arg::from(memory(bytes))),
    ];
    let mut says = match (cpu, bytes) {
        (0, 0) if requests.scalars.is_empty() => stage.label(Key::AsksNothing),
        (0, 0) => String::new(),
        (_, 0) => stage.text(Key::AsksCpu, &args),
        (0, _) => stage.text(Key::AsksMemory, &args),
        _ => stage.text(Key::Asks, &args),
    };
    for (name, amount) in &requests.scalars {
        if !says.is_empty() {
            says.push_str(" · ");
        }
        let name = name.rsplit('/').next().unwrap_or(name);
        says.push_str(&format!("{amount} {name}"));
    }
    says
}

/// What a pod demands of its node, beyond room.
fn wishes(stage: &Stage<'_>, pod: &Pod) -> Vec<String> {
    let spec = &pod.spec;
    let mut wishes = Vec::new();
    for constraint in &spec.topology_spread_constraints {
        let key = constraint.topology_key.rsplit('/').next();
        wishes.push(stage.text(
            Key::SpreadBy,
            &[
                ("key", key.unwrap_or_default().into()),
                ("n", Arg::Number(i64::from(constraint.max_skew))),
            ],
        ));
    }
    if let Some(labels) = selector_of(spec) {
        wishes.push(stage.text(Key::Selects, &[("labels", labels.into())]));
    }
    if let Some(affinity) = &spec.affinity {
        let near = affinity.pod_affinity.as_ref();
        if near.is_some_and(|near| {
            !near
                .required_during_scheduling_ignored_during_execution
                .is_empty()
        }) {
            wishes.push(stage.label(Key::NearTo));
        }
        let away = affinity.pod_anti_affinity.as_ref();
        if away.is_some_and(|away| {
            !away
                .required_during_scheduling_ignored_during_execution
                .is_empty()
        }) {
            wishes.push(stage.label(Key::AwayFrom));
        }
    }
    if let Some(port) = pod.host_ports().first() {
        let port = Arg::Number(i64::from(port.port));
        wishes.push(stage.text(Key::NeedsPort, &[("port", port)]));
    }
    let claims = spec
        .volumes
        .iter()
        .filter_map(|volume| volume.persistent_volume_claim.as_ref());
    if let Some(claim) = claims.into_iter().next() {
        let claim = claim.claim_name.as_str();
        wishes.push(stage.text(Key::UsesClaim, &[("claim", claim.into())]));
    }
    wishes
}

/// The labels that a pod's node must have, in short.
fn selector_of(spec: &PodSpec) -> Option<String> {
    if let Some((key, value)) = spec.node_selector.iter().next() {
        let key = key.rsplit('/').next().unwrap_or(key);
        return Some(format!("{key}={value}"));
    }
    let required = spec
        .affinity
        .as_ref()?
        .node_affinity
        .as_ref()?
        .required_during_scheduling_ignored_during_execution
        .as_ref()?;
    let first = required.node_selector_terms.first()?;
    let requirement = first.match_expressions.first()?;
    let key = requirement.key.rsplit('/').next()?;
    let values = requirement.values.join(",");
    Some(match requirement.operator.as_str() {
        "In" => format!("{key}={values}"),
        "NotIn" => format!("{key}≠{values}"),
        "Exists" => key.to_string(),
        other => format!("{key} {other} {values}"),
    })
}

/// The way from the next pod in activeQ to the place of the pod in its turn, or of a failed pod back to its queue.
pub(in crate::picture) fn links(
    stage: &Stage<'_>,
    anchors: &[Anchor],
    from: Px,
    turn: Point,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let subject = stage.attempt.as_ref().map(|attempt| &attempt.pod.uid);
    let back = anchors
        .iter()
        .find(|anchor| subject.is_some_and(|uid| anchor.uids.contains(uid)));
    if let Some(anchor) = back {
        parts.push(curve_back(anchor.y, from, turn));
        return parts;
    }
    let next = anchors.first().filter(|anchor| {
        let first = anchor.uids.first().and_then(|uid| stage.still.pod(uid));
        first.is_some_and(|pod| pod.place == crate::framework::trace::Place::Active)
    });
    if let Some(anchor) = next {
        let start = Point::new(from + px(6), anchor.y);
        let tip = Point::new(turn.x - px(5), turn.y);
        let part = Part::new("link/next", Role::Link)
            .with(
                Mark::path(alloc::vec![
                    Segment::Move(start),
                    Segment::Curve(
                        Point::new(start.x + px(24), start.y),
                        Point::new(tip.x - px(19), tip.y),
                        tip,
                    ),
                ])
                .edged(Token::Active, px(2)),
            )
            .with(arrow(tip, Px::ZERO - px(7), Token::Active));
        parts.push(part);
    }
    parts
}

fn curve_back(y: Px, from: Px, turn: Point) -> Part {
    let start = Point::new(turn.x, turn.y);
    let tip = Point::new(from + px(6), y);
    Part::new("link/back", Role::Link)
        .with(
            Mark::path(alloc::vec![
                Segment::Move(start),
                Segment::Curve(
                    Point::new(start.x - px(26), start.y),
                    Point::new(tip.x + px(26), tip.y),
                    tip,
                ),
            ])
            .edged(Token::Unsched, px(2)),
        )
        .with(arrow(tip, px(7), Token::Unsched))
}

/// The head of an arrow with its tip at a point; `back` says where its shaft is.
fn arrow(tip: Point, back: Px, token: Token) -> Mark {
    Mark::path(alloc::vec![
        Segment::Move(Point::new(tip.x + back, tip.y - px(5))),
        Segment::Line(tip),
        Segment::Line(Point::new(tip.x + back, tip.y + px(5))),
    ])
    .edged(token, px(2))
}

/// The block of a pod at another size, for phones.
pub(in crate::picture) fn small_block(stage: &Stage<'_>, at: Rect) -> Option<Part> {
    let facts = stage.subject_facts()?;
    let badge = stage.badge(&facts);
    let is_gone = stage
        .attempt
        .as_ref()
        .is_some_and(|attempt| matches!(attempt.phase, Phase::Binding | Phase::Bound));
    let mut part = Part::new("turn", Role::Turn)
        .link(format!("pod/{}", facts.info.reference.uid))
        .labelled(facts.info.reference.to_string());
    if is_gone {
        part.add(outline(&badge, at, (4, 3)));
        let style = TextStyle::sans(12).middle();
        let center = at.center();
        part.add(words(
            center.x,
            center.y + px(4),
            badge.code.as_str(),
            style,
            Token::Soft,
        ));
    } else {
        part.marks.extend(block(&badge, at));
    }
    Some(part)
}
