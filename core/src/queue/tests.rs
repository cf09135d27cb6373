//! The queue, rule by rule, and then all rules at once against a slow model of it.

mod agreement;
mod attempts;
mod backoff;
mod events;
mod gating;
mod legacy;
mod nominator;
mod parked;
mod records;
mod reference;
mod timers;
mod updates;
mod world;

/// How many random sequences to run: `usual`, unless `BERTH_QUEUE_SEQUENCES` says otherwise.
#[expect(
    clippy::disallowed_methods,
    reason = "a switch of the tests, not an input of the core"
)]
fn sequences(usual: u64) -> u64 {
    let asked = std::env::var("BERTH_QUEUE_SEQUENCES").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("BERTH_QUEUE_SEQUENCES is a number")
    })
}
