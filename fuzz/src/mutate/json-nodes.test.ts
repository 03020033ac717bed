import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { copyJson, depthOf, hasMoreThan, listNodes, repeatAt, valueAt } from "./json-nodes.ts";

it("a value that stands at two places counts at both", () => {
  let doubled: Json = 1;
  for (let level = 0; level < 60; level++) doubled = [doubled, doubled];
  expect(hasMoreThan(doubled, 500_000)).toBe(true);
  expect(hasMoreThan([1, [2, { a: null }]], 6)).toBe(false);
  expect(hasMoreThan([1, [2, { a: null }]], 5)).toBe(true);
});

describe("copyJson", () => {
  it("copies everything and shares nothing", () => {
    const value = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"c":[]}}') as Json;
    const copy = copyJson(value);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    const own = new Set<Json>(
      listNodes(value)
        .map(valueAt)
        .filter((one) => typeof one === "object" && one !== null),
    );
    expect(
      listNodes(copy)
        .map(valueAt)
        .some((one) => own.has(one)),
    ).toBe(false);
  });

  it("a document deeper than any stack can be damaged further", () => {
    let deep: Json = "bottom";
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const root = [deep];
    repeatAt({ parent: root, key: 0 });
    expect(root).toHaveLength(2);
    expect(depthOf(root)).toBe(50_001);
    expect(listNodes(root)).toHaveLength(2 * 50_000 + 2);
  });

  it("counts the steps to the deepest value", () => {
    expect([depthOf(1), depthOf([]), depthOf([1]), depthOf({ a: [{}] })]).toEqual([0, 0, 1, 2]);
  });
});
