/** Every command, with the files that it reads and writes: each of them may turn out to be something else. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../repository-files.ts";

export interface CommandCase {
  /** As `spoor --help` lists it. */
  readonly command: string;
  readonly words: readonly string[];
  /** Files below the project that it reads, as it is asked here. */
  readonly reads: readonly string[];
  /** Files that it writes, wherever it is told to. */
  readonly writes?: readonly string[];
  readonly stdin?: string;
}

const TRACE = "candidate/ticket-1042.agentlog";
const BASE = "baseline/ticket-1042.agentlog";
const POLICY = "policies/refunds.yaml";
const EVALS = "evals/data-pipeline.yaml";
const EVENT = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_use_id: "t1",
  tool_name: "Bash",
  tool_input: { command: "ls" },
});
/** A port that nobody listens on. */
const NOBODY = ["--server", "http://127.0.0.1:9", "--token", "t"];

export const commandCases: readonly CommandCase[] = [
  entry("demo", ["demo"], []),
  entry("init", ["init", "--yes", "--no-color"], []),
  entry("record", ["record", "--to", "made", "--", "true"], [], ["made"]),
  entry("replay", ["replay", "--offline", "--from", BASE, "--to", "made", "--", "true"], [BASE], ["made"]),
  entry(
    "gate",
    ["gate", "-o", "made.html"],
    ["spoor.config.yaml", POLICY, "baselines/support_agent.json", TRACE],
    ["made.html"],
  ),
  entry("gate", ["gate", "--config", "spoor.config.yaml", "--format", "json"], ["spoor.config.yaml", BASE]),
  entry("watch", ["watch", "--once"], ["spoor.config.yaml"]),
  entry("accept", ["accept"], ["spoor.config.yaml", TRACE, "baselines/support_agent.json"]),
  entry(
    "accept",
    ["accept", "--all", "--by", "Ada", "--reason", "meant"],
    [BASE, "spoor.decisions.jsonl"],
    ["spoor.decisions.jsonl"],
  ),
  entry("review", ["review", TRACE], [TRACE]),
  entry("show", ["show", TRACE, "-o", "made.html"], [TRACE], ["made.html"]),
  entry("show", ["show", "candidate"], [TRACE, "candidate"]),
  entry("diff", ["diff", BASE, TRACE, "--policy", POLICY, "-o", "made.md"], [BASE, TRACE, POLICY], ["made.md"]),
  entry("diff", ["diff", "baseline", "candidate", "--pricing", "prices.json"], ["prices.json", "baseline"]),
  entry("why", ["why", "baseline", "candidate"], [BASE, "candidate"]),
  entry("check", ["check", TRACE, "--policy", POLICY, "-o", "made.sarif"], [TRACE, POLICY], ["made.sarif"]),
  entry(
    "score",
    ["score", TRACE, "--evaluators", "evaluators.yaml", "--case", "ticket-1042", "-o", "made.xml"],
    [TRACE, "evaluators.yaml"],
    ["made.xml"],
  ),
  entry(
    "eval",
    ["eval", EVALS, "--target", "mock_agent", "--results", "made.jsonl", "--dump-traces", "dumped"],
    [EVALS, "evals/targets.yaml"],
    ["made.jsonl", "dumped"],
  ),
  entry("eval", ["eval", "compare", "before.jsonl", "after.jsonl"], ["before.jsonl", "after.jsonl"]),
  entry(
    "eval",
    ["eval", "add", TRACE, "--to", "evals/regressions.yaml", "--id", "case"],
    [TRACE, "evals/regressions.yaml"],
    ["evals/regressions.yaml"],
  ),
  entry("eval", ["eval", EVALS, "--target", "mock_agent", "--against", "before.jsonl"], ["before.jsonl"]),
  entry("fingerprint", ["fingerprint", "baseline", TRACE], [TRACE, BASE]),
  entry(
    "baseline",
    ["baseline", "build", "baseline", "--update"],
    [BASE, "baselines/support_agent.json"],
    ["baselines/support_agent.json"],
  ),
  entry("baseline", ["baseline", "compare", TRACE], [TRACE, "baselines/support_agent.json", "baselines"]),
  entry("baseline", ["baseline", "show"], ["baselines/support_agent.json"]),
  entry("baseline", ["baseline", "history"], ["baselines/support_agent.json"]),
  entry("cohort", ["cohort", "baseline", "candidate"], [TRACE, "baseline"]),
  entry("cohort", ["cohort", "plan", "baseline", "--rounds", "20"], [BASE]),
  entry(
    "cohort",
    ["cohort", "baseline", "candidate", "--sequential", "--wait", "0", "--carry", "made.json"],
    [TRACE, "made.json"],
    ["made.json"],
  ),
  entry("trend", ["trend", "baseline", "candidate", "-o", "made.json"], [TRACE, "candidate"], ["made.json"]),
  entry("policy", ["policy", "explain", POLICY], [POLICY]),
  entry("policy", ["policy", "test", POLICY], [POLICY]),
  entry("policy", ["policy", "suggest", "baseline"], [BASE, "baseline"]),
  {
    ...entry(
      "hook",
      ["hook", "--policy", POLICY, "--history", "state", "--log", "made.jsonl"],
      [POLICY],
      ["state", "made.jsonl"],
    ),
    stdin: EVENT,
  },
  entry("guard", ["guard", "--policy", POLICY, "--log", "made.jsonl", "--", "true"], [POLICY], ["made.jsonl"]),
  entry("convert", ["convert", TRACE, "-o", "made.agentlog"], [TRACE], ["made.agentlog"]),
  entry("convert", ["convert", "candidate", "-o", "made/"], [TRACE, "candidate"], ["made"]),
  entry("prune", ["prune", "candidate", "--keep", "1", "--yes"], [TRACE, "candidate"]),
  entry("verify", ["verify", TRACE], [TRACE]),
  entry("verify", ["verify", "candidate"], ["candidate"]),
  entry("verify", ["verify", "--repair", "torn.agentlog"], ["torn.agentlog"], ["torn.agentlog"]),
  entry("explain", ["explain", "trace.bad-line"], []),
  { ...entry("mcp", ["mcp"], [TRACE, POLICY]), stdin: mcpSession() },
  entry("serve", ["serve", "--new-token", "ingest", "--store", "made.db"], ["made.db"], ["made.db"]),
  entry("worker", ["worker", "--store", "made.db"], ["made.db"]),
  entry("migrate", ["migrate", "--store", "made.db"], ["made.db"], ["made.db"]),
  entry("push", ["push", TRACE, ...NOBODY], [TRACE]),
  entry("push", ["push", "candidate", ...NOBODY], ["candidate"]),
  entry("export", ["export", "--to", "made", ...NOBODY], [], ["made"]),
  entry("formats", ["formats"], []),
  entry("doctor", ["doctor"], ["spoor.config.yaml", POLICY, "baselines/support_agent.json", TRACE]),
  entry("doctor", ["doctor", "--store", "made.db"], ["made.db"]),
  entry("report", ["report", "report.json", "-o", "made.html"], ["report.json"], ["made.html"]),
  entry("schema", ["schema", "config"], []),
  entry("completion", ["completion", "bash"], []),
];

