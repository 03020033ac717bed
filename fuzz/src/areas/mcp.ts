/** Sessions of a coding agent with `spoor mcp`, damaged line by line: every line is answered in the protocol, and nothing fails inside. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@spoor/core";
import { isObject, type Json } from "@spoor/core/internal/trace/json";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { examples } from "../repository-files.ts";

export const mcpArea: Area = {
  name: "mcp",
  about: "sessions of a coding agent over MCP: every tool, prompts, resources, batches",
  share: 6,
  async open(project) {
    cpSync(join(examples, "refund"), project, { recursive: true });
    return {
      seeds: sessions(),
      async drive({ bytes }) {
        process.chdir(project);
        const { code, out, err } = await runInMemory(["mcp"], {
          cwd: project,
          env: { HOME: project },
          stdin: bytes.toString("latin1") === "" ? "\n" : bytes.toString("utf8"),
        });
        if (code !== 0) throw new BrokenPromise(`spoor mcp ended with ${code}\n${err}`);
        const answers = out.split("\n").filter(Boolean).flatMap(answersIn);
        return answers.some((answer) => "result" in answer) ? RESULT : "mcp.refused";
      },
    };
  },
};

function answersIn(line: string): { readonly [key: string]: Json }[] {
  const value = parseJson(line);
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.map((answer) => {
    if (!isObject(answer) || answer["jsonrpc"] !== "2.0")
      throw new BrokenPromise(`spoor mcp says no JSON-RPC: ${line}`);
    if (/"code":-32603|this is a bug/.test(line))
      throw new BrokenPromise(`spoor mcp failed inside: ${line.slice(0, 400)}`);
    return answer;
  });
}

const TRACES = ["candidate/ticket-1042.agentlog"];
const CALLS: readonly (readonly [string, object])[] = [
  ["show_trace", { path: TRACES[0], turn: 1, full: true }],
  ["diff_traces", { baseline: "baseline", candidate: "candidate", policy: "policies/refunds.yaml" }],
  ["check_policy", { traces: TRACES, policy_text: "rules:\n  - { id: a, kind: must_call, tool: x }\n" }],
  ["score_trajectory", { traces: TRACES, evaluators: "evaluators.yaml" }],
  ["fingerprint", { traces: TRACES, baseline: "baselines/support_agent.json" }],
  ["cohort", { baseline: "baseline", candidate: "candidate" }],
  ["explain", { code: "trace.bad-json" }],
  ["suggest_policy", { traces: TRACES }],
];

/** As lines of JSON, so that messages are damaged where they have a structure, doubled and exchanged. */
function sessions(): Seed[] {
  const opening = [
    message(1, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: "fuzz", version: "1" },
    }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: "spoor-1", result: { roots: [{ uri: "file:///nowhere", name: "x" }] } },
  ];
  const asking = [
    message(2, "ping", {}),
    message(3, "tools/list", {}),
    message(4, "resources/list", {}),
    message(5, "resources/templates/list", {}),
    message(6, "prompts/list", {}),
    message(7, "prompts/get", { name: "why", arguments: { path: "candidate" } }),
    message(8, "resources/read", { uri: "spoor://docs/policy" }),
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } },
  ];
  const calls = CALLS.map(([name, args], index) => message(10 + index, "tools/call", { name, arguments: args }));
  return [
    session("asking", [...opening, ...asking]),
    session("batch", [[...asking.slice(0, 3), calls[6]!]]),
    ...calls.map((call, index) => session(CALLS[index]![0], [...opening.slice(0, 2), call])),
  ];
}

function message(id: number, method: string, params: object): object {
  return { jsonrpc: "2.0", id, method, params };
}

function session(name: string, messages: readonly unknown[]): Seed {
  return readSeed(`${name}.jsonl`, Buffer.from(messages.map((one) => `${JSON.stringify(one)}\n`).join("")));
}
