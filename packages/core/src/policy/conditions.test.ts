import { describe, expect, it } from "vitest";
import { rule, traceOfRecords, turn, turnsOf } from "../../test/policy.ts";
import type { Json } from "../trace/json.ts";

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
    ["==", null],
    ["in", [null]],
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
