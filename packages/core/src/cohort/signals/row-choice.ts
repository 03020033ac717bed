/**
 * Which rows a labelling adds up, and with which sign. Deviations of a scenario add up to 0, so the rows of its smaller side, negated,
 * tell the sum of the larger one. A scenario with few labellings (2 + 2 has 6, which are 3 and their opposites) has the finished sum of
 * each as a row, so that a labelling costs one row per scenario instead of one per run.
 */
import type { DesignScenario } from "../design.ts";

/** A choice of rows and their signs; filled anew for every labelling. */
export interface RowList {
  readonly rows: Int32Array;
  readonly signs: Float64Array;
  length: number;
}

/** No more rows than this come from one part. */
export const MOST_PART_ROWS = 32;

/** Some rows of one scenario. */
export interface Part {
  /** Per row the places of the design whose deviations it is the sum of. */
  readonly members: readonly (readonly number[])[];
  /** No labelling chooses more rows than this. */
  readonly mostChosen: number;
  /** Appends what these labels choose of the part's rows, which begin at `firstRow`. */
  choose(labels: Uint8Array, firstRow: number, list: RowList): void;
}

export function partsOf(scenario: DesignScenario): Part[] {
  if (isWorthKeeping(scenario)) return [keptSums(scenario)];
  const parts: Part[] = [];
  for (let start = scenario.start; start < scenario.end; start += MOST_PART_ROWS)
    parts.push(rowByRow(scenario, start, Math.min(scenario.end, start + MOST_PART_ROWS)));
  return parts;
}

/** Runs of a scenario fit into the bits of a small table index. */
const MOST_RUNS = 8;

function isWorthKeeping({ start, end, baseline, candidate }: DesignScenario): boolean {
  const runs = end - start;
  if (runs > MOST_RUNS || Math.min(baseline, candidate) < 2) return false;
  return choose(runs, candidate) <= 4 * runs;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let index = 1; index <= k; index++) ways = (ways * (n - k + index)) / index;
  return Math.round(ways);
}

function rowByRow({ baseline, candidate }: DesignScenario, start: number, end: number): Part {
  const side = candidate <= baseline ? 1 : 0;
  const sign = side === 1 ? 1 : -1;
  return {
    members: Array.from({ length: end - start }, (_, row) => [start + row]),
    mostChosen: Math.min(end - start, baseline, candidate),
    choose(labels, firstRow, list) {
      for (let place = start; place < end; place++) {
        if (labels[place] !== side) continue;
        list.rows[list.length] = firstRow + place - start;
        list.signs[list.length++] = sign;
      }
    },
  };
}

function keptSums({ start, end, candidate }: DesignScenario): Part {
  const runs = end - start;
  const everyone = (1 << runs) - 1;
  const members: number[][] = [];
  // Row and sign of every labelling, as 1 + row or its negative.
  const kept = new Int32Array(1 << runs);
  for (let mask = 0; mask <= everyone; mask++) {
    // Of a labelling and its opposite, only the one that does not hold the last run is kept, when both can occur.
    if (bits(mask) !== candidate || (2 * candidate === runs && mask >> (runs - 1) === 1)) continue;
    members.push(placesOf(mask, start));
    if (2 * candidate === runs) kept[everyone ^ mask] = -members.length;
    kept[mask] = members.length;
  }
  return {
    members,
    mostChosen: 1,
    choose(labels, firstRow, list) {
      let mask = 0;
      for (let run = 0; run < runs; run++) mask |= labels[start + run]! << run;
      const entry = kept[mask]!;
      list.rows[list.length] = firstRow + Math.abs(entry) - 1;
      list.signs[list.length++] = entry < 0 ? -1 : 1;
    },
  };
}

function placesOf(mask: number, start: number): number[] {
  const places: number[] = [];
  for (let run = 0; mask >> run !== 0; run++) if (((mask >> run) & 1) === 1) places.push(start + run);
  return places;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
