import { describe, expect, it } from "vitest";
import { readYaml } from "../../test/read.ts";
import { Definitions } from "./definitions.ts";
import { optional, preset, required } from "./field.ts";
import { mapping } from "./mapping.ts";
import { choice, integer, text } from "./scalars.ts";
import type { MappingOptions } from "./shape.ts";

const fields = {
  first: required(text, "the tool that comes first"),
  maxTurns: preset(integer({ min: 1 }), 10, "how many turns", { alias: "n" }),
  severity: preset(choice(["error", "info"]), "error", "how bad"),
  scope: optional(text, "where", { without: "the rule would apply everywhere" }),
  note: optional(text, "for people"),
};
const rule = (options: MappingOptions = {}) => mapping("a rule", fields, options);
const PRESETS = { maxTurns: 10, severity: "error" };

describe("reading", () => {
  it.each([
    { yaml: "first: a", value: { first: "a", ...PRESETS } },
    { yaml: "first: a\nmax_turns: 3", value: { first: "a", ...PRESETS, maxTurns: 3 } },
    { yaml: "first: a\nn: 3", value: { first: "a", ...PRESETS, maxTurns: 3 } },
    { yaml: "first: a\nn: 3\nmax_turns: 3", value: { first: "a", ...PRESETS, maxTurns: 3 } },
    { yaml: "first: a\nmaxTurns: 3", options: { alsoCamelCase: true }, value: { first: "a", ...PRESETS, maxTurns: 3 } },
    { yaml: "first: a\nmaxTurns: 3", options: { keys: "camelCase" }, value: { first: "a", ...PRESETS, maxTurns: 3 } },
    { yaml: "first: a\nscope:", options: { emptyIsAbsent: true }, value: { first: "a", ...PRESETS } },
    { yaml: "first: a\nother: 1", options: { open: true }, value: { first: "a", ...PRESETS } },
  ] as { yaml: string; options?: MappingOptions; value: object }[])("$yaml $options", ({ yaml, options, value }) => {
    expect(readYaml(rule(options), yaml)).toEqual({ value, problems: [], notes: [] });
  });
});

describe("problems", () => {
  it.each([
    { yaml: "[a]", problems: ["1:1 a rule must be a mapping, found a list."] },
    { yaml: "n: 2", problems: ["1:1 a rule needs first: the tool that comes first."] },
    {
      yaml: "first: a\nsevrity: info",
      problems: [
        '2:1 unknown key "sevrity" in a rule. Did you mean severity? As written, the default (error) would apply unnoticed.',
      ],
    },
    {
      yaml: "first: a\nscop: x",
      problems: ['2:1 unknown key "scop" in a rule. Did you mean scope? As written, the rule would apply everywhere.'],
    },
    {
      yaml: "first: a\nnotee: x",
      problems: ['2:1 unknown key "notee" in a rule. Did you mean note? As written, it would be read over.'],
    },
    {
      yaml: "first: a\nqqqqqq: x",
      problems: ['2:1 unknown key "qqqqqq" in a rule. Known are first, max_turns, n, severity, scope, note.'],
    },
    {
      yaml: "first: a\nmax_turns: 1\nn: 2",
      problems: ["3:1 n is another name for max_turns, and the two differ. Keep one."],
    },
    {
      yaml: "first: 3\nmax_turns: 0\nseverity: inf",
      problems: [
        '1:8 first must be a text, found 3. Put it in quotes: "3".',
        "2:12 max_turns must be a whole number from 1 on, found 0.",
        '3:11 severity must be error or info, found the text "inf". Did you mean info?',
      ],
    },
    {
      yaml: "first: a\nscope:",
      problems: ["2:7 scope must be a text, found nothing."],
    },
    {
      yaml: "first: a\nwhere: x",
      options: { onUnknownKey: (key) => (key === "where" ? "where is scope here." : undefined) },
      problems: ["2:1 where is scope here."],
    },
    {
      yaml: "first: a\nnotee: x",
      options: { titleOf: (value) => `rule ${value["first"]}` },
      problems: ['2:1 unknown key "notee" in rule a. Did you mean note? As written, it would be read over.'],
    },
    { yaml: "first: a", options: { exactlyOne: [["scope", "note"]] }, problems: ["1:1 a rule needs scope or note."] },
    {
      yaml: "first: a\nscope: x\nnote: y",
      options: { exactlyOne: [["scope", "note"]] },
      problems: ["3:1 give either scope or note, not both."],
    },
    { yaml: "first: a", options: { atLeastOne: [["scope", "note"]] }, problems: ["1:1 a rule needs scope or note."] },
  ] as { yaml: string; options?: MappingOptions; problems: string[] }[])("$yaml", ({ yaml, options, problems }) => {
    expect(readYaml(rule(options), yaml)).toEqual({ value: undefined, problems, notes: [] });
  });
});

it("knows its keys in every spelling", () => {
  const { knows } = rule({ alsoCamelCase: true });
  expect(["max_turns", "maxTurns", "n", "turns"].map(knows)).toEqual([true, true, true, false]);
});

describe("as JSON Schema", () => {
  it("other spellings refer to the key and repeat no default", () => {
    expect(rule().schema(new Definitions())).toEqual({
      type: "object",
      properties: {
        first: { description: "the tool that comes first", type: "string" },
        max_turns: { description: "how many turns", type: "integer", minimum: 1, default: 10 },
        n: { description: "Another name for max_turns.", type: "integer", minimum: 1 },
        severity: { description: "how bad", enum: ["error", "info"], default: "error" },
        scope: { description: "where", type: "string" },
        note: { description: "for people", type: "string" },
      },
      required: ["first"],
      additionalProperties: false,
    });
  });
  it("groups of keys, empty keys and open mappings are said", () => {
    const schema = rule({ exactlyOne: [["scope", "maxTurns"]], emptyIsAbsent: true, open: true }).schema(
      new Definitions(),
    );
    expect(schema["allOf"]).toEqual([
      { oneOf: [{ required: ["scope"] }, { anyOf: [{ required: ["max_turns"] }, { required: ["n"] }] }] },
    ]);
    expect(schema["properties"]).toMatchObject({ first: { type: "string" }, scope: { type: ["string", "null"] } });
    expect(schema).not.toHaveProperty("additionalProperties");
  });
});
