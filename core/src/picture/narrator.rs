//! The narrator: one sentence about what just happened and why, and a soft line about what came before.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::framework::status::Code;
use crate::framework::trace::{ChangeKind, CriterionKind, MoveCause, Place, Record, TieRule};
use crate::time::Span;

use super::draw::lanes::place_name;
use super::draw::stage::Stage;
use super::scene::{Badge, Lang, Piece, Sentence, Underline};
use super::sentences::{
    Arg, Clause, Key, Marking, capitalize, node_link, ordinal, plain, push_text, say, seconds,
};
use super::timeline::{Attempt, BeatKind, Moment, Phase, PodFacts};

/// What happened and why, with clauses of about `room` characters.
pub(in crate::picture) fn narrate(stage: &Stage<'_>, room: usize) -> Sentence {
    let Some(beat) = stage.film.beat_at(stage.still.moment) else {
        return end(stage, say(stage.shot.lang, Key::NStart, &[], None));
    };
    let is_of_attempt = beat.cycle == stage.attempt.as_ref().map(|attempt| attempt.place);
    let pieces = match beat.kind {
        kind if kind.is_of_cycle() && !is_of_attempt => {
            beat.cycle.and_then(|place| of_earlier(stage, place))
        }
        BeatKind::Arrived | BeatKind::Changed | BeatKind::Left => {
            of_cluster(stage, beat.from, beat.to)
        }
        BeatKind::Moved => of_move(stage, beat.from),
        BeatKind::Popped => of_turn(stage),
        BeatKind::Filtered if stage.sift.passed > 0 => of_filter(stage, room),
        BeatKind::Filtered => of_failure(stage, room),
        BeatKind::Waiting => of_permit(stage),
        BeatKind::Scored | BeatKind::Reserving | BeatKind::Bound => of_choice(stage, room),
        BeatKind::Preempting | BeatKind::Failed => {
            of_preemption(stage).or_else(|| of_failure(stage, room))
        }
    };
    end(stage, pieces.unwrap_or_else(|| of_many(stage)))
}

/// What came of an attempt after the next one had begun: its binding takes as long as volumes and the API server take.
#[inline(never)]
fn of_earlier(stage: &Stage<'_>, place: usize) -> Option<Vec<Piece>> {
    let attempt = stage.film.attempt(place, stage.still.moment)?;
    let pod = pod_of(stage, stage.film.cycles().get(place)?.facts.as_ref()?);
    let (choice, _, _) = attempt.choice?;
    if let (Some((point, status)), None) = (&attempt.refused, attempt.bound_at) {
        return Some(of_refusal(stage, pod, &choice.node, point, status));
    }
    let node = stage.node_name(&choice.node).into();
    let key = if attempt.bound_at.is_some() {
        Key::NHere
    } else {
        Key::NBinding
    };
    let marking = chosen_marking();
    Some(say(
        stage.shot.lang,
        key,
        &[("pod", pod), ("node", node)],
        Some(&marking),
    ))
}

/// The pod of the attempt as an argument.
fn pod_arg(stage: &Stage<'_>) -> Option<Arg> {
    let facts = stage.subject_facts()?;
    Some(pod_of(stage, &facts))
}

fn pod_of(stage: &Stage<'_>, facts: &PodFacts) -> Arg {
    Arg::Pod(stage.badge(facts), facts.short_name())
}

fn chosen_marking() -> Marking {
    Marking {
        underline: Underline::Chosen,
        link: String::from("win"),
    }
}

const fn period(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ". ",
        Lang::Zh => "。",
    }
}

const fn comma(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ", ",
        Lang::Zh => "；",
    }
}

/// Puts the full stop and the capital.
fn end(stage: &Stage<'_>, mut pieces: Vec<Piece>) -> Sentence {
    let stop = match stage.shot.lang {
        Lang::En => ".",
        Lang::Zh => "。",
    };
    let is_closed = plain(&pieces).ends_with([':', '?', '.', '。', '？']);
    if !is_closed {
        push_text(&mut pieces, stop);
    }
    capitalize(&mut pieces);
    Sentence { pieces }
}

