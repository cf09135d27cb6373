//! `berth share`: the link to a scenario.

use berth_core::sim::{LinkView, encode_link};

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
    /// Where the page is served; `PORT=9000 make play` serves it at http://localhost:9000
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080", value_parser = parse_base)]
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
    output::print_warnings(&run.warnings(&run.prepared.simulation));
    eprintln!("{} characters", link.chars().count());
    output::print(&format!("{link}\n"))
}

/// Reads where a page is served, to which a fragment can be added.
fn parse_base(text: &str) -> Result<String, String> {
    let schemes = ["http://", "https://"];
    let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
    let host = rest.and_then(|rest| rest.split(['/', ':']).next());
    let is_odd =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '#' | '?' | '"' | '<' | '>');
    if host.is_none_or(str::is_empty) || text.contains(is_odd) {
        return Err(
            "expected a URL such as https://berth.example/page, without ? and #".to_owned(),
        );
    }
    Ok(text.to_owned())
}
