//! A browser under test: a server for the built page, and a driver for Chromium, both as small as a test needs them.

mod browser;
mod http;
mod server;

pub use browser::{Browser, Keys, Looks};
pub use server::Server;

use std::path::{Path, PathBuf};

/// Where the built page is, or why there is none to test.
///
/// # Errors
///
/// A sentence that says what is missing.
pub fn built_page() -> Result<PathBuf, String> {
    let folder = std::env::var_os("BERTH_PAGE").map(PathBuf::from);
    let folder =
        folder.ok_or("BERTH_PAGE names no built page; `.ci/run browser` builds one and sets it")?;
    if folder.join("index.html").is_file() {
        Ok(folder)
    } else {
        Err(format!("{} holds no index.html", folder.display()))
    }
}

/// The program that drives Chromium, or why there is none.
///
/// # Errors
///
/// A sentence that says what is missing.
pub fn chromedriver() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("chromedriver"));
    found
        .into_iter()
        .find(|program| Path::is_file(program))
        .ok_or_else(|| "there is no chromedriver here; `.ci/setup browser` installs it".to_owned())
}
