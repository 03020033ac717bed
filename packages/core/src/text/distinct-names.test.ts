import fc from "fast-check";
import { expect, it } from "vitest";
import { distinctNames } from "./distinct-names.ts";

it.each([
  { names: ["a", "a", "a-2"], distinct: ["a", "a-3", "a-2"] },
  { names: ["a-2", "a", "a", "a"], distinct: ["a-2", "a", "a-3", "a-4"] },
  { names: ["Task", "task"], distinct: ["Task", "task-2"] },
  { names: ["a", "b"], distinct: ["a", "b"] },
])("$names", ({ names, distinct }) => {
  expect(distinctNames(names)).toEqual(distinct);
});

it("gives every one a name of its own, and the first of a name keeps it", () => {
  const name = fc.constantFrom("a", "A", "a-2", "a-2-2", "a-3", "b");
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const distinct = distinctNames(names);
      expect(new Set(distinct.map((one) => one.toLowerCase())).size).toBe(names.length);
      for (const [index, one] of names.entries())
        if (names.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === index)
          expect(distinct[index]).toBe(one);
    }),
  );
});
