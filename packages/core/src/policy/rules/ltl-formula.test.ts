import { describe, expect, it } from "vitest";
import {
  judgedLive,
  policyOf,
  problemsOf,
  type Reply,
  rule,
  standalone,
  traceOfRecords,
  turn,
  turnsOf,
  twoConversations,
  violationsOf,
} from "../../../test/policy.ts";
import { SpoorError } from "../../errors.ts";
import type { JsonObject } from "../../trace/json.ts";

describe("a broken formula names a witness", () => {
  it.each([
    // Turn 1 makes it false for good: two turns are the shortest bad prefix.
    ["G !tool_call:del", 2, [0, 1], 1],
    // Only the end makes it false.
    ["F tool_call:log", null, [0, 1, 2], 2],
    // A strong next in every turn: after one turn there would always have to be another.
    ["G X true", 1, [0, 1, 2], 0],
  ])("%s", (formula, witness, positions, primary) => {
    const trace = traceOfRecords(turn({ text: "a" }), turn({ calls: ["del"] }), turn({ text: "b" }));
    const violations = violationsOf([rule("ltl_formula", { formula })], trace);
    expect(violations.map((violation) => violation.turnIndex)).toEqual(positions);
    expect(violations[0]!.facts["witness"]).toBe(witness);
    expect(violations.filter((violation) => !violation.restates).map((violation) => violation.turnIndex)).toEqual([
      primary,
    ]);
  });
});

describe("the text of a formula", () => {
  it("takes quoted texts", () => {
    const trace = traceOfRecords(turn({ text: "say (hello & bye) -> now" }));
    expect(turnsOf(rule("ltl_formula", { formula: 'G !text_contains:"(hello & bye) ->"' }), trace)).toEqual([0]);
    expect(turnsOf(rule("ltl_formula", { formula: '"text_contains:(hello"' }), trace)).toEqual([]);
  });
  it.each([
    ["foo:bar", "is no predicate"],
    ["tool_cal:x", "Did you mean tool_call?"],
    ["delete", "write tool_call:delete"],
    ["(tool_call:a", 'this "(" is never closed'],
    ["()", 'unexpected ")"'],
    [")", 'unexpected ")"'],
    ["U", 'unexpected "U"'],
    ["tool_call:a && tool_call:b", 'unexpected "&"'],
    ["tool_call:a U tool_call:b U tool_call:c", "do not chain"],
    ['text_contains:"abc', "never closed"],
    ["F tool_call:a & G !tool_call:a", "no trace can satisfy"],
  ])("%s is refused", (formula, words) => {
    expect(problemsOf([rule("ltl_formula", { formula })]).join("\n")).toContain(words);
  });
});

it.each<[string, JsonObject, string]>([
  ["a formula that does not parse", { formula: "G (" }, "character 4"],
  ["a blank formula", { formula: "  " }, "formula must be a text that is not empty"],
  ["no formula", {}, "ltl_formula needs formula"],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("ltl_formula", params)]).join("\n")).toContain(words);
});

it("a rule that cannot be evaluated is an error before either side of a diff is looked at", () => {
  expect(() => policyOf([rule("ltl_formula", { formula: "G (" })])).toThrow(SpoorError);
});

it("sees calls recorded on their own as part of the turn before", () => {
  const afterLast = traceOfRecords(turn({ text: "x" }), standalone("del"));
  expect(turnsOf(rule("ltl_formula", { formula: "G !tool_call:del" }), afterLast)).toEqual([0]);
  expect(
    turnsOf(
      rule("ltl_formula", { formula: "G !tool_call:del" }),
      traceOfRecords(standalone("del"), turn({ text: "x" })),
    ),
  ).toEqual([0]);
});

it("reads the matching turns as its trace", () => {
  const trace = traceOfRecords(
    turn({ calls: ["refund"], request: { model: "small" } }),
    turn({ text: "a", request: { model: "big" } }),
    turn({ calls: ["refund"], request: { model: "big" } }),
  );
  expect(
    turnsOf(
      rule("ltl_formula", { formula: "G !tool_call:refund" }, { when: [{ path: "model", op: "==", value: "big" }] }),
      trace,
    ),
  ).toEqual([1, 2]);
});

it("is evaluated inside sessions", () => {
  expect(
    turnsOf(rule("ltl_formula", { formula: "F text_contains:alpha" }, { scope: "session" }), twoConversations),
  ).toEqual([2, 3]);
});

it.each<[string, JsonObject, Reply[], string[]]>([
  ["a formula that is lost", rule("ltl_formula", { formula: "G !tool_call:a" }), [{ calls: ["a"] }], ["provisional"]],
  [
    "nothing while a tool of the same turn can still save it",
    rule("ltl_formula", { formula: "G (text_contains:a -> tool_call:b)" }),
    [{ text: "a" }],
    [],
  ],
  [
    "what a response lacks that names its calls",
    rule("ltl_formula", { formula: "G (tool_call:a -> tool_call:b)" }),
    [{ calls: ["a"] }],
    ["provisional"],
  ],
  [
    "at each turn again what an earlier one has lost",
    rule("ltl_formula", { formula: "G (text_contains:a -> tool_call:b)" }),
    [{ text: "a" }, { text: "c" }, { text: "d" }],
    ["provisional"],
  ],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
