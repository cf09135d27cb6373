//! The same log of inputs gives the same bytes: twice natively, and in a wasm module in Node.

use std::fs;

use berth_tests::{replay, root, seeds, wasm_module};

use crate::wasm::call;

/// A document for each kind of run: drawn ones with faults, and two recorded clusters.
fn documents() -> Vec<(String, String)> {
    let recorded = ["mixed-25", "shop"].map(|name| {
        let path = root().join("tests/real").join(name).join("cluster.yaml");
        let text = fs::read_to_string(&path).expect("the recorded cluster can be read");
        (name.to_owned(), text)
    });
    let drawn = (0..12).map(|seed| (format!("seed {seed}"), seeds::scenario(seed).to_string()));
    recorded.into_iter().chain(drawn).collect()
}

#[test]
fn a_run_repeats_byte_for_byte() {
    for (name, document) in documents() {
        assert_eq!(
            replay::answer(&document),
            replay::answer(&document),
            "{name}"
        );
    }
}

#[test]
fn a_run_in_wasm_is_the_native_run_byte_for_byte() {
    let Some(module) = wasm_module() else {
        return;
    };
    for (name, document) in documents() {
        assert_eq!(
            call(&module, "replay", &document),
            replay::answer(&document),
            "{name}"
        );
    }
}
