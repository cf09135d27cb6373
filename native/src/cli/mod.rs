//! The subcommands: each parses, calls the core, and prints.

#[cfg(feature = "cluster")]
mod capture;
mod config;
mod explain;
mod explain_output;
mod input;
mod open;
mod output;
#[cfg(feature = "cluster")]
mod redact;
mod render;
#[cfg(feature = "cluster")]
mod run;
mod share;
mod simulate;
mod trace;

use std::env;
use std::ffi::OsString;
use std::path::Path;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// A Kubernetes scheduler you can watch, question, share and deploy.
#[derive(Parser)]
#[command(
    name = "berth",
    version,
    about,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Simulate(simulate::Arguments),
    Explain(explain::Arguments),
    Render(render::Arguments),
    Share(share::Arguments),
    Open(open::Arguments),
    Config(config::Arguments),
    #[cfg(feature = "cluster")]
    Run(Box<run::Arguments>),
    #[cfg(feature = "cluster")]
    Capture(capture::Arguments),
}

/// Parses the arguments and does what they say. Wrong usage ends the program with exit code 2.
pub(crate) fn run() -> Result<(), Error> {
    match Arguments::parse_from(arguments()).command {
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Share(arguments) => share::run(&arguments),
        Command::Open(arguments) => open::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        #[cfg(feature = "cluster")]
        Command::Run(arguments) => run::run(*arguments),
        #[cfg(feature = "cluster")]
        Command::Capture(arguments) => capture::run(arguments),
    }
}

/// What the program was started with. Called kube-scheduler it takes that program's arguments.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let name = arguments.first().map(Path::new).and_then(Path::file_name);
    if cfg!(feature = "cluster") && name.is_some_and(|name| name == "kube-scheduler") {
        arguments.insert(1, "run".into());
    }
    arguments
}
