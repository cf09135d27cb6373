//! Berth in the browser: a page that shows, a worker that decides.

use wasm_bindgen as _;
