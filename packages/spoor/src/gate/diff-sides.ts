/** Two sets of traces as `spoor diff` compares them: pair by pair, and led by what all runs together say where there are enough of them. */
import type { Trace } from "@spoor/core";
import { buildDiffReport, type DiffReportOptions } from "@spoor/core/internal/diff/build-diff-report";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { coverageOf } from "@spoor/core/internal/report/coverage";

export interface DiffSidesOptions extends Omit<DiffReportOptions, "seed"> {
  readonly seed?: number;
}

export async function diffSides(
  baseline: readonly Trace[],
  candidate: readonly Trace[],
  options: DiffSidesOptions,
): Promise<DiffReport> {
  const compared = buildDiffReport(baseline, candidate, options);
  const cohort = await cohortOf(baseline, candidate, options.seed);
  return cohort === undefined ? compared : { ...compared, cohort };
}

/** All runs together, as `spoor cohort` judges them. Imported only when there are several. */
async function cohortOf(baseline: readonly Trace[], candidate: readonly Trace[], seed: number | undefined) {
  if (baseline.length + candidate.length <= 2) return undefined;
  const { leadTraceCohorts } = await import("@spoor/core/internal/cohort/compare-trace-cohorts");
  const { recordedWorldOf } = await import("@spoor/core/internal/cohort/recorded-world");
  const result = leadTraceCohorts(baseline, candidate, seed === undefined ? {} : { seed });
  return result && { ...result, ...recordedWorldOf(coverageOf(baseline), coverageOf(candidate)) };
}
