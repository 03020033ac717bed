/** What a page shows as a file can be read: YAML and JSON parse, and a block that claims to be a policy or a configuration loads as one. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "@spoor/core";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadEvaluators } from "../../src/evals/load-evaluators.ts";
import { loadTargets } from "../../src/evals/load-targets.ts";
import { loadPolicy } from "../../src/load/load-policy.ts";
import { loadTraceFile } from "../../src/load/load-traces.ts";
import { type Block, loadPages, root } from "./page.ts";

const env = { JUDGE_KEY: "k", OPENAI_API_KEY: "k", TEST_DATABASE_URL: "x" };

/** Loads a file of this kind; throws when it cannot. */
const loaders: Record<string, (file: string, folder: string) => unknown> = {
  policy: (file, cwd) => loadPolicy(file, { cwd }),
  config: async (file, cwd) => (await builtConfigLoader()).loadConfig(file, cwd),
  evaluators: (file, cwd) => loadEvaluators(file, { cwd, strict: true, env }),
  targets: (file, cwd) => loadTargets(file, cwd, cwd, cwd),
  trace: (file) => loadTraceFile(file),
};

/** The built one: a TypeScript configuration is loaded by Node itself, outside the test runner. */
function builtConfigLoader(): Promise<typeof import("../../src/config/load-config.ts")> {
  return import(new URL("../../dist/config/load-config.js", import.meta.url).href);
}

const blocks = loadPages().flatMap((page) =>
  page.blocks.map((block) => ({ where: `${page.path}:${block.line}`, block })),
);
const marked = blocks.filter(({ block }) => block.directives.has("loads as"));

describe("snippets of the documentation", () => {
  it.each(blocks.filter(({ block }) => block.language === "yaml"))("$where is YAML", ({ where, block }) => {
    expect(() => parseYaml(block.text, where)).not.toThrow();
  });

  it.each(blocks.filter(({ block }) => block.language === "json"))("$where is JSON", ({ block }) => {
    expect(() => parseJson(block.text)).not.toThrow();
  });

  it.each(marked)("$where loads as what it claims to be", async ({ where, block }) => {
    await loadBlock(block, where);
  });

  it("some are marked", () => {
    expect(marked.length).toBeGreaterThan(5);
  });
});

async function loadBlock(block: Block, where: string): Promise<void> {
  const kind = block.directives.get("loads as")!;
  const load = loaders[kind];
  if (load === undefined)
    throw new Error(`${where}: nothing loads as "${kind}"; known: ${Object.keys(loaders).join(", ")}`);
  const folder = mkdtempSync(join(tmpdir(), "spoor-snippet-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, `snippet.${block.language}`);
  writeFileSync(file, `${block.text}\n`);
  await load(file, folder);
}
