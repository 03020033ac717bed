/**
 * What a run has more or less of than its scenario's average, feature by feature: the rows that the shift signals add up.
 *
 * A deviation is the value minus the mean over all runs of the scenario (both sides) to which the feature applies, and 0
 * where it does not apply. Means are taken over both sides, so deviations do not depend on the labels and are computed
 * once for all relabellings. Rows are kept sparse in three flat arrays. Cost: linear in the values that are present.
 */
import type { Design } from "./design.ts";
import type { AbsentMeans } from "./features.ts";
import type { Row } from "./observe.ts";

/** What a column needs to say for its deviations to be computed. */
export interface DeviationColumn {
  readonly absent: AbsentMeans;
  readonly dependsOn: number;
}

export interface Deviations {
  /** The values of row i of the design are `values[starts[i]]` to `values[starts[i + 1] - 1]`. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /** v_j: the variance of A_j over all relabellings. Below `NO_VARIANCE` the feature is dropped. */
  readonly variances: Float64Array;
}

/** A feature that varies less than this does not vary. */
export const NO_VARIANCE = 1e-12;

export function buildDeviations(design: Design, rows: readonly Row[], columns: readonly DeviationColumn[]): Deviations {
  const builder = new DeviationBuilder(design, columns);
  for (const scenario of design.scenarios) {
    const members: Row[] = [];
    for (let place = scenario.start; place < scenario.end; place++) members.push(rows[design.order[place]!]!);
    builder.addScenario(members, scenario.weight);
  }
  return builder.finish();
}

class DeviationBuilder {
  private readonly columnsOf: readonly DeviationColumn[];
  private readonly starts: Int32Array;
  private readonly variances: Float64Array;
  private columns = new Int32Array(1024);
  private values = new Float64Array(1024);
  private used = 0;
  private rows = 0;
  /** Per column, valid for the current scenario only: its place in the block, or -1. */
  private readonly slots: Int32Array;
  private block = new Float64Array(1024);

  constructor(design: Design, columns: readonly DeviationColumn[]) {
    this.columnsOf = columns;
    this.starts = new Int32Array(design.order.length + 1);
    this.variances = new Float64Array(columns.length);
    this.slots = new Int32Array(columns.length).fill(-1);
  }

  addScenario(members: readonly Row[], weight: number): void {
    const touched = this.fillBlock(members);
    const width = touched.length;
    this.resolveAbsent(touched, members.length);
    for (let slot = 0; slot < width; slot++) {
      const squares = this.centre(slot, width, members.length);
      this.variances[touched[slot]!]! += (weight * squares) / (members.length - 1);
    }
    for (let member = 0; member < members.length; member++) this.appendRow(member, width, touched);
    for (const column of touched) this.slots[column] = -1;
  }

  finish(): Deviations {
    return {
      starts: this.starts,
      columns: this.columns.slice(0, this.used),
      values: this.values.slice(0, this.used),
      variances: this.variances,
    };
  }

  /** A dense block of this scenario's rows over the columns that any of them has; NaN where a run does not have one. */
  private fillBlock(members: readonly Row[]): number[] {
    const touched: number[] = [];
    for (const { columns } of members) {
      for (let index = 0; index < columns.length; index++) {
        const column = columns[index]!;
        if (this.slots[column] !== -1) continue;
        this.slots[column] = touched.length;
        touched.push(column);
      }
    }
    const size = members.length * touched.length;
    if (this.block.length < size) this.block = new Float64Array(size * 2);
    this.block.fill(Number.NaN, 0, size);
    for (const [member, { columns, values }] of members.entries()) {
      const base = member * touched.length;
      for (let index = 0; index < columns.length; index++) {
        this.block[base + this.slots[columns[index]!]!] = values[index]!;
      }
    }
    return touched;
  }

  /** Replaces NaN by 0 where absence means zero; what stays NaN does not apply. */
  private resolveAbsent(touched: readonly number[], height: number): void {
    const { block } = this;
    const width = touched.length;
    for (let slot = 0; slot < width; slot++) {
      const { absent, dependsOn } = this.columnsOf[touched[slot]!]!;
      if (absent === "unknown") continue;
      const onSlot = absent === "dependent" ? this.slots[dependsOn]! : -1;
      for (let at = slot, row = 0; row < height; row++, at += width) {
        // The column depended on is 1 where this one applies, NaN or already 0 where it does not.
        if (Number.isNaN(block[at]!) && (onSlot < 0 || block[row * width + onSlot]! > 0)) block[at] = 0;
      }
    }
  }

  /** Turns one column of the block into deviations and returns the sum of their squares. */
  private centre(slot: number, width: number, height: number): number {
    const { block } = this;
    let sum = 0;
    let applies = 0;
    for (let at = slot, row = 0; row < height; row++, at += width) {
      const value = block[at]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      applies++;
    }
    const mean = sum / applies;
    let squares = 0;
    for (let at = slot, row = 0; row < height; row++, at += width) {
      const deviation = Number.isNaN(block[at]!) ? 0 : block[at]! - mean;
      block[at] = deviation;
      squares += deviation * deviation;
    }
    return squares;
  }

  private appendRow(member: number, width: number, touched: readonly number[]): void {
    if (this.used + width > this.values.length) this.grow(this.used + width);
    const base = member * width;
    for (let slot = 0; slot < width; slot++) {
      const value = this.block[base + slot]!;
      if (value === 0) continue;
      this.columns[this.used] = touched[slot]!;
      this.values[this.used++] = value;
    }
    this.starts[++this.rows] = this.used;
  }

  private grow(needed: number): void {
    const size = Math.max(needed, this.values.length * 2);
    const columns = new Int32Array(size);
    const values = new Float64Array(size);
    columns.set(this.columns);
    values.set(this.values);
    this.columns = columns;
    this.values = values;
  }
}
