//! `berth explain`: why a pod is where it is, or is not.

use crate::error::Error;

/// Explain one pod: which rule rejects which node, the scores, the choice
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The pod, name or namespace/name
    #[arg(value_name = "POD")]
    pod: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let _ = &arguments.pod;
    Err(Error::Pending)
}
