/**
 * The sum of the candidate rows under each labelling: the inner loop of the whole test.
 *
 * Three savings. Deviations of a scenario add up to 0, so the smaller side's rows, negated, tell the sum of the larger. A
 * scenario with few labellings (2 + 2 has 6, which are 3 and their opposites) keeps the finished sum of each, so that a
 * labelling costs one row per scenario instead of one per run. And labellings are summed in batches, so that a row is read
 * from memory once per batch. Memory: at most twice that of the rows.
 */
import type { Design, DesignScenario } from "../design.ts";
import type { Deviations } from "../deviations.ts";

/** Labellings that are summed together. */
export const BATCH = 16;

export interface SideSums {
  /** `labels[b]` for each labelling of the batch; `sums[b]` receives the sum of its candidate rows. */
  addInto(sums: readonly Float64Array[], labels: readonly Uint8Array[], count: number): void;
}

export function createSideSums(design: Design, deviations: Deviations): SideSums {
  const scratch = new Float64Array(deviations.variances.length);
  const parts = design.scenarios.map((scenario) =>
    isWorthKeeping(scenario) ? keptSums(scenario, deviations, scratch) : rowByRow(scenario, deviations),
  );
  return {
    addInto(sums, labels, count) {
      for (const part of parts) part.addInto(sums, labels, count);
    },
  };
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

function rowByRow({ start, end, baseline, candidate }: DesignScenario, deviations: Deviations): SideSums {
  const { starts, columns, values } = deviations;
  const side = candidate <= baseline ? 1 : 0;
  const sign = side === 1 ? 1 : -1;
  return {
    addInto(sums, labels, count) {
      for (let row = start; row < end; row++) {
        for (let labelling = 0; labelling < count; labelling++) {
          if (labels[labelling]![row] === side)
            addRow(sums[labelling]!, columns, values, starts[row]!, starts[row + 1]!, sign);
        }
      }
    },
  };
}

function addRow(
  into: Float64Array,
  columns: Int32Array,
  values: Float64Array,
  from: number,
  to: number,
  sign: number,
): void {
  for (let at = from; at < to; at++) into[columns[at]!]! += sign * values[at]!;
}

interface KeptSum {
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

function keptSums(scenario: DesignScenario, deviations: Deviations, scratch: Float64Array): SideSums {
  const { start, end, candidate } = scenario;
  const runs = end - start;
  const everyone = (1 << runs) - 1;
  const kept: (KeptSum | undefined)[] = Array.from({ length: 1 << runs });
  for (let mask = 0; mask <= everyone; mask++) {
    // Of a labelling and its opposite, only the one that does not hold the last run is kept, when both can occur.
    if (bits(mask) !== candidate || (2 * candidate === runs && mask >> (runs - 1) === 1)) continue;
    kept[mask] = sumOfRows(mask, start, deviations, scratch);
  }
  return {
    addInto(sums, labels, count) {
      for (let labelling = 0; labelling < count; labelling++) {
        const own = labels[labelling]!;
        let mask = 0;
        for (let run = 0; run < runs; run++) mask |= own[start + run]! << run;
        const { columns, values } = kept[mask] ?? kept[everyone ^ mask]!;
        addRow(sums[labelling]!, columns, values, 0, values.length, kept[mask] === undefined ? -1 : 1);
      }
    },
  };
}

function sumOfRows(mask: number, start: number, deviations: Deviations, scratch: Float64Array): KeptSum {
  const { starts, columns, values } = deviations;
  const touched: number[] = [];
  for (let run = 0; mask >> run !== 0; run++) {
    if (((mask >> run) & 1) === 0) continue;
    for (let at = starts[start + run]!; at < starts[start + run + 1]!; at++) {
      const column = columns[at]!;
      if (scratch[column] === 0) touched.push(column);
      scratch[column]! += values[at]!;
    }
  }
  // A sum that passed through 0 is listed twice: the second time its value has been taken.
  const sum = { columns: Int32Array.from(touched), values: new Float64Array(touched.length) };
  for (let index = 0; index < touched.length; index++) {
    sum.values[index] = scratch[touched[index]!]!;
    scratch[touched[index]!] = 0;
  }
  return sum;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
