//! kube-scheduler's metrics: names, labels and buckets of Kubernetes 1.36, in Prometheus' text form.
//!
//! What is observed comes from the scheduler's records; a metric that is not in the table is left out. For the scheduler
//! an input takes no time, so what passes while it works is measured here: an extension point's record comes when it has
//! run, so its time is what has passed since the record before; anything else counts from the input's beginning.
//!
//! Source: spec, E.

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use berth_core::api::Time;
use berth_core::config::{ExtensionPoint, Gate, Gates, Stage};
use berth_core::framework::profiles::Profiles;
use berth_core::framework::trace::{Metric, MetricValue, Observer, Record};
use berth_core::time::Timestamp;

use crate::driver::Watcher;
use crate::logging;

use super::table::{FAMILIES, Family, FamilyKind};
use super::{KUBERNETES_RELEASE, timed};

/// All metrics of a process. Cheap to clone; clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Metrics(Arc<Mutex<Values>>);

/// Values by family and labels.
type Values = BTreeMap<&'static str, BTreeMap<Vec<Arc<str>>, Value>>;

#[derive(Clone, Debug)]
enum Value {
    /// A counter or gauge.
    Number(f64),
    /// Observations by bucket, each counted in its own bucket only, and their sum.
    Histogram { counts: Vec<u64>, sum: f64 },
}

impl Metrics {
    /// Moves a counter or gauge.
    pub(crate) fn add(&self, name: &'static str, labels: &[&str], change: f64) {
        self.change(name, labels, |value| {
            if let Value::Number(number) = value {
                *number += change;
            }
        });
    }

    /// Sets a gauge.
    pub(crate) fn set(&self, name: &'static str, labels: &[&str], number: f64) {
        self.change(name, labels, |value| *value = Value::Number(number));
    }

    /// Adds an observation to a histogram.
    pub(crate) fn observe(&self, name: &'static str, labels: &[&str], observed: f64) {
        let Some(family) = family(name) else { return };
        let place = family
            .buckets
            .bounds()
            .take_while(|bound| observed > *bound)
            .count();
        self.change(name, labels, |value| {
            if let Value::Histogram { counts, sum } = value {
                if let Some(count) = counts.get_mut(place) {
                    *count += 1;
                }
                *sum += observed;
            }
        });
    }

    /// Brings up to date what is known of the process itself, where the system says it.
    pub(crate) fn set_process(&self) {
        let text = |name: &str| std::fs::read_to_string(name).unwrap_or_default();
        let stat = text("/proc/self/stat");
        // The name in brackets may hold spaces. After it, times on a processor are the 12th and 13th field, in hundredths.
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .map_or("", |(_, rest)| rest)
            .split_whitespace()
            .collect();
        let number = |place: usize| {
            fields
                .get(place)
                .and_then(|field| field.parse::<f64>().ok())
        };
        if let (Some(user), Some(system)) = (number(11), number(12)) {
            self.set("process_cpu_seconds_total", &[], (user + system) / 100.0);
        }
        let status = text("/proc/self/status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        if let Some(kib) =
            resident.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        {
            self.set("process_resident_memory_bytes", &[], kib * 1024.0);
        }
        if let Some(bytes) = number(20) {
            self.set("process_virtual_memory_bytes", &[], bytes);
        }
        if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
            self.set("process_open_fds", &[], files.count() as f64);
        }
        let limits = text("/proc/self/limits");
        let files = limits
            .lines()
            .find_map(|line| line.strip_prefix("Max open files"));
        if let Some(most) =
            files.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        {
            self.set("process_max_fds", &[], most);
        }
    }

    /// Says what this is, which never changes while it runs.
    pub(crate) fn set_constants(&self, gates: Gates, started_at: Time) {
        let platform = format!("linux/{}", platform());
        let version = format!("v{KUBERNETES_RELEASE}");
        let mut numbers = KUBERNETES_RELEASE.split('.');
        let (major, minor) = (
            numbers.next().unwrap_or_default(),
            numbers.next().unwrap_or_default(),
        );
        let build = ["", "rustc", "", "", &version, "", major, minor, &platform];
        self.set("kubernetes_build_info", &build, 1.0);
        let emulated = berth_core::KUBERNETES_VERSION;
        let versions = [KUBERNETES_RELEASE, "kube", emulated, "1.35"];
        self.set("version_info", &versions, 1.0);
        for gate in Gate::all() {
            let stage = match gate.stage() {
                Stage::Alpha => "ALPHA",
                Stage::Beta => "BETA",
                Stage::Stable | Stage::Locked => "",
            };
            let is_on = f64::from(u8::from(gates.enabled(gate)));
            self.set("kubernetes_feature_enabled", &[gate.name(), stage], is_on);
        }
        let seconds = started_at.as_micros() as f64 / 1e6;
        self.set("process_start_time_seconds", &[], seconds);
    }

