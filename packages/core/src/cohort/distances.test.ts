import fc from "fast-check";
import { expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { runDistances, visitPairs } from "./distances.ts";
import { createObserver } from "./observe.ts";

function distancesOf(left: readonly string[], right: readonly string[]) {
  const observer = createObserver();
  return runDistances(observer.observe(run("s", "baseline", left)), observer.observe(run("s", "candidate", right)));
}

it.each([
  { name: "a dropped call", left: ["a", "b", "c", "d"], right: ["a", "b", "d"], tools: 0.25, order: 0 },
  { name: "two calls swapped", left: ["a", "b"], right: ["b", "a"], tools: 0, order: 1 },
  { name: "nothing in common", left: ["a"], right: ["b"], tools: 1, order: 0 },
  { name: "no calls at all", left: [], right: [], tools: 0, order: 0 },
])("$name: tools $tools, order $order", ({ left, right, tools, order }) => {
  expect(distancesOf(left, right)).toMatchObject({ tools, order });
});

const names = fc.array(fc.constantFrom("a", "b", "c", "get_d"), { maxLength: 12 });

it("is symmetric, zero for equal runs, within [0, 1], and path is tools plus order", () => {
  fc.assert(
    fc.property(names, names, (left, right) => {
      const there = distancesOf(left, right);
      expect(there).toEqual(distancesOf(right, left));
      expect(distancesOf(left, left).run).toBe(0);
      expect(there.path).toBeCloseTo(there.tools + there.order, 12);
      for (const value of Object.values(there)) expect(value >= 0 && value <= 1).toBe(true);
    }),
  );
});

it("compares long runs as it compares short ones", () => {
  const long = Array.from({ length: 80 }, (_, index) => `tool${index % 7}`);
  expect(distancesOf(long, long.slice(0, 60))).toMatchObject({ tools: 0.25, order: 0, path: 0.25 });
});

it("visits each pair of a scenario once, with the same distances", () => {
  const observer = createObserver();
  const runs = [["a"], ["a", "b"], []].map((tools, index) =>
    observer.observe(run("s", "baseline", tools, { texts: [["hello"], ["hello there"], []][index]! })),
  );
  const seen: string[] = [];
  visitPairs(runs, (row, column, distances) => {
    seen.push(`${row}${column}`);
    expect(distances).toEqual(runDistances(runs[row]!, runs[column]!));
  });
  expect(seen).toEqual(["10", "20", "21"]);
});
