import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, jsonEqual, stringifyJson } from "./json.ts";
import { parseJson } from "./parse-json.ts";

describe("numbers too large for a double", () => {
  const large = 9_007_199_254_740_993n;

  it.each([
    { indent: 0, text: '{"a":[9007199254740993,{}],"b":{"c":[]}}' },
    {
      indent: 2,
      text: '{\n  "a": [\n    9007199254740993,\n    {}\n  ],\n  "b": {\n    "c": []\n  }\n}',
    },
  ])("are written as their digits, indented by $indent", ({ indent, text }) => {
    expect(stringifyJson({ a: [large, {}], b: { c: [] } }, indent)).toBe(text);
  });

  it("leave out what is absent, as JSON does", () => {
    const value = { a: large, b: undefined, c: [undefined] } as unknown as Json;
    expect(stringifyJson(value)).toBe('{"a":9007199254740993,"c":[null]}');
  });
});

const like = fc.oneof(
  fc.string({ unit: "grapheme" }),
  // What once stood for a bigint in the text, and what else could be taken for one.
  fc.bigInt().map((digits) => `\uE000spoor-bigint:${digits}`),
  fc.bigInt().map((digits) => `"${digits}n"`),
  fc.constantFrom("007", "$&", "__proto__", "\u2028"),
);
const beyond = fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n });
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    like,
    beyond,
    fc.integer(),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(like, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

it("writes any value so that reading it gives the value again, whatever its texts and keys look like", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
      expect(jsonEqual(parseJson(stringifyJson(json, indent)), json)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it("still refuses what has no JSON form", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  expect(() => stringifyJson(cycle as Json)).toThrow(TypeError);
});
