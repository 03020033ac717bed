import type { EvalCompareReport } from "@spoor/core/internal/evals/compare-runs";
import { checksOfCompare, describeCompare } from "../../describe/eval/describe-compare.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const evalCompareKind = defineReport<EvalCompareReport>({
  schema: "spoor.eval-compare/1",
  exitCode: ({ gate }) => (gate.tripped ? exitCode.gateTripped : exitCode.ok),
  describe: describeCompare,
  checks: checksOfCompare,
});
