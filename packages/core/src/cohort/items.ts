/**
 * What exactly moved inside an aspect: its features with both sides' means and a p-value that pays for having looked at all
 * of them (single-step max-T: how often any feature of the group reaches such a |z| by chance).
 * Cost: one pass over the rows for the means, one over the labellings per item.
 */

import { shareAtLeast } from "../stats/family.ts";
import type { Design } from "./design.ts";
import { type FeatureFacts, featureFacts } from "./feature-facts.ts";
import type { Group } from "./features.ts";
import type { CohortTest, Observed } from "./test-cohort.ts";

export interface Item extends FeatureFacts {
  /** Mean over the baseline runs to which the feature applies; null when it applies to none. */
  readonly baselineMean: number | null;
  readonly candidateMean: number | null;
  readonly z: number;
  readonly adjusted: number;
}

/** Items of these groups, the most surprising first. */
export function listItems(design: Design, observed: Observed, test: CohortTest, wanted: readonly Group[]): Item[] {
  const columns = wanted.flatMap((group) => test.varying[group]);
  const means = columnMeans(design, observed, columns);
  const items = columns.map((column): Item => {
    const { group, identity } = observed.columns[column]!;
    const z = test.sums.z(column);
    const adjusted = shareAtLeast(test.largestZ[group], Math.abs(z));
    return { ...featureFacts(group, identity), ...means.get(column)!, z, adjusted };
  });
  return items.sort((left, right) => Math.abs(right.z) - Math.abs(left.z));
}

interface SideMeans {
  readonly baselineMean: number | null;
  readonly candidateMean: number | null;
}

/** The means of both sides over the runs to which each column applies. */
function columnMeans(design: Design, observed: Observed, columns: readonly number[]): Map<number, SideMeans> {
  const slotOf = new Map(columns.map((column, slot) => [column, slot]));
  const sums = [new Float64Array(columns.length), new Float64Array(columns.length)] as const;
  const present = [new Int32Array(columns.length), new Int32Array(columns.length)] as const;
  const runs = [0, 0];
  /** Runs per side that call the tool of a column; filled for the tools' own columns. */
  const callersOf = new Map<number, [number, number]>();
  for (const column of columns) {
    const { absent, dependsOn } = observed.columns[column]!;
    if (absent === "dependent") callersOf.set(dependsOn, [0, 0]);
  }
  for (let place = 0; place < design.order.length; place++) {
    const side = design.observed[place]! as 0 | 1;
    const row = observed.runs[design.order[place]!]!;
    runs[side]!++;
    for (let index = 0; index < row.columns.length; index++) {
      const column = row.columns[index]!;
      const callers = callersOf.get(column);
      if (callers !== undefined) callers[side]++;
      const slot = slotOf.get(column);
      if (slot === undefined) continue;
      sums[side][slot]! += row.values[index]!;
      present[side][slot]!++;
    }
  }
  const meanOf = (column: number, slot: number, side: 0 | 1): number | null => {
    const { absent, dependsOn } = observed.columns[column]!;
    const applies =
      absent === "zero" ? runs[side]! : absent === "dependent" ? callersOf.get(dependsOn)![side] : present[side][slot]!;
    return applies === 0 ? null : sums[side][slot]! / applies;
  };
  return new Map(
    columns.map((column, slot) => [
      column,
      { baselineMean: meanOf(column, slot, 0), candidateMean: meanOf(column, slot, 1) },
    ]),
  );
}