/// Adds a sentence after another.
fn then(stage: &Stage<'_>, pieces: &mut Vec<Piece>, mut next: Vec<Piece>) {
    if next.is_empty() {
        return;
    }
    capitalize(&mut next);
    push_text(pieces, period(stage.shot.lang));
    append(pieces, next);
}

fn append(pieces: &mut Vec<Piece>, next: Vec<Piece>) {
    for piece in next {
        match piece {
            Piece::Text { text } => push_text(pieces, &text),
            other => pieces.push(other),
        }
    }
}

/// Rejections as one string of clauses, at most `marks` of them marked and about as long as a line and a half.
fn reasons(stage: &Stage<'_>, marks: usize, room: usize, follows: Follows) -> Vec<Piece> {
    let lang = stage.shot.lang;
    let clauses = stage.voice.clauses(&stage.sift);
    let mut list: Vec<Vec<Piece>> = Vec::new();
    let (mut others, mut length) = (0, 0);
    let last = clauses.len().saturating_sub(1);
    for (place, clause) in clauses.iter().enumerate() {
        let mut said = clause.pieces.clone();
        if place >= marks {
            unmark(&mut said);
        }
        let counted = counted(lang, place == 0, clause, said);
        let longer = length + plain(&counted).chars().count();
        if place > 0 && longer > room && (others > 0 || place < last || longer > room + 20) {
            others += clause.count;
            continue;
        }
        length = longer + comma(lang).chars().count();
        list.push(counted);
    }
    if others > 0 {
        let clause = say(lang, Key::CManyRules, &[("n", Arg::Count(others))], None);
        let args = [("n", Arg::Count(others)), ("clause", Arg::Pieces(clause))];
        list.push(say(lang, Key::CNext, &args, None));
    }
    let unasked = stage.sift.not_asked();
    if unasked > 0 && !stage.sift.is_single && stage.sift.is_done && !list.is_empty() {
        let args = [("n", Arg::Count(unasked))];
        list.push(say(lang, Key::NNotAsked, &args, None));
    }
    joined(lang, list, follows)
}

/// What comes after a list of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// Another clause of the same sentence.
    Clause,
    /// Nothing: the list ends it.
    Nothing,
}

fn joined(lang: Lang, list: Vec<Vec<Piece>>, follows: Follows) -> Vec<Piece> {
    let last = list.len().saturating_sub(1);
    let mut pieces = Vec::new();
    for (place, clause) in list.into_iter().enumerate() {
        if place > 0 {
            let ends = place == last && follows == Follows::Nothing && lang == Lang::En;
            push_text(&mut pieces, if ends { ", and " } else { comma(lang) });
        }
        append(&mut pieces, clause);
    }
    pieces
}

fn counted(lang: Lang, is_first: bool, clause: &Clause, said: Vec<Piece>) -> Vec<Piece> {
    let key = if is_first { Key::CFirst } else { Key::CNext };
    let args = [
        ("n", Arg::Count(clause.count)),
        ("clause", Arg::Pieces(said)),
    ];
    say(lang, key, &args, None)
}

fn unmark(pieces: &mut [Piece]) {
    for piece in pieces {
        if let Piece::Marked { text, .. } = piece {
            *piece = Piece::Text {
                text: core::mem::take(text),
            };
        }
    }
}

/// How long clauses may be together in characters, and how long they may be if that is too long, and so on.
pub(in crate::picture) const fn rooms(lang: Lang) -> [usize; 4] {
    match lang {
        Lang::En => [110, 85, 60, 30],
        Lang::Zh => [48, 36, 24, 12],
    }
}

fn of_turn(stage: &Stage<'_>) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let pod = pod_arg(stage)?;
    let attempt = stage.attempt.as_ref()?;
    let mut pieces = say(lang, Key::NPopped, &[("pod", pod)], None);
    if attempt.attempt > 1 {
        let n = ordinal(lang, attempt.attempt);
        push_text(&mut pieces, comma_soft(lang));
        append(
            &mut pieces,
            say(lang, Key::NPoppedAgain, &[("n", n.into())], None),
        );
    }
    let asked = say(
        lang,
        Key::NPoppedMany,
        &[("n", Arg::Count(attempt.nodes))],
        None,
    );
    then(stage, &mut pieces, asked);
    Some(pieces)
}

