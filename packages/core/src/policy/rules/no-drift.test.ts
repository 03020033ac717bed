import { describe, expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { addRun, createBaseline } from "../../fingerprint/baseline.ts";
import { compareRuns } from "../../fingerprint/compare-baseline.ts";
import { runFacts } from "../../fingerprint/run-facts.ts";
import { createDriftCheck } from "../check-drift.ts";
import { checkTraces } from "../check-report.ts";
import { parsePolicy } from "../parse-policy.ts";

const policyOf = (rules: string) => parsePolicy(`rules:\n${rules}`, { file: "policy.yaml" });
const trace = (tokens: number) =>
  traceOf([{ model: "m", calls: ["lookup"], usage: { input_tokens: tokens, output_tokens: 0 } }], {
    agent: "bot",
  } as never);

function compared(rules: string, tokens: number, today?: string) {
  const baseline = createBaseline({
    agent: "bot",
    mode: "sequence",
    producer: { tool: "t", version: "0", runner: "r" },
    now: "",
  });
  for (let index = 0; index < 6; index++) addRun(baseline, { ...runFacts(trace(100)), run: `r${index}` });
  const check = createDriftCheck(policyOf(rules), today === undefined ? {} : { today });
  return compareRuns(baseline, [runFacts(trace(tokens))], { rules: check }).policy!;
}

describe("no_drift", () => {
  it.each([
    { params: "{ signal: token_usage_spike }", tokens: 150, broken: 0 },
    { params: "{ signal: token_usage_spike }", tokens: 151, broken: 1 },
    { params: "{ signal: token_usage_spike, above: 10 }", tokens: 111, broken: 1 },
    { params: "{ signal: token_usage_spike, above: 10 }", tokens: 110, broken: 0 },
  ])("$params with $tokens tokens: $broken", ({ params, tokens, broken }) => {
    const { violations } = compared(`  - { id: r, kind: no_drift, severity: warning, params: ${params} }\n`, tokens);
    expect(violations).toHaveLength(broken);
    for (const violation of violations)
      expect(violation).toMatchObject({ ruleId: "r", severity: "moderate", code: "token_usage_spike", agent: "bot" });
  });

  it("is excused until the last day of an exception", () => {
    const rule = `  - id: r
    kind: no_drift
    params: { signal: token_usage_spike }
    exceptions: [{ until: 2026-01-31, reason: a longer prompt }]
`;
    expect(compared(rule, 200, "2026-01-31")).toMatchObject({ violations: [], excused: [{ ruleId: "r" }] });
    expect(compared(rule, 200, "2026-02-01")).toMatchObject({ violations: [{ ruleId: "r" }], excused: [] });
  });

  it("without a baseline is listed as such, and the other rules are judged", () => {
    const policy = policyOf(
      "  - { id: d, kind: no_drift, params: { signal: token_usage_spike } }\n  - { id: t, kind: max_turns, params: { limit: 3 } }\n",
    );
    const report = checkTraces([trace(100)], policy, {
      tool: { name: "spoor", version: "0" },
      inputs: [],
      failOn: "severe",
    });
    expect(report.rules).toMatchObject([
      { id: "d", status: "not_evaluated", reason: "needs_baseline" },
      { id: "t", status: "passed" },
    ]);
    expect(report.totals).toMatchObject({ passed: 1, notEvaluated: 0, needsBaseline: 1 });
    expect(report.coverage.notEvaluated).toMatchObject([
      { what: "d", why: expect.stringContaining("needs a baseline") },
    ]);
  });

  it.each([
    { params: "{ signal: nothing }", says: /signal must be/ },
    { params: "{ signal: new_side_effects, above: 3 }", says: /has no limit/ },
    { params: "{ signal: output_schema_drift, only: [gone] }", says: /removed_fields and added_fields/ },
  ])("refuses $params", ({ params, says }) => {
    try {
      policyOf(`  - { id: r, kind: no_drift, params: ${params} }\n`);
      expect.unreachable();
    } catch (error) {
      expect((error as { problems: { message: string }[] }).problems[0]!.message).toMatch(says);
    }
  });
});
