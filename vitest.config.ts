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
    setupFiles: ["packages/core/test/setup.ts"],
    // The machine may be shared and slow: a limit is here to end a hang, not to measure anything.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    maxWorkers: 2,
    server: { deps: { inline: [/^@spoor\//, /^spoor$/] } },
    projects: [
      // Beside their sources, without the world: files share a process, because loading the sources anew took longer than most tests.
      // The setup puts back what a file may leave behind.
      project("units", { include: ["packages/*/src/**/*.test.ts", "conformance/src/**/*.test.ts"], isolate: false }),
      // Servers, browsers, agents, whole commands: each file in a process of its own.
      project("whole", {
        include: [
          "packages/*/test/**/*.test.ts",
          "bench/src/**/*.test.ts",
          "fuzz/src/**/*.test.ts",
          "scripts/**/*.test.ts",
        ],
      }),
    ],
  },
});

function project(name: string, test: { readonly include: string[]; readonly isolate?: boolean }) {
  return { extends: true, test: { name, ...test } } as const;
}
