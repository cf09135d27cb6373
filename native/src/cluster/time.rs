//! The calendar's time, for what is written into objects. Nothing is decided by it.

use std::time::{SystemTime, UNIX_EPOCH};

use berth_core::api::Time;

/// Now.
pub(super) fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let micros = since.map_or(0, |since| since.as_micros());
    Time::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}

/// Now, as `meta/v1` Time is written: in whole seconds.
pub(super) fn now_in_seconds() -> Time {
    let micros = now().as_micros();
    Time::from_micros(micros - micros.rem_euclid(1_000_000))
}

/// The instant as `meta/v1` MicroTime is written: always with six digits of fraction.
pub(super) fn micro_time(time: Time) -> String {
    let text = time.to_string();
    match text.strip_suffix('Z') {
        Some(seconds) if !text.contains('.') => format!("{seconds}.000000Z"),
        _ => text,
    }
}
