import { type Severity, severities } from "@spoor/core/internal/judgement/severity";
import type { CheckReport } from "@spoor/core/internal/policy/check-report";
import { gatePolicy } from "@spoor/core/internal/policy/diff-policy";
import { checksOfCheck, describeCheck } from "../../describe/check.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

/**
 * A policy without rules, like no trace at all, has no verdict; neither has a rule that lacks its evidence, unless the
 * caller accepts that: never a pass.
 */
export function checkExitCode(report: CheckReport, { acceptUnjudged }: { readonly acceptUnjudged: boolean }): ExitCode {
  if (report.rules.length === 0 || report.traces.length === 0) return exitCode.couldNotRun;
  // Where no rule saw anything, and where there are only rules about drift, which wait for a comparison, nothing was checked.
  if (report.rules.every(({ reason }) => reason === "needs_baseline" || reason === "not_applicable"))
    return exitCode.couldNotRun;
  if (report.totals.notEvaluated > 0 && !acceptUnjudged) return exitCode.couldNotRun;
  return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
}

export const checkKind = defineReport<CheckReport>({
  schema: "spoor.check/1",
  exitCode: (report) => checkExitCode(report, { acceptUnjudged: false }),
  describe: describeCheck,
  checks: checksOfCheck,
  regate: {
    option: "failOn",
    choices: severities,
    apply: (report, failOn) => ({
      ...report,
      gate: gatePolicy(
        report.rules.flatMap((rule) => rule.violations),
        failOn as Severity,
      ),
    }),
  },
});
