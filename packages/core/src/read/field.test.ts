import { describe, expect, it } from "vitest";
import { readYaml } from "../../test/read.ts";
import { Definitions } from "./definitions.ts";
import { ignored, optional, preset, required } from "./field.ts";
import { mapping } from "./mapping.ts";
import { referenceRows } from "./reference.ts";
import { integer } from "./scalars.ts";

describe("a member of a mapping", () => {
  it.each([
    {
      name: "required",
      field: required(integer(), "how many"),
      absent: { value: undefined, problems: ["1:1 a rule needs limit: how many."], notes: [] },
      given: { value: { limit: 3 }, problems: [], notes: [] },
      schema: { properties: { limit: { type: "integer", description: "how many" } }, required: ["limit"] },
      rows: [{ keys: ["limit"], type: "whole number", need: "required", help: "how many" }],
    },
    {
      name: "optional",
      field: optional(integer(), "how many"),
      absent: { value: {}, problems: [], notes: [] },
      given: { value: { limit: 3 }, problems: [], notes: [] },
      schema: { properties: { limit: { type: "integer", description: "how many" } } },
      rows: [{ keys: ["limit"], type: "whole number", need: "", help: "how many" }],
    },
    {
      name: "preset",
      field: preset(integer(), 7, "how many"),
      absent: { value: { limit: 7 }, problems: [], notes: [] },
      given: { value: { limit: 3 }, problems: [], notes: [] },
      schema: { properties: { limit: { type: "integer", description: "how many", default: 7 } } },
      rows: [{ keys: ["limit"], type: "whole number", need: "7", help: "how many" }],
    },
    {
      name: "ignored",
      field: ignored("there are no limits here"),
      absent: { value: {}, problems: [], notes: [] },
      given: { value: {}, problems: [], notes: ["1:1 limit in a rule has no effect: there are no limits here."] },
      schema: { properties: { limit: { description: "not used: there are no limits here" } } },
      rows: [],
    },
    {
      name: "deprecated",
      field: optional(integer(), "how many", { deprecated: "write max" }),
      absent: { value: {}, problems: [], notes: [] },
      given: { value: { limit: 3 }, problems: [], notes: ["1:1 limit in a rule is old: write max."] },
      schema: { properties: { limit: { type: "integer", description: "how many", deprecated: true } } },
      rows: [{ keys: ["limit"], type: "whole number", need: "", help: "how many" }],
    },
  ])("$name", ({ field, absent, given, schema, rows }) => {
    const shape = mapping("a rule", { limit: field });
    expect(readYaml(shape, "{}")).toEqual(absent);
    expect(readYaml(shape, "limit: 3")).toEqual(given);
    expect(shape.schema(new Definitions())).toEqual({ type: "object", additionalProperties: false, ...schema });
    expect(referenceRows(shape.fields)).toEqual(rows);
  });
});