const fn comma_soft(lang: Lang) -> &'static str {
    match lang {
        Lang::En => ", ",
        Lang::Zh => "，",
    }
}

fn of_filter(stage: &Stage<'_>, room: usize) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let mut pieces = say(lang, Key::NPopped, &[("pod", pod_arg(stage)?)], None);
    let mut why = reasons(stage, 2, room, Follows::Clause);
    let left = [("k", Arg::Count(stage.sift.passed))];
    let left = say(lang, Key::NFilteredLeft, &left, None);
    if why.is_empty() {
        why = say(lang, Key::NAllPass, &[], None);
    }
    push_text(&mut why, comma(lang));
    append(&mut why, left);
    then(stage, &mut pieces, why);
    Some(pieces)
}

fn of_choice(stage: &Stage<'_>, room: usize) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let attempt = stage.attempt.as_ref()?;
    let (choice, _, feasible) = attempt.choice?;
    if let (Some((point, status)), None) = (&attempt.refused, attempt.bound_at) {
        let pod = pod_arg(stage)?;
        return Some(of_refusal(stage, pod, &choice.node, point, status));
    }
    let node = stage.node_name(&choice.node).to_string();
    let args = [("pod", pod_arg(stage)?), ("node", node.into())];
    let mut pieces = say(lang, Key::NBound, &args, Some(&chosen_marking()));
    if stage.sift.is_single {
        then(stage, &mut pieces, say(lang, Key::NSingle, &[], None));
        return Some(pieces);
    }
    let tied = choice.tied.len();
    let has_scores = attempt.scores.is_some();
    let seed = stage.shot.seed.unwrap_or_default().to_string();
    let args = [
        ("k", Arg::Count(feasible)),
        ("t", Arg::Count(tied)),
        ("s", Arg::Number(choice.score)),
        ("x", seed.into()),
    ];
    let key = match (feasible, choice.tie_rule) {
        (1, _) => Key::NOnly,
        _ if !has_scores => Key::NOnly,
        (_, TieRule::Seeded) if tied > 1 && tied == feasible => Key::NTieAllSeed,
        (_, TieRule::SearchOrder) if tied > 1 && tied == feasible => Key::NTieAll,
        (_, TieRule::Seeded) if tied > 1 => Key::NTieSeed,
        (_, TieRule::SearchOrder) if tied > 1 => Key::NTie,
        _ if stage.sift.cuts().next().is_none() => Key::NBestAll,
        _ => Key::NBest,
    };
    let why = say(lang, key, &args, None);
    let mut clauses = reasons(stage, 2, room, Follows::Clause);
    if clauses.is_empty() {
        clauses = say(lang, Key::NAllPass, &[], None);
    }
    push_text(&mut clauses, comma(lang));
    append(&mut clauses, why);
    then(stage, &mut pieces, clauses);
    Some(pieces)
}

fn of_refusal(
    stage: &Stage<'_>,
    pod: Arg,
    node: &str,
    point: &str,
    status: &crate::framework::status::Status,
) -> Vec<Piece> {
    let plugin = status.plugin.map_or("?", |plugin| plugin.0);
    let args = [
        ("pod", pod),
        ("node", stage.node_name(node).into()),
        ("plugin", plugin.into()),
        ("point", point.into()),
        ("reason", status.message().into()),
    ];
    let marking = Marking {
        underline: Underline::Rejected,
        link: node_link(node),
    };
    say(stage.shot.lang, Key::NRefused, &args, Some(&marking))
}

