/** `@spoor/core/cohort`: a changed agent told from a noisy one, over many runs. */
export { type Aspect, aspects } from "../cohort/aspects.ts";
export { type BuildRunOptions, buildRun } from "../cohort/build-run.ts";
export type { AspectResult, CohortReport, CohortResult, SignalResult } from "../cohort/cohort-report.ts";
export { type Cohort, type CohortOptions, compareCohorts, createCohort } from "../cohort/compare-cohorts.ts";
export { compareTraceCohorts, isCohort } from "../cohort/compare-trace-cohorts.ts";
export { type CohortRequirement, gateCohort } from "../cohort/gate-cohort.ts";
export { type CohortPlan, type CohortPlanReport, planCohort } from "../cohort/plan-cohort.ts";
export type { CohortCall, CohortRun } from "../cohort/run.ts";
export {
  createSequentialCohort,
  type SequentialCohort,
  type SequentialReport,
  type SequentialState,
} from "../cohort/sequential-cohort.ts";
