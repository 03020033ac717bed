/**
 * The sum of the candidate rows under each labelling: the inner loop of the whole test.
 *
 * `row-choice.ts` says which rows make up a labelling. Labellings are summed in batches, so that a row is read from memory once per
 * batch. Columns that many scenarios touch are kept without gaps (`dense-rows.ts`), the others as lists of what is there.
 * Memory: at most three times that of the deviations.
 */
import type { Design } from "../design.ts";
import type { Deviations } from "../deviations.ts";
import { DenseRows } from "./dense-rows.ts";
import { MOST_PART_ROWS, type Part, partsOf, type RowList } from "./row-choice.ts";

/** Labellings that are summed together. */
export const BATCH = 16;

export interface SideSums {
  /** `labels[b]` for each labelling of the batch; `sums[b]` receives the sum of its candidate rows. */
  sumInto(sums: readonly Float64Array[], labels: readonly Uint8Array[], count: number): void;
}

export function createSideSums(design: Design, deviations: Deviations): SideSums {
  const parts = placed(design.scenarios.flatMap(partsOf));
  const { sparse, dense } = keepRows(design, deviations, parts);
  const chunks = chunksOf(parts);
  const list: RowList = { rows: new Int32Array(CHUNK_ROWS), signs: new Float64Array(CHUNK_ROWS), length: 0 };
  return {
    sumInto(sums, labels, count) {
      for (let labelling = 0; labelling < count; labelling++) sums[labelling]!.fill(0);
      for (const chunk of chunks) {
        for (let labelling = 0; labelling < count; labelling++) {
          list.length = 0;
          for (const { part, firstRow } of chunk) part.choose(labels[labelling]!, firstRow, list);
          dense.add(labelling, list);
          sparse.add(sums[labelling]!, list);
        }
      }
      for (let labelling = 0; labelling < count; labelling++) dense.moveInto(sums[labelling]!, labelling);
    },
  };
}

interface PlacedPart {
  readonly part: Part;
  readonly firstRow: number;
}

function placed(parts: readonly Part[]): PlacedPart[] {
  let firstRow = 0;
  return parts.map((part) => {
    const at = firstRow;
    firstRow += part.members.length;
    return { part, firstRow: at };
  });
}

/** Rows that are read together stay in the processor's cache for a whole batch. Eight times eight, see `dense-rows.ts`. */
const CHUNK_ROWS = 2 * MOST_PART_ROWS;

function chunksOf(parts: readonly PlacedPart[]): PlacedPart[][] {
  const chunks: PlacedPart[][] = [];
  let rows = CHUNK_ROWS;
  for (const placedPart of parts) {
    const more = placedPart.part.mostChosen;
    if (rows + more > CHUNK_ROWS) {
      chunks.push([]);
      rows = 0;
    }
    chunks.at(-1)!.push(placedPart);
    rows += more;
  }
  return chunks;
}

/** A column that more than this share of the scenarios touches is kept without gaps: adding a 0 is cheaper than looking where to add. */
const DENSE_SHARE = 0.3;

function keepRows(
  design: Design,
  deviations: Deviations,
  parts: readonly PlacedPart[],
): { sparse: SparseRows; dense: DenseRows } {
  const { starts, columns, values, variances } = deviations;
  const dense = commonColumns(design, deviations);
  const slots = new Int32Array(variances.length).fill(-1);
  for (const [slot, column] of dense.entries()) slots[column] = slot;
  const last = parts.at(-1);
  const rows = new DenseRows(dense, last === undefined ? 0 : last.firstRow + last.part.members.length, BATCH);
  const lists = { starts: [0], columns: [] as number[], values: [] as number[] };
  const scratch = new Float64Array(variances.length);
  for (const { part, firstRow } of parts) {
    for (const [index, places] of part.members.entries()) {
      const touched: number[] = [];
      for (const place of places) {
        for (let at = starts[place]!; at < starts[place + 1]!; at++) {
          const column = columns[at]!;
          if (scratch[column] === 0) touched.push(column);
          scratch[column]! += values[at]!;
        }
      }
      for (const column of touched) {
        // A sum that passed through 0 is listed twice: the second time its value has been taken.
        const value = scratch[column]!;
        if (value === 0) continue;
        if (slots[column]! >= 0) rows.put(firstRow + index, slots[column]!, value);
        else {
          lists.columns.push(column);
          lists.values.push(value);
        }
        scratch[column] = 0;
      }
      lists.starts.push(lists.columns.length);
    }
  }
  return { dense: rows, sparse: new SparseRows(lists.starts, lists.columns, lists.values) };
}

function commonColumns({ scenarios }: Design, { starts, columns, variances }: Deviations): number[] {
  const counts = new Int32Array(variances.length);
  const seenIn = new Int32Array(variances.length).fill(-1);
  for (const [scenario, { start, end }] of scenarios.entries()) {
    for (let at = starts[start]!; at < starts[end]!; at++) {
      const column = columns[at]!;
      if (seenIn[column] === scenario) continue;
      seenIn[column] = scenario;
      counts[column]!++;
    }
  }
  return Array.from(counts.keys()).filter((column) => counts[column]! > DENSE_SHARE * scenarios.length);
}

/** Rows as lists of the columns that they have. */
class SparseRows {
  private readonly starts: Int32Array;
  private readonly columns: Int32Array;
  private readonly values: Float64Array;

  constructor(starts: readonly number[], columns: readonly number[], values: readonly number[]) {
    this.starts = Int32Array.from(starts);
    this.columns = Int32Array.from(columns);
    this.values = Float64Array.from(values);
  }

  add(into: Float64Array, { rows, signs, length }: RowList): void {
    const { starts, columns, values } = this;
    if (columns.length === 0) return;
    for (let index = 0; index < length; index++) {
      const row = rows[index]!;
      const sign = signs[index]!;
      const end = starts[row + 1]!;
      for (let at = starts[row]!; at < end; at++) into[columns[at]!]! += sign * values[at]!;
    }
  }
}
