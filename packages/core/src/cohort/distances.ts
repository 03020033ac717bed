/**
 * How far apart two runs of one scenario are, in [0, 1], seen from several sides.
 *
 * `path` is the edit distance of the tool sequences over the longer length; it splits exactly into `tools` (edits that the
 * multisets of names force) and `order` (the rest). `args` looks at the calls that both runs have in common, `effects`
 * and `effectNames` at the calls that changed the world, `text` at the words. `run` mixes them with the weights that best
 * predict a failed task from one pair of runs. Cost: one edit distance per pair; runs of two scenarios are never compared.
 */
import { levenshtein } from "../stats/levenshtein.ts";
import type { Observation } from "./observe.ts";
import { BUCKETS } from "./words.ts";

export const distanceNames = ["tools", "order", "args", "effects", "text"] as const;
/** The distances that carry a signal. */
export type DistanceName = (typeof distanceNames)[number];

export interface Distances extends Readonly<Record<DistanceName, number>> {
  readonly path: number;
  readonly effectNames: number;
  readonly run: number;
}

export function runDistances(left: Observation, right: Observation): Distances {
  return distancesToText(left, right, textDistance(left, right));
}

/** The distances of every pair (row, column) of one scenario with row > column, in that order. */
export function visitPairs(
  runs: readonly Observation[],
  visit: (row: number, column: number, distances: Distances) => void,
): void {
  const dense = new Float64Array(BUCKETS);
  for (let row = 1; row < runs.length; row++) {
    const one = runs[row]!;
    for (let index = 0; index < one.buckets.length; index++) dense[one.buckets[index]!] = one.bucketValues[index]!;
    for (let column = 0; column < row; column++) {
      const other = runs[column]!;
      visit(row, column, distancesToText(one, other, textDistance(one, other, dense)));
    }
    for (const bucket of one.buckets) dense[bucket] = 0;
  }
}

function distancesToText(left: Observation, right: Observation, text: number): Distances {
  const longest = Math.max(left.names.length, right.names.length);
  const common = shared(left.names, right.names);
  const tools = longest === 0 ? 0 : (longest - common) / longest;
  const path = longest === 0 ? 0 : levenshtein(left.names, right.names) / longest;
  const args = common === 0 ? 0 : (common - shared(left.tokens, right.tokens)) / common;
  const effects = multisetDistance(left.effectTokens, right.effectTokens);
  const effectNames = multisetDistance(left.effectNames, right.effectNames);
  return {
    tools,
    order: Math.max(0, path - tools),
    args,
    effects,
    text,
    path,
    effectNames,
    run: effects / 2 + effectNames / 4 + path / 4,
  };
}

/** Share of the longer list that has no partner in the other. */
function multisetDistance(left: Int32Array, right: Int32Array): number {
  const longest = Math.max(left.length, right.length);
  return longest === 0 ? 0 : (longest - shared(left, right)) / longest;
}

/** Size of the multiset intersection. Lists of calls are short, so two loops beat building a table. */
function shared(left: Int32Array, right: Int32Array): number {
  if (left.length * right.length > SMALL_PRODUCT) return sharedOfLong(left, right);
  const used = new Uint8Array(right.length);
  let count = 0;
  for (let a = 0; a < left.length; a++) {
    for (let b = 0; b < right.length; b++) {
      if (used[b] === 0 && left[a] === right[b]) {
        used[b] = 1;
        count++;
        break;
      }
    }
  }
  return count;
}

const SMALL_PRODUCT = 1024;

function sharedOfLong(left: Int32Array, right: Int32Array): number {
  const remaining = new Map<number, number>();
  for (const item of left) remaining.set(item, (remaining.get(item) ?? 0) + 1);
  let count = 0;
  for (const item of right) {
    const left = remaining.get(item) ?? 0;
    if (left === 0) continue;
    remaining.set(item, left - 1);
    count++;
  }
  return count;
}

/** Half the squared distance of two vectors of length 1 (or 0): one minus their cosine. */
function textDistance(left: Observation, right: Observation, dense = denseBuckets(left)): number {
  let product = 0;
  for (let index = 0; index < right.buckets.length; index++) {
    product += dense[right.buckets[index]!]! * right.bucketValues[index]!;
  }
  const lengths = (left.buckets.length > 0 ? 1 : 0) + (right.buckets.length > 0 ? 1 : 0);
  const distance = lengths / 2 - product;
  // Equal texts must be at distance 0, not at the rounding error of a product.
  return distance < 1e-14 ? 0 : distance;
}

function denseBuckets(run: Observation): Float64Array {
  const dense = new Float64Array(BUCKETS);
  for (let index = 0; index < run.buckets.length; index++) dense[run.buckets[index]!] = run.bucketValues[index]!;
  return dense;
}
