/** What `spoor score` says about recorded traces: plain data for every renderer. */
import type { Problem } from "../errors.ts";
import type { ScoreReason, Status } from "../judgement/status.ts";
import type { ReportHeader } from "../report/report.ts";
import type { EvaluatorResult } from "./evaluation.ts";

export interface ScoreReport extends ReportHeader<"spoor.score/1"> {
  readonly results: readonly TraceScore[];
  /** What the evaluators file says without effect. */
  readonly diagnostics: readonly Problem[];
}

/** One trace under the evaluators of one case (or of a file without cases). */
export interface TraceScore {
  /** The trace's name, for people. */
  readonly trace: string;
  readonly key: string;
  readonly path?: string;
  /** Its name inside a file with several traces. */
  readonly entry?: string;
  readonly caseId?: string;
  /** The trace is called after its case, so that its name says both. */
  readonly ofCase?: true;
  readonly score: number;
  readonly status: Status;
  readonly reason?: ScoreReason;
  readonly passLine: number;
  /** Required evaluators that failed, which makes the score 0. */
  readonly failedRequired: readonly string[];
  /** Evaluators that rule the run out whatever its score. */
  readonly ruledOutBy: readonly string[];
  /** Evaluators that were left out of the mean. */
  readonly skipped: readonly string[];
  readonly evaluators: readonly EvaluatorResult[];
}
