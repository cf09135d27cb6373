//! `berth simulate`: runs a scenario to its end and prints what came out.

use core::time::Duration;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use berth_core::framework::trace::Observer;
use berth_core::sim::{Report, ReportInput, Simulation, Warning};
use berth_core::time::Span;

use crate::error::Error;

use super::input::{self, Request, Run};
use super::output::{self, Format};
use super::trace::TraceFile;

/// Run files to the end on a simulated cluster and print a report
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth simulate cluster.yaml\n  \
    kubectl get nodes,pods -A -o yaml | berth simulate - -o json\n  \
    berth simulate --config scheduler.yaml --events later.yaml --until 60s cluster.yaml")]
pub(crate) struct Arguments {
    /// Scenarios, or plain Kubernetes files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// A KubeSchedulerConfiguration, or an old Policy, to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A list of later changes, in the form of a scenario's timeline
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// When to stop, in simulated time; otherwise when nothing more can change, after 1h at the latest; 8760h at most
    #[arg(long, value_name = "DUR", value_parser = input::parse_until, allow_hyphen_values = true)]
    until: Option<Span>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) output: Format,
    /// Write every trace record to a file, one JSON object a line; instants in seconds, CPU in thousandths
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut run = input::prepare(&Request {
        files: &arguments.files,
        captured: None,
        config: arguments.config.as_deref(),
        events: arguments.events.as_deref(),
        seed: arguments.seed,
        until: arguments.until,
    })?;
    match &arguments.trace {
        None => go(&mut run.prepared.simulation, &mut ()),
        Some(name) => {
            let mut file = TraceFile::create(name, &run.names)?;
            go(&mut run.prepared.simulation, &mut file);
            file.finish()?;
        }
    }
    let mut report = Report::of(
        &run.prepared.simulation,
        ReportInput {
            seed: run.scenario.seed,
            warnings: run.prepared.warnings.clone(),
        },
    );
    place_refusals(&mut report, &run, arguments.output);
    output::print_report(&report, arguments.output)?;
    run.check_refused()
}

/// What was refused in the course of the run stands in a report for programs with its exact place; people read it once, on
/// standard error.
fn place_refusals(report: &mut Report, run: &Run, format: Format) {
    let first = run.prepared.warnings.len();
    let last = first + run.prepared.simulation.refused().len();
    let placed = match format {
        Format::Text => Vec::new(),
        Format::Json | Format::Yaml => run.refused(),
    };
    let warnings = placed.into_iter().map(|refused| Warning {
        source: format!("{}:{}:{}", refused.source, refused.line, refused.column),
        path: format!("{}: {}", refused.object, refused.path),
        message: format!("refused: {}", refused.error),
    });
    report.warnings.splice(first..last, warnings);
}

/// Runs to the end, with a line of progress on a terminal when that takes longer than a second.
pub(crate) fn go<O: Observer>(simulation: &mut Simulation, observer: &mut O) {
    let mut stderr = std::io::stderr();
    if !stderr.is_terminal() {
        return simulation.run(observer);
    }
    let start = Instant::now();
    let mut shown = start;
    let mut has_line = false;
    while let Some(step) = simulation.step(observer) {
        let is_due = simulation.steps().is_multiple_of(256)
            && shown.elapsed() >= Duration::from_millis(200)
            && start.elapsed() >= Duration::from_secs(1);
        if is_due {
            shown = Instant::now();
            has_line = true;
            let at = step.at - berth_core::time::Timestamp::ZERO;
            // A terminal that is gone needs no progress.
            let _ = write!(
                stderr,
                "\r\x1b[Ksimulating: {at} of simulated time, {} inputs",
                simulation.steps()
            );
        }
    }
    if has_line {
        let _ = write!(stderr, "\r\x1b[K");
    }
}
