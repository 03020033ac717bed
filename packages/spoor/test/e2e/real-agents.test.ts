/**
 * Codex, Claude Code and Copilot, the real programs, driven by `spoor eval` against a scripted model on 127.0.0.1: they run real
 * commands in a real workspace, and what they did must come back as a trace that every lens reads.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import { type ScriptTurn, scripted } from "../../../record/test/model-server/script.ts";
import { agents } from "./real-agents.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const SCRIPT: readonly ScriptTurn[] = [
  { commands: ["cat greeting.txt"] },
  { commands: ["ls no-such-file"] },
  { commands: ["cat greeting.txt greeting.txt > twice.txt && cat twice.txt"] },
  { text: "Written twice." },
];

describe.each(agents)("$name", ({ name, installed, tool, target }) => {
  const title = installed.program === undefined ? ` (skipped: ${installed.why})` : "";

  it.skipIf(installed.program === undefined)(`runs for real and its trace has every call${title}`, async () => {
    const model = await startModelServer(scripted(SCRIPT));
    onTestFinished(() => model.close());
    const folder = temporaryFolder();
    mkdirSync(join(folder, "project"));
    writeFileSync(join(folder, "project/greeting.txt"), "hello\n");
    writeFileSync(
      join(folder, "targets.yaml"),
      JSON.stringify({ targets: [{ name: "agent", ...target(folder, model.url) }] }),
    );
    const steps = [{ tool }, { tool, status: "error" }, { tool, status: "ok" }];
    const evaluators = [
      { name: "path", type: "tool_trajectory", mode: "exact", expected: steps },
      { name: "answer", type: "contains", value: "Written twice." },
    ];
    const evalcases = [
      { id: "twice", input: "Write the greeting twice into twice.txt", workspace: { template: "project" }, evaluators },
    ];
    writeFileSync(join(folder, "agents.eval.yaml"), JSON.stringify({ execution: { target: "agent" }, evalcases }));

    const run = await runSpoor(
      [
        "eval",
        "agents.eval.yaml",
        "--results",
        "results.jsonl",
        "--include-trace",
        "--dump-traces",
        "--max-retries",
        "0",
      ],
      { cwd: folder },
    );
    expect(run.stderr + run.stdout).toContain("1 of 1 case passes.");
    expect(run.code).toBe(0);

    const result = JSON.parse(readFileSync(join(folder, "results.jsonl"), "utf8")) as {
      output_messages: { tool_calls?: { tool: string; output: string; duration_ms: number; status: string }[] }[];
      token_usage: { input: number; output: number; cached: number };
      problems?: string[];
    };
    const calls = result.output_messages.flatMap((message) => message.tool_calls ?? []);
    expect(calls.map((call) => [call.tool, call.status])).toEqual([
      [tool, "ok"],
      [tool, "error"],
      [tool, "ok"],
    ]);
    expect(calls[2]!.output.trim()).toMatch(/^hello\nhello\b/);
    expect(calls.every((call) => call.duration_ms >= 0)).toBe(true);
    // Four model turns of 100 input tokens, 10 of them cached, and 20 output tokens.
    expect(result.token_usage).toEqual({ input: 360, output: 80, cached: 40 });
    expect(result.problems).toBeUndefined();
    // The workspace was a copy: nothing of it came back.
    expect(() => readFileSync(join(folder, "project/twice.txt"))).toThrow();

    const shown = await runSpoor(["show", ".spoor/traces/twice_attempt-1.agentlog"], { cwd: folder });
    expect(shown.stdout).toContain(tool);
    expect(shown.code).toBe(0);
  });

  it.skipIf(installed.program === undefined)(
    `is scored on what it did until its turns were used up${title}`,
    async () => {
      const folder = temporaryFolder();
      const model = await startModelServer(scripted(Array(8).fill({ commands: ["true"] })));
      onTestFinished(() => model.close());
      const limited = { name: "agent", ...target(folder, model.url), limits: { turns: 3 } };
      writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [limited] }));
      const evaluators = [{ name: "few", type: "tool_trajectory", mode: "any_order", maximums: { [tool]: 2 } }];
      const evalcases = [{ id: name, input: "Go on", evaluators }];
      writeFileSync(join(folder, "agents.eval.yaml"), JSON.stringify({ execution: { target: "agent" }, evalcases }));
      const words = ["eval", "agents.eval.yaml", "--results", "results.jsonl", "--max-retries", "0"];
      const run = await runSpoor(words, { cwd: folder });
      const result = JSON.parse(readFileSync(join(folder, "results.jsonl"), "utf8")) as RunRecord;
      expect(result).toMatchObject({ status: "failed", ended: "limit", limit: { kind: "turns", at: 3 } });
      expect(result.trace_summary!.tool_calls_by_name[tool]).toBeGreaterThanOrEqual(3);
      expect(result.evaluator_results).toHaveLength(1);
      expect(run.stdout.replace(/\s+/g, " ")).toContain("ended at its limit of 3 turns");
      expect(run.code).toBe(1);
    },
  );

  it.skipIf(installed.program === undefined)(`is ended, with its commands, when the time is up${title}`, async () => {
    const folder = temporaryFolder();
    const pidFile = join(folder, "command.pid");
    const model = await startModelServer(
      scripted([{ commands: [`echo $$ > ${pidFile}; exec tail -f /dev/null`] }, { text: "never" }]),
    );
    onTestFinished(() => model.close());
    writeFileSync(
      join(folder, "targets.yaml"),
      JSON.stringify({ targets: [{ name: "agent", ...target(folder, model.url) }] }),
    );
    const evalcases = [{ id: name, input: "Sleep", workspace: {}, evaluators: [{ type: "contains", value: "never" }] }];
    writeFileSync(join(folder, "agents.eval.yaml"), JSON.stringify({ execution: { target: "agent" }, evalcases }));
    const run = await runSpoor(
      ["eval", "agents.eval.yaml", "--results", "results.jsonl", "--timeout", "6", "--max-retries", "0"],
      { cwd: folder },
    );
    expect(run.code).toBe(1);
    expect(readFileSync(join(folder, "results.jsonl"), "utf8")).toContain('"kind":"timeout"');
    // On a slow machine the time may be up before the command has begun; if it has, it must be gone.
    const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) || undefined : undefined;
    if (pid !== undefined) await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
