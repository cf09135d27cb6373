//! How many requests may be made: a token bucket, as client-go limits a client.

use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Lets `qps` requests a second through, `burst` of them at once after a pause.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Requests a second.
    qps: f64,
    /// How many requests the bucket holds when it is full.
    burst: f64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Negative: so many requests wait for their turn.
    tokens: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket, or none where `qps_milli` is negative: no limit then. Zeros count as 50 and 100.
    ///
    /// Units: thousandths of requests a second.
    /// Source: spec, A.3.
    pub(super) fn new(qps_milli: i64, burst: i32) -> Option<Self> {
        let qps_milli = if qps_milli == 0 { 50_000 } else { qps_milli };
        let burst = f64::from(if burst == 0 { 100 } else { burst });
        // A rate has no need of the digits that a float drops.
        let qps = qps_milli as f64 / 1000.0;
        (qps > 0.0).then(|| Self {
            qps,
            burst,
            state: Mutex::new(State {
                tokens: burst,
                at: Instant::now(),
            }),
        })
    }

    /// Waits for one's turn. Turns come in the order of asking.
    pub(super) async fn take(&self) {
        let wait = self.reserve(Instant::now());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }

    /// Takes a token, perhaps one of the future, and says how far away it is.
    fn reserve(&self, now: Instant) -> Duration {
        // Nobody panics while holding the lock; if somebody did, the numbers would still be whole.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(state.at).as_secs_f64();
        state.tokens = (state.tokens + passed * self.qps).min(self.burst) - 1.0;
        state.at = now;
        Duration::from_secs_f64((-state.tokens / self.qps).max(0.0))
    }
}

#[cfg(test)]
mod tests;
