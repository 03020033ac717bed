import { describe, expect, it } from "vitest";
import { problemsIn, readYaml } from "../../test/read.ts";
import { Definitions } from "./definitions.ts";
import { optional, required } from "./field.ts";
import { integer, text } from "./scalars.ts";
import { tagged, type Variant } from "./tagged.ts";

const noCall: Variant = {
  names: ["no_call", "never"],
  summary: "a tool is off limits",
  fields: { tool: required(text, "which") },
};
const maxTurns: Variant = {
  names: ["max_turns"],
  summary: "few turns",
  fields: { limit: required(integer(), "how many") },
};
const common = { id: optional(text, "its name") };
const options = {
  tag: "kind",
  common,
  variants: [noCall, maxTurns],
  otherNames: new Map([["forbid", "no_call"]]),
};
const shape = tagged("a rule", options);

describe("reading", () => {
  it.each([
    { yaml: "{ kind: no_call, tool: t }", variant: noCall, values: { kind: "no_call", tool: "t" } },
    { yaml: "{ kind: never, tool: t, id: r }", variant: noCall, values: { kind: "never", tool: "t", id: "r" } },
    { yaml: "{ kind: max_turns, limit: 3 }", variant: maxTurns, values: { kind: "max_turns", limit: 3 } },
  ])("$yaml", ({ yaml, variant, values }) => {
    expect(readYaml(shape, yaml)).toEqual({ value: { variant, values }, problems: [], notes: [] });
  });

  it("a word can be found in another way than by its name", () => {
    const loose = tagged("a rule", { ...options, find: (word) => (word.startsWith("max") ? maxTurns : undefined) });
    expect(readYaml(loose, "{ kind: maximum, limit: 3 }").value?.variant).toBe(maxTurns);
  });
});

describe("problems", () => {
  it.each([
    { yaml: "3", problems: ["1:1 a rule must be a mapping, found 3."] },
    { yaml: "id: r", problems: ["1:1 a rule needs kind. Known are no_call, max_turns."] },
    { yaml: "kind: [x]", problems: ["1:7 kind must be a text, found a list. Known are no_call, max_turns."] },
    { yaml: "kind: no_cal", problems: ['1:7 unknown kind "no_cal". Did you mean no_call?'] },
    { yaml: "kind: forbid", problems: ['1:7 unknown kind "forbid". Did you mean no_call?'] },
    { yaml: "kind: qqqqqq", problems: ['1:7 unknown kind "qqqqqq". Known are no_call, max_turns.'] },
    {
      yaml: "kind: max_turns\nlimit: 3\ntool: t",
      problems: ['3:1 unknown key "tool" in a rule. Known are kind, id, limit.'],
    },
    { yaml: "kind: no_call", problems: ["1:1 a rule needs tool: which."] },
  ])("$yaml", ({ yaml, problems }) => {
    expect(readYaml(shape, yaml)).toEqual({ value: undefined, problems, notes: [] });
  });

  it("common keys are checked even while nobody knows which variant is meant", () => {
    const patient = tagged("a rule", { ...options, unknownTag: { tool: optional(text, "which") } });
    expect(readYaml(patient, "kind: no_cal\ntool: t\nid: 3").problems).toEqual([
      '1:7 unknown kind "no_cal". Did you mean no_call?',
      '3:5 id must be a text, found 3. Put it in quotes: "3".',
    ]);
  });

  it("the variant can be asked for alone", () => {
    const problems = problemsIn("{ kind: no_call, nonsense: 1 }");
    expect(shape.variantOf(problems.root())).toBe(noCall);
    expect(problems.errors).toEqual([]);
    expect(shape.mappingOf(noCall).knows("tool")).toBe(true);
    expect(shape.mappingOf(noCall).knows("limit")).toBe(false);
  });
});

it("as JSON Schema the tag decides about the keys beside it", () => {
  expect(shape.schema(new Definitions())).toEqual({
    type: "object",
    required: ["kind"],
    properties: {
      kind: {
        anyOf: [
          { const: "no_call", description: "a tool is off limits" },
          { const: "max_turns", description: "few turns" },
          { enum: ["no_call", "never"] },
        ],
      },
      id: { type: "string", description: "its name" },
    },
    allOf: [
      {
        if: { properties: { kind: { enum: ["no_call", "never"] } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { type: "object", properties: { tool: { type: "string", description: "which" } }, required: ["tool"] },
      },
      {
        if: { properties: { kind: { enum: ["max_turns"] } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          type: "object",
          properties: { limit: { type: "integer", description: "how many" } },
          required: ["limit"],
        },
      },
    ],
    unevaluatedProperties: false,
  });
});
