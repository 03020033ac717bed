/** A module that never returns, ends its program or eats all memory costs its own run and nothing else. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const MODULE = `
console.log("module loaded");
export default async function ({ prompt }) {
  console.log("asked: " + prompt);
  if (prompt === "loop") for (;;);
  if (prompt === "exit") process.exit(4);
  if (prompt === "memory") { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }
  return { output_messages: [{ role: "assistant", tool_calls: [{ tool: "look" }], content: "ok" }] };
}
`;

it("a module's loop, exit and hunger for memory end their own runs", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "agent.mjs"), MODULE);
  writeFileSync(join(folder, "targets.yaml"), "targets:\n  - { name: f, provider: function, module: agent.mjs }\n");
  writeFileSync(
    join(folder, "e.yaml"),
    `target: f
evaluators:
  - { name: t, type: tool_trajectory, mode: any_order, minimums: { look: 1 } }
cases:
  - { id: before, input: hello }
  - { id: loop, input: loop, execution: { timeout_seconds: 5 } }
  - { id: exit, input: exit }
  - { id: memory, input: memory }
  - { id: after, input: hello again }
`,
  );
  const run = await runSpoor(["eval", "e.yaml", "--max-retries", "0", "--workers", "1", "--results", "r.jsonl"], {
    cwd: folder,
    env: { NODE_OPTIONS: "--max-old-space-size=150" },
  });
  expect(run.code, run.stderr).toBe(1);
  const records = readFileSync(join(folder, "r.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = records.map(({ eval_id, status, ended, limit, error }) => [
    eval_id,
    status,
    ended,
    limit?.kind ?? error?.message,
  ]);
  expect(told).toEqual([
    ["before", "passed", "answered", undefined],
    ["loop", "failed", "limit", "timeout"],
    ["exit", "failed", "error", "the function ended its program (exit code 4)"],
    ["memory", "failed", "error", "the function used up its memory"],
    ["after", "passed", "answered", undefined],
  ]);
  // One thread is used until something takes it away, and its last words are heard.
  const printed = run.stdout.split("\n").filter((line) => /^(module loaded|asked: )/.test(line));
  expect(printed).toEqual([
    "module loaded",
    "asked: hello",
    "asked: loop",
    "module loaded",
    "asked: exit",
    "module loaded",
    "asked: memory",
    "module loaded",
    "asked: hello again",
  ]);
});
