/**
 * Shift: does the average of a feature move in the same direction across scenarios?
 *
 * A_j is the sum of the candidate runs' deviations from their scenario's mean; v_j is its variance over all relabellings.
 * In scaled groups the ratio is the mean of A_j² / v_j, in the others the sum of all A_j² over the sum of all v_j. Either
 * way 1 is noise and 3 is three times what chance gives. For a single 0/1 feature this is the Cochran-Mantel-Haenszel
 * statistic without continuity correction (Agresti, Categorical Data Analysis, section 6.3).
 * Cost per labelling: one addition per value of one summed row per scenario (`side-sums.ts`).
 */
import type { Design } from "../design.ts";
import { type Deviations, NO_VARIANCE } from "../deviations.ts";
import type { Relabellings } from "../relabel.ts";
import { BATCH, createSideSums, type SideSums } from "./side-sums.ts";

/** Features that are judged together. */
export interface ShiftGroup {
  readonly columns: readonly number[];
  readonly scaled: boolean;
}

export interface ShiftSums {
  /** Computes A_j of every column under these labels; `z`, `ratio` and `largestZ` speak about the labels last added up. */
  addUp(labels: Uint8Array): void;
  /** Adds up every labelling, in batches, and visits each in order. */
  forEach(relabellings: Relabellings, visit: (labels: Uint8Array, index: number) => void): void;
  /** A_j / sqrt(v_j); 0 for a feature that does not vary. */
  z(column: number): number;
  ratio(group: ShiftGroup): number;
  /** The largest |z| among these columns; 0 when none varies. */
  largestZ(columns: readonly number[]): number;
}

export function createShiftSums(design: Design, deviations: Deviations): ShiftSums {
  return new BatchedSums(design, deviations);
}

interface PreparedGroup {
  readonly columns: Int32Array;
  /** 1 / sqrt(v_j) in a scaled group, otherwise 1. */
  readonly factors: Float64Array;
  readonly scale: number;
}

class BatchedSums implements ShiftSums {
  private readonly variances: Float64Array;
  private readonly perDeviation: Float64Array;
  private readonly sideSums: SideSums;
  private readonly sums: readonly Float64Array[];
  private readonly labels: readonly Uint8Array[];
  private readonly prepared = new Map<ShiftGroup, PreparedGroup>();
  private current: Float64Array;

  constructor(design: Design, deviations: Deviations) {
    this.variances = deviations.variances;
    this.perDeviation = deviations.variances.map((variance) => (variance <= NO_VARIANCE ? 0 : 1 / Math.sqrt(variance)));
    this.sideSums = createSideSums(design, deviations);
    this.sums = Array.from({ length: BATCH }, () => new Float64Array(deviations.variances.length));
    this.labels = Array.from({ length: BATCH }, () => new Uint8Array(design.order.length));
    this.current = this.sums[0]!;
  }

  addUp(labels: Uint8Array): void {
    this.labels[0]!.set(labels);
    this.addBatch(1);
  }

  forEach(relabellings: Relabellings, visit: (labels: Uint8Array, index: number) => void): void {
    let waiting = 0;
    let done = 0;
    const flush = () => {
      this.addBatch(waiting);
      for (let labelling = 0; labelling < waiting; labelling++) {
        this.current = this.sums[labelling]!;
        visit(this.labels[labelling]!, done++);
      }
      waiting = 0;
    };
    relabellings.forEach((labels) => {
      this.labels[waiting++]!.set(labels);
      if (waiting === BATCH) flush();
    });
    flush();
  }

  z(column: number): number {
    return this.current[column]! * this.perDeviation[column]!;
  }

  ratio(group: ShiftGroup): number {
    const { columns, factors, scale } = this.prepared.get(group) ?? this.prepare(group);
    const { current } = this;
    let total = 0;
    for (let index = 0; index < columns.length; index++) {
      const value = current[columns[index]!]! * factors[index]!;
      total += value * value;
    }
    return scale === 0 ? 1 : total / scale;
  }

  /** What of a group's ratio no label decides. */
  private prepare(group: ShiftGroup): PreparedGroup {
    const columns = Int32Array.from(group.columns.filter((column) => this.variances[column]! > NO_VARIANCE));
    const factors = Float64Array.from(columns, (column) => (group.scaled ? this.perDeviation[column]! : 1));
    let scale = 0;
    for (const column of columns) scale += group.scaled ? 1 : this.variances[column]!;
    const prepared = { columns, factors, scale };
    this.prepared.set(group, prepared);
    return prepared;
  }

  largestZ(columns: readonly number[]): number {
    let largest = 0;
    for (let index = 0; index < columns.length; index++) {
      const size = Math.abs(this.z(columns[index]!));
      if (size > largest) largest = size;
    }
    return largest;
  }

  private addBatch(count: number): void {
    this.sideSums.sumInto(this.sums, this.labels, count);
    this.current = this.sums[0]!;
  }
}
