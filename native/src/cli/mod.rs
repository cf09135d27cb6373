//! The subcommands: each parses, calls the core, and prints.

#[cfg(feature = "cluster")]
mod capture;
mod config;
mod explain;
mod explain_output;
mod input;
mod open;
mod output;
mod page;
#[cfg(feature = "cluster")]
mod redact;
mod render;
#[cfg(feature = "cluster")]
mod run;
#[cfg(feature = "cluster")]
mod selector;
mod share;
mod simulate;
mod trace;

use std::env;
use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::error::Error;

pub(crate) use output::Format;
pub(crate) use page::visible;

/// A Kubernetes scheduler you can watch, question, share and deploy.
#[derive(Parser)]
#[command(
    name = "berth",
    version,
    about,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Each command has an example in its own help.\n\n\
        Exit codes:\n  \
        0  done\n  \
        1  the input is wrong\n  \
        2  wrong usage\n  \
        3  a file or a cluster could not be reached\n  \
        4  explain: the pod stays pending"
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
    let is_kube_scheduler = is_called_kube_scheduler();
    let arguments = arguments(is_kube_scheduler);
    if let Some(error) = other_text(&arguments) {
        return Err(if is_kube_scheduler {
            Error::Flags(format!("error: {error}"))
        } else {
            Error::Usage(error)
        });
    }
    let matches = match Arguments::command().try_get_matches_from(arguments) {
        // Its callers expect 1.
        Err(error) if is_kube_scheduler && error.use_stderr() => {
            return Err(Error::Flags(error.render().to_string()));
        }
        Err(error) => error.exit(),
        Ok(matches) => matches,
    };
    let command = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments.command,
        Err(error) => error.exit(),
    };
    match command {
        Command::Simulate(arguments) => {
            simulate::run(&arguments).map_err(|error| error.beside(arguments.output))
        }
        Command::Explain(arguments) => {
            explain::run(&arguments).map_err(|error| error.beside(arguments.output))
        }
        Command::Render(arguments) => render::run(&arguments),
        Command::Share(arguments) => share::run(&arguments),
        Command::Open(arguments) => open::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        #[cfg(feature = "cluster")]
        Command::Run(arguments) => {
            let matches = matches.subcommand_matches("run").cloned();
            let ended = run::run(*arguments, &matches.unwrap_or_default());
            ended.map_err(|error| {
                if is_kube_scheduler {
                    Error::Flags(error.to_string())
                } else {
                    error
                }
            })
        }
        #[cfg(feature = "cluster")]
        Command::Capture(arguments) => capture::run(arguments),
    }
}

/// What to say of the first argument that is no text.
fn other_text(arguments: &[OsString]) -> Option<String> {
    let mut numbered = arguments.iter().enumerate().skip(1);
    let (number, argument) = numbered.find(|(_, argument)| argument.to_str().is_none())?;
    Some(format!(
        "argument {number}, {argument:?}, is not UTF-8; expected text, and files with names in UTF-8"
    ))
}

/// Whether the program is called kube-scheduler: then it takes that program's arguments.
fn is_called_kube_scheduler() -> bool {
    let name = env::args_os().next();
    let name = name.as_deref().map(Path::new).and_then(Path::file_name);
    cfg!(feature = "cluster") && name.is_some_and(|name| name == "kube-scheduler")
}

/// What the program was started with. Names of kube-scheduler's flags may be written with `_` for `-`.
fn arguments(is_kube_scheduler: bool) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().collect();
    if is_kube_scheduler {
        arguments.insert(1, "run".into());
    }
    if arguments.get(1).is_some_and(|command| command == "run") {
        for argument in arguments.iter_mut().skip(2) {
            if let Some(text) = argument.to_str().filter(|text| text.starts_with("--")) {
                let (name, value) = text.find('=').map_or((text, ""), |at| text.split_at(at));
                *argument = format!("{}{value}", name.replace('_', "-")).into();
            }
        }
    }
    arguments
}