#[inline(never)]
fn of_permit(stage: &Stage<'_>) -> Option<Vec<Piece>> {
    let attempt = stage.attempt.as_ref()?;
    let (choice, _, _) = attempt.choice?;
    let (plugin, until) = attempt.waits.first()?;
    let args = [
        ("pod", pod_arg(stage)?),
        ("node", stage.node_name(&choice.node).into()),
        ("plugin", plugin.0.into()),
        ("t", seconds(until.since(stage.still.at)).into()),
    ];
    let marking = chosen_marking();
    Some(say(stage.shot.lang, Key::NPermit, &args, Some(&marking)))
}

fn of_failure(stage: &Stage<'_>, room: usize) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let attempt = stage.attempt.as_ref()?;
    let pod = pod_arg(stage)?;
    if let Some(failure) = &attempt.failure
        && failure.code == Code::Error
    {
        let marking = rejected("error");
        let args = [("pod", pod), ("reason", shorten(failure.message).into())];
        return Some(say(lang, Key::NError, &args, Some(&marking)));
    }
    if let (Some((point, status)), Some((choice, _, _))) = (&attempt.refused, attempt.choice) {
        return Some(of_refusal(stage, pod, &choice.node, point, status));
    }
    if stage.sift.rows.is_empty() {
        return Some(say(lang, Key::NNoNodes, &[("pod", pod)], None));
    }
    let by_pre_filter = attempt.search.is_none();
    if by_pre_filter {
        let rejection = attempt
            .pre_filter
            .iter()
            .find(|(_, status, _)| status.is_rejected())?;
        let marking = rejected(&super::sentences::gate_link(rejection.0.0));
        let args = [
            ("pod", pod),
            ("reason", shorten(&rejection.1.message()).into()),
        ];
        return Some(say(lang, Key::NPreFilterRejects, &args, Some(&marking)));
    }
    let mut pieces = say(lang, Key::NNoFit, &[("pod", pod)], None);
    let list = reasons(stage, 3, room + room / 5, Follows::Nothing);
    then(stage, &mut pieces, list);
    let clauses = stage.voice.clauses(&stage.sift);
    if clauses.len() > 1 && clauses.len() <= 5 {
        let sum: Vec<String> = clauses
            .iter()
            .map(|clause| clause.count.to_string())
            .collect();
        let args = [
            ("sum", Arg::from(sum.join(" + "))),
            ("n", Arg::from(stage.sift.asked.to_string())),
        ];
        then(stage, &mut pieces, say(lang, Key::NSum, &args, None));
    }
    if let Some(backoff) = backoff_of(stage, attempt) {
        then(stage, &mut pieces, backoff);
    }
    Some(pieces)
}

/// A failed pod that an event during its attempt sent to backoffQ at once.
fn backoff_of(stage: &Stage<'_>, attempt: &Attempt<'_>) -> Option<Vec<Piece>> {
    let (Place::Backoff | Place::ErrorBackoff, until) = attempt.went_to? else {
        return None;
    };
    let lang = stage.shot.lang;
    let left = until?.since(stage.still.at).max(Span::ZERO);
    let args = [("t", seconds(left).into())];
    Some(say(lang, Key::NWaitsOut, &args, None))
}

fn rejected(link: &str) -> Marking {
    Marking {
        underline: Underline::Rejected,
        link: link.to_string(),
    }
}

fn shorten(message: &str) -> String {
    let mut short: String = message.chars().take(100).collect();
    if short.len() < message.len() {
        short.push('…');
    }
    short
}

