//! `berth share`: the link to a scenario.

use berth_core::sim::{LinkView, Report, ReportInput, encode_link};

use crate::error::Error;

use super::input::{self, Request};
use super::{output, simulate};

/// Print the link to a scenario
#[derive(clap::Args)]
#[command(after_help = "Example:\n  berth share scenario.yaml\n\n\
    The whole scenario is in the part after #, which browsers keep to themselves.")]
pub(crate) struct Arguments {
    /// A scenario, or plain Kubernetes files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Where the page is served
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080")]
    base: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut run = input::prepare(&Request {
        files: &arguments.files,
        ..Request::default()
    })?;
    let link = encode_link(&arguments.base, &run.scenario, &LinkView::default())?;
    // What simulate refuses or warns of is not passed on in silence.
    simulate::go(&mut run.prepared.simulation, &mut ());
    run.check_refused()?;
    let input = ReportInput {
        warnings: run.prepared.warnings,
        ..ReportInput::default()
    };
    output::print_warnings(&Report::of(&run.prepared.simulation, input).warnings);
    eprintln!("{} characters", link.chars().count());
    output::print(&format!("{link}\n"))
}
