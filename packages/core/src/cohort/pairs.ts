/**
 * The distances between all runs of a scenario, computed once: the scenario signals and the ranking both read them.
 * Cost and memory: the number of pairs inside scenarios, so a scenario with very many runs is refused beforehand.
 */
import type { Design } from "./design.ts";
import { type Distances, distanceNames, visitPairs } from "./distances.ts";
import type { Observation } from "./observe.ts";

export interface PairTable {
  /** Values per pair. */
  readonly width: number;
  /** Per scenario the strict lower triangle: pair (row, column) begins at `pairIndex(row, column) * width`. */
  readonly blocks: readonly Float64Array[];
}

/** Where the `run` distance stands; before it come the distances of `distanceNames`. */
export const RUN_DISTANCE = distanceNames.length;

export const PAIR_WIDTH = RUN_DISTANCE + 1;

/** More pairs than this are not compared: the work would outgrow what the answer is worth. */
export const MOST_PAIRS = 2_000_000;

export function measurePairs(design: Design, runs: readonly Observation[]): PairTable {
  const blocks = design.scenarios.map(({ start, end }) => {
    const members: Observation[] = [];
    for (let place = start; place < end; place++) members.push(runs[design.order[place]!]!);
    const block = new Float64Array(pairIndex(members.length, 0) * PAIR_WIDTH);
    visitPairs(members, (row, column, distances) => {
      putDistances(block, pairIndex(row, column) * PAIR_WIDTH, distances);
    });
    return block;
  });
  return { width: PAIR_WIDTH, blocks };
}

/** The values of one pair, as they stand in a table. */
export function putDistances(into: Float64Array, at: number, distances: Distances): void {
  for (let index = 0; index < distanceNames.length; index++) into[at + index] = distances[distanceNames[index]!];
  into[at + RUN_DISTANCE] = distances.run;
}

/** The place of the pair (row, column) with row > column. */
export function pairIndex(row: number, column: number): number {
  return (row * (row - 1)) / 2 + column;
}

/** How many pairs of runs a design holds. */
export function countPairs(design: Design): number {
  let pairs = 0;
  for (const { start, end } of design.scenarios) pairs += pairIndex(end - start, 0);
  return pairs;
}
