// Says how large the files of a folder are, raw and after brotli, and fails when those that are fetched before the first
// interaction exceed a budget. What comes later has `_rest` in its name.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [folder, budget] = process.argv.slice(2);
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
let all = 0;
let later = 0;
for (const name of readdirSync(folder).sort()) {
  const path = join(folder, name);
  if (!statSync(path).isFile() || name.endsWith(".d.ts")) continue;
  const bytes = readFileSync(path);
  const packed = brotliCompressSync(bytes, quality).length;
  if (name.includes("_rest")) later += packed;
  else all += packed;
  console.log(`${String(bytes.length).padStart(9)} ${String(packed).padStart(8)}  ${name}`);
}
console.log(`${" ".repeat(9)} ${String(all).padStart(8)}  before the first interaction, of ${budget} allowed, brotli; then ${later}`);
process.exit(all <= Number(budget) ? 0 : 1);
