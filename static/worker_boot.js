// Starts the worker: what trunk would write for it passes its file in a way that is no longer wanted and says so.
importScripts("./worker.js");

wasm_bindgen({ module_or_path: "./worker_bg.wasm" });
