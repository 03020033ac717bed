import { defineConfig } from "vitest/config";

/**
 * Packages resolve to their sources (`spoor-source`), so that tests never need a build. Without `import`, which is set where something is imported:
 * named here it would also hold for what a package requires.
 */
const conditions = ["spoor-source", "node", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "conformance/src/**/*.test.ts",
      "bench/src/**/*.test.ts",
      "fuzz/src/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    setupFiles: ["packages/core/test/setup.ts"],
    // The machine may be shared and slow: a limit is here to end a hang, not to measure anything.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    maxWorkers: 2,
    server: { deps: { inline: [/^@spoor\//, /^spoor$/] } },
  },
});
