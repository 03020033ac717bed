/** Every program that docs/recording.md shows for a framework runs with that framework, against the scripted model, and is recorded. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { member } from "@spoor/core/internal/trace/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadPages } from "../../spoor/test/docs/page.ts";
import { installPackages } from "../../spoor/test/e2e/agent-cache.ts";
import { startModelServer } from "./model-server/model-server.ts";
import { readTraces } from "./sdk-matrix/compare.ts";
import { baseUrls } from "./sdk-matrix/matrix.ts";

const packages = fileURLToPath(new URL("../..", import.meta.url));
const page = loadPages().find(({ path }) => path === "docs/recording.md")!;
const programs = page.blocks.flatMap((block) => {
  const needs = block.directives.get("runs with");
  return needs === undefined ? [] : [{ line: block.line, needs, text: block.text }];
});

describe("programs of docs/recording.md", () => {
  const prepared = programs.map((program) => ({ ...program, ...installPackages(program.needs.split(" ")) }));
  const [ready, missing] = [true, false].map((is) => prepared.filter(({ modules }) => (modules !== undefined) === is));

  it.skip.each(missing!)("line $line, with $needs: $why", () => {});

  it.each(ready!)("line $line, with $needs", async ({ modules, text }) => {
    const folder = projectWith(modules!);
    writeFileSync(join(folder, "program.mjs"), text);
    const server = await startModelServer();
    onTestFinished(() => server.close());
    const keys = { OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none", GEMINI_API_KEY: "none" };
    const env = { ...process.env, NODE_OPTIONS: "", ...keys, ...baseUrls(server.url) };
    const { code, output } = await run(folder, env);
    expect([code, output]).toEqual([0, expect.stringContaining("The weather is fine")]);

    const [recording] = readdirSync(join(folder, ".spoor/recordings"));
    const traces = readTraces(join(folder, ".spoor/recordings", recording!));
    expect(traces).toHaveLength(1);
    const results = traces[0]!.filter(({ kind }) => kind === "tool_result");
    const hasTool = text.includes("get_weather");
    expect(results.map(({ meta }) => member(meta, "evidence"))).toEqual(hasTool ? ["ran"] : []);
    const answers = traces[0]!.filter(({ kind }) => kind === "chat_response");
    expect(answers).toHaveLength(server.exchanges.length);
  });

  it("there is one for each framework", () => {
    expect(programs.length).toBeGreaterThanOrEqual(6);
  });
});

/** A folder that finds the packages, and ours beside them. */
function projectWith(modules: string): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-docs-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, "node_modules");
  mkdirSync(join(own, "@spoor"), { recursive: true });
  for (const name of readdirSync(modules)) if (!name.startsWith(".")) symlinkSync(join(modules, name), join(own, name));
  for (const name of ["core", "record"]) symlinkSync(join(packages, name), join(own, "@spoor", name));
  return folder;
}

function run(folder: string, env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["program.mjs"], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}
