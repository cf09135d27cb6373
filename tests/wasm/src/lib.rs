//! The core as a module for Node. What goes in and comes out is text; nothing here decides anything.

use wasm_bindgen::prelude::wasm_bindgen;

/// Returns `text` as it is. Proves that text crosses the border both ways unharmed.
#[wasm_bindgen]
#[must_use]
pub fn echo(text: &str) -> String {
    text.to_owned()
}

/// Runs a scenario to its end and returns what it came to, records and all.
#[wasm_bindgen]
#[must_use]
pub fn replay(document: &str) -> String {
    berth_tests::replay::answer(document)
}

/// The digest of every float formula of the core: `seed inputs` becomes a number in hexadecimal.
#[wasm_bindgen]
#[must_use]
pub fn formulas(argument: &str) -> String {
    berth_tests::formulas::answer(argument)
}

/// Runs a workload and says how many pods were bound of how many, in how many seconds, and the digest of the decisions.
#[cfg(feature = "bench")]
#[wasm_bindgen]
#[must_use]
pub fn measure(scenario: &str) -> String {
    let clock = || now() / 1_000.0;
    let measured = berth_tests::workloads::measure(scenario, &clock);
    format!(
        "{} {} {} {}",
        measured.bound, measured.pods, measured.seconds, measured.digest
    )
}

#[cfg(feature = "bench")]
#[wasm_bindgen]
extern "C" {
    /// Milliseconds on Node's clock.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}
