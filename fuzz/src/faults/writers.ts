/** Everything that writes files, each as a program that can be run in a folder, again and again. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled, examples, program } from "../repository-files.ts";

export interface FileWriter {
  readonly name: string;
  /** What is run, after `node`. */
  readonly words: readonly string[];
  readonly stdin?: string;
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

export const fileWriters: readonly FileWriter[] = [
  {
    name: "reports",
    words: [program, "gate", "-o", "out/report.json", "-o", "out/report.html"],
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
    words: [
      program,
      "eval",
      "evals/data-pipeline.yaml",
      "--target",
      "mock_agent",
      "--results",
      "r.jsonl",
      "--overwrite",
    ],
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
  { name: "guard sessions", words: [child("store-child")], prepare: (folder) => void mkdirSync(folder) },
  { name: "recordings", words: [child("recording-child")], prepare: (folder) => void mkdirSync(folder) },
];
