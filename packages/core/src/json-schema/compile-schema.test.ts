import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { compileSchema } from "./compile-schema.ts";

const check = (schema: Json, value: Json): string[] => {
  const compiled = compileSchema(schema);
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled.check(value).map(({ path, keyword }) => `${path} ${keyword}`);
};

describe("patterns run in linear time", () => {
  // Each of these takes a backtracking engine longer than anyone waits: 2^n steps for n characters.
  const long = `${"a".repeat(50_000)}!`;
  it.each<[string, Json, Json]>([
    ["pattern", { pattern: "^(a+)+$" }, long],
    ["a nested pattern", { properties: { x: { items: { pattern: "^(\\w+\\s?)*$" } } } }, { x: [long] }],
    ["alternatives", { pattern: "^(a|a)*$" }, long],
  ])("%s", (_name, schema, value) => {
    expect(check(schema, value)).toHaveLength(1);
  });
  it("patternProperties and propertyNames", () => {
    const schema = { patternProperties: { "^(a+)+$": { type: "string" } }, propertyNames: { pattern: "^(a|a)+!?$" } };
    expect(check(schema, { [long]: 1 })).toEqual([]);
    expect(check(schema, { aaa: 1 })).toEqual(["/aaa type"]);
  });
  it.each([
    ["^\\d{4}-\\d{2}$", "2026-11", true],
    ["^caf\\u00e9$", "café", true],
    ["^\\u{1F600}$", "😀", true],
    ["^a\\/b$", "a/b", true],
    ["^\\p{L}+$", "Ünïcode", true],
    ["b", "abc", true],
    ["^b", "abc", false],
  ])("%s fits %s: %s", (pattern, text, fits) => {
    expect(check({ pattern }, text)).toHaveLength(fits ? 0 : 1);
  });
  it("refuses what only a backtracking engine can do", () => {
    expect(compileSchema({ pattern: "^(?=a)b" })).toContain("look-around and back-references are not supported");
    expect(compileSchema({ patternProperties: { "(a)\\1": true } })).toContain("not supported");
  });
});

describe("uniqueItems", () => {
  it.each<[Json[], boolean]>([
    [[1, 2, 3], true],
    [[1, 1.0], false],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[[1], [1, 2]], true],
    [["1", 1], true],
    [[null, false, 0, ""], true],
  ])("%j: %s", (items, fits) => {
    expect(check({ uniqueItems: true }, items)).toEqual(fits ? [] : [" uniqueItems"]);
    expect(check({ uniqueItems: false }, items)).toEqual([]);
  });
  it("looks at each item once", () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: "x" }));
    expect(check({ uniqueItems: true }, items)).toEqual([]);
    expect(
      check({ $schema: "http://json-schema.org/draft-07/schema#", uniqueItems: true }, [...items, items[0]!]),
    ).toEqual([" uniqueItems"]);
  });
});
