import { describe, expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import { createRecordBlinder } from "../fingerprint/blind-record.ts";
import { blindTrace, readBlindRecords } from "../fingerprint/content-blind.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { checkPolicy } from "./check-policy.ts";
import { parsePolicy } from "./parse-policy.ts";

/** A run that breaks every rule below. */
const full = buildTrace(
  recordsOf([
    { user: "give it back", text: "I look." },
    { calls: [{ name: "look_up", input: { order: "A-1" }, output: { owner: "eve@example.org" } }] },
    { calls: [{ name: "refund", input: { order: "A-1", amount: 89, note: "eve@example.org", command: "rm -rf /" } }] },
    { text: "refunded without asking", stop: "max_tokens" },
  ]),
);

function recordedBlind(trace: Trace): Trace {
  const blind = createRecordBlinder("key");
  const metadata = { kind: "metadata", payload: {}, meta: {} };
  const records = [metadata, ...trace.records.filter(({ kind }) => kind !== "metadata")];
  return buildTrace(records.map((record) => ({ ...record, ...blind(record.kind, record.payload, record.meta ?? {}) })));
}

const blindOnes: readonly [string, Trace][] = [
  ["recorded blind", recordedBlind(full)],
  ["converted to a content-blind file", buildTrace(readBlindRecords(blindTrace(full)))],
];

const judged = (trace: Trace, rule: Json) => {
  const { violations, notEvaluated } = checkPolicy(
    trace,
    parsePolicy(JSON.stringify({ rules: [{ id: "r", ...(rule as object) }] })),
  );
  return violations.length > 0 ? "broken" : notEvaluated.length > 0 ? "not evaluated" : "kept";
};

describe.each(blindOnes)("a run %s", (_how, blind) => {
  it.each<[string, Json]>([
    ["what is said", { kind: "forbidden_text", params: { text: "refunded" } }],
    ["what must be said", { kind: "must_include_text", params: { text: "confirmed" } }],
    [
      "an argument that equals",
      { kind: "no_call", params: { tool: "refund", args: [{ path: "order", op: "==", value: "A-1" }] } },
    ],
    [
      "an argument above",
      { kind: "no_call", params: { tool: "refund", args: [{ path: "amount", op: ">", value: 75 }] } },
    ],
    ["where a value goes", { kind: "no_flow", params: { from: "look_up", to: "refund" } }],
    ["a command", { kind: "no_command", params: { tool: ["refund"], commands: { program: "rm" } } }],
    [
      "a call, when something was said",
      {
        kind: "no_call",
        params: { tool: "refund" },
        when: [{ path: "request.messages.0.content", op: "contains", value: "back" }],
      },
    ],
  ])("cannot tell %s", (_what, rule) => {
    expect(judged(blind, rule)).toBe("not evaluated");
  });

  it.each<[string, Json]>([
    ["that a tool is called", { kind: "no_call", params: { tool: "refund" } }],
    [
      "that one call is missing before another",
      { kind: "must_call_before", params: { first: "confirm", second: "refund" } },
    ],
    ["how often", { kind: "max_calls", params: { tool: "refund", limit: 0 } }],
    ["how many turns", { kind: "max_turns", params: { n: 2 } }],
    ["how a turn ends", { kind: "required_stop_reason", params: { allowed: ["end_turn", "tool_use"] } }],
    [
      "a call, when a turn ended so",
      {
        kind: "no_call",
        params: { tool: "refund" },
        when: [{ path: "response.stop_reason", op: "==", value: "tool_use" }],
      },
    ],
  ])("tells %s", (_what, rule) => {
    expect(judged(full, rule)).toBe("broken");
    expect(judged(blind, rule)).toBe("broken");
  });
});