/** Commands that only end when somebody ends them; `packages/spoor/test/e2e` starts them with what cannot be read. */
export const endless: readonly string[] = ["view"];

function entry(
  command: string,
  words: readonly string[],
  reads: readonly string[],
  writes: readonly string[] = [],
): CommandCase {
  return { command, words, reads, writes };
}

function mcpSession(): string {
  const call = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  return (
    call(1, "initialize", client) +
    call(2, "tools/call", { name: "show_trace", arguments: { path: TRACE } }) +
    call(3, "tools/call", { name: "check_policy", arguments: { traces: [TRACE], policy: POLICY } })
  );
}

/** The project that every case starts from: all that is read is in order. */
export function makeProject(folder: string, report: string): void {
  cpSync(join(examples, "refund"), folder, { recursive: true });
  cpSync(join(examples, "evals"), join(folder, "evals"), { recursive: true });
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "prices.json"), '{"m":{"input":1e-6,"output":2e-6}}\n');
  writeFileSync(join(folder, "report.json"), report);
  for (const [name, passed] of Object.entries({ before: true, after: false }))
    writeFileSync(join(folder, `${name}.jsonl`), storedRun(passed));
}

function storedRun(passed: boolean): string {
  const run = {
    ...{ schema: "spoor.eval-run/1", timestamp: "2026-01-05T09:00:00.000Z", eval_id: "a", dataset: "support" },
    ...{ eval_file: "support.yaml", target: "agent", run: 1, key: "a-0", status: passed ? "passed" : "failed", passed },
    ...{ ended: "answered", score: passed ? 1 : 0.5, threshold: 0.8, verdict: passed ? "pass" : "fail", hits: [] },
    ...{ misses: [], candidate_answer: "Done.", trace_summary: null, duration_ms: 1_000 },
  };
  return `${JSON.stringify(run)}\n`;
}
