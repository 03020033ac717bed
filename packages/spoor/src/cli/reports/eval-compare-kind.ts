import type { EvalCompareReport } from "@spoor/core/internal/evals/compare-runs";
import { checksOfCompare, describeCompare } from "../../describe/eval/describe-compare.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const evalCompareKind = defineReport<EvalCompareReport>({
  schema: "spoor.eval-compare/1",
  /** A case of which one side was never judged may have got worse: that is no pass. */
  exitCode({ cases, gate }) {
    if (gate.tripped) return exitCode.gateTripped;
    const isOpen = cases.some(({ comparison }) => comparison === undefined);
    return isOpen && gate.failOn !== "none" ? exitCode.couldNotRun : exitCode.ok;
  },
  describe: describeCompare,
  checks: checksOfCompare,
});
