//! The subcommands: each parses, calls the core, and prints.

mod config;
mod explain;
mod explain_output;
mod input;
mod open;
mod output;
mod render;
mod share;
mod simulate;
mod trace;

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
}

/// Parses the arguments and does what they say. Wrong usage ends the program with exit code 2.
pub(crate) fn run() -> Result<(), Error> {
    match Arguments::parse().command {
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Share(arguments) => share::run(&arguments),
        Command::Open(arguments) => open::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
    }
}
