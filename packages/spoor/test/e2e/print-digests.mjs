// Runs commands of the built tool one after the other in a folder and prints a digest of all that each wrote: standard output, standard error,
// every format as a file. One process for all of them, so that many surroundings can be compared.
// Usage: node print-digests.mjs FOLDER < [{"name": …, "args": […]}, …]
import { createHash } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const ENDINGS = ["json", "md", "html", "xml", "sarif", "ctrf.json", "txt"];

if (process.env.SPOOR_TEST_ORDER === "reversed") reverseFolders();
const { runInMemory } = await import("../../dist/cli/run-in-memory.js");

const commands = JSON.parse(fs.readFileSync(0, "utf8"));
process.chdir(process.argv[2]);
const digests = {};
for (const { name, args, isReport, isTimed } of commands) {
  if (isTimed) stopClock();
  const files = isReport ? ENDINGS.map((ending) => `out.${ending}`) : [];
  const run = await runInMemory([...args, ...files.flatMap((file) => ["-o", file])], {
    env: { ...process.env, CI: "" },
  });
  digests[name] = { code: run.code, out: digest(run.out), err: digest(run.err) };
  for (const file of files) digests[name][file] = fs.existsSync(file) ? digest(fs.readFileSync(file)) : "none";
  if (process.env.SPOOR_TEST_SHOW === name) process.stderr.write(run.out + run.err);
}
process.stdout.write(`${JSON.stringify(digests)}\n`);

function digest(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** How long a program took is not what is compared. */
function stopClock() {
  const [now, started] = [Date.parse("2026-01-05T09:00:00.000Z"), performance.now()];
  Date.now = () => now;
  performance.now = () => started;
}

/** Another file system lists a folder in another order. */
function reverseFolders() {
  const { readdirSync } = fs;
  const { readdir } = fs.promises;
  fs.readdirSync = (...given) => readdirSync(...given).reverse();
  fs.promises.readdir = async (...given) => (await readdir(...given)).reverse();
  syncBuiltinESMExports();
}
