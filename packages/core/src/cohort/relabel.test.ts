import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawsFor } from "../stats/draws-for.ts";
import { createRandom } from "../stats/random.ts";
import { buildDesign, type Design } from "./design.ts";
import { countLabellings, drawLabels, kept, relabel } from "./relabel.ts";

function designOf(...sizes: readonly (readonly [number, number])[]): Design {
  return buildDesign(
    sizes.flatMap(([baseline, candidate], scenario) =>
      Array.from({ length: baseline + candidate }, (_, index) => ({
        scenario: `s${scenario}`,
        side: index < baseline ? ("baseline" as const) : ("candidate" as const),
      })),
    ),
  );
}

it.each([
  {
    name: "three pairs",
    sizes: [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    expected: 8,
  },
  {
    name: "2 + 2 and 3 + 1",
    sizes: [
      [2, 2],
      [3, 1],
    ],
    expected: 24,
  },
  { name: "no scenario", sizes: [], expected: 1 },
  { name: "60 pairs, exact as a double", sizes: Array.from({ length: 50 }, () => [1, 1]), expected: 2 ** 50 },
] as { name: string; sizes: [number, number][]; expected: number }[])(
  "$name: $expected labellings",
  ({ sizes, expected }) => {
    expect(countLabellings(designOf(...sizes))).toBe(expected);
  },
);

describe("enumeration", () => {
  it("visits every labelling once, the observed one first, with the right number of candidates in each scenario", () => {
    const scenario = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }));
    fc.assert(
      fc.property(fc.array(scenario, { minLength: 1, maxLength: 3 }), (sizes) => {
        const design = designOf(...sizes);
        const seen: string[] = [];
        relabel(design, { limit: 20_000, draws: 10, seed: 1 }).forEach((labels, index) => {
          expect(index).toBe(seen.length);
          seen.push([...labels].join(""));
          for (const { start, end, candidate } of design.scenarios) {
            expect(labels.subarray(start, end).reduce((sum, label) => sum + label, 0)).toBe(candidate);
          }
        });
        expect(seen[0]).toBe([...design.observed].join(""));
        expect(new Set(seen).size).toBe(countLabellings(design));
      }),
      { numRuns: 40 },
    );
  });
});

it("draws at random beyond the limit: the observed labelling and as many as asked for, the same for the same seed", () => {
  const design = designOf([2, 2], [2, 2]);
  const collect = (seed: number) => {
    const seen: string[] = [];
    const labellings = relabel(design, { limit: 10, draws: 7, seed });
    labellings.forEach((labels) => {
      seen.push([...labels].join(""));
    });
    return { ...labellings, seen };
  };
  expect(collect(5)).toMatchObject({ count: 8, exact: false });
  expect(collect(5).seen).toEqual(collect(5).seen);
  expect(collect(5).seen).toHaveLength(8);
  expect(collect(5).seen).not.toEqual(collect(6).seen);
});

it("draws every labelling of a scenario equally often", () => {
  const design = designOf([2, 2]);
  const random = createRandom(3);
  const counts = new Map<string, number>();
  const labels = new Uint8Array(4);
  for (let draw = 0; draw < 6000; draw++) {
    const key = [...drawLabels(design, random, labels)].join("");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // Six labellings, 1,000 expected each; five standard deviations are 144.
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(144);
});

it.each([
  [100, 500, 1999],
  [10_000, 400, 500],
  [1_000_000, 400, 199],
])("%i runs with %i features are relabelled %i times", (runs, features, expected) => {
  expect(drawsFor(runs, features)).toBe(expected);
});

it("keeps the labellings for a second time, and ends them where it is asked to", () => {
  const plain = relabel(designOf([2, 2], [1, 2], [3, 1]), { limit: 10, draws: 20, seed: 7 });
  const listOf = (relabellings: typeof plain, most = Number.POSITIVE_INFINITY) => {
    const all: string[] = [];
    const visit = (labels: Uint8Array) => all.push(labels.join("")) >= most;
    relabellings.forEach(visit);
    return all;
  };
  const again = kept(plain);
  expect(listOf(again)).toEqual(listOf(plain));
  expect(listOf(again, 3)).toEqual(listOf(plain).slice(0, 3));
  expect(again).toMatchObject({ count: plain.count, exact: plain.exact });
});
