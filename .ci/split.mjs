// Puts the worker's module into two: what every page needs for its first screen and a first touch, and the rest, which is
// fetched while people read. trunk runs this when it has built the page.
//
// The first part travels inside the page's module, as a section of its own: so that it is not fetched after the page has
// started but with it, and what the two have in common is compressed once. `static/boot.js` takes it out again.
//
// Which functions the first part holds is not written down anywhere: the module is run here, asks itself what a page asks
// first (`web/src/engine/rehearsal.rs`), and what was called stays. In place of every other function stands a stub that waits
// for the rest and calls it there through a table of its own. The rest shares the first file's memory, tables and globals.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

const tools = join(process.env.BERTH_CACHE, "tools/npm/node_modules");
const { default: binaryen } = await import(pathToFileURL(join(tools, "binaryen/index.js")));
binaryen.setOptimizeLevel(2);
binaryen.setShrinkLevel(2);

const folder = process.env.TRUNK_STAGING_DIR ?? process.argv[2];
const GLUE = join(folder, "worker.js");
const PAGE = join(folder, "page_bg.wasm");
const WHOLE = join(folder, "worker_bg.wasm");
const REST = join(folder, "worker_rest.wasm");
const CUSTOM = 0;
// Sections of a module that stand in the first part alone.
const DATA = 11;
const DATA_COUNT = 12;

const whole = readFileSync(WHOLE);
// In the names by which the rest finds the first part's tables: parts of two versions do not fit.
const VERSION = createHash("sha256").update(whole).digest("hex").slice(0, 12);
const module = binaryen.readBinary(whole);
const functions = list(module, "Function");
const own = functions.filter((it) => !it.module);
const called = await rehearse();
const later = own.filter((it) => !called.has(it.name));
// Short names in both parts; none begins like this among those of wasm-bindgen.
const nameOf = new Map(functions.map((it, index) => [it.name, `$${index.toString(36)}`]));

// Only what the first part still reaches needs a stub, and only what the rest reaches needs a name in it.
const reached = stubbed(later);
reached.runPasses(["remove-unused-module-elements"]);
const kept = new Set(list(reached, "Function").map((it) => it.name));
const entries = later.filter((it) => kept.has(it.name));
const { bytes: rest, imports } = remainder(entries);
const first = stubbed(entries);
for (const it of functions) if (imports.has(nameOf.get(it.name))) first.addFunctionExport(it.name, nameOf.get(it.name));
for (const it of list(module, "Global")) first.addGlobalExport(it.name, `g${it.name}`);
for (const it of list(first, "Table")) first.addTableExport(it.name, `t${it.name}-${VERSION}`);
first.optimize();
const bytes = first.emitBinary();
appendFileSync(PAGE, section("worker", bytes));
rmSync(WHOLE);
// What the core says, in Chinese, is needed as late as the rest: nobody waits for it at first.
const told = section("told", readFileSync("web/src/engine/told.tsv"));
writeFileSync(REST, Buffer.concat([rest, told]));
console.log(`split: ${called.size} of ${own.length} functions at once, ${bytes.length} bytes; ${rest.length} bytes later`);

// What a module has of a kind, as binaryen describes it.
function list(of, kind) {
  const count = of[`getNum${kind}s`]();
  return Array.from({ length: count }, (_, index) =>
    binaryen[`get${kind}Info`](of[`get${kind}ByIndex`](index)));
}

