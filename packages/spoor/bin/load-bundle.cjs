// Loads a bundle of dist/bundled, with the compiled form of an earlier start where there is one: compiling takes longer than most
// commands. It is kept beside the bundle, which the hook itself protects; where nothing can be written there, every start compiles.
// It is named after what it was made from, because the engine itself compares only lengths; a damaged one is refused.
const { accessSync, constants, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Script } = require("node:vm");

// Modules of Node's own that load many others: most commands name them and few use them.
const LATE = new Set(
  ["child_process", "crypto", "http", "https", "os", "tls", "worker_threads", "zlib"].map((name) => `node:${name}`),
);

/**
 * @param {"cli" | "hook"} name
 * @param {string} entry
 * @returns what it exports, and a function that keeps what was compiled: to be called after the work, when the functions that it
 * needs are compiled too.
 */
module.exports = function loadBundle(name, entry = "main.cjs") {
  const folder = join(__dirname, "../dist/bundled", name);
  const id = readFileSync(join(folder, "bundle.id"), "latin1").slice(0, 16);
  const ending = `.${id}-${process.version}-${process.arch}.bin`;
  const modules = new Map();
  const compiled = [];
  const outside = createRequire(join(folder, entry));
  // As if every source stood in dist/ itself: what src/package-files.ts expects.
  const bundleUrl = pathToFileURL(dirname(folder)).href;
  const require = (wanted) => {
    if (/^\.\/[^/]+\.cjs$/.test(wanted)) return load(wanted.slice(2));
    return LATE.has(wanted) ? whenAsked(() => outside(wanted)) : outside(wanted);
  };

  function load(part) {
    const known = modules.get(part);
    if (known !== undefined) return known.exports;
    const file = join(folder, part);
    const kept = file + ending;
    const cachedData = readIfThere(kept);
    const source = `(function (exports, require, module, __filename, __dirname, importOutside, bundleUrl) {${readFileSync(file, "utf8")}\n})`;
    const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) compiled.push({ script, kept });
    const module = { exports: {} };
    modules.set(part, module);
    script.runInThisContext()(module.exports, require, module, file, folder, importOutside, bundleUrl);
    return module.exports;
  }

  return { exports: load(entry), keep: () => keep(folder, compiled) };
};

/** A module that is loaded when something of it is first used; to whoever looks at it, it is that module. */
function whenAsked(loadModule) {
  let loaded;
  const there = () => {
    loaded ??= loadModule();
    return loaded;
  };
  return new Proxy(
    {},
    {
      get: (_none, name) => there()[name],
      has: (_none, name) => name in there(),
      ownKeys: () => Reflect.ownKeys(there()),
      getOwnPropertyDescriptor(_none, name) {
        const own = Reflect.getOwnPropertyDescriptor(there(), name);
        return own && { ...own, configurable: true };
      },
    },
  );
}

/** A script with a kept compiled form cannot import modules, those of the user's among them; this file can. */
function importOutside(wanted) {
  return import(wanted);
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function keep(folder, compiled) {
  if (compiled.length === 0) return;
  try {
    accessSync(folder, constants.W_OK);
    const { threadId } = require("node:worker_threads");
    for (const { script, kept } of compiled) {
      const draft = `${kept}.${process.pid}-${threadId}`;
      writeFileSync(draft, script.createCachedData());
      renameSync(draft, kept);
    }
  } catch {
    // The next start compiles again.
  }
}
