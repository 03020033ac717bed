/** Everything that writes files, each as a program that can be run in a folder, again and again. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled, examples, program } from "../repository-files.ts";

export interface FileWriter {
  readonly name: string;
  /** What is run, after `node`. */
  readonly words: readonly string[];
  readonly stdin?: string;
  /** What was acknowledged stands in its files after the next run at the latest, until then in a journal. */
  readonly recovers?: true;
  prepare(folder: string): void;
}

const child = (name: string) => compiled(`faults/${name}.js`);

function project(folder: string): void {
  cpSync(join(examples, "refund"), folder, { recursive: true });
  cpSync(join(examples, "evals"), join(folder, "evals"), { recursive: true });
}

const EVENT = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_use_id: "t1",
  tool_name: "Bash",
  tool_input: { command: "ls" },
});

const EVAL = [program, "eval", "evals/data-pipeline.yaml", "--target", "mock_agent"];

export const fileWriters: readonly FileWriter[] = [
  {
    name: "reports",
    words: [
      program,
      "gate",
      "-o",
      "out/report.json",
      "-o",
      "out/report.html",
      "-o",
      "out/report.sarif",
      "-o",
      "out/r.md",
    ],
    prepare: project,
  },
  { name: "baselines", words: [program, "baseline", "build", "baseline", "--update"], prepare: project },
  {
    name: "decisions",
    words: [program, "accept", "--all", "--by", "Ada", "--reason", "meant"],
    prepare: project,
  },
  {
    name: "results",
    words: [...EVAL, "--results", "r.jsonl", "--overwrite"],
    prepare: project,
  },
  {
    name: "traces",
    words: [program, "convert", "baseline/ticket-1042.agentlog", "-o", "made/a.agentlog"],
    prepare: project,
  },
  {
    name: "hook histories",
    words: [program, "hook", "--policy", "policies/refunds.yaml", "--history", "state", "--log", "log.jsonl"],
    stdin: EVENT,
    prepare: project,
  },
  {
    name: "project files",
    words: [program, "init", "--yes"],
    prepare(folder) {
      mkdirSync(folder, { recursive: true });
      cpSync(join(examples, "refund/baseline"), join(folder, "traces"), { recursive: true });
      writeFileSync(join(folder, "package.json"), '{"name":"agent"}\n');
    },
  },
  {
    name: "carried evidence",
    words: [program, "cohort", "baseline", "candidate", "--sequential", "--wait", "0", "--carry", "kept/evidence.json"],
    prepare: project,
  },
  {
    name: "dumped runs",
    words: [...EVAL, "--results", "r.jsonl", "--overwrite", "--dump-traces", "dumped"],
    prepare: project,
  },
  {
    name: "eval cases",
    words: [program, "eval", "add", "candidate/ticket-1042.agentlog", "--to", "evals/regressions.yaml", "--id", "case"],
    prepare: project,
  },
  {
    name: "repaired recordings",
    words: [program, "verify", "--repair", "torn"],
    prepare(folder) {
      project(folder);
      mkdirSync(join(folder, "torn"));
      const whole = readFileSync(join(folder, "baseline/ticket-1042.agentlog"));
      writeFileSync(join(folder, "torn/a.agentlog"), whole.subarray(0, whole.length - 30));
    },
  },
  { name: "demo", words: [program, "demo", "--keep"], prepare: (folder) => void mkdirSync(folder) },
  {
    name: "telemetry",
    words: [child("otlp-child")],
    recovers: true,
    prepare: (folder) => void mkdirSync(folder),
  },
  { name: "guard sessions", words: [child("store-child")], prepare: (folder) => void mkdirSync(folder) },
  { name: "recordings", words: [child("recording-child")], prepare: (folder) => void mkdirSync(folder) },
];
