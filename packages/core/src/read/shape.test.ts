import { describe, expect, it } from "vitest";
import { readYaml } from "../../test/read.ts";
import { list, oneOf } from "./collections.ts";
import { Definitions } from "./definitions.ts";
import { boolean, choice, constant, filledText, integer, json, number, text } from "./scalars.ts";
import { kindOf, type Shape } from "./shape.ts";

describe("kindOf", () => {
  it.each([
    ["x", "text"],
    [1.5, "number"],
    [9007199254740993n, "number"],
    [false, "boolean"],
    [[], "list"],
    [{}, "mapping"],
    [null, "null"],
    [undefined, "null"],
  ])("%s is %s", (value, kind) => {
    expect(kindOf(value)).toBe(kind);
  });
});

describe("a shape reads what it wants, complains about anything else and is a JSON Schema", () => {
  it.each<{ shape: Shape<unknown>; good: string; value: unknown; bad: string; problem: string; schema: object }>([
    {
      shape: text,
      good: "a b",
      value: "a b",
      bad: "3",
      problem: 'the file must be a text, found 3. Put it in quotes: "3".',
      schema: { type: "string" },
    },
    {
      shape: filledText,
      good: "x",
      value: "x",
      bad: "' '",
      problem: "the file must be a text that is not empty, found an empty text.",
      schema: { type: "string", pattern: "\\S" },
    },
    {
      shape: boolean,
      good: "false",
      value: false,
      bad: "[]",
      problem: "the file must be true or false, found an empty list.",
      schema: { type: "boolean" },
    },
    {
      shape: number({ above: 0, max: 1 }),
      good: "1",
      value: 1,
      bad: "0",
      problem: "the file must be a number above 0 and up to 1, found 0.",
      schema: { type: "number", maximum: 1, exclusiveMinimum: 0 },
    },
    {
      shape: integer({ min: 1 }),
      good: "1",
      value: 1,
      bad: "1.5",
      problem: "the file must be a whole number from 1 on, found 1.5.",
      schema: { type: "integer", minimum: 1 },
    },
    {
      shape: choice(["error", "warning"]),
      good: "warning",
      value: "warning",
      bad: "warnin",
      problem: 'the file must be error or warning, found the text "warnin". Did you mean warning?',
      schema: { enum: ["error", "warning"] },
    },
    {
      shape: constant("v1"),
      good: "v1",
      value: "v1",
      bad: "v2",
      problem: 'the file must be "v1", found the text "v2".',
      schema: { const: "v1" },
    },
    {
      shape: list(integer(), { min: 1 }),
      good: "[1, 2]",
      value: [1, 2],
      bad: "[]",
      problem: "the file must be a list with something in it, found an empty list.",
      schema: { type: "array", items: { type: "integer" }, minItems: 1 },
    },
    {
      shape: oneOf(integer(), boolean),
      good: "true",
      value: true,
      bad: "{ a: 1 }",
      problem: "the file must be a whole number or true or false, found a mapping.",
      schema: { anyOf: [{ type: "integer" }, { type: "boolean" }] },
    },
  ])("$schema", ({ shape, good, value, bad, problem, schema }) => {
    expect(readYaml(shape, good)).toEqual({ value, problems: [], notes: [] });
    expect(readYaml(shape, bad)).toEqual({ value: undefined, problems: [`1:1 ${problem}`], notes: [] });
    expect(shape.schema(new Definitions())).toEqual(schema);
  });

  it("anything at all is a shape too", () => {
    expect(readYaml(json, "[1, { a: null }]").value).toEqual([1, { a: null }]);
  });
});
