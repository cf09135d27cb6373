//! Which moment a target is, and what kind of moment it is.

use berth_core::picture::timeline::{Beat, BeatKind, Film};
use berth_core::sim::LinkView;
use berth_core::snapshot::PodRef;
use berth_core::time::{Span, Timestamp};

use crate::protocol::{BeatWord, Now, Target};

/// The moment that a target means, seen from another one.
pub(super) fn seek(film: &Film, from: usize, target: Target) -> usize {
    let end = end(film);
    match target {
        Target::Moment { moment } => moment.min(end),
        Target::Time { micros } => film.moment_at(Timestamp::ZERO + Span::from_micros(micros)),
        Target::Event { by } => walk(
            from,
            by,
            |at| film.next_event(at),
            |at| film.previous_event(at),
            end,
        ),
        Target::Cycle { by } => walk(
            from,
            by,
            |at| film.next_cycle(at),
            |at| film.previous_cycle(at),
            end,
        ),
        Target::Failure { is_back: false } => film.next_failure(from).unwrap_or(from),
        Target::Failure { is_back: true } => film.previous_failure(from).unwrap_or(from),
        Target::Start => film.beats().first().map_or(0, |beat| beat.to),
        Target::End => end,
    }
}

/// The end of the last event: what comes after it, nobody would call one.
pub(super) fn end(film: &Film) -> usize {
    film.beats().last().map_or(film.len(), |beat| beat.to)
}

fn walk(
    from: usize,
    by: i32,
    next: impl Fn(usize) -> Option<usize>,
    previous: impl Fn(usize) -> Option<usize>,
    end: usize,
) -> usize {
    let mut at = from;
    for _ in 0..by.unsigned_abs() {
        let there = if by < 0 { previous(at) } else { next(at) };
        match there {
            Some(there) => at = there,
            None => return if by < 0 { at } else { end },
        }
    }
    at
}

/// Whether a moment is the next event after another, so that it may be animated.
pub(super) fn is_step(film: &Film, from: usize, to: usize) -> bool {
    film.next_event(from) == Some(to)
}

/// What kind of moment it is.
pub(super) fn now(film: &Film, moment: usize) -> Now {
    let beat = film.beat_at(moment);
    let at = moment.checked_sub(1).and_then(|last| film.moment(last));
    let at = at.map_or(Timestamp::ZERO, |moment| moment.at);
    let next = film.moment(moment).map(|moment| moment.at);
    Now {
        moment,
        micros: at.as_micros(),
        cycle: film.cycle_at(moment).map_or(0, |place| place + 1),
        beat: beat.map_or(BeatWord::Quiet, word),
        gap_micros: next.map_or(0, |next| next.as_micros() - at.as_micros()),
        is_end: film.next_event(moment).is_none(),
        is_step: false,
        flies: false,
    }
}

const fn word(beat: &Beat) -> BeatWord {
    match beat.kind {
        BeatKind::Popped => BeatWord::Turn,
        BeatKind::Filtered => BeatWord::Filtered,
        BeatKind::Scored => BeatWord::Scored,
        BeatKind::Preempting => BeatWord::Preempting,
        BeatKind::Reserving | BeatKind::Waiting => BeatWord::Reserving,
        BeatKind::Bound => BeatWord::Bound,
        BeatKind::Failed => BeatWord::Failed,
        BeatKind::Moved => BeatWord::Moved,
        BeatKind::Arrived | BeatKind::Changed | BeatKind::Left => BeatWord::Quiet,
    }
}

/// The moment after the last failure of a pod, `namespace/name`, up to a moment; after it if there is none before.
pub(super) fn last_failure(film: &Film, moment: usize, pod: &str) -> Option<usize> {
    let (namespace, name) = pod.split_once('/')?;
    let is_it = |beat: &&Beat| {
        let who = beat.pod.as_ref();
        beat.is_failure()
            && who.is_some_and(|who| *who.namespace == *namespace && *who.name == *name)
    };
    let failures: Vec<usize> = film
        .beats()
        .iter()
        .filter(is_it)
        .map(|beat| beat.to)
        .collect();
    let before = failures.iter().rev().find(|to| **to <= moment);
    before.or_else(|| failures.first()).copied()
}

/// The end of the last attempt to place a pod of this name.
pub(super) fn last_attempt(film: &Film, pod: &PodRef) -> Option<usize> {
    let is_it = |other: &PodRef| other.namespace == pod.namespace && other.name == pod.name;
    let mut cycles = film.cycles().iter().rev();
    cycles
        .find(|cycle| is_it(&cycle.pod))
        .map(|cycle| cycle.end)
}

/// The end of the event nearest before a moment; for a run that was edited.
pub(super) fn near(film: &Film, moment: usize) -> usize {
    let end = end(film);
    if moment >= end {
        return end;
    }
    film.beat_at(moment).map_or(end, |beat| beat.to)
}

/// An instant as links write it.
pub(super) fn seconds(micros: i64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The moment that a link shows, if it names one: its event, if that is still one of its instant, or the instant's end.
pub(super) fn linked(film: &Film, view: &LinkView) -> Option<usize> {
    let time = view.time.as_deref();
    let event = view.event.as_deref().and_then(|text| text.parse().ok());
    let beat = event.and_then(|place: usize| film.beats().get(place));
    let is_there = |beat: &&Beat| time.is_none_or(|time| seconds(beat.at.as_micros()) == time);
    match beat.filter(is_there) {
        Some(beat) => Some(beat.to),
        None => at_seconds(film, time?),
    }
}

/// Which event a moment is, from 0.
pub(super) fn event(film: &Film, moment: usize) -> usize {
    film.beats().partition_point(|beat| beat.to < moment)
}

/// The moment at an instant as links write it.
fn at_seconds(film: &Film, text: &str) -> Option<usize> {
    let micros = (instant(text)? * 1e6).round() as i64;
    Some(film.moment_at(Timestamp::ZERO + Span::from_micros(micros)))
}

/// Seconds from the start, if links may write them so.
pub(super) fn instant(text: &str) -> Option<f64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&seconds).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn links_write_instants_without_noughts_at_the_end() {
        assert_eq!(seconds(4_200_000), "4.2");
        assert_eq!(seconds(0), "0");
        assert_eq!(seconds(12_000_001), "12.000001");
    }
}
