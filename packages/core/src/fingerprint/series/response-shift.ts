/**
 * Do the responses of the last point behave otherwise than those of the first? Hotelling's T² over the twelve numbers of
 * each response, judged by relabelling and not by the F distribution: with the covariance shrunk, F hardly ever rejects.
 *
 * What is relabelled is a unit: a whole run, because responses of one run resemble each other, or, where there are too few
 * runs for that, single responses. A unit is kept as its sums, so a labelling costs one pass over the units.
 */
import { columnMeans } from "../../stats/matrix.ts";
import { type GroupMoments, t2OfGroups } from "../statistical/hotelling.ts";

export type ResponseVector = readonly number[];

export interface ResponseShift {
  /** T² on a scale that orders it and is finite: ln(1 + T²). */
  of(labels: Uint16Array): number;
}

/** Above every ln(1 + T²) of a double: two constant clouds at different places. */
const UNBOUNDED = 1000;
/** Components are within [0, 1]; a covariance below this is a rounding error. */
const ROUNDING = 1e-12;

/** Compares the units labelled 0 with those labelled `last`; units of other points stand aside. */
export function responseShift(units: readonly (readonly ResponseVector[])[], last: number): ResponseShift {
  const all = units.flat();
  const width = all[0]?.length ?? 0;
  const centre = columnMeans(all);
  const sums = units.map((vectors) => sumsOf(vectors, centre));
  const sides = [new Float64Array(rowLength(width)), new Float64Array(rowLength(width))];
  return {
    of(labels) {
      for (const side of sides) side.fill(0);
      for (let unit = 0; unit < sums.length; unit++) {
        const label = labels[unit]!;
        if (label !== 0 && label !== last) continue;
        const side = sides[label === 0 ? 0 : 1]!;
        const row = sums[unit]!;
        for (let index = 0; index < row.length; index++) side[index]! += row[index]!;
      }
      if (sides.some((side) => side[0]! < 2)) return 0;
      const { t2, constantShift } = t2OfGroups(momentsOf(sides[0]!, width), momentsOf(sides[1]!, width));
      return constantShift ? UNBOUNDED : Math.log1p(Math.max(0, t2));
    },
  };
}

/** Back from the scale of `of`; null when unbounded. */
export function t2OfScale(value: number): number | null {
  return value >= UNBOUNDED ? null : Math.expm1(value);
}

/** Number of rows, sums per column, sums of products. */
function rowLength(width: number): number {
  return 1 + width + (width * (width + 1)) / 2;
}

function sumsOf(vectors: readonly ResponseVector[], centre: readonly number[]): Float64Array {
  const width = centre.length;
  const row = new Float64Array(rowLength(width));
  row[0] = vectors.length;
  for (const vector of vectors) {
    let at = 1 + width;
    for (let i = 0; i < width; i++) {
      const left = vector[i]! - centre[i]!;
      row[1 + i]! += left;
      for (let j = 0; j <= i; j++) row[at++]! += left * (vector[j]! - centre[j]!);
    }
  }
  return row;
}

function momentsOf(sums: Float64Array, width: number): GroupMoments {
  const rows = sums[0]!;
  const mean = Array.from({ length: width }, (_, i) => {
    const value = sums[1 + i]! / rows;
    return Math.abs(value) < ROUNDING ? 0 : value;
  });
  const covariance = Array.from({ length: width }, () => new Array<number>(width).fill(0));
  let at = 1 + width;
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      const value = (sums[at++]! - rows * mean[i]! * mean[j]!) / (rows - 1);
      const clean = Math.abs(value) < ROUNDING ? 0 : value;
      covariance[i]![j] = clean;
      covariance[j]![i] = clean;
    }
  }
  return { rows, mean, covariance };
}
