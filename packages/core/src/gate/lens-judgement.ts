/** What one lens contributes to the gate: its row of the table, its checks, why it trips and what it could not say. */
import type { GateReason, NotEvaluated } from "../report/report.ts";
import type { CheckStatus, GateCheck, LensResult } from "./gate-report.ts";

export interface LensJudgement {
  readonly result: LensResult;
  readonly checks: readonly GateCheck[];
  /** Empty when the lens does not trip the gate. */
  readonly reasons: readonly GateReason[];
  readonly notEvaluated: readonly NotEvaluated[];
}

/** What a finding does that the configuration has a word for. */
export type Reaction = "block" | "warn" | "ignore";

export function statusOfReaction(reaction: Reaction): CheckStatus {
  return reaction === "block" ? "failed" : reaction === "warn" ? "warned" : "passed";
}

/** The worst first: without an answer there is no verdict. */
export const checkStatuses = ["not_evaluated", "failed", "warned", "passed"] as const satisfies readonly CheckStatus[];
