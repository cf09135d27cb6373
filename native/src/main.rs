//! Berth on the command line.

mod cli;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod driver;
#[cfg(feature = "cluster")]
mod dump;
mod error;
#[cfg(feature = "cluster")]
mod logging;
#[cfg(feature = "cluster")]
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
