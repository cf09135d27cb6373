//! `berth simulate`: runs a scenario to its end and prints what came out.

use core::time::Duration;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use berth_core::framework::trace::Observer;
use berth_core::sim::{Report, ReportInput, Simulation};
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
    /// A KubeSchedulerConfiguration to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// A list of later changes, in the form of a scenario's timeline
    #[arg(long, value_name = "FILE")]
    events: Option<String>,
    /// What randomness starts from
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// When to stop, in simulated time; otherwise when nothing more can change
    #[arg(long, value_name = "DUR", value_parser = input::parse_span)]
    until: Option<Span>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// Write every trace record to a file, one JSON object a line
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
            let mut file = TraceFile::create(name)?;
            go(&mut run.prepared.simulation, &mut file);
            file.finish()?;
        }
    }
    let report = Report::of(
        &run.prepared.simulation,
        ReportInput {
            seed: run.seed,
            warnings: run.prepared.warnings.clone(),
        },
    );
    output::print_report(&report, arguments.output)?;
    refuse_late(&run)
}

/// What the API server refused in the course of the run is wrong input, too, although the rest went on.
fn refuse_late(run: &Run) -> Result<(), Error> {
    let refused = run.refused();
    if refused.is_empty() {
        Ok(())
    } else {
        Err(Error::Input(refused))
    }
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
