//! Where the log of a running scheduler goes, and how much of it: standard error.

use std::io;
use std::sync::OnceLock;

use berth_core::framework::trace::Record;
use tracing::{Level, debug, trace};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Registry, fmt, registry, reload};

/// How log lines are written.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Format {
    /// A line for people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Begins to log. A verbosity of 2 adds what happens to pods, 5 what happens in the queue.
pub(crate) fn start(format: Format, verbosity: u8) {
    let (targets, handle) = reload::Layer::new(targets(verbosity));
    let lines = fmt::layer().with_ansi(false).with_writer(io::stderr);
    let logger = registry().with(targets);
    // A second start, which only tests could make, leaves the first in place.
    let _ = match format {
        Format::Text => logger.with(lines).try_init(),
        Format::Json => logger.with(lines.json()).try_init(),
    };
    let _ = VERBOSITY.set(handle);
}

/// Logs more or less from here on.
pub(crate) fn set(verbosity: u8) {
    if let Some(handle) = VERBOSITY.get() {
        // It fails when nobody logs any more.
        let _ = handle.reload(targets(verbosity));
    }
}

/// Whether anybody reads what happens to pods.
pub(crate) fn is_at_length() -> bool {
    tracing::enabled!(Level::DEBUG)
}

/// Writes a record down in kube-scheduler's words, if it has any for it.
///
/// Source: spec, H.
pub(crate) fn tell(record: &Record) {
    match record {
        Record::CycleStarted { pod, .. } => debug!(%pod, "Attempting to schedule pod"),
        Record::Binding { pod, node } => debug!(%pod, %node, "Attempting to bind pod to node"),
        Record::Bound { pod, node } => debug!(%pod, %node, "Successfully bound pod to node"),
        Record::Failed {
            pod, code, message, ..
        } if code.is_rejection() => {
            let text = if &**message == NO_NODES {
                "Unable to schedule pod; no nodes are registered to the cluster; waiting"
            } else {
                "Unable to schedule pod; no fit; waiting"
            };
            debug!(%pod, err = %message, "{text}");
        }
        Record::Moved {
            pod,
            to,
            cause,
            backoff_until,
            ..
        } => {
            trace!(%pod, event = ?cause, queue = ?to, ?backoff_until, "Pod moved to an internal scheduling queue")
        }
        _ => {}
    }
}

fn targets(verbosity: u8) -> Targets {
    let level = match verbosity {
        0 | 1 => LevelFilter::INFO,
        2..=4 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // Libraries say at length what their callers say in a line. Credentials that cannot be renewed are said by them alone.
    Targets::new()
        .with_target("berth", level)
        .with_target("kube_client::client::auth", LevelFilter::WARN)
}

/// What is said where there is no node at all.
const NO_NODES: &str = "no nodes available to schedule pods";

static VERBOSITY: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();
