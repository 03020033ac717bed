/** One thing the doctor looked at. */
export interface Finding {
  readonly area: Area;
  /** `problem`: the gate cannot run, or the store is not whole. `warning`: it can, and someone should know. */
  readonly status: "ok" | "warning" | "problem";
  /** What was seen, in one sentence or less. */
  readonly what: string;
  /** The code of the error behind it, for searches. */
  readonly code?: string;
  /** Several problems of one file, in file order. */
  readonly details?: readonly string[];
  readonly fix?: string;
}

export const areas = [
  "environment",
  "configuration",
  "traces",
  "diff",
  "policy",
  "baseline",
  "trajectory",
  "report",
  "store",
] as const;
export type Area = (typeof areas)[number];
