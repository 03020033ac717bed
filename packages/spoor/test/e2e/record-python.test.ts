/** Four Python clients in one program, recorded by their environment alone: nothing in the program knows of it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Trace } from "@spoor/core";
import { expect, it, onTestFinished } from "vitest";
import { FINAL_WORDS } from "../../../record/test/model-server/by-words.ts";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import { loadTraces } from "../../src/load/load-traces.ts";
import { installPython } from "./python-cache.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const { python, why } = installPython([
  "openai==2.54.0",
  "anthropic==2.8.0",
  "google-genai==3.1.0",
  "litellm==1.106.2",
]);
const program = fileURLToPath(new URL("python-clients.py", import.meta.url));
const title = python === undefined ? ` (skipped: ${why})` : "";

it.skipIf(python === undefined)(`openai, litellm, anthropic and google-genai of Python${title}`, async () => {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const folder = temporaryFolder();
  const upstreams = ["openai", "anthropic", "google"].flatMap((name) => ["--upstream", `${name}=${model.url}`]);
  const run = await runSpoor(["record", "--to", "out", ...upstreams, "--", python!, program], {
    cwd: folder,
    env: { OPENAI_API_KEY: "sk-nobody-1", ANTHROPIC_API_KEY: "sk-nobody-2", GEMINI_API_KEY: "key-nobody-3" },
  });
  expect(run.code, run.stderr).toBe(0);
  const plainCases = { whole: FINAL_WORDS, stream: FINAL_WORDS, fails: expect.any(String) };
  const cases = { ...plainCases, tools: FINAL_WORDS };
  expect(JSON.parse(run.stdout.trim().split("\n").at(-1)!)).toEqual({
    openai: cases,
    litellm: { ...plainCases, anthropic: FINAL_WORDS, gemini: FINAL_WORDS },
    anthropic: cases,
    genai: cases,
  });
  const traces = await loadTraces([join(folder, "out")]);
  traces.sort((a, b) => fileNumber(a) - fileNumber(b));
  const stories = traces.map(({ turns, toolCalls, steps }) => ({
    failed: steps.filter(({ status, kind }) => kind === "llm" && status === "error").length,
    said: turns.map(({ text }) => text),
    calls: toolCalls.map(({ name, input, output }) => [name, (input as { city: string }).city, JSON.stringify(output)]),
  }));
  const plain = { failed: 0, said: [FINAL_WORDS], calls: [] };
  const tools = {
    failed: 0,
    said: ["", FINAL_WORDS],
    calls: ["Oslo", "Roma 🌍"].map((city) => ["get_weather", city, expect.stringContaining(`sunny in ${city}`)]),
  };
  const failed = { failed: 1, said: [], calls: [] };
  const each = [plain, plain, tools, failed];
  expect(stories).toEqual([...each, plain, plain, failed, plain, plain, ...each, ...each]);
});

/** Files are numbered in the order in which conversations began. */
function fileNumber({ source }: Trace): number {
  return Number(/conversation-(\d+)/.exec(source.path ?? "")?.[1]);
}
