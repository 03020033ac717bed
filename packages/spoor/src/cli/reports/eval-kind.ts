import type { EvalReport } from "@spoor/core/evals/eval-report";
import { renderEvalJunit } from "../../render/eval/junit.ts";
import { renderEvalMarkdown } from "../../render/eval/markdown.ts";
import { renderEvalTerminal } from "../../render/eval/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const evalKind = defineReportKind<EvalReport>({
  schema: "spoor.eval/1",
  /** Without a single verdict there is nothing to pass or fail. */
  exitCode(report) {
    const { totals, gate } = report;
    if (report.stopped.length > 0 || (totals.runs > 0 && totals.errors === totals.runs)) return exitCode.internal;
    if (gate.tripped) return exitCode.gateTripped;
    return totals.notRun > 0 && gate.failOn !== "none" ? exitCode.couldNotRun : exitCode.ok;
  },
  renderers: (_report, { verbose, exitCode }) => ({
    terminal: (report, style) => renderEvalTerminal(report, style, { exitCode, verbose }),
    json: writeJson,
    markdown: renderEvalMarkdown,
    junit: renderEvalJunit,
  }),
});
