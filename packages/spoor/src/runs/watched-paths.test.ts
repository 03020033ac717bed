import { expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { watchedPaths } from "./watched-paths.ts";

function looksAt(watch?: readonly string[]) {
  const run = {
    command: "node a.mjs",
    scenarios: {},
    repeat: 1,
    workers: 1,
    timeoutSeconds: 1,
    ...(watch && { watch }),
  };
  const config = { run, diff: { baseline: ["recordings"] }, report: { html: "out/report.html" } } as unknown as Config;
  return watchedPaths({ file: "spoor.config.yaml", folder: "/project", config }, ["/project/verdict.json"]);
}

it.each([
  ["prompt.md", true],
  ["src/", true],
  ["src/agent.py", true],
  ["spoor.config.yaml", true],
  ["node_modules/", false],
  ["packages/a/node_modules/x.js", false],
  [".git/", false],
  [".spoor/", false],
  [".env", false],
  ["src/__pycache__/", false],
  ["agent.log", false],
  ["prompt.md~", false],
  ["recordings/", false],
  ["recordings/a.run1.agentlog", false],
  ["recordings-notes.md", true],
  ["out/report.html", false],
  ["out/notes.md", true],
  ["verdict.json", false],
])("by default %s is looked at: %s", (path, expected) => {
  expect(looksAt()(path)).toBe(expected);
});

it("looks at what run.watch names alone: files, folders and globs", () => {
  const looks = looksAt(["prompts", "src/**/*.py", "system.txt"]);
  const paths = ["prompts/a.md", "prompts/b/c.md", "src/a.py", "src/x/b.py", "system.txt", "src/a.js", "prompt.md"];
  expect(paths.filter(looks)).toEqual(["prompts/a.md", "prompts/b/c.md", "src/a.py", "src/x/b.py", "system.txt"]);
  expect([looks("src/"), looks("node_modules/")]).toEqual([true, false]);
});
