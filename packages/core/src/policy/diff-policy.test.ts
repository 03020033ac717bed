import { describe, expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn, violationsOf } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { diffPolicy, gatePolicy } from "./diff-policy.ts";

describe("what is the same violation on both sides", () => {
  const policy = (kind: string, params: JsonObject, rest: JsonObject = {}) => policyOf([rule(kind, params, rest)]);
  const bad = () => turn({ text: "bad" });
  const fine = () => turn({ text: "fine" });

  it("an inserted turn neither breaks nor mends anything when turns are aligned", () => {
    const rules = policy("forbidden_text", { text: "bad" });
    const baseline = checkPolicy(traceOfRecords(bad()), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), bad()), rules);
    const diff = diffPolicy(baseline, candidate, { turnPairs: [[0, 1]] });
    expect(diff).toMatchObject({ regressions: [], fixes: [], standing: 1 });
  });
  it("a violation in an inserted turn is a regression, one in a removed turn a fix", () => {
    const rules = policy("forbidden_text", { text: "bad" });
    const baseline = checkPolicy(traceOfRecords(bad(), fine()), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), bad()), rules);
    const diff = diffPolicy(baseline, candidate, { turnPairs: [[1, 0]] });
    expect(diff.regressions.map((violation) => violation.turnIndex)).toEqual([1]);
    expect(diff.fixes.map((violation) => violation.turnIndex)).toEqual([0]);
  });
  it("3 turns instead of 2 over a limit of 1 are worse, not new", () => {
    const rules = policy("max_turns", { limit: 1 });
    const diff = diffPolicy(
      checkPolicy(traceOfRecords(fine(), fine()), rules),
      checkPolicy(traceOfRecords(fine(), fine(), fine()), rules),
    );
    expect(diff).toMatchObject({ regressions: [], fixes: [], better: [], standing: 1 });
    expect(diff.worse.map(({ baseline, candidate }) => [baseline.measure, candidate.measure])).toEqual([[2, 3]]);
  });
  it("a trace that got cheaper but stays over budget is better, not a regression", () => {
    const rules = policy("max_total_tokens", { limit: 10 });
    const spending = (tokens: number) =>
      traceOfRecords(turn({ text: "a", response: { usage: { input_tokens: tokens } } }));
    const diff = diffPolicy(checkPolicy(spending(50), rules), checkPolicy(spending(20), rules));
    expect(diff).toMatchObject({ regressions: [], fixes: [], worse: [] });
    expect(diff.better).toHaveLength(1);
  });
  it("one forbidden call does not hide three in the same turn", () => {
    const rules = policy("no_call", { tool: "t" });
    const diff = diffPolicy(
      checkPolicy(traceOfRecords(turn({ calls: ["t"] })), rules),
      checkPolicy(traceOfRecords(turn({ calls: ["t", "t", "t"] })), rules),
    );
    expect(diff.regressions).toHaveLength(2);
    expect(diff.fixes).toHaveLength(0);
  });
  it("one offending session does not hide three", () => {
    const rules = policy("max_turns", { limit: 0 }, { scope: "session" });
    const talk = (...words: string[]) =>
      traceOfRecords(
        ...words.map((word) => turn({ text: word, request: { messages: [{ role: "user", content: word }] } })),
      );
    const diff = diffPolicy(checkPolicy(talk("a"), rules), checkPolicy(talk("a", "b", "c"), rules));
    expect(diff.regressions.map((violation) => violation.sessionIndex)).toEqual([1, 2]);
    expect(diff.fixes).toEqual([]);
  });
  it("another bad stop reason in the same turn is the same offence", () => {
    const rules = policy("required_stop_reason", { allowed: ["end_turn"] });
    const ending = (stop: string) => checkPolicy(traceOfRecords(turn({ text: "a", stop })), rules);
    expect(diffPolicy(ending("content_filter"), ending("max_tokens"))).toMatchObject({
      regressions: [],
      fixes: [],
      standing: 1,
    });
  });
  it("a formula that breaks later is the same offence", () => {
    const rules = policy("ltl_formula", { formula: "G !tool_call:del" });
    const baseline = checkPolicy(traceOfRecords(fine(), turn({ calls: ["del"] })), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), fine(), turn({ calls: ["del"] })), rules);
    expect(candidate.violations).toHaveLength(3);
    expect(diffPolicy(baseline, candidate)).toMatchObject({ regressions: [], fixes: [], standing: 1 });
    const clean = checkPolicy(traceOfRecords(fine()), rules);
    expect(diffPolicy(clean, candidate).regressions).toHaveLength(3);
    expect(diffPolicy(candidate, clean).fixes).toHaveLength(3);
  });
});

describe("levels of the gate and severities", () => {
  const bad = traceOfRecords(turn({ text: "bad" }));
  const violations = (severity: string) =>
    checkPolicy(bad, policyOf([rule("forbidden_text", { text: "bad" }, { severity })])).violations;
  it.each([
    ["info", [true, false, false]],
    ["warning", [true, true, false]],
    ["error", [true, true, true]],
    ["critical", [true, true, true]],
  ])("%s trips minor, moderate, severe: %j; none never", (severity, tripped) => {
    const levels = (["minor", "moderate", "severe"] as const).map(
      (level) => gatePolicy(violations(severity), level).tripped,
    );
    expect(levels).toEqual(tripped);
    expect(gatePolicy(violations(severity), "none").tripped).toBe(false);
  });
});

it("critical trips every level of the gate", () => {
  const violations = violationsOf(
    [rule("no_call", { tool: "t" }, { severity: "critical" })],
    traceOfRecords(turn({ calls: ["t"] })),
  );
  expect((["minor", "moderate", "severe"] as const).map((level) => gatePolicy(violations, level).tripped)).toEqual([
    true,
    true,
    true,
  ]);
});

it("the gate maps regressions by default and can map all violations", () => {
  const policy = policyOf([rule("forbidden_text", { text: "bad" })]);
  const check = checkPolicy(traceOfRecords(turn({ text: "bad" })), policy);
  const diff = diffPolicy(check, check);
  expect(gatePolicy(diff.regressions, "minor").tripped).toBe(false);
  expect(gatePolicy(diff.candidateViolations, "minor").tripped).toBe(true);
});
