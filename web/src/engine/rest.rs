//! The part of the worker's module that no first screen needs.
//!
//! `.ci/split.mjs` puts it into a second file. The worker fetches that file by itself as soon as it listens; a function
//! that is needed earlier waits for it.

use core::sync::atomic::{AtomicBool, Ordering};

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Of `static/worker_boot.js`: links the rest to the module, and fetches it first where it has not come yet. Throws if
    /// it cannot be fetched, which the page hears of and says.
    #[wasm_bindgen(js_name = loadRest)]
    fn load_rest();

    /// Of the same file: the table of `told`, which lies in the rest, so that the rest must be there.
    #[wasm_bindgen(js_name = toldInChinese)]
    pub(super) fn told_in_chinese() -> String;
}

/// Returns when the rest of the module is there.
pub fn need_rest() {
    static IS_THERE: AtomicBool = AtomicBool::new(false);
    if !IS_THERE.load(Ordering::Relaxed) {
        load_rest();
        IS_THERE.store(true, Ordering::Relaxed);
    }
}
