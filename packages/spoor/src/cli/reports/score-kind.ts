import type { ScoreReport } from "@spoor/core/evaluators/score-report";
import { renderScoreJunit } from "../../render/score/junit.ts";
import { renderScoreMarkdown } from "../../render/score/markdown.ts";
import { renderScore } from "../../render/score/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const scoreKind = defineReportKind<ScoreReport>({
  schema: "spoor.score/1",
  /** Without a working judge there is no verdict: 2 when none is configured, 3 when it cannot be reached. */
  exitCode(report) {
    const codes = report.results.flatMap((result) =>
      result.evaluators.flatMap((evaluator) => evaluator.error?.code ?? []),
    );
    if (codes.some((code) => !code.startsWith("judge.") || code === "judge.missing" || code === "judge.no_prompt"))
      return exitCode.couldNotRun;
    if (codes.length > 0) return exitCode.internal;
    return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  renderers: (_report, { verbose, exitCode }) => ({
    terminal: (report, style) => renderScore(report, style, { verbose, exitCode }),
    json: writeJson,
    markdown: renderScoreMarkdown,
    junit: renderScoreJunit,
  }),
});
