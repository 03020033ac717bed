/** What policies cost: rules over many pairs, `spoor check` as a whole, sessions and schemas, and one formula. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json, TraceRecord } from "@spoor/core";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";

const PAIRS = 10_000;
const spoorBin = fileURLToPath(import.meta.resolve("spoor/package.json")).replace("package.json", "bin/spoor.js");

/** Fourteen kinds of rules, none of them trivially satisfied. */
const FOURTEEN = `rules:
  - { id: before, kind: must_call_before, params: { first: lookup, second: refund } }
  - { id: once, kind: must_call_once, params: { tool: login } }
  - { id: nocall, kind: no_call, params: { tool: delete } }
  - { id: turns, kind: max_turns, params: { n: 9000 } }
  - { id: stop, kind: required_stop_reason, params: { allowed: [end_turn, tool_use] } }
  - { id: tokens, kind: max_total_tokens, params: { n: 100 } }
  - { id: include, kind: must_include_text, params: { text: never said } }
  - { id: each, kind: must_include_text_each, params: { text: order } }
  - { id: forbid, kind: forbidden_text, params: { text: secret } }
  - { id: schema, kind: must_match_json_schema, params: { schema: { type: object, required: [answer] } }, when: [{ path: request.model, op: ==, value: json }] }
  - { id: same, kind: must_remain_consistent, params: { path: request.params.temperature } }
  - { id: follow, kind: must_followup, params: { trigger: [{ path: stop_reason, op: ==, value: tool_use }], must: { kind: text_includes, text: order } } }
  - { id: rag, kind: must_be_grounded, params: { retrieval_path: request.metadata.chunks } }
  - { id: ltl, kind: ltl_formula, params: { formula: "G (tool_call:refund -> F stop_reason:end_turn)" } }
`;

const SENTENCE = "The order was delivered on Tuesday and the customer asked for a refund of the whole amount. ";
const TOOLS: Json[] = ["lookup", "refund", "login", "delete"].map((name) => ({
  name,
  description: SENTENCE.repeat(3),
  input_schema: {
    type: "object",
    properties: {
      order: { type: "integer", description: SENTENCE },
      amount: { type: "number", description: SENTENCE },
    },
  },
}));

/** A support agent's day, as an SDK records it: each request with its prompt, tools and a short history; every third reply calls tools. */
function records(pairs: number): TraceRecord[] {
  const list: TraceRecord[] = [{ version: "0.1", id: "sha256:m", kind: "metadata", ts: "", payload: {} }];
  for (let index = pairs; index > 0; index--) {
    const history: Json[] = Array.from({ length: 6 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `${index} ${at} ${SENTENCE.repeat(3)}`,
    }));
    const messages: Json[] = [
      { role: "system", content: SENTENCE.repeat(12) },
      ...history,
      { role: "user", content: `${index} ${SENTENCE}` },
    ];
    const callsTools = index % 3 === 0;
    const content: Json[] = [{ type: "text", text: `${index} ${SENTENCE.repeat(3)}` }];
    if (callsTools) {
      content.push({ type: "tool_use", id: `c${index}`, name: "lookup", input: { order: index } });
      content.push({ type: "tool_use", id: `d${index}`, name: "refund", input: { order: index, amount: index % 90 } });
    }
    const metadata = index % 4 === 0 ? { chunks: [SENTENCE, SENTENCE] } : {};
    const request = { model: "model-a", messages, tools: TOOLS, params: { temperature: 0.2 }, metadata };
    const usage = { input_tokens: 400, output_tokens: 80, thinking_tokens: 0 };
    const response = {
      model: "model-a",
      content,
      stop_reason: callsTools ? "tool_use" : "end_turn",
      latency_ms: 800,
      usage,
    };
    list.push({ version: "0.1", id: `sha256:q${index}`, kind: "chat_request", ts: "", payload: request });
    list.push({ version: "0.1", id: `sha256:r${index}`, kind: "chat_response", ts: "", payload: response });
  }
  return list;
}

