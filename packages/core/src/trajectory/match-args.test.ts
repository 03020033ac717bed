import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../trace/json.ts";
import { compileArgs } from "./args-pattern.ts";
import { compareArgs } from "./compare-args.ts";
import { matchArgs } from "./match-args.ts";
import type { ArgsMatch } from "./trajectory.ts";

function matches(expected: JsonObject, actual: JsonObject, mode: ArgsMatch = "superset"): boolean {
  return matchArgs(compileArgs(expected), actual, mode);
}

describe("modes", () => {
  it.each<{ mode: ArgsMatch; expected: JsonObject; actual: JsonObject; matches: boolean }>([
    { mode: "superset", expected: { a: 1 }, actual: { a: 1, b: 2 }, matches: true },
    { mode: "superset", expected: { a: { b: 1 } }, actual: { a: { b: 1, c: 2 } }, matches: false },
    { mode: "deep_superset", expected: { a: { b: 1 } }, actual: { a: { b: 1, c: 2 }, d: 3 }, matches: true },
    { mode: "deep_superset", expected: { a: [{ b: 1 }] }, actual: { a: [{ b: 1, c: 2 }] }, matches: true },
    { mode: "deep_superset", expected: { a: [1] }, actual: { a: [1, 2] }, matches: false },
    { mode: "exact", expected: { a: 1 }, actual: { a: 1 }, matches: true },
    { mode: "exact", expected: { a: 1 }, actual: { a: 1, b: 2 }, matches: false },
    { mode: "subset", expected: { a: 1, b: 2 }, actual: { a: 1 }, matches: true },
    { mode: "subset", expected: { a: 1, b: 2 }, actual: {}, matches: true },
    { mode: "subset", expected: { a: 1 }, actual: { c: 1 }, matches: false },
    { mode: ["a.b", "z"], expected: { a: { b: 1, c: 2 } }, actual: { a: { b: 1, c: 9 } }, matches: true },
    { mode: ["a.0"], expected: { a: [1, 2] }, actual: { a: [1, 9] }, matches: true },
    { mode: ["a"], expected: { a: null }, actual: { a: 0 }, matches: false },
    { mode: "ignore", expected: { a: 1 }, actual: { a: 2 }, matches: true },
  ])("$mode of $expected against $actual: $matches", ({ mode, expected, actual, matches: wanted }) => {
    expect(matches(expected, actual, mode)).toBe(wanted);
  });

  it.each<[Json, Json, boolean]>([
    [1, "1", false],
    [1, 1.0, true],
    [true, 1, false],
    [null, 0, false],
    [[1, 2], [2, 1], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["é", "e\u0301", false],
  ])("%j equals %j: %s", (expected, actual, same) => {
    expect(matches({ v: expected }, { v: actual })).toBe(same);
  });

  it("keeps integers beyond 2^53 apart", () => {
    expect(matches({ v: 9007199254740993n }, { v: 9007199254740993n })).toBe(true);
    expect(matches({ v: 9007199254740993n }, { v: 9007199254740992n })).toBe(false);
    expect(matches({ v: 2 ** 60 }, { v: 2n ** 60n })).toBe(true);
  });

  it("looks at own keys only", () => {
    expect(matches({ constructor: 1 }, {})).toBe(false);
    expect(matches(JSON.parse('{"__proto__": 1}') as JsonObject, JSON.parse('{"__proto__": 1}') as JsonObject)).toBe(
      true,
    );
  });
});

describe("matchers", () => {
  it.each<[string, JsonObject, Json | undefined, boolean]>([
    ["a pattern", { $regex: "^A-[0-9]+$" }, "A-12", true],
    ["a pattern", { $regex: "^A-[0-9]+$" }, "B-12", false],
    ["a pattern on a number", { $regex: "1" }, 1, false],
    ["flags", { $regex: "^a", $flags: "i" }, "ABC", true],
    ["near", { $near: 40, $within: 0.5 }, 40.5, true],
    ["near", { $near: 40, $within: 0.5 }, 40.51, false],
    ["near, decimal limit", { $near: 0.3, $within: 0.1 }, 0.2, true],
    ["near in percent", { $near: 200, $within: "5%" }, 210, true],
    ["near in percent", { $near: 200, $within: "5%" }, 211, false],
    ["range", { $min: 1, $max: 3 }, 3, true],
    ["range", { $min: 1, $max: 3 }, 3.1, false],
    ["one of", { $one_of: ["EUR", { a: 1 }] }, { a: 1 }, true],
    ["one of", { $one_of: ["EUR"] }, "eur", false],
    ["type", { $type: "integer" }, 3, true],
    ["type", { $type: "integer" }, 3.5, false],
    ["type", { $type: "array" }, [], true],
    ["type", { $type: "object" }, [], false],
    ["any", { $any: true }, null, true],
    ["any, but not there", { $any: true }, undefined, false],
    ["absent", { $absent: true }, undefined, true],
    ["absent, but there", { $absent: true }, null, false],
    ["literal", { $literal: { $regex: "x" } }, { $regex: "x" }, true],
    ["data with a $ key", { $ref: "#/a" }, { $ref: "#/a" }, true],
  ])("%s", (_name, expected, actual, wanted) => {
    expect(matches({ v: expected }, actual === undefined ? {} : { v: actual })).toBe(wanted);
    expect(matches({ deep: [{ v: expected }] }, { deep: [actual === undefined ? {} : { v: actual }] }, "exact")).toBe(
      wanted,
    );
  });

  it.each<[JsonObject, string]>([
    [{ $regex: "(" }, "cannot be compiled"],
    [{ $regex: "(?=a)" }, "cannot be compiled"],
    [{ $regexp: "a" }, "Did you mean $regex"],
    [{ $near: 4 }, "$within"],
    [{ $near: "x", $within: 1 }, "number"],
    [{ $min: 3, $max: 1 }, "above"],
    [{ $one_of: [] }, "at least one"],
    [{ $type: "text" }, "one of"],
    [{ $absent: false }, "true"],
    [{ $regex: "a", $max: 1 }, "together"],
  ])("refuses %j", (matcher, words) => {
    expect(() => compileArgs({ outer: { v: matcher } })).toThrow(words);
    expect(() => compileArgs({ outer: { v: matcher } })).toThrow("outer.v");
  });
});

describe("compareArgs", () => {
  it("names every path, what was expected and what was seen", () => {
    const expected = compileArgs({ a: { b: 1, c: [1, { d: 2 }] }, e: { $type: "string" }, f: 1 });
    const { comparisons, notCompared } = compareArgs(
      expected,
      { a: { b: 1, c: [1, { d: 3 }], x: 0 }, e: 5, g: 1 },
      "superset",
    );
    expect(comparisons).toEqual([
      { path: "a.b", outcome: "same", expected: 1, actual: 1 },
      { path: "a.c[0]", outcome: "same", expected: 1, actual: 1 },
      { path: "a.c[1].d", outcome: "different", expected: 2, actual: 3 },
      { path: "a.x", outcome: "unexpected", actual: 0 },
      { path: "e", outcome: "different", expected: { $type: "string" }, wanted: "a string", actual: 5 },
      { path: "f", outcome: "missing", expected: 1 },
    ]);
    expect(notCompared).toEqual(["g"]);
  });

  it("says which arguments were not given, or that there were none to compare", () => {
    expect(compareArgs(compileArgs({ a: 1 }), undefined, "superset").comparisons).toEqual([
      { path: "a", outcome: "missing", expected: 1 },
    ]);
    expect(compareArgs(compileArgs({ a: 1 }), [1], "superset").comparisons).toEqual([
      { path: "", outcome: "different", expected: { a: 1 }, actual: [1], wanted: "a mapping of arguments" },
    ]);
    expect(compareArgs(compileArgs({}), undefined, "superset").comparisons).toMatchObject([
      { path: "", outcome: "missing" },
    ]);
  });
});
