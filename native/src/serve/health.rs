//! Whether all is well: the checks behind `/healthz`, `/livez` and `/readyz`, and how they are written.
//!
//! Source: spec, D.2.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// What came of each check so far, by name and root.
    results: Arc<Mutex<BTreeMap<(&'static str, &'static str), Results>>>,
}

/// What came of a check whenever it was made.
#[derive(Clone, Copy, Default)]
struct Results {
    is_well: bool,
    successes: u64,
    failures: u64,
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
            results: Arc::default(),
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
        let (root, checks) = self.checks(root, health)?;
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

    /// What came of the checks so far, as `/metrics/slis` says it.
    pub(super) fn to_metrics(&self) -> String {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        if results.is_empty() {
            return text;
        }
        text.push_str(
            "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.\n\
             # TYPE kubernetes_healthcheck gauge\n",
        );
        for ((name, root), results) in &*results {
            let is_well = u8::from(results.is_well);
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(
                text,
                "kubernetes_healthcheck{{name=\"{name}\",type=\"{root}\"}} {is_well}"
            );
        }
        text.push_str(
            "# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.\n\
             # TYPE kubernetes_healthchecks_total counter\n",
        );
        for ((name, root), results) in &*results {
            for (status, count) in [("error", results.failures), ("success", results.successes)] {
                if count > 0 {
                    let _ = writeln!(
                        text,
                        "kubernetes_healthchecks_total{{name=\"{name}\",status=\"{status}\",type=\"{root}\"}} {count}"
                    );
                }
            }
        }
        text
    }

    /// Makes the checks of a root and remembers what came of them.
    fn checks(&self, root: &str, health: &Health) -> Option<(&'static str, Vec<Check>)> {
        let root = ROOTS.into_iter().find(|known| *known == root)?;
        let checks = self.make(root, health);
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, result) in &checks {
            let results = results.entry((*name, root)).or_default();
            results.is_well = result.is_ok();
            match result {
                Ok(()) => results.successes += 1,
                Err(_) => results.failures += 1,
            }
        }
        Some((root, checks))
    }

    fn make(&self, root: &str, health: &Health) -> Vec<Check> {
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
            _ => {}
        }
        checks
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

/// What checks are asked for by.
const ROOTS: [&str; 3] = ["healthz", "livez", "readyz"];

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