export const policyBenchmark: Benchmark = {
  name: "policy",
  promise: "14 rules over 10,000 pairs at most 2 times bare JSON.parse; spoor check at most 3 times plus 0.3 s",
  async run() {
    const lines = records(PAIRS).map((record) => JSON.stringify(record));
    const parsing = await cpuSeconds(() => lines.map((line) => JSON.parse(line)));
    const trace = buildTrace(lines.map((line) => JSON.parse(line) as TraceRecord));
    const policy = parsePolicy(FOURTEEN, { file: "policy.yaml" });
    const rules = await cpuSeconds(() => checkPolicy(trace, policy), 5);
    return [
      row("14 rules over 10,000 parsed pairs", rules, parsing, rules <= 2 * parsing),
      await wholeCommand(lines, parsing),
      ...(await growth()),
      await formulaRow(),
    ];
  },
};

function row(what: string, seconds: number, parsing: number, kept: boolean): BenchmarkRow {
  return {
    what,
    measured: `${(seconds / parsing).toFixed(2)} times`,
    against: `JSON.parse of the same lines, ${parsing.toFixed(2)} s`,
    kept,
  };
}

async function wholeCommand(lines: readonly string[], parsing: number): Promise<BenchmarkRow> {
  const folder = mkdtempSync(join(tmpdir(), "spoor-bench-"));
  try {
    writeFileSync(join(folder, "trace.agentlog"), `${lines.join("\n")}\n`);
    writeFileSync(join(folder, "policy.yaml"), FOURTEEN);
    // The child reports its own CPU time, so that what starting a process costs the parent is not counted.
    const report =
      "process.on('exit', () => { const u = process.cpuUsage(); require('fs').writeFileSync('cpu', String((u.user + u.system) / 1e6)); });";
    writeFileSync(join(folder, "cpu.cjs"), report);
    const args = [
      "--require",
      join(folder, "cpu.cjs"),
      spoorBin,
      "check",
      "trace.agentlog",
      "--policy",
      "policy.yaml",
      "--fail-on",
      "none",
    ];
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      execFileSync(process.execPath, args, { cwd: folder, stdio: "ignore" });
      best = Math.min(best, Number(execFileSync("cat", ["cpu"], { cwd: folder, encoding: "utf8" })));
    }
    const limit = 3 * parsing + 0.3;
    return {
      what: "spoor check as a whole",
      measured: `${best.toFixed(2)} s`,
      against: `3 times JSON.parse plus 0.3 s: ${limit.toFixed(2)} s`,
      kept: best <= limit,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Four times the turns must cost about four times the time: sixteen would be quadratic. */
async function growth(): Promise<BenchmarkRow[]> {
  const policies = {
    "session scope":
      "- { id: a, kind: max_turns, params: { n: 0 }, scope: session }\n- { id: b, kind: must_call_once, params: { tool: x }, scope: session }\n",
    "schema rules": "- { id: a, kind: must_match_json_schema, params: { schema: { type: object } } }\n",
  };
  const rows: BenchmarkRow[] = [];
  for (const [name, text] of Object.entries(policies)) {
    const policy = parsePolicy(text, { file: "p.yaml" });
    const small = buildTrace(records(3000));
    const large = buildTrace(records(12_000));
    const few = await cpuSeconds(() => checkPolicy(small, policy), 5);
    const many = await cpuSeconds(() => checkPolicy(large, policy), 5);
    rows.push({
      what: `${name}: 12,000 turns`,
      measured: `${(many / few).toFixed(1)} times`,
      against: `3,000 turns, ${(few * 1000).toFixed(0)} ms`,
      kept: many / few < 8,
    });
  }
  return rows;
}

async function formulaRow(): Promise<BenchmarkRow> {
  const policy = parsePolicy(
    '- { id: f, kind: ltl_formula, params: { formula: "G (tool_call:refund -> F stop_reason:end_turn)" } }\n',
    { file: "p.yaml" },
  );
  const trace = buildTrace(records(5000));
  for (let warm = 0; warm < 20; warm++) checkPolicy(trace, policy);
  const seconds = await cpuSeconds(() => checkPolicy(trace, policy), 20);
  return {
    what: "a formula over 5,000 turns, warm",
    measured: `${(seconds * 1000).toFixed(2)} ms`,
    against: "2.5 ms",
    kept: seconds <= 0.0025,
  };
}
