import type { CheckReport } from "@spoor/core/policy/check-report";
import { gatePolicy } from "@spoor/core/policy/diff-policy";
import { type Severity, severities } from "@spoor/core/report/report";
import { renderCheckMarkdown } from "../../render/check/markdown.ts";
import { renderCheckTerminal } from "../../render/check/terminal.ts";
import { renderJson } from "../../render/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const checkKind = defineReportKind<CheckReport>({
  schema: "spoor.check/1",
  // A policy without rules, like no trace at all, has no verdict: never a pass.
  exitCode: (report) =>
    report.rules.length === 0 || report.traces.length === 0
      ? exitCode.couldNotRun
      : report.gate.tripped
        ? exitCode.gateTripped
        : exitCode.ok,
  renderers(_report, { noun = "trace", exitCode, verbose }) {
    const view = { noun, exitCode, verbose };
    return {
      terminal: (report, style) => renderCheckTerminal(report, view, style),
      markdown: (report) => renderCheckMarkdown(report, view),
      json: renderJson,
    };
  },
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
