#!/usr/bin/env node
// A committed file, so that `npx spoor` works right after `npm ci`; the program itself is built into dist/.
// `spoor hook` is started twice for every tool call of an agent and has a bundle of its own.
// CommonJS, as bin/package.json says: what Node loads for modules is a tenth of an empty process.
const loadBundle = require("./load-bundle.cjs");

const [name, ...words] = process.argv.slice(2);
const isHook = name === "hook" && !words.some((word) => word === "--help" || word === "-h");

start().catch((error) => {
  const missing = /^(ERR_MODULE_NOT_FOUND|ENOENT)$/.test(error?.code) && String(error.message).includes("dist");
  console.error(
    missing
      ? `spoor is not built yet: ${error.message}\nIn a clone of the repository: npm ci`
      : (error?.stack ?? error),
  );
  // 3 is "internal error", so that nobody takes it for a tripped gate; a hook that cannot run must refuse, which is 2.
  process.exitCode = isHook ? 2 : 3;
});

async function start() {
  const { exports, keep } = loadBundle(isHook ? "hook" : "cli", { command: name });
  if (isHook) return exports.hookMain(words, keep);
  // Not what it takes to refuse: a word that is no command has no file.
  process.once("exit", (code) => code < 2 && keep());
  return exports.main();
}
