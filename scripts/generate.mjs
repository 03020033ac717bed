// Writes the references that are made from definitions (command line, formats, rules, schemas); `--check` only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "./ensure-installed.mjs";
import { generatedFiles } from "./generated-files.mjs";

const check = process.argv.includes("--check");
const stale = [];
for (const [path, content] of await generatedFiles()) {
  const file = `${root}${path}`;
  if (existsSync(file) && readFileSync(file, "utf8") === content) continue;
  if (check) stale.push(path);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    console.log(`wrote ${path}`);
  }
}
if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run: node scripts/generate.mjs`);
  process.exit(1);
}
