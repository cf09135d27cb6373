//! Whether all is well: the checks behind `/healthz`, `/livez` and `/readyz`, and how they are written.
//!
//! Source: spec, D.2.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use http::StatusCode;
use tokio::sync::watch;

use crate::cluster::Health;

/// What is looked at.
#[derive(Clone)]
pub(crate) struct Checks {
    /// The name of the Lease, where there is an election.
    lease: Option<String>,
    /// How long a leader may go without renewing.
    patience: Duration,
    /// Whether the first lists have been taken in.
    synced: watch::Receiver<bool>,
    /// Whether the end has begun.
    is_ending: Arc<AtomicBool>,
}

impl Checks {
    /// The checks of an instance; `lease` is the name of its Lease and how long that lasts.
    pub(crate) fn new(lease: Option<(String, Duration)>, synced: watch::Receiver<bool>) -> Self {
        let lasts = lease.as_ref().map_or(Duration::ZERO, |(_, lasts)| *lasts);
        Self {
            lease: lease.map(|(name, _)| name),
            patience: lasts + GRACE,
            synced,
            is_ending: Arc::default(),
        }
    }

    /// The name of the Lease, where there is an election.
    pub(crate) fn lease(&self) -> Option<&str> {
        self.lease.as_deref()
    }

    /// Not ready any more.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// The answer to a path below one of the three, if it is one.
    pub(super) fn answer(
        &self,
        path: &str,
        query: &str,
        health: &Health,
    ) -> Option<(StatusCode, String)> {
        let (root, single) = match path.trim_start_matches('/').split_once('/') {
            Some((root, check)) => (root, Some(check)),
            None => (path.trim_start_matches('/'), None),
        };
        let checks = self.checks(root, health)?;
        match single {
            None => Some(report(root, &checks, query)),
            Some(name) => {
                let (_, result) = checks.iter().find(|(check, _)| *check == name)?;
                Some(match result {
                    Ok(()) => (StatusCode::OK, "ok".to_owned()),
                    Err(text) => {
                        let text = format!("internal server error: {text}\n");
                        (StatusCode::INTERNAL_SERVER_ERROR, text)
                    }
                })
            }
        }
    }

    fn checks(&self, root: &str, health: &Health) -> Option<Vec<Check>> {
        let leader = |checks: &mut Vec<Check>| {
            if self.lease.is_some() {
                checks.push(("leaderElection", self.leader_election(health)));
            }
        };
        let mut checks = Vec::new();
        match root {
            "healthz" => {
                leader(&mut checks);
                if checks.is_empty() {
                    checks.push(("ping", Ok(())));
                }
            }
            "livez" => checks.push(("ping", Ok(()))),
            "readyz" => {
                leader(&mut checks);
                let is_ending = self.is_ending.load(Ordering::Relaxed);
                let ending = if is_ending {
                    Err("process is shutting down".to_owned())
                } else {
                    Ok(())
                };
                checks.push(("shutdown", ending));
                let synced = if *self.synced.borrow() {
                    Ok(())
                } else {
                    Err("handlers are not fully synchronized".to_owned())
                };
                checks.push(("sched-handler-sync", synced));
            }
            _ => return None,
        }
        Some(checks)
    }

    /// A leader that cannot renew must be restarted, in case it does not notice by itself.
    fn leader_election(&self, health: &Health) -> Result<(), String> {
        match health.since_renewal() {
            Some(since) if since > self.patience => Err(format!(
                "failed election to renew leadership on lease {}",
                self.lease().unwrap_or_default()
            )),
            _ => Ok(()),
        }
    }
}

type Check = (&'static str, Result<(), String>);

fn report(root: &str, checks: &[Check], query: &str) -> (StatusCode, String) {
    let words = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut excluded: Vec<&str> = words
        .clone()
        .filter(|(key, _)| *key == "exclude")
        .map(|(_, name)| name)
        .collect();
    let is_verbose = words.clone().any(|(key, _)| key == "verbose");
    let mut text = String::new();
    let mut has_failed = false;
    for (name, result) in checks {
        if let Some(place) = excluded.iter().position(|excluded| excluded == name) {
            excluded.swap_remove(place);
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "[+]{name} excluded: ok");
        } else if result.is_ok() {
            let _ = writeln!(text, "[+]{name} ok");
        } else {
            has_failed = true;
            let _ = writeln!(text, "[-]{name} failed: reason withheld");
        }
    }
    if !excluded.is_empty() {
        let names: Vec<String> = excluded.iter().map(|name| format!("{name:?}")).collect();
        let _ = writeln!(
            text,
            "warn: some health checks cannot be excluded: no matches for {}",
            names.join(", ")
        );
    }
    if has_failed {
        let _ = writeln!(text, "{root} check failed");
        return (StatusCode::INTERNAL_SERVER_ERROR, text);
    }
    if is_verbose {
        let _ = writeln!(text, "{root} check passed");
        return (StatusCode::OK, text);
    }
    (StatusCode::OK, "ok".to_owned())
}

/// How much longer than its lease a leader may go without renewing.
const GRACE: Duration = Duration::from_secs(20);

#[cfg(test)]
mod tests;
