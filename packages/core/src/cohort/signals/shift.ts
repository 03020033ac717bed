/**
 * Shift: does the average of a feature move in the same direction across scenarios?
 *
 * A_j is the sum of the candidate runs' deviations from their scenario's mean; v_j is its variance over all relabellings.
 * In scaled groups the ratio is the mean of A_j² / v_j, in the others the sum of all A_j² over the sum of all v_j. Either
 * way 1 is noise and 3 is three times what chance gives. For a single 0/1 feature this is the Cochran-Mantel-Haenszel
 * statistic without continuity correction (Agresti, Categorical Data Analysis, section 6.3).
 * Cost per labelling: one addition per value of the smaller side's rows.
 */
import type { Design } from "../design.ts";
import { type Deviations, NO_VARIANCE } from "../deviations.ts";

/** Features that are judged together. */
export interface ShiftGroup {
  readonly columns: readonly number[];
  readonly scaled: boolean;
}

export interface ShiftSums {
  /** A_j of every column under the labelling last given to `addUp`. */
  readonly sums: Float64Array;
  addUp(labels: Uint8Array): void;
  /** A_j / sqrt(v_j); 0 for a feature that does not vary. */
  z(column: number): number;
  ratio(group: ShiftGroup): number;
  /** The largest |z| among these columns; 0 when none varies. */
  largestZ(columns: readonly number[]): number;
}

export function createShiftSums(design: Design, deviations: Deviations): ShiftSums {
  const { starts, columns, values, variances } = deviations;
  const sums = new Float64Array(variances.length);

  return {
    sums,
    addUp(labels) {
      sums.fill(0);
      for (const { start, end, baseline, candidate } of design.scenarios) {
        // Deviations of a scenario add up to 0, so the smaller side tells the sum of the other.
        const side = candidate <= baseline ? 1 : 0;
        const sign = side === 1 ? 1 : -1;
        for (let row = start; row < end; row++) {
          if (labels[row] !== side) continue;
          const stop = starts[row + 1]!;
          for (let at = starts[row]!; at < stop; at++) sums[columns[at]!]! += sign * values[at]!;
        }
      }
    },
    z,
    ratio({ columns: members, scaled }) {
      let total = 0;
      let scale = 0;
      for (const column of members) {
        const variance = variances[column]!;
        if (variance <= NO_VARIANCE) continue;
        const square = sums[column]! * sums[column]!;
        total += scaled ? square / variance : square;
        scale += scaled ? 1 : variance;
      }
      return scale === 0 ? 1 : total / scale;
    },
    largestZ(members) {
      let largest = 0;
      for (const column of members) largest = Math.max(largest, Math.abs(z(column)));
      return largest;
    },
  };

  function z(column: number): number {
    const variance = variances[column]!;
    return variance <= NO_VARIANCE ? 0 : sums[column]! / Math.sqrt(variance);
  }
}
