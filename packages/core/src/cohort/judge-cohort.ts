/** The answer without its description: test, intervals and verdict. What a report, a plan and a calibration all need. */
import type { Design } from "./design.ts";
import { type IntervalOptions, type Intervals, simultaneousIntervals } from "./intervals.ts";
import { type CohortTest, type Observed, type TestOptions, testCohort } from "./test-cohort.ts";
import { type CohortVerdict, decideVerdict, type Reason } from "./verdict.ts";
import { intervalColumns, watchedColumns } from "./watched-columns.ts";

export interface JudgeOptions extends TestOptions, Partial<IntervalOptions> {}

export interface Judgement {
  readonly test: CohortTest;
  /** Undefined with fewer than two scenarios. */
  readonly intervals: Intervals | undefined;
  readonly verdict: CohortVerdict;
  readonly reasons: readonly Reason[];
}

export const judgeDefaults = { alpha: 0.05, toleranceRate: 0.2, toleranceSize: 1.25 } as const;

export function judgeCohort(design: Design, observed: Observed, given: JudgeOptions = {}): Judgement {
  const options = { ...judgeDefaults, ...given };
  const watched = watchedColumns(design, observed);
  const test = testCohort(
    design,
    observed,
    options,
    watched.map(({ column }) => column),
  );
  const intervals = simultaneousIntervals(design, intervalColumns(design, observed, watched), test.watchedZ, options);
  const { p, reachable } = test.family;
  return { test, intervals, ...decideVerdict({ design, p, reachable, alpha: options.alpha, intervals }) };
}
