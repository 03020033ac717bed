/**
 * One eval file, three real agents: the guide's own files, word for word, score the same on Codex, Claude Code and Copilot, whose
 * names for a tool of an MCP server and for their own tools differ.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedExists } from "../../../core/test/shared.ts";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import type { Model } from "../../../record/test/model-server/said.ts";
import { shells } from "../../../record/test/model-server/script.ts";
import { foundingLines } from "../founding/founding-text.ts";
import { agents, seedTools } from "./real-agents.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

interface Result {
  readonly eval_id: string;
  readonly ended: string;
  readonly trace_summary: { readonly tool_durations?: Readonly<Record<string, readonly number[]>> };
  readonly evaluator_results: readonly {
    readonly name: string;
    readonly score: number;
    readonly misses: readonly string[];
  }[];
  readonly problems?: readonly string[];
}

/** By a word of the question, the tools that are called one after the other; `$ …` is a command for the shell. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Research: ["webSearch", "documentRead", "documentRead", "noteTaking", "summarize"],
  dataset: ["loadData", "validate", "transform", "export"],
  "Look it up": ["$ exit 7", "webSearch"],
};
const TOOLS = [...new Set(Object.values(SCRIPTS).flat())].filter((tool) => !tool.startsWith("$"));

const model: Model = ({ tools, userTexts, callsSoFar }) => {
  const usage = { fresh: 90, cached: 10, output: 20 };
  const script = Object.entries(SCRIPTS).find(([word]) => userTexts.some((text) => text.includes(word)))?.[1];
  const shell = tools.find((name) => shells[name] !== undefined);
  const wanted = shell === undefined ? undefined : script?.[callsSoFar];
  if (wanted === undefined) return { calls: [], text: "All done.", usage };
  if (wanted.startsWith("$ ")) return { calls: [{ name: shell!, input: shells[shell!]!(wanted.slice(2)) }], usage };
  const name = tools.find((one) => one === wanted || one.endsWith(`_${wanted}`) || one.endsWith(`-${wanted}`));
  if (name === undefined) return { calls: [], text: `${wanted} is not offered`, usage };
  // Codex offers the tools of a server in a namespace, under their plain names.
  const namespace = name === wanted ? { namespace: "mcp__seedtools" } : {};
  return { calls: [{ name, input: { query: "frameworks" }, ...namespace }], usage };
};

function spellingEvaluators(own: string): readonly { readonly name: string }[] {
  const entry = (name: string, more: object) => ({ name, type: "tool_trajectory", ...more });
  const spellings = [
    "mcp:seedtools/webSearch",
    "mcp__seedtools__webSearch",
    "seedtools.webSearch",
    "seedtools-webSearch",
  ];
  return [
    ...spellings.map((tool) => entry(tool, { mode: "any_order", minimums: { [tool]: 1 }, maximums: { [tool]: 1 } })),
    ...["Bash", "command_execution", "bash"].map((tool) =>
      entry(tool, {
        mode: "exact",
        expected: [
          { tool, status: "error" },
          { tool: "webSearch", status: "ok" },
        ],
      }),
    ),
    entry("its own", { mode: "any_order", minimums: { [own]: 1 }, name_match: "exact" }),
    entry("another server's", { mode: "any_order", maximums: { "mcp:other/webSearch": 0 } }),
  ];
}

describe.each(agents)("$name", ({ installed, target, tool }) => {
  const why = installed.program === undefined ? ` (skipped: ${installed.why})` : "";

  it.skipIf(installed.program === undefined)(
    `scores by any agent's spelling, and the guide's files as they are${why}`,
    async () => {
      const server = await startModelServer(model);
      onTestFinished(() => server.close());
      const folder = temporaryFolder();
      const agent = { name: "codex_agent", ...target(folder, server.url, seedTools(TOOLS)) };
      writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [agent] }));
      const evaluators = spellingEvaluators(tool);
      const evalcases = [{ id: "names", input: "Look it up", workspace: {}, evaluators }];
      writeFileSync(join(folder, "names.eval.yaml"), JSON.stringify({ evalcases }));
      const guide = sharedExists ? ["research.eval.yaml", "pipeline.eval.yaml"] : [];
      if (sharedExists) {
        writeFileSync(join(folder, "research.eval.yaml"), foundingLines("002", 199, 231));
        writeFileSync(join(folder, "pipeline.eval.yaml"), foundingLines("002", 235, 254));
      }
      const words = ["eval", "names.eval.yaml", ...guide, "--target", "codex_agent", "--results", "results.jsonl"];
      const { stdout, stderr, code } = await runSpoor([...words, "--max-retries", "0"], { cwd: folder });
      expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
      const lines = readFileSync(join(folder, "results.jsonl"), "utf8").trim().split("\n");
      const results = lines.map((line) => JSON.parse(line) as Result);
      const scores = Object.fromEntries(
        results.map((result) => [result.eval_id, result.evaluator_results.map(({ name, score }) => [name, score])]),
      );
      expect(scores).toEqual({
        names: evaluators.map(({ name }) => [name, 1]),
        ...(sharedExists
          ? {
              "comprehensive-research": [
                ["coverage", 1],
                ["workflow", 1],
              ],
              "data-pipeline": [["pipeline-check", 1]],
            }
          : {}),
      });
      expect(results.flatMap(({ problems }) => problems ?? [])).toEqual([]);
    },
  );

  it.skipIf(installed.program === undefined || !sharedExists)(
    `scores the guide's file of latencies by the times it measured itself${why}`,
    async () => {
      const server = await startModelServer(model);
      onTestFinished(() => server.close());
      const folder = temporaryFolder();
      const agent = { name: "default", ...target(folder, server.url, seedTools(TOOLS)) };
      writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [agent] }));
      writeFileSync(join(folder, "perf.eval.yaml"), foundingLines("002", 259, 279));
      // How fast a busy machine is decides nothing here: the score must be the one that the times of this very run make.
      const words = ["eval", "perf.eval.yaml", "--results", "results.jsonl", "--max-retries", "0", "--no-fail"];
      const { stdout, stderr, code } = await runSpoor(words, { cwd: folder });
      expect([code, code === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
      const [result] = readFileSync(join(folder, "results.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Result);
      expect(result).toMatchObject({ eval_id: "data-pipeline-perf", ended: "answered" });
      const measured = Object.entries(result!.trace_summary.tool_durations ?? {});
      const limits = Object.entries({ loadData: 1000, transform: 500, export: 200 }).map(([name, most]) => {
        const times = measured.find(
          ([own]) => own === name || own.endsWith(`_${name}`) || own.endsWith(`-${name}`),
        )?.[1];
        expect(times, `${name} has a time`).toHaveLength(1);
        return times![0]! <= most;
      });
      // Four tools in their order and three limits.
      const [evaluator] = result!.evaluator_results;
      expect(evaluator!.score).toBeCloseTo((4 + limits.filter(Boolean).length) / 7, 12);
    },
  );
});
