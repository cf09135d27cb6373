// Starts the worker. Its module comes in two files: what the first screen needs, and the rest, which is fetched right after
// it and linked when it is first needed. `.ci/split.mjs` writes both.
importScripts("./worker.js");

const REST = "./worker_rest.wasm";
let rest = null;
let isLinked = false;

wasm_bindgen({ module_or_path: "./worker_bg.wasm" }).then((first) => {
  self.loadRest = () => {
    if (isLinked) return;
    new WebAssembly.Instance(rest ?? new WebAssembly.Module(fetchNow()), { first });
    isLinked = true;
  };
  wasm_bindgen.listen();
  return fetch(REST).then((answer) => answer.arrayBuffer()).then(WebAssembly.compile).then((module) => {
    rest = module;
  });
}).catch(() => {
  // Without the rest the first screen still works; who needs more asks for it again and hears what is wrong.
});

// Waits: the module cannot go on without it.
function fetchNow() {
  const request = new XMLHttpRequest();
  request.open("GET", REST, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${REST} cannot be fetched: ${request.status}`);
  return request.response;
}
