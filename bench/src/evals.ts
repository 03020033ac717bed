/**
 * The eval runner on top of what the agent itself takes: 1,000 mock cases, 16 workers, two evaluators each, results written
 * to disk run by run, from reading the eval file to the last rename.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { planRuns } from "spoor/internal/evals/plan-runs";
import { prepareEvals } from "spoor/internal/evals/prepare-evals";
import { placeOf } from "spoor/internal/evals/read-results";
import { openResultsFile } from "spoor/internal/evals/results-file";
import { runEvals } from "spoor/internal/evals/run-evals";
import { type Benchmark, cpuSeconds } from "./benchmark.ts";
import { manyCasesRow, refusingServerRow } from "./evals-program.ts";

const CASES = 1000;
const WORKERS = 16;
const LIMIT_MS = 3;
const AGENT_MS = 20;

export const evalsBenchmark: Benchmark = {
  name: "eval runner",
  promise: `at most ${LIMIT_MS} ms per case on top of the agent's own time, ${CASES} mock cases, ${WORKERS} workers`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "spoor-bench-evals-"));
    try {
      const instant = writeSuite(folder, "instant", 0);
      const cpu = ((await cpuSeconds(() => runSuite(folder, instant))) / CASES) * 1000;
      const waiting = writeSuite(folder, "waiting", AGENT_MS);
      const startedAt = performance.now();
      await runSuite(folder, waiting);
      const wall = performance.now() - startedAt;
      const ideal = (CASES / WORKERS) * AGENT_MS;
      const added = (wall - ideal) / CASES;
      return [
        {
          what: "processor time per case, agents that answer at once",
          measured: `${cpu.toFixed(2)} ms`,
          against: `${LIMIT_MS} ms`,
          kept: cpu <= LIMIT_MS,
        },
        {
          what: `wall time per case beyond agents that take ${AGENT_MS} ms each`,
          measured: `${added.toFixed(2)} ms`,
          against: `${(ideal / 1000).toFixed(2)} s for the agents alone, ${(wall / 1000).toFixed(2)} s in all`,
        },
        await manyCasesRow(folder),
        await refusingServerRow(folder),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function writeSuite(folder: string, target: string, delayMs: number): string {
  const calls = Array.from({ length: 10 }, (_, index) => ({
    tool: `tool-${index}`,
    input: { index },
    output: "ok",
    duration_ms: 5,
  }));
  const expected = calls.map(({ tool, input }) => ({ tool, args: input, max_duration_ms: 10 }));
  const response = {
    output_messages: [
      { role: "assistant", tool_calls: calls },
      { role: "assistant", content: "done" },
    ],
  };
  const evaluators = [
    { name: "path", type: "tool_trajectory", mode: "in_order", expected },
    { name: "answer", type: "contains", value: "done" },
  ];
  // Defaults of the suite: a thousand copies would only measure the YAML parser.
  const evalcases = Array.from({ length: CASES }, (_, index) => ({ id: `case-${index}`, input: "go" }));
  const file = join(folder, `${target}.eval.yaml`);
  writeFileSync(file, JSON.stringify({ execution: { target, evaluators }, evalcases }));
  const targets = {
    targets: ["instant", "waiting"].map((name) => ({
      name,
      provider: "mock",
      delay_ms: name === target ? delayMs : 0,
      response,
    })),
  };
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify(targets));
  return file;
}

async function runSuite(folder: string, file: string): Promise<void> {
  const prepared = prepareEvals([file], {
    cwd: folder,
    env: {},
    strict: false,
    targets: [],
    dryRun: false,
    withoutJudge: true,
  });
  const plan = planRuns(prepared.suites, {});
  const path = join(folder, "results.jsonl");
  const results = await openResultsFile(path, { overwrite: true });
  const records: RunRecord[] = [];
  const signal = new AbortController().signal;
  await runEvals(plan.runs, {
    cwd: folder,
    signal,
    maxRetries: 0,
    includeTrace: false,
    keepWorkspaces: false,
    workers: WORKERS,
    now: () => new Date(),
    clock: () => performance.now(),
    evaluate: (run, subject, workspace) => prepared.evaluate(run, subject, workspace, { signal }),
    onActivity: () => undefined,
    onFinish(run, { record }) {
      results.append(prepared.redactor.json(record));
      records[run.index] = record;
    },
  });
  await results.finish(records.map(placeOf));
  const written = readFileSync(path, "utf8").split("\n").length - 1;
  if (written !== CASES || records.some((record) => !record.passed))
    throw new Error("the benchmark did not do its work");
}
