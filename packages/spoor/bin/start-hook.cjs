// Starts `spoor hook` from its bundle, with the compiled form of an earlier start where there is one: compiling takes longer than
// judging. It is kept beside the bundle, which the hook itself protects; where nothing can be written there, every start
// compiles. It is named after what it was made from, because the engine itself compares only lengths; a damaged one is refused.
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

/** @param {readonly string[]} words */
module.exports = function startHook(words) {
  const file = join(__dirname, "../dist/bundled/hook.cjs");
  const text = readFileSync(file, "utf8");
  const id = readFileSync(join(__dirname, "../dist/bundled/hook.id"), "latin1").slice(0, 16);
  const kept = `${file}.${id}-${process.version}-${process.arch}.bin`;
  const cachedData = readIfThere(kept);
  const source = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(file), bundle, file, dirname(file));
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  // After the work, when the functions that it needs are compiled too.
  return bundle.exports.hookMain(words, () => isKept || keep(kept, script));
};

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep(file, script) {
  try {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  } catch {
    // The next start compiles again.
  }
}
