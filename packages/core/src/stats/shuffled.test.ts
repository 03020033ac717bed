import { expect, it } from "vitest";
import { createRandom } from "./random.ts";
import { shuffled } from "./shuffled.ts";

it("keeps every item, leaves the list alone and repeats itself for a seed", () => {
  const items = ["a", "b", "c", "d", "e"];
  const order = shuffled(items, createRandom(7));
  expect([...order].sort()).toEqual(items);
  expect(items).toEqual(["a", "b", "c", "d", "e"]);
  expect(shuffled(items, createRandom(7))).toEqual(order);
});

it("gives each of the six orders of three items about equally often", () => {
  const random = createRandom(1);
  const counts = new Map<string, number>();
  for (let draw = 0; draw < 6000; draw++) {
    const order = shuffled(["a", "b", "c"], random).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  // 1,000 expected, standard deviation √(6000 · 1/6 · 5/6) = 29; five of them are 144.
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(144);
});
