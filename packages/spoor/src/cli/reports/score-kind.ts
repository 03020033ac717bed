import type { ScoreReport } from "@spoor/core/internal/evaluators/score-report";
import { checksOfScore, describeScore } from "../../describe/score/describe-score.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const scoreKind = defineReport<ScoreReport>({
  schema: "spoor.score/1",
  /** Without a working judge there is no verdict: 2 when none is configured, 3 when it cannot be reached. */
  exitCode(report) {
    const codes = report.results.flatMap((result) =>
      result.evaluators.flatMap((evaluator) => evaluator.error?.code ?? []),
    );
    if (codes.some((code) => !code.startsWith("judge.") || code === "judge.missing" || code === "judge.no-prompt"))
      return exitCode.couldNotRun;
    if (codes.length > 0) return exitCode.internal;
    return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  describe: describeScore,
  checks: checksOfScore,
});
