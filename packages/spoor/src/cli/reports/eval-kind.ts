import type { EvalReport } from "@spoor/core/internal/evals/eval-report";
import { checksOfEval, describeEval } from "../../describe/eval/describe-eval.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const evalKind = defineReport<EvalReport>({
  schema: "spoor.eval/1",
  /** A case that fails is known to fail, whatever could not be judged beside it; what could not be judged is never a pass. */
  exitCode({ totals, gate, stopped, undecided }) {
    if (gate.tripped) return exitCode.gateTripped;
    if (stopped.length > 0) return exitCode.couldNotRun;
    return (totals.notRun > 0 || undecided) && gate.failOn !== "none" ? exitCode.couldNotRun : exitCode.ok;
  },
  describe: describeEval,
  checks: checksOfEval,
});