/// What preemption came to, if it found a node.
fn of_preemption(stage: &Stage<'_>) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let attempt = stage.attempt.as_ref()?;
    let preemption = attempt.preemption.as_ref()?;
    let node = preemption.chosen?;
    let helped = preemption
        .dry_runs
        .iter()
        .filter(|run| run.rejected.is_none() && !run.victims.is_empty());
    let key = if helped.count() > 1 {
        Key::NPreempts
    } else {
        Key::NPreemptsOne
    };
    let name = stage.node_name(node).to_string();
    let marking = Marking {
        underline: Underline::Victim,
        link: node_link(node),
    };
    let args = [("pod", pod_arg(stage)?), ("node", Arg::from(name.clone()))];
    let mut pieces = say(lang, key, &args, Some(&marking));
    let victims = Marking {
        underline: Underline::Victim,
        link: String::from("victims"),
    };
    let count = preemption.victims.len();
    let said = match preemption.victims {
        [victim] => {
            let shown = stage
                .still
                .pod(&victim.uid)
                .map_or_else(|| victim.name.to_string(), |pod| pod.facts.short_name());
            say(
                lang,
                Key::NVictim,
                &[("victim", shown.into())],
                Some(&victims),
            )
        }
        _ => say(
            lang,
            Key::NVictims,
            &[("n", Arg::Count(count))],
            Some(&victims),
        ),
    };
    push_text(
        &mut pieces,
        match lang {
            Lang::En => ": ",
            Lang::Zh => "：",
        },
    );
    append(&mut pieces, said);
    if let Some(why) = decided_by(preemption.criteria) {
        push_text(
            &mut pieces,
            match lang {
                Lang::En => ", and ",
                Lang::Zh => "，",
            },
        );
        let args = [("n", Arg::Count(count))];
        append(&mut pieces, say(lang, why, &args, None));
    }
    let args = [("n", Arg::Count(count)), ("node", name.into())];
    then(stage, &mut pieces, say(lang, Key::NPromised, &args, None));
    Some(pieces)
}

/// The criterion that left one candidate.
fn decided_by(criteria: &[crate::framework::trace::Criterion]) -> Option<Key> {
    let decisive = criteria
        .iter()
        .find(|criterion| criterion.kept.len() == 1 && criterion.values.len() > 1)?;
    Some(match decisive.kind {
        CriterionKind::PdbViolations => Key::NByPdb,
        CriterionKind::HighestPriority => Key::NByPriority,
        CriterionKind::PrioritySum => Key::NBySum,
        CriterionKind::VictimCount => Key::NByCount,
        CriterionKind::StartTime => Key::NByStart,
        CriterionKind::First => Key::NByFirst,
    })
}

#[inline(never)]
fn of_move(stage: &Stage<'_>, moment: usize) -> Option<Vec<Piece>> {
    let Record::Moved {
        pod,
        to,
        cause,
        backoff_until,
        ..
    } = &stage.film.moment(moment)?.record
    else {
        return None;
    };
    let lang = stage.shot.lang;
    let facts = stage.still.pod(&pod.uid)?.facts.clone();
    let queue = place_name(stage, *to);
    let marking = Marking {
        underline: Underline::Queue,
        link: [String::from("pod/"), pod.uid.to_string()].concat(),
    };
    let mut args = alloc::vec![("pod", pod_of(stage, &facts)), ("queue", queue.into())];
    let key = match cause {
        MoveCause::Event { event, plugin, .. } => {
            args.push(("event", event.label().into()));
            match plugin {
                Some(plugin) => {
                    args.push(("plugin", plugin.0.into()));
                    Key::NMoved
                }
                None => Key::NMovedPlain,
            }
        }
        MoveCause::Updated { .. } => Key::NUpdated,
        MoveCause::BackoffComplete => Key::NBackoffOver,
        MoveCause::UnschedulableTimeout => Key::NFlushed,
        _ => Key::NActivated,
    };
    let mut pieces = say(lang, key, &args, Some(&marking));
    let left = backoff_until.map(|until| until.since(stage.still.at));
    if let (Place::Backoff | Place::ErrorBackoff, Some(left)) = (to, left) {
        push_text(&mut pieces, comma_soft(lang));
        let args = [("t", seconds(left.max(Span::ZERO)).into())];
        append(&mut pieces, say(lang, Key::NStillBacksOff, &args, None));
    }
    Some(pieces)
}

#[inline(never)]
fn of_cluster(stage: &Stage<'_>, from: usize, to: usize) -> Option<Vec<Piece>> {
    let moments = stage.film.moments(from, to);
    let objects = moments
        .iter()
        .filter(|moment| matches!(moment.record, Record::Observed { .. }))
        .count();
    if objects > 2 {
        return Some(of_many(stage));
    }
    let first = moments
        .iter()
        .find(|moment| matches!(moment.record, Record::Observed { .. }))
        .or_else(|| moments.first())?;
    of_object(stage, first)
}