// Runs the module and returns the names of the functions that were called.
async function rehearse() {
  const watched = binaryen.readBinary(whole);
  watched.addFunctionImport("seen", "split", "seen", binaryen.i32, binaryen.none);
  functions.forEach((it, index) => {
    if (it.module) return;
    const body = binaryen.getFunctionInfo(watched.getFunction(it.name)).body;
    const seen = watched.call("seen", [watched.i32.const(index)], binaryen.none);
    binaryen.Function.setBody(watched.getFunction(it.name), watched.block(null, [seen, body], it.results));
  });
  const names = new Set();
  let timers = 0;
  let answers = 0;
  const { instantiate } = WebAssembly;
  const { setTimeout: later } = globalThis;
  WebAssembly.instantiate = (it, imports) =>
    instantiate(it, { ...imports, split: { seen: (index) => names.add(functions[index].name) } });
  Object.assign(globalThis, {
    self: globalThis,
    postMessage: () => answers++,
    setTimeout(work, delay) {
      timers++;
      return later(() => {
        timers--;
        work();
      }, delay);
    },
    loadRest() {},
  });
  const bindgen = vm.runInThisContext(`${readFileSync(GLUE, "utf8")}; wasm_bindgen`);
  await bindgen({ module_or_path: await WebAssembly.compile(watched.emitBinary()) });
  bindgen.listen();
  // What waits for the rest cannot lie in it.
  bindgen.needRest();
  let messages = 1;
  for (let message = 0; message < messages; message++) {
    messages = bindgen.rehearse(message);
    do await new Promise((go) => later(go)); while (timers > 0);
  }
  if (answers < messages) throw new Error(`${messages} messages of the rehearsal had ${answers} answers`);
  return names;
}

// The module with stubs in place of its later functions: those of `entries` call the rest, others are never called.
function stubbed(entries) {
  const it = binaryen.readBinary(whole);
  const slots = new Map(entries.map((entry, slot) => [entry.name, slot]));
  const wait = binaryen.getExportInfo(it.getExport("needRest")).value;
  it.addTable("rest", entries.length, entries.length);
  for (const { name, params, results } of later) {
    const slot = slots.get(name);
    const types = binaryen.expandType(params);
    const handOn = () => [
      it.call(wait, [], binaryen.none),
      it.call_indirect("rest", it.i32.const(slot), types.map((type, index) => it.local.get(index, type)), params, results),
    ];
    it.removeFunction(name);
    it.addFunction(name, params, results, [],
      slot === undefined ? it.unreachable() : it.block(null, handOn(), results));
  }
  return it;
}

// The later functions as a module of their own, which fills the table of the stubs when it is linked.
function remainder(entries) {
  const it = binaryen.readBinary(whole);
  for (const { name } of list(it, "Export")) it.removeExport(name);
  for (const { name } of list(it, "ElementSegment")) it.removeElementSegment(name);
  const goes = new Set(later.map((entry) => entry.name));
  for (const { name, params, results } of functions) {
    if (goes.has(name)) continue;
    it.removeFunction(name);
    it.addFunctionImport(name, "first", nameOf.get(name), params, results);
  }
  for (const { name, type, mutable } of list(it, "Global")) {
    it.removeGlobal(name);
    it.addGlobalImport(name, "first", `g${name}`, type, mutable);
  }
  for (const { name } of list(it, "Table")) it.addTableImport(name, "first", `t${name}-${VERSION}`);
  it.addMemoryImport("0", "first", "memory");
  it.addTable("rest", entries.length, entries.length);
  it.addTableImport("rest", "first", `trest-${VERSION}`);
  it.addActiveElementSegment("rest", "stubs", entries.map((entry) => entry.name), it.i32.const(0));
  // Read again without its data: what a segment says the first part has in memory already, and may have changed.
  const plain = binaryen.readBinary(withoutSections(it.emitBinary(), [DATA, DATA_COUNT]));
  plain.optimize();
  const imports = new Set(list(plain, "Function").filter((one) => one.module).map((one) => one.base));
  return { bytes: plain.emitBinary(), imports };
}

// A custom section in its binary form.
function section(name, content) {
  const label = Buffer.from(name);
  const inner = Buffer.concat([leb(label.length), label, content]);
  return Buffer.concat([Buffer.of(CUSTOM), leb(inner.length), inner]);
}

// A number as modules write it: seven bits a byte, the lowest first.
function leb(number) {
  const bytes = [];
  for (; number >= 0x80; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return Buffer.of(...bytes, number);
}

// A module in its binary form without some of its sections.
function withoutSections(bytes, unwanted) {
  const header = 8;
  const parts = [bytes.subarray(0, header)];
  for (let at = header; at < bytes.length;) {
    const begin = at;
    const section = bytes[at++];
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      more = bytes[at] >= 0x80;
      size += (bytes[at++] & 0x7f) * 2 ** shift;
    }
    at += size;
    if (!unwanted.includes(section)) parts.push(bytes.subarray(begin, at));
  }
  return Buffer.concat(parts);
}
