//! Helpers of Berth's test targets: where things lie, how a table of cases is checked.

use std::env;
use std::path::{Path, PathBuf};

pub mod binary;
pub mod checkers;
#[cfg(not(target_arch = "wasm32"))]
pub mod cluster;
pub mod corpus;
pub mod formulas;
pub mod page;
pub mod random;
pub mod replay;
pub mod seeds;
pub mod setting;
pub mod source;
pub mod vectors;
pub mod workloads;

/// The root of the checkout.
///
/// # Panics
///
/// Never: this package lies in a folder of the checkout.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in a folder")
}

/// The core as a module for Node, or nothing, said on standard error, where nobody has built it.
///
/// `.ci/wasm` builds it; `make test` does so and sets `BERTH_WASM`.
#[must_use]
pub fn wasm_module() -> Option<PathBuf> {
    let module = env::var_os("BERTH_WASM").map(PathBuf::from);
    if module.is_none() {
        eprintln!("skipped: BERTH_WASM does not name the wasm module; `make test` builds it");
    }
    module
}
