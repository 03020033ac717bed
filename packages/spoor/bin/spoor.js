#!/usr/bin/env node
// A committed file, so that `npx spoor` works right after `npm ci`; the program itself is built into dist/.
// `spoor hook` is started twice for every tool call of an agent and is one file of its own.
const [name, ...words] = process.argv.slice(2);
const isHook = name === "hook" && !words.some((word) => word === "--help" || word === "-h");

(isHook
  ? import("../dist/bundled/hook.js").then(({ hookMain }) => hookMain(words))
  : import("../dist/cli/main.js").then(({ main }) => main())
).catch((error) => {
  const missing = error?.code === "ERR_MODULE_NOT_FOUND" && String(error.message).includes("dist");
  console.error(
    missing
      ? `spoor is not built yet: ${error.message}\nIn a clone of the repository: npm ci`
      : (error?.stack ?? error),
  );
  // 3 is "internal error", so that nobody takes it for a tripped gate; a hook that cannot run must refuse, which is 2.
  process.exitCode = isHook ? 2 : 3;
});