fn of_many(stage: &Stage<'_>) -> Vec<Piece> {
    let lang = stage.shot.lang;
    let args = [
        ("nodes", Arg::Count(stage.still.nodes().len())),
        ("pods", Arg::Count(stage.still.pod_count())),
    ];
    let mut pieces = say(lang, Key::NArrived, &args, None);
    if stage.still.pod_count() == 0 {
        return pieces;
    }
    let waiting = stage.still.pods().filter(|pod| pod.on.is_none()).count();
    let said = say(lang, Key::NArrivedWait, &[("n", Arg::Count(waiting))], None);
    then(stage, &mut pieces, said);
    pieces
}

fn of_object(stage: &Stage<'_>, moment: &Moment) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let Record::Observed {
        kind,
        namespace,
        name,
        change,
        ..
    } = &moment.record
    else {
        return None;
    };
    let marking = Marking {
        underline: Underline::Queue,
        link: node_link(name),
    };
    let args = [
        ("kind", Arg::from(*kind)),
        ("name", Arg::from(&**name)),
        ("node", Arg::from(stage.node_name(name))),
    ];
    let key = match (*kind, change) {
        ("Pod", ChangeKind::Deleted) => Key::NPodLeft,
        ("Pod", _) => return of_pod(stage, stage.still.pod_named(namespace, name)?),
        ("Node", ChangeKind::Added) => Key::NNodeArrived,
        (_, ChangeKind::Added) => Key::NThingArrived,
        (_, ChangeKind::Updated) => Key::NThingChanged,
        (_, ChangeKind::Deleted) => Key::NThingLeft,
    };
    Some(say(lang, key, &args, Some(&marking)))
}

fn of_pod(stage: &Stage<'_>, pod: &Arc<super::timeline::PodNow>) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let link = ["pod/", &pod.reference().uid].concat();
    let marking = Marking {
        underline: Underline::Queue,
        link,
    };
    let who = ("pod", pod_of(stage, &pod.facts));
    if let (Some((node, _)), Some(_)) = (&pod.on, pod.leaving) {
        let args = [who, ("node", stage.node_name(node).into())];
        return Some(say(lang, Key::NPodLeaving, &args, Some(&marking)));
    }
    if let Some((node, _)) = &pod.on {
        let args = [who, ("node", stage.node_name(node).into())];
        return Some(say(lang, Key::NPodRuns, &args, Some(&marking)));
    }
    if pod.place == Place::Gated {
        let gates = &pod.facts.pod().spec.scheduling_gates;
        let Some(gate) = gates.first() else {
            return Some(say(lang, Key::NUngated, &[who], Some(&marking)));
        };
        let args = [who, ("gate", gate.name.as_str().into())];
        return Some(say(lang, Key::NGated, &args, Some(&marking)));
    }
    let args = [who, ("queue", place_name(stage, pod.place).into())];
    Some(say(lang, Key::NPodArrived, &args, Some(&marking)))
}

