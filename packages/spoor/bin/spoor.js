#!/usr/bin/env node
// A committed file, so that `npx spoor` works right after `npm ci`; the program itself is built into dist/.
import("../dist/cli/main.js").then(
  ({ main }) => main(),
  (error) => {
    if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error(`spoor is not built yet: ${error.message}\nIn a clone of the repository: npm ci`);
    // A hook that cannot run must refuse; for coding agents only exit code 2 does.
    process.exitCode = process.argv[2] === "hook" ? 2 : 3;
  },
);
