//! Where the log of a running scheduler goes, and how much of it: standard error.

use std::io;
use std::sync::OnceLock;

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

static VERBOSITY: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();
