//! The `berth` binary, built when first asked for.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use crate::root;

/// What a run of the binary printed, and how it ended.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

/// Runs `berth` with these arguments in the root of the checkout.
#[must_use]
pub fn berth(arguments: &[&str]) -> Run {
    berth_with_input(arguments, "")
}

/// Runs `berth` with text on its standard input.
///
/// # Panics
///
/// When the binary cannot be built or started, or is ended by a signal: it must never be.
#[must_use]
pub fn berth_with_input(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(binary())
        .args(arguments)
        .current_dir(root())
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads no input may close it early.
        let _ = stdin.write_all(input.as_bytes());
    }
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    Run {
        code: status
            .code()
            .unwrap_or_else(|| panic!("{arguments:?} was ended by a signal")),
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

/// Where the binary is. It is built once, with the profile of the tests, unless `BERTH_BINARY` names one.
///
/// # Panics
///
/// When it cannot be built.
#[must_use]
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(path) = env::var_os("BERTH_BINARY") {
            return PathBuf::from(path);
        }
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--quiet", "--locked", "--package", "berth"])
            .arg("--message-format=json")
            .current_dir(root())
            .output()
            .expect("cargo starts");
        let messages = String::from_utf8_lossy(&output.stdout);
        let path = messages.lines().find_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let is_berth = message["target"]["name"] == "berth";
            let path = message["executable"].as_str().filter(|_| is_berth)?;
            Some(PathBuf::from(path))
        });
        path.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    })
}
