import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { blindTrace, readBlindRecords } from "./content-blind.ts";
import { fingerprintTrace, shapeOfTrace } from "./fingerprint-trace.ts";
import { verifyChain } from "./hash-chain.ts";

const SECRET = "ada@example.com";

const records: TraceRecord[] = [
  { kind: "metadata", payload: { agent: "support", success: true }, meta: { trace_id: "run-1" } },
  {
    kind: "chat_request",
    payload: {
      model: "m",
      messages: [{ role: "user", content: SECRET }],
      tools: [{ name: "search" }, { name: "refund" }],
    },
  },
  {
    kind: "chat_response",
    payload: {
      model: "m",
      content: [
        { type: "text", text: `hello ${SECRET}` },
        { type: "tool_use", id: "c1", name: "search", input: { query: SECRET, limit: 3 } },
        { type: "tool_use", id: "c2", name: "refund", input: { __proto__: null, amount: 5 } },
      ],
      stop_reason: "tool_use",
      latency_ms: 120,
      usage: { input_tokens: 10, output_tokens: 20 },
    },
  },
  { kind: "tool_result", payload: { tool_call_id: "c1", output: { results: [SECRET, "b"], total: 2 }, latency_ms: 7 } },
  { kind: "tool_result", payload: { tool_call_id: "c2", output: SECRET, is_error: true, error_type: "TimeoutError" } },
  { kind: "tool_call", payload: { tool_name: "audit", tool_call_id: "c3", arguments: { who: SECRET } } },
  {
    kind: "harness_event",
    payload: {
      category: "http_request",
      name: "GET h/x",
      severity: "error",
      attributes: { status_code: 503, latency_ms: 9 },
    },
  },
  { kind: "harness_event", payload: { category: "step", name: "checkpoint" } },
  {
    kind: "chat_response",
    payload: { model: "m", content: [{ type: "text", text: SECRET }], stop_reason: "end_turn" },
  },
];

const trace = buildTrace(records);
const blind = blindTrace(trace);

describe("blindTrace", () => {
  it("keeps nothing of what was said, asked, passed or returned", () => {
    expect(JSON.stringify(blind)).not.toContain("ada@");
    expect(JSON.stringify(blind)).not.toContain("hello");
  });

  it("reads back as the same steps, with the same fingerprint and shape", () => {
    const again = buildTrace(readBlindRecords(blind));
    const plain = (step: (typeof trace.steps)[number]) => ({ ...step, call: step.call?.name });
    expect(again.steps.map(plain)).toEqual(trace.steps.map(plain));
    expect(again.agent).toBe("support");
    expect(again.id).toBe("run-1");
    expect(fingerprintTrace(again)).toEqual(fingerprintTrace(trace));
    expect(shapeOfTrace(again)).toEqual(shapeOfTrace(trace));
    expect(again.toolCalls[0]!.output).toEqual({ results: ["[removed]", "[removed]"], total: "[removed]" });
    expect(again.toolCalls[2]!.status).toBe("unknown");
  });

  it("survives a file and a second pass unchanged where it matters", () => {
    const lines = blind.map((record) => JSON.parse(JSON.stringify(record)) as Json);
    expect(verifyChain(lines)).toMatchObject({ valid: true, links: 7 });
    expect(fingerprintTrace(buildTrace(readBlindRecords(lines))).hash).toBe(fingerprintTrace(trace).hash);
  });

  it("hides content that has no UTF-8 form instead of failing on it", () => {
    const odd = buildTrace([{ kind: "chat_response", payload: { model: "m", content: "\ud800" } }]);
    expect(verifyChain(blindTrace(odd)).valid).toBe(true);
  });

  it("keeps a request that failed as a step without a turn", () => {
    const trace = buildTrace([
      { kind: "chat_request", payload: { model: "m", messages: [{ role: "user", content: SECRET }] } },
      { kind: "error", payload: { source: "llm", code: "429", message: SECRET } },
      ...records,
    ]);
    const again = buildTrace(readBlindRecords(blindTrace(trace)));
    expect(again.turns).toHaveLength(trace.turns.length);
    expect(again.steps[0]).toEqual(trace.steps[0]);
    expect(fingerprintTrace(again)).toEqual(fingerprintTrace(trace));
  });

  it("an empty run is a header alone", () => {
    const empty = blindTrace(buildTrace([]));
    expect(empty).toHaveLength(1);
    expect(verifyChain(empty)).toEqual({ valid: true, links: 0, chainHash: null });
  });
});

describe("verifyChain", () => {
  it("checks several traces in one file, each by itself", () => {
    const two = [...blind, ...blind];
    expect(verifyChain(two)).toMatchObject({ valid: true, links: 14 });
    const broken = two.map((record, at) => (at === 10 ? { ...record, target: "x" } : record));
    expect(verifyChain(broken).broken).toMatchObject({ index: 10, code: "payload" });
    expect(verifyChain([])).toEqual({ valid: true, links: 0, chainHash: null });
  });

  const edit = (index: number, change: JsonObject) =>
    blind.map((record, at) => (at === index ? { ...record, ...change } : record));

  it.each([
    { name: "an edited latency", lines: edit(2, { latency_ms: 1 }), index: 2, code: "payload" },
    { name: "an edited id", lines: edit(3, { id: "other" }), index: 3, code: "signature" },
    {
      name: "two swapped steps",
      lines: [blind[0]!, blind[1]!, blind[3]!, blind[2]!, ...blind.slice(4)],
      index: 2,
      code: "order",
    },
    { name: "a removed step", lines: blind.filter((_, at) => at !== 3), index: 3, code: "order" },
    { name: "an inserted copy", lines: [...blind.slice(0, 3), blind[2]!, ...blind.slice(3)], index: 3, code: "order" },
    { name: "a cut tail", lines: blind.slice(0, -1), index: 0, code: "count" },
    { name: "an edited header", lines: edit(0, { agent_id: "other" }), index: 0, code: "header" },
    {
      name: "a line that is no record",
      lines: [...blind.slice(0, 4), 7, ...blind.slice(5)],
      index: 4,
      code: "not_a_record",
    },
  ])("finds $name", ({ lines, index, code }) => {
    const report = verifyChain(lines);
    expect(report.valid).toBe(false);
    expect(report.broken).toMatchObject({ index, code });
  });
});
