// Starts the page: the module and its wasm come from beside this file, and nothing else is fetched.
import init from "./page.js";

init({ module_or_path: "./page_bg.wasm" });
