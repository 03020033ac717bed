import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { TraceRecord } from "../trace/record.ts";
import { coverageOf, sumCoverage } from "./coverage.ts";

it("has no member for what a recording does not lack", () => {
  expect(coverageOf([traceOf([{ text: "hi" }])])).toEqual({
    traces: 1,
    turns: 1,
    toolCalls: 0,
    callsWithoutResult: 0,
    unknown: {},
    skippedLines: 0,
    truncated: [],
    notEvaluated: [],
  });
});

it("counts how results are known, and the turns after the recorded path was left", () => {
  const calls = (...ids: string[]): TraceRecord => ({
    kind: "chat_response",
    payload: { content: ids.map((id) => ({ type: "tool_use", id, name: "t", input: {} })) },
  });
  const result = (id: string, meta: TraceRecord["meta"]): TraceRecord => ({
    kind: "tool_result",
    payload: { tool_call_id: id, output: "" },
    meta: meta!,
  });
  const trace = buildTrace(
    [
      calls("1", "2"),
      result("1", { evidence: "told" }),
      result("2", { evidence: "replayed" }),
      calls("3"),
      result("3", { evidence: "stand_in", stand_in: "refused" }),
      calls(),
      calls(),
      { kind: "chat_request", payload: {} },
    ],
    { source: { format: "agentlog", torn: 1 } },
  );
  const expected = { told: 1, replayed: 1, standIns: 1, offPath: 2, unanswered: 1, torn: 1 };
  expect(coverageOf([trace])).toMatchObject(expected);
  const twice = sumCoverage([coverageOf([trace]), coverageOf([trace])], [{ what: "judge", why: "not configured" }]);
  expect(twice).toMatchObject({ traces: 2, told: 2, offPath: 4, unanswered: 2, torn: 2 });
  expect(twice.notEvaluated).toHaveLength(1);
  expect(twice).not.toHaveProperty("gaps");
});
