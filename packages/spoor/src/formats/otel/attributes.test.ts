import type { Json } from "@spoor/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatheredAttributes, listUnder } from "./attributes.ts";

describe("lists that are spelled out in dotted names", () => {
  it.each([
    { name: "in order", given: { "a.0.role": "user", "a.1.role": "tool" }, list: [{ role: "user" }, { role: "tool" }] },
    { name: "out of order", given: { "a.1.x": 1, "a.0.x": 0 }, list: [{ x: 0 }, { x: 1 }] },
    { name: "with a gap, which is closed", given: { "a.0.x": 0, "a.7.x": 7 }, list: [{ x: 0 }, { x: 7 }] },
    { name: "far apart", given: { "a.999999.x": 1 }, list: [{ x: 1 }] },
    {
      name: "a list inside",
      given: { "a.0.calls.0.id": "1", "a.0.calls.1.id": "2" },
      list: [{ calls: [{ id: "1" }, { id: "2" }] }],
    },
    { name: "plain values", given: { "a.0": "x", "a.1": "y" }, list: ["x", "y"] },
    {
      name: "numbers beside names stay an object",
      given: { "a.0.m.0": 1, "a.0.m.n": 2, "a.0.m.1": 3 },
      list: [{ m: { 0: 1, n: 2, 1: 3 } }],
    },
    { name: "a value that gives way", given: { "a.0.m": "text", "a.0.m.n": 2 }, list: [{ m: { n: 2 } }] },
    { name: "an object whose keys are numbers", given: { "a.0.m": { 1: "y", 0: "x" } }, list: [{ m: ["x", "y"] }] },
    { name: "an own __proto__", given: { "a.0.__proto__.x": 1 }, list: [JSON.parse('{"__proto__":{"x":1}}')] },
    { name: "another list", given: { "ab.0.x": 1 }, list: undefined },
    { name: "no number", given: { "a.b": 1, a: "text" }, list: undefined },
  ])("$name", ({ given, list }) => {
    const attributes = Object.entries(given) as [string, Json][];
    expect(listUnder(new Map(attributes), "a")).toEqual(list);
    const gathered = new GatheredAttributes();
    for (const [key, value] of attributes) gathered.set(key, value);
    expect(listUnder(gathered.finish(), "a")).toEqual(list);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("shares what a list repeats of an earlier one, and nothing that differs", () => {
    const gather = (given: Record<string, Json>, before?: ReadonlyMap<string, Json>) => {
      const gathered = new GatheredAttributes(before);
      for (const [key, value] of Object.entries(given)) gathered.set(key, value);
      return gathered.finish();
    };
    const earlier = gather({ "a.0.x": 0, "a.1.x": 1 });
    const later = gather({ "a.0.x": 0, "a.1.x": 2, "a.2.x": 3 }, earlier);
    const [first, second] = [earlier.get("a") as Json[], later.get("a") as Json[]];
    expect(second).toEqual([{ x: 0 }, { x: 2 }, { x: 3 }]);
    expect(second[0]).toBe(first[0]);
    expect(first).toEqual([{ x: 0 }, { x: 1 }]);
  });

  it("flattened and read again, a list is what it was", () => {
    const key = fc.constantFrom("role", "content", "name", "id");
    const member = fc.dictionary(
      key,
      fc.oneof(fc.string(), fc.integer(), fc.array(fc.dictionary(key, fc.string(), { minKeys: 1 }), { minLength: 1 })),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(fc.array(member, { minLength: 1 }), fc.infiniteStream(fc.nat()), (list, order) => {
        const flat: [string, Json][] = [];
        flatten("a", list as Json, flat);
        const shuffled = flat.map((entry) => ({ entry, place: order.next().value as number }));
        shuffled.sort((left, right) => left.place - right.place);
        expect(listUnder(new Map(shuffled.map(({ entry }) => entry)), "a")).toEqual(list);
      }),
    );
  });
});

function flatten(path: string, value: Json, into: [string, Json][]): void {
  if (typeof value !== "object" || value === null) into.push([path, value]);
  else for (const [key, inner] of Object.entries(value)) flatten(`${path}.${key}`, inner as Json, into);
}