/// What came just before, and who is next.
pub(in crate::picture) fn before(stage: &Stage<'_>) -> Option<Sentence> {
    let lang = stage.shot.lang;
    // Whether the attempt itself is what just happened, or lies before it.
    let is_of_attempt = stage
        .film
        .beat_at(stage.still.moment)
        .is_some_and(|beat| beat.kind.is_of_cycle());
    if let Some(attempt) = stage.attempt.as_ref().filter(|_| is_of_attempt) {
        let found = attempt
            .preemption
            .as_ref()
            .is_some_and(|p| p.chosen.is_some());
        if found && attempt.phase >= Phase::Preempting {
            let name = stage.subject_facts()?.short_name();
            let said = say(lang, Key::BPostFilter, &[("name", name.into())], None);
            return Some(Sentence { pieces: said });
        }
    }
    if stage.is_folded() && !stage.is_dense() {
        return folded_note(stage);
    }
    let place = stage.attempt.as_ref()?.place;
    let mut pieces = Vec::new();
    let last = if is_of_attempt {
        place.checked_sub(1)
    } else {
        Some(place)
    };
    if let Some(said) = last.and_then(|place| of_cycle(stage, place)) {
        append(&mut pieces, said);
        push_text(&mut pieces, period(lang));
    }
    let next = super::draw::lanes::lanes(stage, usize::MAX)
        .into_iter()
        .next()
        .and_then(|lane| lane.sections.into_iter().next())
        .and_then(|section| section.entries.into_iter().next())
        .and_then(|entry| entry.pods.into_iter().next());
    if let Some(next) = next {
        let name = named(stage.badge(&next.facts), next.facts.short_name());
        append(
            &mut pieces,
            say(lang, Key::BNext, &[("name", Arg::Pieces(name))], None),
        );
        push_text(&mut pieces, period(lang));
    }
    trim(&mut pieces);
    (!pieces.is_empty()).then_some(Sentence { pieces })
}

/// A name with its chip, not bold.
fn named(badge: Badge, name: String) -> Vec<Piece> {
    alloc::vec![Piece::Chip { badge }, Piece::Text { text: name }]
}

fn trim(pieces: &mut [Piece]) {
    if let Some(Piece::Text { text }) = pieces.last_mut() {
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
    }
}

fn folded_note(stage: &Stage<'_>) -> Option<Sentence> {
    let search = stage.attempt.as_ref()?.search.as_ref()?;
    let all = stage.sift.rows.len();
    let args = [
        ("n", Arg::from(all.to_string())),
        ("wanted", Arg::from(search.wanted.to_string())),
        ("found", Arg::from(stage.sift.passed.to_string())),
        ("asked", Arg::from(stage.sift.asked.to_string())),
    ];
    let key = if search.nominated_only {
        Key::BFolded
    } else if stage.sift.passed < search.wanted && stage.sift.asked == all {
        Key::BAllTried
    } else if stage.sift.asked < all {
        Key::BSample
    } else {
        Key::BFolded
    };
    Some(Sentence {
        pieces: say(stage.shot.lang, key, &args, None),
    })
}

/// How an earlier attempt ended.
fn of_cycle(stage: &Stage<'_>, place: usize) -> Option<Vec<Piece>> {
    let lang = stage.shot.lang;
    let span = stage.film.cycles().get(place)?;
    let facts = span.facts.as_ref()?;
    let attempt = stage.film.attempt(place, stage.still.moment)?;
    let name = Arg::Pieces(named(stage.badge(facts), facts.short_name()));
    match (attempt.choice, attempt.failure) {
        (_, Some(_)) => Some(say(lang, Key::BFailed, &[("name", name)], None)),
        (Some((choice, _, _)), None) => {
            let node = stage.node_name(&choice.node).into();
            Some(say(
                lang,
                Key::BBound,
                &[("name", name), ("node", node)],
                None,
            ))
        }
        _ => None,
    }
}

/// The question of the first screen.
pub(in crate::picture) fn question(stage: &Stage<'_>) -> Option<(Sentence, Sentence)> {
    let lang = stage.shot.lang;
    let pod = pod_arg(stage)?;
    let asked = Sentence {
        pieces: say(lang, Key::QWhy, &[("pod", pod)], None),
    };
    let attempt = stage.attempt.as_ref()?;
    let earlier = stage.film.cycles().get(..attempt.place).unwrap_or_default();
    let is_first = earlier
        .iter()
        .all(|span| matches!(span.outcome, super::timeline::Outcome::Bound(_)));
    let key = if is_first {
        Key::BStopped
    } else {
        Key::BStoppedAfter
    };
    let args = [
        ("n", Arg::Count(stage.still.nodes().len())),
        ("c", Arg::from(attempt.number.to_string())),
        ("m", Arg::from(stage.film.cycles().len().to_string())),
    ];
    let stopped = Sentence {
        pieces: say(lang, key, &args, None),
    };
    Some((stopped, asked))
}
