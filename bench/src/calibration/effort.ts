/** How much work a calibration does: everything in the benchmark, a fraction in the test suite. */
export interface Effort {
  /** Random splits per kind of cohort. */
  readonly splits: number;
  /** Sub-cohorts per power figure. */
  readonly subCohorts: number;
  /** Splits per planted change and share. */
  readonly planted: number;
  /** Orders per sequential figure. */
  readonly orders: number;
  readonly draws: number;
  /** Largest number of labellings that is enumerated instead. */
  readonly limit: number;
}

export const fullEffort: Effort = {
  splits: 500,
  subCohorts: 200,
  planted: 200,
  orders: 300,
  draws: 999,
  limit: 2_000,
};
