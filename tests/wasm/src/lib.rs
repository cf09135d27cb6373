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

/// Runs a workload and says how many pods were bound of how many, in how many seconds of the clock, the digest of the
/// decisions, and how many mebibytes of memory the module has taken.
#[cfg(feature = "bench")]
#[wasm_bindgen]
#[must_use]
pub fn measure(scenario: &str, clock: &js_sys::Function) -> String {
    // Memory that the allocator asks for comes page by page, and with each page the engine looks for garbage.
    drop(core::hint::black_box(Vec::<u8>::with_capacity(
        scenario.len() * MEMORY_PER_BYTE,
    )));
    let now = || {
        let seconds = clock.call0(&wasm_bindgen::JsValue::NULL);
        seconds
            .ok()
            .and_then(|seconds| seconds.as_f64())
            .unwrap_or(f64::NAN)
    };
    let measured = berth_tests::workloads::measure(scenario, &now);
    format!("{} {}", measured.to_line(), memory_mebibytes())
}

/// About how much memory a run takes for each byte of its document.
#[cfg(feature = "bench")]
const MEMORY_PER_BYTE: usize = 20;

/// Memory only ever grows, so this is also the most that there was.
#[cfg(all(feature = "bench", target_arch = "wasm32"))]
fn memory_mebibytes() -> usize {
    core::arch::wasm32::memory_size(0) / 16
}

/// A build for another host only checks that this compiles.
#[cfg(all(feature = "bench", not(target_arch = "wasm32")))]
const fn memory_mebibytes() -> usize {
    0
}
