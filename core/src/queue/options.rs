//! How a queue behaves, and how long a failed pod is left alone.

use crate::config::{Configuration, Gate};
use crate::time::{Span, Timestamp};

use super::queued_pod::QueuedPodInfo;

/// How a queue behaves. Read once, when it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueOptions {
    /// The instant from which the periodic flushes count.
    pub started_at: Timestamp,
    /// The wait after a first failed attempt.
    pub initial_backoff: Span,
    /// The longest wait; zero turns backoff off.
    pub max_backoff: Span,
    /// How long a pod may stay in unschedulablePods until it is tried without a reason.
    pub max_in_unschedulable: Span,
    /// Whether an empty activeQ takes from backoffQ; also aligns backoffs to whole seconds.
    pub pop_from_backoff_q: bool,
    /// Whether plugins judge events, and events during an attempt count for it.
    pub queueing_hints: bool,
    /// Whether members of a pod group always come back through backoff.
    pub generic_workload: bool,
    /// Whether extenders reject pods, too, and wait for every event.
    pub has_extenders: bool,
}

impl QueueOptions {
    /// What a configuration says, for a queue that starts now.
    #[must_use]
    pub fn of(configuration: &Configuration, started_at: Timestamp) -> Self {
        let is_on = |gate| configuration.gates.enabled(gate);
        Self {
            started_at,
            initial_backoff: Span::from_secs(configuration.pod_initial_backoff_seconds),
            max_backoff: Span::from_secs(configuration.pod_max_backoff_seconds),
            max_in_unschedulable: configuration.pod_max_in_unschedulable_pods_duration,
            pop_from_backoff_q: is_on(Gate::SchedulerPopFromBackoffQ),
            queueing_hints: is_on(Gate::SchedulerQueueingHints),
            generic_workload: is_on(Gate::GenericWorkload),
            has_extenders: !configuration.extenders.is_empty(),
        }
    }

    /// When the backoff of a pod that failed at `info.timestamp` is over; `None`: it has none.
    ///
    /// It doubles from the initial one with each failure until it is the maximum. Errors in a row go before rejections.
    /// Source: spec, queue and cache 3.1.
    #[must_use]
    pub fn backoff_expiration(&self, info: &QueuedPodInfo) -> Option<Timestamp> {
        let count = match info.consecutive_errors_count {
            0 => info.unschedulable_count,
            errors => errors,
        };
        if self.max_backoff == Span::ZERO || count == 0 {
            return None;
        }
        let expiry = info.timestamp + self.backoff_duration(count - 1);
        Some(self.align(expiry))
    }

    /// Whether a pod is still to be left alone. The window in which its backoff ends still is.
    ///
    /// Source: spec, queue and cache 3.2.
    #[must_use]
    pub fn is_backing_off(&self, info: &QueuedPodInfo, now: Timestamp) -> bool {
        info.backoff_expiration
            .is_some_and(|expiry| expiry >= self.align(now))
    }

    fn backoff_duration(&self, doublings: u32) -> Span {
        let (initial, max) = (
            self.initial_backoff.as_micros(),
            self.max_backoff.as_micros(),
        );
        // A shift by the width of the number or more leaves nothing.
        let limit = max.checked_shr(doublings).unwrap_or(0);
        if initial > limit {
            self.max_backoff
        } else {
            // At most the maximum, so no bit is lost.
            Span::from_micros(initial << doublings)
        }
    }

    const fn align(&self, instant: Timestamp) -> Timestamp {
        if self.pop_from_backoff_q {
            instant.floor_to_second()
        } else {
            instant
        }
    }
}

impl Default for QueueOptions {
    /// What Kubernetes 1.36 starts with.
    fn default() -> Self {
        Self {
            started_at: Timestamp::ZERO,
            initial_backoff: Span::SECOND,
            max_backoff: Span::from_secs(10),
            max_in_unschedulable: Span::from_secs(5 * 60),
            pop_from_backoff_q: true,
            queueing_hints: true,
            generic_workload: false,
            has_extenders: false,
        }
    }
}
