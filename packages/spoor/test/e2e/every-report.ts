/** One real command per kind of report, run on the example, for tests that must hold for all of them. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSpoor, type SpoorRun, temporaryFolder } from "./run-spoor.ts";

const examples = fileURLToPath(new URL("../../../../examples", import.meta.url));

export interface MadeReport {
  /** The folder it was made in. */
  readonly folder: string;
  readonly text: string;
  readonly code: number | null;
}

const ASK_ONCE = fileURLToPath(new URL("./ask-once.mjs", import.meta.url));

export const everyReport: readonly {
  readonly name: string;
  readonly schema: string;
  readonly args: readonly string[];
}[] = [
  {
    name: "diff",
    schema: "spoor.diff/1",
    args: [
      "diff",
      "baseline",
      "candidate",
      "--policy",
      "policies/refunds.yaml",
      "--level",
      "token",
      "--fail-on",
      "severe",
    ],
  },
  { name: "diff of equal runs", schema: "spoor.diff/1", args: ["diff", "baseline", "same"] },
  { name: "check", schema: "spoor.check/1", args: ["check", "candidate", "--policy", "policies/refunds.yaml"] },
  {
    name: "score",
    schema: "spoor.score/1",
    args: ["score", "candidate/ticket-1042.agentlog", "--evaluators", "evaluators.yaml", "--case", "ticket-1042"],
  },
  { name: "fingerprint", schema: "spoor.fingerprint/1", args: ["fingerprint", "baseline", "candidate"] },
  { name: "baseline compare", schema: "spoor.baseline/1", args: ["baseline", "compare", "candidate"] },
  {
    name: "baseline build",
    schema: "spoor.baseline/1",
    args: ["baseline", "build", "baseline", "--baseline", "learnt"],
  },
  { name: "baseline show", schema: "spoor.baseline/1", args: ["baseline", "show"] },
  { name: "baseline history", schema: "spoor.baseline/1", args: ["baseline", "history"] },
  {
    name: "eval",
    schema: "spoor.eval/1",
    args: ["eval", "evals/data-pipeline.yaml", "evals/research-agent.yaml", "--target", "mock_agent", "--repeat", "2"],
  },
  {
    name: "eval compare",
    schema: "spoor.eval-compare/1",
    args: ["eval", "compare", "before.jsonl", "after.jsonl"],
  },
  { name: "why", schema: "spoor.why/1", args: ["why", "baseline", "candidate"] },
  { name: "cohort", schema: "spoor.cohort/1", args: ["cohort", "baseline", "candidate"] },
  { name: "cohort plan", schema: "spoor.cohort-plan/1", args: ["cohort", "plan", "baseline", "--rounds", "20"] },
  {
    name: "cohort --sequential",
    schema: "spoor.cohort-sequential/1",
    args: ["cohort", "baseline", "candidate", "--sequential"],
  },
  { name: "trend", schema: "spoor.trend/1", args: ["trend", "baseline", "candidate"] },
  {
    name: "record",
    schema: "spoor.record/1",
    // A command that puts a trace where the recording goes: the summary speaks of it.
    args: ["record", "--to", "recorded", "cp", "candidate/ticket-1042.agentlog", "recorded"],
  },
  {
    name: "replay",
    schema: "spoor.replay/1",
    // A request that nobody recorded: the summary names the nearest one.
    args: ["replay", "--offline", "--from", "baseline/ticket-1042.agentlog", "--to", "replayed", "node", ASK_ONCE],
  },
  { name: "gate", schema: "spoor.gate/1", args: ["gate"] },
  { name: "accept", schema: "spoor.accept/1", args: ["accept"] },
  { name: "accept --all", schema: "spoor.accept/1", args: ["accept", "--all", "--by", "Ada", "--reason", "meant"] },
  { name: "gate that passes", schema: "spoor.gate/1", args: ["gate", "--config", "same.config.yaml"] },
];

/** Runs the command in a fresh copy of the example. */
export async function makeReport(args: readonly string[]): Promise<MadeReport> {
  const folder = exampleFolder();
  const run = await runSpoor([...args, "--format", "json"], { cwd: folder });
  const text = printedReport(run);
  if (text === "") throw new Error(`spoor ${args.join(" ")} printed nothing: ${run.stderr}`);
  return { folder, text, code: run.code };
}

/** The report goes to standard output, unless that belongs to the command that is recorded. */
export function printedReport({ stdout, stderr }: SpoorRun): string {
  return stdout === "" ? stderr : stdout;
}

export function exampleFolder(): string {
  const folder = temporaryFolder();
  cpSync(join(examples, "refund"), folder, { recursive: true });
  cpSync(join(examples, "evals"), join(folder, "evals"), { recursive: true });
  cpSync(fileURLToPath(new URL("../fixtures/same.config.yaml", import.meta.url)), join(folder, "same.config.yaml"));
  cpSync(join(folder, "baseline"), join(folder, "same"), { recursive: true });
  writeStoredRuns(folder, "refund");
  return folder;
}

/** Two results files, before and after a case got worse. */
export function writeStoredRuns(folder: string, id: string): void {
  writeFileSync(join(folder, "before.jsonl"), storedRuns(id, 10));
  writeFileSync(join(folder, "after.jsonl"), storedRuns(id, 2));
}

function storedRuns(id: string, passing: number): string {
  const lines = Array.from({ length: 10 }, (_, index) => ({
    schema: "spoor.eval-run/1",
    timestamp: "2026-01-05T09:00:00.000Z",
    eval_id: id,
    dataset: "support",
    eval_file: "support.yaml",
    target: "agent",
    run: index + 1,
    key: `${id}-${index}`,
    status: index < passing ? "passed" : "failed",
    passed: index < passing,
    ended: "answered",
    score: index < passing ? 1 : 0.5,
    threshold: 0.8,
    verdict: index < passing ? "pass" : "fail",
    hits: [],
    misses: [],
    candidate_answer: "Done.",
    trace_summary: null,
    token_usage: { input: 100 + index, output: 20 },
    duration_ms: 1000,
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
