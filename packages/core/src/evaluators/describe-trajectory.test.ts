import { expect, it } from "vitest";
import { type CallSpec, traceOf } from "../../test/build.ts";
import type { Json } from "../trace/json.ts";
import { scoreTrajectory } from "../trajectory/score-trajectory.ts";
import type { TrajectorySpec } from "../trajectory/trajectory.ts";
import { trajectoryChecks } from "./describe-trajectory.ts";

type Call = string | { tool: string; input?: Json; output?: Json; status?: string; duration_ms?: number };

function lines(spec: TrajectorySpec, calls: readonly Call[]): string[] {
  const trace = traceOf(calls.map((call) => ({ calls: [typeof call === "string" ? { name: call } : specOf(call)] })));
  const result = scoreTrajectory(spec, { toolCalls: trace.toolCalls, hasTrace: true });
  return trajectoryChecks(result).map(({ passed, text }) => `${passed ? "+" : "-"} ${text}`);
}

function specOf({ tool, status, duration_ms: durationMs, ...call }: Exclude<Call, string>): CallSpec {
  return {
    name: tool,
    ...call,
    ...(status === undefined ? {} : { failed: status === "error" }),
    ...(durationMs === undefined ? {} : { durationMs, output: call.output ?? "" }),
  };
}

it.each<{ name: string; spec: TrajectorySpec; calls: Parameters<typeof lines>[1]; expected: string[] }>([
  {
    name: "counts",
    spec: { mode: "any_order", minimums: [{ tool: "a", count: 2 }], maximums: [{ tool: "b", count: 0 }] },
    calls: ["a", "a"],
    expected: ["+ a: called 2 times (required ≥2)", "+ b: called 0 times (allowed ≤0)"],
  },
  {
    name: "every kind of miss in order",
    spec: {
      mode: "in_order",
      expected: [{ tool: "a", args: { x: 1 } }, { tool: "b", status: "ok" }, { tool: "lookup_ordr" }, { tool: "c" }],
    },
    calls: ["a", { tool: "b", output: "no", status: "error" }, "c", "lookup_order"],
    expected: [
      "- Step 1, a: called without x",
      "- Step 2, b: the call ended with status error, expected ok",
      "- Step 3, lookup_ordr: never called; lookup_order was",
      "- Step 4, c: the search for step 3 had used up the rest",
    ],
  },
  {
    name: "a call without a result",
    spec: { mode: "in_order", expected: [{ tool: "a", status: "ok" }] },
    calls: ["a"],
    expected: ["- Step 1, a: no result was recorded, so status ok cannot be shown"],
  },
  {
    name: "exact: other tools, extras and limits",
    spec: { mode: "exact", expected: [{ tool: "a", maxDurationMs: 10 }, { tool: "b" }] },
    calls: [{ tool: "a", duration_ms: 11 }, "c", "d"],
    expected: [
      "- Expected 2 tool calls, got 3: c, d",
      "+ Step 1, a: call 1 in turn 1",
      "- a took 11 ms (max: 10 ms)",
      "- Step 2, b: c stands there instead",
    ],
  },
  {
    name: "exact: too few",
    spec: { mode: "exact", expected: [{ tool: "a" }] },
    calls: [],
    expected: ["- Expected 1 tool calls, got 0", "- Step 1, a: the calls end before it"],
  },
  {
    name: "groups",
    spec: {
      mode: "superset",
      expected: [
        { tool: "a", group: 0 },
        { tool: "b", group: 0 },
      ],
    },
    calls: ["a", "b"],
    expected: ["+ Step 1, a: call 1 in turn 1", "+ Step 2, b: call 2 in turn 2", "- steps 1, 2 do not share a turn"],
  },
  {
    name: "turns",
    spec: { mode: "superset", expected: [{ tool: "a", turnIndex: 1 }] },
    calls: ["a"],
    expected: ["- Step 1, a: called in turn 1, expected in turn 2"],
  },
  {
    name: "an alignment that leaves one out",
    spec: { mode: "in_order", match: "optimal", expected: [{ tool: "a" }, { tool: "b" }, { tool: "c" }] },
    calls: ["b", "c", "a"],
    expected: [
      "- Step 1, a: called, but not in this order",
      "+ Step 2, b: call 1 in turn 1",
      "+ Step 3, c: call 2 in turn 2",
    ],
  },
  {
    name: "a list of allowed calls",
    spec: { mode: "subset", expected: [{ tool: "a" }] },
    calls: ["a", "rm"],
    expected: ["+ Position 0: on the allowed list", "- Position 1: rm is not on the allowed list"],
  },
])("$name", ({ spec, calls, expected }) => {
  expect(lines(spec, calls)).toEqual(expected);
});