    /// Shows what has not happened yet, as far as kube-scheduler shows it from the start: queues without pods, and plugins
    /// that nothing was asked.
    pub(crate) fn set_zeroes(&self, profiles: &Profiles) {
        for queue in ["active", "backoff", "gated", "unschedulable"] {
            self.set("scheduler_pending_pods", &[queue], 0.0);
        }
        for framework in profiles.iter() {
            for point in COUNTED_POINTS {
                for plugin in framework.names_at(point) {
                    let labels = [plugin.0, point.name(), framework.name()];
                    self.add("scheduler_plugin_evaluation_total", &labels, 0.0);
                }
            }
        }
    }

    /// Forgets everything that was counted, but not what is.
    pub(crate) fn reset(&self) {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        values
            .retain(|name, _| family(name).is_some_and(|family| family.kind == FamilyKind::Gauge));
    }

    /// Everything as text.
    pub(crate) fn to_text(&self) -> String {
        let values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for family in FAMILIES {
            let found = values.get(family.name);
            if found.is_none() && !family.labels.is_empty() {
                continue;
            }
            let kind = match family.kind {
                FamilyKind::Counter => "counter",
                FamilyKind::Gauge => "gauge",
                FamilyKind::Histogram => "histogram",
            };
            let name = family.name;
            // Writing to a string cannot fail.
            let stability = match family.stability {
                "" => String::new(),
                stability => format!("[{stability}] "),
            };
            let _ = writeln!(
                text,
                "# HELP {name} {stability}{}\n# TYPE {name} {kind}",
                family.help
            );
            match found {
                Some(found) => {
                    for (labels, value) in found {
                        write_value(&mut text, family, labels, value);
                    }
                }
                None => write_value(&mut text, family, &[], &family.zero()),
            }
        }
        text
    }

    fn change(&self, name: &'static str, labels: &[&str], change: impl FnOnce(&mut Value)) {
        let Some(family) = family(name) else { return };
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_family = values.entry(family.name).or_default();
        // Most of the time the labels are known, and nothing is copied then.
        let known = of_family.iter_mut().find(|(known, _)| {
            known.len() == labels.len()
                && known
                    .iter()
                    .zip(labels)
                    .all(|(known, label)| **known == **label)
        });
        match known {
            Some((_, value)) => change(value),
            None => {
                let labels = labels.iter().map(|label| Arc::from(*label)).collect();
                change(of_family.entry(labels).or_insert_with(|| family.zero()));
            }
        }
    }
}

impl Family {
    fn zero(&self) -> Value {
        match self.kind {
            FamilyKind::Counter | FamilyKind::Gauge => Value::Number(0.0),
            FamilyKind::Histogram => Value::Histogram {
                counts: vec![0; self.buckets.bounds().count() + 1],
                sum: 0.0,
            },
        }
    }
}

/// The machine's kind, by Go's names.
const fn platform() -> &'static str {
    if cfg!(target_arch = "x86_64") {
        "amd64"
    } else if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        std::env::consts::ARCH
    }
}

fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

fn write_value(text: &mut String, family: &Family, labels: &[Arc<str>], value: &Value) {
    let name = family.name;
    let pairs = family.labels.iter().zip(labels);
    let pairs: Vec<String> = pairs
        .map(|(label, value)| format!("{label}=\"{}\"", escaped(value)))
        .collect();
    let pairs = pairs.join(",");
    let braced = if pairs.is_empty() {
        String::new()
    } else {
        format!("{{{pairs}}}")
    };
    match value {
        Value::Number(number) => {
            let _ = writeln!(text, "{name}{braced} {}", go_number(*number));
        }
        Value::Histogram { counts, sum } => {
            let comma = if pairs.is_empty() { "" } else { "," };
            let mut total = 0;
            let bounds = family.buckets.bounds().map(go_number);
            let bounds = bounds.chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(counts) {
                total += count;
                let _ = writeln!(
                    text,
                    "{name}_bucket{{{pairs}{comma}le=\"{bound}\"}} {total}"
                );
            }
            let _ = writeln!(
                text,
                "{name}_sum{braced} {}\n{name}_count{braced} {total}",
                go_number(*sum)
            );
        }
    }
}

