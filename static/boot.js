// Starts the page: its module comes from beside this file, with the first part of the worker's in it, and nothing else is
// fetched for the first screen.
import init from "./page.js";

const fetched = () => fetch("./page_bg.wasm");
const page = await WebAssembly.compileStreaming(fetched()).catch(async () =>
  // A server that does not say that it is a module.
  WebAssembly.compile(await (await fetched()).arrayBuffer()));
const [first] = WebAssembly.Module.customSections(page, "worker");
// `web/src/port.rs` hands it to every worker that it starts.
self.workerModule = await WebAssembly.compile(first);
init({ module_or_path: page });
