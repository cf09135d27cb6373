//! The worker, in which the core runs. `static/worker_boot.js` starts it, `.ci/split.mjs` puts what no first screen needs
//! into a file of its own.

use berth_web::engine;
use wasm_bindgen::prelude::wasm_bindgen;

/// Empty: the worker listens when its boot script can fetch the rest of the module.
fn main() {}

/// Listens for as long as the worker lives.
#[wasm_bindgen]
pub fn listen() {
    engine::listen();
}

/// Called in front of every function that lies in the rest of the module.
#[wasm_bindgen(js_name = needRest)]
pub fn need_rest() {
    engine::need_rest();
}

/// Asks itself what a page asks for its first screen, while the module is split: what runs then is what every visitor waits
/// for. Says how many messages there are.
#[wasm_bindgen]
pub fn rehearse(message: usize) -> usize {
    engine::rehearse(message)
}