/// A number as Go writes it in the fewest digits: with an exponent below 1e-4 and from 1e6 on.
fn go_number(number: f64) -> String {
    let text = format!("{number:e}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return number.to_string();
    };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => number.to_string(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// Counts what the scheduler's records say. Other records are not even made.
pub(crate) struct Counter {
    metrics: Metrics,
    /// When the input began that is being handled.
    input: Instant,
    /// When the record before was taken, or the input began.
    since: Instant,
    /// What decides which inputs have their plugins timed.
    dice: u64,
}

impl Counter {
    /// A counter that feeds these metrics.
    pub(crate) fn new(metrics: Metrics) -> Self {
        Self {
            metrics,
            input: Instant::now(),
            since: Instant::now(),
            dice: 0,
        }
    }

    /// Whether the plugins are timed this time, as one time in ten. Which times those are decides nothing, so any dice
    /// will do that do not fall into step with what is being done.
    fn is_chosen(&mut self) -> bool {
        self.dice = self
            .dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33).is_multiple_of(10)
    }

    fn take(&mut self, metric: &Metric) {
        let Some(family) = FAMILIES
            .iter()
            .find(|family| family.name.strip_prefix("scheduler_") == Some(metric.name))
        else {
            return;
        };
        let labels: Vec<&str> = metric.labels.iter().map(|(_, value)| &**value).collect();
        match metric.value {
            MetricValue::Add(change) => self.metrics.add(family.name, &labels, change as f64),
            MetricValue::Count(count) => self.metrics.observe(family.name, &labels, count as f64),
            MetricValue::Time(span) => {
                let now = Instant::now();
                let began = if IN_TURN.contains(&family.name) {
                    self.since
                } else {
                    self.input
                };
                let while_at_work = now.duration_since(began).as_secs_f64();
                let seconds = span.as_micros() as f64 / 1e6 + while_at_work;
                self.since = now;
                self.metrics.observe(family.name, &labels, seconds);
            }
        }
    }
}

impl Watcher for Counter {
    fn input_begins(&mut self) {
        for sample in timed::take() {
            self.metrics.observe(
                "scheduler_plugin_execution_duration_seconds",
                &[sample.plugin.0, sample.point, sample.code.name()],
                sample.time.as_secs_f64(),
            );
        }
        for stage in timed::take_failed_stages() {
            let name = "scheduler_volume_scheduling_stage_error_total";
            self.metrics.add(name, &[stage], 1.0);
        }
        let is_chosen = self.is_chosen();
        timed::measure(is_chosen);
        self.input = Instant::now();
        self.since = self.input;
    }
}

/// Where each question to a plugin is counted.
const COUNTED_POINTS: [ExtensionPoint; 4] = [
    ExtensionPoint::PreFilter,
    ExtensionPoint::Filter,
    ExtensionPoint::PreScore,
    ExtensionPoint::Score,
];

/// Metrics of what happens one after another within an input.
const IN_TURN: &[&str] = &[
    "scheduler_framework_extension_point_duration_seconds",
    "scheduler_queueing_hint_execution_duration_seconds",
    "scheduler_get_node_hint_duration_seconds",
    "scheduler_store_schedule_results_duration_seconds",
];

impl Observer for Counter {
    const IS_LISTENING: bool = false;
    const IS_COUNTING: bool = true;

    /// The log is a view of records: they are made as long as somebody reads it at length.
    fn note(&mut self, _at: Timestamp, make: impl FnOnce() -> Record) {
        if logging::is_at_length() {
            logging::tell(&make());
        }
    }

    fn trouble(&mut self, _at: Timestamp, words: impl FnOnce() -> String) {
        tracing::error!("{}", words());
    }

    fn record(&mut self, _at: Timestamp, record: Record) {
        if let Record::Metric(metric) = record {
            self.take(&metric);
        }
    }
}

#[cfg(test)]
mod tests;
