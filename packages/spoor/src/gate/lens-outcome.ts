/** What running one lens gives the gate: its report, its row of the table, its checks and its reasons. */
import type { GateCheck, GateReport, LensResult } from "@spoor/core/gate/gate-report";
import type { GateReason, NotEvaluated, ReportInput } from "@spoor/core/report/report";

export interface LensOutcome {
  readonly result: LensResult;
  readonly checks: readonly GateCheck[];
  /** Why this lens trips the gate; empty when it does not. */
  readonly reasons: readonly GateReason[];
  readonly notEvaluated: readonly NotEvaluated[];
  readonly inputs: readonly ReportInput[];
  readonly report: Partial<GateReport["reports"]>;
}
