//! How reports are printed: for programs as JSON or YAML, for people as a table with the pending pods first.

use std::collections::BTreeMap;
use std::io::{self, Write};

use berth_core::api::{Quantity, ResourceList};
use berth_core::num::seconds;
use berth_core::sim::{NodeReport, PodReport, PodState, Report, Warning, to_yaml};

use crate::error::Error;

use super::page::{Page, Paint, visible};

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
        Format::Text => {
            let mut page = Page::new(Paint::for_stdout());
            write_report(&mut page, report);
            return print_page(page);
        }
    };
    print(&text)
}

/// Prints text on standard output, without anything in it that would steer a terminal.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    write_out(&visible(text))
}

/// Prints text with its colours on standard output.
pub(crate) fn print_page(page: Page) -> Result<(), Error> {
    write_out(&page.into_text())
}

/// A reader that has seen enough is no failure.
fn write_out(text: &str) -> Result<(), Error> {
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

/// The report for people.
fn write_report(page: &mut Page, report: &Report) {
    let (pending, others): (Vec<_>, Vec<_>) =
        report.pods.iter().partition(|pod| is_pending(pod.state));
    write_pending(page, &pending);
    write_placed(page, &others);
    for entry in report.preempted.iter().take(MAX_ROWS) {
        page.plain(format_args!(
            "{} had to leave {} for {} at {}\n",
            entry.pod,
            entry.node,
            entry.by,
            seconds_text(seconds(entry.at.0))
        ));
    }
    write_rest(page, report.preempted.len(), MAX_ROWS);
    if !report.preempted.is_empty() {
        page.plain("\n");
    }
    write_nodes(page, &report.nodes);
    write_warnings(page, &report.warnings);
    page.dim(format_args!(
        "{} of simulated time, seed {}, digest {}\n",
        seconds_text(seconds(report.simulated_seconds.0)),
        report.seed,
        report.digest
    ));
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

fn write_pending(page: &mut Page, pods: &[&PodReport]) {
    if pods.is_empty() {
        return;
    }
    page.bold(format_args!("{} pending\n", count(pods.len(), "pod")));
    let shown = pods.iter().take(MAX_ROWS);
    let width = shown.clone().map(|pod| full_name(pod).len()).max();
    let mut next = shown.clone().skip(1);
    for pod in shown {
        let state = format!("{:?}", pod.state);
        let name = format!("{:width$}", full_name(pod), width = width.unwrap_or(0));
        let tries = count(pod.attempts as usize, "attempt");
        page.plain(format_args!("  {name}  "));
        page.bad(format_args!("{state:13}"));
        page.plain(format_args!("  {tries}\n"));
        // Of pods that wait for the same reason the last one says it.
        let is_same =
            |next: &&PodReport| pod.nominated_node.is_none() && reason(next) == reason(pod);
        if !next.next().is_some_and(is_same) {
            page.plain(format_args!("      {}\n", reason(pod)));
        }
        if let Some(node) = &pod.nominated_node {
            page.plain(format_args!("      room is being made on {node}\n"));
        }
    }
    write_rest(page, pods.len(), MAX_ROWS);
    page.plain("\n");
}

/// Why a pod waits.
fn reason(pod: &PodReport) -> &str {
    match (&pod.message, pod.state) {
        (Some(message), _) => message,
        (None, PodState::Unmanaged) => "no profile has the name in its spec.schedulerName",
        (None, _) => "not tried yet",
    }
}

fn write_placed(page: &mut Page, pods: &[&PodReport]) {
    let mut by_state: BTreeMap<PodState, Vec<&PodReport>> = BTreeMap::new();
    for pod in pods {
        by_state.entry(pod.state).or_default().push(pod);
    }
    for (state, pods) in &by_state {
        let words = match state {
            PodState::Bound => "on a node",
            PodState::Succeeded => "succeeded",
            PodState::Failed => "failed",
            PodState::Preempted => "preempted",
            _ => "deleted",
        };
        page.bold(format_args!("{} {words}\n", count(pods.len(), "pod")));
        if *state == PodState::Bound {
            write_bound(page, pods);
        }
    }
    if !pods.is_empty() {
        page.plain("\n");
    }
}

fn write_bound(page: &mut Page, pods: &[&PodReport]) {
    let shown = pods.iter().take(MAX_ROWS);
    let width = shown.clone().map(|pod| full_name(pod).len()).max();
    for pod in shown {
        let name = format!("{:width$}", full_name(pod), width = width.unwrap_or(0));
        page.plain(format_args!("  {name}  "));
        page.good(pod.node.as_deref().unwrap_or_default());
        page.plain("\n");
    }
    write_rest(page, pods.len(), MAX_ROWS);
}

fn write_nodes(page: &mut Page, nodes: &[NodeReport]) {
    page.bold(format_args!("{}\n", count(nodes.len(), "node")));
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
    if nodes.is_empty() {
        rows.clear();
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
            "  {:a$}  {:>b$}  {:>c$}  {:>d$}\n",
            row[0],
            row[1],
            row[2],
            row[3],
            a = widths[0],
            b = widths[1],
            c = widths[2],
            d = widths[3]
        );
        if index == 0 {
            page.dim(line);
        } else {
            page.plain(line);
        }
    }
    write_rest(page, nodes.len(), MAX_ROWS);
    page.plain("\n");
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

fn write_warnings(page: &mut Page, warnings: &[Warning]) {
    if warnings.is_empty() {
        return;
    }
    page.bold(format_args!("{}\n", count(warnings.len(), "warning")));
    for warning in warnings.iter().take(MAX_WARNINGS) {
        page.plain(format_args!("  {}\n", warning_text(warning)));
    }
    write_rest(page, warnings.len(), MAX_WARNINGS);
    page.plain("\n");
}

/// Prints warnings on standard error, for commands whose output is something else.
pub(crate) fn print_warnings(warnings: &[Warning]) {
    for warning in warnings.iter().take(MAX_WARNINGS) {
        eprintln!("warning: {}", visible(&warning_text(warning)));
    }
    if warnings.len() > MAX_WARNINGS {
        let more = warnings.len() - MAX_WARNINGS;
        eprintln!("… and {more} more; berth simulate -o json has all");
    }
}

/// How many rows there are besides those that are shown.
fn write_rest(page: &mut Page, all: usize, most: usize) {
    if all > most {
        page.plain(format_args!(
            "  … and {} more; -o json has all\n",
            all - most
        ));
    }
}

/// A warning as one line.
pub(crate) fn warning_text(warning: &Warning) -> String {
    let parts = [&warning.source, &warning.path, &warning.message];
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.as_str())
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(": ")
}

fn full_name(pod: &PodReport) -> String {
    format!("{}/{}", pod.namespace, pod.name)
}

/// The first few of some names, for a message that says what there is.
pub(crate) fn some<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.take(MAX_NAMES + 1).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    if names.len() > MAX_NAMES {
        names[MAX_NAMES] = "…";
    }
    names.join(", ")
}

pub(crate) fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn seconds_text(seconds: f64) -> String {
    format!("{seconds} s")
}

/// More rows than anybody reads.
const MAX_NAMES: usize = 10;
const MAX_ROWS: usize = 200;
const MAX_WARNINGS: usize = 20;
