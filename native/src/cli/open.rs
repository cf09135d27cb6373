//! `berth open`: a link back to a scenario.

use berth_core::sim::{decode_link, to_yaml};

use crate::error::Error;

use super::output::print;

/// Print the scenario in a link as YAML
#[derive(clap::Args)]
#[command(after_help = "Example:\n  berth open 'http://localhost:8080/#s1=…' > scenario.yaml")]
pub(crate) struct Arguments {
    /// The link, or its part after #
    #[arg(value_name = "LINK")]
    link: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let (scenario, _) = decode_link(&arguments.link)?;
    print(&to_yaml(&scenario.to_json()))
}
