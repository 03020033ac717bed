import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Trace } from "../trace/trace.ts";
import { checkTraces } from "./check-report.ts";
import { parsePolicy } from "./parse-policy.ts";

/** Four turns, each with one call; the call named `left` was refused by the replay. */
function replayed(calls: readonly string[], left?: number, standIn = "refused"): Trace {
  const { records } = traceOf(
    calls.map((name, index) => ({ user: `step ${index}`, calls: [{ name, input: {}, output: "x" }] })),
  );
  let result = -1;
  return buildTrace(
    records.map((record) => {
      if (record.kind !== "tool_result") return record;
      result++;
      const meta = result === left ? { evidence: "stand_in", stand_in: standIn } : { evidence: "replayed" };
      return { ...record, meta };
    }),
  );
}

function check(policy: string, trace: Trace) {
  const report = checkTraces([trace], parsePolicy(policy), {
    tool: { name: "spoor", version: "0" },
    inputs: [],
    failOn: "severe",
  });
  const [rule] = report.rules;
  return { ...rule!, tripped: report.gate.tripped, totals: report.totals };
}

const NEVER_REFUND = `
rules:
  - id: no-refund
    kind: no_call
    params: { tool: issue_refund }
    severity: error
`;
const CONFIRM_FIRST = `
rules:
  - id: confirm-first
    kind: must_call_before
    params: { first: confirm, then: issue_refund }
    severity: error
`;

it.each([
  { name: "broken before", calls: ["issue_refund", "look", "look"], left: 1, status: "failed" },
  { name: "broken in the very turn of the refusal", calls: ["look", "issue_refund"], left: 1, status: "failed" },
  { name: "broken only after", calls: ["look", "look", "issue_refund"], left: 1, status: "not_evaluated" },
  { name: "broken before and after", calls: ["issue_refund", "look", "issue_refund"], left: 1, status: "failed" },
  { name: "the path is never left", calls: ["look", "look", "issue_refund"], left: undefined, status: "failed" },
])("$name: $status", ({ calls, left, status }) => {
  const rule = check(NEVER_REFUND, replayed(calls, left));
  expect(rule.status).toBe(status);
  expect(rule.tripped).toBe(status === "failed");
  if (status === "not_evaluated") {
    expect(rule.reason).toBe("off_path");
    expect(rule.notEvaluated[0]!.why).toMatch(/^all its evidence lies off the recorded path, from turn 3 on: turn 3, /);
    expect(rule.totals).toMatchObject({ passed: 0, notEvaluated: 1 });
  }
});

it.each(["stale", "refused"])("a rule that is kept only after a %s call is not kept", (standIn) => {
  const rule = check(CONFIRM_FIRST, replayed(["look", "confirm", "issue_refund"], 0, standIn));
  expect(rule).toMatchObject({ status: "not_evaluated", reason: "off_path" });
});

it.each(["again", "constant", "elsewhere", "near", "configured"])(
  "a result that is served %s leaves nothing",
  (standIn) => {
    expect(check(CONFIRM_FIRST, replayed(["look", "confirm", "issue_refund"], 0, standIn)).status).toBe("passed");
  },
);
