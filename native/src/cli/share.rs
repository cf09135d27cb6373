//! `berth share`: the link to a scenario.

use berth_core::sim::{LinkView, encode_link};

use crate::error::Error;

use super::input;
use super::output::print;

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
    let loaded = input::load_all(&arguments.files)?;
    let link = encode_link(&arguments.base, &loaded.scenario, &LinkView::default())?;
    eprintln!("{} characters", link.chars().count());
    print(&format!("{link}\n"))
}
