import type { EvalReport } from "@spoor/core/internal/evals/eval-report";
import { checksOfEval, describeEval } from "../../describe/eval/describe-eval.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const evalKind = defineReport<EvalReport>({
  schema: "spoor.eval/1",
  /** Without a single verdict there is nothing to pass or fail. */
  exitCode(report) {
    const { totals, gate } = report;
    if (report.stopped.length > 0 || (totals.runs > 0 && totals.errors === totals.runs)) return exitCode.internal;
    if (gate.tripped) return exitCode.gateTripped;
    return totals.notRun > 0 && gate.failOn !== "none" ? exitCode.couldNotRun : exitCode.ok;
  },
  describe: describeEval,
  checks: checksOfEval,
});
