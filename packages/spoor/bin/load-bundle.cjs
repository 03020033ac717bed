// Loads a bundle of dist/bundled, with the compiled form of an earlier start where there is one: compiling takes longer than most
// commands. The parts of a bundle stand in one file and are read from it when they are first asked for. What was compiled is kept
// beside it, which the hook itself protects, one file for each command: it holds what that command needs. Where nothing can be
// written there, every start compiles. It is named after what it was made from, because the engine itself compares only lengths; a
// damaged one is refused.
const { accessSync, constants, openSync, readFileSync, readSync, renameSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Script } = require("node:vm");

const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "importOutside", "bundleUrl"];

/**
 * @param {"cli" | "hook"} name
 * @param {{ entry?: string, command?: string }} options the part that is run, and for which command what was compiled is kept
 * @returns what it exports, and a function that keeps what was compiled: to be called after the work, when the functions that it
 * needs are compiled too.
 */
module.exports = function loadBundle(name, { entry = "main.cjs", command = "other" } = {}) {
  const folder = join(__dirname, "../dist/bundled", name);
  const { id, parts } = JSON.parse(readFileSync(join(folder, "parts.json"), "utf8"));
  const file = join(folder, "parts.cjs");
  const opened = openSync(file);
  const pack = join(folder, `${/^[a-z][a-z-]*$/.test(command) ? command : "other"}.${id}-${engineName()}.bin`);
  const kept = readKept(pack);
  const modules = new Map();
  const scripts = new Map();
  let isNew = false;
  // As if every source stood in dist/ itself: what src/package-files.ts expects.
  const bundleUrl = pathToFileURL(dirname(folder)).href;
  const requirePart = (wanted) => (wanted.startsWith("./") ? load(wanted.slice(2)) : require(wanted));

  function load(part) {
    const known = modules.get(part);
    if (known !== undefined) return known.exports;
    const [start, length, lineOffset] = parts[part];
    const text = Buffer.allocUnsafe(length);
    readSync(opened, text, 0, length, start);
    const cachedData = kept.get(part);
    const script = new Script(`(function (${PARAMETERS}) {${text.utf8Slice()}\n})`, {
      filename: file,
      lineOffset,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    scripts.set(part, script);
    isNew ||= cachedData === undefined || script.cachedDataRejected;
    const module = { exports: {} };
    modules.set(part, module);
    script.runInThisContext()(module.exports, requirePart, module, file, folder, importOutside, bundleUrl);
    return module.exports;
  }

  return { exports: load(entry), keep: () => isNew && keep(pack, kept, scripts) };
};

/** What was compiled under other flags is refused; the tag tells them apart, and asking for it where there are none takes time. */
function engineName() {
  const plain = `${process.version}-${process.arch}`;
  const hasFlags = process.execArgv.length > 0 || process.env.NODE_OPTIONS !== undefined;
  return hasFlags ? `${plain}-${require("node:v8").cachedDataVersionTag()}` : plain;
}

/** A script with a kept compiled form cannot import modules, those of the user's among them; this file can. */
function importOutside(wanted) {
  return import(wanted);
}

/** A line of JSON that says what is where, then the compiled parts one after the other. */
function readKept(pack) {
  try {
    const bytes = readFileSync(pack);
    const end = bytes.indexOf(10);
    const parts = new Map();
    let start = end + 1;
    for (const [part, length] of JSON.parse(bytes.latin1Slice(0, end))) {
      parts.set(part, bytes.subarray(start, start + length));
      start += length;
    }
    return parts;
  } catch {
    return new Map();
  }
}

/** What was kept before and not needed this time stays. */
function keep(pack, kept, scripts) {
  try {
    accessSync(dirname(pack), constants.W_OK);
    const { threadId } = require("node:worker_threads");
    const parts = new Map(kept);
    for (const [part, script] of scripts) parts.set(part, script.createCachedData());
    const head = JSON.stringify([...parts].map(([part, { length }]) => [part, length]));
    const draft = `${pack}.${process.pid}-${threadId}`;
    writeFileSync(draft, Buffer.concat([Buffer.from(`${head}\n`, "latin1"), ...parts.values()]));
    renameSync(draft, pack);
  } catch {
    // The next start compiles again.
  }
}
