//! How fast a run is played: how long an event is looked at, and which speeds there are.
//!
//! At 1x an event takes as long as it needs to be followed; a pause in simulated time adds as much, up to two seconds.
//! Times divide by the speed. From [`STILL_SPEED`] on nothing travels, and so many events are skipped that no frame is
//! shorter than [`SHORTEST_FRAME_MS`].

use crate::protocol::{BeatWord, Now};

/// The speeds, slowest first.
pub const SPEEDS: [f64; 10] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// From here on states are drawn without motion.
pub const STILL_SPEED: f64 = 8.0;

/// The shortest time a state is shown.
pub const SHORTEST_FRAME_MS: f64 = 33.0;

/// How long the moment is looked at before the next, and how many events the next step goes on.
#[must_use]
pub fn pace(now: &Now, speed: f64) -> (f64, i32) {
    let look = if now.flies {
        FLIGHT_MS
    } else {
        look_ms(now.beat)
    };
    let look = look + (now.gap_micros as f64 / 1000.0).clamp(0.0, LONGEST_GAP_MS);
    let wait = look / speed;
    if wait >= SHORTEST_FRAME_MS {
        return (wait, 1);
    }
    let skipped = (SHORTEST_FRAME_MS / wait.max(0.1)).ceil();
    (SHORTEST_FRAME_MS, skipped as i32)
}

/// How long an event of a kind is looked at, at 1x.
const fn look_ms(beat: BeatWord) -> f64 {
    match beat {
        BeatWord::Quiet => 250.0,
        BeatWord::Turn => 500.0,
        BeatWord::Filtered => 1100.0,
        BeatWord::Scored => 900.0,
        BeatWord::Preempting => 1800.0,
        BeatWord::Reserving => 300.0,
        BeatWord::Bound => 700.0,
        BeatWord::Failed => 1600.0,
        BeatWord::Moved => 700.0,
    }
}

/// The speed one step faster or slower.
#[must_use]
pub fn next_speed(speed: f64, is_faster: bool) -> f64 {
    let place = SPEEDS.iter().position(|known| *known >= speed).unwrap_or(0);
    let next = if is_faster {
        (place + 1).min(SPEEDS.len() - 1)
    } else {
        place.saturating_sub(1)
    };
    SPEEDS.get(next).copied().unwrap_or(1.0)
}

/// An instant as the page writes it: seconds with three digits, minutes from a hundred seconds on.
#[must_use]
pub fn clock(micros: i64) -> String {
    if micros < 100_000_000 {
        let millis = (micros.max(0) + 500) / 1000;
        return format!("{}.{:03} s", millis / 1000, millis % 1000);
    }
    let whole = micros / 1_000_000;
    format!("{}:{:02} min", whole / 60, whole % 60)
}

/// A pod flies and lands, and is looked at where it is.
const FLIGHT_MS: f64 = 2300.0;
/// A longer pause in simulated time is cut to this.
const LONGEST_GAP_MS: f64 = 2000.0;

#[cfg(test)]
mod tests {
    use super::{clock, next_speed, pace};
    use crate::protocol::{BeatWord, Now};
    use crate::stage::tween;

    #[test]
    fn a_hundred_times_faster_skips_events_instead_of_frames() {
        let now = Now {
            beat: BeatWord::Filtered,
            ..Now::default()
        };
        assert_eq!(pace(&now, 1.0), (1100.0, 1));
        assert_eq!(pace(&now, 100.0), (33.0, 3));
    }

    #[test]
    fn a_flight_is_seen_to_its_end() {
        let now = Now {
            beat: BeatWord::Reserving,
            flies: true,
            ..Now::default()
        };
        assert!(pace(&now, 1.0).0 > tween::SHRINK + tween::RUN + tween::LANDING);
    }

    #[test]
    fn a_five_minute_pause_takes_two_seconds() {
        let now = Now {
            gap_micros: 300_000_000,
            ..Now::default()
        };
        assert_eq!(pace(&now, 1.0), (2250.0, 1));
    }

    #[test]
    fn speeds_end_at_both_ends() {
        assert_eq!(next_speed(0.1, false), 0.1);
        assert_eq!(next_speed(1.0, true), 2.0);
        assert_eq!(next_speed(100.0, true), 100.0);
    }

    #[test]
    fn instants_are_seconds_until_they_are_minutes() {
        assert_eq!(clock(1_184_000), "1.184 s");
        assert_eq!(clock(99_999_499), "99.999 s");
        assert_eq!(clock(300_000_000), "5:00 min");
    }
}
