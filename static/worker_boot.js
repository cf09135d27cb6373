// Starts the worker. Its module comes in two parts: what the first screen needs, which the page sends, and the rest, which is
// fetched right after it and linked when it is first needed. `.ci/split.mjs` makes both.
importScripts("./worker.js");

const REST = "./worker_rest.wasm";
let rest = null;
let isLinked = false;

self.onmessage = ({ data: module }) => {
  const first = wasm_bindgen.initSync({ module });
  self.loadRest = () => {
    if (isLinked) return;
    rest ??= new WebAssembly.Module(fetchNow());
    new WebAssembly.Instance(rest, { first });
    isLinked = true;
  };
  // What the core says, in Chinese: a table that lies beside the functions of the rest. Without it, it is told in English.
  self.toldInChinese = () => {
    try {
      self.loadRest();
    } catch {
      return "";
    }
    return new TextDecoder().decode(WebAssembly.Module.customSections(rest, "told")[0]);
  };
  // The module listens to the messages from here on.
  wasm_bindgen.listen();
  fetch(REST).then((answer) => answer.arrayBuffer()).then(WebAssembly.compile).then((module) => {
    rest ??= module;
  }).catch(() => {
    // The first screen works without the rest; who needs more asks for it again and hears what is wrong.
  });
};

// Waits: the module cannot go on without it.
function fetchNow() {
  const request = new XMLHttpRequest();
  request.open("GET", REST, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${REST} cannot be fetched: ${request.status}`);
  return request.response;
}
