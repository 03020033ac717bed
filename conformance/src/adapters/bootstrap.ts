/** Two value lists and a seed → the whole row: run as traces whose turns have these values, through the axis itself. */
import { buildTrace, type JsonObject } from "@spoor/core";
import { diffTraces } from "@spoor/core/internal/diff/diff-traces";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { row } from "./diff.ts";

export const bootstrapAdapter: Adapter = {
  name: "bootstrap",
  matches: (testCase) => ["baseline_values", "candidate_values"].every((key) => Array.isArray(member(testCase, key))),
  run(testCase) {
    const expected = member(testCase, "expected");
    const axis = stringMember(expected, "axis") ?? "latency";
    const { rows } = diffTraces(
      traceOf(testCase, "baseline_values", axis),
      traceOf(testCase, "candidate_values", axis),
      {
        pairing: "index",
        seed: BigInt(String(member(testCase, "seed"))),
      },
    );
    return compare(expected, row(rows.find((one) => one.axis === axis)!));
  },
};

function traceOf(testCase: JsonObject, key: string, axis: string) {
  const values = member(testCase, key) as readonly number[];
  return buildTrace(values.map((value) => ({ kind: "chat_response", payload: responseWith(axis, value) })));
}

/** A response whose quantity on this axis is the value. */
function responseWith(axis: string, value: number): JsonObject {
  if (axis === "latency") return { content: [], latency_ms: value };
  if (axis === "verbosity") return { content: [], usage: { output_tokens: value } };
  if (axis === "safety") return { content: [], stop_reason: value === 1 ? "content_filter" : "end_turn" };
  if (axis === "reasoning") return { content: [], usage: { thinking_tokens: value } };
  throw new Error(`No response is known whose ${axis} is a bare value.`);
}
