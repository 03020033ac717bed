/** The reports of `spoor baseline`: a comparison, what was learnt, what a baseline holds. `action` tells them apart. */
import { dirname } from "node:path";
import type {
  AnyBaselineReport,
  BaselineBuildReport,
  BaselineReport,
  BaselineShowReport,
} from "@spoor/core/internal/fingerprint/baseline-report";
import { type BaselineGate, baselineGates, gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { renderBuildMarkdown } from "../../render/baseline/build-markdown.ts";
import { renderBuildTerminal } from "../../render/baseline/build-terminal.ts";
import { renderBaselineMarkdown } from "../../render/baseline/markdown.ts";
import { renderShowMarkdown } from "../../render/baseline/show-markdown.ts";
import { renderShowTerminal } from "../../render/baseline/show-terminal.ts";
import { renderBaselineTerminal } from "../../render/baseline/terminal.ts";
import { writeJson } from "../../write/json.ts";
import type { Renderers } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { usageError } from "../option.ts";
import { defineReportKind, type ReportView } from "./report-kind.ts";

export const baselineKind = defineReportKind<AnyBaselineReport>({
  schema: "spoor.baseline/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  renderers: (report, view) => renderersOf(report, view) as Renderers<AnyBaselineReport>,
  regate: { option: "failOn", choices: baselineGates, apply: judge },
});

export function buildRenderers(): Renderers<BaselineBuildReport> {
  return { terminal: renderBuildTerminal, json: writeJson, markdown: renderBuildMarkdown };
}

export function showRenderers(): Renderers<BaselineShowReport> {
  return { terminal: renderShowTerminal, json: writeJson, markdown: renderShowMarkdown };
}

export function compareRenderers(report: BaselineReport, view: ReportView): Renderers<BaselineReport> {
  const { exitCode, verbose, paths = candidateFolders(report) } = view;
  return {
    terminal: (one, style) => renderBaselineTerminal(one, { paths, exitCode, verbose }, style),
    json: writeJson,
    markdown: renderBaselineMarkdown,
  };
}

function renderersOf(report: AnyBaselineReport, view: ReportView) {
  if (report.action === "compare") return compareRenderers(report, view);
  return report.action === "build" || report.action === "update" ? buildRenderers() : showRenderers();
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
