/** The reports of `spoor baseline`: a comparison, what was learnt, what a baseline holds. `action` tells them apart. */
import { dirname } from "node:path";
import type {
  AnyBaselineReport,
  BaselineBuildReport,
  BaselineReport,
} from "@spoor/core/internal/fingerprint/baseline-report";
import { type BaselineGate, baselineGates, gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { checksOfBuild, describeBuild } from "../../describe/baseline/describe-build.ts";
import { checksOfComparison, describeComparison } from "../../describe/baseline/describe-comparison.ts";
import { checksOfShow, describeShow } from "../../describe/baseline/describe-show.ts";
import { exitCode } from "../exit-code.ts";
import { usageError } from "../option.ts";
import { defineReport } from "./report-kind.ts";

export const baselineKind = defineReport<AnyBaselineReport>({
  schema: "spoor.baseline/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  describe(report, view) {
    if (isComparison(report))
      return describeComparison(report, { ...view, paths: view.paths ?? candidateFolders(report) });
    return isBuild(report) ? describeBuild(report) : describeShow(report);
  },
  checks(report) {
    if (isComparison(report)) return checksOfComparison(report);
    return isBuild(report) ? checksOfBuild(report) : checksOfShow(report);
  },
  regate: { option: "failOn", choices: baselineGates, apply: judge },
});

function isComparison(report: AnyBaselineReport): report is BaselineReport {
  return report.action === "compare";
}

function isBuild(report: AnyBaselineReport): report is BaselineBuildReport {
  return report.action === "build" || report.action === "update";
}

/** Where the runs stood: the report lists files, people type folders. */
function candidateFolders({ inputs }: BaselineReport): string[] {
  const files = inputs.filter((input) => input.role === "candidate").map((input) => input.path);
  return files.length === 1 ? files : [...new Set(files.map((file) => dirname(file)))];
}

function judge(report: AnyBaselineReport, failOn: string): AnyBaselineReport {
  if (report.action !== "compare")
    throw usageError(`--fail-on: a report of spoor baseline ${report.action} has nothing to judge.`);
  const gate = gateComparisons(report.agents, {
    failOn: failOn as BaselineGate,
    blocking: true,
    policy: report.agents.flatMap((agent) => agent.policy ?? []),
  });
  const status = gate.tripped ? "failed" : "passed";
  return { ...report, gate, summary: { ...report.summary, status } };
}
