//! Metrics as they are served, and how those of two schedulers differ.

use std::collections::{BTreeMap, BTreeSet};

/// A metric under all its labels.
#[derive(Debug, Default)]
pub(crate) struct Family {
    kind: String,
    help: String,
    labels: BTreeSet<Vec<String>>,
    bounds: BTreeSet<String>,
    /// Values, and counts of histograms, by labels.
    values: BTreeMap<Vec<(String, String)>, f64>,
}

/// Reads Prometheus' text.
pub(crate) fn families(text: &str) -> BTreeMap<String, Family> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# ") {
            let mut words = rest.splitn(3, ' ');
            let (what, name) = (words.next(), words.next().unwrap_or_default());
            let said = words.next().unwrap_or_default().to_owned();
            let family = families.entry(name.to_owned()).or_default();
            match what {
                Some("TYPE") => family.kind = said,
                _ => family.help = said,
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let mut labels = read_labels(labels.trim_end_matches('}'));
        let bound = labels.iter().position(|(label, _)| label == "le");
        let bound = bound.map(|place| labels.remove(place).1);
        let base = ["_bucket", "_sum", "_count"]
            .iter()
            .filter_map(|ending| name.strip_suffix(ending))
            .find(|base| {
                families
                    .get(*base)
                    .is_some_and(|family| ["histogram", "summary"].contains(&&*family.kind))
            });
        let family = families
            .get_mut(base.unwrap_or(name))
            .expect("its type came before");
        family
            .labels
            .insert(labels.iter().map(|(label, _)| label.clone()).collect());
        if let Some(bound) = bound {
            family.bounds.insert(bound);
        } else if !(base.is_some() && name.ends_with("_sum")) {
            family
                .values
                .insert(labels, value.parse().expect("a number"));
        }
    }
    families
}

/// `a="b",c="d"`, sorted by label. None of the values compared has a quotation mark or a comma in it.
fn read_labels(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let mut labels: Vec<(String, String)> = pairs
        .map(|(label, value)| (label.to_owned(), value.trim_matches('"').to_owned()))
        .collect();
    labels.sort_unstable();
    labels
}

impl Family {
    /// How it differs from the real one.
    pub(crate) fn differences(&self, name: &str, real: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.kind != real.kind {
            differences.push(format!("{name} is a {}, not a {}", self.kind, real.kind));
        }
        if self.help != real.help {
            differences.push(format!(
                "{name} is described as {:?}, not {:?}",
                self.help, real.help
            ));
        }
        if self.labels != real.labels {
            differences.push(format!(
                "{name} has labels {:?}, not {:?}",
                self.labels, real.labels
            ));
        }
        if self.bounds != real.bounds {
            differences.push(format!(
                "{name} has buckets {:?}, not {:?}",
                self.bounds, real.bounds
            ));
        }
        if COUNTED_ALIKE.contains(&name) {
            let series: BTreeSet<_> = self.values.keys().chain(real.values.keys()).collect();
            for labels in series {
                let (ours, theirs) = (self.values.get(labels), real.values.get(labels));
                // kube-scheduler signs pods when they enter the queue and when they change there, Berth when it tries them.
                let is_signing = labels.iter().any(|(_, value)| value == "Sign");
                let is_alike = if is_signing {
                    ours.is_some() == theirs.is_some()
                } else {
                    ours == theirs
                };
                if !is_alike {
                    differences.push(format!("{name} {labels:?} is {ours:?}, not {theirs:?}"));
                }
            }
        }
        differences
    }
}

/// Metrics whose values, or counts of observations, must be equal after the same has happened.
const COUNTED_ALIKE: &[&str] = &[
    "leader_election_master_status",
    "scheduler_batch_attempts_total",
    "scheduler_batch_cache_flushed_total",
    "scheduler_cache_size",
    "scheduler_event_handling_duration_seconds",
    "scheduler_framework_extension_point_duration_seconds",
    "scheduler_inflight_events",
    "scheduler_pending_pods",
    "scheduler_plugin_evaluation_total",
    "scheduler_pod_scheduled_after_flush_total",
    "scheduler_pod_scheduling_attempts",
    "scheduler_pod_scheduling_sli_duration_seconds",
    "scheduler_preemption_attempts_total",
    "scheduler_preemption_goroutines_execution_total",
    "scheduler_preemption_victims",
    "scheduler_queue_incoming_pods_total",
    "scheduler_schedule_attempts_total",
    "scheduler_scheduling_algorithm_duration_seconds",
    "scheduler_scheduling_attempt_duration_seconds",
    "scheduler_unschedulable_pods",
    "version_info",
];
