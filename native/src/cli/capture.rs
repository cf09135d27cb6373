//! `berth capture`: a live cluster as one scenario file.

use berth_core::sim::to_yaml;

use crate::cluster::{self, CaptureOptions};
use crate::error::Error;
use crate::logging;

use super::output;
use super::redact::redact;
use super::selector;

/// Write a live cluster down as a scenario, for simulate, explain and share; nothing in the cluster is changed
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    berth capture > cluster.yaml\n  \
    berth capture --context staging --redact | berth share -\n\n\
    It needs the rights of native/deploy/capture-rbac.yaml: to list what a scheduler reads.")]
pub(crate) struct Arguments {
    /// A kubeconfig; otherwise that of KUBECONFIG or of the home folder
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    kubeconfig: String,
    /// The context of the kubeconfig, if not its current one
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Only what is in this namespace, and what belongs to no namespace
    #[arg(short, long, value_name = "NAME", value_parser = selector::parse_namespace)]
    namespace: Option<String>,
    /// Only pods with these labels, as in app=web,tier!=cache
    #[arg(short = 'l', long, value_name = "SELECTOR", allow_hyphen_values = true, value_parser = selector::parse_selector)]
    selector: Option<String>,
    /// Leave out annotations, and put other words for names, label values and images
    #[arg(long)]
    redact: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Error> {
    logging::start(logging::Format::Text, 0);
    let mut scenario = cluster::capture(&CaptureOptions {
        kubeconfig: arguments.kubeconfig,
        context: arguments.context,
        namespace: arguments.namespace,
        selector: arguments.selector,
    })?;
    if arguments.redact {
        redact(&mut scenario);
    }
    output::print(&to_yaml(&scenario))
}
