import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { gateDiff } from "@spoor/core/internal/diff/gate-diff";
import { type Severity, severities } from "@spoor/core/internal/judgement/severity";
import { checksOfDiff } from "../../describe/diff/checks.ts";
import { describeDiff } from "../../describe/diff/describe-diff.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const diffKind = defineReport<DiffReport>({
  schema: "spoor.diff/1",
  /** Without a single turn to compare there is no verdict, and no verdict is never a pass. */
  exitCode(report) {
    // A rule that could not be judged on either side might hide a violation: no verdict.
    const unjudged = report.policy?.notEvaluated ?? [];
    // So might a judge that was asked and did not answer.
    const unanswered = report.rows.some((row) => row.unanswered !== undefined);
    if (report.verdict.code === "not_enough" || unjudged.length > 0 || unanswered) return exitCode.couldNotRun;
    return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  describe: describeDiff,
  checks: checksOfDiff,
  regate: {
    option: "failOn",
    choices: severities,
    apply: (report, failOn) => ({ ...report, gate: gateDiff(report, failOn as Severity) }),
  },
});
