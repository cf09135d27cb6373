//! How reports are printed: for programs as JSON or YAML, for people as a table with the pending pods first.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

use berth_core::api::{Quantity, ResourceList};
use berth_core::num::seconds;
use berth_core::sim::{NodeReport, PodReport, PodState, Report, Warning, to_yaml};

use crate::error::Error;

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For programs that read YAML.
    Yaml,
}

/// Prints a report on standard output.
pub(crate) fn print_report(report: &Report, format: Format) -> Result<(), Error> {
    let text = match format {
        Format::Json => to_json(report),
        Format::Yaml => {
            let value = serde_json::to_value(report).unwrap_or_default();
            to_yaml(&value)
        }
        Format::Text => report_text(report, Paint::for_stdout()),
    };
    print(&text)
}

/// Prints text on standard output. A reader that has seen enough is no failure.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::File {
            name: "standard output".to_owned(),
            error,
        }),
        _ => Ok(()),
    }
}

/// Indented JSON with a line break at its end.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Whether and how words are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Not at all.
    Plain,
    /// With the terminal's own colours.
    Colour,
}

impl Paint {
    /// Colours on a terminal, unless the environment says `NO_COLOR`.
    pub(crate) fn for_stdout() -> Self {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if io::stdout().is_terminal() && !is_unwanted {
            Self::Colour
        } else {
            Self::Plain
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap(text, "1")
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.wrap(text, "32")
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.wrap(text, "31")
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap(text, "2")
    }

    fn wrap(self, text: &str, code: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// The report for people.
fn report_text(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    let (pending, others): (Vec<_>, Vec<_>) =
        report.pods.iter().partition(|pod| is_pending(pod.state));
    pending_text(&mut text, &pending, paint);
    placed_text(&mut text, &others, paint);
    for entry in &report.preempted {
        text.push_str(&format!(
            "{} had to leave {} for {} at {}\n",
            entry.pod,
            entry.node,
            entry.by,
            seconds_text(seconds(entry.at.0))
        ));
    }
    if !report.preempted.is_empty() {
        text.push('\n');
    }
    nodes_text(&mut text, &report.nodes, paint);
    warnings_text(&mut text, &report.warnings, paint);
    text.push_str(&paint.dim(&format!(
        "{} of simulated time, seed {}, digest {}\n",
        seconds_text(seconds(report.simulated_seconds.0)),
        report.seed,
        report.digest
    )));
    text
}

fn is_pending(state: PodState) -> bool {
    matches!(
        state,
        PodState::Active
            | PodState::Backoff
            | PodState::Unschedulable
            | PodState::Gated
            | PodState::Waiting
            | PodState::Binding
            | PodState::Unmanaged
    )
}

fn pending_text(text: &mut String, pods: &[&PodReport], paint: Paint) {
    if pods.is_empty() {
        return;
    }
    text.push_str(&paint.bold(&format!("{} pending\n", count(pods.len(), "pod"))));
    let width = pods.iter().map(|pod| full_name(pod).len()).max();
    for pod in pods {
        let state = format!("{:?}", pod.state);
        let name = format!("{:width$}", full_name(pod), width = width.unwrap_or(0));
        let reason = pod.message.as_deref().unwrap_or("not tried yet");
        let tries = count(pod.attempts as usize, "attempt");
        text.push_str(&format!(
            "  {name}  {}  {tries}\n",
            paint.bad(&format!("{state:13}"))
        ));
        text.push_str(&format!("      {reason}\n"));
        if let Some(node) = &pod.nominated_node {
            text.push_str(&format!("      room is being made on {node}\n"));
        }
    }
    text.push('\n');
}

fn placed_text(text: &mut String, pods: &[&PodReport], paint: Paint) {
    let mut by_state: BTreeMap<PodState, usize> = BTreeMap::new();
    for pod in pods {
        *by_state.entry(pod.state).or_default() += 1;
    }
    for (state, pods) in by_state {
        let words = match state {
            PodState::Bound => "on a node",
            PodState::Succeeded => "succeeded",
            PodState::Failed => "failed",
            PodState::Preempted => "preempted",
            _ => "deleted",
        };
        text.push_str(&paint.bold(&format!("{} {words}\n", count(pods, "pod"))));
    }
    let placed: Vec<_> = pods
        .iter()
        .filter(|pod| pod.state == PodState::Bound)
        .collect();
    let width = placed.iter().map(|pod| full_name(pod).len()).max();
    for pod in placed.iter().take(MAX_ROWS) {
        let name = format!("{:width$}", full_name(pod), width = width.unwrap_or(0));
        let node = pod.node.as_deref().unwrap_or_default();
        text.push_str(&format!("  {name}  {}\n", paint.good(node)));
    }
    if placed.len() > MAX_ROWS {
        text.push_str(&format!(
            "  … and {} more; -o json has all\n",
            placed.len() - MAX_ROWS
        ));
    }
    text.push('\n');
}

fn nodes_text(text: &mut String, nodes: &[NodeReport], paint: Paint) {
    text.push_str(&paint.bold(&format!("{}\n", count(nodes.len(), "node"))));
    let mut rows = vec![[
        "node".to_owned(),
        "pods".to_owned(),
        "cpu".to_owned(),
        "memory".to_owned(),
    ]];
    for node in nodes.iter().take(MAX_ROWS) {
        let most = node
            .allocatable
            .get("pods")
            .map(Quantity::value)
            .unwrap_or_default();
        rows.push([
            node.name.clone(),
            format!("{}/{most}", node.pods),
            share(node, "cpu"),
            share(node, "memory"),
        ]);
    }
    let widths: Vec<usize> = (0..4)
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for (index, row) in rows.iter().enumerate() {
        let line = format!(
            "  {:a$}  {:>b$}  {:>c$}  {:>d$}",
            row[0],
            row[1],
            row[2],
            row[3],
            a = widths[0],
            b = widths[1],
            c = widths[2],
            d = widths[3]
        );
        let line = if index == 0 { paint.dim(&line) } else { line };
        text.push_str(&line);
        text.push('\n');
    }
    if nodes.len() > MAX_ROWS {
        text.push_str(&format!(
            "  … and {} more; -o json has all\n",
            nodes.len() - MAX_ROWS
        ));
    }
    text.push('\n');
}

/// What is asked for of what there is, and how much of it that is.
fn share(node: &NodeReport, resource: &str) -> String {
    let amount = |list: &ResourceList| list.get(resource).copied().unwrap_or_default();
    let (used, all) = (amount(&node.requested), amount(&node.allocatable));
    match used.nanos().saturating_mul(100).checked_div(all.nanos()) {
        Some(percent) => format!("{used}/{all} {percent:>3}%"),
        None => format!("{used}/{all}"),
    }
}

fn warnings_text(text: &mut String, warnings: &[Warning], paint: Paint) {
    if warnings.is_empty() {
        return;
    }
    text.push_str(&paint.bold(&format!("{}\n", count(warnings.len(), "warning"))));
    for warning in warnings.iter().take(MAX_WARNINGS) {
        let parts = [&warning.source, &warning.path, &warning.message];
        let parts: Vec<&str> = parts
            .iter()
            .map(|part| part.as_str())
            .filter(|part| !part.is_empty())
            .collect();
        text.push_str(&format!("  {}\n", parts.join(": ")));
    }
    if warnings.len() > MAX_WARNINGS {
        text.push_str(&format!(
            "  … and {} more; -o json has all\n",
            warnings.len() - MAX_WARNINGS
        ));
    }
    text.push('\n');
}

fn full_name(pod: &PodReport) -> String {
    format!("{}/{}", pod.namespace, pod.name)
}

pub(crate) fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn seconds_text(seconds: f64) -> String {
    format!("{seconds} s")
}

/// More rows than anybody reads.
const MAX_ROWS: usize = 200;
const MAX_WARNINGS: usize = 20;
