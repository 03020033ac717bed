import { describe, expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn, turnsOf } from "../../test/policy.ts";
import type { Json } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";

describe("booleans are not numbers", () => {
  const trace = traceOfRecords(...[true, false, 1, 0].map((v) => turn({ text: "x", request: { params: { v } } })));
  it.each<[string, Json, number[]]>([
    ["==", 1, [2]],
    ["==", true, [0]],
    [">", 0.5, [2]],
    ["<", 5, [2, 3]],
    ["in", [1], [2]],
    ["in", [true], [0]],
  ])("%s %j", (op, value, expected) => {
    expect(
      turnsOf(rule("forbidden_text", { text: "" }, { when: [{ path: "request.params.v", op, value }] }), trace),
    ).toEqual(expected);
  });
});

describe("paths and operators", () => {
  const trace = traceOfRecords(
    turn({ text: "x", request: { "a.b": 1, list: [{ n: 1 }, { n: 7 }], word: "hello", "*": 3 } }),
  );
  it.each<[string, string, Json, boolean]>([
    ['request["a.b"]', "==", 1, true],
    ["request.a\\.b", "==", 1, true],
    ["request.a.b", "==", 1, false],
    ["request.list.*.n", "==", 7, true],
    ["request.list.*.n", ">", 7, false],
    ["request.\\*", "==", 3, true],
    ["request.word", "matches_pattern", "^h.*o$", true],
    ["request.word", "matches_pattern", "^x", false],
    ["request.word", "longer_than", 4, true],
    ["request.list", "shorter_than", 2, false],
    ["request.list.+1.n", "==", 7, false],
    ["request.list. 1.n", "==", 7, false],
  ])("%s %s %j: %s", (path, op, value, expected) => {
    expect(turnsOf(rule("forbidden_text", { text: "" }, { when: [{ path, op, value }] }), trace)).toEqual(
      expected ? [0] : [],
    );
  });
});

describe("a missing path matches nothing", () => {
  const trace = traceOfRecords(turn({ text: "x", request: { params: { v: null } } }), turn({ text: "x", request: {} }));
  it.each([
    ["!=", 5],
    ["not_in", [5]],
    ["not_contains", "b"],
    ["!=", null],
    ["in", [null, 5]],
  ])("with %s", (op, value) => {
    const when = [{ path: "request.params.v", op, value }];
    expect(turnsOf(rule("forbidden_text", { text: "" }, { when }), trace)).toEqual([]);
  });
  it("finds != and not_in where the value is there", () => {
    const present = traceOfRecords(turn({ text: "x", request: { params: { v: 6 } } }));
    for (const [op, value] of [
      ["!=", 5],
      ["not_in", [5]],
    ] as const) {
      expect(
        turnsOf(rule("forbidden_text", { text: "" }, { when: [{ path: "request.params.v", op, value }] }), present),
      ).toEqual([0]);
    }
  });
});

describe("dates and times have an order among their own form", () => {
  const judged = (actual: Json, op: string, value: Json) => {
    const trace = traceOfRecords(turn({ text: "x", request: { params: { on: actual } } }));
    const when = [{ path: "request.params.on", op, value }];
    const check = checkPolicy(trace, policyOf([rule("forbidden_text", { text: "" }, { when })]));
    return check.notEvaluated.length > 0 ? "unclear" : check.violations.length > 0;
  };
  it.each<[Json, string, Json, boolean | "unclear"]>([
    ["2026-11-15", ">", "2026-01-01", true],
    ["2025-11-15", ">", "2026-01-01", false],
    ["2026-01-01", ">=", "2026-01-01", true],
    // 10:30 in Berlin is 09:30 in Greenwich.
    ["2026-01-01T10:30:00+01:00", "<", "2026-01-01T10:00:00Z", true],
    ["2026-01-01T10:00:00.25Z", ">", "2026-01-01T10:00:00.2Z", true],
    ["2026-01-01 10:00", "<", "2026-01-01T10:00:01", true],
    ["09:15", "<", "10:00:00", true],
    ["2026-01-01", ">", "2026-01-01T10:00:00Z", "unclear"],
    ["2026-01-01T10:00:00", ">", "2026-01-01T10:00:00Z", "unclear"],
    ["01/02/2026", ">", "2026-01-01", "unclear"],
    [20260101, ">", "2026-01-01", "unclear"],
    // The law of numbers stays: what is no number matches no order of numbers.
    ["2026", ">", 5, false],
    [null, ">", "2026-01-01", false],
  ])("%j %s %j: %s", (actual, op, value, expected) => {
    expect(judged(actual, op, value)).toBe(expected);
  });

  it("another condition that fails decides", () => {
    const trace = traceOfRecords(turn({ text: "x", request: { params: { on: "soon", kind: "a" } } }));
    const when = [
      { path: "request.params.on", op: ">", value: "2026-01-01" },
      { path: "request.params.kind", op: "==", value: "b" },
    ];
    expect(checkPolicy(trace, policyOf([rule("max_turns", { n: 0 }, { when })])).notEvaluated).toEqual([]);
  });

  it("a trigger is as strict", () => {
    const trace = traceOfRecords(turn({ text: "x", request: { params: { on: "soon" } } }), turn({ text: "y" }));
    const trigger = [{ path: "request.params.on", op: ">", value: "2026-01-01" }];
    const followup = rule("must_followup", { trigger, must: { kind: "text_includes", text: "y" } });
    expect(checkPolicy(trace, policyOf([followup])).notEvaluated).toHaveLength(1);
  });
});
