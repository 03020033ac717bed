/** How far runs have been judged again, and what came of one of them. */
import type { NewFinding, StageResult, StoredRun } from "./run-shapes.ts";

export interface Reevaluation {
  /** What tells the rules apart. */
  readonly rules: string;
  readonly cursor: number;
  readonly floor: number;
  readonly isSwept: boolean;
  readonly done: number;
  readonly of: number;
  readonly notKept: number;
  readonly startedAt: number;
  readonly finishedAt?: number;
}

export interface JudgedAgain {
  readonly runId: number;
  readonly status: StoredRun["status"];
  readonly findings: readonly NewFinding[];
  /** Absent where there are no rules any more. */
  readonly stage?: StageResult;
}
