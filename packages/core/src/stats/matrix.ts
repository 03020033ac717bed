/** Small dense matrices as rows of numbers: what multivariate tests need, and no more. */
export type Matrix = readonly (readonly number[])[];

/** Column means. */
export function columnMeans(rows: Matrix): number[] {
  const width = rows[0]?.length ?? 0;
  const means = new Array<number>(width).fill(0);
  for (const row of rows) for (let column = 0; column < width; column++) means[column]! += row[column]!;
  return means.map((sum) => sum / rows.length);
}

/** Unbiased covariance of the columns; entries that are not finite become 0. O(rows · columns²). */
export function covariance(rows: Matrix, means: readonly number[] = columnMeans(rows)): number[][] {
  const width = means.length;
  const result = Array.from({ length: width }, () => new Array<number>(width).fill(0));
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const left = row[i]! - means[i]!;
      for (let j = 0; j <= i; j++) result[i]![j]! += left * (row[j]! - means[j]!);
    }
  }
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      const value = result[i]![j]! / (rows.length - 1);
      result[i]![j] = Number.isFinite(value) ? value : 0;
      result[j]![i] = result[i]![j]!;
    }
  }
  return result;
}

/**
 * xᵀ S⁻¹ x for a symmetric positive semi-definite S. When S is singular its pseudo-inverse is used: the part of x in the
 * null space counts nothing. O(n³).
 */
export function inverseQuadraticForm(symmetric: Matrix, x: readonly number[]): number {
  const factor = cholesky(symmetric);
  if (factor === undefined) return pseudoInverseForm(symmetric, x);
  let sum = 0;
  const y = new Array<number>(x.length).fill(0);
  for (let i = 0; i < x.length; i++) {
    let value = x[i]!;
    for (let j = 0; j < i; j++) value -= factor[i]![j]! * y[j]!;
    y[i] = value / factor[i]![i]!;
    sum += y[i]! ** 2;
  }
  return sum;
}

/** Lower triangle L with S = L Lᵀ; undefined when S is not safely positive definite. */
export function cholesky(symmetric: Matrix): number[][] | undefined {
  const size = symmetric.length;
  const factor = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const largest = Math.max(0, ...symmetric.map((row, i) => Math.abs(row[i]!)));
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let value = symmetric[i]![j]!;
      for (let k = 0; k < j; k++) value -= factor[i]![k]! * factor[j]![k]!;
      if (i !== j) factor[i]![j] = value / factor[j]![j]!;
      else if (value <= largest * 1e-14) return undefined;
      else factor[i]![i] = Math.sqrt(value);
    }
  }
  return factor;
}

function pseudoInverseForm(symmetric: Matrix, x: readonly number[]): number {
  const { values, vectors } = symmetricEigen(symmetric);
  const cutoff = 1e-12 * Math.max(0, ...values.map(Math.abs));
  let sum = 0;
  for (let k = 0; k < values.length; k++) {
    if (Math.abs(values[k]!) <= cutoff) continue;
    let projection = 0;
    for (let i = 0; i < x.length; i++) projection += vectors[i]![k]! * x[i]!;
    sum += projection ** 2 / values[k]!;
  }
  return sum;
}

/** Eigenvalues and eigenvectors (as columns) by Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5). */
function symmetricEigen(symmetric: Matrix): { values: number[]; vectors: number[][] } {
  const size = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const vectors = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) off += a[p]![q]! ** 2;
    if (off < 1e-300) break;
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, p, q);
  }
  return { values: a.map((row, i) => row[i]!), vectors };
}

function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  const size = a.length;
  if (a[p]![q] === 0) return;
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) {
    const left = a[k]![p]!;
    const right = a[k]![q]!;
    a[k]![p] = c * left - s * right;
    a[k]![q] = s * left + c * right;
  }
  for (let k = 0; k < size; k++) {
    const left = a[p]![k]!;
    const right = a[q]![k]!;
    a[p]![k] = c * left - s * right;
    a[q]![k] = s * left + c * right;
    const one = vectors[k]![p]!;
    const other = vectors[k]![q]!;
    vectors[k]![p] = c * one - s * other;
    vectors[k]![q] = s * one + c * other;
  }
}
