import { expect, it } from "vitest";
import { COLUMN, layPaths } from "./path-layout.ts";

const paths = [
  { id: 1, seen: 30, steps: ["lookup", "confirm", "refund", "reply"] },
  { id: 2, seen: 20, steps: ["lookup", "reply"] },
  { id: 3, seen: 50, steps: ["lookup", "refund", "reply"] },
];

it("a step that several paths take at the same place is one node, as high as all of them", () => {
  const { nodes } = layPaths(paths);
  expect(nodes.filter(({ x }) => x === 0)).toMatchObject([{ name: "lookup", runs: 100, height: 150 }]);
  expect(nodes.filter(({ x }) => x === COLUMN).map(({ name, runs }) => [name, runs])).toEqual([
    ["confirm", 30],
    ["reply", 20],
    ["refund", 50],
  ]);
});

it("bands of one node neither overlap nor leave it", () => {
  const { nodes, bands } = layPaths(paths);
  const from = bands.filter(({ x1 }) => x1 < COLUMN).toSorted((left, right) => left.y1 - right.y1);
  expect(from).toHaveLength(3);
  for (const [index, band] of from.slice(1).entries())
    expect(band.y1).toBeCloseTo(from[index]!.y1 + from[index]!.height, 9);
  const [lookup] = nodes;
  expect(from[0]!.y1).toBe(lookup!.y);
  expect(from.at(-1)!.y1 + from.at(-1)!.height).toBeCloseTo(lookup!.y + lookup!.height, 9);
});

it("nothing, and a path of one step, are laid too", () => {
  expect(layPaths([])).toMatchObject({ nodes: [], bands: [] });
  expect(layPaths([{ id: 1, seen: 1, steps: ["reply"] }])).toMatchObject({ nodes: [{ name: "reply" }], bands: [] });
});
