/**
 * Joint: many small shifts that belong together. One aspect may move too little to be heard, and an agent that calls less, speaks
 * less and fails more has moved all the same.
 *
 * Every column is brought to one scale (z, as in `shift.ts`), and C is the correlation of the columns over all relabellings, so that
 * what always moves together counts once. The statistic is zᵀ (C + μI)⁻¹ z with μ = ½ · columns / scenarios. With one run a side
 * this equals eᵀ G (G + ½I)⁻¹ e, where e are the signs of the scenarios and G is the matrix of products of their scaled differences,
 * brought to mean diagonal 1; the form over columns also serves scenarios with repeats. C does not depend on the labels, so the test
 * stays exact and one factor serves all labellings (ridge regression of the labels: Hoerl and Kennard, 1970).
 * Cost: columns³ / 3 once, columns² / 2 per labelling; so at most `MOST_COLUMNS` take part.
 */
import { cholesky } from "../../stats/matrix.ts";
import type { Design } from "../design.ts";
import type { Deviations } from "../deviations.ts";

export interface JointForm {
  /** 1 is noise: divided by its mean over all relabellings. */
  ratio(z: (column: number) => number): number;
}

/** Beyond this the columns that differ in the fewest scenarios are left out, which no label decides. */
const MOST_COLUMNS = 256;
const RIDGE = 0.5;

/** Undefined when nothing varies. */
export function createJointForm(
  design: Design,
  deviations: Deviations,
  varying: readonly number[],
): JointForm | undefined {
  const columns = mostTouched(deviations, varying);
  if (columns.length === 0) return undefined;
  const correlation = correlationOf(design, deviations, columns);
  const ridge = (RIDGE * columns.length) / design.scenarios.length;
  const ridged = correlation.map((row, i) => row.map((value, j) => (i === j ? value + ridge : value)));
  const factor = cholesky(ridged);
  if (factor === undefined) return undefined;
  // Rows of the lower triangle one after the other: the inner loop of every labelling.
  const triangle = Float64Array.from(factor.flatMap((row, i) => row.slice(0, i + 1)));
  const scale = meanOfForm(factor, correlation);
  const solved = new Float64Array(columns.length);
  return {
    ratio(z) {
      let sum = 0;
      for (let i = 0, at = 0; i < columns.length; i++) {
        let value = z(columns[i]!);
        for (let j = 0; j < i; j++) value -= triangle[at++]! * solved[j]!;
        value /= triangle[at++]!;
        solved[i] = value;
        sum += value * value;
      }
      return sum / scale;
    },
  };
}

function mostTouched({ columns: touched, variances }: Deviations, varying: readonly number[]): readonly number[] {
  if (varying.length <= MOST_COLUMNS) return varying;
  const counts = new Int32Array(variances.length);
  for (const column of touched) counts[column]!++;
  const order = [...varying].sort((left, right) => counts[right]! - counts[left]! || left - right);
  return order.slice(0, MOST_COLUMNS).sort((left, right) => left - right);
}

/** The correlation of A_j and A_k over all relabellings: Σ h Σ r_j r_k / (t − 1), over √(v_j v_k). */
function correlationOf(design: Design, deviations: Deviations, columns: readonly number[]): number[][] {
  const { starts, columns: columnOf, values, variances } = deviations;
  const slots = new Int32Array(variances.length).fill(-1);
  for (const [slot, column] of columns.entries()) slots[column] = slot;
  const deviationOf = variances.map(Math.sqrt);
  const sums = columns.map(() => new Float64Array(columns.length));
  const present = new Int32Array(columns.length);
  const scaled = new Float64Array(columns.length);
  for (const { start, end, weight } of design.scenarios) {
    const factor = weight / (end - start - 1);
    for (let row = start; row < end; row++) {
      let size = 0;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const slot = slots[columnOf[at]!]!;
        if (slot < 0) continue;
        present[size++] = slot;
        scaled[slot] = values[at]! / deviationOf[columnOf[at]!]!;
      }
      // Each pair once: which half of the matrix it falls into is settled below.
      for (let one = 0; one < size; one++) {
        const into = sums[present[one]!]!;
        const weighted = factor * scaled[present[one]!]!;
        for (let other = 0; other <= one; other++) into[present[other]!]! += weighted * scaled[present[other]!]!;
      }
    }
  }
  return sums.map((row, one) =>
    Array.from(row, (value, other) => (one === other ? value : value + sums[other]![one]!)),
  );
}

/** The mean over relabellings, trace of (L Lᵀ)⁻¹ C, solved column by column. */
function meanOfForm(factor: readonly (readonly number[])[], correlation: readonly (readonly number[])[]): number {
  const size = factor.length;
  let trace = 0;
  const solved = new Float64Array(size);
  for (let column = 0; column < size; column++) {
    for (let i = 0; i < size; i++) {
      let value = correlation[i]![column]!;
      for (let j = 0; j < i; j++) value -= factor[i]![j]! * solved[j]!;
      solved[i] = value / factor[i]![i]!;
    }
    for (let i = size - 1; i >= column; i--) {
      let value = solved[i]!;
      for (let j = i + 1; j < size; j++) value -= factor[j]![i]! * solved[j]!;
      solved[i] = value / factor[i]![i]!;
    }
    trace += solved[column]!;
  }
  return trace;
}
