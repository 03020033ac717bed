/** Everything that writes files, each as a program that can be run in a folder, again and again. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiled, examples, program } from "../repository-files.ts";

export interface FileWriter {
  readonly name: string;
  /** What is run, after `node`. */
  readonly words: readonly string[];
  readonly stdin?: string;
  /** What was acknowledged stands in its files after the next run at the latest, until then in a journal. */
  readonly recovers?: true;
  /** Its recordings may end in the middle of a line: whoever reads them says so. */
  readonly appends?: true;
  /** Files beside its work that may be missing, or stay as they are: notes for people, settings of this very run, runs that were given up. */
  readonly notes?: RegExp;
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

/** The path of the example's candidate that its baseline does not know. */
const UNKNOWN_PATH = "1294370c8cae45db";

function mcpSession(): string {
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  return (
    message(1, "initialize", client) +
    message(2, "tools/list", {}) +
    message(3, "tools/call", { name: "lookup", arguments: { q: 1 } })
  );
}

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
  { name: "review in a browser", words: [child("review-child")], prepare: project },
  {
    name: "rejected paths",
    words: [program, "baseline", "reject", UNKNOWN_PATH, "candidate", "--by", "Ada", "--why", "skips the check"],
    prepare: project,
  },
  {
    name: "earlier baselines",
    words: [program, "baseline", "rollback", "support_agent", "--by", "Ada", "--why", "wrong runs"],
    prepare(folder) {
      project(folder);
      const approve = [program, "baseline", "approve", UNKNOWN_PATH, "candidate", "--by", "Ada", "--why", "meant"];
      spawnSync(process.execPath, approve, { cwd: folder });
    },
  },
  {
    name: "pruned recordings",
    words: [program, "prune", "kept", "--keep", "1", "--yes"],
    prepare(folder) {
      project(folder);
      for (const day of [1, 2, 3]) {
        const recording = join(folder, `kept/2026010${day}T000000.000Z-k3f9`);
        cpSync(join(examples, "refund/baseline"), recording, { recursive: true });
        // What was written a moment ago is not deleted.
        for (const name of [...readdirSync(recording), ""]) utimesSync(join(recording, name), 0, 0);
      }
    },
  },
  {
    name: "guarded servers",
    words: [
      ...[program, "guard", "--policy", "policies/refunds.yaml", "--record", "seen", "--log", "log.jsonl", "--"],
      ...[process.execPath, child("mcp-server-child")],
    ],
    stdin: mcpSession(),
    appends: true,
    prepare: project,
  },
  {
    name: "recorded commands",
    words: [program, "record", "--to", "made", "--", "true"],
    notes: /\/\.run\//,
    prepare: project,
  },
  {
    name: "replayed commands",
    words: [program, "replay", "--offline", "--from", "baseline", "--to", "made", "--", "true"],
    notes: /\/\.run\//,
    prepare: project,
  },
  { name: "pushed recordings", words: [child("push-child")], prepare: project },
  {
    name: "recorded baselines",
    words: [child("command-child"), "record", "--baseline"],
    notes: /\.spoor\/recordings\//,
    prepare: runnable,
  },
  {
    name: "runs of a gate",
    words: [child("command-child"), "gate", "--run"],
    notes: /\/\.run\//,
    prepare(folder) {
      runnable(folder);
      spawnSync(process.execPath, [child("command-child"), "record", "--baseline"], { cwd: folder });
    },
  },
  { name: "exported runs", words: [child("command-child"), "export", "--to", "made"], prepare: project },
  { name: "exported tables", words: [child("command-child"), "export", "--to", "made", "--parquet"], prepare: project },
  {
    name: "baselines of a service",
    words: [child("command-child"), "gate", "--config", "at-service.config.json"],
    prepare(folder) {
      project(folder);
      const config = { traces: "candidate/*.agentlog", diff: { baseline: "server:support_agent@v1" } };
      writeFileSync(join(folder, "at-service.config.json"), JSON.stringify(config));
    },
  },
  { name: "keys of the service", words: [child("key-child")], prepare: (folder) => void mkdirSync(folder) },
];

/** A project whose agent can be run, with runs of an earlier one of which a scenario had two. */
function runnable(folder: string): void {
  mkdirSync(join(folder, "recordings"), { recursive: true });
  const asks = 'fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", headers, body })';
  const body = 'JSON.stringify({ model: "m-1", messages: [{ role: "user", content: "Hi." }] })';
  const agent = `const headers = { "content-type": "application/json" };\nconst body = ${body};\nawait (await ${asks}).json();\n`;
  writeFileSync(join(folder, "agent.mjs"), agent);
  const run = { command: "node agent.mjs", scenarios: { damaged: "The lamp is broken." } };
  const config = { agent: "support", run, diff: { baseline: "recordings" }, cohort: { use: "never" } };
  writeFileSync(join(folder, "spoor.config.json"), JSON.stringify(config));
  for (const name of ["damaged.run1", "damaged.run2"])
    cpSync(join(examples, "refund/baseline/ticket-1042.agentlog"), join(folder, `recordings/${name}.agentlog`));
}
