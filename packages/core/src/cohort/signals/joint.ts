/**
 * Joint: many small shifts that belong together. One aspect may move too little to be heard, and an agent that calls less, speaks
 * less and fails more has moved all the same.
 *
 * Every column is brought to one scale (z, as in `shift.ts`), and C is the correlation of the columns over all relabellings, so that
 * what always moves together counts once. The statistic is zᵀ (C + μI)⁻¹ z with μ = ½ · columns / scenarios. With one run a side
 * this equals eᵀ G (G + ½I)⁻¹ e, where e are the signs of the scenarios and G is the matrix of products of their scaled differences,
 * brought to mean diagonal 1; the form over columns also serves scenarios with repeats. C does not depend on the labels, so the test
 * stays exact and one factor serves all labellings (ridge regression of the labels: Hoerl and Kennard, 1970).
 * Where there are fewer runs than columns the same is computed over the runs: with the rows of B the scaled deviations of each run, C = BᵀB,
 * and B (BᵀB + μI)⁻¹ Bᵀ = I − μ (BBᵀ + μI)⁻¹.
 * Cost: with n the smaller of columns and runs, some n³ once; per labelling columns² / 2, or candidate runs² / 2. At most `MOST_COLUMNS` take part.
 */
import { cholesky } from "../../stats/matrix.ts";
import type { Design } from "../design.ts";
import type { Deviations } from "../deviations.ts";

export interface JointForm {
  /** 1 is noise: divided by its mean over all relabellings. `z` speaks about the same labels. */
  ratio(labels: Uint8Array, z: (column: number) => number): number;
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
  const ridge = (RIDGE * columns.length) / design.scenarios.length;
  return design.order.length < columns.length
    ? formOfRuns(design, deviations, columns, ridge)
    : formOfColumns(design, deviations, columns, ridge);
}

function formOfColumns(
  design: Design,
  deviations: Deviations,
  columns: readonly number[],
  ridge: number,
): JointForm | undefined {
  const correlation = correlationOf(design, deviations, columns);
  const factor = cholesky(withRidge(correlation, ridge));
  if (factor === undefined) return undefined;
  // The mean over relabellings is the trace of (C + μI)⁻¹ C.
  const scale = columns.length - ridge * trace(inverseOf(factor));
  // Rows of the lower triangle one after the other: the inner loop of every labelling.
  const triangle = Float64Array.from(factor.flatMap((row, i) => row.slice(0, i + 1)));
  const solved = new Float64Array(columns.length);
  return {
    ratio(_, z) {
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

/** z is the sum of the candidate rows, so the form is the sum of the products of every two of them. */
function formOfRuns(
  design: Design,
  deviations: Deviations,
  columns: readonly number[],
  ridge: number,
): JointForm | undefined {
  const { rows, roots } = scaledRows(design, deviations, columns);
  const factor = cholesky(
    withRidge(
      rows.map((one) => rows.map((other) => dot(one, other))),
      ridge,
    ),
  );
  if (factor === undefined) return undefined;
  const inverse = inverseOf(factor);
  const runs = rows.length;
  const scale = runs - ridge * trace(inverse);
  const products = new Float64Array(runs * runs);
  for (let one = 0; one < runs; one++) {
    for (let other = 0; other <= one; other++) {
      const product = (one === other ? 1 : 0) - ridge * inverse[one]![other]!;
      products[one * runs + other] = ((one === other ? 1 : 2) * product) / (roots[one]! * roots[other]!);
    }
  }
  const members = new Int32Array(runs);
  return {
    ratio(labels) {
      let sum = 0;
      let size = 0;
      for (let place = 0; place < runs; place++) {
        if (labels[place] !== 1) continue;
        members[size++] = place;
        const base = place * runs;
        for (let index = 0; index < size; index++) sum += products[base + members[index]!]!;
      }
      return sum / scale;
    },
  };
}

/** The deviations of each run over √v, times the root of h / (t − 1), so that the products of columns add up to their correlation. */
function scaledRows(
  design: Design,
  { starts, columns: columnOf, values, variances }: Deviations,
  columns: readonly number[],
): { rows: Float64Array[]; roots: number[] } {
  const slots = new Int32Array(variances.length).fill(-1);
  for (const [slot, column] of columns.entries()) slots[column] = slot;
  const rows: Float64Array[] = [];
  const roots: number[] = [];
  for (const { start, end, weight } of design.scenarios) {
    const root = Math.sqrt(weight / (end - start - 1));
    for (let place = start; place < end; place++) {
      const row = new Float64Array(columns.length);
      for (let at = starts[place]!; at < starts[place + 1]!; at++) {
        const slot = slots[columnOf[at]!]!;
        if (slot >= 0) row[slot] = (root * values[at]!) / Math.sqrt(variances[columnOf[at]!]!);
      }
      rows.push(row);
      roots.push(root);
    }
  }
  return { rows, roots };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
  return sum;
}

function withRidge(symmetric: readonly (readonly number[])[], ridge: number): number[][] {
  return symmetric.map((row, i) => row.map((value, j) => (i === j ? value + ridge : value)));
}

function trace(square: readonly Float64Array[]): number {
  return square.reduce((sum, row, at) => sum + row[at]!, 0);
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

/** (L Lᵀ)⁻¹, the lower triangle with the diagonal. */
function inverseOf(factor: readonly (readonly number[])[]): Float64Array[] {
  const size = factor.length;
  const inverse = factor.map(() => new Float64Array(size));
  const solved = new Float64Array(size);
  for (let column = 0; column < size; column++) {
    solved.fill(0);
    for (let i = column; i < size; i++) {
      const row = factor[i]!;
      let value = i === column ? 1 : 0;
      for (let j = column; j < i; j++) value -= row[j]! * solved[j]!;
      solved[i] = value / row[i]!;
    }
    for (let i = size - 1; i >= column; i--) {
      let value = solved[i]!;
      for (let j = i + 1; j < size; j++) value -= factor[j]![i]! * solved[j]!;
      solved[i] = value / factor[i]![i]!;
      inverse[i]![column] = solved[i]!;
    }
  }
  return inverse;
}
