import { describe, expect, it } from "vitest";
import { parsePath, valueAt, valuesAt } from "./path.ts";

describe("parsePath", () => {
  it.each([
    ["a.b", ["a", "b"]],
    ["a..b", ["a", "", "b"]],
    ["a.", ["a", ""]],
    ['a["b.c"].d', ["a", "b.c", "d"]],
    ['["x"]["y"]', ["x", "y"]],
    ['a["q\\"q"]', ["a", 'q"q']],
    ["a\\.b.c", ["a.b", "c"]],
    ["a.*.b", ["a", undefined, "b"]],
    ["a.\\*", ["a", "*"]],
    ["messages[1]", ["messages[1]"]],
  ])("%s", (text, segments) => {
    expect(parsePath(text).segments).toEqual(segments);
  });
});

describe("looking up", () => {
  const root = {
    list: [{ n: 1 }, { n: null }, { n: 3 }],
    map: { x: 1, y: 2 },
    none: null,
    __proto__: undefined as never,
  };
  it.each([
    ["list.0.n", 1],
    ["list.00.n", 1],
    ["list.-1.n", undefined],
    ["list.length", undefined],
    ["none", undefined],
    ["constructor", undefined],
    ["map.toString", undefined],
  ])("%s", (text, expected) => {
    expect(valueAt(parsePath(text), root)).toBe(expected);
  });
  it("takes every element and member at *", () => {
    expect(valuesAt(parsePath("list.*.n"), root)).toEqual([1, 3]);
    expect(valuesAt(parsePath("map.*"), root)).toEqual([1, 2]);
  });
});
