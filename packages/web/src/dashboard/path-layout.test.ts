import { expect, it } from "vitest";
import { layPaths } from "./path-layout.ts";

/** Room for four columns of 200. */
const WIDE = 800;
const COLUMN = 200;

const paths = [
  { id: 1, seen: 30, steps: ["lookup", "confirm", "refund", "reply"] },
  { id: 2, seen: 20, steps: ["lookup", "reply"] },
  { id: 3, seen: 50, steps: ["lookup", "refund", "reply"] },
];

it("a step that several paths take at the same place is one node, as high as all of them", () => {
  const { nodes } = layPaths(paths, WIDE);
  expect(nodes.filter(({ x }) => x === 0)).toMatchObject([{ name: "lookup", runs: 100, height: 150 }]);
  expect(nodes.filter(({ x }) => x === COLUMN).map(({ name, runs }) => [name, runs])).toEqual([
    ["confirm", 30],
    ["reply", 20],
    ["refund", 50],
  ]);
});

it("bands of one node neither overlap nor leave it", () => {
  const { nodes, bands } = layPaths(paths, WIDE);
  const from = bands.filter(({ x1 }) => x1 < COLUMN).toSorted((left, right) => left.y1 - right.y1);
  expect(from).toHaveLength(3);
  for (const [index, band] of from.slice(1).entries())
    expect(band.y1).toBeCloseTo(from[index]!.y1 + from[index]!.height, 9);
  const [lookup] = nodes;
  expect(from[0]!.y1).toBe(lookup!.y);
  expect(from.at(-1)!.y1 + from.at(-1)!.height).toBeCloseTo(lookup!.y + lookup!.height, 9);
});

it("nothing, and a path of one step, are laid too", () => {
  expect(layPaths([], WIDE)).toMatchObject({ nodes: [], bands: [] });
  expect(layPaths([{ id: 1, seen: 1, steps: ["reply"] }], WIDE)).toMatchObject({
    nodes: [{ name: "reply" }],
    bands: [],
  });
});

it("columns share the width, and steps without room go on in a row below that begins where the row above ended", () => {
  const steps = ["one", "two", "three", "four", "five"];
  const { nodes, bands, height } = layPaths(
    [
      { id: 1, seen: 3, steps },
      { id: 2, seen: 1, steps: steps.slice(0, 3) },
    ],
    460,
  );
  // Three columns a row.
  expect(nodes.map(({ name, runs, x }) => [name, runs, Math.round(x)])).toEqual([
    ["one", 4, 0],
    ["two", 4, 153],
    ["three", 4, 307],
    ["three", 3, 0],
    ["four", 3, 153],
    ["five", 3, 307],
  ]);
  expect(bands.filter(({ path }) => path === 1)).toHaveLength(4);
  expect(bands.filter(({ path }) => path === 2)).toHaveLength(2);
  const [above, below] = [nodes[2]!, nodes[3]!];
  expect(below.y).toBeGreaterThan(above.y + above.height);
  expect(height).toBeGreaterThan(below.y + below.height);
});

it("names stand on as many lines as they need, above their node and below the one before", () => {
  const long = "mcp__github__create_pull_request_review_comment";
  const { nodes } = layPaths(
    [
      { id: 1, seen: 1, steps: ["reply", long] },
      { id: 2, seen: 1, steps: ["reply", "x".repeat(40)] },
    ],
    250,
  );
  const [, first, second] = nodes;
  expect(first!.lines).toEqual(["mcp__github__", "create_pull_", "request_", "review_comment"]);
  expect(second!.lines.join("")).toBe("x".repeat(40));
  expect(second!.y - 16 * second!.lines.length).toBeGreaterThan(first!.y + first!.height);
});
