/** The three reports of `spoor cohort`: a comparison, a plan, a watch over arriving runs. */
import type { CohortReport } from "@spoor/core/cohort/cohort-report";
import { gateCohort } from "@spoor/core/cohort/gate-cohort";
import type { CohortPlanReport } from "@spoor/core/cohort/plan-cohort";
import type { SequentialReport } from "@spoor/core/cohort/sequential-cohort";
import { renderCohortHtml } from "../../render/cohort/html.ts";
import { renderCohortMarkdown } from "../../render/cohort/markdown.ts";
import { renderPlanMarkdown, renderPlanTerminal, renderPowerCurve } from "../../render/cohort/plan.ts";
import { renderCohortPlot } from "../../render/cohort/plots.ts";
import { renderSequentialMarkdown, renderSequentialTerminal } from "../../render/cohort/sequential.ts";
import { renderCohortTerminal } from "../../render/cohort/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const cohortKind = defineReportKind<CohortReport>({
  schema: "spoor.cohort/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  renderers: () => ({
    terminal: renderCohortTerminal,
    json: writeJson,
    markdown: renderCohortMarkdown,
    html: renderCohortHtml,
    svg: renderCohortPlot,
  }),
  regate: {
    option: "require",
    choices: ["unchanged"],
    apply: (report) => ({ ...report, gate: gateCohort(report, "unchanged") }),
  },
});

export const cohortPlanKind = defineReportKind<CohortPlanReport>({
  schema: "spoor.cohort-plan/1",
  exitCode: () => exitCode.ok,
  renderers: () => ({
    terminal: renderPlanTerminal,
    json: writeJson,
    markdown: renderPlanMarkdown,
    svg: renderPowerCurve,
  }),
});

export const cohortSequentialKind = defineReportKind<SequentialReport>({
  schema: "spoor.cohort-sequential/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  renderers: () => ({
    terminal: renderSequentialTerminal,
    json: writeJson,
    markdown: renderSequentialMarkdown,
  }),
});
